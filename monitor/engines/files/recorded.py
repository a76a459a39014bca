"""Translations that somebody collected before: past systems become series like any other.

A job names the file and the system, `config = { file = "translations.csv", system = "deepl" }`;
`fetch/recorded.py` looks the answers up. The answer is JSON, `{"translations": [...]}`, one per
text in their order, with null where nothing was recorded: that is no answer and never data.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from monitor.engines._engine import RecordedEngine, unrecorded_reading
from monitor.engines._translations import read_entries, read_one
from monitor.model import (
    Answer,
    Json,
    Kind,
    Needs,
    Parameter,
    Probe,
    Reading,
    RecordedRequest,
)

_PARAMETERS = (
    Parameter("file", "a .csv or .parquet file beside the job file", required=True, place=True),
    Parameter("system", "whose translations of that file are meant", required=True),
)
_NOTHING = unrecorded_reading("not in the recording")


@dataclass(frozen=True, slots=True)
class RecordedTranslations(RecordedEngine):
    """The engine. Its runs are due at the recorded dates, so a series shows when it was asked."""

    name: str = "recorded"
    title: str = "Recorded translations (CSV or Parquet)"
    kind: Kind = Kind.MT
    batch: int = 256  # a look-up: no text can change another's answer
    parameters: tuple[Parameter, ...] = _PARAMETERS
    needs: Needs = Needs(
        independence="as when they were collected",
        limits="none; asks nobody",
        notes="ticks are the dates in the file",
    )

    def request(self, probes: Sequence[Probe], config: Mapping[str, Json]) -> RecordedRequest:
        """One request for probes of the same target."""
        texts = tuple(probe.text for probe in probes)
        target = probes[0].target_lang
        return RecordedRequest(str(config["file"]), str(config["system"]), target, texts)

    def parse(self, answer: Answer, probes: Sequence[Probe]) -> list[Reading]:
        """Read the translations; what was not recorded is said so, one by one."""
        return read_entries(answer, probes, "translations", _read_entry)


def _read_entry(entry: object, probe: Probe) -> Reading:
    return _NOTHING if entry is None else read_one(entry, probe)


ENGINE = RecordedTranslations()
