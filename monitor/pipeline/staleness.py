"""What kept runs lack of the present versions of parsers, languages and measures, and why.

A stage that has seen all of a run with a version has left a mark; a run lacks what has none.
`Audits` and what follows compute the values of a kept run and write nothing.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from monitor.jobs import Audit
from monitor.model import InvalidInput, Json, Kind, canonical_json, digest, primary
from monitor.pipeline import gathering
from monitor.pipeline.begin import audit_of, audit_of_run
from monitor.pipeline.computing import WITH_POINTS, Computed, changed_controls, values
from monitor.pipeline.instruments import dated, instruments, with_extractors
from monitor.pipeline.looking_up import Snapshot
from monitor.pipeline.reading import parser_mark, signal_mark
from monitor.pipeline.suspecting import newest_change
from monitor.pipeline.wording import landing_collection
from monitor.stages.derive.measurement import Instrument
from monitor.store.collect import runs
from monitor.store.collect.runs import Run
from monitor.store.database import Connection, Database, connect
from monitor.store.derive import readings, signatures
from monitor.store.jobs import run_inputs

#: What follows in a mark of values says which change of what is in doubt they have seen.
_DOUBTS = "+doubts:"
_AUDITED = "an audit put other ticks in doubt than before"
#: Parts that say which measure on which list it is: between two of these nothing is "new".
_SAME = ("measure", "parameters", "parser", "list", "language", "block", "text")


class Step(StrEnum):
    """What deriving consists of, in order."""

    PARSE = "parse"
    SIGNAL = "signal"
    MEASURE = "measure"


STEPS = tuple(Step)

#: The marks of each step.
Marks: TypeAlias = Mapping[Step, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Lack:
    """What a run lacks: the marks of each step that are not there, and in words which are new.

    `is_newer`: parts of ours are of another version; else only what is known beside them is.
    """

    run: Run
    answers: int
    marks: Marks = field(default_factory=dict)
    why: tuple[str, ...] = ()
    is_newer: bool = False

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps that are to be done, in order."""
        return tuple(step for step in STEPS if self.marks.get(step))


def marks(connection: Connection, audit: Audit, run: Run) -> Marks:
    """The marks that the present versions leave on a run, by step."""
    heard = [
        signal_mark(target, audit.job.find_language(target), engine)
        for use, engine in audit.engines
        if engine.kind is Kind.MT
        for target in use.wanted
    ]
    computed = [measure_mark(connection, audit, run)] if run.kind in WITH_POINTS else []
    return {
        Step.PARSE: tuple(dict.fromkeys(parser_mark(engine) for _, engine in audit.engines)),
        Step.SIGNAL: tuple(dict.fromkeys(heard)),
        Step.MEASURE: tuple(computed),
    }


def lack(connection: Connection, audit: Audit, run: Run) -> Lack:
    """What a run lacks of the present versions."""
    done = runs.list_stages(connection, run.id)
    found = {
        step: tuple(mark for mark in group if (str(step), mark) not in done)
        for step, group in marks(connection, audit, run).items()
    }
    if not any(found.values()):
        return Lack(run, 0)
    why = [*found[Step.PARSE], *found[Step.SIGNAL]]
    why = [_without_content(one) for one in why]
    if found[Step.MEASURE]:
        values = {without_doubts(mark) for step, mark in done if step == Step.MEASURE}
        is_same = {without_doubts(one) for one in found[Step.MEASURE]} <= values
        why += [_AUDITED] if is_same else _new_parts(connection, audit, run)
    words = tuple(dict.fromkeys(why)) or ("newer inputs",)
    return Lack(run, readings.count_answers(connection, run.id), found, words, is_newer=bool(why))


def _without_content(mark: str) -> str:
    """A mark without the digests of contents, for people."""
    return " ".join(word.partition("+")[0] for word in mark.split())


# --- values ---------------------------------------------------------------------------------------


