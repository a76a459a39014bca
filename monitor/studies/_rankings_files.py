"""Input files of the studies of ranked lists: runs, documents, words and published values.

The input is TREC runs with a collection, or one JSON file with lists, texts and words. A published
file of NFaiRR has results.tau.TAU.background.BACKGROUND.NFaiRR, one of TExFAIR has target_half;
both map cut-offs to queries.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from monitor.input_files import hash_file, parse_json, read_text
from monitor.measures import count_terms, curve, ranked_lists
from monitor.model import InvalidInput
from monitor.ranked.score import known_pairs
from monitor.rankers import corpus
from monitor.rankers.corpus import CorpusEntry
from monitor.studies.catalogue import Option, StudyCheck, check_elsewhere
from monitor.text.counted_nouns import several

PAPER = (
    "Abolghasemi, Azzopardi, Askari, de Rijke and Verberne (2024), Measuring bias in a ranked list "
    "using term-based representations (ECIR 2024)"
)
#: Cut-offs up to this one, if nobody says otherwise; more than the second are of no use to readers.
_CUTOFF, _DEEPEST = 20, 1000

OPTIONS = (
    Option("run", "A TREC run: QID Q0 DOCUMENT RANK SCORE TAG. Give it once a system.", Path,
           several=True),
    Option("docs", "The documents that the runs rank: a folder, JSONL, CSV, TSV or TREC.", Path),
    Option("words", 'JSON of the words of each group: {"women": ["she"], "men": ["he"]}. '
           "The default are the words of the measures.", Path),
    Option("names", "Add given names to the default words; some are also towns.", bool,
           default=False),
    Option("inputs", "In place of all these one JSON file: run, docs and word_list.", Path),
    Option("published", "JSON of values by cut-off and query, computed elsewhere from the same "
           "lists, to hold ours against. Give it once a file.", Path, several=True),
    Option("cutoff", "The last cut-off; all from 1 on are computed.", int, default=_CUTOFF),
    Option("background", "What NFaiRR divides by: ideal, shown, list, union, run, collection.",
           default="ideal"),
    Option("tau", "Group words up to which NFaiRR calls a document neutral.", int, default=1),
    Option("seed", "Seed of the resampling that gives the intervals.", int, default=0),
)  # fmt: skip

Words = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Rankings:
    """The lists of one or several systems, over texts whose words are counted once."""

    runs: Mapping[str, Any]  # lists by the system's name, in the order given
    counts: Any  # what `count_terms` made of the texts
    words: Words  # by group, those that were counted
    ran: Mapping[str, str]


def read_rankings(given: Mapping[str, Any]) -> Rankings:
    """Everything of the options above. Raises InvalidInput naming option, value and remedy."""
    if not 1 <= given["cutoff"] <= _DEEPEST:
        raise InvalidInput(f"--cutoff {given['cutoff']}: give a number from 1 to {_DEEPEST:,}")
    if given["inputs"]:
        return _read_json(given)
    if not given["run"] or not given["docs"]:
        raise InvalidInput(
            "give --run RUN and --docs DOCUMENTS, or --inputs FILE with all of it in one"
        )
    return _read_files(given)


def compute_curves(
    rankings: Rankings, name: str, given: Mapping[str, Any]
) -> dict[str, dict[int, Any]]:
    """{system: {cut-off: score}} of the measure of this name, at every cut-off from 1 on."""
    cutoffs = range(1, given["cutoff"] + 1)
    return {
        system: curve(
            name,
            lists,
            rankings.counts,
            cutoffs,
            beside={
                name_of_other: other_lists
                for name_of_other, other_lists in rankings.runs.items()
                if name_of_other != system
            },
            terms=rankings.words,
            seed=given["seed"],
        )
        for system, lists in rankings.runs.items()
    }


def nfairr_name(given: Mapping[str, Any]) -> str:
    """The name of the measure that the options describe, without a cut-off."""
    return f"NFaiRR(tau={given['tau']},background={given['background']})"


def json_object(path: Path, what: str, *, document: bool = False) -> dict[str, Any]:
    """The object in a JSON file. Raises InvalidInput."""
    try:
        parsed = parse_json(read_text(path, document=document), str(path), document=document)
    except InvalidInput as error:
        raise InvalidInput(f"{error}; {what}") from error
    if not isinstance(parsed, dict):
        raise InvalidInput(f"{path}: holds a {type(parsed).__name__}, and no object; {what}")
    return parsed


def read_collection(source: Path) -> Iterator[CorpusEntry]:
    """Yield the documents of a collection; a .json file maps ids to texts. Raises InvalidInput."""
    if source.suffix.lower() != ".json":
        yield from corpus.read_entries(source)
        return
    needed = "texts by id are needed"
    held = json_object(source, needed, document=True)
    if not held:
        raise InvalidInput(f"{source}: holds no document")
    for key, text in held.items():
        if not isinstance(text, str):
            raise InvalidInput(f"{source}: document {key!r} is {text!r:.40}; {needed}")
        yield CorpusEntry(key, "", text, str(source))


def describe_path(path: Path) -> str:
    """The size of a file or of all files in a folder, and a digest: a file's own."""
    if not path.is_dir():
        return f"{path.stat().st_size:,} bytes, SHA-256 {hash_file(path)}"
    files = sorted(file for file in path.rglob("*") if file.is_file())
    total, whole = sum(file.stat().st_size for file in files), hashlib.sha256()
    for file in files:
        whole.update(f"{hash_file(file)}  {file.relative_to(path).as_posix()}\n".encode())
    return f"{several(len(files), 'file')}, {total:,} bytes, SHA-256 {whole.hexdigest()} of all"


