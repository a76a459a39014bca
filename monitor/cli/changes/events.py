"""Print events for people: what moved in one system at one time, a line for each quantity."""

from collections.abc import Mapping, Sequence
from zoneinfo import ZoneInfo

from monitor.change import Role
from monitor.cli.console import out, say_indented
from monitor.stages.changes import statements
from monitor.stages.changes.events import ChangeEvent, EventChange
from monitor.stages.jobs.preregistration import EXPLORATORY, Because
from monitor.stages.reports.names import pair_words
from monitor.store.changes.series import ALL
from monitor.text.quantity_values import say_day


def print_events(
    events: Sequence[ChangeEvent],
    zone: ZoneInfo,
    because: Mapping[int, Because | None],
    sentences: Mapping[int, str],
) -> None:
    """Print events, the newest first.

    `because` says why a finding is exploratory, None where it was registered; `sentences` are those
    of findings that are printed with one.
    """
    for event in events:
        say_indented(event.headline, "", style="bold")
        since, detected = (say_day(at, zone) for at in (event.changed_at, event.detected_at))
        detection = "" if since == detected else f" (found {detected})"
        say_indented(f"{event.asked_in}, {event.began} {since}{detection}; job {event.job}", "  ")
        say_indented(f"{statements.STATUS[event.status]}; {event.cause_said}", "  ")
        for later, sentence in event.said_later:
            say_indented(f"{sentence}: change {later.number}", "  ")
        digits = max(len(str(change.number)) for change in event.changes)
        for change in event.changes:
            say_indented(f"{change.number:>{digits}}  {_where(event, change)}{change.said}", "  ")
            for line in (_size(change), _status(event, change, because)):
                say_indented(line, " " * (4 + digits))
            say_indented(sentences.get(change.number, ""), " " * (4 + digits))
        out.print()


def _where(event: ChangeEvent, change: EventChange) -> str:
    """Return the languages and the part of the list, where these are not those of the event."""
    asked_in = pair_words(change.source_lang, change.target, event.kind)
    parts = [asked_in] if asked_in != event.asked_in else []
    parts += [change.scope] if change.scope != ALL else []
    return f"{', '.join(parts)}: " if parts else ""


def _size(change: EventChange) -> str:
    has_ends = change.before is not None and change.after is not None
    return f"Change: {change.said_effect}" if has_ends and change.said_effect else ""


def _status(event: ChangeEvent, change: EventChange, because: Mapping[int, Because | None]) -> str:
    """Return what became of a finding where that differs from its event, and its registration."""
    badges = [statements.STATUS[change.status]] if change.status != event.status else []
    why = because.get(change.number, Because.NOTHING_DECLARED)
    badges += ["registered beforehand"] if why is None else []
    if why not in (None, Because.NOTHING_DECLARED):
        badges.append(f"exploratory: {EXPLORATORY[why]}")
    badges += ["side quantity"] if change.role != Role.PRIMARY else []
    return "; ".join(badges)
