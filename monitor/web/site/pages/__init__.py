"""The pages of the site: one module a subject, each served as HTML and as JSON."""
