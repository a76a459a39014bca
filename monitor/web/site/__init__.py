"""The web pages and the API beside them: one file per page, what all need in `_*.py`."""
