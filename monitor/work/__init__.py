"""Does what is to be done of runs: one task at a time, on this machine or on many."""
