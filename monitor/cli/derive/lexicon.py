"""Commands about lexicons: how far words lie towards women or men."""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from monitor import settings
from monitor.cli.console import AsJson, emit_json, out, say, table
from monitor.cli.files import refuse_existing
from monitor.cli.progress import steps
from monitor.model import InvalidInput
from monitor.text.counted_nouns import several

if TYPE_CHECKING:
    from monitor.lexicons.lexicon import Lexicon
    from monitor.lexicons.permutation import PermutationResult

lexicon_commands = typer.Typer()

#: Half the width of the bars of `show`.
_BAR = 20
_AGREED = 0.05


@lexicon_commands.command()
def build(  # noqa: PLR0917 - options of a command
    vectors: Annotated[
        str,
        typer.Option(help="File of word vectors, or glove-6b-50d where that is installed."),
    ],
    name: Annotated[str, typer.Option(help="Name of the lexicon, for example w2v-news.")],
    form: Annotated[
        str,
        typer.Option("--format", help="word2vec, text, glove or fasttext; told by the content."),
    ] = "",
    language: Annotated[str, typer.Option(help="Language of the vectors, BCP 47.")] = "en",
    pairs: Annotated[
        Path | None,
        typer.Option(help="CSV with columns female, male: other pairs than she-he, ..."),
    ] = None,
    every_word: Annotated[
        bool, typer.Option(help="Keep what no text can ask for: upper case, phrases, signs.")
    ] = False,
    keep_vectors: Annotated[
        bool, typer.Option("--keep-vectors", help="Write NAME.vectors for rankers as well.")
    ] = False,
    debias: Annotated[
        list[str] | None,
        typer.Option(help="hard or strong: write NAME-hard or NAME-strong vectors for rankers."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over what is there.")] = False,
    as_json: AsJson = False,
) -> None:
    """Make a lexicon of word vectors: word2vec, GloVe or fastText, of any size, also as gzip.

    It is written to MONITOR_HOME/lexicons/NAME.lexicon. Debiased vectors hide the bias, they do
    not remove it (Gonen and Goldberg 2019).
    """
    from monitor.lexicons import installed
    from monitor.lexicons.build import LexiconOrder, read_pairs, write_lexicon
    from monitor.lexicons.direction import PAIRS, VectorChange
    from monitor.lexicons.lexicon import is_alike
    from monitor.lexicons.vectors import open_vectors
    from monitor.whole_files import write_whole

    home = settings.load().home
    installed.checked_name(name)
    for word in debias or ():
        if word not in (VectorChange.HARD, VectorChange.STRONG):
            raise InvalidInput(f"--debias {word}: hard and strong are known")
    wanted = [VectorChange.REGULAR] if keep_vectors else []
    changes = tuple(dict.fromkeys([*wanted, *map(VectorChange, debias or [])]))
    names = {
        change: name + ("" if change is VectorChange.REGULAR else f"-{change}")
        for change in changes
    }
    paths = {change: installed.vectors_path(label, home) for change, label in names.items()}
    given = name in installed.built_in()
    if given and not paths:
        raise InvalidInput(f"lexicon {name} is built in; choose another --name")
    if language != "en" and pairs is None:
        raise InvalidInput(f"--language {language}: its pairs are needed: --pairs FILE")
    target = installed.lexicon_path(name, home)
    for path in [*paths.values(), *([] if given else [target])]:
        refuse_existing(path, force=force)
    chosen_pairs = PAIRS if pairs is None else read_pairs(pairs)
    order = LexiconOrder(name, language, chosen_pairs, every_word, changes)
    with steps() as draw, write_lexicon(open_vectors(vectors, form), order, paths, draw) as made:
        if given and not is_alike(made, installed.find(name, None)):
            raise InvalidInput(
                f"lexicon {name} is built in and made of other vectors than these; "
                "choose another --name"
            )
        if not given:
            with write_whole(target) as file:
                file.write(made.pack())
    files = ([] if given else [target]) + list(paths.values())
    if as_json:
        emit_json({**_facts(made), "files": [str(path) for path in files], "meta": made.meta})
        return
    _say(made, files)


def _say(made: "Lexicon", files: Sequence[Path]) -> None:
    meta: dict[str, Any] = dict(made.meta)
    out.print(f"{made.name}: {several(len(made), 'word')} of {meta['rows']:,} rows", markup=False)
    out.print(
        f"gender direction from {len(meta['pairs'])} pairs, first component "
        f"{meta['explained_variance'][0]:.1%} of the variance",
        markup=False,
    )
    for what in ("lowered", "missing"):
        if meta[what]:
            listed = ", ".join("-".join(pair) for pair in meta[what])
            word = "in lower case" if what == "lowered" else "not in the vectors"
            say(f"pairs {word}: {listed}")
    left_out = ", ".join(f"{n:,} {why}" for why, n in meta["left_out"].items() if n)
    out.print(f"left out: {left_out or 'nothing'}", markup=False)
    for path in files:
        say(f"written: {path}")


def _chosen(name: str) -> "list[Lexicon]":
    from monitor.lexicons.installed import find, installed_lexicons

    home = settings.load().home
    return [find(one, home) for one in ([name] if name else installed_lexicons(home))]


@lexicon_commands.command("test")
def run_tests(
    lexicon: Annotated[str, typer.Option(help="One lexicon; all of them if left out.")] = "",
    seed: Annotated[int, typer.Option(min=0, help="Of samples, where splits are too many.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Run the permutation tests of Fabris et al. 2020, Tables A.4 to A.7, and compare the p.

    The mean genderedness of words expected towards women less that of words expected towards men,
    against every way to split the words. The paper used word2vec vectors of Google News.
    """
    from monitor.lexicons.permutation import published_tests, run_test

    results = [run_test(one, book, seed) for book in _chosen(lexicon) for one in published_tests()]
    if as_json:
        emit_json([_tested(one) for one in results])
        return
    columns = ("test and word list", "words", "dropped", "diff", "splits", "p", "paper", "at .05")
    for name in dict.fromkeys(one.lexicon for one in results):
        rows = [_tested_row(one) for one in results if one.lexicon == name]
        out.print(table(f"lexicon {name}", columns, rows), markup=False)
        notes = (line for one in results if one.lexicon == name for line in _notes(one))
        for line in dict.fromkeys(notes):
            say(line)


def _paper_p(one: "PermutationResult") -> str:
    """The paper's p; a printed 0 as what it can be at most."""
    if one.test.printed_p > 0:
        return f"{one.test.printed_p:g}"
    splits = math.comb(len(one.test.low) + len(one.test.high), len(one.test.high))
    return f"< {1 / splits:.1g}"


def _agrees(one: "PermutationResult") -> bool | None:
    if one.split is None:
        return None
    return (one.split.p < _AGREED) == (one.test.printed_p < _AGREED)


def _tested_row(one: "PermutationResult") -> list[str]:
    split = one.split
    measured = (
        [f"{split.difference:+.3f}", f"{split.n_splits:,}", f"{split.p:.2g}"]
        if split
        else ["none", "none", "none"]
    )
    agree = {None: "unknown", True: "agree", False: "differ"}[_agrees(one)]
    words, dropped = f"{len(one.low)}+{len(one.high)}", str(len(one.dropped))
    return [one.test.label, words, dropped, *measured, _paper_p(one), agree]


def _notes(one: "PermutationResult") -> Iterator[str]:
    """What the table has no room for."""
    label = one.test.label
    if one.dropped:
        yield f"{label}: not in the lexicon: {', '.join(one.dropped)}"
    if one.split is None:
        yield f"{label}: no word of one side is in the lexicon"
    elif not one.split.exact:
        yield f"{label}: {several(one.split.n, 'split')} drawn, p = (b + 1)/(B + 1)"
    if one.test.printed_p == 0:
        yield (
            f"{label}: the paper prints 0.0, which no permutation test can give: it is below the "
            "smallest p possible"
        )


def _tested(one: "PermutationResult") -> dict[str, Any]:
    test, split = one.test, one.split
    return {
        "lexicon": one.lexicon,
        **{name: getattr(test, name) for name in ("table", "sides", "list")},
        **{name: list(getattr(one, name)) for name in ("low", "high", "dropped")},
        **{name: split and getattr(split, name) for name in ("difference", "n_ge", "n_splits")},
        "exact": split and split.exact,
        "p": split and split.p,
        "paper_p": test.printed_p or None,
        "paper_p_as_shown": _paper_p(one),
        "agrees_at_0.05": _agrees(one),
    }


def _facts(book: "Lexicon") -> dict[str, Any]:
    return {
        "name": book.name,
        "language": book.language,
        "words": len(book),
        "digest": book.digest,
        "lowest": book.low,
        "highest": book.high,
    }


@lexicon_commands.command("list")
def list_lexicons(as_json: AsJson = False) -> None:
    """List the lexicons, the built-in ones first, and the vectors for rankers."""
    from monitor.lexicons.installed import installed_vectors

    books = _chosen("")
    vectors = installed_vectors(settings.load().home)
    if as_json:
        listed = [{**_facts(book), "meta": book.meta} for book in books]
        emit_json({"lexicons": listed, "vectors": vectors})
        return
    columns = ("lexicon", "language", "words", "dimensions", "variance", "lowest", "highest")
    rows = []
    for book in books:
        meta: dict[str, Any] = dict(book.meta)
        variance = f"{meta['explained_variance'][0]:.1%}" if "explained_variance" in meta else ""
        ends = (f"{book.low:+.3f}", f"{book.high:+.3f}")
        size = (f"{len(book):,}", str(meta.get("dimensions", "")))
        rows.append([book.name, book.language, *size, variance, *ends])
    out.print(table("", columns, rows), markup=False)
    for name in vectors:
        out.print(f"vectors for rankers: {name}", markup=False)


@lexicon_commands.command()
def show(
    words: Annotated[list[str], typer.Argument(help="Words, as texts have them.")],
    lexicon: Annotated[str, typer.Option(help="One lexicon; all of them if left out.")] = "",
    as_json: AsJson = False,
) -> None:
    """Show the genderedness of words: below 0 towards men, above 0 towards women."""
    scores = [(book, word, book.score(word)) for book in _chosen(lexicon) for word in words]
    if as_json:
        emit_json([{"lexicon": b.name, "word": w, "score": score} for b, w, score in scores])
        return
    wide = max(map(len, words))
    for book in dict.fromkeys(book.name for book, _, _ in scores):
        out.print(f"{book}{'men':>{wide + _BAR - len(book) + 8}} | women", markup=False)
        for other, word, score in scores:
            if other.name == book:
                out.print(_bar(word.ljust(wide), score), markup=False)


def _bar(word: str, score: float | None) -> str:
    if score is None:
        return f"{word}  not in the lexicon"
    filled = "█" * round(abs(score) * _BAR)
    left, right = (filled, "") if score < 0 else ("", filled)
    return f"{word}  {score:+.3f} {left:>{_BAR}}|{right}".rstrip()
