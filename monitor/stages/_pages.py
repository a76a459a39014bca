"""The environment in which HTML pages are written: everything captured is text there."""

import re
from collections.abc import Callable
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from monitor.stages import _report_text as text

_NUMBER = r"[−+±]?\d[\d.,]*(?:\s%)?"
#: What stays on one line: a date with its time, and an interval with its value.
_WHOLE = re.compile(
    r"\b\d{4}-\d{2}-\d{2}\b(?: \d{2}:\d{2}(?::\d{2})?(?: (?:[A-Z]{3,5}\b|[+-]\d{2,4}\b))?)?"
    rf"|(?:{_NUMBER}\s)?\[{_NUMBER},\s{_NUMBER}\]"
)


def whole(words: str) -> Markup:
    """Text in which no line ends inside a date or an interval."""
    plain = str(escape(text.visible(words)))
    return Markup(_WHOLE.sub(r'<span class="whole">\g<0></span>', plain))  # noqa: S704 - escaped


def environment(**filters: Callable[..., Any]) -> Environment:
    """Templates of `monitor/templates` with these filters; a name that is not given is a fault.

    `whole` is one of them, for running text.
    """
    environment = Environment(
        loader=PackageLoader("monitor", "templates"),
        autoescape=True,
        finalize=text.shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update({"whole": whole} | filters)
    return environment
