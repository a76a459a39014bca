"""Readings, signals, points and what they are computed from."""
