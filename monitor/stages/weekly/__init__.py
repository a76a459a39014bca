"""The weekly report: what is stored up to a date in, HTML, PDF and JSON of the same numbers out."""
