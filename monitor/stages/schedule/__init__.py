"""Supervision of engines, ticks and workers."""
