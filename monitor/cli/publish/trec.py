"""Commands that bring in rankings of a test collection, and write those of a run."""

import re
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from monitor import pipeline
from monitor.cli import names
from monitor.cli.console import AsJson, emit_json, err, note, out, stop_signal
from monitor.cli.database import database
from monitor.cli.files import STANDARD, in_existing_folder, new_file, refuse_existing
from monitor.cli.progress import counter, progress_bar
from monitor.input_files import read_text
from monitor.jobs import Audit, Job
from monitor.lists import ListItem, ProbeList
from monitor.model import Cue, Fetcher, InvalidInput, RunKind, digest
from monitor.rankers.corpus import CollectionForm
from monitor.store.collect import evidence, runs
from monitor.store.database import Database
from monitor.store.reports import run_report
from monitor.text.counted_nouns import several

if TYPE_CHECKING:
    from monitor.fetch.trec_run import RunFile

_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")
_LANGUAGE = "en"
_REGION = "trec"


def trec_run(  # noqa: PLR0917 - options of a command, each given by its name
    run_files: Annotated[list[Path], typer.Argument(help="TREC runs, one file for each system.")],
    docs: Annotated[
        Path, typer.Option(help="Documents: a folder, JSONL, CSV or TREC files; may be gzipped.")
    ],
    topics: Annotated[Path, typer.Option(help="Topics: TREC, JSONL, or QID<tab>TEXT lines.")],
    name: Annotated[
        str, typer.Option(help="What the collection is called: robust04. Lower case and hyphens.")
    ],
    date: Annotated[
        datetime,
        typer.Option("--date", formats=["%Y-%m-%d"], help="When the rankings were computed."),
    ],
    docs_format: Annotated[
        CollectionForm | None,
        typer.Option("--format", help="How --docs are written; else found by name."),
    ] = None,
    qrels: Annotated[
        Path | None, typer.Option(help="Relevance judgements: TOPIC 0 DOCUMENT GRADE lines.")
    ] = None,
    gendered: Annotated[
        Path | None,
        typer.Option(help="Ids of topics that are about women or men themselves, one a line."),
    ] = None,
    cutoff: Annotated[int, typer.Option(min=1, help="Ranks that the fairness measures see.")] = 10,
    floor: Annotated[int, typer.Option(min=3, help="Fewest topics for a slope.")] = 30,
    as_json: AsJson = False,
) -> None:
    """Import rankings that were computed elsewhere, and compute every measure of ranked lists.

    Everything is checked first. Then the texts of the ranked documents are kept, the lines of each
    run as evidence, and the values of GSR, direct_gap, ARB, NFaiRR, TED, TExFAIR and AWRF, with AP,
    P, nDCG and RR where documents were judged. Documents that a run names and --docs lacks are
    missing: they are counted, bound the values, and are never neutral. Runs of neural rankers come
    in like this. The same runs on the same date are imported once.
    """
    from monitor.fetch.trec_run import RunFile, RunsFetcher

    due_at = date.replace(tzinfo=UTC)
    if not _NAME.fullmatch(name):
        raise InvalidInput(f"--name {name!r}: lower-case letters, digits and hyphens, at most 40")
    probe_list = _list(name, topics, gendered)
    with ExitStack() as stack:
        systems = _systems([stack.enter_context(RunFile(path)) for path in run_files])
        audit = _audit(name, systems, probe_list, cutoff, floor, judged=qrels is not None)
        _say_unknown(systems, probe_list, topics)
        with database() as opened:
            if is_imported(opened, audit, due_at):
                _refuse_others(opened, audit, due_at, systems)
                err.print(
                    f"these runs of {due_at:%Y-%m-%d} are imported already; left as they are, also "
                    "where judgements or options differ: another --name or --date takes them",
                    markup=False,
                )
                if as_json:
                    emit_json({"run": None, "points": 0, "state": "imported already"})
                return
            _keep(opened, f"trec:{name}", probe_list, systems, docs, docs_format, qrels)
            fetcher = RunsFetcher(systems, due_at)
            with stop_signal() as stop, progress_bar() as progress:
                summary = import_run(opened, audit, due_at, fetcher, progress, stop, "stopped")
            _print(opened, summary, len(systems), as_json=as_json)


