"""Reports, claim cards and the names that they use."""
