"""People whom a search engine shows: values by cut-off, sentences, and the pages behind them.

Wording: people are "recorded as women" or "recorded as men" in a source on a date. Nothing here
calls a value good, bad or just: a bias of 0 says that what is shown is like the reference.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from operator import itemgetter
from typing import Any, NamedTuple

from monitor.model import Block, Kind, LabelState, Outcome, Reason
from monitor.stages.document import records as doc
from monitor.stages.document.notation import (
    count,
    estimate,
    find_side,
    is_measured,
    number,
    percent,
    percent_estimate,
    point_ids,
    say_missing,
    visible,
)
from monitor.stages.reports import names
from monitor.stages.reports.coverage import NOT_ASKED
from monitor.stages.reports.names import engine_title
from monitor.stages.reports.run_systems import MeasuredSystem, find_common_reason
from monitor.store.rows import group_rows

# --- values ---------------------------------------------------------------------------------------

Row = dict[str, Any]

FAMILY = "c_ratio_bias"
#: The cut-off that sentences are about, where it was measured.
_MAIN = 10
#: Parameters that every section says anyway, or that change no value.
_SAID = ("block=", "topics_floor=")
#: Adjusted p-value up to which a profession may stand in a list of the most biased ones.
FALSE_DISCOVERIES = 0.05
#: Blocks of result pages: what they are called, and that one was shown.
_BLOCKS: Mapping[str, tuple[str, str]] = {
    Block.CAROUSEL: ("carousel", "a carousel was shown"),
    Block.ORGANIC: ("web results", "web results were shown"),
    Block.PEOPLE: ("people named", "people were named"),
    Block.OVERVIEW_PEOPLE: ("people named in overviews", "people were named in an overview"),
}


@dataclass(frozen=True, slots=True)
class Showing:
    """One block of an engine's pages in one region, measured at one or several cut-offs."""

    place: int
    list_label: str  # with its version
    block: str
    chosen: str  # parameters that differ from the defaults, cut-off and block apart
    group: str  # whose share is measured
    groups: Sequence[str]
    dates: Mapping[str, str]  # of what was used of each reference
    cuts: Mapping[int, MeasuredSystem] = field(repr=False)

    @property
    def main(self) -> int:
        """The cut-off that sentences and the table of professions are about."""
        return min(self.cuts, key=lambda cut: (abs(cut - _MAIN), cut))

    @property
    def system(self) -> MeasuredSystem:
        """That of the main cut-off."""
        return self.cuts[self.main]

    @property
    def block_title(self) -> str:
        """Return what the block is called."""
        return _BLOCKS.get(self.block, (f"block {visible(self.block)}", ""))[0]

    @property
    def was_shown(self) -> str:
        """That the block stood on a page."""
        return _BLOCKS.get(self.block, ("", f"the block {self.block} was shown"))[1]

    @property
    def label(self) -> str:
        """Engine, region, block, and whatever else tells it from another."""
        choice = f", {self.chosen}" if self.chosen else ""
        return f"{self.system.title}, {self.system.pair}, {self.block_title}{choice}"

    @property
    def title(self) -> str:
        """The same after the letter of its engine and region."""
        return f"{self.system.mark}: {self.label}"

    @property
    def references(self) -> list[str]:
        """Names of the references, in the order of the job."""
        return list(dict.fromkeys(name for s in self.cuts.values() for name in s.references))

    def reference_title(self, name: str) -> str:
        """A reference with country and date."""
        return names.dated_reference(name, self.dates.get(name, ""))

    def short_title(self, name: str) -> str:
        """The same without what stands in brackets."""
        return self.reference_title(name).partition(" (")[0]

    def value(self, quantity: str, cut: int, reference: str = "") -> Row | None:
        """A point; what does not depend on the reference is that of the first one."""
        choice = reference or next(iter(self.references), "")
        return self.cuts[cut].values(choice).get(quantity)

    @property
    def measured(self) -> bool:
        """Return whether there is any bias over professions."""
        return any(
            is_measured(self.value("mb", cut, reference))
            for cut in self.cuts
            for reference in self.references
        )

    def is_of(self, row: Row) -> bool:
        """Return whether a row about pages is of the same list, engine and region."""
        own_ids = self.list_label, self.system.engine, self.system.target
        return (row["list"], row["engine"], row["target"]) == own_ids


