"""Runs and texts in the forms that library users have, read as `RankedInput`."""

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np

from monitor import trec
from monitor.model import InvalidInput
from monitor.ranked.inputs import RankedInput
from monitor.ranked.lists import Lists, lists_of
from monitor.ranked.texts import DocumentTexts, TermCounts
from monitor.ranked.words import DocumentWords

#: A run: lists by query, a table with columns query_id, doc_id and rank or score, a TREC file, or
#: what `ranked_lists` made of one of them before.
Run = Mapping[str, Sequence[str]] | Lists | str | Path | Any
#: Texts by document: a mapping, a table with columns doc_id and text, or words or counts made
#: before.
TextsGiven = Mapping[str, str | None] | DocumentWords | TermCounts | Any


def ranked_lists(run: Run, cutoff: int | None = None) -> Lists:
    """A run in any form as lists, in the order of its queries. Raises InvalidInput.

    With a cut-off no more than so many ranks are kept; lists that were made before stay whole.
    """
    if isinstance(run, Lists):
        return run
    if isinstance(run, str | Path):
        return _of_trec(Path(run), cutoff)
    if isinstance(run, Mapping):
        ranked = [
            (read_key(query), read_documents(query, group, cutoff)) for query, group in run.items()
        ]
        if len({query for query, _ in ranked}) < len(ranked):
            raise InvalidInput("run: two queries have one id, as a number and as a text")
        return lists_of(ranked, cutoff=cutoff)
    if hasattr(run, "columns"):
        return _of_table(run, cutoff)
    raise InvalidInput(
        f"run: {type(run).__name__} is none; give {{query: [document, ...]}}, a table with the "
        "columns query_id, doc_id and rank, or the path of a TREC run"
    )


def read_documents(query: object, given: object, cutoff: int | None) -> Sequence[str]:
    """Return the first documents of a list, as far as the cut-off."""
    if type(given) is not list and (isinstance(given, str) or not isinstance(given, Sequence)):
        raise InvalidInput(
            f"run: query {query!r} has {given!r:.60}; give its documents as a list, best first"
        )
    documents = given[:cutoff]
    return (
        documents
        if set(map(type, documents)) <= {str}
        else [read_key(document) for document in documents]
    )


def read_key(given: object) -> str:
    """An id of a query or document: a text, or a whole number. Raises InvalidInput for others."""
    if isinstance(given, str):
        return given
    if isinstance(given, int | np.integer) and not isinstance(given, bool):
        return str(given)
    raise InvalidInput(f"id {given!r:.60}: must be a text or a whole number")


def read_number(given: object, what: str) -> float:
    """A rank or score. Raises InvalidInput for what is no finite number."""
    try:
        number = float(given)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise InvalidInput(f"table: {what} {given!r:.60} is no finite number")
    return number


def _of_trec(path: Path, cutoff: int | None) -> Lists:
    scores: dict[str, list[float]] = {}
    ranked: list[tuple[str, list[str]]] = []
    for ranking in trec.read_run(path):
        scores[ranking.query] = [entry.score for entry in ranking.entries]
        ranked.append((ranking.query, [entry.document for entry in ranking.entries]))
    return lists_of(ranked, scores, cutoff)


def find_column(table: Any, *names: str) -> list[Any]:  # noqa: ANN401 - of pandas or polars
    for name in names:
        if name in table.columns:
            return list(table[name])
    raise InvalidInput(
        f"table: has no column {names[0]!r}; its columns are {', '.join(map(str, table.columns))}"
    )


