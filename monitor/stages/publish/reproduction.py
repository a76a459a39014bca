"""Write a reproducibility package: inputs, numbers, and the papers beside them.

The manifest says versions, seeds, when things were decided, and what cannot be recomputed because
something is not in the package. The same package has the same texts.

In go an open transaction and what is wanted, out comes a folder that `monitor reproduce` recomputes
every number of. It appears whole or not at all, and the same database gives the same bytes.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import chain, islice
from pathlib import Path, PurePosixPath
from typing import Any, TypeAlias

from monitor import registry, resources
from monitor.lexicons import installed
from monitor.model import InvalidInput, MissingPart, StoreProblem
from monitor.stages.publish import release_papers
from monitor.stages.publish.package_files import (
    FORMAT,
    SUFFIX,
    File,
    is_safe,
    write_file,
    write_plain,
)
from monitor.stages.publish.release import check_folder, publish_folder
from monitor.stages.publish.release_papers import write_checksums
from monitor.stages.publish.reproduction_comparison import reports_of_job
from monitor.stages.validation import judge_groups, list_changed, list_doubts
from monitor.store import validation
from monitor.store.collect import bodies
from monitor.store.collect.runs import ENDED, Run
from monitor.store.database import Connection, Database
from monitor.store.jobs import declarations
from monitor.store.publish import release as facts
from monitor.store.publish import reproduction as inputs
from monitor.store.publish import reproduction_answers as answers
from monitor.store.publish import reproduction_numbers as numbers
from monitor.store.publish.reproduction import RunSelection
from monitor.store.publish.reproduction_numbers import Numbers

# --- manifest, README, licences, citation ---------------------------------------------------------

#: A report is about seven days, which have an hour more where clocks are changed.
_WEEK = timedelta(days=7, hours=1)

#: Nothing random has a seed of its own: each follows from what is in the package.
SEEDS = {
    "order of questions, and which are asked again for noise": "inputs/runs: seed, the first 16 "
    "digits of SHA-256 of the canonical JSON [job, due tick, kind]",
    "bootstrap and permutations": "the first 15 hexadecimal digits of SHA-256 of the canonical "
    "JSON [identity of the series, due tick, signature], as a whole number",
}


@dataclass(frozen=True, slots=True)
class Reports:
    """Weekly reports of a package, as {job: times}, and those left out, with reasons."""

    made: Mapping[str, Sequence[datetime]]
    left_out: Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class PackageState:
    """Content of a package, and what was left out.

    `behind` says of runs why what they show is not what would be computed now.
    """

    run_ids: Sequence[int]
    unfinished: Sequence[Run]
    reports: Reports
    signatures: Mapping[str, Mapping[str, Any]]
    lexicons: Sequence[str]
    behind: Mapping[int, str]


def reports_of_jobs(
    connection: Connection, wanted: RunSelection, unfinished: Sequence[Run]
) -> Reports:
    """Return which reports can be recomputed: those of weeks in which every run has ended.

    Of an archive that is cut, none: they print all of it.
    """
    moments: dict[str, list[datetime]] = {}
    left_out: dict[str, dict[str, str]] = {}
    for job in [] if wanted.until else numbers.list_jobs(connection, wanted):
        moments[job] = []
        for moment in numbers.find_report_times(connection, wanted, job):
            open_runs = (
                run for run in unfinished
                if run.job == job and moment - _WEEK < run.due_at <= moment
            )  # fmt: skip
            if run := next(open_runs, None):
                why = f"run {run.id} of its week had not ended ({run.state})"
                left_out.setdefault(job, {})[moment.isoformat()] = why
            else:
                moments[job].append(moment)
    return Reports(moments, left_out)


def make_manifest(
    connection: Connection, wanted: RunSelection, known: PackageState
) -> dict[str, Any]:
    """All of it but the program and the files."""
    jobs = numbers.list_jobs(connection, wanted)
    run_ids = set(known.run_ids)
    behind = {run_id: why for run_id, why in sorted(known.behind.items()) if run_id in run_ids}
    signed = {run_id: numbers.find_signature_hashes(connection, run_id) for run_id in known.run_ids}
    languages = _map_languages(
        inputs.read_jobs_by_run(connection, wanted), signed, known.signatures
    )
    return {
        "format": FORMAT,
        "full": wanted.full,
        "people": wanted.people,
        "jobs": jobs,
        "chosen_jobs": sorted(wanted.jobs),
        "until": wanted.until.isoformat() if wanted.until else None,
        "runs": len(known.run_ids),
        "unfinished": {
            str(run.id): f"{run.job}, {run.kind}, due {run.due_at.isoformat()}: {_say_state(run)}"
            for run in known.unfinished
        },
        "withheld_lists": inputs.find_withheld_lists(connection, wanted),
        "behind": {str(run_id): why for run_id, why in behind.items()},
        "erased": _erased(connection, wanted, behind),
        "worked_on": _worked_on(known.unfinished),
        "doubts": _read_doubts(connection, run_ids, languages),
        "signatures": known.signatures,
        "measures": _map_measures(known.signatures),
        "signed": {
            str(run_id): {kind: sorted(group) for kind, group in entries.items()}
            for run_id, entries in signed.items()
            if any(entries.values())
        },
        "decided": {
            job: numbers.read_decision_times(connection, job, wanted.until) for job in jobs
        },
        "report_times": {
            job: [time.isoformat() for time in times] for job, times in known.reports.made.items()
        },
        "reports_left_out": known.reports.left_out,
        "seeds": SEEDS,
        "lexicons": known.lexicons,
    }  # fmt: skip


def _say_state(one: Run) -> str:
    worked_on = one.state in ENDED
    return "ended, and worked on while the package was written" if worked_on else one.state


def _worked_on(unfinished: Sequence[Run]) -> dict[str, str]:
    """{job: first due tick} from which on numbers may rest on runs that have numbers already."""
    latest_first = sorted(unfinished, key=lambda run: run.due_at, reverse=True)
    ended = {run.job: run.due_at.isoformat() for run in latest_first if run.state in ENDED}
    return dict(sorted(ended.items()))


def _map_measures(signatures: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """{measure: its version and the digest of its source in this program}."""
    modules = {item.name: module for module, item in registry.discover("measures").items()}
    rows: dict[str, dict[str, Any]] = {}
    for parts in signatures.values():
        name = str(parts["measure"])
        stored = rows.setdefault(name, {"versions": [], "source": ""})
        stored["versions"] = sorted({*stored["versions"], parts["measure_version"]})
        if name in modules:
            stored["source"] = registry.compute_fingerprint("measures", modules[name])
    return {name: rows[name] for name in sorted(rows)}


# --- what something that is not in it bears on ----------------------------------------------------


def _erased(
    connection: Connection, wanted: RunSelection, behind: Mapping[int, str]
) -> dict[str, str]:
    """{job: first due tick} from which on numbers may rest on what was erased since.

    That is over once values were computed anew without it, and the runs lack nothing.
    """
    jobs = inputs.read_jobs_by_run(connection, wanted)
    lacking = {jobs[run_id] for run_id in behind}
    since = inputs.find_erased_since(connection, wanted)
    return {job: moment.isoformat() for job, moment in since.items() if job in lacking}


def _map_languages(
    jobs: Mapping[int, str],
    signed: Mapping[int, Mapping[str, set[str]]],
    signatures: Mapping[str, Mapping[str, Any]],
) -> dict[str, set[str]]:
    """{language whose gender rules are read: the jobs that ask for it}."""
    languages: dict[str, set[str]] = {}
    for run_id, group in signed.items():
        for point in group["points"]:
            if language := signatures[point].get("language"):
                languages.setdefault(str(language), set()).add(jobs[run_id])
    return languages


def _read_doubts(
    connection: Connection, ours: set[int], languages: Mapping[str, set[str]]
) -> list[dict[str, Any]]:
    """What audits of other runs say of the ticks of these jobs: those audits are not in it."""
    every = validation.read_groups(connection)
    own = [group for group in every if group.run_id in ours]
    changed = list_changed(*(list_doubts(judge_groups(groups)) for groups in (own, every)))
    return [
        {
            "language": item.language,
            "since": item.well_at.isoformat() if item.well_at else None,
            "until": item.until.isoformat() if item.until else None,
            "jobs": sorted(languages[item.language]),
        }
        for item in changed
        if item.language in languages
    ]


def write_json(manifest: Mapping[str, Any]) -> str:
    """`manifest.json`."""
    return json.dumps(manifest, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def write_papers(
    connection: Connection, manifest: Mapping[str, Any], wanted: RunSelection
) -> dict[str, str]:
    """{name: text}."""
    about = release_papers.ReleaseFacts(
        wanted, str(manifest["program"]), str(manifest["schema"]), "CC-BY-4.0",
        facts.find_newest_due(connection, wanted), facts.read_lists(connection, wanted),
        facts.read_references(connection, wanted),
        declarations.read_invented(connection, wanted.jobs),
    )  # fmt: skip
    return {
        "README.md": _say_readme(manifest, about),
        "LICENSE.md": _say_licences(manifest, about),
        "CITATION.cff": release_papers.write_citation(about),
    }


def _say_readme(manifest: Mapping[str, Any], about: release_papers.ReleaseFacts) -> str:
    kind = "full" if manifest["full"] else "redacted"
    sentence = about.invented.sentence(names_jobs=True)
    warning = f"{sentence}\n\n" if sentence else ""
    commit = f" at commit\n{manifest['commit']}" if manifest["commit"] else ""
    return f"""# Recompute every number

