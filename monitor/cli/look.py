"""The command that looks at one text: explain."""

from typing import Annotated

import typer

from monitor.bulk import reader
from monitor.cli import _completions
from monitor.cli._console import emit_json, out
from monitor.cli.gender import CueOption, chosen_cue

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]


def register(app: typer.Typer) -> None:
    """Add this command to the program."""
    app.command()(explain)


def explain(
    text: Annotated[str, typer.Argument(help="A translated sentence.")],
    language: Annotated[
        str,
        typer.Option(help="Its language, for example pt.", autocompletion=_completions.languages),
    ],
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
