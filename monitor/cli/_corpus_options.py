"""What `monitor corpus bias`, `plot` and `compare` ask in the same words, and what comes of it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from monitor import settings
from monitor.cli._console import err
from monitor.input_files import open_table, read_text
from monitor.model import InvalidInput
from monitor.stages.corpus_bias import Measure, Order, Representation, Told
from monitor.text.tokens import tokens

if TYPE_CHECKING:
    from monitor.corpus.concepts import Concepts
    from monitor.corpus.encoded import EncodedCorpus

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]
Force = Annotated[bool, typer.Option("--force", help="Write over what is there.")]
Name = Annotated[
    str, typer.Argument(metavar="NAME", help="A corpus of `monitor corpus list`, or its folder.")
]
RepresentationOption = Annotated[
    Representation,
    typer.Option(
        metavar="KIND",
        help="What the corpus is made into. pmi, ppmi, sppmi: counts. pmi-svd, ppmi-svd, "
        "sppmi-svd: the same in few dimensions. skip-gram: word2vec, from ten million tokens on. "
        "glove: vectors of a file. init-glove: log p(word | context).",
    ),
]
MeasureOption = Annotated[
    Measure,
    typer.Option(
        help="first_order: how strongly a word is tied to the concept words. The others: how alike "
        "its vector and theirs are."
    ),
]
Words = Annotated[
    Path | None,
    typer.Option(help="Text file with the words to measure, one a line; else 531 occupations."),
]
ConceptsFile = Annotated[
    Path | None,
    typer.Option(
        "--concepts",
        help="CSV with columns list, group, word, partner: own words for women and men.",
    ),
]
Labour = Annotated[
    str | None,
    typer.Option(help="Shares of women to hold biases against: census, winobias, or a CSV."),
]
Window = Annotated[int, typer.Option(min=1, help="Tokens on either side that count as near.")]
Cds = Annotated[float, typer.Option(help="Context-distribution smoothing; 0.75 is usual, 1 none.")]
Floor = Annotated[
    float,
    typer.Option(
        min=0,
        help="Pairs that must be expected with either side for a pair that never occurred to say "
        "something; 0 takes every such pair as unrelated.",
    ),
]
Draws = Annotated[int, typer.Option(min=0, help="Resamples for the interval; 0 leaves it out.")]
Seeds = Annotated[int, typer.Option(min=1, help="skip-gram: how many models are learnt.")]
Seed = Annotated[int, typer.Option(min=0, help="Where random numbers begin.")]
Dimensions = Annotated[int, typer.Option(min=1, help="*-svd, skip-gram, glove: dimensions.")]
Vectors = Annotated[
    Path | None, typer.Option(help="glove: its file, with context vectors (GloVe's -model 0).")
]
Contexts = Annotated[
    Path | None, typer.Option(help="glove: a second file, with the context vectors.")
]


def corpus_of(name: str) -> "EncodedCorpus":
    """The corpus of a name or folder. Raises InvalidInput naming those that there are."""
    from monitor.corpus.folder import find, read_corpus

    return read_corpus(find(name, settings.load().home))


def concepts_of(path: Path | None) -> "Concepts":
    """The shipped lists, or those of a file."""
    from monitor.corpus.concepts import default_concepts, read_concepts

    return default_concepts() if path is None else read_concepts(path)


#: What shares of women are called, and women's share by word.
Held: TypeAlias = tuple[str, Mapping[str, float]]


def words_of(path: Path | None, concepts: "Concepts", labour: Held | None) -> tuple[str, ...]:
    """The words to measure: those of the file, or all occupations and those with a share."""
    if path is not None:
        return _words(path)
    found = tuple(dict.fromkeys([*concepts.occupations, *(labour[1] if labour else ())]))
    if not found:
        raise InvalidInput("--concepts: the file has no occupations; name words by --words FILE")
    return found


def _words(path: Path) -> tuple[str, ...]:
    """The words of a file. Raises InvalidInput naming it and the line."""
    lines = read_text(path).splitlines()
    found: dict[str, None] = {}
    for number, line in enumerate(lines, start=1):
        if not (word := line.strip()):
            continue
        if tokens(word) != [word]:
            raise InvalidInput(
                f"{path}: line {number}: {word!r} is not one word in lower case, as texts have it"
            )
        found[word] = None
    if not found:
        raise InvalidInput(f"{path}: holds no word; write one on each line")
    return tuple(found)


def shares_of(labour: str | None) -> Held | None:
    """Shares that ship, or those of a file; None where none are asked for."""
    if labour is None:
        return None
    from monitor.corpus.labour import TARGETS, TITLES, target

    if labour in TARGETS:
        return TITLES[labour], target(labour)
    path = Path(labour)
    if not path.is_file():
        known = ", ".join(TARGETS)
        raise InvalidInput(
            f"--labour {labour}: {known} are known, and there is no such file; a file is a CSV "
            "with the columns word and share"
        )
    return path.name, _shares(path)


def _shares(path: Path) -> dict[str, float]:
    with open_table(path) as table:
        if missing := [one for one in ("word", "share") if one not in table.columns]:
            raise InvalidInput(f"{path}: column {missing[0]} is missing; needed: word, share")
        rows = [row for _, row in table.records()]
    found: dict[str, float] = {}
    for line, row in enumerate(rows, start=2):
        word, said = (row["word"] or "").strip(), (row["share"] or "").strip()
        try:
            share = float(said)
        except ValueError:
            share = -1.0
        if not word or not 0 <= share <= 1:
            raise InvalidInput(
                f"{path}: line {line}: {word!r} has the share {said!r}; write a word and a share "
                "of women between 0 and 1"
            )
        if found.setdefault(word, share) != share:
            raise InvalidInput(f"{path}: line {line}: {word!r} has two shares; leave one")
    return found


@contextmanager
def telling() -> Iterator[Told]:
    """Says on standard error what is being done: a bar, or a line for each step."""
    if not err.is_terminal:
        seen: set[str] = set()

        def line(step: str, _done: int, _of: int | None) -> None:
            if step not in seen:
                seen.add(step)
                err.print(f"{step} ...", markup=False)

        yield line
        return
    columns = SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task("reading", total=None)

        def draw(step: str, done: int, of: int | None) -> None:
            bar.update(task, description=step, completed=done, total=of)

        yield draw


def say_missing(order: Order, missing: Sequence[str]) -> None:
    """Which concept words take no part."""
    if missing:
        err.print(
            f"concept words that {order.representation} does not know: {', '.join(missing)}",
            markup=False, soft_wrap=True,
        )  # fmt: skip
