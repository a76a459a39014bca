"""Commands that give results to others, and take in what others computed."""
