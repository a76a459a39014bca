"""Makes a probe list of sentence pairs out of translations of gender-inducing prompts."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from monitor.cli._console import err
from monitor.cli._files import refuse_existing
from monitor.input_files import open_table
from monitor.lists import VERSION, ProbeList, load_list
from monitor.model import InvalidInput
from monitor.text.cells import inert
from monitor.text.counted_nouns import several
from monitor.text.sentence_pairs import Refusal, make_pair

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
        err.print(f"left out {n:,}: {reason}", markup=False, soft_wrap=True)
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
        found = make_pair(row["masculine"], row["feminine"])
        if isinstance(found, Refusal):
            refused[found] += 1
        elif found.text in seen:
            refused[_TWICE] += 1
        elif any(_is_formula(cell) for cell in (row["key"], found.text, *(row[t] for t in tags))):
            refused[_FORMULA] += 1
        else:
            seen.add(found.text)
            yield (row["key"], found.text, *(row[tag] for tag in tags))


def _is_formula(cell: str) -> bool:
    """Whether the cell would have to be changed to be safe, and with it what is asked.

    A word that begins with an apostrophe, as `'s ochtends`, is none.
    """
    return inert(cell) != cell and not cell.startswith("'")


def _write(path: Path, rows: list[tuple[str, ...]], header: str) -> ProbeList:
    """Write the two files of a list, once they can be read as one. Raises InvalidInput."""
    from monitor.labels.sheets import RowWriter

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
