"""Performing tasks of runs, on this machine or on workers."""
