"""Reproducibility packages."""
