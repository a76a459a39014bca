"""Holds counts, biases and correlations against those that were computed elsewhere."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from monitor.corpus.associations import Associations
from monitor.corpus.bias import Biases
from monitor.corpus.concepts import Concepts
from monitor.corpus.cooccurrences import Cooccurrences
from monitor.corpus.first_order import first_order
from monitor.corpus.high_order import Method, high_order
from monitor.corpus.labour import correlations, target
from monitor.corpus.pmi import Kind, Pmi, ids, pairs
from monitor.input_files import parse_json, read_text
from monitor.model import InvalidInput
from monitor.studies.found import Against, Check

#: The same arithmetic in another order, in 64 bits.
_SAME = 1e-9
_EXACT = 0.0
#: Our targets by their names in the file.
_TARGETS = {"labor_winobias": "winobias", "census": "census"}
_KEYS = (
    "vocab_size", "total_pairs", "row_totals", "cell_counts", "female_words", "male_words",
    "average_first", "high_order_on_PPMI",
)  # fmt: skip
_OTHER_WORDS = "not over the same words"


def read(path: Path) -> dict[str, Any]:
    """The file. Raises InvalidInput naming it and what is missing."""
    found = parse_json(read_text(path), f"--published {path}")
    there = found if isinstance(found, dict) else {}
    if missing := [key for key in _KEYS if key not in there]:
        raise InvalidInput(
            f"--published {path}: {missing[0]!r} is missing; needed are {', '.join(_KEYS)}"
        )
    return there


def mirrored(
    associations: Associations, concepts: Concepts, words: Sequence[str], floor: float
) -> Check:
    """Women and men exchanged, every bias has to change its sign and nothing else."""
    one, other = (
        first_order(associations, words, lists, floor).values
        for lists in (concepts, concepts.swapped)
    )
    same = one.keys() == other.keys() and bool(one)
    return Check(
        "word lists exchanged: largest |bias + exchanged bias|",
        "must be 0: the two sides are treated alike",
        max(abs(one[word] + other[word]) for word in one) if same else None,
        0.0,
        _EXACT,
        f"{len(one):,} words" if same else "no word has a bias",
        against=Against.MUST,
    )


def published(
    told: Mapping[str, Any], counts: Cooccurrences, words: Sequence[str], concepts: Concepts
) -> list[Check]:
    """Every number of the file; of those by word the largest difference."""
    return [
        *_counts(told, counts),
        *_first_order(told["average_first"], counts, words, concepts),
        *_high_order(told["high_order_on_PPMI"], counts, words, concepts),
    ]


def _counts(told: Mapping[str, Any], counts: Cooccurrences) -> Iterator[Check]:
    where = "counts, exactly"
    words = counts.vocabulary
    for what, n, key in (
        ("words of the vocabulary", len(words), "vocab_size"),
        ("pairs within the window", counts.total, "total_pairs"),
    ):
        yield Check(what, where, n, told[key], _EXACT, against=Against.ELSEWHERE)
    known = words.known(told["row_totals"])
    totals = dict(zip(known, counts.row_totals[ids(counts, known)].tolist(), strict=True))
    yield _largest("pairs of each word", where, totals, told["row_totals"], _EXACT)
    gendered = words.known([*told["female_words"], *told["male_words"]])
    rows = words.known(told["cell_counts"])
    cells = pairs(counts, ids(counts, rows), ids(counts, gendered)).tolist()
    ours = {
        (word, one): n
        for word, row in zip(rows, cells, strict=True)
        for one, n in zip(gendered, row, strict=True)
        if n
    }
    theirs = {(word, one): n for word, row in told["cell_counts"].items() for one, n in row.items()}
    yield _largest("pairs of each word and each concept word", where, ours, theirs, _EXACT)


def _first_order(
    told: Mapping[str, Any], counts: Cooccurrences, words: Sequence[str], concepts: Concepts
) -> Iterator[Check]:
    for key, one in told.items():
        name, _, cds = key.partition("_cds")
        model = Pmi(counts, Kind(name.lower()), float(cds))
        found = first_order(model, words, concepts, floor=None)
        title = f"first order, {name}, cds {float(cds):g}"
        ours = {
            (bias.word, side): value
            for bias in found.words
            for side, value in (("f", bias.women), ("m", bias.men), ("bias", bias.value))
            if value is not None
        }
        theirs = {(w, side): v for w, sides in one["per_word"].items() for side, v in sides.items()}
        yield _largest(f"{title}: both sides and bias of each word", "by word", ours, theirs)
        yield from _correlations(title, found, one["correlation"])


def _high_order(
    told: Mapping[str, Any], counts: Cooccurrences, words: Sequence[str], concepts: Concepts
) -> Iterator[Check]:
    model, values = Pmi(counts), told["per_method"]
    for method in Method:
        found = high_order(model, words, concepts, method)
        title = f"{method}, PPMI"
        yield _largest(f"{title}: bias of each word", "by word", found.values, values[method])
        if method is Method.DIRECTIONAL:
            ours, theirs = (
                dict(enumerate(some)) for some in (found.explained, values["explained"])
            )
            yield _largest(f"{title}: shares of variance", "by component", ours, theirs)
        yield from _correlations(title, found, told["correlation"][method])


def _correlations(title: str, found: Biases, told: Mapping[str, Any]) -> Iterator[Check]:
    for name, expected in told.items():
        for one in correlations(found.values, target(_TARGETS[name])):
            same = (one.n, set(one.missing)) == (expected["n"], set(expected["missing"]))
            yield Check(
                f"{title}: {one.name} correlation with {_TARGETS[name]}",
                "labour market",
                one.value if same else None,
                expected[one.name],
                _SAME,
                f"{one.n} of {one.n_total} occupations" if same else _OTHER_WORDS,
                against=Against.ELSEWHERE,
            )


def _largest(
    what: str,
    where: str,
    ours: Mapping[Any, float],
    theirs: Mapping[Any, float],
    tolerance: float = _SAME,
) -> Check:
    """The largest difference of two tables with the same keys."""
    same = ours.keys() == theirs.keys() and bool(ours)
    return Check(
        f"{what}: largest difference",
        where,
        max(abs(ours[key] - theirs[key]) for key in theirs) if same else None,
        0.0,
        tolerance,
        f"{len(theirs):,} numbers" if same else _OTHER_WORDS,
        against=Against.ELSEWHERE,
    )
