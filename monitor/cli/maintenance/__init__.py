"""Commands that keep, restore and remove what is stored."""
