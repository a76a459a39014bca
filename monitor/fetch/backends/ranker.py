"""Ranks the documents of an index on this machine: questions in, lists of documents out.

A model is spelled `bm25@news` or `w2v_add:glove-hard@news+swapped` (`rankers/choice.py`). Indexes
lie in MONITOR_HOME/indexes and vectors in MONITOR_HOME/lexicons, beside the folder of models.
The answer is {"index": NAME, "lists": [{"organic": {"documents": [...], "reason": ""}}, ...]}, one
entry per question, with "counterfactual" for the documents with the genders swapped.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from monitor import __version__
from monitor.fetch.backends._model_files import LoadedModel
from monitor.lexicons.installed import find_vectors
from monitor.lexicons.ranker_vectors import StoredVectors
from monitor.model import InvalidInput, MissingPart
from monitor.rankers import build, formulas
from monitor.rankers.choice import Choice, read_choice
from monitor.rankers.formulas import Ranker, Unranked
from monitor.rankers.index import Index

#: Characters of a document that are kept as evidence and measured: all of any usual one.
MOST_TEXT = 1_000_000


def check(model: str, models: Path) -> None:
    """Raise MissingPart unless index and vectors are here."""
    _open_choice(read_choice(model), models.parent)


def load(model: str, models: Path) -> LoadedModel:
    """(run, what answers)."""
    choice = read_choice(model)
    index, swapped, vectors = _open_choice(choice, models.parent)

    @cache
    def made(numbers: tuple[tuple[str, str], ...]) -> Ranker:
        return formulas.make_ranker(choice.ranker, dict(numbers), vectors)

    def run(texts: Sequence[str], options: Mapping[str, str]) -> dict[str, Any]:
        ranker, depth = made(tuple(sorted(options.items()))), int(options["depth"])
        over = {"organic": index}
        if swapped is not None:
            over["counterfactual"] = swapped
        lists = [
            {
                block: _rank_question(ranker, index_of_block, text, depth)
                for block, index_of_block in over.items()
            }
            for text in texts
        ]
        return {"index": choice.index, "lists": lists}

    return run, _identify_choice(choice, index, swapped, vectors)


def _open_choice(choice: Choice, home: Path) -> tuple[Index, Index | None, StoredVectors | None]:
    """(index, that of the swapped documents if it is asked, vectors if they are needed)."""
    index = build.find(choice.index, home, __version__)
    swapped = index.counterfactual if choice.counterfactual else None
    if choice.counterfactual and swapped is None:
        raise MissingPart(
            f"{index.folder} has no documents with the genders swapped; build it anew with: "
            f"monitor index SOURCE --name {choice.index} --swapped --force"
        )
    try:
        return index, swapped, find_vectors(choice.vectors, home) if choice.vectors else None
    except InvalidInput as error:  # of a job it is a part that is missing
        raise MissingPart(str(error)) from error


def _identify_choice(
    choice: Choice, index: Index, swapped: Index | None, vectors: StoredVectors | None
) -> tuple[tuple[str, str], ...]:
    """Library, index, ranker and vectors with their digests: all that decides a list."""
    facts = {
        "library": "monitor.rankers",
        "library_version": __version__,
        "model": str(choice),
        "index": choice.index,
        "index_built_by": index.meta.version,
        "sha256:index": index.meta.digest,
        "ranker": choice.ranker,
        "ranker_version": str(formulas.make_ranker(choice.ranker, {}, vectors).version),
    }
    if swapped is not None:
        facts["sha256:counterfactual"] = swapped.meta.digest
    if vectors is not None:
        facts |= {"vectors": choice.vectors, "sha256:vectors": vectors.digest}
    return tuple(sorted(facts.items()))


def _rank_question(ranker: Ranker, index: Index, text: str, depth: int) -> dict[str, Any]:
    """The list of one question, or the reason why there is none."""
    query = index.query(text)
    ranking = ranker.rank(index, query, depth) if query else Unranked("the question has no word")
    if isinstance(ranking, Unranked):
        return {"documents": [], "reason": ranking.reason}
    documents = []
    for number, score in zip(ranking.documents.tolist(), ranking.scores.tolist(), strict=True):
        title, words = index.title_and_text(number)
        documents.append(
            {"id": index.key(number), "score": score, "title": title, "text": words[:MOST_TEXT]}
        )
    return {"documents": documents, "reason": ""}
