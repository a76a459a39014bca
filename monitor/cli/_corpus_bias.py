"""The biases of words of a corpus, as `monitor corpus bias` prints them: a table, CSV or JSON."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from monitor.cli._console import emit_json, err, out, table
from monitor.cli._files import new_file
from monitor.cli._visible import visible
from monitor.corpus.bias import Bias
from monitor.corpus.contributions import Contributions
from monitor.corpus.encoded import EncodedCorpus
from monitor.corpus.labour import correlations
from monitor.model import InvalidInput
from monitor.stages.corpus_bias import Measured
from monitor.stages.corpus_rows import rows_of, said, without_value
from monitor.text.cells import inert
from monitor.text.counted_nouns import several

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


def show(
    name: str,
    corpus: EncodedCorpus,
    found: Measured,
    labour: tuple[str, Mapping[str, float]] | None,
    most: int,
) -> None:
    """The table on the terminal, and what it has no room for."""
    title, shares = labour or ("", {})
    rows = rows_of(corpus, found, shares)
    there = [row for row in rows if row["bias"] is not None]
    shown = there if not most or len(there) <= 2 * most else [*there[:most], *there[-most:]]
    columns = [*_SHOWN, "share"] if labour else _SHOWN
    cells = [_cells(row, with_share=labour is not None) for row in shown]
    if shown:
        out.print(table(f"{visible(name)}: {found.order.title}", columns, cells), markup=False)
    else:
        out.print(f"{visible(name)}: {found.order.title}: no word has a value", markup=False)
    say = [
        _LEGEND,
        f"interval: {found.interval}" if found.intervals else found.interval,
        *found.notes,
    ]
    if len(shown) < len(there):
        say.insert(0, f"{len(shown)} of {len(there)} words, {most} of each end; all: --most 0")
    if labour:
        say += [said(one, title) for one in correlations(found.biases.values, shares)]
    for reason, words in without_value(found.biases, found.order.floor).items():
        more = f", and {len(words) - _LISTED} more" if len(words) > _LISTED else ""
        listed = ", ".join(words[:_LISTED])
        say.append(f"no value for {several(len(words), 'word')}: {reason}: {listed}{more}")
    for line in say:
        out.print(line, markup=False, soft_wrap=True)


def _cells(row: Mapping[str, Any], *, with_share: bool) -> list[str]:
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


def write_csv(
    path: Path, corpus: EncodedCorpus, found: Measured, shares: Mapping[str, float], *, force: bool
) -> None:
    """All words, those without a value with the reason."""
    with new_file(path, force=force) as file:
        writer = csv.DictWriter(file, _COLUMNS, lineterminator="\n")
        writer.writeheader()
        for row in rows_of(corpus, found, shares):
            # the words are captured text; numbers below 0 are no formulas
            writer.writerow(row | {"word": inert(row["word"])})
    err.print(f"written: {path}", markup=False)


def emit(
    name: str,
    corpus: EncodedCorpus,
    found: Measured,
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
        "correlations": [asdict(one) for one in correlations(found.biases.values, shares)]
        if labour else [],
    })  # fmt: skip


def show_parts(word: str, found: Contributions | Bias, *, as_json: bool) -> None:
    """The words that add most to the bias of one word. Raises InvalidInput where it has none."""
    if isinstance(found, Bias):
        raise InvalidInput(f"--explain {word}: it has no value: {found.reason}")
    if as_json:
        emit_json({"word": word} | asdict(found))
        return
    rows: list[Sequence[str]] = [[visible(one.word), f"{one.value:+.4f}"] for one in found.parts]
    if others := found.n - len(found.parts):
        rows.append([f"({others:,} others)", f"{found.rest:+.4f}"])
    out.print(f"{visible(word)}: bias {found.total:+.4f}, the sum of", markup=False)
    out.print(table("", ("word", "adds"), rows), markup=False)
