"""Releases, reproduction packages and evidence: all that leaves an archive."""
