"""Runs, attempts, answers and what collecting them needs."""
