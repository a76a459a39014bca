"""Values of the command line that are taken as they are.

Typer checks every value by pydantic, also those that are left out. Importing pydantic and making
the checks takes 80 ms, a fifth of a command that lists something.
"""

from collections.abc import Callable
from functools import partialmethod
from pathlib import Path
from typing import Any

from typer.core import TyperArgument, TyperOption

_PLAIN = (str, int, float, Path)


class _Check:
    """The check of values of a parameter, made by typer where a value needs one."""

    def __init__(self, make_check: Callable[[Any], Any]) -> None:
        self._make_check = make_check

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: ANN401 - typer's own
        """Return a text, and a number or path that is the default, as it is."""
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        kind = param.type_descriptor.annotation
        if kind in _PLAIN and isinstance(value, kind):
            return value
        return self._make_check(param).coerce(value, param=param, ctx=ctx)


def _return(_param: object, check: _Check) -> _Check:
    return check


def install() -> None:
    """Let options and arguments of typer ask for its check only where a value needs one."""
    for kind in (TyperOption, TyperArgument):
        check = _Check(kind.get_runtime_param)
        setattr(kind, "get_runtime_param", partialmethod(_return, check))  # noqa: B010 - of typer
