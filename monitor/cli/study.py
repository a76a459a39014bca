"""Commands that hold the instrument against published figures and labelled texts."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from monitor.cli._console import emit_json, out
from monitor.cli._studies import add
from monitor.studies.catalogue import list_studies
from monitor.studies.labelled import LabelledScores, Proportion, Score
from monitor.text.counted_nouns import several

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]

_app = typer.Typer(help="Accuracy on published figures and labelled texts.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add these commands to the program."""
    for one in list_studies().values():
        add(_app, one)
    app.add_typer(_app, name="study")


@_app.callback()
def _group() -> None:
    """How accurate the instrument is: on published figures, and on labelled texts."""


def _print_wide(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table with too many columns for rich to fold: aligned lines that a pager can scroll."""
    widths = [max(map(len, column)) for column in zip(columns, *rows, strict=True)]
    typer.echo(title)
    for row in (columns, *rows):
        cells = [
            cell.ljust(width) if at < 2 else cell.rjust(width)  # noqa: PLR2004 - system, language
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        typer.echo("  ".join(cells).rstrip())
    typer.echo()


@_app.command()
def languages(
    labelled: Annotated[
        Path, typer.Option(help="CSV with the columns language, translation and the gold label.")
    ],
    gold: Annotated[str, typer.Option(help="Column of the label: M, F or N.")] = "gold",
    as_json: AsJson = False,
) -> None:
    """Compute precision and recall on labelled translations, by language and over all.

    M and F are the grammatical gender of the speaker, N is everything else. Shares come with
    their Wilson interval at 95 %; every text that was read otherwise is listed with its rule.
    """
    from monitor import registry
    from monitor.studies.labelled import score_labelled_texts

    found = score_labelled_texts(labelled, gold, registry.language)
    if as_json:
        emit_json(_plain(found))
        return
    scores = [*found.scores, found.pooled] if len(found.scores) != 1 else list(found.scores)
    columns = ("language", "texts", "precision", "recall", "M for F, F for M", "false positives")
    _print_wide("Masculine and feminine together", columns, [_row(one) for one in scores])
    _print_wide("Gold > found", ("language", *_PAIRS), [_confusion(one) for one in scores])
    for error in found.errors:
        out.print(
            f"{error.language} row {error.line}: {error.gold}, found {error.found} "
            f"({error.rule or 'no rule'}): {error.text}",
            markup=False,
            soft_wrap=True,
        )
    for tag, n in sorted(found.left_out.items()):
        out.print(f"{tag}: {several(n, 'text')} left out, because its gender cannot be read yet")


_PAIRS = tuple(f"{gold} > {found}" for gold in "MFN" for found in "MFN")


def _row(one: Score) -> list[str]:
    texts = one.confusion.total()
    return [
        one.language,
        f"{texts:,}",
        _said(one.precision()),
        _said(one.recall()),
        str(one.swapped),
        _said(one.false_positives),
    ]


def _confusion(one: Score) -> list[str]:
    return [one.language, *(str(one.confusion[pair[0], pair[-1]]) for pair in _PAIRS)]


def _said(share: Proportion) -> str:
    if share.value is None or share.limits is None:
        return "no value"
    low, high = share.limits
    return f"{share.value:.3f} [{low:.3f}, {high:.3f}] {share.hits}/{share.of}"


def _plain(found: LabelledScores) -> dict[str, object]:
    def share(one: Proportion) -> dict[str, object]:
        return {"value": one.value, "limits": one.limits, "hits": one.hits, "of": one.of}

    def of(one: Score) -> dict[str, object]:
        return {
            "texts": one.confusion.total(),
            "precision": share(one.precision()),
            "recall": share(one.recall()),
            "swapped": one.swapped,
            "false_positives": share(one.false_positives),
            "confusion": {pair: one.confusion[pair[0], pair[-1]] for pair in _PAIRS},
            "classes": {str(cls): n for cls, n in sorted(one.classes.items())},
        }

    return {
        "languages": {one.language: of(one) for one in found.scores},
        "pooled": of(found.pooled),
        "errors": [{name: getattr(e, name) for name in e.__slots__} for e in found.errors],
        "left_out": dict(found.left_out),
    }
