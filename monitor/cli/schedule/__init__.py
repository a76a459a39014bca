"""Commands of what runs for years: daemon, workers, jobs, alarms, notices."""
