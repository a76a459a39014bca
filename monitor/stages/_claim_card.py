"""A claim card in its three forms: its content in, a page, lines and numbers out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from monitor.stages import _pages
from monitor.stages import _report_text as text

Row = dict[str, Any]

#: Of the JSON form.
SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Card:
    """A claim in its three forms."""

    html: str
    text: str
    numbers: Row


def card(content: Row, zone: ZoneInfo) -> Card:
    page = _pages.environment(
        when=lambda at: text.when(at, zone),
        three=_three,
        level=_level,
        plain=_plain,
        cut_name=text.capped,
    )
    html = page.get_template("claim.html").render(content)
    lines = page.overlay(autoescape=False, finalize=_in_one_line)
    plain = lines.get_template("claim.txt").render(content)
    return Card(html, plain, {"schema": SCHEMA, **_numbers(content)})


def _in_one_line(value: object) -> object:
    """What the card as text writes: an answer with line breaks must not pass for lines of ours."""
    found = text.shown(value)
    if not isinstance(found, str):
        return found
    return found.replace("\n", "[U+000A]").replace("\t", "[U+0009]")


def _three(value: float | None) -> str:
    """A number with three decimals, with its sign; a dash where there is none."""
    return "–" if value is None else f"{value:+z.3f}"


def _level(value: float | None) -> str:
    """A value with three decimals; a dash where there is none."""
    return "–" if value is None else f"{value:z.3f}"


def _plain(value: float | None) -> str:
    """A p value or a level."""
    return "–" if value is None else f"{value:.2g}"


def _numbers(value: object) -> Any:  # noqa: ANN401 - JSON
    """The content as JSON holds it: times in ISO 8601."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): _numbers(one) for key, one in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_numbers(one) for one in value]
    return value
