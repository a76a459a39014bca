"""Runs: how they begin, ask, store answers and end."""
