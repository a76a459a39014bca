"""Comparison of runs, detection of changes, and decisions about ticks."""
