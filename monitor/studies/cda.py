"""Counterfactual data augmentation: what gender-swapped twins of texts leave of a bias."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import Any

import altair as alt
import numpy as np

from monitor.corpus.augment import SHARES, Twinned, change_of_biases, exchanged_pairs, inexact
from monitor.corpus.bias import first_order
from monitor.corpus.concepts import (
    TARGETS,
    TITLES,
    Concepts,
    correlate_shares,
    neutral_words,
    target_shares,
)
from monitor.corpus.encoding import Cooccurrences, EncodedCorpus, encode_documents
from monitor.corpus.pmi import AssociationKind, Pmi
from monitor.model import InvalidInput
from monitor.stages.derive.corpus_bias import BiasMeasure, BiasOrder, MeasuredCorpus, Representation
from monitor.stages.document import charts
from monitor.studies import _corpus_texts as given_texts
from monitor.studies._corpus_texts import (
    OPTIONS,
    PAPER,
    Grid,
    StudyTexts,
    measure_grid,
    open_corpus,
    report_once,
    require_one_source,
)
from monitor.studies.catalogue import (
    Cell,
    Figure,
    Limit,
    Option,
    ReferenceInputs,
    ReportStep,
    Study,
    StudyCheck,
    StudyResult,
    Table,
    check_must,
)
from monitor.text.counted_nouns import several
from monitor.text.swap import swap_text

#: What the paper made of its corpus, in its order.
STEPS = ("original", "half", "full")

LIMITS = (
    Limit(
        "The paper's own numbers (Figure 4, Table 3)",
        "they are of the English Wikipedia of 2017 with the authors' vectors; on other texts the "
        "same measures give other numbers, and none is claimed to be equal to them",
    ),
    Limit(
        "The authors' swap",
        "ours has words of its own, decides `her` and `his` by the sentence, and also exchanges "
        "titles and given names; what it does not exchange one for one is named above",
    ),
)


class Cda(Study):
    """Figure 4 and Table 3, on any texts."""

    name = "cda"
    title = "Gender-swapped twins: how far measures follow their texts"
    paper = f"{PAPER}, Figure 4 and Table 3"
    question = (
        "When half or all of the texts get a twin in which women and men are exchanged, how far "
        "does each measure of bias fall, and with it its correlation with the labour market?"
    )
    example = "cda --texts news.txt.gz --representation ppmi --min-count 1"
    options = (
        Option("corpus", "In place of --texts three corpora: the original, and those that were "
               "built of it with --swapped half and --swapped full. Give it three times.",
               several=True),
        *OPTIONS,
    )  # fmt: skip
    #: 106 articles of Wikipedia, every word kept: the property that must hold needs that.
    reference = ReferenceInputs(
        {"texts": ("oracles/enwiki106.json.gz",)},
        {
            "tokens": "blanks",
            "min-count": 1,
            "floor": 0.0,
            "representation": ["pmi", "ppmi", "sppmi"],
        },
    )

    def run(self, given: Mapping[str, Any], tell: ReportStep) -> StudyResult:
        """Raises InvalidInput naming the option, what is wrong with it, and the remedy."""
        grid, concepts = Grid.of(given), given_texts.open_concepts(given)
        words = neutral_words(concepts.occupations)
        if not words:
            raise InvalidInput(f"{given['concepts']}: every occupation names a gender itself")
        ran, corpora = _build_corpora(given, tell)
        cells = []
        for step, corpus in zip(STEPS, corpora, strict=True):
            tell(f"the {step} corpus")
            cells.append(measure_grid(corpus, grid, concepts, words, report_once(tell)))
        follow_ups = follow_measures([cell.found for cell in cells])
        mirror = SwapCoverage.of(corpora[0], corpora[-1], concepts, words)
        tell("drawing")
        return StudyResult(
            ran=ran,
            checks=[*largest_mirror_bias(mirror, cells[-1].counts), *check_falls(follow_ups)],
            tables=(changes_table(follow_ups), words_table(follow_ups, grid.headline)),
            figures=draw_figures(follow_ups),
            limits=(*cells[0].limits, *LIMITS),
            notes=[*corpus_notes(follow_ups, grid, len(words)), *mirror.notes],
        )


def _build_corpora(
    given: Mapping[str, Any], tell: ReportStep
) -> tuple[dict[str, str], list[EncodedCorpus]]:
    """The three corpora, and what they were."""
    require_one_source(given)
    if names := given["corpus"]:
        if len(names) != len(STEPS):
            raise InvalidInput(f"--corpus: {len(names)} given; give three: {', '.join(STEPS)}")
        corpora = [open_corpus(name) for name in names]
        return _describe_corpora(corpora), corpora
    texts = StudyTexts.of(given)
    tell("reading")
    corpora = [encode_documents(texts.documents(), texts.rules)]
    for which in STEPS[1:]:
        tell(f"reading with twins, {which}")
        twinned = Twinned.of(texts.documents(), texts.rules, SHARES[which], given["seed"])
        corpora.append(encode_documents(twinned.documents, twinned.rules))
    return {"texts": texts.said} | _describe_corpora(corpora), corpora


def _describe_corpora(corpora: list[EncodedCorpus]) -> dict[str, str]:
    return {
        f"{step} corpus": given_texts.describe_corpus(corpus)
        for step, corpus in zip(STEPS, corpora, strict=True)
    }


STUDY = Cda()


_MOST = 40


@dataclass(frozen=True, slots=True)
class Followed:
    """One measure through the three corpora: the biases of the words that have one in all."""

    order: BiasOrder
    biases: tuple[Mapping[str, float], ...]

    @property
    def means(self) -> tuple[float, ...] | None:
        """Mean |bias| in each corpus; None where no word has a bias in all."""
        if not self.biases[0]:
            return None
        return tuple(fmean(map(abs, bias.values())) for bias in self.biases)

    @property
    def shares(self) -> tuple[float, ...] | None:
        """The same over that of the original; None where that is 0."""
        if self.means is None or not self.means[0]:
            return None
        return tuple(mean / self.means[0] for mean in self.means)


def follow_measures(steps: Sequence[Sequence[MeasuredCorpus]]) -> list[Followed]:
    """The same measure of every corpus together."""
    changes = []
    for step_values in zip(*steps, strict=True):
        values = [measured.biases.values for measured in step_values]
        shared = [word for word in values[0] if all(word in each for each in values)]
        biases = tuple({word: each[word] for word in shared} for each in values)
        changes.append(Followed(step_values[0].order, biases))
    return changes


def changes_table(found: Sequence[Followed]) -> Table:
    """Return Figure 4 and Table 3 in numbers: a row for each measure and corpus."""
    rows: list[tuple[Cell, ...]] = []
    for followed in found:
        step_changes = [
            None,
            *(change_of_biases(before, after) for before, after in pairwise(followed.biases)),
        ]
        for step_index, (step, values) in enumerate(zip(STEPS, followed.biases, strict=True)):
            step_correlations = [
                correlate_shares(values, target_shares(name))[0] for name in TARGETS
            ]
            step_change = step_changes[step_index]
            rows.append((
                str(followed.order.representation), str(followed.order.measure), step, len(values),
                fmean(values.values()) if values else None,
                followed.means[step_index] if followed.means else None,
                followed.shares[step_index] if followed.shares else None,
                *((None, None, None) if step_change is None else
                  (step_change.absolute, step_change.spread, step_change.relative)),
                *(cell for pair in step_correlations for cell in (pair.value, pair.n)),
            ))  # fmt: skip
    labour = (name for target in TARGETS for name in (f"Spearman, {TITLES[target]}", "n"))
    return Table(
        "changes",
        "Table 3: biases and correlations by the share of texts that have a twin",
        (
            "representation", "measure", "twins", "words", "mean bias", "mean |bias|",
            "of the original's", "mean |change|", "its sd", "mean relative change", *labour,
        ),
        tuple(rows),
        "Over the words with a bias in all three corpora. Changes are from the corpus before; "
        "relative ones over the words whose bias was not 0. Correlations: bias with the share of "
        "women; where biases are 0 or nearly so, they are those of what the swap left.",
    )  # fmt: skip


def words_table(found: Sequence[Followed], representation: Representation) -> Table:
    """The words that moved most by first order."""
    headline = representation, BiasMeasure.FIRST_ORDER
    followed = (one for one in found if (one.order.representation, one.order.measure) == headline)
    change = next(followed, found[0])
    first, last = change.biases[0], change.biases[-1]
    words = sorted(first, key=lambda word: -abs(last[word] - first[word]))[:_MOST]
    return Table(
        "words",
        f"Words that moved most: {change.order.title}",
        ("word", *STEPS),
        tuple((word, *(biases[word] for biases in change.biases)) for word in words),
    )


def corpus_notes(found: Sequence[Followed], grid: Grid, asked: int) -> list[str]:
    """Return what to know before reading the numbers."""
    most = max((len(change.biases[0]) for change in found), default=0)
    return [
        (
            f"Up to {most:,} of {several(asked, 'occupation')} that name no gender have a bias in "
            f"all three corpora (floor {grid.floor:g})."
        ),
        *grid.explain(change.order for change in found),
    ]


#: Rounding of means of at most some dozens of logarithms.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class SwapCoverage:
    """The words of a corpus with all twins for which the bias must be 0, and the others."""

    pairs: tuple[tuple[str, str], ...]
    words: tuple[str, ...]
    inexact: tuple[str, ...]  # concept words that are not exchanged one for one
    swapped: tuple[str, ...]  # words to measure that are exchanged themselves
    reason: str = ""  # why nothing must hold; empty where it must

    @classmethod
    def of(
        cls,
        original: EncodedCorpus,
        full: EncodedCorpus,
        concepts: Concepts,
        words: Sequence[str],
    ) -> "SwapCoverage":
        """By the words of the swap, and by how often they occur."""
        known_ids = full.vocabulary.known
        occur = full.vocabulary.counts
        ids, before = full.vocabulary.ids, original.vocabulary
        pairs = tuple(
            pair
            for pair in exchanged_pairs(concepts.women, concepts.men)
            if len(known_ids(pair)) == len(pair) and occur[ids[pair[0]]] == occur[ids[pair[1]]]
        )
        swapped_words = {word for pair in pairs for word in pair}
        inexact_ids = known_ids(
            [*inexact(concepts.women, concepts.men), *concepts.women, *concepts.men]
        )
        concept_ids = known_ids(before.known(words))
        alone = [
            word
            for word in concept_ids
            if swap_text(word) == word and occur[ids[word]] == 2 * before.counts[before.ids[word]]
        ]
        return cls(
            pairs,
            tuple(alone),
            tuple(word for word in inexact_ids if word not in swapped_words),
            tuple(word for word in concept_ids if word not in alone),
            _inexact_reason(full, pairs, alone),
        )

    @property
    def notes(self) -> list[str]:
        """Return which words the swap does not exchange one for one."""
        return [
            (
                "Concept words of these texts that the swap does not exchange one for one, so "
                f"that a bias may be left: {', '.join(self.inexact) or 'none'}."
            ),
            (
                "Occupations that it exchanges themselves, so that nothing must hold of them: "
                f"{', '.join(self.swapped) or 'none'}."
            ),
        ]


def _inexact_reason(
    full: EncodedCorpus, pairs: Sequence[tuple[str, str]], alone: Sequence[str]
) -> str:
    if not pairs or not alone:
        return "these texts have no concept words that are exchanged, or no other word to measure"
    lengths = np.diff(full.offsets)
    if len(lengths) % 2:
        return "the last corpus has texts without a twin"
    if different := int(np.count_nonzero(lengths[::2] != lengths[1::2])):
        return (
            f"{different:,} texts keep more or fewer words than their twins, because a word is "
            "rare and its counterpart is not: take --min-count 1"
        )
    return ""


def largest_mirror_bias(mirror: SwapCoverage, counts: Cooccurrences) -> Iterator[StudyCheck]:
    """The largest bias that full twins leave, by the words that the swap exchanges exactly."""
    for kind in AssociationKind:
        largest: float | None = None
        note = mirror.reason
        if not note:
            women, men = zip(*mirror.pairs, strict=True)
            lists = Concepts.of(women, men)
            values = first_order(Pmi(counts, kind), mirror.words, lists, floor=None).values
            largest = max(map(abs, values.values()))
            note = f"{len(values):,} words, {len(women)} pairs of concept words"
        yield check_must(
            f"{kind}, full twins, concept words that are exchanged one for one: largest |bias|",
            "must be 0: the corpus is its own mirror",
            largest,
            0.0,
            _ROUNDING,
            note,
        )


def check_falls(found: Sequence[Followed]) -> Iterator[StudyCheck]:
    """Yield whether the mean |bias| by all concept words is below that of the original."""
    kinds = {kind.value for kind in AssociationKind}
    for effect in found:
        if (
            effect.order.measure is not BiasMeasure.FIRST_ORDER
            or effect.order.representation not in kinds
        ):
            continue
        yield check_must(
            f"{effect.order.representation}, all concept words: sign of the change of mean "
            "|bias| with full twins",
            "has to fall, how far is not said",
            _sign_of_change(effect.shares[-1] - 1.0) if effect.shares else None,
            -1.0,
            0.0,
            f"{len(effect.biases[0]):,} words; {effect.shares[-1]:.4f} of the original's is left"
            if effect.shares
            else "no bias to fall",
        )


def _sign_of_change(change: float) -> float:
    """-1, 0 or 1; rounding is no change."""
    return 0.0 if abs(change) <= _ROUNDING else math.copysign(1.0, change)


_STEP = 22
#: How far the axis goes, over the largest share.
_MARGIN = 1.04
#: Of each corpus its shape and colour.
_LOOKS = tuple(
    zip(
        STEPS,
        ("square", "diamond", "circle"),
        (charts.QUIET, charts.SECOND, charts.FIRST),
        strict=True,
    )
)
_TITLE = "Figure 4: mean |bias| with half and full twins, of the original's"
_SIGNS = "■ original, ◆ half, ● full"


def draw_figures(found: Sequence[Followed]) -> tuple[Figure, ...]:
    """Draw one chart; none where no measure has a bias to fall."""
    rows: list[dict[str, Any]] = [
        {
            "label": f"{change.order.representation}, {change.order.measure}".replace("_", " "),
            "share": share,
            "step": step,
        }
        for change in found
        if change.shares
        for step, share in zip(STEPS, change.shares, strict=True)
    ]
    if not rows:
        return ()
    note = (
        f"{_SIGNS}. 1 is the bias of the texts as they are, 0 is none. A measure that follows its "
        "texts goes to 0; what is left comes of concept words that the swap does not exchange one "
        "for one, and of high order of all other words that it does not. Directional need not "
        "fall: its direction has unit length however little the pairs still differ, and the pairs "
        "that are not exchanged exactly then decide it."
    )
    labels = list(dict.fromkeys(row["label"] for row in rows))
    base = alt.Chart(charts.data(rows))
    y = charts.name_axis("label:N", labels, charts.NAMES, grid=True)
    far = _MARGIN * max(1.0, *(row["share"] for row in rows))
    scale = alt.Scale(domain=[0, far])
    axis = alt.Axis(values=charts.ZERO_TO_ONE, format=".2~f")
    x = alt.X("share:Q", scale=scale, axis=axis, title=f"mean |bias| of the original's ({_SIGNS})")
    layers = [
        base.transform_filter(f"datum.step == '{step}'")
        .mark_point(shape=shape, filled=True, size=80, color=color, opacity=1)
        .encode(x=x, y=y)
        for step, shape, color in _LOOKS
    ]
    chart = alt.layer(*layers).properties(width=charts.ROW_WIDTH, height=alt.Step(_STEP))
    markup = charts.draw(chart, "falling", _TITLE, "The same numbers stand in Table 3 below.")
    return (Figure("falling", _TITLE, markup, note=note),)
