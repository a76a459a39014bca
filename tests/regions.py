"""Regions that tests ask from."""

from monitor.model import Region

US = Region("us-en", "US", "en", "en-US", "America/New_York", "en-US,en;q=0.9", 40.7, -74.0)