def is_people(system: MeasuredSystem) -> bool:
    """Return whether a system is a search engine whose people are counted."""
    return system.kind == Kind.SEARCH and system.family == FAMILY


def list_showings(systems: Sequence[MeasuredSystem], signatures: Sequence[Row]) -> list[Showing]:
    """The search engines of a run: all cut-offs of one block and region together."""
    parts = {row["hash"]: row["parts"] for row in signatures}
    grouped = group_rows(filter(is_people, systems), lambda system: (
        system.list_name, system.source_lang, system.target, system.engine, system.engine_id,
        parts[system.points[0]["signature"]].get("block", ""), _others(system.measure),
    ))  # fmt: skip
    return [_showing(n, *key[-2:], group, parts) for n, (key, group) in enumerate(grouped.items())]


def _showing(
    place: int,
    block: str,
    choice: str,
    systems: Sequence[MeasuredSystem],
    parts: Mapping[str, Row],
) -> Showing:
    rows = [parts[point["signature"]] for system in systems for point in system.points]
    set_ = rows[0]["parameters"]
    dates = dict(str(of["reference"]).rsplit("@", 1) for of in rows if "@" in of["reference"])
    cuts = {
        int(parts[system.points[0]["signature"]]["parameters"]["cutoff"]): system
        for system in systems
    }
    return Showing(
        place, rows[0]["list"], block, choice, set_["group"], set_["groups"],
        dates, dict(sorted(cuts.items())),
    )  # fmt: skip


def _others(measure: str) -> str:
    """`floor=0.4` of `c_ratio_bias(block=organic,floor=0.4)@10`."""
    inside = measure.partition("(")[2].rpartition(")")[0]
    return ", ".join(word for word in inside.split(",") if word and not word.startswith(_SAID))


# --- professions --------------------------------------------------------------------------------


def read_tested(topics: Sequence[Row]) -> list[Row]:
    """Those with a p-value."""
    return [row for row in topics if row["q"] is not None]


def is_beyond_chance(row: Row) -> bool:
    """Return whether chance alone would hardly make the bias of a profession."""
    return row["q"] is not None and row["q"] <= FALSE_DISCOVERIES


def beyond_chance(topics: Sequence[Row]) -> list[Row]:
    """Those whose bias chance alone would hardly make, the largest first."""
    rows = [row for row in topics if is_beyond_chance(row)]
    return sorted(rows, key=lambda row: (-abs(row["bias"]), row["topic"]))


_LABELS = "too few people with a recorded gender"
_LACKING = (
    ("not a list of people", "most entries are no people"),
    ("people labelled, floor", _LABELS),
    ("nobody is recorded as", _LABELS),
    ("no usable answer", "no usable answer"),
    ("no reference share", "the reference has no share"),
)


def without_value(showing: Showing, topics: Sequence[Row]) -> list[Row]:
    """Return why professions have no value: one entry per reason with their names."""
    lacking = [row for row in topics if row["bias"] is None]
    by_reason = group_rows(lacking, lambda row: _lacking(showing, row["reason"]))
    return [
        {"reason": reason, "names": [row["name"] for row in rows]}
        for reason, rows in by_reason.items()
    ]


def _lacking(showing: Showing, reason: str) -> str:
    if reason == "not shown":
        return f"no {showing.block_title} shown"
    return next((words for part, words in _LACKING if part in reason), reason)


def say_withheld(showing: Showing) -> str:
    """Return why nothing at all has a value, as where pages came from another country."""
    return find_common_reason(showing.cuts.values())


# --- sentences ------------------------------------------------------------------------------------

Topics = Mapping[str, Sequence[Row]]

NO_EARLIER = "no earlier tick"


def write_sentences(showing: Showing, topics: Topics, known: Row) -> list[str]:
    """Return what one block shows; why nothing can be said where it is so.

    `topics` are those of the main cut-off by reference, `known` says where groups are recorded.
    """
    held = say_withheld(showing)
    if held:
        return [f"No value stands, because of the whole run: {held}."]
    all_sentences = [say_triggered(showing), say_recorded(showing, known)]
    if not showing.measured:
        return [*all_sentences, *say_lacking(showing, topics)]
    for reference in showing.references:
        rows = topics.get(reference, [])
        all_sentences.append(say_reference(showing, reference, rows, known))
    return [*all_sentences, *say_changes(showing)]


