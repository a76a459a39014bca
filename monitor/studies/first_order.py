"""First-order bias of a corpus: every representation against the labour market, and the figures."""

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

#: For validation: SVD in 300 dimensions takes minutes.
_FEW_DIMENSIONS = 50

LIMITS = (
    Limit(
        "The paper's own numbers (Table 1, Figures 2 and 3)",
        "they are of the English Wikipedia of 2017 with the authors' vectors; on other texts the "
        "same measures give other numbers, and none is claimed to be equal to them",
    ),
    Limit(
        "GloVe, eGloVe",
        "its vectors are learnt by its own program and read from a file with context vectors; "
        "without --vectors it is left out",
    ),
)


@dataclass(frozen=True, slots=True)
class FirstOrderStudy:
    """Table 1, Figures 2 and 3 and Table 2, on any corpus."""

    name: str = "first-order"
    title: str = "First-order co-occurrence: bias of occupations in a corpus"
    paper: str = f"{PAPER}, Tables 1 and 2, Figures 2 and 3"
    question: str = (
        "How far does the bias of occupations in a body of texts follow the share of women in "
        "them, by representation, and by first order against what vectors say?"
    )
    example: str = "first-order --texts news.txt.gz --dimensions 100"
    options: tuple[Option, ...] = (
        Option("corpus", "A corpus of `monitor corpus list`, or its folder, in place of --texts."),
        *OPTIONS,
        Option("vectors", "GloVe's file with context vectors (-model 0), of --dimensions.", Path),
        Option("contexts", "GloVe: a second file, with the context vectors.", Path),
        Option("seeds", "skip-gram: how many models are learnt; from 10 on they give an interval.",
               int, default=10),
        Option("below-floor", "Learn skip-gram also of less than ten million tokens, where it says "
               "more of the seed than of the texts.", bool, default=False),
        Option("draws", "Resamples for the intervals in Figure 3; 0 leaves them out.", int,
               default=1_000),
        Option("explain", "Word whose bias is taken apart (Table 2), may be given again; else the "
               "occupation furthest towards either side.", several=True),
        Option("published", "JSON with counts, biases and correlations of the same texts, computed "
               "elsewhere, to hold ours against.", Path),
    )  # fmt: skip

    def validation(self, data: Path) -> Mapping[str, Any] | None:
        """106 articles of Wikipedia, with the values of an independent implementation."""
        texts = data / "oracles" / "enwiki106.json.gz"
        published = data / "oracles" / "g1_counts_pmi.json"
        if not (texts.is_file() and published.is_file()):
            return None
        return {
            "texts": [texts],
            "tokens": "blanks",
            "min-count": 3,
            "floor": 0.0,
            "dimensions": _FEW_DIMENSIONS,
            "published": published,
        }

    def run(self, given: Mapping[str, Any], tell: ReportStep) -> StudyResult:
        """Raises InvalidInput naming the option, what is wrong with it, and the remedy."""
        from monitor.corpus.concepts import neutral_words
        from monitor.corpus.labour import TARGETS, target_shares
        from monitor.stages.corpus_bias import of_counts
        from monitor.studies import _first_order_results as checks
        from monitor.studies import _first_order_results as figures
        from monitor.studies import _first_order_results as tables
        from monitor.studies._corpus_grid import Grid, measure_grid

        for name, least in (("seeds", 1), ("draws", 0)):
            if given[name] < least:
                raise InvalidInput(f"--{name} {given[name]}: give {least} or more")
        grid, concepts = Grid.of(given), given_texts.open_concepts(given)
        published = checks.read_published(given["published"]) if given["published"] else None
        ran, corpus = _build_corpus(given, tell)
        shares = {name: target_shares(name) for name in TARGETS}
        words_of_shares = (
            word for shares_of_target in shares.values() for word in shares_of_target
        )
        words = tuple(dict.fromkeys([*concepts.occupations, *words_of_shares]))
        cells = measure_grid(corpus, grid, concepts, words, report_once(tell))
        tell("drawing")
        drawn_biases = figures.DrawnBiases.of(corpus, grid, concepts, words, shares, given["draws"])
        explained = tuple(given["explain"] or ()) or tables.furthest_words(
            drawn_biases.biases, neutral_words(words)
        )
        model = of_counts(cells.counts, drawn_biases.measured.order)
        held = [checks.check_mirror(model, concepts, words, grid.floor)]
        if published is not None:
            tell("comparing")
            held += checks.check_published(published, cells.counts, words, concepts)
        return StudyResult(
            ran=ran,
            checks=held,
            tables=(
                tables.correlations_table(cells.found, shares),
                tables.words_table(corpus, drawn_biases.measured, shares),
                tables.parts_table(model, grid, concepts, explained),
            ),
            figures=drawn_biases.figures,
            limits=(*cells.limits, *(LIMITS if given["vectors"] is None else LIMITS[:1])),
            notes=tables.reading_notes(cells.found, drawn_biases.measured, grid),
        )


def _build_corpus(
    given: Mapping[str, Any], tell: ReportStep
) -> tuple[dict[str, str], "EncodedCorpus"]:
    """The corpus, and what it was."""
    from monitor.corpus.encoding import encode_documents

    require_one_source(given)
    if given["corpus"]:
        corpus = open_corpus(given["corpus"])
        return {"corpus": given_texts.describe_corpus(corpus)}, corpus
    texts = StudyTexts.of(given)
    tell("reading")
    corpus = encode_documents(texts.documents(), texts.rules)
    return {"texts": texts.said, "corpus": given_texts.describe_corpus(corpus)}, corpus


STUDY = FirstOrderStudy()
