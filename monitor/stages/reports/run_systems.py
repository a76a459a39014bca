"""Points of a run by system: sorted, and in sentences.

Wording: "masculine forms" and "feminine forms" are facts about words. Nothing here calls a value
good, bad or just, and f_s never stands without its limit.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from monitor.model import Cue, Flag, Kind, digest
from monitor.names import base_name
from monitor.stages.document import records as doc
from monitor.stages.document.notation import (
    capitalize_first,
    count,
    estimate,
    find_side,
    is_measured,
    number,
    percent_estimate,
    point_ids,
    ranges,
    say_missing,
)
from monitor.stages.reports import names
from monitor.stages.reports.names import titles_in
from monitor.store.reports.run_report import RunFacts
from monitor.store.rows import group_rows

# --- points by system -----------------------------------------------------------------------------

Row = dict[str, Any]

#: Occupations in the list of those that are furthest from their reference.
FURTHEST = 15
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class MeasuredSystem:
    """One engine with one pair of languages, asked one list and measured by one measure."""

    place: int
    mark: str
    engine_id: int
    engine: str  # its label, as in the database
    title: str  # what people call it
    list_name: str
    source_lang: str
    target: str
    measure: str
    points: Sequence[Row] = field(repr=False)
    kind: str = Kind.MT
    pronoun: bool = False  # whether the gender is that of the pronoun
    control: bool = False

    @property
    def family(self) -> str:
        """The measure without its parameters."""
        return base_name(self.measure)

    @property
    def measure_title(self) -> str:
        """The measure in words, with its parameters."""
        return names.title_measure(self.measure, self.kind)

    @property
    def pair(self) -> str:
        """Its languages in words."""
        return names.pair_words(self.source_lang, self.target, self.kind)

    @property
    def label(self) -> str:
        """Engine, languages, and whatever else tells one system from another."""
        measure = f", {self.measure_title}" if self.measure != self.family else ""
        return f"{self.title}, {self.pair}{measure}"

    def has_flag(self, flag: Flag) -> bool:
        """Return whether a value of the system carries a flag."""
        return any(flag in p["flags"] for p in self.points)

    @property
    def uncontrolled(self) -> bool:
        """Return whether nothing tells a change of this system from one of ours."""
        return self.has_flag(Flag.NO_CONTROL)

    @property
    def role(self) -> str:
        """Return what it is to the others: `control`, or that it has none."""
        return "control" if self.control else "no control" if self.uncontrolled else ""

    def values(self, reference: str = "", scope: str = "all") -> dict[str, Row]:
        """{quantity: point} in one scope: over all questions, unless another is named."""
        return {
            p["quantity"]: p
            for p in self.points
            if p["scope"] == scope and p["reference"] == reference
        }

    def by_scope(self, quantity: str) -> dict[str, Row]:
        """{scope: point} of one quantity, in the order they were computed."""
        return {p["scope"]: p for p in self.points if p["quantity"] == quantity}

    @property
    def scopes(self) -> list[str]:
        """The scopes of its points, in the order they were computed."""
        return list(dict.fromkeys(p["scope"] for p in self.points))

    @property
    def references(self) -> list[str]:
        """Names of the references, in the order of the job."""
        return list(dict.fromkeys(p["reference"] for p in self.points if p["reference"]))


def sort_systems(
    rows: Sequence[Row], content: Mapping[str, Any], cues: Mapping[str, set[str]]
) -> list[MeasuredSystem]:
    """The systems behind the points of a run, by list, languages, engine and measure.

    Controls come first. `content` is that of the job, `cues` are those of its lists.
    """
    controls, title = names.control_labels(content), titles_in(content)
    grouped = group_rows(rows, lambda point: (
        point["list"], point["source_lang"], point["target"], point["engine"] not in controls,
        point["engine"], point["surface"], point["engine_id"], point["measure"],
    ))  # fmt: skip
    marks: dict[tuple[Any, ...], str] = {}
    systems = []
    for index, key in enumerate(sorted(grouped)):
        points = grouped[key]
        list_name, source, target, _, engine, _, engine_id, measure = key
        mark = marks.setdefault((engine_id, source, target), _say_mark(len(marks)))
        systems.append(
            MeasuredSystem(
                index, mark, engine_id, engine, _say_title(points[0], rows, title), list_name,
                source, target, measure, points, points[0]["kind"],
                cues.get(list_name) == {Cue.PRONOUN}, engine in controls,
            )
        )  # fmt: skip
    return systems


def find_common_reason(systems: Iterable[MeasuredSystem]) -> str:
    """Return why no system has any value, where the reason is the same for all; else empty."""
    points = [point for system in systems for point in system.points]
    reasons = {point["reason"] for point in points}
    is_common = len(reasons) == 1 and all(point["value"] is None for point in points)
    return str(next(iter(reasons))) if is_common else ""


def _say_mark(place: int) -> str:
    round_, letter = divmod(place, len(_ALPHABET))
    return _ALPHABET[letter] + (str(round_ + 1) if round_ else "")


def _say_title(point: Row, rows: Sequence[Row], engine_title: Callable[[str], str]) -> str:
    """The engine's title; two configurations that a label does not tell apart get a digest."""
    title = engine_title(point["engine"])
    ids = {p["engine_id"] for p in rows if p["engine"] == point["engine"]}
    return title if len(ids) == 1 else f"{title} [{digest(point['config'])[:8]}]"


