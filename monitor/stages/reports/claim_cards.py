"""Claim cards: a published number in words, and its card as HTML, text and numbers.

What decides whether to believe it comes first; figures for experts are in folds.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import chain
from typing import Any
from zoneinfo import ZoneInfo

from monitor.change import Cause, Status
from monitor.model import Kind, Quantity
from monitor.stages.changes import statements
from monitor.stages.changes.claim_support import Support, check_support, count_supports
from monitor.stages.document import html, notation
from monitor.stages.reports import names
from monitor.stages.reports.series_text import find_quantity
from monitor.text.counted_nouns import several
from monitor.text.quantity_values import say_change, say_change_interval, say_interval, say_value

# --- words ----------------------------------------------------------------------------------------

Content = Mapping[str, Any]

#: Questions with other answers that are shown at once; the JSON form has all of them.
SHOWN = 20
_DIGEST = 16

#: Begins the headline of what is no finding in force.
_WARNINGS = {
    Status.CANDIDATE: "unconfirmed signal",
    Status.REFUTED: "not reproduced",
    Status.UNCONFIRMED: "unconfirmed",
    Status.RETROSPECTIVE: "unconfirmed signal, found in retrospect",
}
_HEADINGS = {
    "What it takes for granted": "Assumptions",
    "Whom it may harm, and how": "Possible harm",
}
_APART = {"days": "a day apart", "minutes": "within a run"}

#: Said where the gap moved and stereotyping did not, or not that way.
_OTHER_WAY = (
    "It did not become more stereotypical: once a masculine default is taken into account, the "
    "change has the other direction."
)
_NOT_SHOWN = (
    "Whether it became more or less stereotypical is not shown: the gap also changes when a "
    "masculine default does."
)
#: What a stored sentence says of stereotyping: how a headline and a lead put it.
_STEREOTYPING = {
    statements.MORE: ("became more stereotypical", ""),
    statements.LESS: ("became less stereotypical", ""),
    statements.OTHER_WAY: ("", _OTHER_WAY),
    statements.NOT_SHOWN: ("", _NOT_SHOWN),
}

#: Words with the address on our pages that they lead to.
Link = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Fact:
    """One figure with its name; pages lead from it to more."""

    name: str
    said: str
    links: Sequence[Link] = ()


@dataclass(frozen=True, slots=True)
class ClaimFold:
    """Content that is folded away: paragraphs, then figures."""

    title: str
    facts: Sequence[Fact] = ()
    paragraphs: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class SupportAnswer:
    """One answer, cut at the words that decided; without pieces where it is not shown."""

    attempt: int
    sha256: str
    pieces: Sequence[notation.Piece]


@dataclass(frozen=True, slots=True)
class ClaimExample:
    """A question with other answers, before and after."""

    key: str
    probe: str
    before: Sequence[SupportAnswer]
    after: Sequence[SupportAnswer]


@dataclass(frozen=True, slots=True)
class ClaimView:
    """A published number in words, in the order in which it is read."""

    name: str
    context: str
    headline: str
    invented: str  # our pages say it above everything
    replaced: str
    lead: str
    checks: Sequence[Support]
    quote: str
    citation: str
    examples: Sequence[ClaimExample]
    n_examples: int
    languages: tuple[str, str]
    folds: Sequence[ClaimFold]

    @property
    def supported(self) -> str:
        """`4 of 7 checks`."""
        return count_supports([*self.checks])


def make_view(content: Content, zone: ZoneInfo, address: str = "") -> ClaimView:
    """Return the content of a claim card in words; `address` is that of our public pages."""
    series, is_change = content["series"], content["kind"] == "change"
    lead = _lead_of_change(content, zone) if is_change else _lead_of_point(content, zone)
    figures = _figures_of_change(content) if is_change else _figures_of_point(content)
    pair = names.pair_words(series["source_lang"], series["target"], series["engine_kind"])
    flips = content.get("flips", ())[:SHOWN]
    audit = (content["instrument_audit"] or {}).get("said", ())
    limits = [Fact(_HEADINGS.get(name, name), text) for name, text in content["validity"].items()]
    folds = [
        ClaimFold("Test and figures", [*figures, *_noise_and_declared(content)]),
        ClaimFold("What was asked, and when", _list_origin(content, zone)),
        ClaimFold("How accurate is the detection?", paragraphs=audit),
        ClaimFold("Limits", limits),
    ]
    warning = _warning(content)
    return ClaimView(
        name=f"{content['kind'].title()} {content['number']}",
        context=f"{series['engine_title']} · {pair} · {_say_days(content, zone)}",
        headline=f"{warning}{': ' if warning else ''}{_say_headline(content)}",
        invented=content["invented"],
        replaced="" if content["is_current"] else f"No longer in force. {content['replaced_said']}",
        lead=lead,
        checks=check_support(content),
        quote=_quote(content, warning, lead, zone),
        citation=_cite(content, zone, address),
        examples=[_make_example(flip) for flip in flips],
        n_examples=content.get("n_flips", 0),
        languages=(series["source_lang"], series["target"])
        if series["engine_kind"] == Kind.MT
        else ("", ""),
        folds=[fold for fold in folds if fold.facts or fold.paragraphs],
    )


def _make_quantity(content: Content) -> Quantity:
    series = content["series"]
    return find_quantity(series["measure"], series["quantity"], series["engine_kind"])


def _warning(content: Content) -> str:
    """Return what a headline has to say before anything else; empty for a finding in force."""
    warnings = ["" if content["is_current"] else "no longer in force"]
    if content["kind"] == "change":
        warnings.append(_WARNINGS.get(content["status"], ""))
        if content["cause"] not in (Cause.ENGINE, Cause.OPEN):
            warnings.append("may come from our own instrument")
        if content["missing_suspect"]:
            warnings.append("may be due to missing answers")
    return ", ".join(filter(None, warnings)).capitalize()


def _say_headline(content: Content) -> str:
    """Return what the system does now, without numbers."""
    series, meaning = content["series"], _make_quantity(content).meaning
    system = series["engine_title"]
    where = f"in {names.target_words(series['target'], series['engine_kind'])}"
    if content["kind"] == "point":
        return f"{system}: {meaning.label} {where}"
    effect = content["effect"]["value"]
    if not effect:
        return f"{system}: {meaning.label} {where}, changed answers"
    part = "" if series["scope"] == "all" else f" ({_say_scope(series)})"
    moved = _stereotyping(content)[0] or (meaning.up if effect > 0 else meaning.down)
    only = "" if content["holds_beyond"] else ", on these questions"
    return f"{system} {moved} {where}{part}{only}{statements.say_unknown_cause(content['cause'])}"


def _stereotyping(content: Content) -> tuple[str, str]:
    """Return how headline and lead say that stereotyping changed: only where s_or did."""
    stored = content["claim"]
    return next((text for words, text in _STEREOTYPING.items() if words in stored), ("", ""))


def _say_scope(series: Content) -> str:
    return str(series["scope_title"] or series["scope"])


def _say_label(content: Content) -> str:
    """Return what the number is of: `stereotype gap`, with its target and part of the list."""
    series, label = content["series"], _make_quantity(content).meaning.label
    if series["reference"]:
        label += f", against {names.short_reference(series['reference'])}"
    return label if series["scope"] == "all" else f"{label} ({_say_scope(series)})"


def _upper(words: str) -> str:
    return words[:1].upper() + words[1:]


def _say_day(moment: datetime, zone: ZoneInfo) -> str:
    return f"{moment.astimezone(zone):%Y-%m-%d}"


def _say_days(content: Content, zone: ZoneInfo) -> str:
    return " and ".join(_say_day(moment, zone) for moment in content["dates"])


def _lead_of_change(content: Content, zone: ZoneInfo) -> str:
    """Return both values with what they are of, their difference, and what they are made of."""
    quantity, effect = _make_quantity(content), content["effect"]
    unit = quantity.meaning.unit
    if effect["value"] is None or content["before"] is None or content["after"] is None:
        return f"{_upper(_say_label(content))}: no size is stored."
    interval = say_change_interval(unit, effect["low"], effect["high"])
    interval = f", 95 % interval {interval}" if interval else ", without an interval"
    of_runs = ", means of the runs compared" if content["facts"].get("runs_since", 0) > 1 else ""
    words = (
        f"{_upper(_say_label(content))}: {say_value(unit, content['before'])} before, "
        f"{say_value(unit, content['after'])} since "
        f"{_say_day(content['dates'][-1], zone)}{of_runs} "
        f"(change {say_change(unit, effect['value'])}{interval})."
    )
    if content["n"] is not None:
        questions = several(content["n"], "question")
        words += f" {content['changed']:,} of {questions} answered both times got another answer."
    parts = "; ".join(_say_component(content, part) for part in content["components"])
    parts = f"In the two runs: {parts}." if parts else ""
    return " ".join(filter(None, (words, parts, _stereotyping(content)[1])))


def _say_component(content: Content, part: Content) -> str:
    """Return one of the numbers that a quantity is computed from, in the two runs compared."""
    series = content["series"]
    meaning = find_quantity(series["measure"], part["quantity"], series["engine_kind"]).meaning
    before, after = (say_value(meaning.unit, part[side]) for side in ("before", "after"))
    return f"{meaning.label} {f'still {after}' if before == after else f'{before}, then {after}'}"


def _lead_of_point(content: Content, zone: ZoneInfo) -> str:
    unit, effect = _make_quantity(content).meaning.unit, content["effect"]
    label, day = _upper(_say_label(content)), _say_day(content["dates"][0], zone)
    if effect["value"] is None:
        return f"{label}: no value on {day} ({content['state']}: {content['reason']})."
    interval = say_interval(unit, effect["low"], effect["high"])
    interval = f"95 % interval {interval}" if interval else "without an interval"
    used = "" if content["n"] is None else f", {several(content['n'], 'question')} used"
    return f"{label}: {say_value(unit, effect['value'])} on {day} ({interval}{used})."


def _quote(content: Content, warning: str, lead: str, zone: ZoneInfo) -> str:
    """Return a sentence that can be printed: with what limits it, its dates, system and list."""
    series = content["series"]
    pair = names.pair_words(series["source_lang"], series["target"], series["engine_kind"])
    limits = " ".join(f"{text}." for text in (content["invented"].rstrip("."), warning) if text)
    return (
        f"{limits} {series['engine_title']}, {pair}, list {_say_lists(content)}, "
        f"{_say_days(content, zone)}. {lead} {_say_caveats(content)}"
    ).strip()


def _say_caveats(content: Content) -> str:
    """Return what a change that is quoted does not show: its cause, other questions."""
    if content["kind"] != "change":
        return ""
    caveats = ["The cause is not determined."] if content["cause"] == Cause.OPEN else []
    if not content["holds_beyond"]:
        caveats.append("It is not shown for other questions than these.")
    if not content["declared"]["confirmatory"]:
        caveats.append("The result is exploratory.")
    return " ".join(caveats)


def _say_lists(content: Content) -> str:
    return ", ".join(dict.fromkeys(run["list"] for run in content["runs"]))


def _cite(content: Content, zone: ZoneInfo, address: str) -> str:
    """Return where a number comes from: program, quantity, runs, digests of data, address."""
    series, runs = content["series"], content["runs"]
    digests = " and ".join(run["evidence_sha256"][:_DIGEST] for run in runs)
    ids = " and ".join(f"{run['id']} ({_say_day(run['due_at'], zone)})" for run in runs)
    cited = (
        f"monitor, {content['kind']} {content['number']}: {series['quantity']} of "
        f"{series['measure']}; {'run' if len(runs) == 1 else 'runs'} {ids}; answers SHA-256 "
        f"{digests}; method version {content['signature'][:_DIGEST] or 'not stored'}."
    )
    position = f"{address}/{content['kind']}s/{content['number']}" if address else ""
    return " ".join(filter(None, (cited, position)))


def _make_example(flip: Content) -> ClaimExample:
    sides = (
        [
            SupportAnswer(
                text["attempt"], text["sha256"], notation.pieces(text["text"], text["witnesses"])
            )
            for text in flip[side]
        ]
        for side in ("before", "after")
    )
    return ClaimExample(flip["key"], flip["probe"], *sides)


# --- figures for experts --------------------------------------------------------------------------


def _say_number(value: float | None, *, sign: bool = False) -> str:
    return "none" if value is None else notation.number(value, 3, sign)


def _interval(low: float | None, high: float | None, *, sign: bool = False) -> str:
    if low is None or high is None:
        return "without an interval"
    return f"95 % interval {_say_number(low, sign=sign)} to {_say_number(high, sign=sign)}"


def _plain(value: float | None) -> str:
    return "none" if value is None else f"{value:.2g}"


def _say_count(n: int | None) -> str:
    return "unknown" if n is None else f"{n:,}"


def _figures_of_change(content: Content) -> list[Fact]:
    effect = content["effect"]
    cause = "not determined" if content["cause"] == Cause.OPEN else content["cause"]
    on_list = "Not tested: found in retrospect."
    if content["p"] is not None:
        levels = ", adjusted ".join(_plain(content[name]) for name in ("p", "q"))
        on_list = f"{content['order_said']} p = {levels}, level {_plain(content['alpha'])}"
    facts = [
        Fact("As stored", content["claim"]),
        Fact(
            "Effect",
            f"{_say_number(effect['value'], sign=True)}, "
            f"{_interval(effect['low'], effect['high'], sign=True)}; from "
            f"{_say_number(content['before'])} to {_say_number(content['after'])}",
        ),
        Fact("Status", content["status_said"]),
        *_asked_again(content["again"]),
        Fact("Cause", f"{cause}. {content['because']}".rstrip()),
        Fact("On this list", on_list.strip()),
        Fact("Beyond this list", content["beyond_said"]),
        Fact("Size", content["size_said"].removeprefix("Size: ")),
        Fact(
            "Questions",
            "not stored"
            if content["n"] is None
            else f"{content['n']:,} usable both times, {content['changed']:,} with another answer",
        ),
        Fact("Missing answers", content["missing"]),
    ]
    return [fact for fact in facts if fact.said]


def _asked_again(again: Content | None) -> list[Fact]:
    if again is None:
        return []
    text = (
        "could not be compared"
        if again["delta"] is None
        else f"{_say_number(again['delta'], sign=True)}, "
        f"{_interval(again['low'], again['high'], sign=True)}, p = {_plain(again['p'])}, "
        f"{several(again['n'], 'question')}"
    )
    runs = again["after_run_id"], again["before_run_id"]
    links = [(f"run {run}", f"/runs/{run}") for run in runs]
    return [Fact("Asked again", f"{text}; run {runs[0]}, compared with run {runs[1]}", links)]


def _figures_of_point(content: Content) -> list[Fact]:
    effect, (low, high) = content["effect"], content["bounds"]
    value = f"none ({content['state']}: {content['reason']})"
    if effect["value"] is not None:
        value = f"{_say_number(effect['value'])}, {_interval(effect['low'], effect['high'])}"
    bounds = "none"
    if low is not None:
        bounds = f"{_say_number(low)} to {_say_number(high)}, whatever the missing answers are"
    flags = ", ".join(content["flags"])
    facts = [
        Fact("As stored", content["claim"]),
        Fact("Value", value),
        Fact("Bounds", bounds),
        Fact("Questions", f"{_say_count(content['n'])} used"),
        Fact("Marks", flags),
    ]
    return [fact for fact in facts if fact.said]


def _noise_and_declared(content: Content) -> list[Fact]:
    noise, declared = content["noise"], content["declared"]
    text = "Not measured: nothing was asked twice."
    if noise["sd_of_runs"] is not None:
        text = f"Standard deviation of the runs before: {_plain(noise['sd_of_runs'])}."
    elif noise["contrasts"]:
        text = "Too few runs for a standard deviation."
    for kind, contrast in noise["contrasts"].items():
        text += (
            f" Asked twice {_APART.get(kind, kind)}, {several(contrast['ticks'], 'time')}: "
            f"{contrast['changed']:,} of {contrast['asked']:,} answers differ, largest difference "
            f"{_plain(contrast['largest'])}."
        )
    left_out = "; ".join(f"{what}: {_say_count(n)}" for what, n in content["left_out"].items())
    registered = f"{declared['said']}. {declared['hash'][:_DIGEST]}".rstrip(" ")
    departures = [f"Not as declared: {departure}." for departure in declared["departures_said"]]
    return [
        Fact("Left out", left_out),
        Fact("Noise", text),
        Fact("Declared", " ".join([registered, *departures])),
    ]


def _list_origin(content: Content, zone: ZoneInfo) -> list[Fact]:
    series, runs = content["series"], content["runs"]
    scope = "" if series["scope"] == "all" else f", {_say_scope(series)}"
    reference = series["reference"]
    against = f", against {names.reference_title(reference)}" if reference else ""
    page = f"/series/{series['series_id']}"
    when = ("Before", "After") if len(runs) > 1 else ("Run",)
    parts = "; ".join(
        f"{name.replace('_', ' ')} {notation.capped(notation.spelt(part))}"
        for name, part in sorted(content["parts"].items())
    )
    version = content["signature"][:_DIGEST] or "not stored"
    return [
        Fact("System", f"{series['engine']}, surface {series['surface']}, {content['pair']}"),
        Fact("List", f"{_say_lists(content)}{scope}"),
        Fact(
            "Quantity",
            f"{series['quantity']} ({content['title']}) of {series['measure']}{against}",
            [("its series", page)],
        ),
        *(
            Fact(
                side,
                f"run {run['id']} of {run['job']}, {notation.when(run['due_at'], zone)}, "
                f"{run['state']}, {_say_place(run)}; "
                f"{several(run['n_answers'], 'raw answer')} of the "
                f"system to the list, SHA-256 over questions and digests "
                f"{run['evidence_sha256'][:_DIGEST]}",
                [(f"run {run['id']}", f"/runs/{run['id']}"),
                 (f"answers behind this number in run {run['id']}", f"{page}/ticks/{run['id']}")],
            )
            for side, run in zip(when, runs, strict=True)
        ),
        Fact("Method version", version + (f" ({parts})" if parts else "")),
        Fact("Source of the method", content["citation"]),
    ]  # fmt: skip


def _say_place(run: Content) -> str:
    return f"from {', '.join(run['countries'])}" if run["countries"] else "location not recorded"


# --- card -----------------------------------------------------------------------------------------

Row = dict[str, Any]

#: Of the JSON form.
SCHEMA = 1
_NAME = 15


@dataclass(frozen=True, slots=True)
class WrittenCard:
    """A claim in its three forms."""

    html: str
    text: str
    numbers: Row


def write_card(content: Row, zone: ZoneInfo, address: str = "") -> WrittenCard:
    """Return the files of a claim; `address` is that of our public pages."""
    words = make_view(content, zone, address)
    page = html.page_environment(capped=notation.capped).get_template("claim.html")
    numbers = {
        "headline": words.headline,
        "lead": words.lead,
        "quote": words.quote,
        "cite": words.citation,
        "supports": [asdict(check) for check in words.checks],
    }
    lines = "\n".join(map(_in_one_line, _list_lines(words)))
    return WrittenCard(
        page.render(view=words),
        f"{lines}\n",
        {"schema": SCHEMA, **_make_numbers(content | numbers)},
    )


def _in_one_line(line: str) -> str:
    """Return a line in which an answer with line breaks cannot pass for lines of ours."""
    return notation.visible(line).replace("\n", "[U+000A]").replace("\t", "[U+0009]")


def _list_lines(words: ClaimView) -> Iterator[str]:
    yield from (f"CLAIM CARD: {words.name.lower()}", words.context, "", words.headline)
    yield from filter(None, (words.invented, words.replaced, words.lead))
    yield ""
    yield f"What supports this? {words.supported}"
    for check in words.checks:
        yield f"  {check.question} {check.answer.upper()}"
        yield f"      {check.reason}"
    yield from ("", "To quote", f"  {words.quote}", f"  {words.citation}")
    if words.examples:
        yield from ("", _say_evidence(words))
    for example in words.examples:
        yield f"  {notation.capped(example.probe)}"
        yield f"    before: {'; '.join(map(_say_answer, example.before))}"
        yield f"    after: {'; '.join(map(_say_answer, example.after))}"
    yield from chain.from_iterable(map(_fold, words.folds))


def _say_evidence(words: ClaimView) -> str:
    text = f"; the first {len(words.examples)}" if words.n_examples > len(words.examples) else ""
    return f"Evidence on both sides: {words.n_examples:,} questions with another answer{text}"


def _say_answer(answer: SupportAnswer) -> str:
    words = "".join(f"*{p.text}* ({p.gender})" if p.gender else p.text for p in answer.pieces)
    return f"{words} (attempt {answer.attempt})"


def _fold(fold: ClaimFold) -> Iterator[str]:
    yield from ("", fold.title)
    yield from (f"  {paragraph}" for paragraph in fold.paragraphs)
    yield from (f"  {fact.name:{_NAME}} {fact.said}" for fact in fold.facts)


def _make_numbers(value: object) -> Any:  # noqa: ANN401 - JSON
    """Return the content as JSON holds it: times in ISO 8601."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): _make_numbers(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_make_numbers(item) for item in value]
    return value
