"""Recompute kept runs that lack the present versions of parsers, languages and measures.

A stage that has seen all of a run with a version has left a mark; a run lacks what has none.
`Audits` and what follows compute the values of a kept run and write nothing.

New readings, signals and points stand beside the old ones, and charts go over to a new signature
once it is complete. What was done stays done at whatever moment this ends, and the next time goes
on from there: a step that has seen all of a run leaves a mark, and within a run only rows that are
not there are made.
"""

import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from monitor import settings
from monitor.fetch.local import Hands, Underway
from monitor.jobs import Audit
from monitor.model import (
    InvalidInput,
    Json,
    Kind,
    MissingPart,
    StoreBusy,
    StoreFull,
    StoreGone,
    StoreProblem,
    canonical_json,
    digest,
    primary,
)
from monitor.pipeline.collect.lookups import Snapshot, see_people
from monitor.pipeline.collect.run_context import Progress, Stop, never
from monitor.pipeline.collect.run_starts import audit_of, audit_of_run, turn_of_run
from monitor.pipeline.derive import corpora
from monitor.pipeline.derive.corpora import gather_texts
from monitor.pipeline.derive.lexicons import landing_collection
from monitor.pipeline.derive.readings import (
    Work,
    find_signals,
    list_readers,
    parser_mark,
    read_answers,
    signal_mark,
)
from monitor.pipeline.derive.values import (
    WITH_POINTS,
    Computed,
    changed_controls,
    compute_values,
    date_instrument,
    ensure_points,
    keep_titles,
    list_instruments,
    store_value,
    switch,
    with_extractors,
)
from monitor.pipeline.derive.withheld_values import say_lost
from monitor.pipeline.schedule.leases import Turn, TurnLost, Turns
from monitor.stages.derive.measurement import Instrument
from monitor.stages.jobs.plan import shows_people
from monitor.stages.validation import newest_change
from monitor.store.collect import runs
from monitor.store.collect.runs import Run
from monitor.store.database import Connection, Database, connect
from monitor.store.derive import people, readings, signatures
from monitor.store.jobs import declarations
from monitor.store.journal import events
from monitor.store.schedule import tasks
from monitor.text.counted_nouns import several

# --- missing versions -----------------------------------------------------------------------------

#: What follows in a mark of values says which change of what is in doubt they have seen.
_DOUBTS = "+doubts:"
_AUDITED = "an audit put other ticks in doubt than before"
#: Parts that say which measure on which list it is: between two of these nothing is "new".
_SAME = ("measure", "parameters", "parser", "list", "language", "block", "text")


class DerivationStep(StrEnum):
    """Steps of a derivation, in order."""

    PARSE = "parse"
    SIGNAL = "signal"
    MEASURE = "measure"


STEPS = tuple(DerivationStep)

