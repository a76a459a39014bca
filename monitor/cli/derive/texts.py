"""Commands that read texts and saved pages without a database: gender, explain, parse."""

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from monitor import registry
from monitor.bulk import annotate_rows, annotated_entities, find_reader
from monitor.cli import names
from monitor.cli.console import AsJson, emit_json, note, out, say, visible
from monitor.cli.files import STANDARD, in_existing_folder, new_file, refuse_existing
from monitor.cli.progress import counter
from monitor.input_files import decode_lines, open_file
from monitor.model import Cue, EntityLanguage, EntityText, InvalidInput, Reading, as_row, primary
from monitor.text.counted_nouns import several
from monitor.text.near_names import hint

_EVERY = 1_000  # rows between two drawings of the progress line


CueOption = Annotated[
    Cue | None,
    typer.Option(
        help="agreement: the speaker; quoted: who speaks inside quotation marks; pronoun: the "
        "person spoken of; entity: a person named in the source. By default agreement, or the only "
        "one that the language has."
    ),
]


def chosen_cue(language: str, cue: Cue | None) -> Cue:
    """The cue that is meant where none is named: agreement, or the language's only one."""
    if cue is not None:
        return cue
    known_cues = registry.known_language(language).cues
    return next(iter(known_cues)) if len(known_cues) == 1 else Cue.AGREEMENT


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

    With --cue entity the gender of a person whom the source names is read, in the languages es, fr,
    ...: the file has the columns source, entity (words of the source) and translation, and may have
    index (place of the entity's word among the words between blanks, from 0).

    The columns gender, witness (the words that decided) and rule are added; every other cell
    stays as it is. gender is masculine, feminine, both (tired/a, or two alternatives), inclusive
    (forms in -e, @, *), mixed (contradicting words), none (read, and unmarked) or unidentified
    (cannot say). `monitor explain` shows how one text was read.
    """
    from monitor.text.cells import RowWriter, make_inert

    annotate = _annotator(language, cue, column, nouns=nouns)
    if output != STANDARD:
        refuse_existing(output, force=force)
    counts: Counter[str] = Counter()
    started = time.monotonic()
    place = "standard input" if table == STANDARD else str(table)
    source = nullcontext(sys.stdin.buffer) if table == STANDARD else open_file(table)
    with source as lines, new_file(output, force=force) as file, counter("texts") as count:
        writer = RowWriter(file)
        rows = annotate(decode_lines(lines, place), place)
        writer.rows([next(rows)])
        for number, row in enumerate(rows, start=1):
            writer.rows([[make_inert(cell) for cell in row] if spreadsheet else row])
            counts[row[-3]] += 1
            if number % _EVERY == 0:
                count(number)
    _say(counts, time.monotonic() - started)


def _annotator(
    language: str, cue: Cue | None, column: str, *, nouns: bool | None
) -> Callable[[Iterable[str], str], Iterator[list[str]]]:
    """What reads the lines of a table, named by its place. Raises InvalidInput."""
    if cue is Cue.ENTITY:
        entity_language = _entity_reader(language, nouns=nouns)
        return lambda lines, place: annotated_entities(lines, place, entity_language, column)
    chosen, which = find_reader(language, chosen_cue(language, cue).value, nouns=nouns)
    return lambda lines, place: annotate_rows(lines, place, chosen, which, column)


def _entity_reader(language: str, *, nouns: bool | None) -> EntityLanguage:
    if nouns is not None:
        raise InvalidInput("--nouns is about the speaker; leave it out with --cue entity")
    return registry.entity_reader(primary(language))


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
    source: Annotated[
        str | None, typer.Option(help="With --cue entity: the English sentence.")
    ] = None,
    entity: Annotated[
        str | None,
        typer.Option(help="With --cue entity: the words of the source that name the person."),
    ] = None,
    index: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="With --cue entity: the place of a word of the entity among the source's words, "
            "from 0; for an entity that the source names twice.",
        ),
    ] = None,
    nouns: Annotated[
        bool | None,
        typer.Option("--nouns/--no-nouns", help="Count generic nouns for persons (som vodca)."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show which words of a sentence decide its gender, and by which rule.

    With --cue entity: the gender of a person whom the source names, given by --source and --entity.
    """
    if cue is Cue.ENTITY:
        entity_text = _entity_text(text, source, entity, index)
        signal = _entity_reader(language, nouns=nouns).signal(entity_text)
    elif any(option is not None for option in (source, entity, index)):
        raise InvalidInput("--source, --entity and --index name a person: add --cue entity")
    else:
        chosen, which = find_reader(language, chosen_cue(language, cue).value, nouns=nouns)
        signal = chosen.signal(text, which)
    if as_json:
        emit_json({"class": signal.cls, "rule": signal.rule, "witnesses": signal.witnesses})
        return
    out.print(f"class: {signal.cls}   rule: {signal.rule or '-'}")
    for witness in signal.witnesses:
        where = f"{witness.start}-{witness.end}"
        out.print(f"  {witness.text!r} ({where}): {witness.gender}, {witness.rule}", markup=False)


def _entity_text(
    translation: str, source: str | None, entity: str | None, index: int | None
) -> EntityText:
    """Return what is read of a named person. Raises InvalidInput naming what is missing or wrong.

    The checks are those of lists with the cue entity.
    """
    needed = {"--source": source, "--entity": entity}
    missing = [option for option, value in needed.items() if not value]
    if source is None or entity is None or missing:
        raise InvalidInput(f"--cue entity also needs {' and '.join(missing)}")
    if entity.casefold() not in source.casefold():
        raise InvalidInput(f"--entity {entity!r}: must be words of the source {source!r}")
    n_words = len(source.split())
    if index is not None and index >= n_words:
        raise InvalidInput(
            f"--index {index}: must be the place of a word of the source, 0 to {n_words - 1}"
        )
    return EntityText(source, entity, translation, index)


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
    pages_read = [_read_page(file, url, chosen) for file in files]
    if as_json:
        emit_json(pages_read[0] if len(pages_read) == 1 else pages_read)
        return
    for one in pages_read:
        _print_page(one)


def _reader(name: str) -> str:
    """The reader that a name stands for; empty to look at each page. Raises InvalidInput."""
    from monitor.pages._page_owner import reader_of

    if name in (_AUTO, "saved_pages"):
        return ""
    reader = reader_of(name)
    if not reader:
        readers = {*registry.discover("pages"), *filter(reader_of, registry.discover("engines"))}
        raise InvalidInput(
            f"engine {name!r}: has no result pages to read; {hint(name, [_AUTO, *sorted(readers)])}"
        )
    return reader


def _read_page(file: Path, url: str, chosen: str) -> dict[str, Any]:
    from monitor.pages._page_owner import read_page
    from monitor.pages._walls import state_of

    with open_file(file) as page:
        reader, reading = read_page(page.read(), url, chosen)
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
        row = {name: getattr(item, name) for name in ("rank", "title", "url", "text", "entity")}
        if item.state:
            row |= {"state": item.state, "sources": list(map(as_row, item.sources))}
        grouped_rows.setdefault(str(item.block), []).append(row)
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
            if "state" in item:
                _print_overview(item, line)


def _print_overview(item: dict[str, Any], line: Callable[[str], None]) -> None:
    """Print the state of a text by a model, the text and the pages that it cites."""
    line(f"        {item['state']}")
    for text in item["text"].splitlines():
        line(f"        {text}")
    for number, source in enumerate(item["sources"], start=1):
        line(f"        [{number}] {source['title']}  {source['url']}")
