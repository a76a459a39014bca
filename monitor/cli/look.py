"""Commands that look at one text or one piece of evidence: explain, evidence."""

from typing import Annotated

import typer

from monitor.bulk import reader
from monitor.cli._console import emit_json, out
from monitor.cli._open import database
from monitor.cli.gender import CueOption, chosen_cue
from monitor.model import StoreProblem

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]
_evidence = typer.Typer(help="The raw answers: show one, verify all.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.command()(explain)
    app.add_typer(_evidence, name="evidence")


def explain(
    text: Annotated[str, typer.Argument(help="A translated sentence.")],
    language: Annotated[str, typer.Option(help="Its language, for example pt.")],
    cue: CueOption = None,
    nouns: Annotated[
        bool | None,
        typer.Option("--nouns/--no-nouns", help="Count generic nouns for persons (som vodca)."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show which words of a sentence decide its gender, and by which rule."""
    chosen, which = reader(language, chosen_cue(language, cue).value, nouns=nouns)
    signal = chosen.signal(text, which)
    if as_json:
        witnesses = [{name: getattr(w, name) for name in w.__slots__} for w in signal.witnesses]
        emit_json({"class": signal.cls, "rule": signal.rule, "witnesses": witnesses})
        return
    out.print(f"class: {signal.cls}   rule: {signal.rule or '-'}")
    for witness in signal.witnesses:
        where = f"{witness.start}-{witness.end}"
        out.print(f"  {witness.text!r} ({where}): {witness.gender}, {witness.rule}", markup=False)


@_evidence.command()
def show(
    attempt: Annotated[int, typer.Argument(help="attempt_id as in the view answers.")],
) -> None:
    """Show one attempt: the question, who was asked when, the raw answer, its digest."""
    from monitor.store import overview

    with database() as opened, opened.read() as connection:
        found = overview.evidence(connection, opened, attempt)
    if found is None:
        raise StoreProblem(f"no attempt {attempt} in this database")
    emit_json(found)


@_evidence.command()
def verify() -> None:
    """Recompute the digest of every stored answer; names the first that does not match."""
    from monitor.store import bodies

    with database() as opened, opened.read() as connection:
        checked = 0
        for body_id in bodies.known(connection):
            bodies.get(connection, opened, body_id)  # raises, naming the answer
            checked += 1
    out.print(f"{checked:,} stored answers match their digests")
