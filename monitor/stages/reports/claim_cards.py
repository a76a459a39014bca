"""Claim cards: a published number in words, and its card as a document.

What decides whether to believe it comes first; figures for experts are in folds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from itertools import chain
from typing import Any
from zoneinfo import ZoneInfo

from monitor import __version__
from monitor.change import Cause, Status
from monitor.model import Kind
from monitor.stages.changes import statements
from monitor.stages.changes.claim_support import (
    Support,
    check_support,
    list_unsupporting,
    say_averaged,
)
from monitor.stages.changes.claims import (
    Again,
    ChangeClaim,
    Claim,
    ClaimSeries,
    PointClaim,
)
from monitor.stages.changes.later_moves import say_past
from monitor.stages.document import notation
from monitor.stages.document import records as doc
from monitor.stages.document.html import html
from monitor.stages.document.notation import capitalize_first
from monitor.stages.document.terminal import write_text
from monitor.stages.reports import names
from monitor.store.reports.claim_facts import Component
from monitor.text.counted_nouns import several
from monitor.text.quantity_values import say_change, say_change_interval, say_interval, say_value

# --- words ----------------------------------------------------------------------------------------

#: Questions with other answers that are shown at once; the JSON form has all of them.
SHOWN = 20
_DIGEST = 16

#: Begins the headline of what is no finding in force.
_WARNINGS: Mapping[str, str] = {
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

#: How the mark of a check is written, and its kind.
_MARKS = {True: ("✓", "yes"), False: ("✗", "no"), None: ("?", "unknown")}

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

#: One figure with its name.
Fact = tuple[str, doc.Prose]


@dataclass(frozen=True, slots=True)
class ClaimWords:
    """A published number in words."""

    name: str
    context: str
    headline: str
    replaced: str
    lead: str
    checks: Sequence[Support]
    quote: str
    citation: str


def write_words(claim: Claim, zone: ZoneInfo, address: str = "") -> ClaimWords:
    """Return a published number in words; `address` is that of our public pages."""
    lead = (
        _lead_of_change(claim, zone)
        if isinstance(claim, ChangeClaim)
        else _lead_of_point(claim, zone)
    )
    warning = _warning(claim)
    return ClaimWords(
        name=f"{claim.kind.title()} {claim.number}",
        context=" · ".join(
            (claim.series.engine_title, _say_pair(claim.series), _say_days(claim, zone))
        ),
        headline=f"{warning}{': ' if warning else ''}{_say_headline(claim)}",
        replaced="" if claim.is_current else f"No longer in force. {claim.replaced_said}",
        lead=lead,
        checks=check_support(claim),
        quote=_quote(claim, warning, lead, zone),
        citation=_cite(claim, zone, address),
    )


def write_claim(
    claim: Claim, zone: ZoneInfo, address: str = "", links: str | None = None
) -> doc.Document:
    """Return the claim card of a number.

    `address` is that of our public pages, which it cites. `links` stands before the paths of our
    pages that it leads to; without it, the card leads nowhere.
    """
    words = write_words(claim, zone, address)
    figures = (
        _figures_of_change(claim, links)
        if isinstance(claim, ChangeClaim)
        else _figures_of_point(claim)
    )
    limits = [(_HEADINGS.get(name, name), text) for name, text in claim.validity.items()]
    audit = claim.instrument_audit.said if claim.instrument_audit else ()
    origin = [doc.Pairs(_list_origin(claim, zone, links))]
    details = (
        ("Test and figures", [doc.Pairs([*figures, *_noise_and_declared(claim)])]),
        ("What was asked, and when", origin),
        ("How accurate is the detection?", [doc.Words(text) for text in audit]),
        ("Limits", [doc.Pairs(limits)] if limits else []),
    )
    page_one: list[doc.Block] = [doc.Words(words.lead, "lead"), _write_checks(words.checks)]
    if words.replaced:
        page_one.append(doc.Words(words.replaced, "notice"))
    if isinstance(claim, ChangeClaim) and claim.moved_again:
        later = claim.moved_again
        change = doc.Span(f"change {later.number}")
        if links is not None:
            change = replace(change, kind="address", target=f"{links}/changes/{later.number}")
        moved = [doc.Span(f"{later.sentence}: "), change, doc.Span(".")]
        if later.is_decided:
            page_one.insert(0, doc.Words(moved, "notice"))
        else:
            page_one.insert(1, doc.Words(moved, "small"))
    quoted = [doc.Words(words.quote), doc.Words(words.citation, "small")]
    page_one.append(doc.Callout(quoted, "quote", "To quote", "quote"))
    if claim.chart:
        page_one.append(doc.Picture(claim.chart, ""))
    folds = [doc.Fold(title, blocks, is_printed=True, is_heading=True)
             for title, blocks in details if blocks]  # fmt: skip
    evidence = _write_evidence(claim, links)
    return doc.Document(
        title=words.headline,
        kicker=f"{words.name} · {words.context}",
        banner=claim.invented,
        page_one=page_one,
        sections=[*evidence, doc.Section("details", "Details", folds)],
        generator=f"monitor {__version__}",
    )


def _write_checks(checks: Sequence[Support]) -> doc.Callout:
    """Return what supports a number, check by check."""
    pairs = [
        (
            (
                doc.Span(*_MARKS[check.holds]),
                doc.Span(f" {check.question} "),
                doc.Span(check.answer, "strong"),
            ),
            check.reason,
        )
        for check in checks
    ]
    unsupporting = list_unsupporting(checks)
    against = f" Without support: {unsupporting}." if unsupporting else ""
    legend = doc.Words(f"✓ supports it, ✗ does not, ? not known.{against}", "small")
    return doc.Callout([legend, doc.Pairs(pairs)], "checks", "What supports this?", "supports")


def _write_evidence(claim: Claim, links: str | None) -> list[doc.Section]:
    """Return the questions with other answers, where there are any."""
    if not isinstance(claim, ChangeClaim) or not claim.n_flips:
        return []
    n, flips = claim.n_flips, claim.flips[:SHOWN]
    more = f" The first {len(flips)} are shown; the JSON form has all." if n > len(flips) else ""
    how = "Each answer leads to its raw form."
    if links is None:
        how = "`monitor evidence show ANSWER` shows the raw answer."
    verb = "has" if n == 1 else "have"
    said = f"{several(n, 'question')} {verb} another answer. Words that decided are marked."
    series = claim.series
    is_translated = series.engine_kind == Kind.MT
    languages = (series.source_lang, series.target) if is_translated else ("", "")
    examples = [
        doc.Example(
            notation.capped(flip.probe), languages[0],
            [
                doc.Answer(
                    notation.pieces(answer.text, answer.witnesses), side, "",
                    f"answer {answer.attempt}, SHA-256 {answer.sha256[:_DIGEST] or 'none'}",
                    "" if links is None else f"{links}/evidence/{answer.attempt}",
                )
                for side, answers in (("before", flip.before), ("after", flip.after))
                for answer in answers
            ],
            languages[1], flip.key,
        )
        for flip in flips
    ]  # fmt: skip
    told = doc.say(f"{said} {how}{more if links is None else ''}")
    return [doc.Section("evidence", "Evidence on both sides", [told, doc.Examples(examples)])]


def _say_pair(series: ClaimSeries) -> str:
    return names.pair_words(series.source_lang, series.target, series.engine_kind)


def _warning(claim: Claim) -> str:
    """Return what a headline has to say before anything else; empty for a finding in force."""
    warnings = ["" if claim.is_current else "no longer in force"]
    if isinstance(claim, ChangeClaim):
        warnings.append(_WARNINGS.get(claim.status, ""))
        if claim.cause not in (Cause.ENGINE, Cause.OPEN):
            warnings.append("may come from our own instrument")
        if claim.missing_suspect:
            warnings.append("may be due to missing answers")
    return ", ".join(filter(None, warnings)).capitalize()


def _say_headline(claim: Claim) -> str:
    """Return what the system does now, without numbers."""
    series, meaning = claim.series, claim.series.meaning
    system = series.engine_title
    where = f"in {names.target_words(series.target, series.engine_kind)}"
    if not isinstance(claim, ChangeClaim):
        return f"{system}: {meaning.label} {where}"
    effect = claim.effect.value
    if not effect:
        return f"{system}: {meaning.label} {where}, changed answers"
    part = "" if series.scope == "all" else f" ({_say_scope(series)})"
    moved = meaning.up if effect > 0 else meaning.down
    only = "" if claim.holds_beyond else ", on these questions"
    unknown = statements.say_unknown_cause(claim.cause)
    if statements.is_updated(claim.cause, claim.because):
        unknown = f" when our own software was updated{unknown}"
    later = claim.moved_again
    if later and later.is_back:
        only = f"{only}," if only else ""
        return f"{system} {say_past(moved)} {where}{part}{only} {later.until}{unknown}"
    return f"{system} {_stereotyping(claim)[0] or moved} {where}{part}{only}{unknown}"


def _stereotyping(claim: ChangeClaim) -> tuple[str, str]:
    """Return how headline and lead say that stereotyping changed: only where s_or did."""
    stored = claim.claim
    return next((text for words, text in _STEREOTYPING.items() if words in stored), ("", ""))


def _say_scope(series: ClaimSeries) -> str:
    return str(series.scope_title or series.scope)


def _say_label(claim: Claim) -> str:
    """Return what the number is of: `stereotype gap`, with its target and part of the list."""
    series, label = claim.series, claim.series.meaning.label
    if series.reference:
        label += f", against {names.short_reference(series.reference)}"
    return label if series.scope == "all" else f"{label} ({_say_scope(series)})"


def _say_days(claim: Claim, zone: ZoneInfo) -> str:
    return " and ".join(notation.format_day(moment, zone) for moment in claim.dates)


def _lead_of_change(claim: ChangeClaim, zone: ZoneInfo) -> str:
    """Return both values with what they are of, their difference, and what they are made of."""
    unit, effect = claim.series.meaning.unit, claim.effect
    if effect.value is None or claim.before is None or claim.after is None:
        return f"{capitalize_first(_say_label(claim))}: no size is stored."
    interval = say_change_interval(unit, effect.low, effect.high)
    interval = f", 95 % interval {interval}" if interval else ", without an interval"
    averaged = say_averaged(claim.change_kind, claim.facts)
    words = (
        f"{capitalize_first(_say_label(claim))}: {say_value(unit, claim.before)} before, "
        f"{say_value(unit, claim.after)} {_say_period(claim, zone)}"
        f"{', ' if averaged else ''}{averaged} "
        f"(change {say_change(unit, effect.value)}{interval})."
    )
    if claim.n is not None:
        questions = several(claim.n, "question")
        words += f" {claim.changed:,} of {questions} answered both times got another answer."
    parts = "; ".join(_say_component(claim, part) for part in claim.components)
    parts = f"In the two runs: {parts}." if parts else ""
    return " ".join(filter(None, (words, parts, _stereotyping(claim)[1])))


def _say_period(claim: ChangeClaim, zone: ZoneInfo) -> str:
    """Return `since 2026-03-02`, or from then until values moved again."""
    day = notation.format_day(claim.dates[-1], zone)
    later = claim.moved_again
    return f"from {day} {later.until}" if later and later.until else f"since {day}"


def _say_component(claim: Claim, part: Component) -> str:
    """Return one of the numbers that a quantity is computed from, in the two runs compared."""
    meaning = claim.series.find_quantity(part.quantity).meaning
    before, after = (say_value(meaning.unit, value) for value in (part.before, part.after))
    return f"{meaning.label} {f'still {after}' if before == after else f'{before}, then {after}'}"


def _lead_of_point(claim: PointClaim, zone: ZoneInfo) -> str:
    unit, effect = claim.series.meaning.unit, claim.effect
    label, day = capitalize_first(_say_label(claim)), notation.format_day(claim.dates[0], zone)
    if effect.value is None:
        return f"{label}: no value on {day} ({claim.state}: {claim.reason})."
    interval = say_interval(unit, effect.low, effect.high)
    interval = f"95 % interval {interval}" if interval else "without an interval"
    used = "" if claim.n is None else f", {several(claim.n, 'question')} used"
    return f"{label}: {say_value(unit, effect.value)} on {day} ({interval}{used})."


def _quote(claim: Claim, warning: str, lead: str, zone: ZoneInfo) -> str:
    """Return a sentence that can be printed: with what limits it, its dates, system and list."""
    series = claim.series
    limits = " ".join(f"{text}." for text in (claim.invented.rstrip("."), warning) if text)
    return (
        f"{limits} {series.engine_title}, {_say_pair(series)}, list {_say_lists(claim)}, "
        f"{_say_days(claim, zone)}. {lead} {_say_caveats(claim)}"
    ).strip()


def _say_caveats(claim: Claim) -> str:
    """Return what a change that is quoted does not show: its cause, other questions."""
    if not isinstance(claim, ChangeClaim):
        return ""
    caveats = ["The cause is not determined."] if claim.cause == Cause.OPEN else []
    if not claim.holds_beyond:
        caveats.append("It is not shown for other questions than these.")
    if not claim.declared.confirmatory:
        caveats.append("The test was not fixed before the data (exploratory).")
    return " ".join(caveats)


def _say_lists(claim: Claim) -> str:
    return ", ".join(dict.fromkeys(run.list for run in claim.runs))


def _cite(claim: Claim, zone: ZoneInfo, address: str) -> str:
    """Return where a number comes from: program, quantity, runs, digests of data, address."""
    series, runs = claim.series, claim.runs
    digests = " and ".join(run.evidence_sha256[:_DIGEST] for run in runs)
    ids = " and ".join(f"{run.id} ({notation.format_day(run.due_at, zone)})" for run in runs)
    cited = (
        f"monitor, {claim.kind} {claim.number}: {series.quantity} of "
        f"{series.measure}; {'run' if len(runs) == 1 else 'runs'} {ids}; answers SHA-256 "
        f"{digests}; method version {claim.signature[:_DIGEST] or 'not stored'}."
    )
    position = f"{address}/{claim.kind}s/{claim.number}" if address else ""
    return " ".join(filter(None, (cited, position)))


# --- figures for experts --------------------------------------------------------------------------


def _link(text: str, pages: Sequence[tuple[str, str]], links: str | None) -> doc.Prose:
    """Return a text with the pages that it leads to."""
    if links is None:
        return text
    led = ((doc.Span(" · "), doc.Span(name, "address", links + path)) for name, path in pages)
    return [doc.Span(text), *chain.from_iterable(led)]


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


def _figures_of_change(claim: ChangeClaim, links: str | None) -> list[Fact]:
    effect, cause = claim.effect, Cause(claim.cause)
    on_list = "Not tested: found in retrospect."
    if claim.p is not None:
        levels = ", adjusted ".join(map(_plain, (claim.p, claim.q)))
        on_list = f"{claim.order_said} p = {levels}, level {_plain(claim.alpha)}"
    size = (
        f"{_say_number(effect.value, sign=True)}, {_interval(effect.low, effect.high, sign=True)}; "
        f"from {_say_number(claim.before)} to {_say_number(claim.after)}"
    )
    why = f"{statements.CAUSE[cause]}. {statements.explain_cause(cause, claim.because)}"
    questions = "not stored"
    if claim.n is not None:
        questions = f"{claim.n:,} usable both times, {claim.changed:,} with another answer"
    facts = [
        ("As stored", claim.claim),
        ("Effect", size),
        ("Status", claim.status_said),
        *_asked_again(claim.again, links),
        ("Cause", why.rstrip()),
        ("On this list", on_list.strip()),
        ("Beyond this list", claim.beyond_said),
        ("Size", claim.size_said.removeprefix("Size: ")),
        ("Questions", questions),
        ("Missing answers", claim.missing),
    ]
    return [(name, text) for name, text in facts if text]


def _asked_again(again: Again | None, links: str | None) -> list[Fact]:
    if again is None:
        return []
    text = "could not be compared"
    if again.delta is not None:
        interval = _interval(again.low, again.high, sign=True)
        text = (
            f"{_say_number(again.delta, sign=True)}, {interval}, p = {_plain(again.p)}, "
            f"{several(again.n, 'question')}"
        )
    runs = again.after_run_id, again.before_run_id
    pages = [(f"run {run}", f"/runs/{run}") for run in runs]
    text += f"; run {runs[0]}, compared with run {runs[1]}"
    return [("Asked again", _link(text, pages, links))]


def _figures_of_point(claim: PointClaim) -> list[Fact]:
    effect, (low, high) = claim.effect, claim.bounds
    value = f"none ({claim.state}: {claim.reason})"
    if effect.value is not None:
        value = f"{_say_number(effect.value)}, {_interval(effect.low, effect.high)}"
    bounds = "none"
    if low is not None:
        bounds = f"{_say_number(low)} to {_say_number(high)}, whatever the missing answers are"
    flags = ", ".join(claim.flags)
    facts = [
        ("As stored", claim.claim),
        ("Value", value),
        ("Bounds", bounds),
        ("Questions", f"{_say_count(claim.n)} used"),
        ("Marks", flags),
    ]
    return [(name, text) for name, text in facts if text]


def _noise_and_declared(claim: Claim) -> list[Fact]:
    noise, declared = claim.noise, claim.declared
    text = "Not measured: nothing was asked twice."
    if noise.sd_of_runs is not None:
        text = f"Standard deviation of the runs before: {_plain(noise.sd_of_runs)}."
    elif noise.contrasts:
        text = "Too few runs for a standard deviation."
    for kind, contrast in noise.contrasts.items():
        text += (
            f" Asked twice {_APART.get(kind, kind)}, {several(contrast.ticks, 'time')}: "
            f"{contrast.changed:,} of {contrast.asked:,} answers differ, largest difference "
            f"{_plain(contrast.largest)}."
        )
    left_out = "; ".join(f"{what}: {_say_count(n)}" for what, n in claim.left_out.items())
    registered = f"{declared.said}. {declared.hash[:_DIGEST]}".rstrip(" ")
    departures = [f"Not as declared: {departure}." for departure in declared.departures_said]
    return [
        ("Left out", left_out),
        ("Noise", text),
        ("Declared", " ".join([registered, *departures])),
    ]


def _list_origin(claim: Claim, zone: ZoneInfo, links: str | None) -> list[Fact]:
    series, runs = claim.series, claim.runs
    scope = "" if series.scope == "all" else f", {_say_scope(series)}"
    reference = series.reference
    against = f", against {names.reference_title(reference)}" if reference else ""
    page = f"/series/{series.series_id}"
    when = ("Before", "After") if len(runs) > 1 else ("Run",)
    parts = "; ".join(
        f"{name.replace('_', ' ')} {notation.capped(notation.spelt(part))}"
        for name, part in sorted(claim.parts.items())
    )
    version = claim.signature[:_DIGEST] or "not stored"
    places = {
        run.id: f"from {', '.join(run.countries)}" if run.countries else "location not recorded"
        for run in runs
    }
    return [
        ("System", f"{series.engine}, surface {series.surface}, {claim.pair}"),
        ("List", f"{_say_lists(claim)}{scope}"),
        (
            "Quantity",
            _link(
                f"{series.quantity} ({claim.title}) of {series.measure}{against}",
                [("its series", page)], links,
            ),
        ),
        *(
            (side, _link(
                f"run {run.id} of {run.job}, {notation.when(run.due_at, zone)}, "
                f"{run.state}, {places[run.id]}; "
                f"{several(run.n_answers, 'raw answer')} of the "
                f"system to the list, SHA-256 over questions and digests "
                f"{run.evidence_sha256[:_DIGEST]}",
                [(f"run {run.id}", f"/runs/{run.id}"),
                 (f"answers behind this number in run {run.id}", f"{page}/ticks/{run.id}")],
                links,
            ))
            for side, run in zip(when, runs, strict=True)
        ),
        ("Method version", version + (f" ({parts})" if parts else "")),
        ("Source of the method", claim.citation),
    ]  # fmt: skip


# --- card -----------------------------------------------------------------------------------------

#: Of the JSON form.
SCHEMA = 1


@dataclass(frozen=True, slots=True)
class WrittenCard:
    """A claim as a document, and its content for programs."""

    document: doc.Document
    numbers: dict[str, Any]
    at: datetime

    @property
    def html(self) -> str:
        """The card as a page."""
        return html(self.document)

    @property
    def text(self) -> str:
        """The card as a text."""
        return write_text(self.document)


def write_card(claim: Claim, zone: ZoneInfo, address: str = "") -> WrittenCard:
    """Return a claim for files; `address` is that of our public pages, to which it then leads."""
    words = write_words(claim, zone, address)
    numbers = {name: value for name, value in asdict(claim).items() if name != "chart"} | {
        "headline": words.headline,
        "lead": words.lead,
        "quote": words.quote,
        "cite": words.citation,
        "supports": [asdict(check) for check in words.checks],
    }
    return WrittenCard(
        write_claim(claim, zone, address, address or None),
        {"schema": SCHEMA, **_make_numbers(numbers)},
        claim.dates[-1],
    )


def _make_numbers(value: object) -> Any:  # noqa: ANN401 - JSON
    """Return the content as JSON holds it: times in ISO 8601."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): _make_numbers(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_make_numbers(item) for item in value]
    return value
