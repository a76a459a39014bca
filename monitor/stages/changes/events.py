"""Change events: what moved in one system at one time, with every finding that tells of it.

A finding is about one quantity of one system and language. Quantities depend on each other, an
update of a system reaches several languages, and a search in retrospect finds again what was
confirmed: all of these are one event, that of an engine and of the day since which it differs.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from monitor.change import Cause, ChangeKind, Role, Status
from monitor.model import Kind, Quantity, QuantityUnit
from monitor.stages.changes import statements
from monitor.stages.changes.later_moves import (
    LaterMove,
    StandingFindings,
    find_later_move,
    group_standing,
    say_past,
)
from monitor.stages.changes.statements import OUR_CAUSES, is_updated, say_our_part
from monitor.stages.document.notation import capitalize_first, join_names
from monitor.stages.reports import names
from monitor.stages.reports.names import KnownEngines
from monitor.store.changes.findings import ListedChange
from monitor.store.changes.series import ALL
from monitor.text.counted_nouns import several
from monitor.text.quantity_values import say_change, say_change_interval, say_short_day, say_values

#: A signal found in retrospect belongs to an event at most so far away: a week and some hours.
_NEAR = timedelta(days=8)
#: A drift is found again as it goes on: findings with no longer between them are one event.
_GOES_ON = timedelta(days=28)
_STATUS_ORDER = (
    Status.CONFIRMED, Status.CANDIDATE, Status.UNCONFIRMED, Status.REFUTED, Status.RETROSPECTIVE,
)  # fmt: skip
_NO_RANK = 99
#: Systems that a headline names.
_NAMED = 3
_THEIR_CAUSES = {
    Cause.ENGINE: statements.CAUSE_NOT_OURS,
    Cause.OPEN: statements.CAUSE_UNKNOWN,
}
_OUR_CAUSE = "came from our side"


@dataclass(frozen=True, slots=True)
class EventChange:
    """One finding of an event: a quantity before and after, as fractions, with its 95 % interval.

    Values are None where none is stored. `unit` says how people read them, `label` what they are.
    `our_part` is what changed on our own side with it, empty where nothing did. `later` is the
    finding in which they moved again, or may have.
    """

    number: int
    series: int
    quantity: str
    label: str
    unit: QuantityUnit
    measure: str
    source_lang: str
    target: str
    list: str
    scope: str
    kind: ChangeKind
    role: Role
    status: Status
    before: float | None
    after: float | None
    effect: float | None
    low: float | None
    high: float | None
    our_part: str
    later: LaterMove | None

    @property
    def is_mean(self) -> bool:
        """Return whether values are means of runs, and not those of the two runs compared."""
        return self.role is Role.PRIMARY and self.status is Status.CONFIRMED

    @property
    def said(self) -> str:
        """The finding in words: `Stereotype gap: +88 points, was +40 points`."""
        label = capitalize_first(self.label)
        if self.before is None or self.after is None:
            return f"{label}: {self.said_effect or 'no size is stored'}"
        was, now = say_values(self.unit, self.before, self.after)
        of_runs = " (means of runs)" if self.is_mean else ""
        if self.later and self.later.until:
            return f"{label}: {now} {self.later.until}, {was} before{of_runs}"
        return f"{label}: {now}, was {was}{of_runs}"

    @property
    def said_effect(self) -> str:
        """Return how much it changed: `+48 points (95 % interval +40 to +55 points)`."""
        if self.effect is None:
            return ""
        interval = say_change_interval(self.unit, self.low, self.high)
        change = say_change(self.unit, self.effect)
        return f"{change} (95\N{NO-BREAK SPACE}% interval {interval})" if interval else change


@dataclass(frozen=True, slots=True)
class ChangeEvent:
    """Change of one system at one time; `changes` has the leading finding first.

    `number` is that of the leading finding, whose page is the event's permanent address. `cause` is
    that of the leading finding, `causes` has the (source, target) languages of each cause.
    `is_updated` says that our own software was updated with it, so that the system may not have
    changed.
    """

    number: int
    job: str
    engine: str
    system: str
    kind: Kind
    asked_in: str
    changed_at: datetime
    detected_at: datetime
    status: Status
    cause: Cause
    causes: Mapping[Cause, Sequence[tuple[str, str]]]
    headline: str
    is_updated: bool
    changes: Sequence[EventChange]

    @property
    def is_ours(self) -> bool:
        """Return whether the cause is on our own side, so that the system itself did not change."""
        return self.cause in OUR_CAUSES

    @property
    def is_of_system(self) -> bool:
        """Return whether the system changed, and nothing of ours with it."""
        return not (self.is_ours or self.is_updated)

    @property
    def began(self) -> str:
        """Return the words before the day of the event."""
        is_step = self.leading.kind is not ChangeKind.DRIFT
        return "from" if is_step and self.is_over else statements.say_began(self.leading.kind)

    @property
    def is_over(self) -> bool:
        """Return whether all values that the headline is about went back since."""
        return all(_went_back(change) for change in (self.leading, *self.other_languages))

    @property
    def leading(self) -> EventChange:
        """The finding that the headline is about."""
        return self.changes[0]

    @property
    def cause_said(self) -> str:
        """Return what caused it, for each group of languages where the causes differ."""
        return say_causes(self.causes, self.kind)

    @property
    def other_languages(self) -> list[EventChange]:
        """The same quantity in other languages or regions, as far as it is confirmed there."""
        leading = self.leading
        return [
            change
            for change in self.changes[1:]
            if (change.quantity, change.scope) == (leading.quantity, leading.scope)
            and (change.source_lang, change.target) != (leading.source_lang, leading.target)
            and change.status is self.status
        ]

    @property
    def said_later(self) -> list[tuple[LaterMove, str]]:
        """Return later moves of what the headline is about, each in words, by language."""
        about = [self.leading, *self.other_languages]
        where = [names.target_words(change.target, self.kind) for change in about]
        return [
            (later, f"{name}: {later.said}" if len(about) > 1 else later.sentence)
            for name, change in zip(where, about, strict=True)
            if (later := change.later)
        ]


def group_findings(findings: Sequence[ListedChange]) -> list[list[ListedChange]]:
    """Return findings by event, the newest event first.

    Findings of one engine with the same `changed_at` are one event. So are drifts of the same
    answers of which each follows the one before within four weeks, unless a series turns round. One
    found in retrospect joins the nearest event that was not, if that is at most eight days away.
    """
    events: dict[tuple[str, datetime], list[ListedChange]] = {}
    retrospective, drifts = [], []
    for finding in findings:
        if finding.kind == ChangeKind.SHIFT:
            retrospective.append(finding)
        elif finding.kind == ChangeKind.DRIFT:
            drifts.append(finding)
        else:
            events.setdefault((finding.engine, finding.changed_at), []).append(finding)
    last_drifts: dict[tuple[str, ...], list[ListedChange]] = {}
    for finding in sorted(drifts, key=lambda finding: finding.changed_at):
        group = last_drifts.get(_answers_key(finding))
        if group is None or not _goes_on(group, finding):
            group = events.setdefault((finding.engine, finding.changed_at), [])
        group.append(finding)
        last_drifts[_answers_key(finding)] = group
    tested = list(events)
    for finding in retrospective:
        distances = [
            (abs(this_moment - finding.changed_at), this_moment)
            for engine, this_moment in tested
            if engine == finding.engine
        ]
        distance, nearest = min(distances, default=(_NEAR * 2, finding.changed_at))
        moment = nearest if distance <= _NEAR else finding.changed_at
        events.setdefault((finding.engine, moment), []).append(finding)
    by_name = sorted(events.values(), key=lambda group: (group[0].job, group[0].engine))
    return sorted(by_name, key=lambda group: max(item.changed_at for item in group), reverse=True)


def _goes_on(group: Sequence[ListedChange], drift: ListedChange) -> bool:
    """Return whether a drift goes on with an event that has one of the same answers."""
    alike = [item for item in group if _answers_key(item) == _answers_key(drift)]
    is_turned = any(
        (item.effect or 0.0) * (drift.effect or 0.0) < 0
        for item in alike
        if item.series_id == drift.series_id
    )
    newest = max(item.changed_at for item in alike)
    return drift.changed_at - newest <= _GOES_ON and not is_turned


def _answers_key(finding: ListedChange) -> tuple[str, ...]:
    return finding.engine, finding.job, finding.list, finding.source_lang, finding.target


def describe_events(
    findings: Sequence[ListedChange],
    values: Mapping[int, tuple[float | None, float | None]],
    engines: KnownEngines,
    zone: ZoneInfo,
    every: Sequence[ListedChange] = (),
) -> list[ChangeEvent]:
    """Return the events that findings tell of, the newest first; parameters of `describe_event`.

    `every` finding that is known are these where none are given.
    """
    standing = group_standing(every or findings)
    return [
        describe_event(group, values, engines, zone, standing) for group in group_findings(findings)
    ]


def describe_event(
    findings: Sequence[ListedChange],
    values: Mapping[int, tuple[float | None, float | None]],
    engines: KnownEngines,
    zone: ZoneInfo,
    standing: StandingFindings,
) -> ChangeEvent:
    """Return the event of these findings; `values` are (before, after) by number of the finding.

    All `standing` findings that are known say whether values moved again later.
    """
    engine = engines[findings[0].engine]
    quantities = {
        finding.change_id: names.find_quantity(finding.measure, finding.quantity, engine.kind)
        for finding in findings
    }
    ordered = sorted(
        findings, key=lambda finding: _make_place(finding, quantities[finding.change_id])
    )
    leading = ordered[0]
    numbers = [finding.change_id for finding in ordered]
    changes = [
        _make_change(
            finding, quantities[finding.change_id], values.get(finding.change_id, (None, None)),
            find_later_move(
                finding, standing, quantities[finding.change_id].meaning.unit, numbers,
                lambda moment: say_short_day(moment, zone),
            ),
        )
        for finding in ordered
    ]  # fmt: skip
    same = [finding for finding in ordered if finding.status == leading.status]
    causes = _map_causes(same)
    event = ChangeEvent(
        number=leading.change_id, job=leading.job, engine=leading.engine, system=engine.title,
        kind=engine.kind,
        asked_in=names.say_pairs(
            [(change.source_lang, change.target) for change in same], engine.kind
        ),
        changed_at=leading.changed_at, detected_at=leading.detected_at,
        status=Status(leading.status), cause=Cause(leading.cause),
        causes=causes,
        headline="", is_updated=is_updated(leading.cause, leading.because), changes=changes,
    )  # fmt: skip
    headline = _say_headline(event, leading, _said_first(ordered, changes, quantities))
    return replace(event, headline=headline + _say_unknown(leading, causes))


def _make_place(finding: ListedChange, quantity: Quantity) -> tuple[object, ...]:
    """Return where a finding stands in its event: what is confirmed and of the whole list first."""
    return (
        _STATUS_ORDER.index(Status(finding.status)), finding.scope != ALL,
        finding.role != Role.PRIMARY, quantity.meaning.rank or _NO_RANK, finding.source_lang,
        finding.target, finding.list, finding.measure, finding.quantity, finding.change_id,
    )  # fmt: skip


def _said_first(
    ordered: Sequence[ListedChange],
    changes: Sequence[EventChange],
    quantities: Mapping[int, Quantity],
) -> tuple[ListedChange, Quantity]:
    """Return the finding whose words the headline has, and its quantity.

    Of what is as certain as the leading finding, about the same answers, the quantity that is said
    first: "more stereotypical" where that is known, else what is known. Where values went back
    since, they did so of this quantity.
    """
    leading = ordered[0]
    about = ("status", "scope", "source_lang", "target", "list", "measure", "reference")
    alike = [
        finding
        for finding, change in zip(ordered, changes, strict=True)
        if all(getattr(finding, name) == getattr(leading, name) for name in about)
        and _went_back(change) >= _went_back(changes[0])
    ]
    first = min(alike, key=lambda item: quantities[item.change_id].meaning.rank or _NO_RANK)
    return first, quantities[first.change_id]


def _make_change(
    finding: ListedChange,
    quantity: Quantity,
    values: tuple[float | None, float | None],
    later: LaterMove | None,
) -> EventChange:
    before, after = values
    return EventChange(
        number=finding.change_id, series=finding.series_id, quantity=finding.quantity,
        label=quantity.meaning.label, unit=quantity.meaning.unit, measure=finding.measure,
        source_lang=finding.source_lang, target=finding.target, list=finding.list,
        scope=finding.scope, kind=ChangeKind(finding.kind), role=Role(finding.role),
        status=Status(finding.status), before=before, after=after, effect=finding.effect,
        low=finding.low, high=finding.high,
        our_part=say_our_part(finding.cause, finding.because), later=later,
    )  # fmt: skip


def _went_back(change: EventChange) -> bool:
    return change.later is not None and change.later.is_back


def _say_headline(
    event: ChangeEvent, leading: ListedChange, said_first: tuple[ListedChange, Quantity]
) -> str:
    """Return the event in plain words, never more certain than its leading finding."""
    system, (finding, quantity) = event.system, said_first
    is_up = (finding.effect or 0.0) > 0
    verb = quantity.meaning.up if is_up else quantity.meaning.down
    cause = Cause(leading.cause)
    if leading.status == Status.REFUTED:
        return f"{system}: a possible change was not reproduced"
    if leading.status != Status.CONFIRMED:
        return f"{system}: unconfirmed signal ({quantity.meaning.label})"
    if cause in OUR_CAUSES:
        return f"{system}: its numbers moved, but {OUR_CAUSES[cause]}"
    if is_updated(leading.cause, leading.because):
        return f"{system}: its numbers moved when our own software was updated"
    scope = "" if finding.scope == ALL else " in a part of the questions"
    slowly = " after a slow drift" if finding.kind == ChangeKind.DRIFT else ""
    did = say_past(verb) if event.is_over else verb
    return f"{system} {did}{scope}{slowly}{_say_until(event)}"


def _say_until(event: ChangeEvent) -> str:
    """Return until when a headline held whose values went back since; empty where it holds."""
    untils: dict[str, list[str]] = {}
    for change in (event.leading, *event.other_languages):
        if change.later and change.later.is_back:
            targets = untils.setdefault(change.later.until, [])
            targets.append(names.target_words(change.target, event.kind))
    if event.is_over and len(untils) == 1:
        return f" {next(iter(untils))}"
    parts = [f"{until} for {join_names(targets)}" for until, targets in untils.items()]
    return f", {join_names(parts)}" if parts else ""


def say_systems(events: Sequence[ChangeEvent], pattern: str, zone: ZoneInfo) -> str:
    """Return `A changed since 2 Mar`, or `A (since 2 Mar) and B (since 16 Mar) changed`.

    `pattern` is a sentence about {}, such as `{} changed`.
    """
    days: dict[str, dict[str, None]] = {}
    for event in events:
        day = say_short_day(event.changed_at, zone)
        day = f"{statements.say_began(event.leading.kind)} {day}"
        days.setdefault(event.system, {})[day] = None
    began = {
        system: join_names(list(moments))
        if len(moments) <= 2  # noqa: PLR2004 - of more, the first one is said
        else f"{len(moments)} times {list(moments)[-1]}"
        for system, moments in days.items()
    }
    is_alike = len(set(began.values())) == 1
    systems = [system if is_alike else f"{system} ({moments})" for system, moments in began.items()]
    more = len(systems) - _NAMED
    named = systems if more <= 0 else [*systems[:_NAMED], several(more, "more system")]
    when = next(iter(began.values())) if is_alike else ""
    is_slow = any(event.leading.kind is ChangeKind.DRIFT for event in events)
    return " ".join(filter(None, (pattern.format(join_names(named)),
                                  f"({when})" if when and is_slow else when)))  # fmt: skip


def _map_causes(findings: Sequence[ListedChange]) -> dict[Cause, list[tuple[str, str]]]:
    """Return the (source, target) languages of each cause.

    Languages have the cause that is not the system's own, where their findings have several.
    """
    by_pair: dict[tuple[str, str], Cause] = {}
    for finding in findings:
        pair, cause = (finding.source_lang, finding.target), Cause(finding.cause)
        if by_pair.get(pair, Cause.ENGINE) == Cause.ENGINE:
            by_pair[pair] = cause
    pairs: dict[Cause, list[tuple[str, str]]] = {}
    for pair, cause in by_pair.items():
        pairs.setdefault(cause, []).append(pair)
    return pairs


def _say_unknown(leading: ListedChange, causes: Collection[Cause]) -> str:
    """Return what ends the headline of a confirmed event whose cause is open, at least in part."""
    if leading.status != Status.CONFIRMED or leading.cause in OUR_CAUSES:
        return ""
    return statements.say_unknown_cause(Cause.OPEN) if Cause.OPEN in causes else ""


def say_causes(causes: Mapping[Cause, Sequence[tuple[str, str]]], kind: Kind) -> str:
    """Return what caused a change, by language where causes differ."""
    words = {cause: _THEIR_CAUSES.get(cause, _OUR_CAUSE) for cause in causes}
    if len(causes) == 1:
        return words[next(iter(causes))]
    return "; ".join(f"{_say_asked(causes, cause, kind)}: {words[cause]}" for cause in causes)


def _say_asked(causes: Mapping[Cause, Sequence[tuple[str, str]]], cause: Cause, kind: Kind) -> str:
    """Return the languages of a cause, with those asked from where events have several."""
    is_one_source = len({source for pairs in causes.values() for source, _ in pairs}) == 1
    return (_say_targets if is_one_source else names.say_pairs)(causes[cause], kind)


def _say_targets(asked: Sequence[tuple[str, str]], kind: Kind) -> str:
    return join_names([names.target_words(target, kind) for _, target in asked])
