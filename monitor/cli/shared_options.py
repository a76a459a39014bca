"""Options that several commands have, declared once: a function whose parameters they are."""

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

Command: TypeAlias = Callable[..., None]


def share_options(**groups: Callable[..., Any]) -> Callable[[Command], Command]:
    """Give a command the options of functions, in place of the parameters that are named here.

    After `@share_options(order=read_order)` a command has the options that are the parameters of
    `read_order`, and its parameter `order` is what that function returns of them. What a `partial`
    sets is no option.
    """

    def declare(command: Command) -> Command:
        own = inspect.signature(command).parameters.values()
        shared = {name: _list_options(read) for name, read in groups.items()}

        def run(**values: Any) -> None:  # noqa: ANN401 - values of any option
            for name, read in groups.items():
                own_values = {option.name: values.pop(option.name) for option in shared[name]}
                values[name] = read(**own_values)
            command(**values)

        options = [
            option.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for parameter in own
            for option in shared.get(parameter.name, [parameter])
        ]
        run.__name__, run.__doc__, run.__module__ = (
            command.__name__, command.__doc__, command.__module__,
        )  # fmt: skip
        run.__annotations__ = {option.name: option.annotation for option in options}
        run.__signature__ = inspect.Signature(options)  # type: ignore[attr-defined]
        return run

    return declare


def _list_options(read: Callable[..., Any]) -> list[inspect.Parameter]:
    preset = read.keywords if isinstance(read, partial) else {}
    return [o for o in inspect.signature(read).parameters.values() if o.name not in preset]
