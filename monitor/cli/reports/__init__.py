"""Commands that write reports and show runs."""
