"""Queries of reports and pages."""
