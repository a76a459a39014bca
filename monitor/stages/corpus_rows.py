"""The biases of a corpus as rows and sentences: for a table, a file or the page."""

from collections.abc import Mapping
from typing import Any

from monitor.corpus.bias import Bias, Biases
from monitor.corpus.encoded import EncodedCorpus
from monitor.corpus.labour import LabourCorrelation
from monitor.stages.corpus_bias import Measured

Row = dict[str, Any]


def rows_of(corpus: EncodedCorpus, found: Measured, shares: Mapping[str, float]) -> list[Row]:
    """One row a word: those furthest towards women first, those without a value last."""
    return [
        _row(corpus, found, word, shares.get(word.word))
        for word in sorted(found.biases.words, key=_place)
    ]


def _place(one: Bias) -> tuple[bool, float, str]:
    return one.value is None, -(one.value or 0.0), one.word


def _row(corpus: EncodedCorpus, found: Measured, one: Bias, share: float | None) -> Row:
    limits = found.intervals.get(one.word)
    at = corpus.vocabulary.ids.get(one.word)
    return {
        "word": one.word,
        "state": str(one.state),
        "bias": one.value,
        "low": limits and limits.low,
        "high": limits and limits.high,
        "women": one.women,
        "men": one.men,
        "occurs": None if at is None else int(corpus.vocabulary.counts[at]),
        "expected_women": one.expected_women,
        "expected_men": one.expected_men,
        "share": share,
        "reason": one.reason,
    }


def said(one: LabourCorrelation, title: str) -> str:
    """A correlation in words."""
    over = f"{one.n} of {one.n_total} occupations of {title} have a value"
    if one.value is None:
        return f"no {one.name} correlation: {over}; {one.reason}"
    limits = "" if one.low is None or one.high is None else f" [{one.low:+.3f}, {one.high:+.3f}]"
    return f"{one.name} correlation with the share of women {one.value:+.3f}{limits}; {over}"


def without_value(biases: Biases, floor: float) -> dict[str, list[str]]:
    """{reason: words} of those without a bias; with the pairs expected where these are too few."""
    found: dict[str, list[str]] = {}
    few = (
        f"never near some concept words, and fewer than {floor:g} pairs were to be expected with "
        "words for women, or for men (both numbers stand behind each word)"
    )
    for word in biases.words:
        if word.value is not None:
            continue
        if word.expected_women is None or word.expected_men is None:
            found.setdefault(word.reason, []).append(word.word)
        else:
            near = f"{word.word} {word.expected_women:.1f}/{word.expected_men:.1f}"
            found.setdefault(few, []).append(near)
    return found
