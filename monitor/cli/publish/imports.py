"""Commands that write what other tools read, and bring in what was computed elsewhere."""

import gzip
import io
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from monitor import pipeline, resources
from monitor.cli.console import AsJson, emit_json, note, out, stop_signal, table
from monitor.cli.database import database
from monitor.cli.files import STANDARD, in_existing_folder, new_file
from monitor.cli.progress import progress_bar
from monitor.cli.publish import packages, trec
from monitor.data import read_table
from monitor.input_files import decode_lines
from monitor.jobs import Audit, find_list, is_applicable
from monitor.lists import ProbeList, load_list
from monitor.model import InvalidInput, digest
from monitor.store.reports import run_report
from monitor.store.rows import group_rows
from monitor.text.counted_nouns import several

if TYPE_CHECKING:
    from monitor.fetch.recorded_scores import ScoreFiles
    from monitor.references._survey_shares import Survey
    from monitor.store.database import Database

import_commands = typer.Typer()
export_commands = typer.Typer()


@import_commands.command("lm-scores")
def lm_scores(
    folder: Annotated[Path, typer.Argument(help="Folder of files MODEL_template-T.txt.")],
    list_name: Annotated[
        str, typer.Option("--list", help="The list that was scored: gest@1.0, or a path to a .csv.")
    ],
    date: Annotated[
        datetime,
        typer.Option("--date", formats=["%Y-%m-%d"], help="When the scores were computed."),
    ],
    log: Annotated[
        Literal["10", "e", "2"], typer.Option(help="What the logarithms are to.")
    ] = "10",
    models: Annotated[
        Literal["masked", "generative"],
        typer.Option(help="generative: files 0 and 1 are the templates 2 and 3."),
    ] = "masked",
    as_json: AsJson = False,
) -> None:
    """Import per-sample scores of language models, in the format of the GEST repository.

    Each line of a file is log(P(masculine) / P(feminine)) for the row of the list with the same
    number. Everything is checked first; then every model gets a run of its own, due on --date, with
    its evidence and the values of the measure lm_ratio. A model that has a run of that date is
    left as it is.
    """
    from monitor.fetch import recorded_scores

    probe_list = _list(list_name)
    models_read = recorded_scores.read_models(folder, probe_list, log, models)
    due_at = date.replace(tzinfo=UTC)
    audits = [(files, _audit(folder, files, probe_list)) for files in models_read]
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
    if not is_applicable(wanted, probe_list):
        raise InvalidInput(f"{path}: has no tag {wanted.tag!r}, which lm_ratio needs")
    if len(probe_list.source_langs) > 1:
        raise InvalidInput(f"{path}: is in several languages; scores are of a list in one")
    return probe_list


def _audit(folder: Path, files: "ScoreFiles", probe_list: ProbeList) -> Audit:
    """The audit that a job file would describe: a job of its own for each list and model."""
    system = files.system
    plain = re.sub(r"[^a-z0-9]+", "-", system.lower()).strip("-")
    own = plain if plain == system else f"{plain}-{digest(system)[:6]}"  # told apart by more
    engine = {
        "name": "recorded_scores", "targets": list(probe_list.source_langs),
        "config": {"folder": str(folder), "system": system},
    }  # fmt: skip
    job = trec.make_import_job(
        f"lm-scores-{probe_list.name}-{own}",
        f"Imported scores of {system} on {probe_list.label}",
        probe_list, [engine], [{"name": "lm_ratio"}],
    )  # fmt: skip
    return Audit(folder, job, (probe_list,))


def _imported(
    opened: "Database",
    audit: Audit,
    files: "ScoreFiles",
    due_at: datetime,
    progress: pipeline.Progress,
    stop: pipeline.Stop,
) -> "pipeline.Summary | None":
    """The run of a model, made or brought to its end; None where it was complete already."""
    from monitor.fetch.recorded_scores import ScoresFetcher

    if trec.is_imported(opened, audit, due_at):
        note(
            f"{files.system}: scores of {due_at:%Y-%m-%d} on {files.list_label} are imported "
            "already; left as they are"
        )
        return None
    fetcher, stopped = ScoresFetcher(files, due_at), f"stopped at {files.system}"
    return trec.import_run(opened, audit, due_at, fetcher, progress, stop, stopped)