def say_triggered(showing: Showing) -> str:
    """For how many professions the block was shown at all."""
    point = showing.value("trigger_rate", showing.main)
    facts = point["facts"] if point else {}
    if point is None or "n_topics_shown" not in facts:
        return say_missing(point, "Trigger rate")
    displayed, answered, planned = (
        facts[f"n_topics_{name}"] for name in ("shown", "answered", "planned")
    )
    if not answered:
        return f"None of the {planned:g} professions asked has an answer that can be read."
    words = (
        f"Of {answered:g} professions with an answer ({planned:g} asked), {showing.was_shown} for "
        f"{displayed:g}"
    )
    if not is_measured(point):
        return f"{words}. Trigger rate: {str(point['state']).upper()}, {point['reason']}."
    return f"{words}: trigger rate {percent_estimate(point)} ({point_ids(point)})."


def say_recorded(showing: Showing, known: Row) -> str:
    """Return who stands in the first places, by what is recorded."""
    point = showing.value("label_coverage", showing.main)
    facts = point["facts"] if point else {}
    if not is_measured(point):
        return say_missing(point, f"People within the first {showing.main}")
    groups = [f"{count(facts.get(f'recorded_{g}', 0))} as {g}" for g in showing.groups]
    groups += [f"{count(facts['other_groups'])} in another group"]
    total = sum(facts.get(f"recorded_{g}", 0) for g in showing.groups) + facts["other_groups"]
    names = [
        f"{count(facts[name])} {words}"
        for name, words in (
            ("unresolved", "without a record that could be found"),
            ("conflict", "about whom sources disagree"),
        )
        if facts.get(name)
    ]
    everybody = total + facts.get("unresolved", 0) + facts.get("conflict", 0)
    rest = f" The others: {', '.join(names)}; nobody's gender is guessed." if names else ""
    things = facts.get("not_human", 0)
    no_people = f" {count(things)} entries are no people and count in no share." if things else ""
    return (
        f"Over all professions, {count(everybody)} people stand within the first {showing.main}; "
        f"of {count(total)} ({percent(point['value'])}) a gender is recorded in "
        f"{name_source(known)}: {', '.join(groups)} ({point_ids(point)}).{rest}{no_people}"
    )


def name_source(known: Row) -> str:
    """`Wikidata on 2026-11-16`."""
    return f"{known['source']} on {known['dates']}" if known["dates"] else str(known["source"])


def _than(showing: Showing, reference: str) -> str:
    if reference == "wikidata":
        return "among all people recorded there with the same profession"
    if reference == "result_list":
        return "in the engine's own full list"
    if reference == "parity":
        return "if both were equally frequent"
    return f"{showing.group} are in that reference"


def say_reference(showing: Showing, reference: str, topics: Sequence[Row], known: Row) -> str:
    """Return how far what is shown is from one reference, beside chance."""
    cut, title = showing.main, showing.short_title(reference)
    mb, mab, null = (showing.value(name, cut, reference) for name in ("mb", "mab", "mab_null"))
    if not (is_measured(mb) and is_measured(mab)):
        return say_missing(mb, f"Against {title}, first {cut}")
    points = number(100 * abs(mb["value"]), 1)
    way = "more" if mb["value"] > 0 else "less"
    n, whole = mb["facts"].get("n_topics", 0), mb["facts"].get("n_topics_whole_list", 0)
    words = (
        f"Against {title}: of the {n:g} professions for which {showing.was_shown} and enough is "
        f"recorded, the first {cut} people are on average {points} percentage points {way} "
        f"often recorded as {showing.group} in {known['source']} than {_than(showing, reference)}"
    )
    exact = f" (MB = {estimate(mb, sign=True)})"
    size = f"MAB is {number(mab['value'])}."
    if is_measured(null):
        chance = f"where chance alone gives {estimate(null)}: {say_chance(mab, null)}"
        size = f"MAB = {number(mab['value'])}, {chance}."
    unclear = (
        "; the interval contains 0, so that no direction is shown" if not find_side(mb) else ""
    )
    parts = [
        f"{words}{exact}{unclear}.",
        *([_WHOLE.format(whole=whole, cut=cut)] if whole else []),
        size,
        f"Beyond chance: {say_beyond_chance(topics)} ({point_ids(mb, mab, null)}).",
    ]
    return " ".join(parts)


