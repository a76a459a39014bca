"""What the commands about corpora make and print."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

from monitor.cli.console import emit_json, err, out, say, table, visible
from monitor.cli.database import database
from monitor.cli.files import new_file
from monitor.cli.progress import counter
from monitor.corpus.augment import SHARES, BiasChange, Once, Twinned, change_of_biases, inexact
from monitor.corpus.bias import Bias, Contributions
from monitor.corpus.concepts import Concepts, correlate_shares, default_concepts, neutral_words
from monitor.corpus.encoding import EncodedCorpus, EncodingRules, build_corpus
from monitor.corpus.reading import TextForm, read_documents
from monitor.model import InvalidInput
from monitor.pipeline.derive.corpora import corpus_texts
from monitor.stages.derive.corpus_bias import (
    BiasOrder,
    MeasuredCorpus,
    Told,
    measure_corpus,
    rows_of,
    say_correlation,
    without_value,
)
from monitor.stages.document.data import write_csv
from monitor.store.derive.corpora import TextFilter
from monitor.text.counted_nouns import several

Documents = Iterable[tuple[str, str]]


@contextmanager
def source_of(
    files: Sequence[Path], form: TextForm, archived: TextFilter | None, named: Sequence[str]
) -> Iterator[Documents]:
    """The documents of files, or of the archive; `named` are the options that are about the latter.

    Raises InvalidInput where both sources are named, or none.
    """
    if archived is not None:
        if files:
            raise InvalidInput(f"{files[0]}: name files or --from-archive, not both")
        with database() as opened:
            texts = corpus_texts(opened, archived)
            first = next(texts, None)
            if first is None:
                raise InvalidInput(
                    f"--from-archive: no text in the block {archived.block} of what was asked for "
                    f"({', '.join(named) or 'all runs'}); `monitor status` lists the runs"
                )
            yield chain([first], texts)
        return
    if named:
        raise InvalidInput(f"{named[0]}: says which texts of the archive: --from-archive")
    if not files:
        raise InvalidInput(
            "no file: name some, as in: monitor corpus build news news.txt; --from-archive takes "
            "what engines answered"
        )
    yield read_documents(files, form)


def make_corpus(
    documents: Documents, rules: EncodingRules, goal: Path, swapped: str | None, *, force: bool
) -> tuple[EncodedCorpus, int]:
    """Write the corpus; gives it, and how many repeats were left out.

    `swapped` says which documents get a gender-swapped twin: half or full.
    """
    once: Once | None = None
    if swapped is not None:
        twinned = Twinned.of(documents, rules, SHARES[swapped], rules.seed)
        documents, rules, once = twinned.documents, twinned.rules, twinned.once
    with counter("tokens") as told:
        made = build_corpus(documents, rules, goal, lambda _, done: told(done), replace=force)
    return made, made.read.repeats if once is None else once.repeats


def corpus_facts(name: str, folder: Path, made: EncodedCorpus, repeats: int) -> dict[str, Any]:
    """What there is to know of a new corpus."""
    vocabulary = made.vocabulary
    concepts = default_concepts().spelt(vocabulary.known)
    sides = {"women": concepts.women, "men": concepts.men}
    return {
        "name": name,
        "folder": str(folder),
        "digest": made.digest,
        "texts": made.read.texts,
        "documents": made.documents,
        "repeats": repeats,
        "empty": made.read.empty,
        "tokens": made.read.tokens,
        "words": made.read.words,
        "vocabulary": len(vocabulary),
        "tokens_kept": len(made.tokens),
        "missing": {side: vocabulary.missing(words) for side, words in sides.items()},
        "occupations": len(vocabulary.known(concepts.occupations)),
        "occupations_asked": len(concepts.occupations),
    }


def print_facts(it: dict[str, Any]) -> None:
    """The facts for people."""
    left_out = several(it["repeats"], "repeat"), several(it["empty"], "text")
    occupations = f"{it['occupations']:,} of {it['occupations_asked']:,}"
    kept = f"{it['vocabulary']:,} of {it['words']:,} words"
    lines = [
        f"{it['name']}: {several(it['documents'], 'document')} of {several(it['tokens'], 'token')}",
        f"left out: {left_out[0]}, {left_out[1]} without a word",
        f"vocabulary: {kept}, {it['tokens_kept']:,} tokens are such words",
        f"occupations of the shipped list: {occupations}",
    ]
    for side, missing in it["missing"].items():
        lines.append(f"words for {side} that are missing: {', '.join(missing) or 'none'}")
    for line in [*lines, f"written: {visible(it['folder'])}"]:
        say(line)
    err.print(f"next: monitor corpus bias {it['name']}", markup=False)


_SHOWN = ["word", "bias", "95 % interval", "women", "men", "occurs", "exp. w", "exp. m"]
_LEGEND = (
    "bias: above 0 towards women, below 0 towards men; women and men: its two sides; exp.: "
    "pairs with the words of either side if the word stood anywhere"
)
#: Words without a value that are listed on a terminal for each reason.
_LISTED = 30
_COLUMNS = (
    "word", "state", "bias", "low", "high", "women", "men", "occurs", "expected_women",
    "expected_men", "share", "reason",
)  # fmt: skip


def print_biases(
    name: str,
    corpus: EncodedCorpus,
    found: MeasuredCorpus,
    labour: tuple[str, Mapping[str, float]] | None,
    most: int,
) -> None:
    """The table on the terminal, and what it has no room for."""
    title, shares = labour or ("", {})
    rows = rows_of(corpus, found, shares)
    there = [row for row in rows if row["bias"] is not None]
    shown = there if not most or len(there) <= 2 * most else [*there[:most], *there[-most:]]
    columns = [*_SHOWN, "share"] if labour else _SHOWN
    cells = [_bias_cells(row, with_share=labour is not None) for row in shown]
    if shown:
        out.print(table(f"{visible(name)}: {found.order.title}", columns, cells), markup=False)
    else:
        out.print(f"{visible(name)}: {found.order.title}: no word has a value", markup=False)
    lines = [
        _LEGEND,
        f"interval: {found.interval}" if found.intervals else found.interval,
        *found.notes,
    ]
    if len(shown) < len(there):
        lines.insert(0, f"{len(shown)} of {len(there)} words, {most} of each end; all: --most 0")
    if labour:
        lines += [
            say_correlation(correlation, title)
            for correlation in correlate_shares(found.biases.values, shares)
        ]
    for reason, words in without_value(found.biases, found.order.floor).items():
        more = f", and {len(words) - _LISTED} more" if len(words) > _LISTED else ""
        listed = ", ".join(words[:_LISTED])
        lines.append(f"no value for {several(len(words), 'word')}: {reason}: {listed}{more}")
    for line in lines:
        say(line)


def _bias_cells(row: Mapping[str, Any], *, with_share: bool) -> list[str]:
    interval = "" if row["low"] is None else f"[{row['low']:+.3f}, {row['high']:+.3f}]"
    cells = [
        visible(row["word"]),
        f"{row['bias']:+.3f}",
        interval,
        *(_or_empty(row[side], ".3f") for side in ("women", "men")),
        _or_empty(row["occurs"], ","),
        *(_or_empty(row[side], ",.1f") for side in ("expected_women", "expected_men")),
    ]
    return [*cells, _or_empty(row["share"], ".1%")] if with_share else cells


def _or_empty(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)


def write_biases(
    path: Path,
    corpus: EncodedCorpus,
    found: MeasuredCorpus,
    shares: Mapping[str, float],
    *,
    force: bool,
) -> None:
    """All words, those without a value with the reason."""
    with new_file(path, force=force) as file:
        rows = rows_of(corpus, found, shares)
        write_csv(file, [_COLUMNS, *([row[name] for name in _COLUMNS] for row in rows)])
    err.print(f"written: {path}", markup=False)


def emit_biases(
    name: str,
    corpus: EncodedCorpus,
    found: MeasuredCorpus,
    labour: tuple[str, Mapping[str, float]] | None,
) -> None:
    """All of it as JSON."""
    title, shares = labour or ("", {})
    emit_json({
        "corpus": name,
        "digest": corpus.digest,
        "documents": corpus.documents,
        "tokens": len(corpus.tokens),
        "measure": found.order.title,
        "interval": found.interval,
        "notes": list(found.notes),
        "women": list(found.biases.women),
        "men": list(found.biases.men),
        "missing": list(found.biases.missing),
        "words": rows_of(corpus, found, shares),
        "labour": title or None,
        "correlations": list(map(asdict, correlate_shares(found.biases.values, shares)))
        if labour else [],
    })  # fmt: skip


def print_parts(word: str, found: Contributions | Bias, *, as_json: bool) -> None:
    """The words that add most to the bias of one word. Raises InvalidInput where it has none."""
    if isinstance(found, Bias):
        raise InvalidInput(f"--explain {word}: it has no value: {found.reason}")
    if as_json:
        emit_json({"word": word} | asdict(found))
        return
    rows: list[Sequence[str]] = [[visible(part.word), f"{part.value:+.4f}"] for part in found.parts]
    if others := found.n - len(found.parts):
        rows.append([f"({others:,} others)", f"{found.rest:+.4f}"])
    out.print(f"{visible(word)}: bias {found.total:+.4f}, the sum of", markup=False)
    out.print(table("", ("word", "adds"), rows), markup=False)


_NONE = "no word has a value in both"


@dataclass(frozen=True, slots=True)
class Compared:
    """Biases of each corpus by word, the changes from each to the next, and inexact words."""

    names: tuple[str, ...]
    biases: tuple[dict[str, float], ...]
    changes: tuple[BiasChange | None, ...]
    inexact: tuple[str, ...]


def compare_biases(
    corpora: Sequence[tuple[str, EncodedCorpus]],
    order: BiasOrder,
    concepts: Concepts,
    words: Sequence[str],
    told: Told,
) -> Compared:
    """Measure the words that mean no gender themselves in every corpus."""
    neither = neutral_words(words)
    biases = [measure_corpus(one, order, concepts, neither, told).biases for _, one in corpora]
    values = tuple(one.values for one in biases)
    used = dict.fromkeys(word for one in biases for word in (*one.women, *one.men))
    return Compared(
        tuple(Path(name).name for name, _ in corpora),
        values,
        tuple(change_of_biases(one, other) for one, other in pairwise(values)),
        tuple(word for word in inexact(concepts.women, concepts.men) if word in used),
    )


def comparison_facts(order: BiasOrder, found: Compared) -> dict[str, Any]:
    """All of it, for programs."""
    return {
        "measure": order.title,
        "corpora": [
            {"name": name, "biases": biases}
            for name, biases in zip(found.names, found.biases, strict=True)
        ],
        "changes": [None if change is None else asdict(change) for change in found.changes],
        "inexact": list(found.inexact),
    }


def print_comparison(order: BiasOrder, found: Compared) -> None:
    """A table of corpora, one of changes, and the words that moved most."""
    rows = [
        [visible(name), f"{len(biases)}", *_means(list(biases.values()))]
        for name, biases in zip(found.names, found.biases, strict=True)
    ]
    columns = ("corpus", "words", "mean bias", "mean |bias|")
    out.print(table(order.title, columns, rows), markup=False)
    steps = list(zip(pairwise(found.names), found.changes, strict=True))
    moves = ("from, to", "words", "mean |change|", "its sd", "mean relative")
    out.print(table("", moves, [_change_row(*names, one) for names, one in steps]), markup=False)
    for (first, second), one in steps:
        if one is None:
            continue
        moved = ", ".join(f"{word} {a:+.3f} to {b:+.3f}" for word, a, b in one.largest)
        say(f"most from {first} to {second}: {moved}")
    if found.inexact:
        say("a swap does not exchange these concept words one for one, so that a bias may be left: "
            + ", ".join(found.inexact))  # fmt: skip


def _means(values: Sequence[float]) -> list[str]:
    if not values:
        return ["none", "none"]
    n = len(values)
    return [f"{sum(values) / n:+.4f}", f"{sum(map(abs, values)) / n:.4f}"]


def _change_row(first: str, second: str, one: BiasChange | None) -> list[str]:
    name = visible(f"{first}, {second}")
    if one is None:
        return [name, _NONE, "", "", ""]
    relative = "none" if one.relative is None else f"{one.relative:.2f}"
    return [name, f"{len(one.words)}", f"{one.absolute:.4f}", f"{one.spread:.4f}", relative]
