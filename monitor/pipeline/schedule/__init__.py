"""Supervision of engines, ticks, workers and the disk."""
