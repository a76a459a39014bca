"""Measures of ranked lists by words that stand for groups of people: base classes and curves."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar

import numpy as np

from monitor.measures import _ranked_given, parse
from monitor.measures._parameters import flag, share, whole
from monitor.measures._ranked_given import Run, TextsGiven, read_input
from monitor.measures._ranked_mean import MeanOverQueries
from monitor.model import Floats, InvalidInput
from monitor.ranked import texts as counting
from monitor.ranked.exposure import (
    nearest_shares,
    ratio_of,
    reachable_corners,
    share_distance,
    shares_of,
    term_exposure,
    widest_distance,
)
from monitor.ranked.inputs import PairedInput, RankedInput
from monitor.ranked.lists import rank_discounts
from monitor.ranked.score import ListValues, MeasureScore, PerList, RankWeights, per_list
from monitor.ranked.texts import Held, TermCounts, counts_of_words
from monitor.ranked.words import DocumentWords
from monitor.text.terms import Terms, default_terms

GroupWords = Mapping[str, Iterable[str]]


def count_terms(
    texts: _ranked_given.TextsGiven,
    terms: GroupWords | Terms | None = None,
    *,
    names: bool = False,
) -> TermCounts:
    """Return counts of group terms in documents, to be passed to measures instead of texts.

    Reads every text once, however many measures, cut-offs and runs follow. `terms` are lists of
    words by group, by default those that the measures have; `names` adds names to the default.
    Raises InvalidInput.
    """
    chosen_terms = terms if isinstance(terms, Terms) else words_of(terms or {}, {}, names=names)
    documents = _ranked_given.texts_of(texts).given
    if isinstance(documents, TermCounts):
        raise InvalidInput("texts: are counts already")
    if isinstance(documents, DocumentWords):
        return counts_of_words(documents, chosen_terms)
    counts = counting.count_terms(documents, chosen_terms)
    _ = counts.row_of  # numbered here, once, and not by the first measure
    return counts


def words_of(terms: GroupWords, targets: Mapping[str, float], *, names: bool) -> Terms:
    """Return checked groups of words with their target shares. Raises InvalidInput."""
    if terms and names:
        raise InvalidInput("names: adds names to the default terms; own terms have all they need")
    listed = {group: _check_terms(group, words) for group, words in terms.items()}
    return _make_terms(json.dumps([listed, dict(targets), names]))


def _check_terms(group: str, words: Iterable[str]) -> list[str]:
    if isinstance(words, str) or not isinstance(words, Iterable):
        raise InvalidInput(f"terms: {group}: a list of terms is needed, not {words!r:.60}")
    listed = list(words)
    for term in listed:
        if not isinstance(term, str):
            raise InvalidInput(f"terms: {group}: {term!r:.60} is not one word")
    return sorted(listed)


@lru_cache(maxsize=64)
def _make_terms(given: str) -> Terms:
    terms, targets, names = json.loads(given)
    groups = terms or dict(default_terms(names=names).groups)
    return Terms.of(groups, targets or None)


def _read_target(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


@dataclass(frozen=True, slots=True)
class OfTerms(MeanOverQueries):
    """`cutoff`: ranks that count. `terms`: {group: [word, ...]}, by default women and men.

    `targets`: {group: share}, by default equal. `names`: the default terms with given names.
    """

    cutoff: int = whole(10, 1)
    terms: Mapping[str, Sequence[str]] = field(default_factory=dict)
    targets: Mapping[str, float] = field(default_factory=dict)
    names: bool = flag(default=False)

    def __post_init__(self) -> None:
        MeanOverQueries.__post_init__(self)
        for name, value in (("terms", self.terms), ("targets", self.targets)):
            if not isinstance(value, Mapping):
                raise InvalidInput(f"{self.name}: {name} is {value!r:.60}; it must be by group")
        for group, target in self.targets.items():
            if not _read_target(target):
                raise InvalidInput(f"{self.name}: targets: {group} is {target!r:.60}; give a share")
        words = self.words
        if self.terms:  # one name for the same words, in whatever order and case they are given
            plain = {group: sorted(listed) for group, listed in words.groups}
            object.__setattr__(self, "terms", plain)
        if self.targets:
            shares = {group: float(self.targets[group]) for group in words.names}
            object.__setattr__(self, "targets", shares)

    @property
    def words(self) -> Terms:
        """Groups, their words and target shares."""
        return words_of(self.terms, self.targets, names=self.names)

    def read(self, given: PairedInput) -> None:
        """Counts the terms of what stands in both lists once."""
        needed: dict[str, None] = {}
        for side in (given.after, given.before):
            lists = side.lists.cut(self.cutoff)
            numbers = np.unique(lists.table[lists.table >= 0]).tolist()
            needed.update(dict.fromkeys(lists.documents[number] for number in numbers))
        given.texts.counts(tuple(needed), self.words)


@dataclass(frozen=True, slots=True, eq=False)
class Exposed:
    """TED of lists with what bounds it, each with and without RBDF; every array has shape (L,)."""

    seen: RankWeights
    plain: Floats
    plain_low: Floats
    plain_high: Floats
    rbdf: Floats
    rbdf_high: Floats
    unknown: Floats  # weight of what is missing or empty

    @property
    def ted(self) -> Floats:
        """Times RBDF: 0 where no document is representative."""
        return np.where(self.rbdf == 0, 0.0, self.plain * self.rbdf)

    @property
    def low(self) -> Floats:
        """The same at its lowest; see `exposed`."""
        return self.plain_low * self.rbdf_high

    @property
    def high(self) -> Floats:
        """The same at its highest."""
        return self.plain_high * self.rbdf_high


@dataclass(frozen=True, slots=True)
class OfExposure(OfTerms):
    """`rbdf`: times the share of representative documents. `strict`: of k ranks, however many."""

    coverage: float = share(0.5)
    rbdf: bool = flag(default=True)
    strict: bool = flag(default=False)

    #: Whether the value is what TED leaves of its highest value.
    is_nearness: ClassVar[bool] = False

    def limits(self) -> tuple[float, float]:
        return 0.0, self.widest()

    def per_list(self, ranked: RankedInput) -> PerList:
        exposed = self.exposed(ranked)
        plain = exposed.plain, exposed.plain_low, exposed.plain_high
        with_rbdf = exposed.ted, exposed.low, exposed.high
        (values, low, high), (other, *_) = (with_rbdf, plain) if self.rbdf else (plain, with_rbdf)
        if self.is_nearness:
            most = self.widest()
            values, low, high, other = most - values, most - high, most - low, most - other
        variant = f"{self.quantities[0].name}_{'without' if self.rbdf else 'with'}_rbdf"
        formula = ListValues(
            values, low, high, certain=exposed.unknown == 0,
            undefined="no document has a group term",
            further={"rbdf": exposed.rbdf, variant: other},
        )  # fmt: skip
        return per_list(exposed.seen, formula, self.coverage, Held.TEXT, Held.EMPTY)

    def widest(self) -> float:
        """max(TED): one group has everything."""
        return widest_distance(self.words.targets)

    def exposed(self, given: RankedInput) -> Exposed:
        """Compute TED of each list.

        A document that is unknown adds up to its weight to the exposure of any group, and is
        representative as soon as it adds anything. TED is then highest with all of it given to one
        group, or with next to nothing of it, and lowest with all of it given to groups below their
        target: each step there lowers the distance by more than it raises RBDF, because exposure
        never exceeds the weight of the representative documents.
        """
        words = self.words
        magnitudes = given.texts.magnitudes(given.lists.cut(self.cutoff), words)
        seen = RankWeights.discounted(magnitudes.held)
        text, unknown = seen.of(Held.TEXT), seen.weight(Held.MISSING, Held.EMPTY)
        exposure = term_exposure(magnitudes.counts, magnitudes.lengths, text)
        representative = (text * (magnitudes.counts.sum(axis=2) > 0)).sum(axis=1)
        ranks = seen.weights.sum(axis=1)
        if self.strict:
            ranks = np.where(ranks > 0, rank_discounts(self.cutoff).sum(), 0.0)
        far = share_distance(reachable_corners(exposure, unknown), words.targets)
        return Exposed(
            seen=seen,
            plain=share_distance(shares_of(exposure), words.targets),
            plain_low=share_distance(
                nearest_shares(exposure, unknown, words.targets), words.targets
            ),
            plain_high=np.fmax.reduce(far, axis=1),
            rbdf=ratio_of(representative, ranks - seen.weight(Held.MISSING)),
            rbdf_high=ratio_of(representative + unknown, ranks),
            unknown=unknown,
        )


def curve(
    name: str,
    run: Run,
    texts: TextsGiven,
    cutoffs: Iterable[int] = range(1, 21),
    *,
    beside: Mapping[str, Run] | None = None,
    terms: Mapping[str, Sequence[str]] | None = None,
    targets: Mapping[str, float] | None = None,
    seed: int = 0,  # noqa: ARG001 - nothing is drawn any more
    draws: int = 2000,  # noqa: ARG001
) -> dict[int, MeasureScore]:
    """Compute the measure of this name at each cut-off, smallest first. Raises InvalidInput.

    Everything else is what `score` takes; a cut-off in the name itself says nothing here.
    """
    plain = parse(name)
    if not isinstance(plain, OfTerms):
        raise InvalidInput(f"measure {name!r}: only those of group terms have a curve")
    wanted_cutoffs = sorted(set(cutoffs), reverse=True)
    changed = {key: value for key, value in (("terms", terms), ("targets", targets)) if value}
    measures = [plain.configure({**changed, "cutoff": cutoff}) for cutoff in wanted_cutoffs]
    if not measures:
        return {}
    # the deepest first: what it counts is all that the others need
    ranked = read_input(run, texts, beside=beside, cutoff=measures[0].depth())
    scores = [measure.over(measure.completed(ranked)) for measure in measures]
    return dict(zip(reversed(wanted_cutoffs), reversed(scores), strict=True))