{warning}Numbers of gbmonitor {manifest["program"]} (database schema {manifest["schema"]}).
Package: {kind}. Jobs: {", ".join(manifest["jobs"])}. Runs: {manifest["runs"]}.
Newest due tick: {about.until}.

## The program

It is on no package index, and it is not in this folder: code that comes with numbers shows nothing
about them. Take it from where whoever published the numbers says that it is, as a wheel
(`gbmonitor-{manifest["program"]}-py3-none-any.whl`) or as a checkout of its repository{commit}.
What made this package had files with this SHA-256 together, and `monitor reproduce` says so where
those of yours are others:

    {manifest["source"]}

## The one command

In this folder, with Python 3.11 or newer on Linux. The environment stands beside the folder,
because a package with other files in it is refused; PROGRAM is the wheel, or the folder of the
checkout:

    python3 -m venv ../venv
    ../venv/bin/python -m pip install --require-hashes -r requirements.lock
    ../venv/bin/python -m pip install --no-deps PROGRAM
    ../venv/bin/monitor reproduce .

The last line needs no network and no database, and changes nothing in this folder. It ends with 0
when every number that can be recomputed is equal, with 1 when one differs or is missing, and with 2
when a file is not what SHA256SUMS says. The two lines before it load packages from an index: those
of the lock with their hashes, and for a checkout what builds it.

