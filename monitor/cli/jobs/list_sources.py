"""Probe lists that are made: of Wikidata, of translated pairs."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from monitor import resources
from monitor.cli.console import err, note, say
from monitor.cli.files import new_file, refuse_existing
from monitor.cli.progress import counter
from monitor.data import read_table
from monitor.input_files import open_table
from monitor.lists import VERSION, ProbeList, load_list
from monitor.model import InvalidInput, StoreProblem
from monitor.text.cells import make_inert
from monitor.text.counted_nouns import several
from monitor.text.sentence_pairs import Refusal, make_pair
from monitor.wikidata.occupations import LIST_NAME, Source, as_list, known_nouns, page_query
from monitor.wikidata.requests import sparql_request

_VERSION = re.compile(rf"{LIST_NAME}@([0-9]+)\.(?:csv|toml)")


def fetch_list(endpoint: str, floor: int, folder: Path) -> None:
    """Write the list of today into the folder.

    Raises StoreProblem where the service failed; what came until then has been written by then.
    """
    from monitor.fetch import occupations
    from monitor.work.outside import open_fetcher

    example = sparql_request(endpoint, page_query(0, floor))
    with open_fetcher([example], "") as fetcher, counter("occupations") as progress:
        found = occupations.fetch_occupations(fetcher, endpoint, floor, progress=progress)
    if not found.occupations or found.asked_at is None:
        raise StoreProblem(f"{endpoint}: no occupations came: {found.fault or 'no answer'}")
    source = Source(endpoint, found.asked_at, floor, found.fault)
    nouns = known_nouns(read_table("occupations"), read_table("occupation_synonyms"))
    version = _next_version(folder)
    for name, text in as_list(found.occupations, source, version, nouns).items():
        with new_file(folder / name, force=False) as file:
            file.write(text)
    written = load_list(folder / f"{LIST_NAME}@{version}.csv")
    doubtful = sum(1 for item in written.items if item.tags["doubt"])
    note(
        f"{written.label}: {several(len(written.items), 'occupation')} in {folder}; "
        f"{doubtful:,} with a doubtful plural (tag doubt)"
    )
    if found.fault:
        raise StoreProblem(f"{written.label} is incomplete, and says so: {found.fault}")
    say(f"licence: {written.licence} (Wikidata)")


def _next_version(folder: Path) -> int:
    """The version after the last one, here or among the shipped lists."""
    paths = [*folder.glob("*"), *(resources.find_folder("jobs") / "lists").glob("*")]
    found = (_VERSION.fullmatch(path.name) for path in paths)
    return max((int(match[1]) for match in found if match), default=0) + 1


_COLUMNS = ("key", "masculine", "feminine")
_TWICE = "the same pair stands in an earlier row"
_FORMULA = "spreadsheet programs would run one of its cells as a formula"


def pairs(
    table: Annotated[
        Path,
        typer.Argument(
            metavar="FILE.csv",
            help="Columns key, masculine, feminine (the two translations), and the tags.",
        ),
    ],
    language: Annotated[str, typer.Option(help="Language of the translations, for example cs.")],
    name: Annotated[str, typer.Option("--list", help="List to write, for example gest-cs@1.")],
    title: Annotated[str, typer.Option(help="Title of the list.")] = "Sentence pairs",
    licence: Annotated[str, typer.Option(help="Licence of the sentences.")] = "not stated",
) -> None:
    """Make a list of sentence pairs, `Jsem [unavený|unavená].`, for masked language models.

    The translations are those of `He said: "S"` and `She said: "S"` by any translator. The
    quotations are cut out; a pair is kept when the two differ in exactly one word whose variants
    begin with the same letter. What is left out is counted by reason.
    """
    if not re.fullmatch(rf"[a-z][a-z0-9-]*@{VERSION}", name):
        raise InvalidInput(f"--list {name!r}: write it as NAME@VERSION, for example gest-cs@1")
    path = Path("jobs/lists") / f"{name}.csv"
    for file in (path, path.with_suffix(".toml")):
        refuse_existing(file, force=False)
    columns, rows = _read(table)
    tags = [column for column in columns if column not in _COLUMNS]
    if formulas := [tag for tag in tags if _is_formula(tag)]:
        raise InvalidInput(
            f"{table}: column {formulas[0]!r}: spreadsheet programs would run it as a formula; "
            "give it another name"
        )
    refused: Counter[str] = Counter()
    kept = list(_kept(rows, tags, refused))
    for reason, n in refused.most_common():
        note(f"left out {n:,}: {reason}")
    if not kept:
        raise InvalidInput(f"{table}: none of its {several(len(rows), 'row')} makes a pair")
    written = _write(path, [("key", "text", *tags), *kept], _header(name, language, title, licence))
    err.print(f"{written.label}: {len(written.items):,} of {several(len(rows), 'pair')} in {path}")


def _read(path: Path) -> tuple[list[str], list[dict[str, str]]]:
    """(columns, rows) of the file. Raises InvalidInput."""
    with open_table(path, _COLUMNS) as table:
        return table.columns, [row for _, row in table.records()]


def _kept(
    rows: list[dict[str, str]], tags: list[str], refused: Counter[str]
) -> Iterator[tuple[str, ...]]:
    """The rows of the list; what is left out is counted in `refused`."""
    seen: set[str] = set()
    for row in rows:
        pair = make_pair(row["masculine"], row["feminine"])
        if isinstance(pair, Refusal):
            refused[pair] += 1
        elif pair.text in seen:
            refused[_TWICE] += 1
        elif any(_is_formula(cell) for cell in (row["key"], pair.text, *(row[t] for t in tags))):
            refused[_FORMULA] += 1
        else:
            seen.add(pair.text)
            yield (row["key"], pair.text, *(row[tag] for tag in tags))


def _is_formula(cell: str) -> bool:
    """Whether the cell would have to be changed to be safe, and with it what is asked.

    A word that begins with an apostrophe, as `'s ochtends`, is none.
    """
    return make_inert(cell) != cell and not cell.startswith("'")


def _write(path: Path, rows: list[tuple[str, ...]], header: str) -> ProbeList:
    """Write the two files of a list, once they can be read as one. Raises InvalidInput."""
    from monitor.text.cells import RowWriter

    path.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=path.parent, prefix=f".{path.stem}.") as temporary:
        part = Path(temporary) / path.name
        with part.open("w", encoding="utf-8", newline="") as file:
            RowWriter(file).rows(rows)
        part.with_suffix(".toml").write_text(header, encoding="utf-8")
        probe_list = load_list(part)
        for one in (part, part.with_suffix(".toml")):
            one.rename(path.parent / one.name)
    return probe_list


def _header(name: str, language: str, title: str, licence: str) -> str:
    label, _, version = name.partition("@")
    content = {
        "name": label,
        "version": version,
        "source_lang": language,
        "title": title,
        "status": "unvalidated",
        "licence": licence,
        "description": "Pairs out of translations of two prompts, the quotation cut out",
    }
    return "".join(f"{k} = {json.dumps(v, ensure_ascii=False)}\n" for k, v in content.items())
