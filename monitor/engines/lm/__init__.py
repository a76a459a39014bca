"""Language models whose scores are read."""
