"""Decisions about changes of series, their causes and what supports them."""
