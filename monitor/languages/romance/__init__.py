"""Languages that descend from Latin, and the reader that they share."""
