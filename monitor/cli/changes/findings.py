"""Commands about findings: changes, claim cards, comparison of systems."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from monitor import settings
from monitor.cli import names
from monitor.cli.console import AsJson, emit_json, err, out
from monitor.cli.database import database
from monitor.cli.files import FORMS, document_file, write_document
from monitor.cli.names import known, known_job
from monitor.cli.progress import busy
from monitor.model import InvalidInput
from monitor.text.counted_nouns import several

Job = Annotated[str, typer.Option(help="Of this job only.", autocompletion=names.jobs)]


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
    from monitor.stages.changes.events import describe_events
    from monitor.stages.jobs import preregistration
    from monitor.stages.reports.names import known_engines
    from monitor.store.changes.findings import (
        FindingFilter,
        count_tested_ticks,
        list_changes,
        read_end_values,
    )

    with database() as opened, opened.read() as connection, busy("reading the findings"):
        known_job(connection, job)
        changes = list_changes(connection, FindingFilter(job=job))
        because = preregistration.of_findings(connection, changes)
        tested = count_tested_ticks(connection, job or None)
        shown_changes = (
            changes if everything else [change for change in changes if change.scope == "all"]
        )
        values = read_end_values(
            connection, [shown_change.change_id for shown_change in shown_changes]
        )
        zone = settings.load().zone
        events = describe_events(shown_changes, values, known_engines(connection), zone)
    if as_json:
        emit_json(
            [
                asdict(shown_change) | {"exploratory_because": because[shown_change.change_id]}
                for shown_change in shown_changes
            ]
        )
        return
    if not changes:
        err.print(_nothing(tested), style="dim")
    sentences = (
        {shown_change.change_id: shown_change.sentence for shown_change in shown_changes}
        if full
        else {}
    )
    from monitor.cli.changes.events import print_events

    print_events(events, zone, because, sentences)
    if rest := len(changes) - len(shown_changes):
        remainder = several(rest, "further one")
        err.print(f"{remainder} over parts of the questions: --all", style="dim")


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
        typer.Option(help=FORMS, callback=document_file),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print the claim card of a change or a point: what it says, and what supports it.

    A sentence to quote, the evidence on both sides, the test with its figures, limits, and how
    accurate the detection is.
    """
    from monitor.stages.document.terminal import print_document
    from monitor.stages.reports import claim_content

    chosen = settings.load()
    with database() as opened, opened.read() as connection:
        make = claim_content.card_of_point if point else claim_content.card_of_change
        with busy("reading the evidence"):
            card = make(connection, number, chosen.zone, chosen.public_url)
    if output is not None:
        write_document(output, card.document, card.at, numbers=card.numbers, force=force)
        err.print(f"claim card: {output}", markup=False)
    if as_json:
        emit_json(card.numbers)
    elif output is None:
        print_document(card.document, out)


def compare(
    job: Job = "",
    run: Annotated[int | None, typer.Option(help="Run id; the newest that can be.")] = None,
    quantity: Annotated[
        str, typer.Option(help="Show this quantity only.", autocompletion=names.quantities)
    ] = "",
    target: Annotated[
        str, typer.Option(help="Show this language or region only.", autocompletion=names.targets)
    ] = "",
    output: Annotated[Path | None, typer.Option(help=FORMS, callback=document_file)] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file.")] = False,
    as_json: AsJson = False,
) -> None:
    """Hold the engines of one tick against each other, on the same questions, with correction.

    A difference is the second engine's value less the first's. The adjusted p covers all tests of
    the tick, whatever is shown of them.
    """
    from monitor.stages.changes import comparisons
    from monitor.stages.document.terminal import print_document
    from monitor.stages.reports.names import known_engines
    from monitor.store.changes import comparisons as store
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
            compared = comparisons.adjust_together(store.find_comparisons(connection, tick.id))
        engines = known_engines(connection)
        banner = declarations.read_invented(connection, [tick.job]).sentence(names_jobs=True)
    if compared and quantity:
        known("quantity", quantity, {tested.comparison.quantity for tested in compared})
    if compared and target:
        known("target", target, {tested.comparison.target for tested in compared})
    shown = [
        tested
        for tested in compared
        if quantity in ("", tested.comparison.quantity) and target in ("", tested.comparison.target)
    ]
    n_tests = sum(tested.q is not None for tested in compared)
    document = comparisons.write_comparison_document(
        tick, shown, n_tests, settings.load().zone, engines, banner
    )
    if output is not None:
        write_document(output, document, tick.due_at, force=force)
        err.print(f"comparison of systems: {output}", markup=False)
    if as_json:
        emit_json([tested.row() for tested in shown])
    elif output is None and shown:
        print_document(document, out)
    elif output is None:
        err.print("no two engines of one kind were asked these questions in this run", style="dim")
