"""What reports and pages read."""
