"""Puts whom a search engine shows into sentences. Each names its points, so that it can be checked.

Wording: people are "recorded as women" or "recorded as men" in a source on a date. Nothing here
calls a value good, bad or just: a bias of 0 says that what is shown is like the reference.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from monitor.stages import _report_people as people
from monitor.stages._report_people import Showing
from monitor.stages._report_text import (
    count,
    estimate,
    is_measured,
    number,
    percent,
    percent_estimate,
    point_ids,
    say_missing,
)

Row = dict[str, Any]
Topics = Mapping[str, Sequence[Row]]

NO_EARLIER = "no earlier tick"


def sentences(showing: Showing, topics: Topics, known: Row) -> list[str]:
    """What one block shows; why nothing can be said where it is so.

    `topics` are those of the main cut-off by reference, `known` says where groups are recorded.
    """
    held = people.withheld(showing)
    if held:
        return [f"No value stands, because of the whole run: {held}."]
    said = [triggered(showing), recorded(showing, known)]
    if not showing.measured:
        return [*said, *lacking(showing, topics)]
    for reference in showing.references:
        rows = topics.get(reference, [])
        said.append(against(showing, reference, rows, known))
    return [*said, *changed(showing)]


def triggered(showing: Showing) -> str:
    """For how many professions the block was shown at all."""
    point = showing.value("trigger_rate", showing.main)
    facts = point["facts"] if point else {}
    if point is None or "n_topics_shown" not in facts:
        return say_missing(point, "Trigger rate")
    shown, answered, planned = (
        facts[f"n_topics_{name}"] for name in ("shown", "answered", "planned")
    )
    if not answered:
        return f"None of the {planned:g} professions asked has an answer that can be read."
    words = (
        f"Of {answered:g} professions with an answer ({planned:g} asked), {showing.was_shown} for "
        f"{shown:g}"
    )
    if not is_measured(point):
        return f"{words}. Trigger rate: {str(point['state']).upper()}, {point['reason']}."
    rate = f"{percent_estimate(point)}"
    return f"{words}: trigger rate {rate} ({point_ids(point)})."


def recorded(showing: Showing, known: Row) -> str:
    """Who stands in the first places, by what is recorded."""
    point = showing.value("label_coverage", showing.main)
    facts = point["facts"] if point else {}
    if point is None or not is_measured(point):
        return say_missing(point, f"People within the first {showing.main}")
    groups = [f"{count(facts.get(f'recorded_{g}', 0))} as {g}" for g in showing.groups]
    groups += [f"{count(facts['other_groups'])} in another group"]
    total = sum(facts.get(f"recorded_{g}", 0) for g in showing.groups) + facts["other_groups"]
    left = [
        f"{count(facts[name])} {words}"
        for name, words in (
            ("unresolved", "without a record that could be found"),
            ("conflict", "about whom sources disagree"),
        )
        if facts.get(name)
    ]
    everybody = total + facts.get("unresolved", 0) + facts.get("conflict", 0)
    rest = f" The others: {', '.join(left)}; nobody's gender is guessed." if left else ""
    things = facts.get("not_human", 0)
    no_people = f" {count(things)} entries are no people and count in no share." if things else ""
    return (
        f"Over all professions, {count(everybody)} people stand within the first {showing.main}; "
        f"of {count(total)} ({percent(point['value'])}) a gender is recorded in "
        f"{source(known)}: {', '.join(groups)} ({point_ids(point)}).{rest}{no_people}"
    )


def source(known: Row) -> str:
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


def against(showing: Showing, reference: str, topics: Sequence[Row], known: Row) -> str:
    """How far what is shown is from one reference, beside chance."""
    cut, title = showing.main, showing.short_title(reference)
    found = {name: showing.value(name, cut, reference) for name in ("mb", "mab", "mab_null")}
    mb, mab, null = found.values()
    if mb is None or mab is None or not (is_measured(mb) and is_measured(mab)):
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
    unclear = "; the interval contains 0, so that no direction is shown" if _crosses(mb) else ""
    parts = [
        f"{words}{exact}{unclear}.",
        *([_WHOLE.format(whole=whole, cut=cut)] if whole else []),
        _size(mab, null),
        f"Beyond chance: {beyond(topics)} ({point_ids(mb, mab, null)}).",
    ]
    return " ".join(parts)


_WHOLE = (
    "For {whole:g} of them the full list is no longer than the first {cut}: there the difference "
    "is 0 by construction and says nothing."
)


def _size(mab: Row, null: Row | None) -> str:
    if null is None or not is_measured(null):
        return f"MAB is {number(mab['value'])}."
    return (
        f"MAB = {number(mab['value'])}, where chance alone gives "
        f"{estimate(null)}: {chance(mab, null)}."
    )


def _crosses(point: Row) -> bool:
    low, high = point["low"], point["high"]
    return low is None or high is None or low <= 0 <= high


def chance(mab: Row, null: Row) -> str:
    """A MAB beside what chance alone makes of it, in words."""
    if null["low"] is None or null["high"] is None:
        return "no range is known"
    if mab["value"] > null["high"]:
        return "more than chance alone makes"
    if mab["value"] < null["low"]:
        return "less than chance alone makes"
    return "no more than chance alone makes"


def beyond(topics: Sequence[Row]) -> str:
    """How many professions were tested one by one, and how many are beyond chance."""
    tested, found = people.tested(topics), people.beyond_chance(topics)
    if not tested:
        return "no profession could be tested"
    if not found:
        lowest = number(min(row["q"] for row in tested), 2)
        return f"none of {len(tested)} professions tested one by one (lowest q = {lowest})"
    return f"{len(found)} of {len(tested)} professions tested one by one (q at most 0.05)"


def changed(showing: Showing) -> list[str]:
    """The change since the tick before on the professions of both."""
    found = [
        (reference, point, showing.value("mab_change_panel", showing.main, reference))
        for reference in showing.references
        if (point := showing.value("mb_change_panel", showing.main, reference))
    ]
    if not found:
        return []
    if all(point["reason"] == NO_EARLIER for _, point, _ in found):
        return ["There is no earlier tick of this job to compare with."]
    reference, mb, mab = next((one for one in found if is_measured(one[1])), found[0])
    if not is_measured(mb) or mab is None or not is_measured(mab):
        return [say_missing(mb, "Change since the tick before")]
    still = "" if _crosses(mb) else " The interval of the change of MB does not contain 0."
    words = (
        f"Since the tick before, on the {mb['facts'].get('n_panel', 0):g} professions usable at "
        f"both, against {showing.short_title(reference)}: MB changed by "
        f"{estimate(mb, sign=True)}, MAB by "
        f"{estimate(mab, sign=True)} "
        f"({point_ids(mb, mab)}).{still}"
    )
    return [words]


def lacking(showing: Showing, topics: Topics) -> list[str]:
    """Why there is no bias at all, and what became of the professions."""
    said = [f"No bias can be computed: {_why(showing)}."]
    rows = next((topic for topic in topics.values() if topic), [])
    left = people.without_value(showing, rows)
    if left:
        counted = "; ".join(f"{one['reason']}: {len(one['names'])}" for one in left)
        usable = len(rows) - sum(len(one["names"]) for one in left)
        said.append(
            f"Of {len(rows)} professions {usable} can be used within the first {showing.main}. Of "
            f"the others: {counted}."
        )
    return said


def _why(showing: Showing) -> str:
    """The reasons; with several, which references each is about."""
    reasons = people.reasons(showing)
    if len(reasons) == 1:
        return next(iter(reasons))
    return "; ".join(
        f"against {', '.join(map(showing.short_title, names))}: {reason}"
        for reason, names in reasons.items()
    )
