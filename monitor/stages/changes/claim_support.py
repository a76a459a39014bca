"""Check what supports a published change, and read the numbers and answers behind it.

A failed check says what it weakens. Software lists the support; people decide what to print.

Everything comes from stored values and answers; nothing is computed anew.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from monitor.change import Cause, ChangeKind, Status
from monitor.data import read_table
from monitor.model import GenderClass, Kind, Quantity, QuantityUnit
from monitor.stages.changes import statements
from monitor.stages.changes.claims import ChangeClaim, Claim, FlippedAnswer
from monitor.stages.changes.decisions import POOLED_BEFORE
from monitor.stages.changes.events import ChangeEvent
from monitor.stages.document.notation import Piece, capitalize_first, join_names, pieces, say_test
from monitor.stages.document.time_chart import ChartLine, Marker, TimeChart
from monitor.stages.jobs.preregistration import EXPLORATORY, Because
from monitor.stages.reports import names
from monitor.stages.reports.names import language_name
from monitor.store.changes import series
from monitor.store.changes.series import ALL, Filters, GridTick, Series
from monitor.store.database import Connection
from monitor.store.reports import run_answers
from monitor.text.counted_nouns import several
from monitor.text.quantity_values import (
    axis_unit,
    say_change,
    say_change_interval,
    say_figures,
    say_short_day,
    say_size,
    say_value,
)

# --- support --------------------------------------------------------------------------------------

SOFTWARE_QUESTION = "Was our software unchanged?"
_ANSWERS = {True: "yes", False: "no", None: "not known"}
_NOT_SHOWN = "What is known of it is not public here."
_OURS = "may come from our software"
_ALONE = " In the same direction; alone it may be chance, as its interval reaches 0."
_SAME_SOFTWARE = "same software for both answers"
_UPDATED = "cause not determined: our own software was updated at the same time"


@dataclass(frozen=True, slots=True)
class Support:
    """One check of a finding.

    `holds` is whether it supports the finding, None where that is not known. `answer` is that of
    the question, `badge` a short form for overviews.
    """

    question: str
    holds: bool | None
    answer: str
    reason: str
    badge: str


def check_support(claim: Claim) -> list[Support]:
    """Return the checks of a change or a point."""
    checks = [_registered(claim), _make_detection(claim)]
    if isinstance(claim, ChangeClaim):
        before = [
            _repeated(claim),
            _make_software(claim),
            _make_noise(claim),
            _beyond(claim),
        ]
        checks = [*before, *checks, _missing(claim)]
    return checks


def list_unsupporting(checks: Sequence[Support]) -> str:
    """Return the checks that do not support a finding, by name; empty where all do."""
    return "; ".join(check.badge for check in checks if check.holds is not True)


def _check(
    question: str, holds: bool | None, reason: str, badge: str, *, answer: str = ""
) -> Support:
    return Support(question, holds, answer or _ANSWERS[holds], reason, badge)


def _repeated(claim: ChangeClaim) -> Support:
    question, status = "Repeated?", claim.status
    n_since = int(claim.facts.get("runs_since", 0))
    asked_again = _asked_again(claim)
    if status == Status.REFUTED:
        reason = f"{asked_again} A later run did not show it: it is no finding."
        return _check(question, False, reason.strip(), "not reproduced")
    if status == Status.RETROSPECTIVE:
        reason = "Found by looking back over old runs and not asked again: it may be chance."
        return _check(question, False, reason, "found in retrospect, not repeated")
    if status == Status.CANDIDATE:
        reason = f"{asked_again} Too few runs so far to decide: it may be chance."
        return _check(question, None, reason.strip(), "not decided yet")
    is_alike = claim.again and (claim.again.delta or 0.0) * (claim.effect.value or 0.0) > 0
    if claim.again and asked_again and is_alike:
        if not _holds_zero(claim.again.low, claim.again.high):
            return _check(question, True, asked_again, "asked again: same result")
        asked_again += _ALONE
    if status == Status.CONFIRMED and n_since > 1:
        is_drift = claim.change_kind == ChangeKind.DRIFT
        which, place = ("The last", "") if is_drift else ("All", " since")
        seen, n_times = statements.say_runs, claim.due_times.since
        reason = f"{which} {seen(n_since, n_times, place)} show it. {asked_again}".strip()
        at = "at" if "due time" in seen(n_since, n_times) else "in"
        return _check(question, True, reason, f"seen {at} {seen(n_since, n_times)}")
    if asked_again and is_alike:
        return _check(question, None, asked_again, "asked again: not clear")
    if asked_again:
        reason = f"{asked_again} That is not in the same direction."
        return _check(question, False, reason, "asked again: not the same result")
    reason = "Not asked again: a passing fault of the service would look the same."
    return _check(question, False, reason, "not asked again")


def _holds_zero(low: float | None, high: float | None) -> bool:
    """Return whether an interval reaches 0; False without one."""
    return low is not None and high is not None and low <= 0 <= high


def _asked_again(claim: ChangeClaim) -> str:
    """Return what asking again gave beside the first size; empty where it was not asked again."""
    again, effect = claim.again, claim.effect.value
    if again is None or again.delta is None or effect is None:
        return ""
    unit = claim.series.meaning.unit
    interval = say_change_interval(unit, again.low, again.high)
    size = say_change(unit, again.delta) + (f" ({interval})" if interval else "")
    return (
        f"Asked again on {again.due_at:%Y-%m-%d}: {several(again.n, 'question')}, {size}; "
        f"first {say_change(unit, effect)}."
    )


def _make_software(claim: ChangeClaim) -> Support:
    question, cause = SOFTWARE_QUESTION, claim.cause
    reason = statements.explain_cause(cause, claim.because) or _NOT_SHOWN
    is_changed = statements.SOFTWARE_CHANGED in claim.because
    is_still = statements.is_control_still(cause, claim.because)
    unsettled = ", which does not settle it" if cause == Cause.OPEN else ""
    still = f" ({statements.CONTROL_STILL}{unsettled})" if is_still else ""
    if cause == Cause.ENGINE:
        same = "an update of our software is ruled out" if is_changed else _SAME_SOFTWARE
        answer = "no, but ruled out as the cause" if is_changed else ""
        return _check(question, True, reason, f"{same}{still}; reason not known", answer=answer)
    if cause == Cause.OPEN:
        badge = _UPDATED if is_changed else "cause not determined"
        holds = False if is_changed else None
        return _check(question, holds, f"Cause: not determined. {reason}", f"{badge}{still}")
    weak = "our own instrument" if cause == Cause.INSTRUMENT else statements.CAUSE[Cause(cause)]
    return _check(question, False, f"The change may come from {weak}. {reason}", _OURS)


def say_averaged(kind: str, facts: Mapping[str, float]) -> str:
    """Return what the values of a change are: `means of 16 runs before and 8 later ones`.

    Empty for one that was found in retrospect, whose values are those of whole stretches.
    """
    if kind == ChangeKind.SHIFT:
        return ""
    n_since = int(facts.get("size_runs", 0))
    if not n_since:
        return "in the two runs compared"
    n_before = min(int(facts.get("runs_before", 0)), POOLED_BEFORE)
    return f"means of {several(n_before, 'run')} before and {n_since:,} later ones"


def _make_noise(claim: ChangeClaim) -> Support:
    question, status = "Larger than the system's noise?", claim.status
    if claim.p is None:
        reason = "Not tested: found in retrospect. Runs may differ this much by themselves."
        return _check(question, False, reason, "not tested against noise")
    order = claim.order_said or (
        f"One test of these questions: {say_test(claim.p, claim.alpha)}; the order of runs was not "
        "looked at."
    )
    reason = f"{order} {_size(claim)}"
    if status == Status.CONFIRMED:
        return _check(question, True, reason, "larger than the system's noise")
    if status == Status.REFUTED:
        return _check(question, False, reason, "within the system's noise")
    return _check(question, None, reason, "not told from noise yet")


def _size(claim: ChangeClaim) -> str:
    """Return how large a change is beside what runs differ by while nothing changes."""
    sd, effect = claim.noise.sd_of_runs, claim.effect.value
    if not sd or effect is None:
        return "How much runs differ while nothing changes was not measured."
    size = say_size(claim.series.meaning.unit, sd)
    return f"The change is {abs(effect) / sd:.1f} times what runs before differ by (sd {size})."


def _beyond(claim: ChangeClaim) -> Support:
    question = "Does it hold beyond this list?"
    p, level = claim.p_beyond, claim.alpha_beyond
    only = "Speak of these questions only."
    if p is None or level is None or claim.status != Status.CONFIRMED:
        return _check(question, False, f"Not tested. {only}", "not tested beyond these questions")
    tested = say_test(p, level)
    if claim.holds_beyond:
        reason = f"Tested with these questions as a sample of others like them: {tested}."
        return _check(question, True, reason, "holds for similar questions too")
    reason = f"Not shown for other questions like these: {tested}. {only}"
    return _check(question, False, reason, "not shown beyond these questions")


def _registered(claim: Claim) -> Support:
    question, declared = "Registered beforehand?", claim.declared
    reason = declared.said.partition(": ")[2]
    reason = f"{capitalize_first(reason)}."
    if declared.confirmatory:
        return _check(question, True, reason, "test registered before the data")
    reason += " So it is exploratory: among many numbers some stand out by chance."
    because = EXPLORATORY[declared.because or Because.NOTHING_DECLARED]
    badge = f"exploratory: {because}"
    if isinstance(claim, ChangeClaim) and claim.status == Status.CONFIRMED:
        reason += " Confirmed means that enough runs agree, not that the test was fixed beforehand."
        badge = f"exploratory though confirmed: {because}"
    is_otherwise = declared.because == Because.NOT_AS_DECLARED
    answer = "not as it was asked" if is_otherwise else ""
    return _check(question, False, reason, badge, answer=answer)


def _make_detection(claim: Claim) -> Support:
    question = "Is our detection checked for this language?"
    series, instrument_audit = claim.series, claim.instrument_audit
    name = language_name(series.target)
    if instrument_audit is None:
        return _without_audit(question, claim)
    audit, doubts = instrument_audit.audit, say_doubts(instrument_audit.in_doubt)
    if audit is None:
        badge = f"our reading of {name} was not audited"
        reason = (
            f"No person checked how our software reads {name} on these answers. It reads both "
            "sides alike, so it may misread both."
        )
        return _check(question, False, " ".join([reason, *doubts]), badge)
    right, rate = audit["right_share"], f"{audit['right']} right"
    share = "" if right["rate"] is None else f" ({_say_percents(right)})"
    if right["rate"] is not None:
        low, high = (say_value(QuantityUnit.SHARE, right[end]) for end in ("low", "high"))
        rate = f"{say_value(QuantityUnit.SHARE, right['rate'])} right ({low} to {high})"
    classes = "; ".join(
        f"{row['called']}: {row['read'] - row['right']} of {row['read']} wrong"
        for row in audit["classes"]
        if row["read"]
    )
    reason = (
        f"{several(audit['n_raters'], 'person', 'people')} read "
        f"{several(audit['read'], 'answer')} of run {audit['run_id']} "
        f"({audit['due_at']:%Y-%m-%d}): our software was right in {audit['right']}{share}. By "
        f"detected form: {classes}."
    )
    if audit["is_suspect"] or doubts:
        reason = " ".join([reason, *doubts])
        return _check(question, False, reason, f"our reading of {name} is in doubt")
    badge = f"people checked our reading of {several(audit['read'], f'{name} answer')}: {rate}"
    return _check(question, True, reason, badge)


def _without_audit(question: str, claim: Claim) -> Support:
    kind = claim.series.engine_kind
    if kind == Kind.MT and claim.parts.get("cue"):
        return _check(question, None, _NOT_SHOWN, "audits of the detection are not public")
    if kind == Kind.LM:
        reason = "Nothing is detected: numbers are computed from the model's probabilities."
        return _check(question, None, reason, "no detection needed", answer="does not apply")
    reason = (
        "There is no such audit of this quantity: how often people or words are recognised "
        "correctly is not known."
    )
    return _check(question, False, reason, "detection not audited")


def say_doubts(in_doubt: Sequence[str]) -> list[str]:
    """Return in sentences why our own reading is in doubt."""
    return [f"Our own reading is in doubt: {doubt}." for doubt in in_doubt]


def _say_percents(share: Mapping[str, Any]) -> str:
    rate, low, high = (say_value(QuantityUnit.SHARE, share[key]) for key in ("rate", "low", "high"))
    return f"weighted by how often each form occurs {rate}, interval {low} to {high}"


def _missing(claim: ChangeClaim) -> Support:
    question, suspect = "Could missing answers explain it?", claim.missing_suspect
    low, high = claim.bounds
    bounds = ""
    if low is not None and high is not None and low < high:
        ends = say_change_interval(claim.series.meaning.unit, low, high)
        doubt = ", so they are not ruled out" if _holds_zero(low, high) else ""
        bounds = f" Whatever the missing answers are, the change is {ends}{doubt}."
    if suspect is None:
        reason = "It was not computed whether missing answers have a part in this."
        return _check(question, None, reason, "missing answers not looked at")
    if suspect:
        became, was = claim.missing_counts
        reason = (
            f"{became:,.0f} questions answered before are missing after, {was:,.0f} the other way "
            f"round: that alone could make the change.{bounds}"
        )
        return _check(question, False, reason, "may be due to missing answers", answer="yes")
    reason = f"Nothing points to it.{bounds}"
    return _check(question, True, reason, "no sign that missing answers explain it", answer="no")


# --- details of an event --------------------------------------------------------------------------

#: Characters of a question that fits on a card.
_SHORT = 120
_CLEAR = (GenderClass.FEMININE, GenderClass.MASCULINE)
#: Said where no changed answer is short and known to go the way of the change.
_NO_EXAMPLE = "No example: no short answer among those looked through goes the way of this change."
#: A value before and after.
_Ends = tuple[float | None, float | None]
#: A quantity, its label on the card, and the ticks of its series.
_Measured = tuple[Quantity, str, Sequence[GridTick]]


@dataclass(frozen=True, slots=True)
class EventFigure:
    """A quantity before and after an event, and in the newest run; empty where not measured."""

    label: str
    before: str
    after: str
    newest: str


@dataclass(frozen=True, slots=True)
class AnswerPair:
    """An answer with the words that decided how it was read; `gender` is what it was read as."""

    attempt: int
    gender: str
    pieces: Sequence[Piece]


@dataclass(frozen=True, slots=True)
class EventExample:
    """One question that is answered differently since the event."""

    question: str
    source_lang: str
    target: str
    before: AnswerPair
    after: AnswerPair


@dataclass(frozen=True, slots=True)
class EventDetails:
    """Details of an event on its card. `quantity` is that of the chart.

    `where` is the language or region, `subject` says what is drawn and counted; labels of several
    courses are without these words. `dates` are those of the two runs whose answers are compared;
    figures are their values, or `are_means` of all runs before and since. `newest_at` is the day of
    the newest values, None where they are those after the event; chart, figures and the tile of the
    leading quantity (`newest_said`) print these values alike.
    `explained` says what the leading quantity compares, and may be empty. `notes` say how much the
    means of runs changed, here and in other languages.
    """

    figures: Sequence[EventFigure]
    dates: tuple[datetime, datetime]
    are_means: bool
    newest_at: datetime | None
    newest_said: str
    quantity: Quantity
    where: str
    subject: str
    explained: str
    notes: Sequence[str]
    courses: Sequence[ChartLine]
    supports: Sequence[Support]
    n_changed: int | None
    n_questions: int | None
    example: EventExample | None

    @property
    def axis_title(self) -> str:
        """`Czech: masculine forms in sentences about …, %`."""
        title = f"{self.where}: {self.subject}"
        return ", ".join(filter(None, (title, axis_unit(self.quantity.meaning.unit))))

    @property
    def counted(self) -> str:
        """Return what rows count, the last one aside, and of what: `masculine forms, runs of`."""
        words = " ".join(self.subject.split()[:2]) if len(self.figures) > 1 else ""
        return ", ".join(filter(None, (words, "" if self.are_means else "runs of")))

    def name_sides(self, event: ChangeEvent, zone: ZoneInfo) -> tuple[str, str]:
        """Return the heads of the columns of figures: days of runs, or what is averaged."""
        if self.are_means:
            return "mean before", f"mean since {say_short_day(event.changed_at, zone)}"
        before, after = (say_short_day(date, zone) for date in self.dates)
        return before, after

    def name_newest(self, zone: ZoneInfo) -> str:
        """Return the head of the column of newest values; empty without such a column."""
        return f"newest, {say_short_day(self.newest_at, zone)}" if self.newest_at else ""

    def say_differing(self, zone: ZoneInfo) -> str:
        """Return `Czech: 23 of 102 answers differ between 2 Mar and 9 Mar`; or nothing."""
        if self.n_changed is None or not self.n_questions:
            return ""
        before, after = (say_short_day(date, zone) for date in self.dates)
        counted = f"{self.n_changed:,} of {self.n_questions:,} answers"
        return f"{self.where}: {counted} differ between {before} and {after}"

    def chart(self, event: ChangeEvent, zone: ZoneInfo) -> TimeChart:
        """Return the chart of exactly the numbers of the card, with the event in it."""
        day = say_short_day(event.changed_at, zone)
        words = f"{day}: {'moved' if event.leading.our_part else 'changed'}"
        if event.leading.kind is ChangeKind.DRIFT:
            words = f"{event.began} {day}"
        is_confirmed = event.status is Status.CONFIRMED
        return TimeChart(
            event.headline, self.quantity, self.courses, zone,
            [Marker(event.changed_at, words, is_confirmed)], axis_title=self.axis_title,
        )  # fmt: skip


def read_details(
    connection: Connection,
    event: ChangeEvent,
    claim: ChangeClaim,
    *,
    quotes: bool,
    until: datetime | None = None,
) -> EventDetails:
    """Read what an event rests on; `claim` is that of its leading finding.

    Answers are quoted only where `quotes` is set. Runs that were due after `until` are left out.
    """
    before, after = claim.runs
    leading = event.leading
    quantity = names.find_quantity(leading.measure, leading.quantity, event.kind)
    drawn_rows = [
        (part, names.find_quantity(leading.measure, part.quantity, event.kind))
        for part in _read_parts(connection, event, quantity, claim.series.reference)
    ]
    subject, labels = _split_labels([about.meaning.label for _, about in drawn_rows])
    courses = [
        ChartLine(label, series.read_grid(connection, part.id, until=until))
        for label, (part, _) in zip(labels, drawn_rows, strict=True)
    ]
    is_drawn = [part.id for part, _ in drawn_rows] == [leading.series]
    own_ticks = (
        courses[0].ticks if is_drawn else series.read_grid(connection, leading.series, until=until)
    )
    measured = [
        (about, course.label, course.ticks)
        for (part, about), course in zip(drawn_rows, courses, strict=True)
        if part.id != leading.series
    ]
    measured.append((quantity, quantity.meaning.label, own_ticks))
    ends = _find_values(event, measured, (before.id, after.id))
    are_means, ends = not ends, ends or _find_means(event, measured)
    rows = [
        (about.meaning.unit, *values, ticks[-1].value if ticks else None)
        for (about, _, ticks), values in zip(measured, ends, strict=True)
    ]
    figures = [
        EventFigure(label, *words)
        for (_, label, _), words in zip(
            measured, say_figures(rows, has_change=are_means), strict=True
        )
    ]
    newest = own_ticks[-1] if own_ticks else None
    is_after = newest is None or (newest.run_id == after.id and not are_means)
    first, second = claim.dates
    example = _read_example(connection, claim, quantity, leading.effect) if quotes else None
    notes = _write_notes(event, claim)
    notes += [_NO_EXAMPLE] if quotes and claim.n_flips and example is None else []
    return EventDetails(
        figures=[figure for figure in figures if figure.before or figure.after or not are_means],
        dates=(first, second), are_means=are_means,
        newest_at=None if newest is None or is_after else newest.due_at,
        newest_said=figures[-1].newest,
        quantity=drawn_rows[0][1] if drawn_rows else quantity,
        where=names.target_words(leading.target, event.kind), subject=subject,
        explained=quantity.meaning.explained, notes=notes,
        courses=[
            replace(course, newest=figure.newest)
            for course, figure in zip(courses, figures, strict=False)
        ],
        supports=[_of_event(check, event) for check in check_support(claim)],
        n_changed=claim.changed, n_questions=claim.n,
        example=example,
    )  # fmt: skip


def _write_notes(event: ChangeEvent, claim: ChangeClaim) -> list[str]:
    """Return how much the leading quantity changed, here and in other languages.

    Where the interval reaches 0, they say that it is not that of the test, and what the test is.
    """
    leading, notes = event.leading, []
    if leading.said_effect:
        where = names.target_words(leading.target, event.kind)
        averaged = say_averaged(claim.change_kind, claim.facts)
        notes.append(f"{f'{where}, {averaged}' if averaged else where}: {leading.said_effect}.")
    is_unclear = _holds_zero(leading.low, leading.high)
    if is_unclear and event.status is Status.CONFIRMED and claim.order_said:
        notes.append(
            "This interval is about the two means and reaches 0; it decided nothing. Confirmed by "
            f"a test of the order of runs: {claim.order_said}"
        )
    for change in event.other_languages:
        is_rounded = change.said_effect == leading.said_effect and change.effect != leading.effect
        said = f"{change.said_effect or change.said}{', alike as rounded' if is_rounded else ''}"
        notes.append(f"{names.target_words(change.target, event.kind)}: {said}.")
    return notes


def _of_event(check: Support, event: ChangeEvent) -> Support:
    """Return a check of the leading finding, as far as it holds for all languages of the event."""
    if check.question != SOFTWARE_QUESTION or len(event.causes) == 1:
        return check
    return replace(check, holds=None, answer="in part", badge=event.cause_said)


def _read_parts(
    connection: Connection, event: ChangeEvent, quantity: Quantity, reference: str
) -> list[Series]:
    """Return the series that the chart of an event shows: those of its parts, else its own."""
    leading = event.leading
    filters = Filters(
        engine=event.engine, source_lang=leading.source_lang, target=leading.target,
        list=leading.list, measure=leading.measure, reference=reference, scope=ALL,
    )  # fmt: skip
    wanted_parts = quantity.meaning.parts if leading.scope == ALL else ()
    by_part = [
        series.find_series(connection, replace(filters, quantity=part)) for part in wanted_parts
    ]
    parts = [several[0] for several in by_part if several]
    this_series = series.get_series(connection, leading.series)
    return (
        parts if len(parts) == len(wanted_parts) and parts else [this_series] if this_series else []
    )


def _split_labels(labels: Sequence[str]) -> tuple[str, list[str]]:
    """Return all labels in one, with the words that all begin with said once, and their ends.

    What a sentence is about is said as that: `about women`, of stereotypes of women.
    """
    words = [label.split() for label in labels]
    if len(words) < 2:  # noqa: PLR2004 - one label shares nothing
        return join_names(list(labels)), list(labels)
    n_shared = 0
    while (
        all(len(word) > n_shared + 1 for word in words)
        and len({word[n_shared] for word in words}) == 1
    ):
        n_shared += 1
    shared, ends = words[0][:n_shared], [" ".join(word[n_shared:]) for word in words]
    about = "about " if "about" in shared else ""
    return " ".join([*shared, join_names(ends)]), [f"{about}{end}" for end in ends]


def _find_values(
    event: ChangeEvent, measured: Sequence[_Measured], runs: tuple[int, int]
) -> list[_Ends]:
    """Return quantities as the two runs on the sides of a step measured them.

    Empty for a drift, and where one run has no value of one of them.
    """
    if event.leading.kind is not ChangeKind.STEP:
        return []
    ends: list[_Ends] = []
    for _, _, ticks in measured:
        values = {tick.run_id: tick.value for tick in ticks}
        before, after = (values.get(run_id) for run_id in runs)
        if before is None or after is None:
            return []
        ends.append((before, after))
    return ends


def _find_means(event: ChangeEvent, measured: Sequence[_Measured]) -> list[_Ends]:
    """Return quantities as their own findings have them; None where the event has no such one."""
    leading = event.leading
    about = leading.scope, leading.source_lang, leading.target
    by_name = {
        change.quantity: (change.before, change.after)
        for change in reversed(event.changes)
        if (change.scope, change.source_lang, change.target) == about
    }
    return [by_name.get(quantity.name, (None, None)) for quantity, _, _ in measured]


def _read_example(
    connection: Connection, claim: ChangeClaim, quantity: Quantity, effect: float | None
) -> EventExample | None:
    """Return a short question whose answer went from one gender to the other, if there is one.

    It moved the quantity as the quantity changed, or there is none; of those it went the way that
    most went.
    """
    flips = []
    for flip in claim.flips:
        sides = flip.before, flip.after
        genders = tuple(side[0].said[:1] for side in sides if len(side) == 1)
        is_clear = all(said and said[0] in _CLEAR for said in genders)
        if len(genders) == len(sides) and is_clear and genders[0] != genders[1]:
            flips.append((genders, flip))
    ways = Counter(str(genders) for genders, _ in flips)
    short = [
        (genders, flip)
        for genders, flip in flips
        if len(flip.probe) <= _SHORT
        and _is_of_change(genders[1], flip.stereotype, quantity, effect)
    ]
    if not short:
        return None
    _, flip = min(short, key=lambda item: (-ways[str(item[0])], len(item[1].probe)))
    before, after = (_read_answer(connection, side[0]) for side in (flip.before, flip.after))
    return EventExample(flip.probe, claim.series.source_lang, claim.series.target, before, after)


@cache
def _read_abouts() -> dict[str, str]:
    """Return whom the sentences of each stereotype are about: women or men."""
    return {row["id"]: row["about"] for row in read_table("gest_stereotypes")}


def _is_of_change(
    after: Sequence[str], stereotype: str, quantity: Quantity, effect: float | None
) -> bool:
    """Return whether an answer of this gender now is known to move a quantity as it changed."""
    moves = quantity.meaning.masculine_effect
    about = _read_abouts().get(stereotype, "")
    moved = {"women": moves.women, "men": moves.men}.get(about, moves.unknown)
    if after[0] != GenderClass.MASCULINE:
        moved = -moved
    return moved * (effect or 0.0) > 0


def _read_answer(connection: Connection, answer: FlippedAnswer) -> AnswerPair:
    heard_parts = [
        part for part in run_answers.read_heard_parts(connection, answer.attempt) if part.witnesses
    ]
    witnesses = (
        heard_parts[0].witnesses if heard_parts and heard_parts[0].text == answer.text else ()
    )
    return AnswerPair(answer.attempt, answer.said[0], pieces(answer.text, witnesses))