def _of_table(table: Any, cutoff: int | None) -> Lists:  # noqa: ANN401
    """Read rows in any order: sorted by rank, else by score, best first; never by row number."""
    queries = [read_key(cell) for cell in find_column(table, "query_id", "qid", "query")]
    documents = [read_key(cell) for cell in find_column(table, "doc_id", "docno", "docid")]
    by_rank = "rank" in table.columns
    order = "rank" if by_rank else "score"
    sign = 1.0 if by_rank else -1.0
    key = [sign * read_number(cell, order) for cell in find_column(table, order)]
    scored = "score" in table.columns
    scores = (
        [read_score(cell) for cell in find_column(table, "score")]
        if scored
        else [math.nan] * len(key)
    )
    rows: dict[str, list[tuple[float, str, float]]] = {}
    for query, document, position, score in zip(queries, documents, key, scores, strict=True):
        rows.setdefault(query, []).append((position, document, score))
    for query, group in rows.items():
        if by_rank and len({position for position, _, _ in group}) < len(group):
            raise InvalidInput(f"table: query {query!r} has two documents at one rank")
        group.sort(key=lambda row: row[:2])
    ranked = [(query, [document for _, document, _ in group]) for query, group in rows.items()]
    of_query = {query: [score for _, _, score in group] for query, group in rows.items()}
    return lists_of(ranked, of_query if scored else None, cutoff)


def read_score(given: object) -> float:
    """The ranker's score beside a rank; NaN for none."""
    try:
        return float(given)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return math.nan


def texts_of(given: TextsGiven) -> DocumentTexts:
    """Texts in any form. Raises InvalidInput."""
    if isinstance(given, DocumentWords | TermCounts):
        return DocumentTexts(given)
    if isinstance(given, Mapping):
        is_plain = set(map(type, given.values())) <= {str, type(None)}
        for key, text in () if is_plain else given.items():
            if not isinstance(text, str | None):
                raise InvalidInput(
                    f"texts: document {key!r} has {text!r:.60}; give its text, or None where it is "
                    "missing"
                )
        if set(map(type, given)) <= {str}:
            return DocumentTexts(cast("Mapping[str, str | None]", given))
        return DocumentTexts(_by_key((key, text) for key, text in given.items()))
    if hasattr(given, "columns"):
        keys, texts = find_column(given, "doc_id", "docno", "docid"), find_column(given, "text")
        plain = [text if isinstance(text, str) else None for text in texts]  # NaN is a missing text
        return DocumentTexts(_by_key(zip(keys, plain, strict=True)))
    raise InvalidInput(f"texts: {type(given).__name__} is none; give {{document: text}}")


def _by_key(pairs: Iterable[tuple[object, str | None]]) -> dict[str, str | None]:
    """Return texts by id. Raises InvalidInput for two texts of one document."""
    texts: dict[str, str | None] = {}
    for document, content in pairs:
        key = read_key(document)
        if key in texts and texts[key] != content:
            raise InvalidInput(f"texts: document {key!r} has two texts; keep one")
        texts[key] = content
    return texts


def read_judgements(given: object) -> Mapping[str, Mapping[str, int]] | None:
    """Grades by query and document, or the path of a TREC file. Raises InvalidInput."""
    if given is None:
        return None
    if isinstance(given, str | Path):
        return trec.read_qrels(Path(given))
    if not isinstance(given, Mapping) or not all(isinstance(s, Mapping) for s in given.values()):
        raise InvalidInput("qrels: give {query: {document: grade}}, or the path of a TREC file")
    return {
        read_key(query): {read_key(document): grade for document, grade in group.items()}
        for query, group in given.items()
    }


def read_input(
    run: Run,
    texts: TextsGiven | None,
    *,
    queries: Mapping[str, str] | None = None,
    qrels: Mapping[str, Mapping[str, int]] | str | Path | None = None,
    swapped: Run | None = None,
    beside: Mapping[str, Run] | None = None,
    cutoff: int | None = None,
) -> RankedInput:
    """Return all that was passed in, as a measure reads it. Raises InvalidInput.

    `cutoff` says how many ranks of the run itself are looked at; None for all.
    """
    lists = ranked_lists(run, cutoff)
    judgements = read_judgements(qrels)
    return RankedInput(
        planned=tuple(dict.fromkeys(lists.queries)),
        lists=lists,
        texts=texts_of({} if texts is None else texts),
        queries={read_key(query): words for query, words in (queries or {}).items()},
        judgements=judgements,
        swapped=None if swapped is None else ranked_lists(swapped),
        beside={label: ranked_lists(run_beside) for label, run_beside in (beside or {}).items()},
    )
