"""Content of a claim card: a published number with its evidence, declaration and audits.

It is read from the rows of a point or a change, and written as HTML, as text and for programs.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from operator import itemgetter
from typing import Any
from zoneinfo import ZoneInfo

from monitor.change import ChangeKind, Role, Status
from monitor.model import InvalidInput, Kind, State, Validity
from monitor.stages import validation as audit_verdict
from monitor.stages.changes import statements
from monitor.stages.changes.claim_support import say_doubts
from monitor.stages.changes.claims import (
    Again,
    AskedTwice,
    ChangeClaim,
    Claim,
    ClaimSeries,
    Declared,
    Flip,
    FlippedAnswer,
    InstrumentAudit,
    Noise,
    PointClaim,
    Value,
)
from monitor.stages.changes.due_times import UNKNOWN, OrderedChange, count_due_times
from monitor.stages.changes.later_moves import LaterMove, find_later_move, group_standing
from monitor.stages.changes.statements import missing_words
from monitor.stages.document import notation
from monitor.stages.document.time_chart import ChartLine, Marker, TimeChart, draw_time_chart
from monitor.stages.jobs import preregistration
from monitor.stages.jobs.preregistration import DeclarationSubject
from monitor.stages.reports import names
from monitor.stages.reports.claim_cards import WrittenCard, write_card
from monitor.stages.reports.names import language_name, titles_in
from monitor.stages.validation import AuditVerdict
from monitor.store import validation
from monitor.store.changes import changed_answers, findings, series
from monitor.store.changes.findings import FindingFilter
from monitor.store.collect import runs
from monitor.store.database import Connection
from monitor.store.jobs import declarations
from monitor.store.reports import claim_facts, run_answers, weekly_report
from monitor.store.reports.claim_facts import ClaimRun
from monitor.store.rows import group_rows
from monitor.store.validation import AuditGroup
from monitor.text.counted_nouns import several
from monitor.text.quantity_values import say_day, say_short_day

# --- declaration ----------------------------------------------------------------------------------

Row = dict[str, Any]


def declaration_of_change(
    connection: Connection, row: Mapping[str, Any], zone: ZoneInfo, until: datetime | None
) -> Declared:
    """Return whether a change was declared before the first run, and its runs were asked so.

    Without what was declared after `until`.
    """
    [runs] = preregistration.runs_of(connection, [row])
    job, detected_at = row["runs"][1].job, row["detected_at"]
    return _make_declared(
        connection, row, job, detected_at, (row["role"], row["kind"]), runs, zone, until
    )


def declaration_of_point(
    connection: Connection, row: Mapping[str, Any], role: Role, zone: ZoneInfo
) -> Declared:
    """The same of a point, which rests on one run."""
    job, due_at = row["runs"][0].job, row["due_at"]
    how = role, ChangeKind.STEP
    return _make_declared(connection, row, job, due_at, how, (row["run_id"],), zone)


def _make_declared(
    connection: Connection,
    row: Mapping[str, Any],
    job: str,
    at: datetime,
    how: tuple[str, str],
    runs: tuple[int, ...],
    zone: ZoneInfo,
    until: datetime | None = None,
) -> Declared:
    declaration = preregistration.of_job(connection, job, until)
    registered, tick, day = declaration.registered, 0, ""
    if registered:
        tick = len(weekly_report.read_due_ticks(connection, [job], at)[job])
        day = f"registered on {registered.registered_at:%Y-%m-%d}"
    about = DeclarationSubject(row["quantity"], row["target"], row["scope"], *how, tick, runs)
    because = preregistration.why_exploratory(declaration, about)
    label = f"confirmatory: {day} before the first run"
    if because is not None:
        label = f"exploratory: {preregistration.EXPLORATORY[because]}{f'; {day}' if day else ''}"
    behind = declaration.behind(runs)
    return Declared(
        confirmatory=because is None,
        because=because,
        said=label,
        hash=registered.hash if registered else "",
        departures=[item.row() for item in behind],
        departures_said=[
            f"{notation.when(item.due_at, zone)}, {item.kind} run {item.run_id}: "
            f"{'; '.join(item.differences)}"
            for item in behind
        ],
    )


# --- audits ---------------------------------------------------------------------------------------

#: Quantities that are the share of marked answers among all that were read of a list.
_MARKED_SHARES = frozenset({"marked_share", "occupation_marked_share", "said_marked_share"})
#: What is said where no audit is of the language and list of a number.
NOT_AUDITED = "How often our reading is right has not been audited for these answers."
#: A share of the same answers is the same number but for rounding.
_SAME = 1e-9


def describe_audits(
    connection: Connection,
    series: Mapping[str, Any],
    parts: Mapping[str, Any],
    run: ClaimRun,
    value: float | None,
    until: datetime | None = None,
) -> InstrumentAudit | None:
    """What is known of how rightly the answers behind a number were read; None where nobody reads.

    `series` names engine, languages, quantity and scope, `parts` are those of the signature, `run`
    has the list with its version. `value` is that of a point, None of a change. Where no audit is
    of this tick or an earlier one, the next later one of the same versions of rules and parser is
    named: a change is audited after it was found. In doubt it may be by a later one in any case,
    but by none of a run that was due after `until`.
    """
    if series["engine_kind"] != Kind.MT or not parts.get("cue"):
        return None
    all_verdicts = audit_verdict.judge_groups(validation.read_groups(connection, until=until))
    answers = _ReadAnswers(series, parts, run)
    choice = answers.choose_audit(all_verdicts)
    in_doubt = [
        f"{audit_verdict.write_subject(doubt.verdict.group)}: "
        f"{audit_verdict.say_fall(doubt.verdict)}"
        for doubt in audit_verdict.list_doubts(all_verdicts)
        if doubt.holds(series["target"], run.due_at, parts)
    ]
    if choice is None:
        text = answers.say_nearest(all_verdicts)
        return InstrumentAudit([text, *say_doubts(in_doubt)], in_doubt)
    row = audit_verdict.describe_group(choice)
    correction = None
    reason = answers.say_uncorrected(choice.group, value)
    if not reason:
        correction = row["marked_share"]
        reason = correction["reason"]
    corrected = f"Not corrected: {reason}"
    if correction is not None and correction["rate"] is not None:
        corrected = (
            f"Raw {correction['raw']:.3f}; corrected by the audit "
            f"{audit_verdict.write_estimate(correction)}. {audit_verdict.HOLDS}"
        )
    lines = [_audited(row, run.due_at), corrected, *say_doubts(in_doubt)]
    return InstrumentAudit(lines, in_doubt, row, correction, reason)


@dataclass(frozen=True, slots=True)
class _ReadAnswers:
    """The answers behind a number: of a series, in a run, read as the parts of a signature say."""

    series: Mapping[str, Any]
    parts: Mapping[str, Any]
    run: ClaimRun

    def are_of(self, group: AuditGroup) -> bool:
        """Return whether somebody read what the rules of their language called, by their cue."""
        is_target = group.target == self.series["target"]
        return bool(group.read) and is_target and group.cue in str(self.parts["cue"]).split("+")

    def are_alone_in(self, group: AuditGroup) -> bool:
        """Return whether nothing but the answers of this system was drawn from."""
        own_pair = self.series["source_lang"], self.series["target"]
        systems = {
            (system.engine_id, system.list, system.source_lang, system.target)
            for system in group.systems
        }
        return systems == {(self.series["engine_id"], self.run.list, *own_pair)}

    def choose_audit(self, every: Sequence[AuditVerdict]) -> AuditVerdict | None:
        """Return the audit that speaks of these answers; None where there is none.

        That is the newest one of their run or before it, of their system if it was drawn from
        alone; else, of the same versions of rules and parser, the first one after it.
        """
        due_at = self.run.due_at
        fitting = [
            verdict
            for verdict in every
            if self.are_of(verdict.group)
            and verdict.group.job == self.run.job
            and (not verdict.group.system or self.are_alone_in(verdict.group))
        ]
        earlier = [verdict for verdict in fitting if verdict.group.due_at <= due_at]
        alike = [
            verdict for verdict in fitting if audit_verdict.reads_alike(verdict.group, self.parts)
        ]
        return max(
            earlier or alike,
            key=lambda item: (
                -abs(item.group.due_at - due_at), self.are_alone_in(item.group),
                item.group.drawn_at,
            ),
            default=None,
        )  # fmt: skip

    def say_nearest(self, every: Sequence[AuditVerdict]) -> str:
        """Say that no audit speaks of these answers, and of what the nearest of their list is."""
        of_list = [
            verdict.group
            for verdict in every
            if self.are_of(verdict.group)
            and any(system.list == self.run.list for system in verdict.group.systems)
        ]
        if not of_list:
            return NOT_AUDITED
        nearest = max(
            of_list,
            key=lambda item: (
                item.job == self.run.job, not item.system or self.are_alone_in(item), item.due_at,
                item.drawn_at,
            ),
        )  # fmt: skip
        if nearest.job != self.run.job:
            why = f"of the answers of job {nearest.job}"
        elif nearest.system and not self.are_alone_in(nearest):
            why = f"of the answers of {nearest.system} alone"
        else:
            why = "of later answers, read by other versions of rules or parser"
        return (
            f"The audit of this language and list, audit {nearest.audit_id} of run "
            f"{nearest.run_id} ({nearest.due_at:%Y-%m-%d}), is {why}; how often our reading of "
            "these is right is not known."
        )

    def say_uncorrected(self, group: AuditGroup, value: float | None) -> str:
        """Return why a number is not corrected by an audit; empty where it can be."""
        if self.series["quantity"] not in _MARKED_SHARES or self.series["scope"] != "all":
            return audit_verdict.NOT_CORRECTED
        if value is None:
            return "A change is not corrected: the audit is of the answers of one run."
        if group.run_id != self.run.id:
            return (
                f"The audit is of run {group.run_id}, and corrects the answers of that run alone."
            )
        if not self.are_alone_in(group):
            return (
                "The audit drew from several engines or lists together (monitor audit draw "
                "--by-system draws from each)."
            )
        if group.language_version != self.parts.get("language_version"):
            return "The audit is of another version of our rules."
        raw = audit_verdict.marked_share(group).raw
        if raw is None or abs(raw - value) > _SAME:
            return (
                "The value counts answers in another way than the audit: repeats, or a part of "
                "them."
            )
        return ""


def _audited(found: Row, due_at: datetime) -> str:
    age = due_at - found["due_at"]
    old = f", {age.days} days before" if age > audit_verdict.OLD else ""
    if found["due_at"] > due_at:
        after = several((-age).days, "day")
        old = f", {after} after these, read by the same versions of rules and parser"
    people = "1 person" if found["n_raters"] == 1 else f"all of {found['n_raters']} people"
    return (
        f"Our rules for {language_name(found['language'])} (version {found['language_version']}) "
        f"were audited on answers of run {found['run_id']} ({found['due_at']:%Y-%m-%d}{old}), "
        f"audit {found['audit_id']}: in {found['right']} of {found['read']} texts drawn at random "
        f"by detected form, {people} read the same form. Weighted by how often each form was "
        f"detected, {audit_verdict.write_estimate(found['right_share'])} are right."
    )


# --- content --------------------------------------------------------------------------------------

_ALL = slice(None)
#: What a claim says of a change as it is stored.
_STORED = (
    "changed_at", "before", "after", "p", "q", "alpha", "p_beyond", "alpha_beyond", "status",
    "cause", "because",
)  # fmt: skip


def card_of_change(
    connection: Connection, number: int, zone: ZoneInfo, address: str = ""
) -> WrittenCard:
    """Return the card of a change. Raises InvalidInput where there is none of this number.

    `address` is where people open the pages of this archive, if they can.
    """
    claim = read_change_claim(connection, number, zone)
    return write_card(add_chart(connection, claim, zone), zone, address)


def read_change_claim(
    connection: Connection,
    number: int,
    zone: ZoneInfo,
    some: slice = _ALL,
    until: datetime | None = None,
) -> ChangeClaim:
    """Return what the card of a change says. Raises InvalidInput as `card_of_change` does.

    `some` are the questions with other answers whose words are wanted. Declarations, audits and
    runs after `until` are left out.
    """
    row = claim_facts.read_change(connection, number)
    if row is None:
        raise InvalidInput(f"no change {number} in this database; see `monitor series changes`")
    compared = row["between"] or {}
    facts = compared.get("facts") or {}
    of = changed_answers.find_scope(connection, row["series_id"])
    differing_questions = changed_answers.find_differing(
        connection, of, row["before_run_id"], row["after_run_id"]
    )
    common = _read_common(connection, row, compared.get("signature_id"))
    cues = str(common["parts"].get("cue") or "").split("+")
    ordered = OrderedChange(*(row[name] for name in ("id", *OrderedChange._fields[1:])))
    times = count_due_times(connection, row["runs"][1].job, [ordered]).get(number, UNKNOWN)
    return ChangeClaim(
        **common,
        **{name: row[name] for name in _STORED},
        kind="change",
        number=number,
        claim=row["sentence"],
        replaced_said="" if row["is_current"] else _replaced(connection, row, zone),
        effect=Value(row["effect"], row["low"], row["high"]),
        components=claim_facts.read_components(connection, row, common["series"].meaning.parts),
        bounds=(facts.get("bound_low"), facts.get("bound_high")),
        missing_suspect=bool(facts["missing_suspect"]) if "missing_suspect" in facts else None,
        missing=missing_words(facts),
        missing_counts=(facts.get("became_missing", 0), facts.get("was_missing", 0)),
        n=compared.get("n"),
        changed=compared.get("changed"),
        left_out={
            "usable before alone": compared.get("only_before"),
            "usable after alone": compared.get("only_after"),
        },
        test=row["comparison"] and row["comparison"]["test"],
        order_said=statements.say_order(row["kind"], row["status"], row["facts"], times),
        holds_beyond=statements.holds_beyond(row["p_beyond"], row["alpha_beyond"]),
        beyond_said=statements.say_beyond(
            row["kind"], row["role"], row["status"], row["p_beyond"], row["alpha_beyond"]
        ),
        size_said=statements.say_size(row["facts"], times),
        change_kind=row["kind"],
        facts=dict(row["facts"]),
        due_times=times,
        status_said=statements.STATUS[row["status"]],
        again=_again(row["confirm"], until),
        noise=_read_noise(connection, row, row["detected_at"]),
        declared=declaration_of_change(connection, row, zone, until),
        dates=[run.due_at for run in row["runs"]],
        moved_again=_read_later_move(connection, row, common["series"], zone, until),
        n_flips=len(differing_questions),
        flips=_read_flips(connection, differing_questions[some], cues),
        instrument_audit=describe_audits(
            connection, row, common["parts"], row["runs"][1], None, until
        ),
    )


def _read_later_move(
    connection: Connection,
    row: Mapping[str, Any],
    series: ClaimSeries,
    zone: ZoneInfo,
    until: datetime | None,
) -> LaterMove | None:
    """Return the finding in which values moved again after a confirmed change, if any."""
    known_findings = [
        finding
        for finding in findings.list_changes(connection, FindingFilter(job=row["runs"][1].job))
        if finding.series_id == row["series_id"] and (until is None or finding.detected_at <= until)
    ]
    this = next((finding for finding in known_findings if finding.change_id == row["id"]), None)
    if this is None:
        return None
    standing, unit = group_standing(known_findings), series.meaning.unit
    return find_later_move(this, standing, unit, (), lambda moment: say_day(moment, zone))


def _replaced(connection: Connection, row: Mapping[str, Any], zone: ZoneInfo) -> str:
    """Return why a change is no longer in force, as a sentence."""
    decision = claim_facts.find_replacement(connection, row)
    if decision is None:
        return "It was computed anew since."
    day = notation.format_day(decision["computed_at"], zone)
    words = f"Its run was decided anew on {day}, by this rule: {decision['rule']}."
    if decision["change_id"] is None:
        return f"{words} By it no change is confirmed there."
    status = statements.STATUS[decision["status"]]
    return f"{words} Change {decision['change_id']} takes its place ({status})."


def _read_flips(
    connection: Connection,
    differing: Sequence[changed_answers.DifferingQuestion],
    cues: Sequence[str],
) -> list[Flip]:
    """Return the questions with other answers: where both sides are kept, and what decided."""
    words = changed_answers.add_words(connection, differing)
    answers = [answer for flip in words for answer in (*flip.before, *flip.after)]
    heard_parts = run_answers.read_heard_parts_of(
        connection, [answer.attempt_id for answer in answers]
    )

    def make_sides(flip: changed_answers.ChangedAnswer) -> Iterator[list[FlippedAnswer]]:
        for side in (flip.before, flip.after):
            yield [
                FlippedAnswer(
                    answer.attempt_id, list(answer.said), answer.text, answer.sha256,
                    _list_witnesses(answer.text, heard_parts.get(answer.attempt_id, ()), cues),
                )
                for answer in side
            ]  # fmt: skip

    return [
        Flip(flip.key, flip.tags.get("stereotype", ""), flip.probe, *make_sides(flip))
        for flip in words
    ]


def _list_witnesses(
    text: str, heard: Sequence[run_answers.HeardPart], cues: Sequence[str]
) -> list[Row]:
    """Return the words that decided in an answer, by the newest rules; none of several parts."""
    newest = next((part for part in heard if part.cue in cues), None)
    if newest is None or newest.text != text:
        return []
    return [dict(witness) for witness in newest.witnesses]


def add_chart(connection: Connection, claim: Claim, zone: ZoneInfo) -> Claim:
    """Return a claim with the chart of its series, which has the change in it."""
    about, markers = claim.series, []
    if isinstance(claim, ChangeClaim):
        changed_at, status = claim.changed_at, Status(claim.status)
        words = (
            f"{statements.say_when(claim.change_kind, say_short_day(changed_at, zone))}: {status}"
        )
        markers.append(Marker(changed_at, words, status is Status.CONFIRMED))
    chart = TimeChart(
        title=names.write_title(asdict(about)),
        quantity=about.find_quantity(),
        lines=[ChartLine("", series.read_grid(connection, about.series_id))],
        markers=markers, zone=zone,
    )  # fmt: skip
    return replace(claim, chart=draw_time_chart(chart, "claim", (760, 300)))


def card_of_point(
    connection: Connection, number: int, zone: ZoneInfo, address: str = ""
) -> WrittenCard:
    """Return the card of a point. Raises InvalidInput where there is none of this number."""
    claim = read_point_claim(connection, number, zone)
    return write_card(add_chart(connection, claim, zone), zone, address)


def read_point_claim(connection: Connection, number: int, zone: ZoneInfo) -> PointClaim:
    """Return what the card of a point says. Raises InvalidInput as `card_of_point` does."""
    row = claim_facts.read_point(connection, number)
    if row is None:
        raise InvalidInput(f"no point {number} in this database; see `monitor series show`")
    common = _read_common(connection, row, row["signature_id"])
    return PointClaim(
        **common,
        kind="point",
        number=number,
        claim=_say_sentence(row),
        replaced_said="" if row["is_current"] else "It was computed anew since.",
        state=row["state"],
        reason=row["reason"],
        effect=Value(row["value"], row["low"], row["high"]),
        bounds=(row["bound_low"], row["bound_high"]),
        n=row["used"],
        left_out={
            "planned": row["planned"],
            "answered": row["answered"],
            "not identified": row["unidentified"],
        },
        flags=list(row["flags"]),
        noise=_read_noise(connection, row, row["due_at"]),
        declared=declaration_of_point(connection, row, _read_role(connection, row), zone),
        dates=[row["due_at"]],
        instrument_audit=describe_audits(
            connection, row, common["parts"], row["runs"][0], row["value"]
        ),
    )


def _read_role(connection: Connection, row: Mapping[str, Any]) -> Role:
    """Return whether a point is that of a control engine, which is never tested."""
    controls = names.control_labels(runs.read_job_content(connection, row["run_id"]))
    return Role.WITNESS if row["engine"] in controls else Role.PRIMARY


def _say_sentence(row: Mapping[str, Any]) -> str:
    quantity = f"{row['quantity']} of {row['engine']}, {_say_pair(row)}, list {row['list']}"
    scope = "" if row["scope"] == "all" else f", {row['scope_title'] or row['scope']}"
    if row["state"] != State.MEASURED:
        return f"{quantity}{scope}: {row['state']}, no value ({row['reason']})."
    return f"{quantity}{scope}: {row['value']:z.3f}, {_say_interval(row['low'], row['high'])}."


def _say_interval(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return "without an interval"
    return f"95 % interval {low:z.3f} to {high:z.3f}"


def _say_pair(row: Mapping[str, Any]) -> str:
    return names.pair_words(row["source_lang"], row["target"], row["engine_kind"])


def _read_common(connection: Connection, row: Mapping[str, Any], signature: int | None) -> Row:
    """Return fields of a claim: what the number is about, how it was made, and what it means."""
    measure = names.find_measure(row["measure"], row["engine_kind"])
    hashed, parts = claim_facts.read_signature(connection, signature) if signature else ("", {})
    title = next(
        (q.title for q in measure.quantities if q.name == row["quantity"]) if measure else iter(()),
        row["quantity"],
    )
    job = runs.read_job_content(connection, row["runs"][-1].id)
    return {
        "series": ClaimSeries(
            **{name: row[name] for name in ClaimSeries.__slots__[:-1]},
            engine_title=titles_in(job)(row["engine"]),
        ),
        "title": title,
        "pair": _say_pair(row),
        "config": dict(row["config"]),
        "runs": row["runs"],
        "signature": hashed,
        "parts": dict(parts),
        "validity": _describe_validity(measure.validity if measure else None),
        "citation": measure.citation if measure else "",
        "is_current": row["is_current"],
        "invented": declarations.read_invented(connection).sentence(names_jobs=False),
    }


def _describe_validity(known: Validity | None) -> Row:
    if known is None:
        return {}
    return {
        "What it means": known.means,
        "What it does not mean": known.does_not_mean,
        "What it takes for granted": known.assumes,
        "Whom it may harm, and how": known.harm,
    }


def _again(row: Mapping[str, Any] | None, until: datetime | None) -> Again | None:
    """Return what was found when the questions were asked again, and what that was held against."""
    if row is None or (until is not None and row["due_at"] > until):
        return None
    return Again(**{name: row[name] for name in Again.__slots__})


def _read_noise(connection: Connection, row: Mapping[str, Any], until: datetime) -> Noise:
    """Return how much moves when nothing changes, as far as that was asked."""
    by_kind = group_rows(
        claim_facts.read_noise(connection, row["series_id"], until), itemgetter("contrast")
    )
    contrasts = {
        kind: AskedTwice(
            ticks=len(group),
            changed=sum(entry["changed"] for entry in group),
            asked=sum(entry["n"] for entry in group),
            largest=max(abs(entry["delta"]) for entry in group),
        )
        for kind in ("minutes", "days")
        if (group := by_kind.get(kind))
    }
    return Noise(row.get("noise"), row.get("statistic"), contrasts)