# --- one file -----------------------------------------------------------------------------------


def _read_json(given: Mapping[str, Any]) -> Rankings:
    path = given["inputs"]
    if given["run"] or given["docs"] or given["words"]:
        raise InvalidInput(f"--inputs {path}: leave --run, --docs and --words out; it holds them")
    held = json_object(path, 'an object with "run", "docs" and "word_list" is needed')
    for key in ("run", "docs"):
        if not isinstance(held.get(key), dict) or not held[key]:
            raise InvalidInput(
                f"{path}: {key!r} is missing or empty; it holds lists or texts by id"
            )
    listed = held.get("word_list")
    words = None
    if isinstance(listed, dict):  # words that stand in two groups are told beside the groups
        words = {group: group_words for group, group_words in listed.items() if group != "in_both"}
    lists = ranked_lists(held["run"])
    ran = {
        "lists, documents and words": f"{several(len(lists.queries), 'query', 'queries')}, "
        f"{several(len(held['docs']), 'document')}; {describe_path(path)}"
    }
    return _count_words({path.stem: lists}, held["docs"], words, ran, names=given["names"])


# --- runs and a collection ----------------------------------------------------------------------


def _read_files(given: Mapping[str, Any]) -> Rankings:
    runs: dict[str, Any] = {}
    ran: dict[str, str] = {}
    for path in given["run"]:
        name = path.name.removesuffix(".gz").removesuffix(".run")
        if name in runs:
            raise InvalidInput(f"--run {path}: another run is called {name!r}; rename one file")
        lists = runs[name] = ranked_lists(path)
        query_count = several(len(lists.queries), "query", "queries")
        ran[f"run {name}"] = f"{query_count}; {describe_path(path)}"
    listed = json_object(given["words"], "words by group are needed") if given["words"] else None
    texts, n = _read_texts(given, {key for lists in runs.values() for key in lists.documents})
    ran["documents"] = f"{several(n, 'document')}; {describe_path(given['docs'])}"
    return _count_words(runs, texts, listed, ran, names=given["names"])


def _read_texts(given: Mapping[str, Any], ranked: set[str]) -> tuple[dict[str, str], int]:
    """(texts that have a part in the values, number of all documents)."""
    whole_collection, n, texts = given["background"] == "collection", 0, dict[str, str]()
    for entry in corpus.read_entries(given["docs"]):
        n += 1
        if whole_collection or entry.key in ranked:
            texts[entry.key] = f"{entry.title}\n{entry.text}".strip()
    if not ranked & texts.keys():
        raise InvalidInput(
            f"--docs {given['docs']}: holds none of the {len(ranked):,} documents of the runs, "
            f"such as {min(ranked)!r}; ids stay as they are written"
        )
    return texts, n


