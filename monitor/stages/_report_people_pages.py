"""What search engines were asked and what their pages held: rows of the store in, tables out."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from monitor.model import Kind, LabelState, Outcome, Reason
from monitor.stages import _report_names as names
from monitor.stages._report_coverage import NOT_ASKED
from monitor.stages._report_people import Showing
from monitor.stages.document import records as doc
from monitor.stages.engine_titles import engine_title

Row = dict[str, Any]

_UNANSWERED = (Outcome.THROTTLED, Outcome.TIMEOUT, Outcome.FAILED, NOT_ASKED)
_KINDS = {Reason.CAPTCHA: "captcha", Reason.CONSENT: "consent", Reason.JS_SHELL: "empty shell"}
#: States of entities, in the order of the columns.
STATES = {
    LabelState.LABELLED: "recorded",
    LabelState.UNRESOLVED: "no record found",
    LabelState.CONFLICT: "sources disagree",
    LabelState.NOT_HUMAN: "no human",
}


def asked(pages: Sequence[Row]) -> list[Row]:
    """One row per list, engine and region: what became of the questions."""
    grouped: dict[tuple[str, ...], list[Row]] = {}
    for row in pages:
        key = row["list"], row["engine"], row["source_lang"], row["target"]
        grouped.setdefault(key, []).append(row)
    return [_asked(key, group) for key, group in grouped.items()]


def _asked(key: tuple[str, ...], some: Sequence[Row]) -> Row:
    list_label, engine, source, target = key

    def count(*outcomes: str) -> int:
        return sum(row["questions"] for row in some if row["outcome"] in outcomes)

    unsaid = sum(
        row["questions"]
        for row in some
        if row["reason"] == Reason.SUSPECT_EMPTY and row["outcome"] == Outcome.EMPTY
    )
    return {
        "list": list_label,
        "engine": engine,
        "title": engine_title(engine),
        "pair": names.pair_title(source, target, Kind.SEARCH),
        "target": target,
        "planned": sum(row["questions"] for row in some),
        "answered": count(Outcome.OK),
        "no_results": count(Outcome.EMPTY) - unsaid,
        "blocked": count(Outcome.BLOCKED),
        "blocked_by": kinds(row for row in some if row["outcome"] == Outcome.BLOCKED),
        "unreadable": count(Outcome.UNREADABLE) + unsaid,
        "unanswered": count(*_UNANSWERED),
    }


def kinds(rows: Iterable[Row]) -> str:
    """`captcha 3, consent 1`."""
    found: dict[str, int] = {}
    for row in rows:
        kind = _KINDS.get(row["reason"], str(row["reason"]) or "turned away")
        found[kind] = found.get(kind, 0) + row["questions"]
    return ", ".join(f"{kind} {n:,}" for kind, n in found.items())


def sentence(row: Row) -> str:
    """`12 questions: 9 answered, 1 without results, 2 blocked (captcha 2)`."""
    blocked = f"{row['blocked']:,} blocked" + (
        f" ({row['blocked_by']})" if row["blocked_by"] else ""
    )
    parts = [
        (row["answered"], f"{row['answered']:,} answered with results"),
        (row["no_results"], f"{row['no_results']:,} answered that there are none"),
        (row["blocked"], blocked),
        (row["unreadable"], f"{row['unreadable']:,} unreadable"),
        (row["unanswered"], f"{row['unanswered']:,} without an answer"),
    ]
    said = ", ".join(words for n, words in parts if n) or "none answered"
    return f"{row['planned']:,} questions: {said}"


def states(showing: Showing, people: Sequence[Row]) -> Row:
    """How many people stood anywhere in the block, by what is recorded of them, and since when."""
    own_people = [r for r in people if showing.is_of(r) and r["block"] == showing.block]
    counts = {
        state: sum(row["people"] for row in own_people if row["state"] == state) for state in STATES
    }
    known_own_people = [row for row in own_people if row["state"] == LabelState.LABELLED]
    return {
        "people": sum(row["people"] for row in own_people),
        "states": counts,
        "source": _sources(known_own_people),
        "dates": _dates(known_own_people),
    }


def _sources(known: Sequence[Row]) -> str:
    by_hand = any(row["source"] == "people" for row in known)
    asked_for = any(row["source"] == "wikidata" for row in known)
    if by_hand and not asked_for:
        return "the labels of our raters"
    return "Wikidata or the labels of our raters" if by_hand else "Wikidata"


def _dates(known: Sequence[Mapping[str, Any]]) -> str:
    """`2026-11-16`, or from when to when."""
    every = [row[name] for row in known for name in ("first_as_of", "last_as_of") if row[name]]
    if not every:
        return ""
    first, last = f"{min(every):%Y-%m-%d}", f"{max(every):%Y-%m-%d}"
    return first if first == last else f"{first} to {last}"


# --- tables of a report ---------------------------------------------------------------------------

_HELD = ("planned", "answered", "no_results", "blocked", "unreadable", "unanswered")


def tables(pages: Sequence[Row], known: Sequence[tuple[str, Row, str]]) -> list[doc.Block]:
    """What was asked of search engines, and what stood in the blocks that were measured.

    `known` has the title of each block, its states, and where groups are recorded.
    """
    rows = sorted(asked(pages), key=lambda row: str(row["list"]))
    if not rows:
        return []
    questions = doc.grouped(
        "Questions to search engines. “No results” is an answer: the page says so.",
        ["engine, region", "#planned", "#with results", "#no results", "#blocked",
         "#un\u00adread\u00adable", "#without an answer"],
        [doc.group(name, map(_questions, group))
         for name, group in groupby(rows, key=lambda row: str(row["list"]))],
    )  # fmt: skip
    entities = doc.table(
        "What stood in the blocks that were measured (a block is a part of a page): distinct "
        "entities at any rank, by what is recorded of them now. Facts about single people are "
        "restricted; here are counts alone.",
        ["block", "#entities", "#gender recorded", "#no record found", "#sources disagree",
         "#no human", "~recorded in"],
        [
            [title, f"{states['people']:,}", *(f"{n:,}" for n in states["states"].values()),
             source if states["states"][LabelState.LABELLED] else "nobody"]
            for title, states, source in known
        ],
    )  # fmt: skip
    return [questions, *([entities] if any(states["people"] for _, states, _ in known) else [])]


def _questions(row: Row) -> list[doc.Cell | str]:
    counts: list[doc.Cell | str] = [f"{row[name]:,}" for name in _HELD]
    counts[_HELD.index("blocked")] = doc.Cell(f"{row['blocked']:,}", row["blocked_by"])
    return [f"{row['title']} {row['pair']}", *counts]
