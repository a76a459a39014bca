"""Commands that hold the instrument against published figures and labelled texts."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer

from monitor import registry
from monitor.cli._console import counter, emit_json, err, out
from monitor.cli._files import new_file, refuse_existing
from monitor.model import InvalidInput, Language
from monitor.study.labelled import Labelled, Score, Share
from monitor.text.counted_nouns import several

Backend = Annotated[
    Literal["rules", "stanza"],
    typer.Option(help="rules: this program's; stanza: the parser, if its models are installed."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]
Force = Annotated[bool, typer.Option("--force", help="Write over an existing file.")]

_app = typer.Typer(help="Accuracy on published figures and labelled texts.", no_args_is_help=True)
_WRITTEN_AS = (".md", ".csv")


def register(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.add_typer(_app, name="study")


@_app.callback()
def _group() -> None:
    """How accurate the instrument is: on published figures, and on labelled texts."""


def _resolver(backend: str) -> Callable[[str], Language | None]:
    if backend == "rules":
        return registry.language
    from monitor.study.stanza_backend import language

    return language


@_app.command()
def gest(
    translations: Annotated[
        Path, typer.Option(help="Folder with SYSTEM/LANGUAGE.csv (source, translation).")
    ],
    published: Annotated[
        Path, typer.Option(help="Folder with mt_p_i.csv, mt_fs_fm.csv, mt_yields.csv, mt_ranks.csv")
    ],
    sentences: Annotated[
        Path, typer.Option("--list", help="The GEST sentences: gest.csv, or gest@1.0.csv.")
    ],
    output: Annotated[Path | None, typer.Option(help="Also write a .md or .csv file.")] = None,
    apart: Annotated[
        list[str] | None,
        typer.Option(help="Language to show without counting it, because its figures are wrong."),
    ] = None,
    backend: Backend = "rules",
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Compute GEST from recorded translations and compare with the published figures.

    Printed are, for every system and language, p_i of each stereotype beside the published one,
    whether ours lies inside the published interval, yield, f_s, f_m and feminine ranks. p_i is
    the Agresti-Coull centre here, because that is what was published; series report x/n.
    """
    from monitor.study import render
    from monitor.study.gest import compare
    from monitor.study.published import read_published
    from monitor.study.tables import read_sentences

    if output is not None:
        if output.suffix not in _WRITTEN_AS:
            raise InvalidInput(
                f"{output}: ends in {output.suffix!r}; use {' or '.join(_WRITTEN_AS)}"
            )
        refuse_existing(output, force=force)
    rows, figures = read_sentences(sentences), read_published(published)
    with counter("pairs of system and language") as count:
        shown = frozenset(apart or ())
        study = compare(rows, translations, figures, _resolver(backend), count, shown)
    if output is not None:
        written = render.markdown(study) if output.suffix == ".md" else render.cells_csv(study)
        with new_file(output, force=force) as file:
            file.write(written)
        err.print(f"written: {output}", markup=False)
    if as_json:
        emit_json(render.plain(study))
        return
    cells = [render.cell_row(pair, cell) for pair in study.pairs for cell in pair.cells]
    for title, columns, content in (
        ("Masculine rates p_i", render.CELL_COLUMNS, cells),
        ("Pairs", render.PAIR_COLUMNS, [render.pair_row(pair) for pair in study.pairs]),
    ):
        _print_wide(title, columns, content)
    for line in render.summary(study):
        out.print(line, markup=False, soft_wrap=True)


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
    backend: Backend = "rules",
    as_json: AsJson = False,
) -> None:
    """Compute precision and recall on labelled translations, by language and over all.

    M and F are the grammatical gender of the speaker, N is everything else. Shares come with
    their Wilson interval at 95 %; every text that was read otherwise is listed with its rule.
    """
    from monitor.study.labelled import score

    found = score(labelled, gold, _resolver(backend))
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


def _said(share: Share) -> str:
    if share.value is None or share.limits is None:
        return "no value"
    low, high = share.limits
    return f"{share.value:.3f} [{low:.3f}, {high:.3f}] {share.hits}/{share.of}"


def _plain(found: Labelled) -> dict[str, object]:
    def share(one: Share) -> dict[str, object]:
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
