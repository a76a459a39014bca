"""Grammatical gender of a person named in the source, one file per target language."""
