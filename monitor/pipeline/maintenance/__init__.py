"""Deletion by retention and on request."""
