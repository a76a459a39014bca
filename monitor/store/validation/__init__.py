"""Audits of the instrument."""
