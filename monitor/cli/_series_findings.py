"""Commands of the group `series` about findings: changes, claim cards, comparison of systems."""

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from monitor import settings
from monitor.cli import _completions
from monitor.cli._console import busy, emit_json, err, out
from monitor.cli._files import in_existing_folder, new_file
from monitor.cli._names import known, known_job
from monitor.cli._open import database
from monitor.cli._visible import visible
from monitor.model import InvalidInput
from monitor.stages._report_names import kind_of, pair_title
from monitor.text.counted_nouns import several

if TYPE_CHECKING:
    from monitor.stages.engine_comparisons import AdjustedComparison

Job = Annotated[str, typer.Option(help="Of this job only.", autocompletion=_completions.jobs)]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]


_LEAST = 80  # characters that every window has


def register_on(app: typer.Typer) -> None:
    """Add these commands to the group."""
    app.command()(changes)
    app.command()(claim)
    app.command()(compare)


def changes(
    job: Job = "",
    everything: Annotated[
        bool, typer.Option("--all", help="Also series over parts of the questions.")
    ] = False,
    full: Annotated[
        bool, typer.Option("--full", help="Also the sentence of each, with its quantity's code.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List events, the newest first: what changed in a system, since when, status and cause.

    All that moved in one system at one time is one event, with a line for each quantity;
    `monitor series claim NUMBER` says all about a line. Only what is confirmed is a finding: the
    others are signals that more runs decide. Writes nothing but what it prints.
    """
    from monitor.cli import _series_changes
    from monitor.stages import as_declared
    from monitor.stages.change_events import describe_events
    from monitor.stages.engine_titles import known_engines
    from monitor.store.changes.findings import count_tested_ticks, list_changes, read_end_values
    from monitor.store.schedule import ticks

    with database() as opened, opened.read() as connection, busy("reading the findings"):
        found = list_changes(connection, job or None)
        because = as_declared.of_findings(connection, found)
        tested = count_tested_ticks(connection, job or None)
        jobs = ticks.list_jobs(connection) if job and not found and not tested else []
        shown = found if everything else [one for one in found if one.scope == "all"]
        values = read_end_values(connection, [one.change_id for one in shown])
        events = describe_events(shown, values, known_engines(connection))
    if as_json:
        emit_json([asdict(one) | {"exploratory_because": because[one.change_id]} for one in shown])
        return
    if not found:
        err.print(_nothing(tested), style="dim")
    if jobs:
        _mention("job", job, jobs)
    sentences = {one.change_id: one.sentence for one in shown} if full else {}
    _series_changes.print_events(events, settings.load().zone, because, sentences)
    if rest := len(found) - len(shown):
        said = several(rest, "further one")
        err.print(f"{said} over parts of the questions: --all", style="dim")


def _mention(noun: str, name: str, names: Iterable[str]) -> None:
    """Say so where a name is not known; what is listed is then nothing, which is no fault."""
    try:
        known(noun, name, names)
    except InvalidInput as error:
        err.print(visible(error), style="yellow", markup=False, soft_wrap=True)


def _nothing(tested: int) -> str:
    """Where there are no findings: that nothing was tested is not that nothing changed."""
    if tested:
        return f"no change found: {several(tested, 'tick')} tested"
    return (
        "no tick could be tested, so that whether anything changed is not known: it takes two due "
        "ticks with values on the same questions, and eight to decide"
    )


def claim(
    number: Annotated[int, typer.Argument(help="Number as in `monitor series changes`.")],
    point: Annotated[
        bool, typer.Option("--point", help="The number is that of a point, not of a change.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(help="Write the card as an HTML file.", callback=in_existing_folder),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print the claim card of a change or a point: what it says, and what supports it.

    A sentence to quote, the evidence on both sides, the test with its figures, limits, and how
    accurate the detection is.
    """
    from monitor.stages import claim as stage

    chosen = settings.load()
    with database() as opened, opened.read() as connection:
        make = stage.of_point if point else stage.of_change
        with busy("reading the evidence"):
            card = make(connection, number, chosen.zone, chosen.public_url)
    if output is not None:
        with new_file(output, force=force) as file:
            file.write(card.html)
        err.print(f"claim card: {output}", markup=False)
    if as_json:
        emit_json(card.numbers)
    elif output is None:
        for line in card.text.split("\n"):  # its own line breaks: those of others are codes in it
            out.print(visible(line), markup=False, highlight=False, soft_wrap=True)


def compare(
    job: Job = "",
    run: Annotated[int | None, typer.Option(help="Run id; the newest that can be.")] = None,
    quantity: Annotated[str, typer.Option(help="Show this quantity only.")] = "",
    target: Annotated[str, typer.Option(help="Show this language or region only.")] = "",
    output: Annotated[
        Path | None, typer.Option(help="Write a page as an HTML file.", callback=in_existing_folder)
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file.")] = False,
    as_json: AsJson = False,
) -> None:
    """Hold the engines of one tick against each other, on the same questions, with correction.

    A difference is the second engine's value less the first's. The adjusted p covers all tests of
    the tick, whatever is shown of them.
    """
    from monitor.stages import engine_comparisons as stage
    from monitor.stages.engine_titles import known_engines
    from monitor.store.changes import engine_comparisons as store
    from monitor.store.jobs import declarations

    with database() as opened, opened.read() as connection:
        known_job(connection, job)
        if run is None:
            tick = next(iter(store.find_runs(connection, job, 1)), None)
        else:
            tick = store.find_run(connection, run)
        if tick is None and run is None:
            raise InvalidInput(
                "no scheduled run in which two engines of one kind were asked the same questions; "
                "see `monitor status`"
            )
        if tick is None:
            raise InvalidInput(f"no run {run}; see `monitor status`")
        with busy("comparing the systems"):
            found = stage.adjust_together(store.find_comparisons(connection, tick.run_id))
        engines = known_engines(connection)
        banner = declarations.read_invented(connection, [tick.job]).sentence(names_jobs=True)
    if found and quantity:
        _mention("quantity", quantity, {one.comparison.quantity for one in found})
    if found and target:
        _mention("target", target, {one.comparison.target for one in found})
    shown = [
        one
        for one in found
        if quantity in ("", one.comparison.quantity) and target in ("", one.comparison.target)
    ]
    if output is not None:
        n_tests = sum(one.q is not None for one in found)
        with new_file(output, force=force) as file:
            file.write(stage.page(tick, shown, n_tests, settings.load().zone, engines, banner))
        err.print(f"comparison of systems: {output}", markup=False)
    if as_json:
        emit_json([one.row() for one in shown])
    elif output is None:
        _print(shown)


def _print(shown: "Sequence[AdjustedComparison]") -> None:
    """One heading for each list, pair of languages and measure, one line or two for each pair."""
    if not shown:
        err.print("no two engines of one kind were asked these questions in this run", style="dim")
    before = ""
    for one in shown:
        r = one.comparison
        against = f" against {r.reference}" if r.reference else ""
        pair = pair_title(r.source_lang, r.target, kind_of(r.first))
        heading = f"{r.list}, {pair}: {r.measure}{against}"
        if heading != before:
            out.print(visible(heading), style="bold", markup=False, soft_wrap=True)
        before = heading
        _wrapped(f"{r.quantity}: {r.first} and {r.second}", "  ")
        _wrapped(_difference(one), "    ", "bold" if one.differ else "")


def _wrapped(text: str, indent: str, style: str = "") -> None:
    lines = textwrap.wrap(
        visible(text), max(out.width, _LEAST), initial_indent=indent, subsequent_indent=indent,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    for line in lines:
        out.print(line, style=style, markup=False, soft_wrap=True)


def _difference(one: "AdjustedComparison") -> str:
    """`0.241 and 0.721: +0.480 (+0.315 to +0.645), adjusted p < 0.001, 224 questions`."""
    from monitor.stages.engine_comparisons import said_p

    r = one.comparison
    if r.delta is None or r.value_first is None or r.value_second is None:
        return visible(f"not compared: {r.reason}")
    span = "without an interval"
    if r.low is not None and r.high is not None:
        span = f"{r.low:+z.3f} to {r.high:+z.3f}"
    p = said_p(one.q)
    said = f"adjusted p {p if p.startswith('<') else f'= {p}'}" if one.q is not None else "no test"
    ends = f"{r.value_first:z.3f} and {r.value_second:z.3f}"
    return f"{ends}: {r.delta:+z.3f} ({span}), {said}, {several(r.n, 'question')}"
