"""Readers of result pages, one file per search engine, in all their layouts."""
