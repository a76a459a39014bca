"""Releases, reproducibility packages and exports."""
