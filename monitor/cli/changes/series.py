"""Commands about the time series: list them, show one with its gaps."""

from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, Annotated
from zoneinfo import ZoneInfo

import typer

from monitor import settings
from monitor.cli import names
from monitor.cli.changes import findings
from monitor.cli.commands import share_options
from monitor.cli.console import AsJson, emit_json, note, visible
from monitor.cli.database import database
from monitor.cli.progress import busy
from monitor.model import InvalidInput, as_row

if TYPE_CHECKING:
    from monitor.stages.reports.names import KnownEngines
    from monitor.store.changes.series import Filters, Series
    from monitor.store.database import Connection

series_commands = typer.Typer()

Engine = Annotated[
    str,
    typer.Option(
        help="Title of the engine, or its label or the beginning of that.",
        autocompletion=names.engines,
    ),
]
Target = Annotated[
    str, typer.Option(help="Target language or region.", autocompletion=names.targets)
]
Quantity = Annotated[
    str, typer.Option(help="Quantity, for example f_s.", autocompletion=names.quantities)
]
Measure = Annotated[
    str,
    typer.Option(help="Name of the measure, or its beginning.", autocompletion=names.measures),
]
ListName = Annotated[str, typer.Option("--list", help="Name of the list, without version.")]
Job = Annotated[str, typer.Option(help="Job that began the series.", autocompletion=names.jobs)]
Reference = Annotated[str, typer.Option(help="Reference of the measure.")]
Scope = Annotated[str, typer.Option(help="Part of the questions, for example stereotype:3.")]
Source = Annotated[str, typer.Option("--source", help="Source language.")]
Key = Annotated[str, typer.Option(help="Beginning of the key of a series.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print CSV for spreadsheets.")]


_NONE = (
    "no series yet: `monitor run JOB.toml` asks a job once and makes them; `monitor daemon` asks "
    "it at every due tick, as charts show it; `monitor status` says what became of due ticks"
)


def read_filters(  # noqa: PLR0917 - options of commands
    engine: Engine = "",
    target: Target = "",
    quantity: Quantity = "",
    measure: Measure = "",
    list_name: ListName = "",
    job: Job = "",
    reference: Reference = "",
    scope: Scope = "",
    source: Source = "",
    key: Key = "",
) -> "Filters":
    """Return which series are meant."""
    from monitor.store.changes.series import Filters

    return Filters(
        engine, target, quantity, measure, list_name, job, reference or None, scope, source, key
    )


@series_commands.command("list")
@share_options(filters=read_filters)
def list_series(
    *,
    filters: "Filters",
    scopes: Annotated[
        bool, typer.Option("--scopes", help="Also series over parts of the questions.")
    ] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="Also each part of the questions that never had a value.")
    ] = False,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """List the series: how many due ticks, the newest twenty, and the newest value or gap.

    Quantities that are tested first come first. With --scopes also series over parts of the
    questions, as single stereotypes; parts that never had a value are counted in one line, JSON and
    CSV have all of them. Writes nothing but what it prints.
    """
    from monitor.cli.changes import series_views
    from monitor.stages.reports.names import known_engines
    from monitor.store.changes import series as store
    from monitor.store.changes.series import ALL
    from monitor.store.jobs import declarations

    _one_form(as_json=as_json, as_csv=as_csv)
    with database() as opened, opened.read() as connection, busy("reading the series"):
        engines = known_engines(connection)
        filters = _find_engine(filters, engines)
        matching = series_views.ordered(store.find_series(connection, filters), engines)
        if not matching and not filters.is_empty:
            raise InvalidInput(
                visible(store.make_no_match(connection, filters, _list_titles(engines)))
            )
        with_parts = scopes or everything or bool(filters.scope)
        chosen = matching if with_parts else [one for one in matching if one.scope == ALL]
        summaries = store.read_summaries(connection, chosen)
        newest = {} if as_csv else store.read_newest_marks(connection, chosen)
        made_up = declarations.read_invented(connection)
    if as_json or as_csv:
        rows = series_views.list_rows(chosen, engines, summaries, newest)
        if as_json:
            emit_json(rows)
        else:
            series_views.write_csv(rows, series_views.LIST_COLUMNS, made_up)
    n_folded = 0
    if chosen and not (as_json or as_csv):
        zone, every = settings.load().zone, everything or bool(filters.scope)
        n_folded = series_views.print_list(chosen, engines, summaries, newest, zone, every=every)
    left_out = len(matching) - len(chosen)
    remark = series_views.left_out(left_out, is_empty=not chosen, n_folded=n_folded)
    if not matching:
        remark = _NONE
    if remark:
        note(remark, style="dim")


