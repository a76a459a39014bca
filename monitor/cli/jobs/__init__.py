"""Commands about what a job is made of: engines, lists, plug-ins, the job file, its plan."""
