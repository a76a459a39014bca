"""Rules that put notices together: changes of one family into one message, and all that is due.

A measure over a list has a series for each quantity and scope, and what an engine does shows in
many of them at once. What was told of each is kept for each. Pure.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from monitor.stages import _telling_words as words
from monitor.stages.telling import Rules, series_of, subject_of
from monitor.store.journal.notifications import FAMILY, SUMMARY, NamedChange, Notice, SeriesFamily


@dataclass(frozen=True, slots=True)
class Known:
    """What notices are about: {subject: the change as it stands now}, {series: its family}."""

    changes: Mapping[str, NamedChange]
    families: Mapping[int, SeriesFamily]


def by_subject(changes: Iterable[NamedChange]) -> dict[str, NamedChange]:
    """Changes by what notices about them are about."""
    return {
        subject_of(
            named_change.series_id, named_change.kind, named_change.detected_at
        ): named_change
        for named_change in changes
    }


def is_of_change(notice: Notice) -> bool:
    """Whether a notice is about one change."""
    return notice.subject.startswith("change:")


def groups(some: Sequence[Notice], known: Known) -> list[list[Notice]]:
    """Notices by what is told in one message, the strongest change of each first."""
    grouped_notices: dict[Hashable, list[Notice]] = {}
    for notice in some:
        grouped_notices.setdefault(_key(notice, known), []).append(notice)
    return [
        sorted(mine, key=lambda one: _weakness(one, known)) for mine in grouped_notices.values()
    ]


def _key(notice: Notice, known: Known) -> Hashable:
    if notice.tries or not is_of_change(notice):  # what went to some addresses already goes alone
        return notice.id
    family = known.families.get(series_of(notice.subject), notice.id)
    change = known.changes.get(notice.subject)
    when = notice.subject.split("/", 1)[1]  # the kind of change, and when it could be known
    put_down_to = (change.job, change.cause) if change else None
    return notice.kind, when, family, put_down_to


def _weakness(notice: Notice, known: Known) -> tuple[float, int]:
    """Less for a larger effect, in widths of its interval; without one it comes last."""
    change = known.changes.get(notice.subject)
    if change is None or change.effect is None or change.low is None or change.high is None:
        return float("inf"), notice.id
    width = change.high - change.low
    return (-abs(change.effect) / width if width else -float("inf")), notice.id


def together(route: str, some: Sequence[list[Notice]], rules: Rules) -> tuple[str, str, str]:
    """(kind, title, text) of one message for several notices, by groups."""
    if len(some) == 1:
        return FAMILY, *_family(some[0], rules)
    facts = {
        "route": route,
        "n": sum(len(mine) for mine in some),
        "told": [(mine[0].title, len(mine) - 1) for mine in some],
        "hourly": rules.hourly,
        "most": words.MOST_LINES,
    }
    return SUMMARY, *words.write(SUMMARY, facts, rules.zone, words.link(rules.address, facts))


def _family(members: Sequence[Notice], rules: Rules) -> tuple[str, str]:
    first, *others = members
    link = words.link_of(first.body)  # in a list it would be broken, as links of others are
    body = first.body.removesuffix(link).rstrip("\n")
    facts = {
        "title": first.title,
        "n": len(members),
        "lines": body.splitlines(),
        "others": [one.title for one in others],
        "most": words.n_lines(body, [one.title for one in others]),
    }
    return words.write(FAMILY, facts, rules.zone, link)