def _one_form(*, as_json: bool, as_csv: bool) -> None:
    if as_json and as_csv:
        raise InvalidInput("--json and --csv are two forms of the same; choose one")


@series_commands.command()
@share_options(filters=read_filters)
def show(
    number: Annotated[
        int | None, typer.Argument(metavar="SERIES", help="Number as in `monitor series list`.")
    ] = None,
    *,
    filters: "Filters",
    signature: Annotated[
        str, typer.Option(help="Beginning of another signature than the series shows.")
    ] = "",
    since: Annotated[str, typer.Option(help="First due time, 2025-01-31 or with 05:00.")] = "",
    until: Annotated[str, typer.Option(help="Last due time.")] = "",
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Show one series on the grid of due ticks: chart, values with intervals, gaps, changes.

    A series is named by its number, or by options that fit one series alone: `monitor series show
    --engine deepl --target cs --quantity f_s`. Without --scope that over all questions is meant.
    """
    from monitor.cli.changes import series_views
    from monitor.stages.reports.names import known_engines, subject_columns
    from monitor.store.changes import series as store
    from monitor.store.jobs import declarations

    _one_form(as_json=as_json, as_csv=as_csv)
    zone = settings.load().zone
    limits = _moment(since, zone, "--since"), _moment(until, zone, "--until")
    if limits[0] and limits[1] and limits[0] > limits[1]:
        raise InvalidInput(f"--since {since} is after --until {until}")
    with database() as opened, opened.read() as connection:
        one = _chosen(connection, number, filters)
        with busy("reading the series"):
            history = store.read_history(connection, one, signature, *limits)
        made_up = declarations.read_invented(connection)
        engine_asked = known_engines(connection)[one.engine]
    if as_json:
        emit_json(series_views.describe_history(history))
    elif as_csv:
        named = {"kind": engine_asked.kind, "engine_title": engine_asked.title}
        subject = subject_columns(as_row(one) | named)
        rows = (series_views.record(tick) | subject for tick in history.ticks)
        series_views.write_csv(rows, [*series_views.TICK_COLUMNS, *subject], made_up)
    else:
        series_views.print_series(history, zone)


def _moment(text: str, zone: ZoneInfo, option: str) -> datetime | None:
    """A day or time in the zone of reports; a day as the end of a stretch is the whole of it."""
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInput(f"{option} {text!r}: write 2025-01-31 or 2025-01-31T05:00") from None
    is_day = len(text) <= len("2025-01-31") and moment.time() == time()
    if is_day and option == "--until":
        moment += timedelta(days=1, microseconds=-1)
    return moment if moment.tzinfo else moment.replace(tzinfo=zone)


def _chosen(connection: "Connection", number: int | None, filters: "Filters") -> "Series":
    """Return the series that is meant. Raises InvalidInput naming the candidates."""
    from monitor.stages.reports.names import known_engines
    from monitor.store.changes import series as store

    if number is None and filters.is_empty:
        raise InvalidInput(
            "which series? give its number as in `monitor series list`, or --engine, --target and "
            "--quantity"
        )
    if number is None:
        engines = known_engines(connection)
        filters = _find_engine(filters, engines)
        return store.find_single(connection, filters, _list_titles(engines))
    if not filters.is_empty:
        raise InvalidInput("name a series by its number or by options, not by both")
    series = store.get_series(connection, number)
    if series is None:
        raise InvalidInput(f"no series {number}; `monitor series list` lists them")
    return series


def _find_engine(filters: "Filters", engines: "KnownEngines") -> "Filters":
    """Return the filters with the label of the engine that is named by its title."""
    named = (filters.engine or "").casefold()
    labels = [label for label, engine in engines.items() if engine.title.casefold() == named]
    return replace(filters, engine=labels[0]) if labels else filters


def _list_titles(engines: "KnownEngines") -> dict[str, str]:
    return {label: engine.title for label, engine in engines.items()}


for _command in (findings.changes, findings.claim, findings.compare):
    series_commands.command()(_command)
