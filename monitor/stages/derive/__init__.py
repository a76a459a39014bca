"""From raw answers to readings, signals and values."""
