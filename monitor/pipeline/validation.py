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
from monitor.model import Cue, GenderClass, InvalidInput, Kind, StoreBusy, digest
from monitor.pipeline.changes.conclusion import settle_doubts
from monitor.pipeline.collect.run_starts import audit_of_run
from monitor.pipeline.derive.values import WITH_POINTS, ensure_points
from monitor.stages import validation as audit_sheet
from monitor.stages.validation import (
    AuditVerdict,
    judge_groups,
    known_doubts,
    list_doubts,
    note_changes,
)
from monitor.store import validation
from monitor.store.collect import runs
from monitor.store.collect.runs import Run
from monitor.store.database import Connection, Database
from monitor.store.derive import signals
from monitor.store.jobs import declarations
from monitor.store.journal import events
from monitor.store.validation import AuditedSystem, ClassifiedAnswer, Draw, DrawnStratum, SheetEntry

log = logging.getLogger(__name__)

_Key = tuple[str, str, str]  # target, cue, system; an empty system is all of them together
_ByProbe = Mapping[tuple[int, str], Sequence[ClassifiedAnswer]]


class _GatheredItems:
    """Stratum of a sample while it is gathered; a question of two lists counts once."""

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


def make_frame(
    connection: Connection, audit: Audit, run: Run, seed: str, per_class: int, *, by_system: bool
) -> list[DrawnStratum]:
    """Return what a run has to draw from, with so many of each called class drawn by the seed.

    Of every target language and cue apart, and of every system apart if wanted. Answers count as
    the present versions of parser and language read them. Named persons are not drawn: a sheet
    shows the translation alone, and they are read with their source.
    """
    entries: dict[_Key, _GatheredItems] = {}
    for system, language_id, list_id, by_probe in _read_systems(connection, audit, run):
        pair = system.source_lang, system.target
        for item in signals.read_asked_items(connection, list_id, pair):
            group = by_probe.get((item.probe, item.cue))
            if not group or item.cue == Cue.ENTITY:
                continue
            key = system.target, item.cue, system.name if by_system else ""
            gathered = entries.setdefault(key, _GatheredItems(language_id))
            if system not in gathered.systems:
                gathered.systems.append(system)
            gathered.add(group)
    return [
        _make_pool(key, item, seed, per_class) for key, item in sorted(entries.items()) if item.ids
    ]


