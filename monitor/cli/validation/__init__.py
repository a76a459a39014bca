"""Commands that measure how accurate the instrument is."""