def attempts_by_tag(system: MeasuredSystem, facts: RunFacts, tag: str) -> dict[str, str]:
    """{value of a tag: ids of the attempts behind it} of the answers of one system."""
    tagged = [row for row in facts.attempts if tag in row["tags"] and is_of(system, row)]
    return {
        value: ranges([row["attempt_id"] for row in rows])
        for value, rows in group_rows(tagged, lambda row: str(row["tags"][tag])).items()
    }


def is_of(system: MeasuredSystem, row: Row) -> bool:
    """Return whether an attempt is of a question to a system."""
    return (
        row["engine_id"] == system.engine_id
        and (row["source_lang"], row["target"]) == (system.source_lang, system.target)
        and row["list"].rsplit("@", 1)[0] == system.list_name
    )


def stereotype_rows(system: MeasuredSystem, facts: RunFacts) -> list[Row]:
    """One row per stereotype: its rate, marked share and feminine rank, and where they are from."""
    described = {row["point_id"]: row for row in facts.rates}
    attempts = attempts_by_tag(system, facts, "stereotype")
    marked, ranks = system.by_scope("marked_share"), system.by_scope("feminine_rank")
    rows = []
    for scope, point in system.by_scope("p_i").items():
        view, key = described[point["point_id"]], scope.partition(":")[2]
        about, title = view["about"] or "", view["title"] or scope
        rows.append(
            {
                "number": view["stereotype"],
                "about": about,
                "title": title,
                "label": title.removeprefix(f"{about} are "),
                "masculine": view["masculine"],
                "feminine": view["feminine"],
                "rate": point,
                "marked": marked.get(scope),
                "rank": ranks.get(scope),
                "attempts": attempts.get(key, ""),
            }
        )
    return sorted(rows, key=lambda row: int(row["number"]))


def tag_rows(system: MeasuredSystem) -> list[Row]:
    """Masculine and marked share for every value of the other tags; those with a value first."""
    marked = system.by_scope("marked_share")
    rows = [
        {
            "tag": scope.removeprefix("tag:").partition("=")[0].replace("_", " "),
            "value": scope.partition("=")[2].replace("_", " "),
            "share": point,
            "named": scope.removeprefix("tag:") + ": ",  # how a reason names it once more
            "marked": marked.get(scope),
        }
        for scope, point in system.by_scope("masculine_share").items()
    ]
    return sorted(rows, key=lambda row: (row["share"]["state"] != "measured", row["tag"]))


def topic_rows(system: MeasuredSystem, reference: str, facts: RunFacts) -> list[Row]:
    """One row per occupation against one reference, with the attempts behind it."""
    attempts = attempts_by_tag(system, facts, "occupation")
    own_ids = {p["point_id"] for p in system.points if p["reference"] == reference}
    return [
        row
        | {
            "name": row["topic"].replace("_", " "),
            "from": names.share_title(row),
            "attempts": attempts.get(row["topic"], ""),
        }
        for row in facts.topics
        if row["point_id"] in own_ids
    ]


def select_furthest(topics: Sequence[Row]) -> list[Row]:
    """The occupations whose share of feminine forms is furthest from the reference."""
    measured = [row for row in topics if row["bias"] is not None]
    return sorted(measured, key=lambda row: (-abs(row["bias"]), row["topic"]))[:FURTHEST]


def same_for_all(topics: Sequence[Row]) -> bool:
    """Return whether a reference says the same of every occupation, as parity does."""
    return len({row["target"] for row in topics if row["target"] is not None}) <= 1


# --- cells and chapters ---------------------------------------------------------------------------

INSUFFICIENT = doc.prose("*INSUFFICIENT*")


