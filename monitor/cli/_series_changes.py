"""Findings for people: what moved in one system at one tick stands together.

In go findings, the newest first; out come a heading for each job, tick, engine and pair of
languages, beneath it the measures, and beneath these a line for each quantity.
"""

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from zoneinfo import ZoneInfo

from monitor.change import Role
from monitor.cli._console import out
from monitor.cli._series_order import system_place
from monitor.cli._visible import visible
from monitor.stages._report_names import kind_of, pair_title
from monitor.stages.as_declared import Because
from monitor.store.changes import Listed
from monitor.store.series import ALL
from monitor.text.counted_nouns import several

_LEAST = 80
_ROLES = {role: at for at, role in enumerate(Role)}
_DECLARED = {
    None: ", confirmatory",
    Because.LATE: ", exploratory: declared after the first tick",
    Because.OVER: ", exploratory: after the last declared tick",
    Because.NOT_AS_DECLARED: ", exploratory: not asked as declared",
}


def print_changes(
    found: Iterable[Listed],
    zone: ZoneInfo,
    because: Mapping[int, Because | None],
    *,
    full: bool = False,
) -> None:
    """Print them; with `full` the sentence of each, else that of the first of its measure.

    `because` says why a finding is exploratory; None of those that are confirmatory.
    """
    for some in _together(found):
        first = some[0]
        day = f"{first.detected_at.astimezone(zone):%Y-%m-%d %H:%M}"
        count = f": {several(len(some), 'finding')}" if len(some) > 1 else ""
        pair = pair_title(first.source_lang, first.target, kind_of(first.engine))
        _say(f"{first.job}, {day}: {first.engine}, {pair}{count}", "", style="bold")
        for family in _families(some):
            _print_family(family, because, full=full)
        out.print()


def _together(found: Iterable[Listed]) -> Iterator[list[Listed]]:
    """Findings of one job, tick, engine and pair of languages, in the order of the first."""
    groups: dict[tuple[object, ...], list[Listed]] = {}
    for one in found:
        key = (one.job, one.detected_at, one.engine, one.source_lang, one.target)
        groups.setdefault(key, []).append(one)
    yield from groups.values()


def _families(found: Iterable[Listed]) -> Iterator[list[Listed]]:
    """Findings of one list and measure that stand and are put down to the same."""
    families: dict[tuple[object, ...], list[Listed]] = {}
    for one in found:
        about = (one.list, one.measure, one.reference)
        key = (*about, one.kind, one.status, one.cause, one.changed_at)
        families.setdefault(key, []).append(one)
    for some in families.values():
        yield sorted(some, key=_place)


def _place(one: Listed) -> tuple[object, ...]:
    return _ROLES.get(Role(one.role), len(_ROLES)), system_place(one), one.change_id


def _print_family(
    found: Sequence[Listed], because: Mapping[int, Because | None], *, full: bool
) -> None:
    first = found[0]
    against = f" against {first.reference}" if first.reference else ""
    _say(f"{first.list}, {first.measure}{against}: {first.kind}, {first.status}, {first.cause}",
         "  ")  # fmt: skip
    digits = max(len(str(one.change_id)) for one in found)
    for one in found:
        name = one.quantity if one.scope == ALL else f"{one.quantity} {one.scope}"
        effect = "" if one.effect is None else f": {one.effect:+z.3f}"
        if one.low is not None and one.high is not None:
            effect += f" [{one.low:+z.3f}, {one.high:+z.3f}]"
        _say(f"{one.change_id:>{digits}}  {name} ({_role(one, because)}){effect}", "    ")
        if full or one is first:
            _say(one.sentence, " " * (6 + digits))


def _role(one: Listed, because: Mapping[int, Because | None]) -> str:
    """`primary, confirmatory`: said of series that were declared, of which others ask."""
    why = because.get(one.change_id, Because.NOTHING_DECLARED)
    return f"{one.role}{_DECLARED.get(why, '')}"


def _say(line: str, indent: str, style: str = "") -> None:
    wide = max(out.width, _LEAST)
    wrapped = textwrap.wrap(
        visible(line), wide, initial_indent=indent, subsequent_indent=indent,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    for part in wrapped:
        out.print(part, style=style, markup=False, soft_wrap=True)
