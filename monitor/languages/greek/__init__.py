"""Greek, read by its clauses."""