_WHOLE = (
    "For {whole:g} of them the full list is no longer than the first {cut}: there the difference "
    "is 0 by construction and says nothing."
)


def say_chance(mab: Row, null: Row) -> str:
    """A MAB beside what chance alone makes of it, in words."""
    if null["low"] is None or null["high"] is None:
        return "no range is known"
    if mab["value"] > null["high"]:
        return "more than chance alone makes"
    if mab["value"] < null["low"]:
        return "less than chance alone makes"
    return "no more than chance alone makes"


def say_beyond_chance(topics: Sequence[Row]) -> str:
    """Return how many professions were tested one by one, and how many are beyond chance."""
    tested, rows = read_tested(topics), beyond_chance(topics)
    if not tested:
        return "no profession could be tested"
    if not rows:
        lowest = number(min(row["q"] for row in tested), 2)
        return f"none of {len(tested)} professions tested one by one (lowest q = {lowest})"
    return f"{len(rows)} of {len(tested)} professions tested one by one (q at most 0.05)"


class PanelChange(NamedTuple):
    """Change of MB and MAB against one reference since the tick before, on `n` professions."""

    reference: str
    title: str
    mb: Row
    mab: Row | None

    @property
    def n(self) -> float | None:
        """Professions that are usable at both ticks."""
        n_panel: float | None = self.mb["facts"].get("n_panel")
        return n_panel


def list_panel_changes(showing: Showing) -> list[PanelChange]:
    """The changes since the tick before that were computed, by reference."""
    return [
        PanelChange(reference, showing.reference_title(reference), mb,
                    showing.value("mab_change_panel", showing.main, reference))
        for reference in showing.references
        if (mb := showing.value("mb_change_panel", showing.main, reference))
    ]  # fmt: skip


def say_changes(showing: Showing) -> list[str]:
    """The change since the tick before on the professions of both."""
    changes = list_panel_changes(showing)
    if not changes:
        return []
    if all(change.mb["reason"] == NO_EARLIER for change in changes):
        return ["There is no earlier tick of this job to compare with."]
    chosen = next((change for change in changes if is_measured(change.mb)), changes[0])
    mb, mab = chosen.mb, chosen.mab
    if not (is_measured(mb) and is_measured(mab)):
        return [say_missing(mb, "Change since the tick before")]
    still = "" if not find_side(mb) else " The interval of the change of MB does not contain 0."
    words = (
        f"Since the tick before, on the {chosen.n or 0:g} professions usable at both, against "
        f"{showing.short_title(chosen.reference)}: MB changed by {estimate(mb, sign=True)}, MAB by "
        f"{estimate(mab, sign=True)} ({point_ids(mb, mab)}).{still}"
    )
    return [words]


def say_lacking(showing: Showing, topics: Topics) -> list[str]:
    """Return why there is no bias at all, and what became of the professions."""
    sentences = [f"No bias can be computed: {_why(showing)}."]
    rows = next(filter(None, topics.values()), [])
    if lacking := without_value(showing, rows):
        counted = "; ".join(f"{entry['reason']}: {len(entry['names'])}" for entry in lacking)
        usable = len(rows) - sum(len(entry["names"]) for entry in lacking)
        sentences.append(
            f"Of {len(rows)} professions {usable} can be used within the first {showing.main}. Of "
            f"the others: {counted}."
        )
    return sentences


def _why(showing: Showing) -> str:
    """The reasons; with several, which references each is about."""
    lacking = [
        (reference, point["reason"])
        for reference, cut in product(showing.references, showing.cuts)
        if (point := showing.value("mb", cut, reference)) and point["value"] is None
    ]
    reasons = group_rows(lacking, itemgetter(1))
    if len(reasons) == 1:
        return str(next(iter(reasons)))
    return "; ".join(
        f"against {', '.join(map(showing.short_title, dict(pairs)))}: {reason}"
        for reason, pairs in reasons.items()
    )


# --- pages ----------------------------------------------------------------------------------------

