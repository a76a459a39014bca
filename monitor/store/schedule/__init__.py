"""Ticks, tasks, leases and the queue of the workers."""