#: The marks of each step.
Marks: TypeAlias = Mapping[DerivationStep, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Lack:
    """Marks that a run lacks for each step, and the new versions in words.

    `is_newer`: parts of ours are of another version; else only what is known beside them is.
    """

    run: Run
    answers: int
    marks: Marks = field(default_factory=dict)
    why: tuple[str, ...] = ()
    is_newer: bool = False

    @property
    def steps(self) -> tuple[DerivationStep, ...]:
        """The steps that are to be done, in order."""
        return tuple(step for step in STEPS if self.marks.get(step))


def list_marks(connection: Connection, audit: Audit, run: Run) -> Marks:
    """The marks that the present versions leave on a run, by step."""
    reading_parts = [
        signal_mark(target, language, engine) for engine, target, language in list_readers(audit)
    ]
    computed = [measure_mark(connection, audit, run)] if run.kind in WITH_POINTS else []
    return {
        DerivationStep.PARSE: tuple(
            dict.fromkeys(parser_mark(engine) for _, engine in audit.engines)
        ),
        DerivationStep.SIGNAL: tuple(dict.fromkeys(reading_parts)),
        DerivationStep.MEASURE: tuple(computed),
    }


def find_lack(connection: Connection, audit: Audit, run: Run) -> Lack:
    """Return what a run lacks of the present versions."""
    done = runs.list_stages(connection, run.id)
    entries = {
        step: tuple(mark for mark in group if (str(step), mark) not in done)
        for step, group in list_marks(connection, audit, run).items()
    }
    if not any(entries.values()):
        return Lack(run, 0)
    why = [
        " ".join(word.partition("+")[0] for word in mark.split())  # without digests of contents
        for mark in (*entries[DerivationStep.PARSE], *entries[DerivationStep.SIGNAL])
    ]
    if entries[DerivationStep.MEASURE]:
        values = {without_doubts(mark) for step, mark in done if step == DerivationStep.MEASURE}
        is_same = {without_doubts(item) for item in entries[DerivationStep.MEASURE]} <= values
        why += [_AUDITED] if is_same else _new_parts(connection, audit, run)
    words = tuple(dict.fromkeys(why)) or ("newer inputs",)
    return Lack(run, readings.count_answers(connection, run.id), entries, words, is_newer=bool(why))


# --- values ---------------------------------------------------------------------------------------


def measure_mark(connection: Connection, audit: Audit, run: Run) -> str:
    """A digest of all that decides the values of a run beside its answers, readings and signals.

    Signatures, the labels, pages and shares that are known by now, and the same of the run before,
    where changes are measured. Behind it the newest change of what audits have put in doubt.
    """
    stored: list[object] = [sorted(changed_controls(connection, audit, run))]
    for instrument in _present(connection, audit, run):
        reference = instrument.reference
        shares = len(reference.known) if isinstance(reference, Snapshot) else 0
        stored.append([digest(instrument.signature), shares])
    stored += corpora.make_mark(connection, audit, run)
    if Kind.SEARCH in audit.job.kinds:
        before = runs.find_previous(connection, run)
        stored += [
            declarations.find_newest_ids(connection, number, landing_collection(number))
            for number in (run.id, before)
            if number
        ]
        if before:
            stages = runs.list_stages(connection, before)
            stored.append(sorted(mark for step, mark in stages if step == DerivationStep.PARSE))
    reading_parts = {
        primary(target)
        for use, engine in audit.engines
        if engine.kind is Kind.MT
        for target in use.wanted
    }
    changed = newest_change(connection, reading_parts, run.due_at)
    return digest(stored) + (f"{_DOUBTS}{changed}" if changed else "")


def without_doubts(mark: str) -> str:
    """A mark of values without what audits have put in doubt, which changes no number."""
    return mark.partition(_DOUBTS)[0]


def _present(connection: Connection, audit: Audit, run: Run) -> Iterator[Instrument]:
    """Every instrument of a run as of now; those of several targets may be the same."""
    for use, engine in audit.engines:
        for target in use.wanted:
            for instrument in list_instruments(audit, engine, target):
                yield with_extractors(connection, run, date_instrument(connection, instrument))


def _new_parts(connection: Connection, audit: Audit, run: Run) -> list[str]:
    """Return what differs between the signatures of a run's points and those of now, in words."""
    all_values = signatures.read_run_signatures(connection, run)
    entries: dict[str, None] = {}
    for instrument in _present(connection, audit, run):
        parts = instrument.signature
        if digest(parts) in all_values:
            continue
        alike = [old for old in all_values.values() if _same(old, parts)]
        entries |= dict.fromkeys(_different(alike[-1], parts) if alike else [f"{instrument.name}"])
    return list(entries)


def _same(old: Mapping[str, Json], new: Mapping[str, Json]) -> bool:
    if str(old.get("reference")).partition("@")[0] != str(new.get("reference")).partition("@")[0]:
        return False
    return all(old.get(name) == new.get(name) for name in _SAME)


def _different(old: Mapping[str, Json], new: Mapping[str, Json]) -> Iterable[str]:
    for name in sorted({*old, *new}):
        before, after = (canonical_json(all_values.get(name)) for all_values in (old, new))
        if before != after:
            owner = name.removesuffix("_version")  # the part does not say itself whose it is
            value = new.get(owner) if owner != name else ""
            where = f"{value}: " if isinstance(value, str) and value else ""
            yield f"{where}{name} {before} -> {after}"


#: Runs of one job mostly have the same files.
_JOBS_KEPT = 8


class Audits:
    """Jobs as they stood when runs were begun; those of the same files are read once."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._of_bundle = lru_cache(_JOBS_KEPT)(lambda number: audit_of(database, number))

    def of(self, run: Run) -> Audit:
        """The job of a run. Raises InvalidInput, StoreProblem."""
        if run.bundle_id is None:
            return audit_of_run(self._database, run)
        return self._of_bundle(run.bundle_id)


@dataclass(frozen=True, slots=True)
class ToCompute:
    """A run whose values are wanted, and by which versions it was read."""

    url: str = field(repr=False)  # it may hold a password
    bodies: Path
    run_id: int
    read_by: tuple[str, ...]


def compute_portion(order: ToCompute) -> list[Computed]:
    """The values of a run. Raises InvalidInput where the versions here are others."""
    database, audits = _opened(order.url, order.bodies)
    with database.read() as connection:
        run = runs.get_run(connection, order.run_id)
        audit = audits.of(run)
        this_marks = list_marks(connection, audit, run)
    if (*this_marks[DerivationStep.PARSE], *this_marks[DerivationStep.SIGNAL]) != order.read_by:
        raise InvalidInput("this program was updated meanwhile; start again")
    return list(compute_values(database, audit, run))


@lru_cache(1)
def _opened(url: str, folder: Path) -> tuple[Database, Audits]:
    database = connect(url, folder)
    return database, Audits(database)


# --- recomputation --------------------------------------------------------------------------------


class RedoTally:
    """Counts answers, each once for every step, and stops where that is wanted."""

    def __init__(self, progress: Progress, planned: int, stop: Stop, give_way: Stop) -> None:
        self._progress, self._planned = progress, planned
        self._stop, self._give_way = stop, give_way
        self._done = self._left = 0
        progress("redo", 0, planned)

    def begin(self, answers: int) -> None:
        """A step begins that has so many answers to do, some of them perhaps done before."""
        self._left = answers

    def add(self, some: int) -> None:
        """So many more are done. Raises KeyboardInterrupt."""
        some = min(some, self._left)
        self._left -= some
        self._done += some
        self._progress("redo", self._done, self._planned)
        self.check()
        if self._give_way():
            raise KeyboardInterrupt

    def check(self) -> None:
        """Raise KeyboardInterrupt where it is to stop."""
        if self._stop():
            raise KeyboardInterrupt

    def end(self) -> None:
        """The step has seen all."""
        self.add(self._left)


#: Fewer answers are quicker read in one process than others are begun.
_WORTH_OTHERS = 20_000

_TAKEN = "another process works on it"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A run that cannot be derived anew, and why."""

    run: Run
    reason: str


@dataclass(slots=True)
class Redone:
    """Result of a recomputation: derived runs, new points, series that changed signature."""

    runs: int = 0
    points: int = 0
    switched: int = 0
    left_out: list[LeftOut] = field(default_factory=list)


# --- what is to be done ---------------------------------------------------------------------------


def to_redo(
    database: Database,
    wanted: Iterable[Run],
    first: DerivationStep = DerivationStep.PARSE,
    audits: Audits | None = None,
) -> tuple[list[Lack], list[LeftOut]]:
    """(runs that lack something from this step on, runs that cannot be derived from that step).

    Values of what an earlier step has not read yet would be values of nothing. `audits` are jobs
    that were read before.
    """
    audits = audits or Audits(database)
    todo: list[Lack] = []
    left_out: list[LeftOut] = []
    for run in wanted:
        try:
            audit = audits.of(run)
            with database.read() as connection:
                this_lack = find_lack(connection, audit, run)
        except (InvalidInput, MissingPart, StoreProblem) as error:
            _raise_if_general(error)
            left_out.append(LeftOut(run, str(error)))
            continue
        early = [step for step in this_lack.steps if STEPS.index(step) < STEPS.index(first)]
        if early:
            reason = f"{early[0]} was not done with the present versions; use --from {early[0]}"
            left_out.append(LeftOut(run, reason))
        elif this_lack.steps:
            todo.append(this_lack)
    return todo, left_out


def would_lose(database: Database, audits: Audits, one: Lack) -> str:
    """Why values would go from charts were a run derived anew, whose answers are gone; or "".

    Raises InvalidInput, MissingPart, StoreProblem.
    """
    if DerivationStep.PARSE not in one.steps or one.run.kind not in WITH_POINTS:
        return ""
    audit = audits.of(one.run)
    with database.begin() as connection:
        ensure_points(connection, audit)
    with database.read() as connection:
        return say_lost(connection, audit, one.run)


def _raise_if_general(error: Exception) -> None:
    """What is no fault of one run ends the whole."""
    if isinstance(error, StoreGone | StoreFull | StoreBusy):
        raise error


# --- doing it -------------------------------------------------------------------------------------


def redo(
    database: Database,
    todo: Sequence[Lack],
    progress: Progress,
    stop: Stop = never,
    processes: int = 0,
    give_way: Stop = never,
    last: DerivationStep = DerivationStep.MEASURE,
) -> Redone:
    """Do what runs lack, in their order, and let charts go over to what is complete then.

    With so many processes; 0 is one for each core where that is worth it. `last` is MEASURE, or
    SIGNAL where no values are wanted yet. Raises KeyboardInterrupt once `stop` says so, or
    `give_way` where nothing that was done is lost by it; and StoreProblem where the database is
    away or full.
    """
    done = Redone()
    wanted_steps = STEPS[: STEPS.index(last) + 1]
    planned = sum(lack.answers * len(set(lack.steps) & set(wanted_steps)) for lack in todo)
    tally = RedoTally(progress, planned, stop, give_way)
    is_much = sum(lack.answers for lack in todo) >= _WORTH_OTHERS
    processes = processes or (len(os.sched_getaffinity(0)) if is_much else 1)
    with Hands(processes) as hands, Turns(database) as turns:
        shift = _Shift(database, hands, turns, tally, done, last)
        for lack in todo:
            shift.take_up(lack)
        shift.settle(0)
    done.switched = switch(database)
    return done


def redo_run(
    database: Database,
    run: Run,
    first: DerivationStep,
    progress: Progress,
    stop: Stop = never,
    give_way: Stop = never,
) -> Redone | None:
    """The same for one run, in this process; None while another works on it.

    Raises InvalidInput where it cannot be derived anew.
    """
    todo, left_out = to_redo(database, [run], first)
    done = redo(database, todo, progress, stop, processes=1, give_way=give_way)
    for left_out_runs in [*left_out, *done.left_out]:
        if left_out_runs.reason == _TAKEN:
            return None
        raise InvalidInput(left_out_runs.reason)
    return done


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A run whose values are being computed."""

    lack: Lack
    turn: Turn
    mark: str
    begun: Underway[Iterable[Computed]]


class _Shift:
    """Takes runs up one after another; their values are computed while the next one is read."""

    def __init__(
        self,
        database: Database,
        hands: Hands,
        turns: Turns,
        tally: RedoTally,
        done: Redone,
        last: DerivationStep,
    ) -> None:
        self._database, self._hands, self._turns = database, hands, turns
        self._tally, self._done, self._last = tally, done, last
        self._audits = Audits(database)
        self._waiting: deque[_Waiting] = deque()

    def take_up(self, one: Lack) -> None:
        """Read and find what is lacking, have the values computed, store those of runs before."""
        turn = self._turns.take(turn_of_run(one.run.id))
        if turn is None:
            self._done.left_out.append(LeftOut(one.run, _TAKEN))
            return
        try:
            self._waiting.append(self._begun(one, turn))
        except (InvalidInput, MissingPart, StoreProblem, TurnLost) as error:
            self._leave_out(one, turn, error)
            return
        self.settle(self._hands.processes - 1)

    def settle(self, most: int) -> None:
        """Store the values of runs until those of so many are still being computed."""
        while len(self._waiting) > most:
            first = self._waiting.popleft()
            try:
                self._store(first)
            except (InvalidInput, MissingPart, StoreProblem, TurnLost) as error:
                self._leave_out(first.lack, first.turn, error)

    def _leave_out(self, one: Lack, turn: Turn, error: Exception) -> None:
        _raise_if_general(error)
        self._turns.give_back(turn)
        reason = _TAKEN if isinstance(error, TurnLost) else str(error)
        self._done.left_out.append(LeftOut(one.run, reason))

    def _begun(self, one: Lack, turn: Turn) -> _Waiting:
        database, run = self._turns.fenced(self._database, turn), one.run
        audit = self._audits.of(run)
        work = Work(self._hands, self._tally.add)
        if DerivationStep.PARSE in one.steps:
            self._tally.begin(one.answers)
            read_answers(database, audit, run, work)
            _see(database, audit, run)
            self._tally.end()
        if DerivationStep.SIGNAL in one.steps or DerivationStep.PARSE in one.steps:
            self._tally.begin(one.answers if DerivationStep.SIGNAL in one.steps else 0)
            find_signals(database, audit, run, work)
            self._tally.end()
        gather_texts(database, audit, run)
        with database.begin() as connection:
            ensure_points(connection, audit)
            keep_titles(connection)
            known_marks = list_marks(connection, audit, run)
        needed = known_marks[DerivationStep.MEASURE] if self._last is DerivationStep.MEASURE else ()
        [mark] = needed or ("",)
        values = self._values(audit, run, known_marks) if mark else Underway(tuple)
        return _Waiting(one, turn, mark, values)

    def _values(self, audit: Audit, run: Run, known: Marks) -> Underway[Iterable[Computed]]:
        if self._hands.processes <= 1:
            return Underway(lambda: compute_values(self._database, audit, run))
        url = self._database.writer.url.render_as_string(hide_password=False)
        read_by = (*known[DerivationStep.PARSE], *known[DerivationStep.SIGNAL])
        return self._hands.begin_portion(
            compute_portion, ToCompute(url, self._database.bodies, run.id, read_by)
        )

    def _store(self, one: _Waiting) -> None:
        database, run = self._turns.fenced(self._database, one.turn), one.lack.run
        for result in one.begun.result():
            with database.begin() as connection:
                self._done.points += store_value(connection, run, result)[0]
            self._tally.check()
        with database.begin() as connection:
            runs.store_coverage(connection, run.id)
            if one.mark:
                runs.mark_stage(connection, run.id, DerivationStep.MEASURE, one.mark)
        self._turns.give_back(one.turn)
        self._done.runs += 1
        if DerivationStep.MEASURE in one.lack.steps and self._last is DerivationStep.MEASURE:
            self._tally.begin(one.lack.answers)
            self._tally.end()


def _see(database: Database, audit: Audit, run: Run) -> None:
    """Say of what a new parser has read whom it shows; who is not known is not looked up."""
    if not shows_people(audit):
        return
    key = settings.load().address_key.get_secret_value()
    with database.begin() as connection:
        everybody = see_people(connection, audit, run, key)
        people.publish_labels(connection, list(everybody), datetime.now(UTC))


# --- tasks of recomputation -----------------------------------------------------------------------


def plan_redo(database: Database, some: Iterable[Run], first: str, detail: str) -> None:
    """Plan a task for each run, from a step on; `detail` says why, in an event for each job."""
    by_job: dict[str, list[Run]] = {}
    for run in some:
        by_job.setdefault(run.job, []).append(run)
    for job, job_runs in by_job.items():
        with database.begin() as connection:
            # before the tasks: those that are done after it are counted
            words = f"{several(len(job_runs), 'run')}, {detail}"
            events.add_event(connection, tasks.REDO_PLANNED, job, words, now=datetime.now(UTC))
            for run in job_runs:
                tasks.plan_redo(connection, run.id, first)
