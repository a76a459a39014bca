"""Commands that bring in what was computed elsewhere, with its evidence."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from monitor import pipeline
from monitor.cli import _labour, _release, _reproduction, _trec
from monitor.cli._console import emit_json, err, out, progress_bar, stop_signal, table
from monitor.cli._open import database
from monitor.jobs import Audit, Job, find_list, fits
from monitor.lists import ProbeList, load_list
from monitor.model import InvalidInput, RunKind, digest
from monitor.store.collect import runs
from monitor.store.database import Database
from monitor.store.reports import run_report

if TYPE_CHECKING:
    from monitor.fetch.score_files import ScoreFiles

_app = typer.Typer(help="Bring in what was computed elsewhere.", no_args_is_help=True)
_export = typer.Typer(help="Write what other tools read.", no_args_is_help=True)


class Log(StrEnum):
    """What logarithms are to."""

    TEN = "10"
    E = "e"
    TWO = "2"


class Sort(StrEnum):
    """Sorts of language models."""

    MASKED = "masked"
    GENERATIVE = "generative"


def register(app: typer.Typer) -> None:
    """Add these commands to the program."""
    _app.add_typer(_labour.app, name="labour")
    _app.command("trec-run")(_trec.trec_run)
    app.add_typer(_app, name="import")
    _export.command("trec-run")(_trec.export_run)
    _export.command("release")(_release.export_release)
    _export.command("reproduction")(_reproduction.export_reproduction)
    app.add_typer(_export, name="export")


@_app.callback()
def _group() -> None:
    """Bring in what was computed elsewhere."""


@_export.callback()
def _exports() -> None:
    """Write what other tools read."""


@_app.command("lm-scores")
def lm_scores(
    folder: Annotated[Path, typer.Argument(help="Folder of files MODEL_template-T.txt.")],
    list_name: Annotated[
        str, typer.Option("--list", help="The list that was scored: gest@1.0, or a path to a .csv.")
    ],
    date: Annotated[
        datetime,
        typer.Option("--date", formats=["%Y-%m-%d"], help="When the scores were computed."),
    ],
    log: Annotated[Log, typer.Option(help="What the logarithms are to.")] = Log.TEN,
    models: Annotated[
        Sort, typer.Option(help="generative: files 0 and 1 are the templates 2 and 3.")
    ] = Sort.MASKED,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")] = False,
) -> None:
    """Import per-sample scores of language models, in the format of the GEST repository.

    Each line of a file is log(P(masculine) / P(feminine)) for the row of the list with the same
    number. Everything is checked first; then every model gets a run of its own, due on --date, with
    its evidence and the values of the measure lm_ratio. A model that has a run of that date is
    left as it is.
    """
    from monitor.fetch import score_files

    probe_list = _list(list_name)
    found = score_files.read(folder, probe_list, log.value, models.value)
    due_at = date.replace(tzinfo=UTC)
    audits = [(files, _audit(folder, files, probe_list)) for files in found]
    with database() as opened:
        with stop_signal() as stop, progress_bar() as progress:
            made = [
                (files, summary)
                for files, audit in audits
                if (summary := _imported(opened, audit, files, due_at, progress, stop))
            ]
        rows = [row for files, summary in made for row in _rows(opened, files, summary)]
    if as_json:
        emit_json(rows)
    elif rows:
        _print(rows, probe_list)


def _list(name: str) -> ProbeList:
    """A list by its path or label. Raises InvalidInput unless lm_ratio can be computed on it."""
    from monitor.registry import measure

    path = Path(name) if name.endswith(".csv") else find_list(name, Path("jobs"))
    if not path.exists() and not name.endswith(".csv"):
        raise InvalidInput(
            f"{path}: no such probe list; gest@1.0 is made by: monitor lists fetch gest"
        )
    probe_list = load_list(path)
    wanted = measure("lm_ratio")
    if not fits(wanted, probe_list):
        raise InvalidInput(f"{path}: has no tag {wanted.tag!r}, which lm_ratio needs")
    if len(probe_list.source_langs) > 1:
        raise InvalidInput(f"{path}: is in several languages; scores are of a list in one")
    return probe_list


def _job_name(probe_list: ProbeList, system: str) -> str:
    """A job of its own per list and model; told apart where their letters are not enough."""
    plain = re.sub(r"[^a-z0-9]+", "-", system.lower()).strip("-")
    own = plain if plain == system else f"{plain}-{digest(system)[:6]}"
    return f"lm-scores-{probe_list.name}-{own}"


def _audit(folder: Path, files: "ScoreFiles", probe_list: ProbeList) -> Audit:
    """The audit that a job file would describe."""
    config = {"folder": str(folder), "system": files.system}
    job = Job.model_validate(
        {
            "name": _job_name(probe_list, files.system),
            "description": f"Imported scores of {files.system} on {probe_list.label}",
            "schedule": {"cron": "0 0 1 jan *", "catch_up": "all"},
            "lists": [{"name": probe_list.label}],
            "engines": [
                {
                    "name": "recorded_scores",
                    "targets": list(probe_list.source_langs),
                    "config": config,
                }
            ],
            "measures": [{"name": "lm_ratio"}],
        }
    )
    return Audit(folder, job, (probe_list,))


def _imported(
    opened: Database,
    audit: Audit,
    files: "ScoreFiles",
    due_at: datetime,
    progress: pipeline.Progress,
    stop: pipeline.Stop,
) -> pipeline.Summary | None:
    """The run of a model, made or brought to its end; None where it was complete already."""
    from monitor.fetch.score_files import ScoresFetcher

    with opened.read() as connection:
        taken = due_at in runs.list_claimed_ticks(connection, audit.job.name, RunKind.SCHEDULED)
        open_run = runs.find_unfinished(connection, audit.job.name)
    if taken and not (open_run and open_run.due_at == due_at):
        err.print(
            f"{files.system}: scores of {due_at:%Y-%m-%d} on {files.list_label} are imported "
            "already; left as they are",
            markup=False,
            soft_wrap=True,
        )
        return None
    if taken:
        tick = pipeline.resume(opened, audit)
    else:
        tick = pipeline.start(opened, audit, RunKind.SCHEDULED, due_at)
    try:
        return pipeline.run(opened, audit, tick, ScoresFetcher(files, due_at), progress, stop)
    except pipeline.Interrupted:
        raise pipeline.Interrupted(
            f"stopped at {files.system}: the same command goes on from there"
        ) from None


def _rows(
    opened: Database, files: "ScoreFiles", summary: pipeline.Summary
) -> list[dict[str, object]]:
    """The stereotype rates of a model, by template and over them."""
    templates = sorted(next(iter(files.scores.values())))
    scopes = [(f"template:{name}", "g_s", name) for name in templates]
    with opened.read() as connection:
        return [
            {
                "model": files.system,
                "template": name,
                "run": summary.run.id,
                "g_s": point["value"],
                "low": point["low"],
                "high": point["high"],
                "reason": point["reason"],
            }
            for scope, quantity, name in [*scopes, ("all", "g_s_mean", "mean")]
            for point in run_report.read_values(connection, summary.run.id, scope)
            if point["quantity"] == quantity
        ]


def _cell(row: dict[str, object]) -> str:
    if row["g_s"] is None:
        return str(row["reason"])
    if row["low"] is None:
        return f"{row['g_s']:.3f}"
    return f"{row['g_s']:.3f} [{row['low']:.3f}, {row['high']:.3f}]"


def _print(rows: Sequence[dict[str, object]], probe_list: ProbeList) -> None:
    cells = [[str(row["model"]), str(row["template"]), _cell(row)] for row in rows]
    title = f"Stereotype rates g_s on {probe_list.label}"
    caption = "g_s = q_m / q_f, 1 = no difference; bootstrap interval at 95 % over sentences"
    out.print(table(title, ("model", "template", "g_s"), cells, caption))
