"""HTTP servers: health, metrics, and the site."""
