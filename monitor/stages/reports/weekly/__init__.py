"""The weekly report: the values stored up to a date, as one document and as JSON."""

#: Forms of a weekly report.
FORMATS = ("html", "json", "pdf")
