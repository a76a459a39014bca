"""Declarations of jobs, and the changes that a job can find."""
