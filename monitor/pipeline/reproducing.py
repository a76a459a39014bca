"""Recomputes every number of a reproducibility package and holds it against what was published.

In go a checked package and a folder for the archive that is made of it, out comes how many numbers
of each kind are equal, which differ, and which could not be recomputed and why. Published rows are
read run by run, in the order in which they were written.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from monitor.pipeline.rebuilding import Rebuilt, archive, rebuild
from monitor.pipeline.steps import Progress, Stop, never
from monitor.stages.publish.package_files import Package, Row
from monitor.stages.publish.reproduction_comparison import (
    Excuses,
    Groups,
    Published,
    Result,
    read_values,
    reports_of_job,
)
from monitor.store.collect.runs import find_bundle
from monitor.store.database import Connection, Database
from monitor.store.publish import reproduction as inputs
from monitor.store.publish import reproduction_answers as readings
from monitor.store.publish import reproduction_numbers as numbers
from monitor.store.publish.reproduction import RunSelection, parse_time
from monitor.store.publish.reproduction_numbers import Numbers

_PEOPLE = "made of the recorded groups of people, which this package leaves out"
_TEXTS = "made of words of results, which this package leaves out"
_TOGETHER = "its job has values that this package cannot recompute, and all are tested together"
_REPORTED = "its job has values that this package cannot recompute, and the report prints them"
_CUT = "found by looking back over a series whose later ticks are not in the package"
_OLDER = "read or heard by another version than that of this program"
_ERASED = "their texts were erased"
_NO_FILES = "imported, or of before job files were kept: the package has none"


@dataclass(slots=True)
class Reproduced:
    """What was recomputed, and how it compares."""

    rebuilt: Rebuilt
    result: Result


def reproduce(
    package: Package,
    place: Path,
    progress: Progress,
    stop: Stop = never,
    processes: int = 0,
) -> Reproduced:
    """Recompute a package in an archive in `place`, and compare.

    Raises InvalidInput for a package whose rows do not fit together.
    """
    with archive(place) as database:
        rebuilt = rebuild(database, package, progress, stop, processes)
        result = Result()
        holding = _Holding(database, package, rebuilt, result, progress, stop)
        holding.everything()
    return Reproduced(rebuilt, result)


@dataclass(slots=True)
class _Known:
    """What decides whether a number could be recomputed at all."""

    made: frozenset[str]  # signatures that were made here
    left_out: Mapping[int, str]  # runs, and why
    left_jobs: Mapping[str, str]
    without_files: frozenset[int]  # runs
    imported: Mapping[str, int]  # jobs that have such a run
    #: jobs of which some points, or comparisons, cannot be recomputed
    tainted: dict[str, set[str]] = field(
        default_factory=lambda: {"points": set(), "comparisons": set()}
    )


class _Holding:
    """Holds the numbers of an archive against those of the package that it was made from."""

    def __init__(
        self,
        database: Database,
        package: Package,
        rebuilt: Rebuilt,
        result: Result,
        progress: Progress,
        stop: Stop,
    ) -> None:
        self._database, self._package, self._result = database, package, result
        self._rebuilt = rebuilt
        self._progress, self._stop = progress, stop
        self._manifest = package.manifest
        cut = self._manifest.until
        self._until = parse_time(cut, "until") if cut else None
        with database.read() as connection:
            everything = RunSelection(full=True)
            self._runs = inputs.find_run_ids(connection, everything)
            self._jobs = numbers.list_jobs(connection, everything)
            signatures = frozenset(numbers.read_signatures(connection, everything))
            without = frozenset(
                one.run.id
                for one in rebuilt.left_out
                if find_bundle(connection, one.run.id) is None
            )
        left = {one.run.id: one.reason for one in rebuilt.left_out}
        jobs = {one.run.job: f"run {one.run.id}: {one.reason}" for one in rebuilt.left_out}
        imported = {one.run.job: one.run.id for one in rebuilt.left_out if one.run.id in without}
        self._known = _Known(signatures, left, jobs, without, imported)
        self._excuses = Excuses(self._manifest)

    def everything(self) -> None:
        """All kinds of numbers, those first that others are made of."""
        if self._manifest.full:
            self._readings()
        run_names = [str(run) for run in self._runs]
        self._each("points", run_names, lambda c, one: numbers.read_points(c, int(one)))
        self._each("comparisons", run_names, lambda c, one: numbers.read_comparisons(c, int(one)))
        until = self._until
        self._each("looks", self._jobs, lambda c, job: numbers.read_ledger(c, job, until))
        self._each("changes", self._jobs, lambda c, job: numbers.read_changes(c, job, until))
        self._each("reports", self._jobs, self._reports)
        for some in self._manifest.reports_left_out.values():
            for why in some.values():
                self._result.leave("reports", 1, why, closed=True)

    def _reports(self, connection: Connection, job: str) -> Iterator[Numbers]:
        times = self._manifest.report_times.get(job, [])
        return reports_of_job(connection, job, [parse_time(at, "reports") for at in times])

    # --- numbers ---------------------------------------------------------------------------------

    def _each(
        self,
        kind: str,
        groups: list[str],
        read: Callable[[Connection, str], Iterator[Numbers]],
    ) -> None:
        """One kind of numbers, a run or a job at a time."""
        self._result.of(kind)
        waiting = Groups(self._package.rows(f"published/{kind}"), kind)
        for done, group in enumerate(groups):
            self._progress("hold", done, len(groups))
            if self._stop():
                raise KeyboardInterrupt
            theirs = waiting.take(group)
            with self._database.read() as connection:
                mine = {one.key: one for one in read(connection, group)}
            for key, one in theirs.items():
                self._hold(one, mine.pop(key, None))
            for left in mine.values():
                self._beyond(left)
        waiting.end()
        self._progress("hold", len(groups), len(groups))

    def _hold(self, theirs: Published, mine: Numbers | None) -> None:
        """One row of published values."""
        result, n = self._result, len(theirs.values)
        if why := self._closed(theirs):
            if theirs.kind in ("points", "comparisons"):
                self._known.tainted[theirs.kind].add(theirs.job)
            result.leave(theirs.kind, n, why, closed=True)
        elif mine is not None and mine.signature == theirs.signature:
            excuse = partial(self._excuses.of_value, theirs)
            result.hold(theirs.kind, theirs.of, theirs.at, theirs.values, mine.values, excuse)
        elif why := self._excuses.of_row(theirs):
            result.leave(theirs.kind, n, why, closed=True)
        elif why := self._lacking(theirs):
            result.leave(theirs.kind, n, why, closed=False)
        else:
            result.absent(theirs.kind, theirs.of, theirs.at, "published, and not recomputed", n)

    def _closed(self, one: Published | Numbers) -> str:
        """Why a number cannot be recomputed from such a package, whatever is in it; or ""."""
        manifest = self._manifest
        if one.signature and int(one.key[0]) in self._known.without_files:
            return f"run {one.key[0]} was {_NO_FILES}"
        if not one.signature and one.job in self._known.imported:
            return f"run {self._known.imported[one.job]} was {_NO_FILES}"
        if one.signature:
            parts = manifest.signatures.get(one.signature, {})
            of_people = parts.get("block") or parts.get("list") in manifest.withheld_lists
            if of_people and not manifest.people:
                return _PEOPLE
            return _TEXTS if parts.get("text") and not manifest.full else ""
        if one.job in self._known.tainted["comparisons"]:
            return _TOGETHER
        if one.kind == "reports" and one.job in self._known.tainted["points"]:
            return _REPORTED
        back = one.kind == "changes" and not set(one.key).isdisjoint(numbers.BACK)
        return _CUT if back and self._until else ""

    def _lacking(self, one: Published) -> str:
        """Why this program has not made a number; empty where it should have."""
        if one.signature:
            run_id = int(one.key[0])
            if run_id in self._known.left_out:
                return f"run {run_id}: {self._known.left_out[run_id]}"
            parts = self._manifest.signatures.get(one.signature)
            if parts is not None and one.signature not in self._known.made:
                return f"this program has other versions than {_versions(parts)}"
            return ""
        return self._known.left_jobs.get(one.job, "")

    def _beyond(self, one: Numbers) -> None:
        """A recomputed row that was not published."""
        if self._closed(one) or self._excuses.of_row(one):
            return
        if one.signature:
            signed = self._manifest.signed.get(one.key[0], {}).get(one.kind, [])
            if one.signature not in signed:
                return  # made with shares of another day, or by another version
        elif one.job in self._known.left_jobs:
            return
        self._result.absent(
            one.kind, one.of, one.at, "recomputed, and not published", len(one.values)
        )

    # --- readings --------------------------------------------------------------------------------

    def _readings(self) -> None:
        """What was read in raw answers, and heard in what was read."""
        result = self._result
        result.of("readings"), result.of("signals")
        heard = sorted(self._rebuilt.heard)
        planned = self._package.files["inputs/readings.jsonl.gz"].rows
        parsers: set[int] = set()
        done = matched = 0
        for some in self._package.rows("inputs/readings"):
            with self._database.read() as connection:
                attempt_ids = sorted({int(row["attempt_id"]) for row in some})
                mine = {
                    (row["attempt_id"], row["parser_id"]): row
                    for row in readings.read_attempt_readings(connection, attempt_ids)
                }
            for row in some:
                here = mine.get((row["attempt_id"], row["parser_id"]))
                matched += here is not None
                parsers.add(row["parser_id"])
                self._hold_reading(row, here, heard)
            done += len(some)
            self._progress("hold", done, planned)
        with self._database.read() as connection:
            more = readings.count_readings(connection, sorted(parsers)) - matched
        if more:
            result.absent("readings", "answers", "", "recomputed, and not published", more)

    def _hold_reading(self, row: Row, mine: Row | None, heard: list[int]) -> None:
        result = self._result
        read, signals = read_values(row, heard)
        erased = sum(len(item["signals"]) for item in row["items"] if item["erased"])
        if erased:
            result.leave("signals", erased, _ERASED, closed=True)
        if mine is None or (row["attempt_id"], row["parser_id"]) in self._rebuilt.audited:
            result.leave("readings", len(read), _OLDER, closed=True)
            return
        of = f"attempt {row['attempt_id']}"
        my_read, my_signals = read_values(mine, heard)
        if row["given"]:
            result.leave(
                "readings", len(read), "their raw answers are not in the package", closed=True
            )
        else:
            result.hold("readings", of, "", read, my_read)
        result.hold("signals", of, "", signals, my_signals)


def _versions(parts: Mapping[str, Any]) -> str:
    """The versions of a signature, in words."""
    names = [("measure", "measure_version"), ("parser", "parser_version"),
             ("language", "language_version")]  # fmt: skip
    said = [
        f"{parts[name]}@{parts[own]}" for name, own in names if parts.get(name) and own in parts
    ]
    return ", ".join([*said, str(parts.get("list", "")), str(parts.get("reference") or "")]).strip(
        ", "
    )