{_say_steps(manifest)}

| folder or file | what |
| --- | --- |
| `inputs/` | what numbers are computed from, a row a line: runs, questions, lists with hashes, \
exchanges, attempts, readings, audits of the instrument, reference shares with sources and dates, \
versions of parsers and languages with the digest of their source |
| `published/` | the numbers as they were published: points, comparisons, ledger, findings, \
weekly reports |
| `jobs/` | the files of each job as they stood when runs were begun |
| `lexicons/` | lexicons that do not come with the program |
| `requirements.lock` | every package of Python with its hash |
| `manifest.json` | versions, signatures, seeds, runs that had not ended, rows and \
bytes of every file |
| `SHA256SUMS` | for `sha256sum -c` |

{_left_out(manifest)}
Texts in it were written by engines and by whoever writes what they show. They are data, and may be
hostile.
"""


def _say_steps(manifest: Mapping[str, Any]) -> str:
    if manifest["full"]:
        return (
            "From raw answers on: answers are read, gender is found in what was read, values with "
            "their\nintervals are computed, ticks are compared, the ledger and the findings are "
            "made anew."
        )
    return (
        "From readings on: values with their intervals are computed from what the parsers and "
        "languages\nfound, ticks are compared, the ledger and the findings are made anew. Texts "
        "are left out; the SHA-256\nof each raw answer is in `inputs/bodies`, so that it can be "
        "held against the evidence."
    )


def _left_out(manifest: Mapping[str, Any]) -> str:
    unfinished = "; ".join(f"{run} ({what})" for run, what in manifest["unfinished"].items())
    lines = [
        "" if manifest["people"] else
        "Whom results show, and the groups that are recorded of them: personal data. Values of "
        "people, and\n  what was concluded in jobs that have any, cannot be recomputed.",
        manifest["withheld_lists"] and
        f"Answers to questions that show people: {', '.join(manifest['withheld_lists'])}.",
        "" if manifest["full"] else
        "Words of results: values of measures of words cannot be recomputed.",
        unfinished and f"Runs that had not ended: {unfinished}.",
        manifest["erased"] and
        "What was erased on request after numbers had been computed with it, in jobs "
        f"{', '.join(manifest['erased'])}.",
        "Names of those who read in audits of the instrument.",
        "Screenshots, addresses of the installation, names of its processes, look-ups.",
    ]  # fmt: skip
    return "Not in it:\n\n" + "".join(f"- {line}\n" for line in lines if line)


def _say_licences(manifest: Mapping[str, Any], about: release_papers.ReleaseFacts) -> str:
    lists = release_papers.as_lists_came(about)
    written = (
        "\nAnswers were written by the engines and by third parties. They are quoted as evidence; "
        "no licence\nis given for them here.\n"
        if manifest["full"]
        else ""
    )
    return f"""# Licences

