"""Documents as records, and their renderers: HTML, PDF, terminal."""
