"""From raw answers to readings, values and points, for new runs and kept ones."""
