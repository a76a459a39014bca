"""Commands about series and what has changed in them."""
