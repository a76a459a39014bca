"""Commands that read texts and saved pages without a database: gender, explain, parse."""

import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer

from monitor import registry
from monitor.bulk import reader
from monitor.cli import names
from monitor.cli.console import AsJson, emit_json, note, out, say, visible
from monitor.cli.files import STANDARD, in_existing_folder, new_file, refuse_existing
from monitor.cli.progress import counter
from monitor.input_files import decoded
from monitor.model import Cue, InvalidInput, Reading
from monitor.text.counted_nouns import several
from monitor.text.near_names import hint

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
    known_cues = registry.known_language(language).cues
    return next(iter(known_cues)) if len(known_cues) == 1 else Cue.AGREEMENT


def register(app: typer.Typer) -> None:
    """Add these commands to the program."""
    for command in (gender, explain, parse):
        app.command()(command)


def gender(
    table: Annotated[
        Path, typer.Argument(metavar="FILE.csv", help="UTF-8 CSV with a header; - is standard in.")
    ],
    language: Annotated[
        str,
        typer.Option(help="Language of the texts, for example sk.", autocompletion=names.languages),
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
    from monitor.text.cells import make_inert

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
            writer.rows([[make_inert(cell) for cell in row] if spreadsheet else row])
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
    note(f"{several(total, 'text')} in {took:.1f} s{rate}: {classes}")


def explain(
    text: Annotated[str, typer.Argument(help="A translated sentence.")],
    language: Annotated[
        str,
        typer.Option(help="Its language, for example pt.", autocompletion=names.languages),
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


_AUTO = "auto"


def parse(
    files: Annotated[list[Path], typer.Argument(help="Saved result pages, HTML.")],
    engine: Annotated[
        str, typer.Option(help="Whose pages they are: an engine or a reader of pages, or auto.")
    ] = _AUTO,
    url: Annotated[str, typer.Option(help="The address that a page was saved from.")] = "",
    as_json: AsJson = False,
) -> None:
    """Read saved result pages: state, layout, and every block with ranks, titles and links.

    A page that is a wall, or cannot be read, is said to be one: that is a reading too. With --json
    one file gives one object, several give a list.
    """
    chosen = _reader(engine)
    found = [_read_page(file, _content(file), url, chosen) for file in files]
    if as_json:
        emit_json(found[0] if len(found) == 1 else found)
        return
    for one in found:
        _print_page(one)


def _reader(name: str) -> str:
    """The reader that a name stands for; empty to look at each page. Raises InvalidInput."""
    from monitor.pages._page_owner import reader_of

    if name in (_AUTO, "saved_pages"):
        return ""
    found = reader_of(name)
    if not found:
        known = {*registry.discover("pages"), *filter(reader_of, registry.discover("engines"))}
        raise InvalidInput(
            f"engine {name!r}: has no result pages to read; {hint(name, [_AUTO, *sorted(known)])}"
        )
    return found


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        raise InvalidInput(f"{file}: no such file") from None
    except IsADirectoryError:
        raise InvalidInput(f"{file}: is a folder; name a saved page") from None
    except OSError as error:
        raise InvalidInput(f"{file}: cannot be read: {error.strerror or error}") from None


def _read_page(file: Path, body: bytes, url: str, chosen: str) -> dict[str, Any]:
    from monitor.pages._blocks import state_of
    from monitor.pages._page_owner import read_page

    reader, reading = read_page(body, url, chosen)
    return {
        "file": str(file),
        "reader": reader,
        "version": registry.page(reader).version if reader else None,
        "url": url,
        "state": state_of(reading),
        "outcome": reading.outcome,
        "reason": reading.reason,
        "detail": reading.detail,
        "layout": _layout(reading),
        "blocks": _blocks(reading),
    }


def _layout(reading: Reading) -> str:
    """The layout, which stands first in what a reader says of a page that it could read."""
    first = reading.detail.partition(";")[0]
    return first.removeprefix("layout: ") if first.startswith("layout: ") else ""


def _blocks(reading: Reading) -> dict[str, list[dict[str, Any]]]:
    """{block: its items in the order of their ranks}."""
    grouped_rows: dict[str, list[dict[str, Any]]] = {}
    for item in reading.items:
        grouped_rows.setdefault(str(item.block), []).append(
            {
                "rank": item.rank,
                "title": item.title,
                "url": item.url,
                "text": item.text,
                "entity": item.entity,
            }
        )
    return grouped_rows


def _print_page(one: dict[str, Any]) -> None:
    def line(text: str) -> None:
        say(visible(text))

    reader = f"{one['reader']}@{one['version']}" if one["reader"] else "nobody's that is known"
    line(f"{one['file']}: {one['state']}, read as {reader}; {one['detail'] or '-'}")
    for block, items in one["blocks"].items():
        line(f"  {block}: {len(items)}")
        for item in items:
            rest = "  ".join(part for part in (item["entity"], item["url"]) if part)
            line(f"  {item['rank']:>4}  {item['title'] or item['text']}  {rest}".rstrip())
