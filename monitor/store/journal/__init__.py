"""Events, alarms, processes and notifications."""
