"""How far biases move between corpora, as `monitor corpus compare` prints it."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from monitor.cli._console import out, table
from monitor.cli._visible import visible
from monitor.corpus.augment import Change, change, inexact
from monitor.corpus.concepts import Concepts, neutral
from monitor.corpus.encoded import EncodedCorpus
from monitor.stages.corpus_bias import Order, Told, measured

_NONE = "no word has a value in both"


@dataclass(frozen=True, slots=True)
class Compared:
    """Biases of each corpus by word, the changes from each to the next, and inexact words."""

    names: tuple[str, ...]
    biases: tuple[dict[str, float], ...]
    changes: tuple[Change | None, ...]
    inexact: tuple[str, ...]


def compared(
    corpora: Sequence[tuple[str, EncodedCorpus]],
    order: Order,
    concepts: Concepts,
    words: Sequence[str],
    told: Told,
) -> Compared:
    """Measure the words that mean no gender themselves in every corpus."""
    neither = neutral(words)
    found = [measured(one, order, concepts, neither, told).biases for _, one in corpora]
    values = tuple(one.values for one in found)
    used = dict.fromkeys(word for one in found for word in (*one.women, *one.men))
    return Compared(
        tuple(Path(name).name for name, _ in corpora),
        values,
        tuple(change(one, other) for one, other in pairwise(values)),
        tuple(word for word in inexact(concepts.women, concepts.men) if word in used),
    )


def facts(order: Order, found: Compared) -> dict[str, Any]:
    """All of it, for programs."""
    return {
        "measure": order.title,
        "corpora": [
            {"name": name, "biases": biases}
            for name, biases in zip(found.names, found.biases, strict=True)
        ],
        "changes": [None if one is None else asdict(one) for one in found.changes],
        "inexact": list(found.inexact),
    }


def show(order: Order, found: Compared) -> None:
    """A table of corpora, one of changes, and the words that moved most."""
    rows = [
        [visible(name), f"{len(biases)}", *_means(list(biases.values()))]
        for name, biases in zip(found.names, found.biases, strict=True)
    ]
    columns = ("corpus", "words", "mean bias", "mean |bias|")
    out.print(table(order.title, columns, rows), markup=False)
    steps = list(zip(pairwise(found.names), found.changes, strict=True))
    moves = ("from, to", "words", "mean |change|", "its sd", "mean relative")
    out.print(table("", moves, [_row(*names, one) for names, one in steps]), markup=False)
    for (first, second), one in steps:
        if one is None:
            continue
        moved = ", ".join(f"{word} {a:+.3f} to {b:+.3f}" for word, a, b in one.largest)
        out.print(f"most from {first} to {second}: {moved}", markup=False, soft_wrap=True)
    if found.inexact:
        out.print(
            "a swap does not exchange these concept words one for one, so that a bias may be left: "
            + ", ".join(found.inexact),
            markup=False, soft_wrap=True,
        )  # fmt: skip


def _means(values: Sequence[float]) -> list[str]:
    if not values:
        return ["none", "none"]
    n = len(values)
    return [f"{sum(values) / n:+.4f}", f"{sum(map(abs, values)) / n:.4f}"]


def _row(first: str, second: str, one: Change | None) -> list[str]:
    name = visible(f"{first}, {second}")
    if one is None:
        return [name, _NONE, "", "", ""]
    relative = "none" if one.relative is None else f"{one.relative:.2f}"
    return [name, f"{len(one.words)}", f"{one.absolute:.4f}", f"{one.spread:.4f}", relative]
