"""Commands about who may see what, and that serve it."""
