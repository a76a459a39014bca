"""Audits of the instrument, and doubts that they raise."""
