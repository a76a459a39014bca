"""Ways to prove who asks that need more than a key in a header, one file each.

A signer is named in a request as `name:argument`. Its module has `check(argument)`, which raises
MissingPart, and `sign(argument, request, headers, body)`, which returns (headers to add, secrets
to take out of the answer) and raises MissingPart or ConnectionError.
"""

from importlib import import_module
from types import ModuleType


def signer(name: str) -> tuple[ModuleType, str]:
    """(module, argument) of `name:argument`."""
    module, _, argument = name.partition(":")
    return import_module(f"monitor.fetch.signers.{module}"), argument
