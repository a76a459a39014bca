"""Backup, retention, erasure and clean-up."""
