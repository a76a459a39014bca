"""Biases of words in: their mean and their correlation with shares of women out, and a row each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from monitor.corpus.pmi import Flags
from monitor.measures._shared_values import Counts, Facts, exploratory, insufficient, measured
from monitor.model import Floats, Ints, Share, State, TopicValue, Value
from monitor.stats.correlation import pearson, spearman
from monitor.stats.intervals import Limits
from monitor.stats.resampling import percentile_interval

#: What follows the name of a measure in those of its quantities.
MEAN, PEARSON, SPEARMAN = "mean", "pearson", "spearman"
KINDS = (MEAN, PEARSON, SPEARMAN)
#: Where Fisher's transformation of a correlation ends.
_WIDEST = 1 - 1e-12
#: How far resamples stand off, for a correlation, of how far they do.
NEARER = 0.25
SAME = "all words have the same bias, or the same share of women"


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """Biases of T words in one corpus, and in B resamples of its documents (B, T).

    `supported` (T,) have a bias. `seen` (2, T) are pairs with the women's and the men's words,
    `expected` (2, T) those of words that are independent; `occurs` (T,) is how often a word stands
    in the texts, `within` (T,) in how many of them. `share` (T,) is that of women in the reference,
    NaN where it has none.
    """

    names: Sequence[str]
    biases: Floats
    draws: Floats
    supported: Flags
    seen: Floats
    expected: Floats
    occurs: Ints
    within: Ints
    share: Floats

    def used(self, kind: str) -> Flags:
        """(T,) the words that a quantity is made of."""
        return self.supported & (np.isfinite(self.share) | (kind == MEAN))


def shares_of(names: Sequence[str], shares: Mapping[str, Share]) -> Floats:
    """(T,) shares of women, NaN where there is none."""
    return np.array([shares[one].value if one in shares else np.nan for one in names], np.float64)


def over_words(kind: str, biases: Floats, share: Floats) -> Floats:
    """(B,) a quantity of biases (B, T) of words with shares (T,); NaN where it is not defined."""
    found = np.full(len(biases), np.nan)
    for at, one in enumerate(biases):
        known = np.isfinite(one)
        if kind == MEAN:
            found[at] = one[known].mean() if known.any() else np.nan
            continue
        r = (pearson if kind == PEARSON else spearman)(one[known], share[known])
        found[at] = np.nan if r is None else r
    return found


def about(value: float, draws: Floats) -> Limits | None:
    """Percentile limits of the draws, moved so that their mean is the value.

    A resample lacks some documents, and rarer pairs with them, which pulls every bias to 0. That
    may widen an interval, but not shift it.
    """
    defined = draws[np.isfinite(draws)]
    return percentile_interval(draws - defined.mean() + value) if len(defined) else None


def nearer(biases: Floats, draws: Floats) -> Floats:
    """(B, T) draws of biases (T,) about them, at a part of their distance.

    Biases of resamples hold the noise of the texts twice. A correlation that is mostly noise moves
    less with more of it, and its limits would be too narrow by a third.
    """
    with np.errstate(invalid="ignore"):
        return np.asarray(biases + NEARER * (draws - _means(draws)), np.float64)


def _means(draws: Floats) -> Floats:
    known = np.isfinite(draws)
    return np.asarray(np.where(known, draws, 0).sum(axis=0) / np.maximum(known.sum(axis=0), 1))


def about_correlation(value: float, draws: Floats) -> Limits | None:
    """The same on Fisher's scale, which has no end, of draws of biases that are `nearer`."""
    z = np.arctanh(np.clip([value, *draws], -_WIDEST, _WIDEST))
    found = about(float(z[0]), z[0] + (z[1:] - z[0]) / NEARER)
    return found and Limits(float(np.tanh(found.low)), float(np.tanh(found.high)))


def values(
    name: str, given: Words, counts: Counts, facts: Facts, area: Facts, floor: int
) -> list[Value]:
    """The three quantities of a measure, each over the words that it can use.

    `area` is of all words and told with the first.
    """
    return [
        _value(
            f"{name}_{kind}", kind, given, counts, (*facts, *area) if kind == MEAN else facts, floor
        )
        for kind in KINDS
    ]


def _value(
    quantity: str, kind: str, given: Words, counts: Counts, facts: Facts, floor: int
) -> Value:
    kept = given.used(kind)
    told = (*facts, ("words_used", float(kept.sum())))
    if reason := too_few(kind, int(kept.sum()), floor):
        return insufficient(quantity, "all", counts, reason, told)
    biases, share = given.biases[kept], given.share[kept]
    value = float(over_words(kind, biases[None], share)[0])
    if np.isnan(value):
        return insufficient(quantity, "all", counts, SAME, told)
    moved = given.draws[:, kept]
    draws = over_words(kind, moved if kind == MEAN else nearer(biases, moved), share)
    if kind == MEAN:
        told += (("mean_absolute", float(np.abs(biases).mean())),)
    interval = (about if kind == MEAN else about_correlation)(value, draws)
    return measured(quantity, "all", counts, value, interval, None, exploratory(counts), told)


def too_few(kind: str, n: int, floor: int) -> str:
    """Why so few words make no quantity; empty if they do."""
    what = "have support" if kind == MEAN else "have support and a share of women"
    return f"{n} words {what}, floor {floor}" if n < floor else ""


def lacking(name: str, counts: Counts, facts: Facts, reason: str) -> list[Value]:
    """No value of any quantity, for one reason."""
    return [insufficient(f"{name}_{kind}", "all", counts, reason, facts) for kind in KINDS]


def topics(
    given: Words, documents: int, floor: int, shares: Mapping[str, Share], rare: Mapping[str, str]
) -> tuple[TopicValue, ...]:
    """A row for each word that occurs, in the order of the alphabet; `rare` ones with the reason.

    They count texts and not questions: `women` and `men` are the pairs that were seen with the
    words of each side, `used` the texts that hold the word of all `documents`, `shown` is how often
    it occurs.
    """
    found = [_topic(given, at, documents, floor) for at in range(len(given.names))]
    found += [_row(word, documents, reason=reason) for word, reason in rare.items()]
    known = [_with_target(one, shares.get(one.topic)) for one in found]
    return tuple(sorted(known, key=lambda one: one.topic))


def _topic(given: Words, at: int, documents: int, floor: int) -> TopicValue:
    word, near = given.names[at], given.expected[:, at]
    row = replace(
        _row(word, documents), used=int(given.within[at]), shown=int(given.occurs[at]),
        women=float(given.seen[0, at]), men=float(given.seen[1, at]),
    )  # fmt: skip
    if near.min() < floor:
        expected = f"{near[0]:.1f} with the women's and {near[1]:.1f} with the men's"
        reason = f"of its pairs with concept words {expected} are expected by chance, floor {floor}"
        return replace(row, reason=reason)
    if not given.supported[at]:
        return replace(row, reason="its vector is zero: it is like no other")
    value = float(given.biases[at])
    low, high = about(value, given.draws[:, at]) or (None, None)
    return replace(
        row, state=State.MEASURED, model=value, model_low=low, model_high=high, bias=value
    )


def _row(word: str, documents: int, reason: str = "") -> TopicValue:
    return TopicValue(word, State.INSUFFICIENT, documents, documents, 0, 0, reason=reason)


def _with_target(row: TopicValue, share: Share | None) -> TopicValue:
    if share is None:
        return row
    return replace(
        row, target=share.value, source=share.source, country=share.country, as_of=share.as_of
    )
