"""Questions that a job asks, and what it declared of them."""