def _count_words(
    runs: Mapping[str, Any],
    texts: Mapping[str, str],
    words: Words | None,
    ran: Mapping[str, str],
    *,
    names: bool,
) -> Rankings:
    counts = count_terms(texts, words, names=names)
    ranked = {key for lists in runs.values() for key in lists.documents}
    missing = len(ranked - texts.keys())
    ranked_note = f"{several(len(ranked), 'document')}, of which {missing:,} have no text here"
    by_group = ((name, len(terms)) for name, terms in counts.terms.groups)
    word_counts = ", ".join(f"{n:,} for {name}" for name, n in by_group)
    group_words = {name: sorted(terms) for name, terms in counts.terms.groups}
    return Rankings(runs, counts, group_words, {**ran, "ranked": ranked_note, "words": word_counts})


#: {query: value, None where the measure has none} by cut-off.
Values = Mapping[int, Mapping[str, float | None]]

TEXFAIR, PLAIN = "TExFAIR", "TExFAIR(rbdf=False)"
#: Name in the reference of each background.
_BACKGROUNDS = {"list": "own_list", "collection": "whole_collection"}
_COLUMNS = {TEXFAIR: "TExFAIR", PLAIN: "TExFAIR_plain"}
#: What the reference says of itself: two implementations in float64 and in exact numbers, which
#: agree to 1e-12. TExFAIR adds up shares of words, whose order moves the last digits.
_WITHIN = {TEXFAIR: 1e-10, PLAIN: 1e-10}
_EXACT = 1e-12
_NEEDED = "values of NFaiRR under results, or of TExFAIR under target_half, are needed"


def read_published(files: Sequence[Path], given: Mapping[str, Any]) -> dict[str, Values]:
    """{name of a measure: its values} of all files. Raises InvalidInput."""
    values_by_measure: dict[str, Values] = {}
    for path in files:
        held = json_object(path, _NEEDED)
        try:
            values_by_measure |= _parse_published(held, given)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InvalidInput(f"{path}: {_NEEDED}; wrong or missing: {error}") from error
    return values_by_measure


def _parse_published(held: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Values]:
    if "target_half" in held:
        rows = held["target_half"]
        return {
            name: {
                int(cut): {query: row[column] for query, row in by_query.items()}
                for cut, by_query in rows.items()
            }
            for name, column in _COLUMNS.items()
        }
    of_tau = held["results"]["tau"].get(str(given["tau"]), {"background": {}})
    background = of_tau["background"].get(_BACKGROUNDS.get(given["background"], ""))
    if background is None:
        return {}
    return {nfairr_name(given): {int(cut): row for cut, row in background["NFaiRR"].items()}}


def check_cutoffs(
    ours: Mapping[str, Mapping[int, Any]], published: Mapping[str, Values]
) -> Iterator[StudyCheck]:
    """Each cut-off of both: means of the same queries, and the query that is furthest off."""
    for name, by_cut in published.items():
        tolerance = _WITHIN.get(name, _EXACT)
        for cut, published_values in sorted(by_cut.items()):
            if cut not in ours.get(name, {}):
                continue
            values = ours[name][cut].per_query
            shared = [query for query in values if query in published_values]
            pairs = known_pairs(values, published_values)
            where = f"reference values, {len(pairs)} queries"
            title = f"{name}@{cut}"
            yield check_elsewhere(
                f"{title}: queries without a value",
                f"reference values, {len(shared)} queries",
                float(sum(values[query] is None for query in shared)),
                float(sum(published_values[query] is None for query in shared)),
                0.0,
            )
            if not pairs:
                continue
            mean, expected = (sum(side) / len(pairs) for side in zip(*pairs, strict=True))
            furthest = max(abs(a - b) for a, b in pairs)
            for what, value, reference in (
                ("mean", mean, expected),
                ("largest difference of a query", furthest, 0.0),
            ):
                yield check_elsewhere(f"{title}: {what}", where, value, reference, tolerance)