def _list(name: str, topics: Path, gendered: Path | None) -> ProbeList:
    """The topics as a probe list; which of them have a gender by themselves is a tag."""
    from monitor import trec

    topics_read = trec.read_topics(topics)
    own = _ids(gendered) if gendered else set()
    if unknown := sorted(own - set(topics_read)):
        raise InvalidInput(f"{gendered}: topic {unknown[0]!r} is not in {topics}")
    said = "yes" if gendered else ""
    items = tuple(
        ListItem(key, text, {"gender_neutral": "no" if key in own else said}, _LANGUAGE, Cue.TERMS)
        for key, text in topics_read.items()
    )
    return ProbeList(
        f"trec-{name}", "1", _LANGUAGE, f"Topics of {name}", "unvalidated", "as the collection",
        f"Imported from {topics.name}", items,
    )  # fmt: skip


def _ids(path: Path) -> set[str]:
    """Ids of topics, one a line. Raises InvalidInput."""
    return {line.strip() for line in read_text(path).splitlines() if line.strip()}


def _systems(files: "list[RunFile]") -> "dict[str, RunFile]":
    """The runs by their tags. Raises InvalidInput for two of one tag."""
    run_files: dict[str, RunFile] = {}
    for file in files:
        if file.tag in run_files:
            raise InvalidInput(
                f"{file.path}: tag {file.tag!r} is that of {run_files[file.tag].path} too; systems "
                "are told apart by their tags, the sixth column"
            )
        run_files[file.tag] = file
    return run_files


def _audit(
    name: str,
    systems: "dict[str, RunFile]",
    probe_list: ProbeList,
    cutoff: int,
    floor: int,
    *,
    judged: bool,
) -> Audit:
    """The audit that a job file would describe."""
    measures: list[dict[str, Any]] = [{"name": "GSR", "floor": floor}]
    measures += [
        {"name": one, "cutoff": cutoff}
        for one in ("direct_gap", "ARB", "NFaiRR", "TED", "TExFAIR", "AWRF")
    ]
    if judged:
        measures += [{"name": "AP"}, {"name": "P", "cutoff": 10}]
        measures += [{"name": "nDCG", "cutoff": 10}, {"name": "RR"}]
    engines = [
        {
            "name": "trec_run", "regions": [_REGION],
            "config": {"file": file.path.name, "system": tag, "collection": f"trec:{name}"},
        }
        for tag, file in systems.items()
    ]  # fmt: skip
    job_name = f"trec-{name}-{digest(sorted(systems))[:6]}"
    job = make_import_job(job_name, f"Imported rankings of {name}", probe_list, engines, measures)
    place = next(iter(systems.values())).path
    return Audit(place, job, (probe_list,), by_key=True)


def make_import_job(
    name: str,
    description: str,
    probe_list: ProbeList,
    engines: list[dict[str, Any]],
    measures: list[dict[str, Any]],
) -> Job:
    """Return the job that stands for what was asked elsewhere; it is never due by itself."""
    return Job.model_validate({
        "name": name, "description": description,
        "schedule": {"cron": "0 0 1 jan *", "catch_up": "all"},
        "lists": [{"name": probe_list.label}], "engines": engines, "measures": measures,
    })  # fmt: skip


def _say_unknown(systems: "dict[str, RunFile]", probe_list: ProbeList, topics: Path) -> None:
    """Say which topics of a run nobody described: they are left out. Raises InvalidInput for all.

    Nothing could be measured of such a run.
    """
    known_keys = {item.key for item in probe_list.items}
    for tag, file in systems.items():
        unknown = [topic for topic in file.topics if topic not in known_keys]
        if len(unknown) == len(file.topics):
            raise InvalidInput(
                f"{file.path}: none of its {several(len(unknown), 'topic')}, such as "
                f"{unknown[0]!r}, is in "
                f"{topics}; ids stay as they are written: 051 is not 51"
            )
        if unknown:
            note(
                f"{tag}: {several(len(unknown), 'topic of the run is', 'topics of the run are')} "
                "not in --topics and left out: "
                f"{', '.join(unknown[:5])}"
            )


def _keep(
    opened: Database,
    collection: str,
    probe_list: ProbeList,
    systems: "dict[str, RunFile]",
    docs: Path,
    docs_format: CollectionForm | None,
    qrels: Path | None,
) -> None:
    from monitor import trec
    from monitor.pipeline.collect import retrieval_collections
    from monitor.rankers import corpus

    graded = trec.read_qrels(qrels) if qrels else {}
    wanted_documents = {
        entry.document
        for file in systems.values()
        for ranking in trec.read_run(file.path)
        for entry in ranking.entries
    }
    wanted_documents |= {
        key for some in graded.values() for key, grade in some.items() if grade > 0
    }
    read = corpus.read_entries(docs, docs_format)
    stream = ((one.key, f"{one.title}\n{one.text}".strip()) for one in read)
    given = retrieval_collections.RetrievalCollection(
        collection, probe_list, stream, wanted_documents, graded
    )
    with counter("documents") as progress:
        stored = retrieval_collections.store_collection(opened, given, progress)
    missing = len(wanted_documents) - stored
    err.print(
        f"documents with a text: {stored:,} of {len(wanted_documents):,}; missing: {missing:,}"
    )


