"""Wikidata's requests and answers, and the table from recorded genders to groups. Pure."""
