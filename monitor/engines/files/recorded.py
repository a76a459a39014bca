"""Translations that somebody collected before: past systems become series like any other.

A job names the file and the system, `config = { file = "translations.csv", system = "deepl" }`;
`fetch/replay.py` looks the answers up. The answer is JSON, `{"translations": [...]}`, one per text
in their order, with null where nothing was recorded: that is no answer and never data.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from monitor.engines._engine import BaseEngine
from monitor.engines._translations import read_one, unreadable_readings
from monitor.model import (
    Answer,
    Json,
    Kind,
    Needs,
    Outcome,
    Parameter,
    Probe,
    Reading,
    Reason,
    RecordedRequest,
)

_PARAMETERS = (
    Parameter("file", "a .csv or .parquet file beside the job file", required=True, place=True),
    Parameter("system", "whose translations of that file are meant", required=True),
)
_NOTHING = Reading(Outcome.FAILED, reason=Reason.UNRECORDED, detail="not in the recording")


@dataclass(frozen=True, slots=True)
class RecordedTranslations(BaseEngine):
    """The engine. Its runs are due at the recorded dates, so a series shows when it was asked."""

    name: str = "recorded"
    title: str = "Recorded translations (CSV or Parquet)"
    kind: Kind = Kind.MT
    surface: str = "recorded"
    batch: int = 256  # a look-up: no text can change another's answer
    pace: float = 20.0
    parameters: tuple[Parameter, ...] = _PARAMETERS
    label_by: str = "system"
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
        try:
            translations = json.loads(answer.body)["translations"]
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            return unreadable_readings(probes, Reason.MALFORMED, repr(error))
        if not isinstance(translations, list) or len(translations) != len(probes):
            detail = f"{len(probes)} questions, but not as many answers"
            return unreadable_readings(probes, Reason.SHORT, detail)
        return [
            _NOTHING if text is None else read_one(text, probe)
            for text, probe in zip(translations, probes, strict=True)
        ]


ENGINE = RecordedTranslations()
