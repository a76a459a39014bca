"""Weekly reports that are asked for or due."""
