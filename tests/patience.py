"""How long a test waits before it calls a loop endless: a guard, never a measurement of speed."""

HANGS = 60.0
"""Seconds of processor time. What needs the square of its input's length would take minutes."""
