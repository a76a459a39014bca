"""Audits of the instrument: draw what our rules called, take in what people read, and judge.

A sample of the translations of a run that have a class is written down before anybody reads it.
Filled rows become labels, the alarm `instrument_suspect`, and findings whose cause is another now.
(`monitor.jobs.Audit` is something else: a job with its files.)
"""

import logging
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from monitor.jobs import Audit
from monitor.model import GenderClass, InvalidInput, Kind, StoreBusy, digest
from monitor.pipeline.changes.conclusion import settle
from monitor.pipeline.collect.run_starts import audit_of_run
from monitor.pipeline.derive.values import WITH_POINTS, ensure
from monitor.pipeline.validation.instrument_checks import known_doubts, note
from monitor.stages.validation import audits as audit_sheet
from monitor.stages.validation.audits import Verdict, doubts, verdicts
from monitor.store.collect import runs
from monitor.store.collect.runs import Run
from monitor.store.database import Connection, Database
from monitor.store.derive import signals
from monitor.store.jobs import lists
from monitor.store.journal import events
from monitor.store.validation import audits
from monitor.store.validation.audits import (
    AuditedSystem,
    ClassifiedAnswer,
    Draw,
    DrawnStratum,
    SheetEntry,
)

log = logging.getLogger(__name__)

_Key = tuple[str, str, str]  # target, cue, system; an empty system is all of them together
_ByProbe = Mapping[tuple[int, str], Sequence[ClassifiedAnswer]]


class _Gathered:
    """What is drawn from apart, while it is gathered; a question of two lists counts once."""

    def __init__(self, language_id: int) -> None:
        self.language_id = language_id
        self.systems: list[AuditedSystem] = []
        self.ids: dict[int, GenderClass] = {}
        self.left_out: set[int] = set()  # attempts

    def add(self, some: Sequence[ClassifiedAnswer]) -> None:
        """Take in the answers to one question."""
        for classified_answer in some:
            if classified_answer.agreement_id is None:
                self.left_out.add(classified_answer.attempt_id)
            else:
                self.ids[classified_answer.agreement_id] = classified_answer.cls


def frame(
    connection: Connection, audit: Audit, run: Run, seed: str, per_class: int, *, by_system: bool
) -> list[DrawnStratum]:
    """What a run has to draw from, with so many of each called class drawn by the seed.

    Of every target language and cue apart, and of every system apart if wanted. Answers count as
    the present versions of parser and language read them.
    """
    found: dict[_Key, _Gathered] = {}
    for system, language_id, list_id, by_probe in _systems(connection, audit, run):
        pair = system.source_lang, system.target
        for item in signals.read_asked_items(connection, list_id, pair):
            some = by_probe.get((item.probe, item.cue))
            if not some:
                continue
            key = system.target, item.cue, system.name if by_system else ""
            here = found.setdefault(key, _Gathered(language_id))
            if system not in here.systems:
                here.systems.append(system)
            here.add(some)
    return [_pool(key, one, seed, per_class) for key, one in sorted(found.items()) if one.ids]


def _systems(
    connection: Connection, audit: Audit, run: Run
) -> Iterator[tuple[AuditedSystem, int, int, _ByProbe]]:
    """(system, language id, list id, answers by question) of every translator of a job."""
    for use, engine in audit.engines:
        if engine.kind is not Kind.MT:
            continue
        engine_id = runs.ensure_engine(connection, engine, use)
        parser_id = runs.ensure_plugin(connection, "engines", engine.name, engine.version)
        read: dict[int, _ByProbe] = {}
        for target in use.wanted:
            language_id = runs.ensure_language(connection, audit.job.find_language(target))
            if language_id not in read:
                versions = parser_id, language_id
                classified_answers = audits.read_classified_answers(
                    connection, run.id, engine_id, versions
                )
                read[language_id] = _by_probe(classified_answers)
            for probe_list in audit.lists:
                list_id = lists.find_list_id(connection, probe_list)
                for source in probe_list.source_langs:
                    if use.asks_for(source, target):
                        system = AuditedSystem(
                            engine_id, use.label(engine), probe_list.label, source, target,
                            parser_id,
                        )  # fmt: skip
                        yield system, language_id, list_id, read[language_id]


