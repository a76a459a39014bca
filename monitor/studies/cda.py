"""Counterfactual data augmentation: what gender-swapped twins of texts leave of a bias."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from monitor.model import InvalidInput
from monitor.studies import _corpus_texts as given_texts
from monitor.studies._corpus_texts import (
    OPTIONS,
    PAPER,
    StudyTexts,
    open_corpus,
    report_once,
    require_one_source,
)
from monitor.studies.records import Limit, Option, ReportStep, StudyResult

if TYPE_CHECKING:
    from monitor.corpus.encoded import EncodedCorpus

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


@dataclass(frozen=True, slots=True)
class Cda:
    """Figure 4 and Table 3, on any texts."""

    name: str = "cda"
    title: str = "Gender-swapped twins: how far measures follow their texts"
    paper: str = f"{PAPER}, Figure 4 and Table 3"
    question: str = (
        "When half or all of the texts get a twin in which women and men are exchanged, how far "
        "does each measure of bias fall, and with it its correlation with the labour market?"
    )
    example: str = "cda --texts news.txt.gz --representation ppmi --min-count 1"
    options: tuple[Option, ...] = (
        Option("corpus", "In place of --texts three corpora: the original, and those that were "
               "built of it with --swapped half and --swapped full. Give it three times.",
               several=True),
        *OPTIONS,
    )  # fmt: skip

    def validation(self, data: Path) -> Mapping[str, Any] | None:
        """106 articles of Wikipedia, every word kept: the property that must hold needs that."""
        texts = data / "oracles" / "enwiki106.json.gz"
        if not texts.is_file():
            return None
        return {
            "texts": [texts],
            "tokens": "blanks",
            "min-count": 1,
            "floor": 0.0,
            "representation": ["pmi", "ppmi", "sppmi"],
        }

    def run(self, given: Mapping[str, Any], tell: ReportStep) -> StudyResult:
        """Raises InvalidInput naming the option, what is wrong with it, and the remedy."""
        from monitor.corpus.concepts import neutral_words
        from monitor.studies import _cda_results as checks
        from monitor.studies import _cda_results as tables
        from monitor.studies._cda_results import draw_figures
        from monitor.studies._corpus_grid import Grid, measure_grid

        grid, concepts = Grid.of(given), given_texts.open_concepts(given)
        words = neutral_words(concepts.occupations)
        if not words:
            raise InvalidInput(f"{given['concepts']}: every occupation names a gender itself")
        ran, corpora = _build_corpora(given, tell)
        cells = []
        for step, corpus in zip(STEPS, corpora, strict=True):
            tell(f"the {step} corpus")
            cells.append(measure_grid(corpus, grid, concepts, words, report_once(tell)))
        follow_ups = tables.follow_measures([cell.found for cell in cells])
        mirror = checks.SwapCoverage.of(corpora[0], corpora[-1], concepts, words)
        tell("drawing")
        return StudyResult(
            ran=ran,
            checks=[
                *checks.largest_mirror_bias(mirror, cells[-1].counts),
                *checks.check_falls(follow_ups),
            ],
            tables=(
                tables.changes_table(follow_ups),
                tables.words_table(follow_ups, grid.headline),
            ),
            figures=draw_figures(follow_ups),
            limits=(*cells[0].limits, *LIMITS),
            notes=[*tables.corpus_notes(follow_ups, grid, len(words)), *mirror.notes],
        )


def _build_corpora(
    given: Mapping[str, Any], tell: ReportStep
) -> tuple[dict[str, str], "list[EncodedCorpus]"]:
    """The three corpora, and what they were."""
    from monitor.corpus.augment import SHARES, Twinned
    from monitor.corpus.encoding import encode_documents

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


def _describe_corpora(corpora: "list[EncodedCorpus]") -> dict[str, str]:
    return {
        f"{step} corpus": given_texts.describe_corpus(corpus)
        for step, corpus in zip(STEPS, corpora, strict=True)
    }


STUDY = Cda()
