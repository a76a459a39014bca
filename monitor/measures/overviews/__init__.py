"""Measures of texts that a model writes above search results: how often, and what they cite."""
