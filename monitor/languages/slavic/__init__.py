"""Readers of the Slavic languages, and what they share."""
