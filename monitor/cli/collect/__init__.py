"""Commands that ask, and that show the evidence of what was answered."""
