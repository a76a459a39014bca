"""Libraries that run a model in this machine, one file each.

A back end has `check(model, models)`, which raises MissingPart, and `load(model, models)`, which
returns (run, identity): `run(texts, options)` gives the content of the answer's body as JSON
values, and the identity says what answered. It is loaded once in each process.
"""
