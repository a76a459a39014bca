"""The web site and its API; the pages are in `pages`, one module a subject."""
