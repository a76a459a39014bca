"""Fairness of ranked lists by words that stand for groups."""
