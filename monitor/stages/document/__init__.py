"""What a report says, as records, and the renderers of these: HTML and PDF."""