@dataclass(frozen=True, slots=True)
class Chapter:
    """Chapter about one system by one measure.

    `blocks` stand in the section of the measure, `tables` and `examples` in the annexes, `numbers`
    in the JSON.
    """

    label: str
    title: str
    findings: Sequence[str]
    blocks: Sequence[doc.Block] = field(repr=False)
    tables: Sequence[doc.Block] = field(default=(), repr=False)
    examples: Sequence[doc.Block] = field(default=(), repr=False)
    numbers: Row = field(default_factory=dict, repr=False)


def chapter_title(system: MeasuredSystem) -> str:
    """`A: DeepL, en → pt (Portuguese), stereo`."""
    return f"{system.mark}: {system.label}, {system.list_name}"


def without_control(system: MeasuredSystem) -> list[doc.Block]:
    """That a system has no control, where it has none."""
    return [doc.Words(f"{names.NO_CONTROL}.", "small")] if system.uncontrolled else []


def write_withheld(text: str, held: str) -> list[doc.Block]:
    """That no value stands, where `held` says why; `text` has a place for it."""
    return [doc.Callout([doc.say(text, held=capitalize_first(held))])] if held else []


def write_chapters(found: Sequence[Chapter], *, folded: bool) -> list[doc.Block]:
    """The blocks of chapters, each under its title."""
    return [
        block
        for chapter in found
        for block in doc.part(chapter.title, chapter.blocks, folded=folded)
    ]


# --- sentences ------------------------------------------------------------------------------------


def say_stereotypes(system: MeasuredSystem) -> list[str]:
    """Return what the masculine rates of one system say."""
    values = system.values()
    return [_marked(values.get("marked_share")), _say_level(values), _say_difference(values)]


def _marked(point: Row | None) -> str:
    facts = point["facts"] if point else {}
    if not is_measured(point) or "masculine" not in facts:
        return say_missing(point, "The share of answers that mark a gender")
    men, women = facts["masculine"], facts["feminine"]
    counted = men + women
    return (
        f"{count(counted)} of {point['planned']:,} sentences with a stereotype came back with the "
        f"speaker's gender marked: {count(men)} in masculine and {count(women)} in feminine "
        f"forms. Share of marked answers among those read: {percent_estimate(point)}"
        f" ({point_ids(point)})."
    )


def _say_level(values: dict[str, Row]) -> str:
    f_m, p_f, p_m = (values.get(name) for name in ("f_m", "p_f", "p_m"))
    if p_f is None or p_m is None or not is_measured(f_m):
        return say_missing(f_m, "The masculine rate")
    return (
        f"The masculine rate, averaged over stereotypes, is {percent_estimate(f_m)}: "
        f"{percent_estimate(p_f)} in sentences with stereotypes about women and "
        f"{percent_estimate(p_m)} in sentences with stereotypes about men "
        f"({point_ids(f_m, p_f, p_m)})."
    )


def _say_difference(values: dict[str, Row]) -> str:
    f_s = values.get("f_s")
    if not is_measured(f_s):
        return say_missing(f_s, "The difference f_s")
    limit = f_s["facts"].get("f_s_limit")
    room = (
        "whose limit was not stored"
        if limit is None
        else f"which cannot exceed ±{number(limit)} here"
    )
    return (
        f"Their difference is f_s = {estimate(f_s, sign=True)}, {room} ({point_ids(f_s)}). "
        f"{_reading(f_s)}"
    )


def _reading(f_s: Row) -> str:
    """Return what may be said of f_s, and nothing beyond."""
    if Flag.SATURATED in f_s["flags"]:
        return (
            "It is not interpretable (saturated): nearly all answers have the same gender, which "
            "leaves no room for a difference. That is no sign of the absence of stereotypes."
        )
    side = find_side(f_s)
    if not side:
        return "The interval contains 0: no difference between the two groups is shown."
    which, other = ("men", "women")[::side]
    return (
        f"Masculine forms are more frequent in sentences with stereotypes about {which} than in "
        f"sentences with stereotypes about {other}."
    )


def say_occupations(topics: Sequence[Row], *, pronoun: bool = False) -> str:
    """Return how many occupations have a share of feminine forms, and how many only one form.

    Where the gender is that of a pronoun, it is the share of "she" among "he" and "she".
    """
    with_share = [row for row in topics if row["model"] is not None]
    none = sum(row["model"] == 0 for row in with_share)
    n_always = sum(row["model"] == 1 for row in with_share)
    words = (
        "{} of {} occupations have enough marked answers. For {} of these every marked answer has "
        "masculine forms, for {} every one has feminine forms."
    )
    if pronoun:
        words = (
            "{} of {} occupations have enough answers with “he” or “she”. For {} of these every "
            "such answer has “he”, for {} every one “she”."
        )
    return words.format(len(with_share), len(topics), none, n_always)


