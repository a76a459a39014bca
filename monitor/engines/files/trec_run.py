"""Rankings that somebody computed elsewhere, as a TREC run: `monitor import trec-run`.

The answer to a topic is its lines of the run as they stand in the file. Two topics may have the
same words, so a question says which it is: its parameter `topic` is the query id. Documents are
shown by their ids; their texts belong to the collection. A topic that the run lacks has no answer,
and never an empty list: a run cannot say that a query found nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from monitor import trec
from monitor.engines import _search
from monitor.engines._engine import RecordedEngine, unrecorded_reading
from monitor.model import (
    Answer,
    Block,
    InvalidInput,
    Item,
    Json,
    Kind,
    Needs,
    Outcome,
    Parameter,
    Probe,
    Reading,
    RecordedRequest,
    make_storable,
)

#: The parameter of a probe that holds the query id.
TOPIC = "topic"

_PARAMETERS = (
    Parameter("file", "the TREC run, plain or packed with gzip", required=True, place=True),
    Parameter("system", "whose run it is: its tag", required=True),
    Parameter("collection", "what the documents of the run were kept as", required=True),
)


@dataclass(frozen=True, slots=True)
class TopicRequest(RecordedRequest):
    """One topic of a run, for `fetch/trec_run.py` to look up."""

    topic: str = ""


@dataclass(frozen=True, slots=True)
class TrecRun(RecordedEngine):
    """The engine. Its runs are due when the rankings were computed."""

    name: str = "trec_run"
    title: str = "Rankings computed elsewhere (TREC run)"
    kind: Kind = Kind.SEARCH
    parameters: tuple[Parameter, ...] = _PARAMETERS
    needs: Needs = Needs(
        independence="as when they were computed",
        limits="none; asks nobody",
        notes="made by `monitor import trec-run`, not by a job file; documents stand in the order "
        "of their scores, those of the same score in that of the rank column",
    )

    def request(self, probes: Sequence[Probe], config: Mapping[str, Json]) -> TopicRequest:
        """The ranking of one topic."""
        [probe] = probes
        return TopicRequest(
            str(config["file"]), str(config["system"]), "", (probe.text,), topic_of(probe)
        )

    def parse(self, answer: Answer, probes: Sequence[Probe]) -> list[Reading]:
        """Read the lines of the topic; without lines nothing was recorded."""
        if not answer.body:
            detail = answer.detail or "not in the run"
            return _search.single_reading(probes, unrecorded_reading(detail))
        return _search.single_reading(probes, _read_lines(answer.body, topic_of(probes[0])))


def topic_of(probe: Probe) -> str:
    """The query id of a question; empty where it names none."""
    return dict(probe.parameters).get(TOPIC, "")


def _read_lines(lines: bytes, topic: str) -> Reading:
    try:
        ranking = trec.of_lines(lines, "lines")
    except InvalidInput as error:
        return _search.unreadable_reading(str(error))
    if ranking.query != topic:
        return _search.unreadable_reading(
            f"lines of query {ranking.query[:60]!r}, asked was {topic!r}"
        )
    items = tuple(
        Item(rank, "", Block.ORGANIC, entity=make_storable(entry.document))
        for rank, entry in enumerate(ranking.entries, start=1)
    )
    return Reading(Outcome.OK, items, detail=", ".join(ranking.notes))


ENGINE = TrecRun()
