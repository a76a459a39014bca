"""Rankers over a collection of one's own: a question in, the best documents of an index out.

`monitor index` builds the index; `fetch/backends/ranker.py` ranks. With `counterfactual` the same
ranker also ranks the documents with the genders swapped, which is what CRBO compares. An item's
address is `index:NAME/ID`, which leads nowhere on the web; a document's id stands there and not as
an entity, because an id such as Q42 would be looked up as a person.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from monitor import parameters
from monitor.engines import _local, _search
from monitor.engines._engine import BaseEngine
from monitor.model import (
    Answer,
    Block,
    Item,
    Json,
    Kind,
    LocalRequest,
    Needs,
    Outcome,
    Parameter,
    Probe,
    Reading,
    Reason,
    make_storable,
)
from monitor.rankers.choice import NAMES, NUMBERS, Choice

_PARAMETERS = (
    Parameter("index", "name of an index in MONITOR_HOME/indexes", required=True),
    Parameter("ranker", "the formula that orders documents", default="bm25", choices=NAMES),
    Parameter("vectors", "word vectors in MONITOR_HOME/lexicons, for the rankers w2v_*"),
    Parameter("depth", "documents to list", int, default=20, low=1, high=1000),
    Parameter(
        "counterfactual", "also rank the documents with the genders swapped", bool, default=False
    ),
    Parameter("k1", "bm25: how soon more of a word counts no more", float, 1.2, low=0, high=100),
    Parameter("b", "bm25: how much long documents are held back", float, 0.75, low=0, high=1),
    Parameter("mu", "query_likelihood: weight of the collection", float, 2500.0, low=1, high=1e9),
)
_BLOCKS = (Block.ORGANIC, Block.COUNTERFACTUAL)


@dataclass(frozen=True, slots=True)
class Local(BaseEngine):
    """The engine. A question without a word that says something has no list, and says why."""

    name: str = "local"
    title: str = "Rankers over a collection of one's own"
    kind: Kind = Kind.SEARCH
    surface: str = "local"
    pace: float = 100.0
    in_flight: int = 64  # the pool of processes decides
    parameters: tuple[Parameter, ...] = _PARAMETERS
    label_by: str = "ranker"
    needs: Needs = Needs(
        independence="a question is scored by the index alone",
        limits="none; runs in this machine",
        notes="build the index with: monitor index SOURCE --name NAME; every region gets the same "
        "list, its name is a label only; documents of the same score stand in the order of their "
        "ids; collection statistics of the counterfactual list are those of the swapped documents",
    )

    def check(self, source_lang: str, region_name: str, config: Mapping[str, Json]) -> str:
        """Refuse what the config cannot be, and numbers that its ranker does not take."""
        fault = BaseEngine.check(self, source_lang, region_name, config)
        if fault:
            return fault
        settled = parameters.fill_defaults(self.parameters, config)
        if fault := _read_choice(settled).fault:
            return f"config: {fault}"
        takes = NUMBERS.get(str(settled["ranker"]), ())
        for name in dict.fromkeys(name for names in NUMBERS.values() for name in names):
            if name in config and name not in takes:
                return f"config: {name} is not for ranker = {settled['ranker']!r}"
        return ""

    def request(self, probes: Sequence[Probe], config: Mapping[str, Json]) -> LocalRequest:
        """Ask the back end; the numbers that the ranker takes are its options."""
        takes = ("depth", *NUMBERS.get(str(config["ranker"]), ()))
        options = {name: config[name] for name in takes}
        return _local.make_request("ranker", probes, str(_read_choice(config)), options)

    def parse(self, answer: Answer, probes: Sequence[Probe]) -> list[Reading]:
        """Read one list, or two, for each question."""
        try:
            content = json.loads(answer.body)
            name, lists = content["index"], content["lists"]
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            return [_search.unreadable_reading(repr(error))] * len(probes)
        if not isinstance(name, str) or not isinstance(lists, list) or len(lists) != len(probes):
            short = _search.unreadable_reading("not one list for each question", Reason.SHORT)
            return [short] * len(probes)
        return [_read_entry(name, entry) for entry in lists]


def _read_choice(config: Mapping[str, Json]) -> Choice:
    """Return the ranking that a completed config asks for."""
    return Choice(
        ranker=str(config["ranker"]),
        index=str(config["index"]),
        vectors=str(config.get("vectors") or ""),
        counterfactual=bool(config["counterfactual"]),
    )


def _read_entry(name: str, entry: Json) -> Reading:
    """Return the items of one question's lists; EMPTY where neither has a document."""
    if not isinstance(entry, dict) or Block.ORGANIC not in entry:
        return _search.unreadable_reading("no list of documents in it")
    items: list[Item] = []
    reasons = []
    for block in _BLOCKS:
        if block not in entry:
            continue
        ranking = entry[block]
        rows = ranking.get("documents") if isinstance(ranking, dict) else None
        reason = ranking.get("reason") if isinstance(ranking, dict) else None
        if not isinstance(rows, list) or not isinstance(reason, str) or bool(rows) == bool(reason):
            return _search.unreadable_reading(f"{block}: neither documents nor a reason, or both")
        block_items = list(_read_items(name, block, rows))
        if lost := len(rows) - len(block_items):
            return _search.unreadable_reading(f"{block}: {lost} of {len(rows)} are no documents")
        if len({item.url for item in block_items}) < len(block_items):
            return _search.unreadable_reading(f"{block}: a document stands twice")
        items += block_items
        if reason:
            reasons.append(f"{block}: {make_storable(reason)}")
    outcome = Outcome.OK if items else Outcome.EMPTY
    return Reading(outcome, tuple(items), detail="; ".join(reasons)[: _search.MOST_DETAIL])


def _read_items(name: str, block: Block, rows: Sequence[Json]) -> Iterator[Item]:
    """An item for each row that is a document with an id, a finite score and words."""
    for rank, row in enumerate(rows, start=1):
        if not isinstance(row, dict):
            continue
        key, score = row.get("id"), row.get("score")
        title, text = row.get("title"), row.get("text")
        if not (isinstance(key, str) and key and isinstance(title, str) and isinstance(text, str)):
            continue
        finite = isinstance(score, float) and math.isfinite(score)
        if finite and (title.strip() or text.strip()):
            url = make_storable(f"index:{name}/{key}")
            yield Item(rank, make_storable(text), block, url, make_storable(title))


ENGINE = Local()