_UNANSWERED = (Outcome.THROTTLED, Outcome.TIMEOUT, Outcome.FAILED, NOT_ASKED)
_KINDS = {Reason.CAPTCHA: "captcha", Reason.CONSENT: "consent", Reason.JS_SHELL: "empty shell"}
#: States of entities, in the order of the columns.
STATES = {
    LabelState.LABELLED: "recorded",
    LabelState.UNRESOLVED: "no record found",
    LabelState.CONFLICT: "sources disagree",
    LabelState.NOT_HUMAN: "no human",
}


def _count_group(key: tuple[str, ...], some: Sequence[Row]) -> Row:
    list_label, engine, source, target = key

    def count(*outcomes: str) -> int:
        return sum(row["questions"] for row in some if row["outcome"] in outcomes)

    blocked = group_rows(
        [row for row in some if row["outcome"] == Outcome.BLOCKED],
        lambda row: _KINDS.get(row["reason"], str(row["reason"]) or "turned away"),
    )
    unsaid = sum(
        row["questions"]
        for row in some
        if row["reason"] == Reason.SUSPECT_EMPTY and row["outcome"] == Outcome.EMPTY
    )
    return {
        "list": list_label,
        "engine": engine,
        "title": engine_title(engine),
        "pair": names.pair_words(source, target, Kind.SEARCH),
        "target": target,
        "planned": sum(row["questions"] for row in some),
        "answered": count(Outcome.OK),
        "no_results": count(Outcome.EMPTY) - unsaid,
        "blocked": count(Outcome.BLOCKED),
        "blocked_by": ", ".join(
            f"{kind} {sum(row['questions'] for row in rows):,}" for kind, rows in blocked.items()
        ),
        "unreadable": count(Outcome.UNREADABLE) + unsaid,
        "unanswered": count(*_UNANSWERED),
    }


def count_states(showing: Showing, people: Sequence[Row]) -> Row:
    """How many people stood anywhere in the block, by what is recorded of them, and since when."""
    own_people = [r for r in people if showing.is_of(r) and r["block"] == showing.block]
    counts = {
        state: sum(row["people"] for row in own_people if row["state"] == state) for state in STATES
    }
    known_own_people = [row for row in own_people if row["state"] == LabelState.LABELLED]
    return {
        "people": sum(row["people"] for row in own_people),
        "states": counts,
        "source": _say_sources(known_own_people),
        "dates": _say_dates(known_own_people),
    }


def _say_sources(known: Sequence[Row]) -> str:
    by_hand = any(row["source"] == "people" for row in known)
    asked_for = any(row["source"] == "wikidata" for row in known)
    if by_hand and not asked_for:
        return "the labels of our raters"
    return "Wikidata or the labels of our raters" if by_hand else "Wikidata"


def _say_dates(known: Sequence[Mapping[str, Any]]) -> str:
    """`2026-11-16`, or from when to when."""
    all_values = [row[name] for row in known for name in ("first_as_of", "last_as_of") if row[name]]
    if not all_values:
        return ""
    first, last = f"{min(all_values):%Y-%m-%d}", f"{max(all_values):%Y-%m-%d}"
    return first if first == last else f"{first} to {last}"


# --- tables of a report ---------------------------------------------------------------------------

_HELD = ("planned", "answered", "no_results", "blocked", "unreadable", "unanswered")


def write_tables(pages: Sequence[Row], known: Sequence[tuple[str, Row, str]]) -> list[doc.Block]:
    """Return what was asked of search engines, and what stood in the blocks that were measured.

    `known` has the title of each block, its states, and where groups are recorded.
    """
    asked = group_rows(pages, itemgetter("list", "engine", "source_lang", "target"))
    rows = [_count_group(key, group) for key, group in asked.items()]
    if not rows:
        return []
    questions = doc.grouped(
        "Questions to search engines. “No results” is an answer: the page says so.",
        ["engine, region", "#planned", "#with results", "#no results", "#blocked",
         "#un\u00adread\u00adable", "#without an answer"],
        [doc.group(name, map(_write_questions, group))
         for name, group in sorted(group_rows(rows, itemgetter("list")).items())],
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


def _write_questions(row: Row) -> list[doc.Entry]:
    counts: list[doc.Entry] = [f"{row[name]:,}" for name in _HELD]
    counts[_HELD.index("blocked")] = doc.Cell(f"{row['blocked']:,}", row["blocked_by"])
    return [f"{row['title']} {row['pair']}", *counts]
