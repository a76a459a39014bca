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

from monitor.input_files import parse_json, read_text
from monitor.model import InvalidInput
from monitor.studies.records import Against, Check, Option
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


def read(given: Mapping[str, Any]) -> Rankings:
    """Everything of the options above. Raises InvalidInput naming option, value and remedy."""
    if not 1 <= given["cutoff"] <= _DEEPEST:
        raise InvalidInput(f"--cutoff {given['cutoff']}: give a number from 1 to {_DEEPEST:,}")
    if given["inputs"]:
        return _of_json(given)
    if not given["run"] or not given["docs"]:
        raise InvalidInput(
            "give --run RUN and --docs DOCUMENTS, or --inputs FILE with all of it in one"
        )
    return _of_files(given)


def curves(rankings: Rankings, name: str, given: Mapping[str, Any]) -> dict[str, dict[int, Any]]:
    """{system: {cut-off: score}} of the measure of this name, at every cut-off from 1 on."""
    from monitor.measures import curve

    wanted = range(1, given["cutoff"] + 1)
    return {
        system: curve(
            name,
            lists,
            rankings.counts,
            wanted,
            beside={other: some for other, some in rankings.runs.items() if other != system},
            terms=rankings.words,
            seed=given["seed"],
        )
        for system, lists in rankings.runs.items()
    }


def nfairr(given: Mapping[str, Any], tau: int | None = None) -> str:
    """The name of the measure that the options describe, without a cut-off."""
    chosen = given["tau"] if tau is None else tau
    return f"NFaiRR(tau={chosen},background={given['background']})"


def json_object(path: Path, what: str) -> dict[str, Any]:
    """The object in a JSON file. Raises InvalidInput."""
    try:
        found = parse_json(read_text(path), str(path))
    except InvalidInput as error:
        raise InvalidInput(f"{error}; {what}") from error
    if not isinstance(found, dict):
        raise InvalidInput(f"{path}: holds a {type(found).__name__}, and no object; {what}")
    return found


def described(path: Path) -> str:
    """The size of a file or of all files in a folder, and a digest: a file's own."""
    if not path.is_dir():
        size, digest = _digest(path)
        return f"{size:,} bytes, SHA-256 {digest}"
    files = sorted(one for one in path.rglob("*") if one.is_file())
    total, whole = 0, hashlib.sha256()
    for one in files:
        size, digest = _digest(one)
        total += size
        whole.update(f"{digest}  {one.relative_to(path).as_posix()}\n".encode())
    return f"{several(len(files), 'file')}, {total:,} bytes, SHA-256 {whole.hexdigest()} of all"


def _digest(path: Path) -> tuple[int, str]:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return file.tell(), digest


# --- one file -----------------------------------------------------------------------------------


def _of_json(given: Mapping[str, Any]) -> Rankings:
    from monitor.measures import ranked_lists

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
        words = {group: some for group, some in listed.items() if group != "in_both"}
    lists = ranked_lists(held["run"])
    ran = {
        "lists, documents and words": f"{several(len(lists.queries), 'query', 'queries')}, "
        f"{several(len(held['docs']), 'document')}; {described(path)}"
    }
    return _counted({path.stem: lists}, held["docs"], words, ran, names=given["names"])


# --- runs and a collection ----------------------------------------------------------------------


def _of_files(given: Mapping[str, Any]) -> Rankings:
    from monitor.measures import ranked_lists

    runs: dict[str, Any] = {}
    ran: dict[str, str] = {}
    for path in given["run"]:
        name = path.name.removesuffix(".gz").removesuffix(".run")
        if name in runs:
            raise InvalidInput(f"--run {path}: another run is called {name!r}; rename one file")
        lists = runs[name] = ranked_lists(path)
        asked = several(len(lists.queries), "query", "queries")
        ran[f"run {name}"] = f"{asked}; {described(path)}"
    listed = json_object(given["words"], "words by group are needed") if given["words"] else None
    texts, n = _texts(given, {key for lists in runs.values() for key in lists.documents})
    ran["documents"] = f"{several(n, 'document')}; {described(given['docs'])}"
    return _counted(runs, texts, listed, ran, names=given["names"])


def _texts(given: Mapping[str, Any], ranked: set[str]) -> tuple[dict[str, str], int]:
    """(texts that have a part in the values, number of all documents)."""
    from monitor.rankers import corpus

    every, n, found = given["background"] == "collection", 0, dict[str, str]()
    for entry in corpus.read(given["docs"]):
        n += 1
        if every or entry.key in ranked:
            found[entry.key] = f"{entry.title}\n{entry.text}".strip()
    if not ranked & found.keys():
        raise InvalidInput(
            f"--docs {given['docs']}: holds none of the {len(ranked):,} documents of the runs, "
            f"such as {min(ranked)!r}; ids stay as they are written"
        )
    return found, n


def _counted(
    runs: Mapping[str, Any],
    texts: Mapping[str, str],
    words: Words | None,
    ran: Mapping[str, str],
    *,
    names: bool,
) -> Rankings:
    from monitor.measures import count_terms

    counts = count_terms(texts, words, names=names)
    ranked = {key for lists in runs.values() for key in lists.documents}
    missing = len(ranked - texts.keys())
    told = f"{several(len(ranked), 'document')}, of which {missing:,} have no text here"
    by_group = ((name, len(some)) for name, some in counts.terms.groups)
    said = ", ".join(f"{n:,} for {name}" for name, n in by_group)
    chosen = {name: sorted(some) for name, some in counts.terms.groups}
    return Rankings(runs, counts, chosen, {**ran, "ranked": told, "words": said})


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
    found: dict[str, Values] = {}
    for path in files:
        held = json_object(path, _NEEDED)
        try:
            found |= _of(held, given)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InvalidInput(f"{path}: {_NEEDED}; wrong or missing: {error}") from error
    return found


def _of(held: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Values]:
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
    return {nfairr(given): {int(cut): row for cut, row in background["NFaiRR"].items()}}


def checks(
    ours: Mapping[str, Mapping[int, Any]], published: Mapping[str, Values]
) -> Iterator[Check]:
    """Each cut-off of both: means of the same queries, and the query that is furthest off."""
    for name, by_cut in published.items():
        tolerance = _WITHIN.get(name, _EXACT)
        for cut, theirs in sorted(by_cut.items()):
            if cut not in ours.get(name, {}):
                continue
            values = ours[name][cut].per_query
            shared = [query for query in values if query in theirs]
            both = [
                (values[query], theirs[query])
                for query in shared
                if values[query] is not None and theirs[query] is not None
            ]
            where = f"reference values, {len(both)} queries"
            title = f"{name}@{cut}"
            yield Check(
                f"{title}: queries without a value",
                f"reference values, {len(shared)} queries",
                float(sum(values[query] is None for query in shared)),
                float(sum(theirs[query] is None for query in shared)),
                0.0,
                against=Against.ELSEWHERE,
            )
            if not both:
                continue
            one, other = zip(*both, strict=True)
            mean, expected = sum(one) / len(one), sum(other) / len(other)
            furthest = max(abs(a - b) for a, b in both)
            for what, mine, reference in (
                ("mean", mean, expected),
                ("largest difference of a query", furthest, 0.0),
            ):
                yield Check(
                    f"{title}: {what}", where, mine, reference, tolerance, against=Against.ELSEWHERE
                )