def measure_mark(connection: Connection, audit: Audit, run: Run) -> str:
    """A digest of all that decides the values of a run beside its answers, readings and signals.

    Signatures, the labels, pages and shares that are known by now, and the same of the run before,
    where changes are measured. Behind it the newest change of what audits have put in doubt.
    """
    known: list[object] = [sorted(changed_controls(connection, audit, run))]
    for instrument in _present(connection, audit, run):
        reference = instrument.reference
        shares = len(reference.known) if isinstance(reference, Snapshot) else 0
        known.append([digest(instrument.signature), shares])
    known += gathering.mark(connection, audit, run)
    if Kind.SEARCH in audit.job.kinds:
        before = runs.find_previous(connection, run)
        known += [
            run_inputs.find_newest_ids(connection, number, landing_collection(number))
            for number in (run.id, before)
            if number
        ]
        if before:
            known.append(
                sorted(v for s, v in runs.list_stages(connection, before) if s == Step.PARSE)
            )
    heard = {
        primary(target)
        for use, engine in audit.engines
        if engine.kind is Kind.MT
        for target in use.wanted
    }
    changed = newest_change(connection, heard, run.due_at)
    return digest(known) + (f"{_DOUBTS}{changed}" if changed else "")


def without_doubts(mark: str) -> str:
    """A mark of values without what audits have put in doubt, which changes no number."""
    return mark.partition(_DOUBTS)[0]


def _present(connection: Connection, audit: Audit, run: Run) -> Iterator[Instrument]:
    """Every instrument of a run as of now; those of several targets may be the same."""
    for use, engine in audit.engines:
        for target in use.wanted:
            for instrument in instruments(audit, engine, target):
                yield with_extractors(connection, run, dated(connection, instrument))


def _new_parts(connection: Connection, audit: Audit, run: Run) -> list[str]:
    """What differs between the signatures of a run's points and those of now, in words."""
    there = signatures.read_run_signatures(connection, run)
    found: dict[str, None] = {}
    for instrument in _present(connection, audit, run):
        parts = instrument.signature
        if digest(parts) in there:
            continue
        alike = [old for old in there.values() if _same(old, parts)]
        found |= dict.fromkeys(_different(alike[-1], parts) if alike else [f"{instrument.name}"])
    return list(found)


def _same(old: Mapping[str, Json], new: Mapping[str, Json]) -> bool:
    if str(old.get("reference")).partition("@")[0] != str(new.get("reference")).partition("@")[0]:
        return False
    return all(old.get(name) == new.get(name) for name in _SAME)


def _different(old: Mapping[str, Json], new: Mapping[str, Json]) -> Iterable[str]:
    for name in sorted({*old, *new}):
        before, after = (canonical_json(one.get(name)) for one in (old, new))
        if before != after:
            where = _owner(name, new)
            yield f"{where}{name} {before} -> {after}"


def _owner(name: str, parts: Mapping[str, Json]) -> str:
    """Whose version it is, where the part does not say so itself."""
    owner = name.removesuffix("_version")
    known = parts.get(owner)
    return f"{known}: " if owner != name and isinstance(known, str) and known else ""


#: Runs of one job mostly have the same files.
_JOBS_KEPT = 8


class Audits:
    """Jobs as they stood when runs were begun; those of the same files are read once."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._of_bundle = lru_cache(_JOBS_KEPT)(lambda number: audit_of(database, number))

    def of(self, run: Run) -> Audit:
        """The job of a run. Raises InvalidInput, StoreProblem."""
        with self._database.read() as connection:
            bundle_id = runs.find_bundle(connection, run.id)
        if bundle_id is None:
            return audit_of_run(self._database, run)
        return self._of_bundle(bundle_id)


@dataclass(frozen=True, slots=True)
class ToCompute:
    """A run whose values are wanted, and by which versions it was read."""

    url: str = field(repr=False)  # it may hold a password
    bodies: Path
    run_id: int
    read_by: tuple[str, ...]


def computed(order: ToCompute) -> list[Computed]:
    """The values of a run. Raises InvalidInput where the versions here are others."""
    database, audits = _opened(order.url, order.bodies)
    with database.read() as connection:
        run = runs.get_run(connection, order.run_id)
        audit = audits.of(run)
        here = marks(connection, audit, run)
    if (*here[Step.PARSE], *here[Step.SIGNAL]) != order.read_by:
        raise InvalidInput("this program was updated meanwhile; start again")
    return list(values(database, audit, run))


@lru_cache(1)
def _opened(url: str, folder: Path) -> tuple[Database, Audits]:
    database = connect(url, folder)
    return database, Audits(database)
