"""Series, comparisons and the changes that are found in them."""
