"""Measures of the gender that translations give to a person whom the source names."""
