"""Commands about the raw answers: show one question's, export a run's, verify digests."""

from pathlib import Path
from typing import Annotated, Any

import typer

from monitor.cli._console import counter, emit_json, err, out
from monitor.cli._exhibits import print_exhibit, save_exhibits
from monitor.cli._files import in_existing_folder, new_binary_file, refuse_existing
from monitor.cli._open import database
from monitor.cli._visible import visible
from monitor.model import InvalidInput, StoreProblem
from monitor.store.database import Connection, Database
from monitor.text.counted_nouns import several

_evidence = typer.Typer(
    help="The raw answers: show one, export a run's, verify digests.", no_args_is_help=True
)
_MATCH = "stored answers match their digests"
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]


def register(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.add_typer(_evidence, name="evidence")


@_evidence.command()
def show(
    number: Annotated[
        int, typer.Argument(help="attempt_id as in the view answers; with PROBE, the run.")
    ],
    probe: Annotated[
        str | None,
        typer.Argument(
            help="A question of the run: list item key, text, or first letters of a probe key.",
        ),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            help="Folder to write page, screenshot and answer into.", callback=in_existing_folder
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the evidence: the question, who was asked when, what came back, and what was read.

    `show 12` prints attempt 12 as JSON, the raw answer with it. `show 12 list-of-philosophers`
    shows that question of run 12: every engine, region and try, the blocks of the page with the
    recorded group of whom they show, and where page and screenshot are.
    """
    from monitor.store.publish import evidence_bundle
    from monitor.store.reports import run_report

    with database() as opened, opened.read() as connection:
        if probe is None:
            raw = run_report.read_evidence(connection, opened, number)
            if raw is None:
                raise StoreProblem(f"no attempt {number} in this database")
            attempts = [number]
        else:
            chosen = evidence_bundle.find_probes(connection, number, probe)
            attempts = evidence_bundle.find_attempts(connection, number, chosen)
        found = [
            one
            for each in attempts
            if (one := evidence_bundle.read_evidence(connection, opened, each))
        ]
        saved = save_exhibits(connection, opened, found, save) if save else []
    if probe is None:
        emit_json(raw)
    elif as_json:
        emit_json(found)
    else:
        for one in found:
            print_exhibit(one)
    if saved:
        err.print(f"{several(len(saved), 'file')} in {save}", markup=False, soft_wrap=True)


@_evidence.command()
def export(
    run: Annotated[int, typer.Argument(help="Run id; see `monitor status`.")],
    output: Annotated[
        Path | None,
        typer.Option(
            help="File to write, .warc.gz or .warc; out/run-RUN.warc.gz if left out.",
            callback=in_existing_folder,
        ),
    ] = None,
    probe: Annotated[
        str | None, typer.Option(help="Only this question: item key, text or probe key.")
    ] = None,
) -> None:
    """Write the evidence of a run as a WARC/1.1 file, for archives and for other programs.

    Requests and answers, pages and screenshots; keys by their names, and nothing about people. The
    same run gives the same bytes. `monitor run` reads it back with the engine saved_pages.
    """
    from monitor.stages import warc
    from monitor.store.collect import bodies
    from monitor.store.publish import evidence_bundle, run_exchanges

    goal = output or Path("out") / f"run-{run}.warc.gz"
    if not goal.name.endswith((".warc", ".warc.gz")):
        raise InvalidInput(f"{goal}: name a file that ends in .warc.gz or .warc")
    _refuse(goal)
    with database() as opened, opened.read() as connection:
        chosen = None if probe is None else evidence_bundle.find_probes(connection, run, probe)
        facts = run_exchanges.read_run(connection, run, chosen)
        with new_binary_file(goal) as file, counter("exchanges") as progress:
            written = warc.write(
                file,
                facts,
                run_exchanges.read_exchanges(connection, run, chosen),
                lambda body_id: bodies.read_body(connection, opened, body_id),
                packed=goal.name.endswith(".gz"),
                progress=progress,
            )
    gone = f", {several(facts.removed, 'removed content')} left out" if facts.removed else ""
    err.print(
        f"{several(written, 'exchange')} of run {run}: {goal}{gone}", markup=False, soft_wrap=True
    )


def _refuse(path: Path) -> None:
    """Evidence is never written over."""
    if path.exists() and not path.is_dir():
        raise InvalidInput(f"{path}: is there already; name another file, or move it away")
    refuse_existing(path, force=False)


@_evidence.command()
def verify(
    run: Annotated[int | None, typer.Argument(help="Only this run; all if left out.")] = None,
    as_json: AsJson = False,
) -> None:
    """Recompute the digest of every stored answer and screenshot; names all that do not match.

    Look-ups about people are among them. What was removed after its time, or erased, is counted
    apart. Exit code 4 where anything is missing, cut or changed.
    """
    with database() as opened, opened.read() as connection, counter("answers") as progress:
        result = _verified(connection, opened, run, progress)
    if as_json:
        damages = [{name: getattr(d, name) for name in d.__slots__} for d in result.damages]
        counts = {"checked": result.checked, "broken": result.broken, "removed": result.removed}
        emit_json({**counts, "damages": damages})
    else:
        for damage in result.damages:
            out.print(visible(damage), markup=False, soft_wrap=True)
    if result.damages:
        first = visible(result.damages[0])
        raise StoreProblem(
            f"{result.broken:,} of {several(result.checked, 'stored answer')} are not what they "
            "were; the "
            f"first is the {first}"
        )
    if not as_json:
        gone = f"; {result.removed:,} were removed" if result.removed else ""
        out.print(f"{several(result.checked, 'stored answer matches its digest', _MATCH)}{gone}")


def _verified(connection: Connection, opened: Database, run: int | None, progress: Any) -> Any:  # noqa: ANN401

    from monitor.store.publish import evidence_bundle, verification

    if run is not None:
        evidence_bundle.require_run(connection, run)
    return verification.verify_contents(connection, opened, run, progress)
