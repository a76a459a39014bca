"""Bias of whole corpora: associations of words."""
