"""Counterfactual rankings: overlap of lists before and after gendered words are exchanged.

Each version of the collection is indexed in a temporary folder.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from monitor import __version__, trec
from monitor.measures import parse
from monitor.model import InvalidInput
from monitor.rankers.build import build_index
from monitor.rankers.choice import NUMBERS
from monitor.rankers.corpus import CorpusEntry
from monitor.rankers.formulas import Ranked, make_ranker
from monitor.rankers.index import Index
from monitor.studies import _study_charts as charts
from monitor.studies._rankings_files import PAPER, describe_path, json_object, read_collection
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
    check_elsewhere,
)
from monitor.text.counted_nouns import several
from monitor.text.swap import EVERY_PART, TextPart, count_swappable, swap_text

#: What is exchanged, by what it is called: each part apart, then all.
VERSIONS: Mapping[str, frozenset[TextPart]] = {
    **{str(part): frozenset({part}) for part in TextPart},
    "all three": EVERY_PART,
}
PLAIN = "as it is"

#: {query: documents, the best first}
Lists = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Version:
    """A version of the collection: the lists of each ranker, and how much was exchanged."""

    lists: Mapping[str, Lists]  # by ranker
    words: int
    changed: int  # documents in which any word was exchanged
    documents: int


def read_queries(source: Path) -> dict[str, str]:
    """The words of each query; a .json file holds them by id under "queries"."""
    if source.suffix.lower() != ".json":
        return trec.read_topics(source)
    held = json_object(source, 'an object with "queries" is needed').get("queries")
    if not isinstance(held, dict) or not held:
        raise InvalidInput(f'{source}: "queries" is missing or empty; it holds words by id')
    for key, words in held.items():
        if not isinstance(words, str) or not words.strip():
            raise InvalidInput(f"{source}: query {key!r} is {words!r:.40}; give its words")
    return held


def make_rankers(names: Sequence[str]) -> dict[str, Any]:
    """Rankers that need no vectors, by name. Raises InvalidInput."""
    for name in names:
        if name not in NUMBERS:
            raise InvalidInput(f"--ranker {name!r}: known without vectors: {', '.join(NUMBERS)}")
    return {name: make_ranker(name, {}, None) for name in names}


def rank_versions(
    source: Path,
    asked: Mapping[str, str],
    by: Mapping[str, Any],
    depth: int,
    tell: ReportStep,
    *,
    doubtful: bool,
) -> Iterator[tuple[str, Version]]:
    """The collection as it is, then with each part exchanged; it is read anew for each."""
    tell(f"ranking the collection {PLAIN}")
    yield (
        PLAIN,
        _rank_version(read_collection(source), _Exchange(frozenset(), doubtful), asked, by, depth),
    )
    for name, parts in VERSIONS.items():
        tell(f"ranking the collection with {name} exchanged")
        exchange = _Exchange(parts, doubtful)
        yield name, _rank_version(read_collection(source), exchange, asked, by, depth)


@dataclass(slots=True)
class _Exchange:
    """Exchanges some parts in documents, and counts."""

    parts: frozenset[TextPart]
    doubtful: bool
    words: int = 0
    changed: int = 0
    documents: int = 0

    def of(self, documents: Iterator[CorpusEntry]) -> Iterator[CorpusEntry]:
        """Each document with its words exchanged."""
        exchange = partial(swap_text, doubtful=self.doubtful, parts=self.parts)
        count = partial(count_swappable, doubtful=self.doubtful, parts=self.parts)
        for document in documents:
            words = count(document.title) + count(document.text)
            self.documents += 1
            self.words += words
            self.changed += words > 0
            yield replace(document, title=exchange(document.title), text=exchange(document.text))


def _rank_version(
    documents: Iterator[CorpusEntry],
    exchange: _Exchange,
    asked: Mapping[str, str],
    by: Mapping[str, Any],
    depth: int,
) -> Version:
    lists = _rank_documents(exchange.of(documents), asked, by, depth)
    return Version(lists, exchange.words, exchange.changed, exchange.documents)


def _rank_documents(
    documents: Iterator[CorpusEntry], asked: Mapping[str, str], by: Mapping[str, Any], depth: int
) -> dict[str, Lists]:
    with TemporaryDirectory(prefix="monitor-crbo-") as temporary:
        folder = Path(temporary) / "index"
        build_index(documents, folder, lambda _done: None, version=__version__)
        index = Index(folder)
        lists_by_ranker: dict[str, Lists] = {}
        for name, ranker in by.items():
            of_queries = {
                query: ranker.rank(index, index.query(words), depth)
                for query, words in asked.items()
            }
            lists_by_ranker[name] = {
                query: [index.key(int(number)) for number in ranking.documents]
                if isinstance(ranking, Ranked)
                else []
                for query, ranking in of_queries.items()
            }
        return lists_by_ranker


#: {ranker: {what is exchanged: score}}
Scores = dict[str, dict[str, Any]]

_DEPTH, _DEEPEST = 10, 1000
_P = 0.9
#: Of values in exact fractions.
_EXACT = 1e-12
_NEEDED = "pairs of lists with their overlap by p are needed"


class Crbo(Study):
    """The change of rankings when women and men are exchanged in all documents."""

    name = "crbo"
    title = "Rankings of counterfactual documents"
    paper = (
        f"{PAPER}, counterfactual rankings; Webber, Moffat and Zobel (2010), A "
        "similarity measure for indefinite rankings, equation 32"
    )
    question = (
        "If every document spoke of women where it speaks of men, and the other way round, would "
        "the same ranker put the same documents first, and is it pronouns, nouns or names that "
        "move them?"
    )
    example = "crbo --docs news.jsonl --topics topics.tsv --ranker bm25 --ranker tf_idf"
    options = (
        Option("docs", "Documents: a folder, JSONL, CSV, TSV, TREC, or .json of texts by id.",
               Path, required=True),
        Option("topics", 'Queries: TREC, JSONL, QID<tab>TEXT lines, or .json with "queries".',
               Path, required=True),
        Option("ranker", "bm25, query_likelihood or tf_idf; give it once a ranker. bm25 if left "
               "out.", several=True),
        Option("depth", "Ranks of each list that count.", int, default=_DEPTH),
        Option("p", "How surely a reader goes on to the next rank, inside 0 to 1.", float,
               default=_P),
        Option("doubtful", "Exchange also names that are towns or words too, as Sydney.", bool,
               default=False),
        Option("published", "JSON of pairs of lists with their overlap, to hold ours against.",
               Path),
        Option("seed", "Seed of the resampling that gives the intervals.", int, default=0),
    )  # fmt: skip
    #: 350 news texts, 25 queries, and exact overlaps.
    reference = ReferenceInputs(
        {
            "docs": "oracles/lee350.json",
            "topics": "oracles/c1_nfairr_lee.json",
            "published": "oracles/e1_rbo.json",
        },
        {"ranker": ("bm25", "query_likelihood", "tf_idf")},
    )

    def run(self, given: Mapping[str, Any], tell: ReportStep) -> StudyResult:
        """Raises InvalidInput for what cannot be read."""
        if not 1 <= given["depth"] <= _DEEPEST:
            raise InvalidInput(f"--depth {given['depth']}: give a number from 1 to {_DEEPEST:,}")
        if not 0 < given["p"] < 1:
            raise InvalidInput(f"--p {given['p']}: give a number above 0 and below 1, as {_P}")
        by = make_rankers(given["ranker"] or ("bm25",))
        checks = list(_make_checks(given["published"])) if given["published"] else []
        tell("reading the queries")
        query_words = read_queries(given["topics"])
        versions_by_name = dict(
            rank_versions(
                given["docs"], query_words, by, given["depth"], tell, doubtful=given["doubtful"]
            )
        )
        plain = versions_by_name.pop(PLAIN)
        scores = {
            name: {
                version: _score_overlap(
                    plain.lists[name], version_made.lists[name], query_words, given
                )
                for version, version_made in versions_by_name.items()
            }
            for name in by
        }
        return StudyResult(
            ran={
                "documents": f"{several(plain.documents, 'document')}; "
                f"{describe_path(given['docs'])}",
                "queries": f"{several(len(query_words), 'query', 'queries')}; "
                f"{describe_path(given['topics'])}",
            },
            checks=checks,
            tables=(_over_queries(scores, versions_by_name), _by_query(scores, query_words)),
            figures=_draw_figures(scores),
            limits=LIMITS,
            notes=tuple(
                _make_notes(scores, versions_by_name, query_words, doubtful=given["doubtful"])
            ),
        )


LIMITS = (
    Limit(
        "CRBO values of the paper",
        "they are of MS MARCO passages and of neural rankers trained on them; a ranker of one's "
        "own is compared by CRBO of two runs, see docs/library.md",
    ),
    Limit(
        "Words that the table of counterparts does not know",
        "they stay in every version: a name without a counterpart moves nothing here",
    ),
)


def _score_overlap(
    plain: Lists, swapped: Lists, asked: Mapping[str, str], given: Mapping[str, Any]
) -> Any:  # noqa: ANN401 - a score
    measure = parse("CRBO").configure({"p": given["p"], "cutoff": given["depth"]})
    return measure.score(plain, counterfactual=swapped, queries=asked, seed=given["seed"])


def _make_checks(path: Path) -> Iterator[StudyCheck]:
    """The measure on pairs of lists whose overlap is known as exact fractions."""
    pairs = json_object(path, _NEEDED).get("pairs")
    try:
        apart: dict[str, list[tuple[str, float]]] = {}
        for pair in pairs or ():
            for p, expected in pair["p"].items():
                for form, cutoff in (("ext", None), ("ext_at_10", _DEPTH)):
                    measure = parse("CRBO").configure({"p": float(p), "cutoff": cutoff})
                    value = measure.score({"q": pair["S"]}, counterfactual={"q": pair["T"]}).value
                    off = 1.0 if value is None else abs(value - float(expected[form]))
                    apart.setdefault(f"p = {p}, {_FORMS[form]}", []).append((pair["name"], off))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidInput(f"{path}: {_NEEDED}; wrong or missing: {error}") from error
    if not apart:
        raise InvalidInput(f"{path}: {_NEEDED}; it holds none")
    for what, differences in apart.items():
        name, off = max(differences, key=lambda one: one[1])
        yield check_elsewhere(
            f"Overlap, {what}: largest difference",
            f"{len(differences)} pairs of lists in exact fractions",
            off,
            0.0,
            _EXACT,
            "" if off <= _EXACT else f"pair {name}",
        )


_FORMS = {"ext": "whole lists", "ext_at_10": "first 10"}


def _over_queries(scores: Scores, made: Mapping[str, Version]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            ranker, version, score.value, score.low, score.high, score.used,
            int(score.details["queries_unchanged"]), made[version].words, made[version].changed,
        )
        for ranker, by_version in scores.items()
        for version, score in by_version.items()
    ]  # fmt: skip
    columns = (
        "ranker", "exchanged", "CRBO", "low", "high", "queries with lists", "of these unchanged",
        "words exchanged", "in documents",
    )  # fmt: skip
    note = (
        "CRBO is 1 where the exchange moves nothing, and 0 where no document stays. low and high: "
        "95 % interval over queries of this kind. Queries stay as they are: one that names a "
        "gender itself should react, so read them one by one below."
    )
    return Table("crbo", "Overlap after each exchange", columns, tuple(rows), note)


def _by_query(scores: Scores, asked: Mapping[str, str]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (query, words, ranker, *(score.per_query[query] for score in by_version.values()))
        for query, words in asked.items()
        for ranker, by_version in scores.items()
    ]
    note = "A dash: no document holds any word of the query, before the exchange or after it."
    columns = ("query", "words", "ranker", *VERSIONS)
    return Table("crbo-queries", "Overlap of every query", columns, tuple(rows), note)


def _draw_figures(scores: Scores) -> Sequence[Figure]:
    title = "Overlap of rankings before and after each exchange"
    rows = [
        {
            "label": f"{ranker}: {version}",
            "second": False,
            "value": score.value,
            "low": score.low,
            "high": score.high,
        }
        for ranker, by_version in scores.items()
        for version, score in by_version.items()
    ]
    if all(row["value"] is None for row in rows):
        return ()
    chart = charts.draw_ranges(rows, "crbo", title, "CRBO; 1 is unchanged")
    note = "Lines are 95 % intervals over queries."
    return (Figure("figure-crbo", title, chart, note=note),)


def _make_notes(
    scores: Scores,
    made: Mapping[str, Version],
    asked: Mapping[str, str],
    *,
    doubtful: bool,
) -> Iterator[str]:
    for version, version_made in made.items():
        if not version_made.words:
            yield f"No word was exchanged ({version}): its rankings must be the same."
    yield _count_affected_queries(asked, doubtful=doubtful)
    for ranker, by_version in scores.items():
        parts = ", ".join(
            f"{version} {version_made.value:.3f}" for version, version_made in by_version.items()
            if version_made.value is not None
        )  # fmt: skip
        whole = by_version["all three"]
        compared = several(whole.used, "query", "queries")
        if not parts:
            yield f"{ranker}: no number, {whole.reason}."
            continue
        yield (
            f"{ranker}: CRBO is {parts}; with all exchanged the lists of "
            f"{int(whole.details['queries_unchanged'])} of {compared} "
            "stay as they are."
        )
        if whole.used < len(asked):
            yield (
                f"{ranker}: of {several(len(asked), 'query', 'queries')} only {whole.used:,} have "
                "lists to compare."
            )
        if whole.low is None:
            yield f"{ranker}: one query alone gives no interval."


def _count_affected_queries(asked: Mapping[str, str], *, doubtful: bool) -> str:
    """Return how many queries hold exchanged words, which rankers by words notice."""
    affected = {
        part: sum(
            count_swappable(q, doubtful=doubtful, parts=frozenset({part})) > 0
            for q in asked.values()
        )
        for part in TextPart
    }
    counts_text = ", ".join(f"{part} in {n}" for part, n in affected.items())
    return (
        f"These rankers go by the words of a query. Of {several(len(asked), 'query', 'queries')}, "
        f"so many hold words that are exchanged in documents: {counts_text}. The lists of all "
        "others can hardly move, and their CRBO near 1 is no sign of a ranker without bias."
    )


STUDY = Crbo()
