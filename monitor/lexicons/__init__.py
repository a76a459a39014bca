"""Genderedness of words: vectors in, a direction and a table of scores out. No network."""