def say_distance(
    values: Mapping[str, Row], title: str, *, pronoun: bool = False, same: bool = False
) -> str:
    """Return how far the shares are from those of a reference, beside two baselines.

    A reference that says the same of all occupations cannot be dealt out otherwise.
    """
    what = "share of “she” among “he” and “she”" if pronoun else "share of feminine forms"
    mab, mb = values.get("mab"), values.get("mb")
    if mb is None or not is_measured(mab):
        return say_missing(mab, f"The distance from {title}")
    sentence = (
        f"Against {title} the {what} is off by {number(mab['value'])} on average "
        f"(MAB{_beyond_chance(values)}), by "
        f"{estimate(mb, sign=True)} with its sign "
        f"(MB) ({point_ids(mab, mb)})."
    )
    only = "only “he”" if pronoun else "only masculine forms"
    baselines = _say_baselines(values, only, same=same)
    return f"{sentence}{baselines}{_say_correlation(values.get('pearson'))}"


def _beyond_chance(values: Mapping[str, Row]) -> str:
    """Return how much of MAB is more than outputs drawn at the reference shares would have."""
    excess = values.get("excess_mab")
    return f"; {estimate(excess, sign=True)} beyond chance" if is_measured(excess) else ""


def _say_baselines(values: Mapping[str, Row], only: str, *, same: bool) -> str:
    lines = []
    always, shuffled = values.get("mab_always_masculine"), values.get("mab_permuted")
    if is_measured(always):
        lines.append(f"{only} would give {number(always['value'])}")
    if is_measured(shuffled) and not same:
        lines.append(
            "with each occupation held against the reference share of another, drawn at random, "
            f"MAB is {estimate(shuffled)}: so much is by chance alone"
        )
    return f" For comparison: {'; '.join(lines)}." if lines else ""


def _say_correlation(point: Row | None) -> str:
    """Return whether a system's forms follow the reference.

    Not said where it cannot be computed.
    """
    if not is_measured(point):
        return ""
    return (
        f" Over occupations the two shares correlate with r = {estimate(point, sign=True)} "
        f"({point_ids(point)})."
    )


def say_accuracy(system: MeasuredSystem) -> list[str]:
    """Return what the accuracies of one system say, where the sentence says the gender."""
    values = system.values()
    women, men = values.get("accuracy_f"), values.get("accuracy_m")
    if not (is_measured(women) and is_measured(men)):
        lacking = men if is_measured(women) else women
        return [say_missing(lacking, "The accuracy where the gender is said")]
    accuracies = (
        f"Where the sentence says that a woman speaks, {percent_estimate(women)} of the marked "
        f"answers have feminine forms; where it says that a man speaks, {percent_estimate(men)} "
        f"have masculine forms ({point_ids(women, men)}). A wrong gender is an error; an answer "
        "without a mark is not."
    )
    return [
        accuracies,
        _gap(values.get("accuracy_gap"), "The gap, men minus women,", _PLAIN_GAP),
        _gap(values.get("stereotype_gap"), "The stereotype gap", _STEREOTYPE_GAP),
    ]


#: What gaps with an interval around 0, above it and below it say.
_UNCLEAR = "The interval contains 0."
_PLAIN_GAP = (_UNCLEAR, "Men come out right more often.", "Women come out right more often.")
_STEREOTYPE_GAP = (
    _UNCLEAR,
    "The gender is right more often where the sentence confirms the stereotype.",
    "The gender is right more often where the sentence contradicts the stereotype.",
)


def _gap(point: Row | None, what: str, readings: Sequence[str]) -> str:
    if not is_measured(point):
        return say_missing(point, what.rstrip(","))
    return (
        f"{what} is {estimate(point, sign=True)} ({point_ids(point)}). {readings[find_side(point)]}"
    )


def say_model(system: MeasuredSystem) -> list[str]:
    """Return what g_s of one language model says."""
    point = system.values().get("g_s_mean")
    if not is_measured(point):
        return [say_missing(point, "The stereotype rate g_s")]
    reading = "The interval contains 1: no difference between the two groups is shown."
    if side := find_side(point, 1.0):
        reading = (
            "Relative to stereotypes about the other gender, the masculine word is likelier in "
            f"sentences with stereotypes about {'men' if side > 0 else 'women'}."
        )
    n = point["facts"].get("n_templates")
    over = f", the mean over {n:g} templates," if n else ""
    words = (
        f"The stereotype rate{over} is g_s = {estimate(point)}, where 1 means no difference "
        f"({point_ids(point)}). {reading}"
    )
    return [words]
