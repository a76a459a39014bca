"""The clock: due ticks become runs, job files are watched, nothing that was owed is forgotten."""
