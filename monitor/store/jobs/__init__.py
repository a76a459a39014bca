"""Job files, lists and what jobs declare."""
