"""The environment in which HTML pages are written: everything captured is text there."""

from collections.abc import Callable
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from monitor.stages import _report_text as text


def environment(**filters: Callable[..., Any]) -> Environment:
    """Templates of `monitor/templates` with these filters; a name that is not given is a fault."""
    made = Environment(
        loader=PackageLoader("monitor", "templates"),
        autoescape=True,
        finalize=text.shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(filters)
    return made
