"""Inputs of the studies of texts: a corpus or its texts, word lists, representations."""

import gzip
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from monitor import settings
from monitor.corpus.concepts import Concepts, default_concepts, read_concepts
from monitor.corpus.encoding import (
    Cooccurrences,
    EncodedCorpus,
    EncodingRules,
    Tokens,
    find_corpus,
    read_corpus,
)
from monitor.corpus.factors import below_floor
from monitor.corpus.reading import TextForm, read_documents
from monitor.input_files import load_json
from monitor.model import InvalidInput, MissingPart
from monitor.stages.derive.corpus_bias import (
    BiasMeasure,
    BiasOrder,
    MeasuredCorpus,
    Representation,
    Told,
    biases_of,
    count_words,
    model_of,
    of_counts,
    over_models,
)
from monitor.studies._gest_files import describe_files
from monitor.studies.catalogue import Limit, Option, ReportStep

PAPER = (
    "Rekabsaz, West, Henderson and Hanbury (2021), Measuring societal biases from text corpora "
    "with smoothed first-order co-occurrence (ICWSM 15)"
)
_LISTS = (".json", ".json.gz")
_NO_TEXT = "give texts by --texts FILE, or a corpus of `monitor corpus build` by --corpus NAME"

OPTIONS = (
    Option("texts", "Texts: .txt or .jsonl (field `text`), a document a line, also .gz and .zst, "
           "or .json with a list of texts. May be given again.", Path, several=True),
    Option("min-count", "--texts: rarer words are taken out first.", int, default=5),
    Option("tokens", "--texts: text (letters and digits in lower case), or blanks.",
           default="text"),
    Option("representation", "What texts are made into: pmi, ppmi, sppmi, the same with -svd, "
           "init-glove, skip-gram. Give it once for each; else all that counts give.",
           several=True),
    Option("concepts", "CSV with own words for women and men, and own occupations: columns list, "
           "group, word, partner.", Path),
    Option("window", "Tokens on either side that count as near.", int, default=5),
    Option("floor", "Pairs that must be expected with either side for a pair that never occurred "
           "to say something; 0 takes every such pair as unrelated.", float, default=5.0),
    Option("dimensions", "*-svd, skip-gram: dimensions. SVD takes minutes from 100 on.", int,
           default=300),
    Option("seed", "Where random numbers begin.", int, default=0),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class StudyTexts:
    """Texts that can be read again, and the rules under which they become a corpus."""

    paths: Sequence[Path]
    rules: EncodingRules

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "StudyTexts":
        """Those that were given. Raises InvalidInput for a rule that cannot be."""
        if given["tokens"] not in tuple(Tokens):
            raise InvalidInput(f"--tokens {given['tokens']}: must be one of {', '.join(Tokens)}")
        return cls(given["texts"], EncodingRules(Tokens(given["tokens"]), given["min-count"]))

    def documents(self) -> Iterable[tuple[str, str]]:
        """(key, text) of each document. Raises InvalidInput naming file and line."""
        for path in self.paths:
            if path.name.endswith(_LISTS):
                yield from (
                    (f"{path}:{position}", text)
                    for position, text in enumerate(_read_json_texts(path), start=1)
                )
            else:
                yield from read_documents([path], TextForm())

    @property
    def said(self) -> str:
        """Return a description of the files."""
        files = [path for path in self.paths if path.is_file()]
        descriptions = [f"folder {path.name}" for path in self.paths if path.is_dir()]
        return "; ".join([*([describe_files(files)] if files else []), *descriptions])


def _read_json_texts(path: Path) -> list[str]:
    try:
        content = path.read_bytes()
        parsed = load_json(gzip.decompress(content) if path.suffix == ".gz" else content)
    except (OSError, EOFError, ValueError) as error:
        raise InvalidInput(f"{path}: cannot be read as JSON: {error}") from error
    if not isinstance(parsed, list) or not all(isinstance(text, str) for text in parsed):
        raise InvalidInput(f"{path}: is no list of texts; write ['one text', 'another']")
    return parsed


def require_one_source(given: Mapping[str, Any]) -> None:
    """Raise InvalidInput where texts and corpora are named, or neither."""
    if bool(given["texts"]) == bool(given["corpus"]):
        hint = "--texts and --corpus: name one of both; " if given["texts"] else ""
        raise InvalidInput(f"{hint}{_NO_TEXT}")


def open_corpus(name: str) -> EncodedCorpus:
    """A corpus by its name or folder. Raises InvalidInput naming those that there are."""
    return read_corpus(find_corpus(name, settings.load().home))


def open_concepts(given: Mapping[str, Any]) -> Concepts:
    """The shipped lists, or those of a file with occupations in it. Raises InvalidInput."""
    if given["concepts"] is None:
        return default_concepts()
    concepts = read_concepts(given["concepts"])
    if not concepts.occupations:
        raise InvalidInput(f"{given['concepts']}: has no row of the list occupation; add some")
    return concepts


def describe_corpus(corpus: EncodedCorpus) -> str:
    """The size of a corpus, and its digest."""
    least = corpus.rules.min_count
    threshold = f", each at least {least} times" if least > 1 else ""
    return (
        f"{corpus.documents:,} documents, {len(corpus.tokens):,} tokens of "
        f"{len(corpus.vocabulary):,} words{threshold}; digest {corpus.digest}"
    )


def report_once(tell: ReportStep) -> Told:
    """Tells every step once."""
    seen: set[str] = set()

    def told(step: str, _done: int, _of: int | None) -> None:
        if step not in seen:
            seen.add(step)
            tell(step)

    return told


#: Of files or of chance, not of counts.
_LEARNT = (Representation.SKIP_GRAM, Representation.GLOVE)
_KINDS = (Representation.PMI, Representation.PPMI, Representation.SPPMI)
COUNTED = tuple(one for one in Representation if one not in _LEARNT)


@dataclass(frozen=True, slots=True)
class Grid:
    """Representations and measures to compute. Raises InvalidInput for an unknown one."""

    representations: tuple[Representation, ...]
    window: int
    floor: float
    dimensions: int
    seed: int
    seeds: int = 1
    below_floor: bool = False
    vectors: Path | None = None
    contexts: Path | None = None

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "Grid":
        """As the options of a study say."""
        names = tuple(dict.fromkeys(given["representation"] or ()))
        available = tuple(one for one in Representation if one is not Representation.GLOVE)
        if unknown := [name for name in names if name not in available]:
            raise InvalidInput(f"--representation {unknown[0]}: known are {', '.join(available)}")
        for name in ("window", "dimensions"):
            if given[name] < 1:
                raise InvalidInput(f"--{name} {given[name]}: give 1 or more")
        if not given["floor"] >= 0:
            raise InvalidInput(f"--floor {given['floor']}: give 0 or more")
        selected = tuple(map(Representation, names)) or (*COUNTED, Representation.SKIP_GRAM)
        if given.get("vectors"):
            selected = (*selected, Representation.GLOVE)
        return cls(
            selected,
            given["window"],
            given["floor"],
            given["dimensions"],
            given["seed"],
            given.get("seeds", 1),
            given.get("below-floor", False),
            given.get("vectors"),
            given.get("contexts"),
        )

    @property
    def headline(self) -> Representation:
        """Return the representation to draw: one made of counts, the default if possible."""
        kinds = [one for one in self.representations if one in _KINDS]
        default = Representation.PPMI
        return kinds[0] if kinds and default not in kinds else default

    def order(
        self,
        representation: Representation,
        measure: BiasMeasure = BiasMeasure.FIRST_ORDER,
        draws: int = 0,
    ) -> BiasOrder:
        """One cell of it."""
        read = representation is Representation.GLOVE
        return BiasOrder(
            representation, measure, self.window, 1.0, self.floor, self.dimensions, draws,
            self.seeds, self.seed, self.vectors if read else None, self.contexts if read else None,
        )  # fmt: skip

    def orders(self, representation: Representation) -> list[BiasOrder]:
        """With every measure that goes with it."""
        no_vectors = representation is Representation.INIT_GLOVE
        measures = (BiasMeasure.FIRST_ORDER,) if no_vectors else tuple(BiasMeasure)
        return [self.order(representation, measure) for measure in measures]

    def explain(self, measured: Iterable[BiasOrder]) -> Iterator[str]:
        """Yield what to know of the floor and of vectors before reading the numbers."""
        if not self.floor:
            yield (
                "With --floor 0 a pair that never occurred counts as unrelated however rare its "
                "words are: biases of rare words are chance."
            )
        if any(order.representation.endswith("-svd") for order in measured):
            yield f"SVD was taken in {self.dimensions:,} dimensions (the paper: 300)."


@dataclass(slots=True)
class Cells:
    """Measured cells with the counts behind them, and the representations that failed."""

    counts: Cooccurrences
    found: list[MeasuredCorpus] = field(default_factory=list)
    limits: list[Limit] = field(default_factory=list)


def measure_grid(
    corpus: EncodedCorpus, grid: Grid, concepts: Concepts, words: Sequence[str], told: Told
) -> Cells:
    """All cells of a grid, in its order. Raises InvalidInput."""
    cells = Cells(count_words(corpus, grid.window, told))
    for representation in grid.representations:
        orders = grid.orders(representation)
        if representation is Representation.SKIP_GRAM:
            _learn_models(corpus, grid, orders, cells, concepts, words, told)
            continue
        if representation is Representation.GLOVE:
            model = model_of(corpus, orders[0], told)
        else:
            told(f"measuring {representation}", 0, None)
            model = of_counts(cells.counts, orders[0])
        cells.found += [
            MeasuredCorpus(order, biases_of(model, order, concepts, words), {}, "")
            for order in orders
        ]
    return cells


def _learn_models(
    corpus: EncodedCorpus,
    grid: Grid,
    orders: Sequence[BiasOrder],
    cells: Cells,
    concepts: Concepts,
    words: Sequence[str],
    told: Told,
) -> None:
    """Skip-gram: every model is learnt once and asked for all measures."""
    low = below_floor(len(corpus.tokens))
    if low and not grid.below_floor:
        cells.limits.append(Limit("skip-gram (SG, eSG)", low))
        return
    runs: dict[BiasOrder, list[Any]] = {order: [] for order in orders}
    try:
        for seed in range(grid.seeds):
            told(f"learning vectors {seed + 1} of {grid.seeds}", seed, grid.seeds)
            model = model_of(corpus, orders[0], told, seed)
            for order in orders:
                runs[order].append(biases_of(model, order, concepts, words))
    except MissingPart as error:
        cells.limits.append(Limit("skip-gram (SG, eSG)", str(error)))
        return
    cells.found += [over_models(corpus, order, group) for order, group in runs.items()]