def _read_systems(
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
            for probe_list in audit.lists:
                language = audit.job.find_language(target, probe_list.cues)
                language_id = runs.ensure_language(connection, language)
                if language_id not in read:
                    by_probe: dict[tuple[int, str], list[ClassifiedAnswer]] = defaultdict(list)
                    for answer in validation.read_classified_answers(
                        connection, run.id, engine_id, (parser_id, language_id)
                    ):
                        by_probe[answer.probe_id, answer.cue].append(answer)
                    read[language_id] = by_probe
                list_id = declarations.find_list_id(connection, probe_list)
                for source in probe_list.source_langs:
                    if use.asks_for(source, target):
                        system = AuditedSystem(
                            engine_id, use.label(engine), probe_list.label, source, target,
                            parser_id,
                        )  # fmt: skip
                        yield system, language_id, list_id, read[language_id]


def _make_pool(key: _Key, found: _GatheredItems, seed: str, per_class: int) -> DrawnStratum:
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
            cls: audit_sheet.order_numbers(seed, f"draw {'|'.join(key)} {cls}", group)[:per_class]
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


def draw_audit(
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
        choice = _run(connection, job, run)
    audit = audit_of_run(database, choice)
    position = choice.due_at.astimezone(UTC).isoformat()
    seed = seed or digest(["instrument audit", choice.job, position, choice.kind])[:16]
    with database.begin() as connection:
        ensure_points(connection, audit)  # what is read below is known then
    for _ in range(_TRIES):
        with database.read() as connection:
            stand = validation.count_run(connection, choice.id)
            pools = make_frame(connection, audit, choice, seed, per_class, by_system=by_system)
        if not pools:
            raise InvalidInput(
                f"run {choice.id} of {job} has no translation that the present rules have read: "
                "audits are of the speaker's gender in translations, or of pronouns, and not of "
                "named persons (`monitor redo` lets present rules read)"
            )
        written = _draw(choice, pools, seed, per_class, by_system=by_system)
        with database.begin() as connection:
            if validation.count_run(connection, choice.id) != stand:
                continue
            number, is_new = validation.store_draw(connection, written, now)
            return Drawn(
                number, choice, is_new, seed, pools, validation.read_sheet(connection, number)
            )
    raise StoreBusy(f"run {choice.id} of {job} is being changed; draw again when that has ended")


def _run(connection: Connection, job: str, number: int | None) -> Run:
    """The run that is drawn from. Raises InvalidInput."""
    all_runs = [run for run in runs.list_ended(connection, job) if run.kind in WITH_POINTS]
    chosen = all_runs if number is None else [run for run in all_runs if run.id == number]
    if chosen:
        return chosen[-1]
    if number is None:
        raise InvalidInput(f"no finished run of job {job!r}; `monitor status` lists the runs")
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
    all_values = [item for pool in pools for group in pool.drawn.values() for item in group]
    ordered = audit_sheet.order_numbers(seed, "sheet", all_values)
    # a letter first: a spreadsheet program takes 12e4 for a number
    keys = {item: f"k{digest([written, item])[:15]}" for item in ordered}
    return Draw(run.id, run.job, per_class, by_system, seed, written, pools, keys)


# --- what people read -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Imported:
    """Result of importing a sheet: new, changed and unchanged labels, and empty cells.

    `kept` are empty cells of items that this person labelled earlier: those labels stand.
    """

    audit_id: int
    new: int
    changed: int
    same: int
    empty: int
    kept: int
    left: int  # drawn items that are on another sheet or nowhere
    verdicts: Sequence[AuditVerdict]
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
        rows = audit_sheet.read_filled(given, validation.find_entries(connection, keys))
    text = {row.entry.item_id: row.cls for row in rows if row.cls is not None}
    empty = [row.entry.item_id for row in rows if row.cls is None]
    audit_id = rows[0].entry.audit_id
    with database.begin() as connection:
        validation.lock_audits(connection)
        before = known_doubts(connection)
        earlier = validation.read_rater_labels(connection, audit_id, rater)
        fresh = {item: cls for item, cls in text.items() if earlier.get(item) is not cls}
        validation.add_labels(connection, fresh, rater, sheet, now)
        all_verdicts = judge_groups(
            validation.read_groups(connection, [validation.find_job(connection, audit_id)])
        )
        raised, over = _read_alarms(connection, all_verdicts, now)
        n_drawn = len(validation.read_sheet(connection, audit_id))
        moved = note_changes(connection, before, known_doubts(connection), now)
    changed = sum(item in earlier for item in fresh)
    return Imported(
        audit_id=audit_id,
        new=len(fresh) - changed,
        changed=changed,
        same=len(text) - len(fresh),
        empty=len(empty),
        kept=sum(item in earlier for item in empty),
        left=n_drawn - len(rows),
        verdicts=[verdict for verdict in all_verdicts if verdict.group.audit_id == audit_id],
        raised=raised,
        over=over,
        findings=settle_doubts(database, now),
        moved=moved,
    )


def _read_alarms(
    connection: Connection, found: Sequence[AuditVerdict], now: datetime
) -> tuple[list[str], list[str]]:
    """Raise the alarm of every language of a job that is in doubt, end the others; what is new."""
    standing = {
        audit_sheet.write_subject(doubt.verdict.group): audit_sheet.say_fall(doubt.verdict)
        for doubt in list_doubts(found)
        if doubt.until is None
    }
    subjects = dict.fromkeys(audit_sheet.write_subject(verdict.group) for verdict in found)
    well = [about for about in subjects if about not in standing]
    raised, over = events.update_alarms(connection, SUSPECT, standing, well, now)
    for about in raised:
        log.warning("alarm raised: %s: %s: %s", SUSPECT, about, standing[about])
    return raised, over


# --- what is shown --------------------------------------------------------------------------------


def list_verdicts(database: Database, jobs: Sequence[str] | None = None) -> list[AuditVerdict]:
    """Every audited group of some jobs or of all, with its verdict."""
    with database.read() as connection:
        return judge_groups(validation.read_groups(connection, jobs))


def last_audited(database: Database, job: str, targets: Sequence[str], now: datetime) -> list[str]:
    """A sentence for each target language of a job: when it was audited last, or never."""
    with database.read() as connection:
        return audit_sheet.last_audited(targets, validation.read_groups(connection, [job]), now)
