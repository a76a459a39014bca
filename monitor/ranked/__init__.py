"""Ranked lists as arrays: documents, words, group terms; the formulas that measures share."""
