"""The command that builds an index of documents for the rankers."""

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from monitor import __version__, settings
from monitor.cli.console import err, note, out, table
from monitor.cli.progress import counter
from monitor.model import InvalidInput
from monitor.rankers.corpus import CollectionForm
from monitor.text.counted_nouns import several

if TYPE_CHECKING:
    from monitor.lexicons.ranker_vectors import StoredVectors
    from monitor.rankers.index import Index, Meta

_COLUMNS = ("index", "documents", "empty", "tokens", "vocabulary", "size", "swapped")


def index(
    source: Annotated[
        Path | None,
        typer.Argument(help="A folder of .txt and .html files, or a JSONL, CSV or TREC file."),
    ] = None,
    name: Annotated[str, typer.Option(help="What the index is called in jobs.")] = "",
    form: Annotated[
        CollectionForm | None, typer.Option("--format", help="How documents are written down.")
    ] = None,
    swapped: Annotated[
        bool, typer.Option("--swapped", help="Also index the documents with the genders swapped.")
    ] = False,
    stopwords: Annotated[
        bool, typer.Option("--stopwords", help="Leave out English stop words.")
    ] = False,
    vectors: Annotated[
        list[str] | None,
        typer.Option(help="Also prepare it for w2v_* with these vectors."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an index of that name.")] = False,
    listing: Annotated[bool, typer.Option("--list", help="List the indexes and stop.")] = False,
) -> None:
    """Build an index of documents, for the rankers of the engine `local`.

    Without SOURCE an index that is there is prepared: monitor index --name news --vectors NAME
    """
    from monitor.lexicons.installed import find_vectors
    from monitor.rankers.index import find_index

    if listing:
        _list()
        return
    if not name or (source is None and not vectors):
        raise InvalidInput("say what to index and its name: monitor index SOURCE --name NAME")
    home = settings.load().home
    loaded = [find_vectors(one, home) for one in vectors or []]
    if source is not None:
        _index(source, name, form, swapped=swapped, stopwords=stopwords, force=force)
    for one in loaded:
        _prepare(find_index(name, home), one)


def _index(
    source: Path,
    name: str,
    form: CollectionForm | None,
    *,
    swapped: bool,
    stopwords: bool,
    force: bool,
) -> None:
    """Build an index in a folder beside its place, and move it there when it is whole."""
    from monitor.rankers.build import build_index
    from monitor.rankers.corpus import read_entries
    from monitor.rankers.index import folder_of
    from monitor.text.swap import swap_text
    from monitor.text.tokens import stop_words

    goal = folder_of(name, settings.load().home)
    _refuse_existing(goal, force=force)
    started = time.monotonic()
    goal.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=goal.parent, prefix=f".{name}.") as temporary:
        folder = Path(temporary) / name
        with counter("documents") as progress:
            meta = build_index(
                read_entries(source, form),
                folder,
                progress,
                version=__version__,
                stop_words=stop_words() if stopwords else (),
                swap=swap_text if swapped else None,
            )
        _refuse_existing(goal, force=force)
        if goal.exists():
            goal.rename(Path(temporary) / "before")
        folder.rename(goal)
    row = [*_row(name, goal, meta), f"{time.monotonic() - started:,.1f}"]
    out.print(table("", (*_COLUMNS, "seconds"), [row]))
    if meta.empty:
        note(f"{several(meta.empty, 'document holds', 'documents hold')} no word: in no list")
    also = ", counterfactual = true" if swapped else ""
    use = f'engines: name = "local", config = {{ index = "{name}"{also} }}'
    note(f"built {goal}; in a job: {use}")


def _refuse_existing(goal: Path, *, force: bool) -> None:
    """Raise InvalidInput for a folder that is there already; --force only replaces an index."""
    from monitor.rankers.index import META

    if goal.exists() and not force:
        raise InvalidInput(f"{goal}: is there already; --force builds it anew")
    if goal.exists() and not (goal / META).is_file():
        raise InvalidInput(f"{goal}: is no index, so it is not replaced")


def _prepare(index: "Index", vectors: "StoredVectors") -> None:
    """Compute what the rankers with vectors keep beside an index and its swapped documents."""
    from monitor.rankers.formulas import WITH_VECTORS

    for name, ranker in WITH_VECTORS.items():
        for part in filter(None, (index, index.counterfactual)):
            started = time.monotonic()
            ranker(vectors).prepare(part)
            took = time.monotonic() - started
            err.print(f"{name} {vectors.name} {part.folder.name}: {took:,.1f} s", markup=False)


def _row(name: str, folder: Path, meta: "Meta") -> list[str]:
    from monitor.rankers.index import SWAPPED

    numbers = (meta.documents, meta.empty, meta.tokens, meta.vocabulary)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return [
        name,
        *(f"{number:,}" for number in numbers),
        f"{size / 1e6:,.1f} MB",
        "yes" if (folder / SWAPPED).is_dir() else "no",
    ]


def _list() -> None:
    from monitor.rankers.index import folder_of, installed_indexes

    home = settings.load().home
    installed = installed_indexes(home)
    if not installed:
        err.print(f"no index in {home / 'indexes'}; build one with: monitor index", markup=False)
        return
    rows = [_row(name, folder_of(name, home), meta) for name, meta in installed]
    out.print(table("", _COLUMNS, rows))
