"""Commands that read texts and compute: of kept runs, and of texts of one's own."""