def _rows(
    opened: "Database", files: "ScoreFiles", summary: "pipeline.Summary"
) -> list[dict[str, object]]:
    scopes = [
        (f"template:{name}", "g_s", name) for name in sorted(next(iter(files.scores.values())))
    ]
    with opened.read() as connection:
        return [
            {"model": files.system, "template": name, "run": summary.run.id, "g_s": point["value"]}
            | {end: point[end] for end in ("low", "high", "reason")}
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


_labour = typer.Typer(
    help="Shares of women by occupation from a table that was downloaded.", no_args_is_help=True
)
Output = Annotated[
    Path | None,
    typer.Option(
        help="CSV file to write; without it jobs/references/NAME.csv, named for what.",
        callback=in_existing_folder,
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Write over a file that is there.")]
Year = Annotated[int | None, typer.Option(min=1900, max=2099, help="Year (default: latest).")]
_FOLDER = Path("jobs/references")
#: What a job may write after `csv:`.
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")
_SEARCH_LISTS = "professions-search@*.csv"
#: Occupations named for one reason; there may be hundreds.
_SHOWN = 12
_NO_TITLE = "no title stands for it"


@_labour.callback()
def _labour_group() -> None:
    """Shares of women by occupation from a table that was downloaded.

    Nothing is fetched: save the table yourself, as it is. What comes out is a file for
    jobs/references, which a job names as csv:NAME. An occupation has a share where a title of the
    survey stands for it; many titles cover several occupations, and the file says which title it
    was and what else it covers.
    """


@_labour.command()
def bls(
    file: Annotated[Path, typer.Argument(help="cpsaat11.xlsx.")],
    year: Annotated[int, typer.Option(min=1900, max=2099, help="Year of the annual averages.")],
    output: Output = None,
    force: Force = False,
) -> None:
    """United States: table 11 of the Current Population Survey (BLS).

    Save https://www.bls.gov/cps/cpsaat11.xlsx with a browser. It is replaced every year; older ones
    are at https://www.bls.gov/cps/aa2024/cpsaat11.xlsx and the like. Occupations with fewer than
    50,000 people have no figure there.
    """
    from monitor.references import _survey_bls

    with _named(file):
        survey = _survey_bls.read_table(_read_bytes(file, _survey_bls.MOST_BYTES), year)
    _write_shares(survey, f"bls-{year}", output, force=force)


@_labour.command()
def eurostat(
    file: Annotated[Path, typer.Argument(help="JSON of the dataset lfsa_egai2d.")],
    geo: Annotated[str, typer.Option(help="Which country, as Eurostat writes it: DE, EL.")],
    year: Year = None,
    output: Output = None,
    force: Force = False,
) -> None:
    """Europe: employed persons by sex and ISCO-08 at two digits (Eurostat, lfsa_egai2d).

    Save as JSON, for example for Germany:
    https://ec.europa.eu/eurostat/api/dissemination/statistics/1.0/data/lfsa_egai2d?format=JSON&lang=EN&geo=DE&age=Y15-64&sex=F&sex=M
    Groups of two digits are coarse: all lawyers, journalists and musicians are in one. Figures of
    low reliability are kept and say so.
    """
    from monitor.references import _survey_eurostat

    with _named(file):
        content = _read_bytes(file, _survey_eurostat.MOST_BYTES)
        survey = _survey_eurostat.read_dataset(content, geo, str(year or ""))
    _write_shares(survey, f"eurostat-{geo.lower()}-{survey.year}", output, force=force)


@_labour.command()
def ilostat(
    file: Annotated[Path, typer.Argument(help="CSV of EMP_TEMP_SEX_OC2_NB_A, or .csv.gz.")],
    area: Annotated[str, typer.Option(help="Which country, three letters: DEU.")],
    year: Year = None,
    output: Output = None,
    force: Force = False,
) -> None:
    """Any country: employment by sex and ISCO-08 (ILOSTAT).

    Save as CSV, for example for Germany:
    https://rplumber.ilo.org/data/indicator/?id=EMP_TEMP_SEX_OC2_NB_A&ref_area=DEU&type=code&format=.csv
    EMP_TEMP_SEX_OC2_NB_A has groups of two digits, which are coarse; where a country has none, take
    EMP_TEMP_SEX_OCU_NB_A with one digit, which is coarser still. Unreliable figures are kept and
    say so.
    """
    from monitor.references import _survey_ilostat

    with _named(file):
        content = io.BytesIO(_read_bytes(file, _survey_ilostat.MOST_BYTES))
        lines = decode_lines(content, "the table")
        survey = _survey_ilostat.read_lines(lines, area, str(year or ""))
    _write_shares(survey, f"ilostat-{area.lower()}-{survey.year}", output, force=force)


@contextmanager
def _named(file: Path) -> Iterator[None]:
    """Put the file's name before what is wrong with it."""
    try:
        yield
    except InvalidInput as error:
        raise InvalidInput(f"{file}: {error}") from error


def _read_bytes(file: Path, most: int) -> bytes:
    """The bytes of a file, unpacked, which no file may have more of. Raises InvalidInput."""
    try:
        with file.open("rb") as raw:
            is_packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            with gzip.open(raw) if is_packed else raw as opened:
                content = opened.read(most + 1)
    except (OSError, EOFError, zlib.error) as error:
        words = getattr(error, "strerror", None) or error
        raise InvalidInput(f"cannot be read: {words}") from error
    if len(content) > most:
        raise InvalidInput(f"has more than {most:,} bytes; download what you need of it")
    return content


def _write_shares(survey: "Survey", name: str, output: Path | None, *, force: bool) -> None:
    from monitor.references._survey_shares import join_titles
    from monitor.references.csv import REFERENCE

    path = output or _FOLDER / f"{name}.csv"
    if path != STANDARD and (path.suffix != ".csv" or not _NAME.fullmatch(path.stem)):
        raise InvalidInput(
            f"--output {path}: a job could not name it; "
            "use small letters, digits, dots and dashes, and .csv at the end"
        )
    titles = read_table("occupation_titles")
    joined = join_titles(survey, titles, _occupations(titles))
    if not joined.rows:
        raise InvalidInput(
            f"none of the occupations has a title in the file: {_say_left_out(joined.left_out)}"
        )
    REFERENCE.read(joined.text, f"csv:{path.stem}")
    with new_file(path, force=force) as file:
        file.write(joined.text)
    total = len(joined.rows) + len(joined.left_out)
    note(
        f"{path}: {len(joined.rows):,} of {several(total, 'occupation')} got a share "
        f"({survey.source}, {survey.country} {survey.year}); a job names it as csv:{path.stem}"
    )
    note(_say_left_out(joined.left_out))


def _occupations(titles: list[dict[str, str]]) -> set[str]:
    """Every occupation that the tables and shipped lists of searches know."""
    occupations = {row["occupation"] for row in [*titles, *read_table("occupations")]}
    for path in (resources.find_folder("jobs") / "lists").glob(_SEARCH_LISTS):
        occupations |= {item.tags["occupation"] for item in load_list(path).items}
    return occupations


def _say_left_out(left_out: Mapping[str, str]) -> str:
    """Why occupations have no share, the rarest reasons first."""
    by_reason = group_rows(left_out, left_out.__getitem__)
    parts = []
    for reason, some in sorted(by_reason.items(), key=lambda pair: (len(pair[1]), pair[0])):
        shown = "" if reason == _NO_TITLE else f" ({', '.join(some[:_SHOWN])}"
        shown += ", ...)" if shown and len(some) > _SHOWN else ")" if shown else ""
        parts.append(f"{len(some):,}: {reason}{shown}")
    return f"Without a share: {'; '.join(parts) or 'none'}."


import_commands.add_typer(_labour, name="labour")
import_commands.command("trec-run")(trec.trec_run)
export_commands.command("trec-run")(trec.export_run)
export_commands.command("release")(packages.export_release)
export_commands.command("reproduction")(packages.export_reproduction)
