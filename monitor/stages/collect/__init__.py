"""From planned attempts to raw answers."""