def is_imported(opened: Database, audit: Audit, due_at: datetime) -> bool:
    """Return whether there is a whole run of this date."""
    with opened.read() as connection:
        taken = due_at in runs.list_claimed_ticks(connection, audit.job.name, RunKind.SCHEDULED)
        open_run = runs.find_unfinished(connection, audit.job.name)
    return taken and not (open_run and open_run.due_at == due_at)


def import_run(
    opened: Database,
    audit: Audit,
    due_at: datetime,
    fetcher: Fetcher,
    progress: pipeline.Progress,
    stop: pipeline.Stop,
    stopped: str,
) -> "pipeline.Summary":
    """Make the run of a date, or bring it to its end; `stopped` is said of an interruption."""
    with opened.read() as connection:
        taken = due_at in runs.list_claimed_ticks(connection, audit.job.name, RunKind.SCHEDULED)
    if taken:
        tick = pipeline.resume(opened, audit)
    else:
        tick = pipeline.start(opened, audit, RunKind.SCHEDULED, due_at)
    try:
        return pipeline.run(opened, audit, tick, fetcher, progress, stop)
    except pipeline.Interrupted:
        raise pipeline.Interrupted(f"{stopped}: the same command goes on from there") from None


def _refuse_others(
    opened: Database, audit: Audit, due_at: datetime, systems: "dict[str, RunFile]"
) -> None:
    """Raise InvalidInput where the files of a date are not those that were imported."""
    with opened.read() as connection:
        known = {
            str(identity.get("sha256"))
            for identity in evidence.read_identities(connection, audit.job.name, due_at)
        }
    for tag, file in systems.items():
        if file.sha256 not in known:
            raise InvalidInput(
                f"{file.path}: another run of {tag!r} is imported for {due_at:%Y-%m-%d}; give this "
                "one another --date, or another --name"
            )


def _print(opened: Database, summary: "pipeline.Summary", systems: int, *, as_json: bool) -> None:
    """What became of an import. A topic that a run lacks was asked, and has no ranking."""
    with opened.read() as connection:
        rows = run_report.read_coverage(connection, summary.run.id)
    planned, answered = (sum(row[name] for row in rows) for name in ("planned", "answered"))
    if as_json:
        emit_json({
            "run": summary.run.id, "state": summary.state, "planned": planned,
            "answered": answered, "points": summary.points,
        })  # fmt: skip
        return
    out.print(
        f"run {summary.run.id}: {several(systems, 'system')}, "
        f"{answered:,} of {several(planned, 'ranking')}, "
        f"{several(summary.points, 'value')}; see: monitor report"
    )


def export_run(
    run: Annotated[int, typer.Argument(help="Number of the run: monitor status.")],
    output: Annotated[
        Path, typer.Option(help="File to write; - is standard output.", callback=in_existing_folder)
    ] = STANDARD,
    engine: Annotated[str, typer.Option(help="Which system, as reports call it.")] = "",
    region: Annotated[str, typer.Option(help="Which region.", autocompletion=names.regions)] = "",
    list_name: Annotated[str, typer.Option("--list", help="Which list: NAME@VERSION.")] = "",
    force: Annotated[bool, typer.Option("--force", help="Write over a file.")] = False,
) -> None:
    """Write what a run's search engine returned as a TREC run: QID Q0 DOCUMENT RANK SCORE TAG.

    A document is the number of a collection's document, or the address of a result. Only ranks are
    known of live engines, so the score is the number of results from there to the end. Of repeats
    the first is written.
    """
    from monitor import trec
    from monitor.pipeline.collect import retrieval_collections

    refuse_existing(output, force=force)
    with database() as opened:
        chosen = {"engine": engine, "target": region, "list": list_name}
        rankings = retrieval_collections.list_rankings(opened, run, chosen)
    with new_file(output, force=force) as stream:
        lines = trec.write_run(rankings, stream)
    err.print(f"{several(lines, 'line')} of {several(len(rankings), 'question')}", markup=False)
