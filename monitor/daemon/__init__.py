"""The daemon: due ticks become runs, and job files are watched."""