The program is under Apache-2.0. Numbers (`published/`): as whoever publishes this package says.

Questions (`inputs/list_items`, `jobs/`), as the lists came:

{lists}
Reference shares (`inputs/reference_shares`): as their sources say, which each row names.
{written}"""


# --- package --------------------------------------------------------------------------------------

Progress: TypeAlias = Callable[[int], None]
Rows: TypeAlias = Iterator[Sequence[Mapping[str, Any]]]

LOCK = "requirements.lock"
_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class PackageFacts:
    """Facts about a package beside its rows.

    `behind` says of runs why what they show now is not what would be computed now; `source` is
    the commit of the program, empty where it is not known, and the digest of its files.
    """

    wanted: RunSelection
    version: str  # of the program
    schema: str  # of the database
    home: Path  # where lexicons of one's own are
    behind: Mapping[int, str]
    source: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Packed:
    """Result of writing: runs, rows, files, and the SHA-256 of the checksums of all.

    `unfinished` are runs that are not in it, `behind` those whose numbers are not what would be
    computed now, with reasons.
    """

    runs: int
    rows: int
    files: int
    sha256: str
    unfinished: Sequence[Run]
    behind: Mapping[int, str]


def write_package(
    connection: Connection,
    database: Database,
    folder: Path,
    about: PackageFacts,
    progress: Progress,
) -> Packed:
    """Write a package; `progress` is told how many rows are written.

    Raises InvalidInput for a folder that is not empty and where no run has ended, StoreProblem for
    a damaged answer.
    """
    check_folder(folder, with_parquet=False)
    lock = _encode_lock()
    run_ids = inputs.find_run_ids(connection, about.wanted)
    if not run_ids:
        raise InvalidInput("no run that is wanted has ended; see `monitor status`")
    unfinished = inputs.find_unfinished(connection, about.wanted)
    times = reports_of_jobs(connection, about.wanted, unfinished)
    with publish_folder(folder) as path:
        writing = _Writing(connection, database, path, about.wanted, run_ids, times, progress)
        writing.inputs()
        writing.published()
        signatures = numbers.read_signatures(connection, about.wanted)
        lexicons = _list_lexicons(path, signatures, about.home)
        files = [
            *writing.files, *_job_files(connection, database, path, about.wanted), *lexicons,
            write_plain(path, LOCK, lock),
        ]  # fmt: skip
        lexicon_files = [lexicon.path for lexicon in lexicons]
        state = PackageState(run_ids, unfinished, times, signatures, lexicon_files, about.behind)
        manifest = make_manifest(connection, about.wanted, state) | {
            "program": about.version, "schema": about.schema, **about.source,
        }  # fmt: skip
        files += [
            write_plain(path, name, text.encode())
            for name, text in write_papers(connection, manifest, about.wanted).items()
        ]
        manifest["files"] = {file.path: [file.size, file.unpacked, file.rows] for file in files}
        files.append(write_plain(path, "manifest.json", write_json(manifest).encode()))
        sums = write_checksums([(file.path, file.sha256) for file in files])
        last = write_plain(path, "SHA256SUMS", sums.encode())
        return Packed(
            len(run_ids), writing.rows, len(files) + 1, last.sha256, unfinished, about.behind
        )


def _encode_lock() -> bytes:
    path = resources.find_folder("requirements") / "run.lock"
    try:
        return path.read_bytes()
    except OSError:
        raise MissingPart(
            f"{path}: the lock of this version is not installed; install the program again"
        ) from None


@dataclass(slots=True)
class _Writing:
    """Writes the rows of a package, file by file."""

    connection: Connection
    database: Database
    place: Path
    wanted: RunSelection
    run_ids: Sequence[int]
    times: Reports
    progress: Progress
    files: list[File] = field(default_factory=list)
    rows: int = 0

    def _write(self, path: str, portions: Rows) -> None:
        self.files.append(write_file(self.place, path + SUFFIX, self._counted(portions)))

    def _counted(self, portions: Rows) -> Rows:
        for portion in portions:
            self.rows += len(portion)
            self.progress(self.rows)
            yield portion

    def _by_run(self, of_run: Callable[[int], Iterable[Any]]) -> Iterator[Any]:
        return chain.from_iterable(map(of_run, self.run_ids))

    def inputs(self) -> None:
        """What values are computed from."""
        connection, wanted, run_ids = self.connection, self.wanted, self.run_ids
        for table in inputs.list_packed_tables():
            policy = inputs.POLICIES[table.fullname]
            if isinstance(policy, inputs.CopiedRows):
                copied = inputs.read_rows(connection, table, policy, wanted, run_ids)
                self._write(f"inputs/{table.name}", copied)
        everybody = answers.read_entities(connection, wanted)
        alias = _make_alias(everybody, full=wanted.full)
        packed: dict[str, Rows] = {
            "bodies": answers.read_bodies(connection, self.database, run_ids, wanted),
            "labels": answers.read_labels(connection, everybody, alias, reasons=wanted.full),
            "readings": self._by_run(
                lambda run_id: answers.read_run_readings(connection, run_id, wanted, alias)
            ),
            answers.ITEMS: answers.read_drawn(connection, wanted),
            answers.LABELS: answers.read_audit_labels(connection, wanted),
        }
        for name, rows in packed.items():
            self._write(f"inputs/{name}", rows)

    def published(self) -> None:
        """The numbers as they stand."""
        connection, until, apart = self.connection, self.wanted.until, self.wanted.apart
        jobs = numbers.list_jobs(connection, self.wanted)

        def of_jobs(read: Callable[..., Iterable[Numbers]]) -> Iterator[Numbers]:
            return chain.from_iterable(read(connection, job, until, apart) for job in jobs)

        entries = {
            "points": self._by_run(lambda run_id: numbers.read_points(connection, run_id)),
            "comparisons": self._by_run(
                lambda run_id: numbers.read_comparisons(connection, run_id)
            ),
            "looks": of_jobs(numbers.read_ledger),
            "changes": of_jobs(numbers.read_changes),
            "reports": chain.from_iterable(
                reports_of_job(connection, job, times) for job, times in self.times.made.items()
            ),
        }
        for kind, group in entries.items():
            self._write(f"published/{kind}", _make_portions(group))


def _make_alias(everybody: Sequence[str], *, full: bool) -> Callable[[str], str]:
    """What people are called: numbers in the order of their keys where texts are left out."""
    if full:
        return str
    width = len(str(len(everybody)))
    number = {entity: f"person:{n:0{width}d}" for n, entity in enumerate(everybody, 1)}
    return number.__getitem__


def _make_portions(some: Iterator[Numbers]) -> Rows:
    """The same number of a run twice is one too many: nothing could be held against it."""
    while part := list(islice(some, _AT_ONCE)):
        yield [item.row() for item in part]


# --- files ----------------------------------------------------------------------------------------


def _job_files(
    connection: Connection, database: Database, place: Path, wanted: RunSelection
) -> list[File]:
    """The files of jobs as they stood, each bundle in a folder of its own, and a table of them."""
    rows, table = [], []
    for bundled_file in declarations.list_bundled_files(connection, wanted.runs):
        relative = f"jobs/{bundled_file.bundle_id}/{PurePosixPath(bundled_file.path)}"
        if not is_safe(relative):
            raise StoreProblem(
                f"{bundled_file.path!r}: a file of a job with a name that no package has"
            )
        content = bodies.read_body(connection, database, bundled_file.body_id)
        rows.append(write_plain(place, relative, content))
        table.append({"bundle_id": bundled_file.bundle_id, "path": bundled_file.path})
    return [write_file(place, f"inputs/bundle_files{SUFFIX}", [table]), *rows]


def _list_lexicons(
    place: Path, signatures: Mapping[str, Mapping[str, Any]], home: Path
) -> list[File]:
    """The lexicons of one's own that numbers were made with; the others come with the program."""
    needed = {
        name: str(sha256)
        for parts in signatures.values()
        for name, sha256 in dict(parts.get("lexicons") or {}).items()
    }
    lexicons = []
    for name in sorted(set(needed) - set(installed.built_in())):
        path = installed.lexicon_path(name, home)
        if path.is_file() and installed.find(name, home).digest == needed[name]:
            lexicons.append(write_plain(place, f"lexicons/{path.name}", path.read_bytes()))
    return lexicons
