"""The command that reads grammatical gender in bulk, from a CSV to a CSV."""

import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from monitor import registry
from monitor.cli import _completions
from monitor.cli._console import counter, err
from monitor.cli._files import STANDARD, in_existing_folder, new_file, refuse_existing
from monitor.input_files import decoded
from monitor.model import Cue, InvalidInput
from monitor.text.counted_nouns import several

_EVERY = 1_000  # rows between two drawings of the progress line


CueOption = Annotated[
    Cue | None,
    typer.Option(
        help="agreement: the speaker; quoted: who speaks inside quotation marks; pronoun: the "
        "person spoken of. By default agreement, or the only one that the language has."
    ),
]


def chosen_cue(language: str, cue: Cue | None) -> Cue:
    """The cue that is meant where none is named: agreement, or the language's only one."""
    if cue is not None:
        return cue
    known = registry.known_language(language).cues
    return next(iter(known)) if len(known) == 1 else Cue.AGREEMENT


def register(app: typer.Typer) -> None:
    """Add this command to the program."""
    app.command()(gender)


def gender(
    table: Annotated[
        Path, typer.Argument(metavar="FILE.csv", help="UTF-8 CSV with a header; - is standard in.")
    ],
    language: Annotated[
        str,
        typer.Option(
            help="Language of the texts, for example sk.", autocompletion=_completions.languages
        ),
    ],
    output: Annotated[
        Path, typer.Option(help="CSV to write; - is standard output.", callback=in_existing_folder)
    ],
    column: Annotated[str, typer.Option(help="Column that holds the texts.")] = "translation",
    cue: CueOption = None,
    nouns: Annotated[
        bool | None,
        typer.Option("--nouns/--no-nouns", help="Count generic nouns for persons (som vodca)."),
    ] = None,
    spreadsheet: Annotated[
        bool,
        typer.Option("--spreadsheet", help="Put ' before every cell that would run as a formula."),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Write over an existing file.")] = False,
) -> None:
    """Read the grammatical gender of the speaker of every text in a CSV file; needs no database.

    Of English, which has no such forms, the third-person pronoun is read.

    The columns gender, witness (the words that decided) and rule are added; every other cell
    stays as it is. gender is masculine, feminine, both (tired/a, or two alternatives), inclusive
    (forms in -e, @, *), mixed (contradicting words), none (read, and unmarked) or unidentified
    (cannot say). `monitor explain` shows how one text was read.
    """
    from monitor.bulk import annotated, reader
    from monitor.labels.sheets import RowWriter
    from monitor.text.cells import inert

    chosen, which = reader(language, chosen_cue(language, cue).value, nouns=nouns)
    if output != STANDARD:
        refuse_existing(output, force=force)
    found: Counter[str] = Counter()
    started = time.monotonic()
    place = "standard input" if table == STANDARD else str(table)
    with _opened(table) as lines, new_file(output, force=force) as file, counter("texts") as count:
        writer = RowWriter(file)
        rows = annotated(decoded(lines, place), place, chosen, which, column)
        writer.rows([next(rows)])
        for number, row in enumerate(rows, start=1):
            writer.rows([[inert(cell) for cell in row] if spreadsheet else row])
            found[row[-3]] += 1
            if number % _EVERY == 0:
                count(number)
    _say(found, time.monotonic() - started)


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    if path == STANDARD:
        yield sys.stdin.buffer
        return
    try:
        with path.open("rb") as file:
            yield file
    except FileNotFoundError:
        raise InvalidInput(f"{path}: no such file") from None
    except IsADirectoryError:
        raise InvalidInput(f"{path}: is a folder; name a CSV file") from None


def _say(found: Counter[str], took: float) -> None:
    total = found.total()
    classes = ", ".join(f"{n:,} {cls}" for cls, n in found.most_common()) or "no rows"
    rate = f" ({total / took:,.0f} a second)" if took > 0 else ""
    err.print(
        f"{several(total, 'text')} in {took:.1f} s{rate}: {classes}", markup=False, soft_wrap=True
    )
