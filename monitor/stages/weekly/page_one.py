"""Page one of the weekly report: verdict, counts, a card for each event, tiles, what is open."""

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from monitor.change import Status
from monitor.model import Kind
from monitor.stages.change_events import OUR_CAUSES, ChangeEvent
from monitor.stages.document.records import Block, Count, Counts, Heading, Items, Words
from monitor.stages.refusals import is_deed
from monitor.stages.weekly import cards, systems, tiles
from monitor.stages.weekly.cards import DetailedEvent
from monitor.stages.weekly.gather import Week
from monitor.stages.weekly.systems import Check
from monitor.text.counted_nouns import several
from monitor.text.dates import say_day, say_short_day

Row = dict[str, Any]

#: Events with a card, and those that are named below; the appendix has all.
CARDS, _NAMED = 2, 4
#: Systems with a tile, by the number of events: a page has little room.
_TILES = (12, 12, 4, 0)
#: Reasons that the verdict names.
_REASONS = 3
_NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")


def kicker(week: Week) -> str:
    """Return which report this is: `Weekly report, 25 March to 31 March 2026, 2 jobs`."""
    first = say_short_day(week.after + timedelta(microseconds=1), week.zone)
    jobs = several(len(week.jobs), "job", "jobs")
    return f"Weekly report, {first} to {say_day(week.until, week.zone)}, {jobs}"


def verdict(events: Sequence[ChangeEvent], rows: Sequence[Row], *, has_candidates: bool) -> str:
    """Return what happened, in a sentence or two; `rows` are the systems of the week.

    Where a signal is not decided, no change is confirmed rather than found.
    """
    real = [event for event in events if event.cause not in OUR_CAUSES]
    told = real or events
    if len(told) == 1:
        return told[0].headline
    if told:
        changed = list(dict.fromkeys(event.system for event in told))
        what = "changed" if real else "moved in our numbers, but our software changed"
        if len(changed) == 1:
            return f"{changed[0]} {what}{f' {len(told)} times' if real else ''}"
        return f"{_number(len(changed))} systems {what}"
    unchanged, left = (_of(rows, check) for check in (Check.UNCHANGED, Check.NOT_CHECKED))
    if not unchanged:
        return f"Nothing could be checked this week{_why(left)}"
    where = f"{len(unchanged)} of {_say_counted(rows)}"
    verb = "confirmed" if has_candidates else "found"
    verdict = f"No change {verb} in {where}; {systems.say_missed(unchanged)}."
    if not left:
        return verdict
    return f"{verdict} {len(left)} could not be checked{_why(left)}."


def _number(n: int) -> str:
    return _NUMBERS[n] if n < len(_NUMBERS) else str(n)


def _of(rows: Sequence[Row], check: Check) -> list[Row]:
    return [row for row in rows if row["check"] == check]


def _why(rows: Sequence[Row]) -> str:
    """Return `: Search B refused our questions` or `: no value (2), too few runs so far (1)`."""
    reasons = Counter(
        systems.say_reason(row) if is_deed(row["reason"]) else row["reason"] for row in rows
    ).most_common()
    said = list(dict.fromkeys(systems.say_reason(row) for row in rows))
    if len(said) > 1 and len(reasons) == 1:
        said = [reasons[0][0]]
    elif len(said) > 1:
        said = [f"{reason} ({n})" for reason, n in reasons[:_REASONS]]
        said += ["other reasons"] if len(reasons) > _REASONS else []
    return f": {', '.join(said)}" if said else ""


def blocks(
    week: Week,
    content: Row,
    events: Sequence[ChangeEvent],
    details: Sequence[DetailedEvent],
    address: str,
) -> list[Block]:
    """Return page one below its title; `details` are those of the first events, with a card."""
    rows, headline = content["systems"], content["headline"]
    other_events = events[len(details) :]
    unchanged = f"no change {'confirmed' if has_candidates(headline) else 'found'}"
    page: list[Block] = [_counts(rows, unchanged)] if rows else []
    page += [
        cards.card(week, event, address, f"e{n}", is_first=n == 0, is_only=len(events) == 1)
        for n, event in enumerate(details)
    ]
    if other_events:
        said = [f"{event.headline}: {event.asked_in}" for event in other_events[:_NAMED]]
        n_left = len(other_events) - len(said)
        said += [f"{several(n_left, 'more event')} in the appendix"] if n_left else []
        page.append(Items(said))
    n_tiles = _TILES[min(len(events), len(_TILES) - 1)]
    if rows and n_tiles:
        page.append(Heading(_tiles_heading(rows, n_tiles)))
        page += tiles.tiles(week, rows[:n_tiles], content["charts"], unchanged)
    left = _not_checked(week, rows)
    if left:
        page += [Heading("Not checked"), Items(left)]
    aside = _aside(headline)
    return [*page, Words(aside, "small")] if aside else page


def has_candidates(headline: Row) -> bool:
    """Return whether a signal of the week waits for more runs."""
    return any(row["status"] == Status.CANDIDATE for row in headline["changes"])


def _counts(rows: Sequence[Row], unchanged_words: str) -> Counts:
    """Return how many systems changed, did not, or were not checked."""
    changed, unchanged, left = (_of(rows, check) for check in Check)
    reasons = {row["reason"] for row in left}
    return Counts([
        Count(f"{len(changed)}", "changed", _named(changed)),
        Count(f"{len(unchanged)}", unchanged_words, systems.say_missed(unchanged)),
        Count(f"{len(left)}", "not checked", reasons.pop() if len(reasons) == 1 else ""),
    ])  # fmt: skip


def _say_counted(rows: Sequence[Row]) -> str:
    """Return `7 systems by language or region`: a system counts in each of its own."""
    said = several(len(rows), "system")
    if len({systems.say_system(row) for row in rows}) == len(rows):
        return said
    kinds = {"region" if row["kind"] == Kind.SEARCH else "language" for row in rows}
    return f"{said} by {' or '.join(sorted(kinds))}"


def _named(rows: Sequence[Row]) -> str:
    """Return `Translator B (2 languages)`."""
    counts = Counter((systems.say_system(row), row["kind"] == Kind.SEARCH) for row in rows)
    return ", ".join(
        name if n == 1 else f"{name} ({several(n, 'region' if is_search else 'language')})"
        for (name, is_search), n in counts.items()
    )


def _tiles_heading(rows: Sequence[Row], n_tiles: int) -> str:
    shown = f", the first {n_tiles}" if len(rows) > n_tiles else ""
    return f"{several(len(rows), 'system', 'systems')}, by language or region{shown}"


def _not_checked(week: Week, rows: Sequence[Row]) -> list[str]:
    """Return which systems were not checked, by reason, and jobs without any."""
    asked_in: dict[str, list[str]] = {}
    for row in _of(rows, Check.NOT_CHECKED):
        asked_in.setdefault(systems.say_reason(row), []).append(row["asked_in"])
    said = [f"{reason} ({'; '.join(where)})." for reason, where in asked_in.items()]
    silent = [job.name for job in week.jobs if job.name not in {row["job"] for row in rows}]
    return [*said, *(f"Job {name}: nothing that could be checked." for name in silent)]


def _aside(headline: Row) -> str:
    """Return what else the appendix has: signals, and what changed on our side."""
    signals = [row for row in headline["changes"] if row["status"] != Status.CONFIRMED]
    n_signals = len(signals) + len(headline["retrospective"])
    said = [f"{several(n_signals, 'unconfirmed signal')} in the appendix."] if n_signals else []
    if headline["ours"]:
        said.append("Our software or questions changed this week: see the appendix.")
    return " ".join(said)
