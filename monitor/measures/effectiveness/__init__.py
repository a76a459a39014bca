"""Effectiveness of ranked lists by relevance judgements."""
