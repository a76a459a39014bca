"""Derive kept runs anew where they lack the present versions; no engine is asked.

New readings, signals and points stand beside the old ones, and charts go over to a new signature
once it is complete. What was done stays done at whatever moment this ends, and the next time goes
on from there: a step that has seen all of a run leaves a mark, and within a run only rows that are
not there are made.
"""

import os
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from monitor import settings
from monitor.fetch.local import Hands, Underway
from monitor.jobs import Audit
from monitor.model import (
    InvalidInput,
    MissingPart,
    StoreBusy,
    StoreFull,
    StoreGone,
    StoreProblem,
)
from monitor.pipeline.begin import turn_of_run
from monitor.pipeline.computing import (
    WITH_POINTS,
    Computed,
    ensure,
    keep,
    keep_titles,
    switch,
    values,
)
from monitor.pipeline.egress_check import lost_to
from monitor.pipeline.gathering import gather
from monitor.pipeline.looking_up import see_people, shows_people
from monitor.pipeline.reading import Work, find_signals, read_answers
from monitor.pipeline.staleness import (
    STEPS,
    Audits,
    Lack,
    Marks,
    Step,
    ToCompute,
    computed,
    lack,
    marks,
)
from monitor.pipeline.steps import Progress, Stop, never
from monitor.pipeline.turns import Turn, TurnLost, Turns
from monitor.store.collect import coverage, runs
from monitor.store.collect.runs import Run
from monitor.store.database import Database
from monitor.store.derive import people


class Tally:
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
    """What became of a redo: runs that were derived, new points, series that went over."""

    runs: int = 0
    points: int = 0
    switched: int = 0
    left_out: list[LeftOut] = field(default_factory=list)


# --- what is to be done ---------------------------------------------------------------------------


def to_redo(
    database: Database,
    wanted: Iterable[Run],
    first: Step = Step.PARSE,
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
                found = lack(connection, audit, run)
        except (InvalidInput, MissingPart, StoreProblem) as error:
            _raise_if_general(error)
            left_out.append(LeftOut(run, str(error)))
            continue
        early = [step for step in found.steps if STEPS.index(step) < STEPS.index(first)]
        if early:
            reason = f"{early[0]} was not done with the present versions; use --from {early[0]}"
            left_out.append(LeftOut(run, reason))
        elif found.steps:
            todo.append(found)
    return todo, left_out


def would_lose(database: Database, audits: Audits, one: Lack) -> str:
    """Why values would go from charts were a run derived anew, whose answers are gone; or "".

    Raises InvalidInput, MissingPart, StoreProblem.
    """
    if Step.PARSE not in one.steps or one.run.kind not in WITH_POINTS:
        return ""
    audit = audits.of(one.run)
    with database.begin() as connection:
        ensure(connection, audit)
    with database.read() as connection:
        return lost_to(connection, audit, one.run)


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
    last: Step = Step.MEASURE,
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
    tally = Tally(progress, planned, stop, give_way)
    with Hands(processes or _enough(todo)) as hands, Turns(database) as turns:
        shift = _Shift(database, hands, turns, tally, done, last)
        for lack in todo:
            shift.take_up(lack)
        shift.settle(0)
    done.switched = switch(database)
    return done


def redo_run(
    database: Database,
    run: Run,
    first: Step,
    progress: Progress,
    stop: Stop = never,
    give_way: Stop = never,
) -> Redone | None:
    """The same for one run, in this process; None while another works on it.

    Raises InvalidInput where it cannot be derived anew.
    """
    todo, left_out = to_redo(database, [run], first)
    done = redo(database, todo, progress, stop, processes=1, give_way=give_way)
    for one in [*left_out, *done.left_out]:
        if one.reason == _TAKEN:
            return None
        raise InvalidInput(one.reason)
    return done


def _enough(todo: Sequence[Lack]) -> int:
    if sum(lack.answers for lack in todo) < _WORTH_OTHERS:
        return 1
    return len(os.sched_getaffinity(0))


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
        tally: Tally,
        done: Redone,
        last: Step,
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
        except TurnLost:
            self._leave_out(one, turn, InvalidInput(_TAKEN))
        except (InvalidInput, MissingPart, StoreProblem) as error:
            self._leave_out(one, turn, error)
            return
        self.settle(self._hands.processes - 1)

    def settle(self, most: int) -> None:
        """Store the values of runs until those of so many are still being computed."""
        while len(self._waiting) > most:
            first = self._waiting.popleft()
            try:
                self._store(first)
            except TurnLost:
                self._leave_out(first.lack, first.turn, InvalidInput(_TAKEN))
            except (InvalidInput, MissingPart, StoreProblem) as error:
                self._leave_out(first.lack, first.turn, error)

    def _leave_out(self, one: Lack, turn: Turn, error: Exception) -> None:
        _raise_if_general(error)
        self._turns.give_back(turn)
        self._done.left_out.append(LeftOut(one.run, str(error)))

    def _begun(self, one: Lack, turn: Turn) -> _Waiting:
        database, run = self._turns.fenced(self._database, turn), one.run
        audit = self._audits.of(run)
        work = Work(self._hands, self._tally.add)
        if Step.PARSE in one.steps:
            self._tally.begin(one.answers)
            read_answers(database, audit, run, work)
            _see(database, audit, run)
            self._tally.end()
        if Step.SIGNAL in one.steps or Step.PARSE in one.steps:
            self._tally.begin(one.answers if Step.SIGNAL in one.steps else 0)
            find_signals(database, audit, run, work)
            self._tally.end()
        gather(database, audit, run)
        with database.begin() as connection:
            ensure(connection, audit)
            keep_titles(connection)
            known_marks = marks(connection, audit, run)
        wanted = known_marks[Step.MEASURE] if self._last is Step.MEASURE else ()
        [mark] = wanted or ("",)
        return _Waiting(one, turn, mark, self._values(audit, run, known_marks) if mark else _none())

    def _values(self, audit: Audit, run: Run, known: Marks) -> Underway[Iterable[Computed]]:
        if self._hands.processes <= 1:
            return Underway(lambda: values(self._database, audit, run))
        url = self._database.writer.url.render_as_string(hide_password=False)
        read_by = (*known[Step.PARSE], *known[Step.SIGNAL])
        return self._hands.begin_portion(
            computed, ToCompute(url, self._database.bodies, run.id, read_by)
        )

    def _store(self, one: _Waiting) -> None:
        database, run = self._turns.fenced(self._database, one.turn), one.lack.run
        for found in one.begun.result():
            with database.begin() as connection:
                self._done.points += keep(connection, run, found)[0]
            self._tally.check()
        with database.begin() as connection:
            coverage.store_coverage(connection, run.id)
            if one.mark:
                runs.mark_stage(connection, run.id, Step.MEASURE, one.mark)
        self._turns.give_back(one.turn)
        self._done.runs += 1
        if Step.MEASURE in one.lack.steps and self._last is Step.MEASURE:
            self._tally.begin(one.lack.answers)
            self._tally.end()


def _none() -> Underway[Iterable[Computed]]:
    return Underway(lambda: ())


def _see(database: Database, audit: Audit, run: Run) -> None:
    """Say of what a new parser has read whom it shows; who is not known is not looked up."""
    if not shows_people(audit):
        return
    key = settings.load().address_key.get_secret_value()
    with database.begin() as connection:
        everybody = see_people(connection, audit, run, key)
        people.publish_labels(connection, list(everybody), datetime.now(UTC))
