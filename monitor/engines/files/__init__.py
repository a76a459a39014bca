"""Engines that ask nobody: answers that were collected before, in files."""