def _by_probe(some: Sequence[ClassifiedAnswer]) -> _ByProbe:
    grouped_classified_answers: dict[tuple[int, str], list[ClassifiedAnswer]] = defaultdict(list)
    for classified_answer in some:
        grouped_classified_answers[classified_answer.probe_id, classified_answer.cue].append(
            classified_answer
        )
    return grouped_classified_answers


def _pool(key: _Key, found: _Gathered, seed: str, per_class: int) -> DrawnStratum:
    """So many of each called class, drawn at random without putting back."""
    target, cue, system = key
    by_class: dict[GenderClass, list[int]] = {}
    for number, cls in sorted(found.ids.items()):
        by_class.setdefault(cls, []).append(number)
    ordered = {cls: by_class[cls] for cls in GenderClass if cls in by_class}
    return DrawnStratum(
        target=target,
        cue=cue,
        system=system,
        systems=found.systems,
        language_id=found.language_id,
        left_out=len(found.left_out),
        frame={cls: len(group) for cls, group in ordered.items()},
        drawn={
            cls: audit_sheet.order(seed, f"draw {'|'.join(key)} {cls}", group)[:per_class]
            for cls, group in ordered.items()
        },
    )


#: A run that is another each time it is looked at is read so often.
_TRIES = 3
#: The alarm of a language whose rules are in doubt.
SUSPECT = "instrument_suspect"


# --- drawing --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Drawn:
    """An audit that was drawn, now or before: its number, its run, and what stands on its sheet."""

    audit_id: int
    run: Run
    is_new: bool
    seed: str
    pools: Sequence[DrawnStratum]
    entries: Sequence[SheetEntry] = field(repr=False)


def draw(
    database: Database,
    job: str,
    now: datetime,
    *,
    run: int | None = None,
    per_class: int = 20,
    by_system: bool = False,
    seed: str = "",
) -> Drawn:
    """Draw an audit of a job's newest finished run, or of one run, and write down what was drawn.

    The same draw of the same answers is written down once, and its sheet can be had again. Raises
    InvalidInput where there is nothing to draw.
    """
    with database.read() as connection:
        chosen = _run(connection, job, run)
    audit = audit_of_run(database, chosen)
    at = chosen.due_at.astimezone(UTC).isoformat()
    seed = seed or digest(["instrument audit", chosen.job, at, chosen.kind])[:16]
    with database.begin() as connection:
        ensure(connection, audit)  # what is read below is known then
    for _ in range(_TRIES):
        with database.read() as connection:
            stand = audits.count_run(connection, chosen.id)
            pools = frame(connection, audit, chosen, seed, per_class, by_system=by_system)
        if not pools:
            raise InvalidInput(
                f"run {chosen.id} of {job} has no translation that the present rules have read: "
                "audits are of gender in translations (`monitor redo` lets present rules read)"
            )
        written = _draw(chosen, pools, seed, per_class, by_system=by_system)
        with database.begin() as connection:
            if audits.count_run(connection, chosen.id) != stand:
                continue
            number, is_new = audits.store_draw(connection, written, now)
            return Drawn(number, chosen, is_new, seed, pools, audits.read_sheet(connection, number))
    raise StoreBusy(f"run {chosen.id} of {job} is being changed; draw again when that has ended")


def _run(connection: Connection, job: str, number: int | None) -> Run:
    """The run that is drawn from. Raises InvalidInput."""
    known = [one for one in runs.list_ended(connection, job) if one.kind in WITH_POINTS]
    if number is None and known:
        return known[-1]
    if number is None:
        raise InvalidInput(f"no finished run of job {job!r}; `monitor status` lists the runs")
    for one in known:
        if one.id == number:
            return one
    raise InvalidInput(
        f"run {number} is no finished run of job {job!r} (runs that ask a part again are not drawn "
        "from); `monitor status` lists the runs"
    )


def _draw(
    run: Run, pools: Sequence[DrawnStratum], seed: str, per_class: int, *, by_system: bool
) -> Draw:
    """The draw with its digest, and keys that tell nothing, in the order of the sheet."""
    content = [
        [pool.target, pool.cue, pool.system, pool.language_id, [s.plain for s in pool.systems],
         pool.left_out, dict(pool.frame), {cls: list(group) for cls, group in pool.drawn.items()}]
        for pool in pools
    ]  # fmt: skip
    written = digest([run.job, run.due_at.isoformat(), run.id, seed, per_class, by_system, content])
    every = [one for pool in pools for some in pool.drawn.values() for one in some]
    ordered = audit_sheet.order(seed, "sheet", every)
    # a letter first: a spreadsheet program takes 12e4 for a number
    keys = {one: f"k{digest([written, one])[:15]}" for one in ordered}
    return Draw(run.id, run.job, per_class, by_system, seed, written, pools, keys)


# --- what people read -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Imported:
    """What a sheet brought: labels that are new, others now, or the same, and empty cells.

    `kept` are empty cells of items that this person labelled earlier: those labels stand.
    """

    audit_id: int
    new: int
    changed: int
    same: int
    empty: int
    kept: int
    left: int  # drawn items that are on another sheet or nowhere
    verdicts: Sequence[Verdict]
    raised: Sequence[str] = ()
    over: Sequence[str] = ()
    #: rows written anew because the cause is another; None where they wait to be decided
    findings: int | None = 0
    moved: int = 0  # stretches of ticks that are in doubt otherwise than before


def import_sheet(
    database: Database,
    given: Sequence[tuple[str, Mapping[str, str | None]]],
    rater: str,
    sheet: str,
    now: datetime,
) -> Imported:
    """Take in a filled sheet as (place, row) and judge anew; `sheet` is the SHA-256 of the file.

    All rows are checked before any is kept. Nothing is written over. What is in doubt otherwise now
    is written down with the labels: were this to end before findings are decided anew, `settle`
    does it later. Raises InvalidInput.
    """
    with database.read() as connection:
        keys = {audit_sheet.key_of(row) for _, row in given}
        rows = audit_sheet.read(given, audits.find_entries(connection, keys))
    said = {row.entry.item_id: row.cls for row in rows if row.cls is not None}
    empty = [row.entry.item_id for row in rows if row.cls is None]
    audit_id = rows[0].entry.audit_id
    with database.begin() as connection:
        audits.lock_audits(connection)
        before = known_doubts(connection)
        earlier = audits.read_rater_labels(connection, audit_id, rater)
        fresh = {item: cls for item, cls in said.items() if earlier.get(item) is not cls}
        audits.add_labels(connection, fresh, rater, sheet, now)
        found = verdicts(audits.read_groups(connection, [audits.find_job(connection, audit_id)]))
        raised, over = _alarms(connection, found, now)
        drawn = len(audits.read_sheet(connection, audit_id))
        moved = note(connection, before, known_doubts(connection), now)
    changed = sum(item in earlier for item in fresh)
    return Imported(
        audit_id=audit_id,
        new=len(fresh) - changed,
        changed=changed,
        same=len(said) - len(fresh),
        empty=len(empty),
        kept=sum(item in earlier for item in empty),
        left=drawn - len(rows),
        verdicts=[one for one in found if one.group.audit_id == audit_id],
        raised=raised,
        over=over,
        findings=settle(database, now),
        moved=moved,
    )


def _alarms(
    connection: Connection, found: Sequence[Verdict], now: datetime
) -> tuple[list[str], list[str]]:
    """Raise the alarm of every language of a job that is in doubt, end the others; what is new."""
    standing = {
        audit_sheet.subject(one.verdict.group): one.verdict
        for one in doubts(found)
        if one.until is None
    }
    raised = []
    for about, one in standing.items():
        detail = audit_sheet.fall(one)
        if events.raise_alarm(connection, SUSPECT, about, detail, now):
            log.warning("alarm raised: %s: %s: %s", SUSPECT, about, detail)
            raised.append(about)
    every = dict.fromkeys(audit_sheet.subject(verdict.group) for verdict in found)
    well = [about for about in every if about not in standing]
    return raised, [one for one in well if events.resolve_alarm(connection, SUSPECT, one, now)]


# --- what is shown --------------------------------------------------------------------------------


def known(database: Database, jobs: Sequence[str] | None = None) -> list[Verdict]:
    """Every audited group of some jobs or of all, with its verdict."""
    with database.read() as connection:
        return verdicts(audits.read_groups(connection, jobs))


def last_audited(database: Database, job: str, targets: Sequence[str], now: datetime) -> list[str]:
    """A sentence for each target language of a job: when it was audited last, or never."""
    with database.read() as connection:
        return audit_sheet.last_audited(targets, audits.read_groups(connection, [job]), now)
