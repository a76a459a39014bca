"""Scores of language models that somebody computed before: `monitor import lm-scores`.

The answer is `{"log": "10", "scores": [...], "rows": [...]}`, one entry per text in their order:
`{"0": x, ...}` with x = log(P(masculine) / P(feminine)) to that base by template, as it stands in
the files, or null where nothing was recorded: that is no answer and never data.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from monitor.engines import _lm
from monitor.engines._engine import RecordedEngine, unrecorded_reading
from monitor.engines._translations import read_entries
from monitor.model import (
    Answer,
    Json,
    Kind,
    Needs,
    Parameter,
    Probe,
    Reading,
    RecordedRequest,
    Score,
)

#: Natural logarithm of the bases that scores are recorded to.
LOGS = {"10": math.log(10), "e": 1.0, "2": math.log(2)}

_PARAMETERS = (
    Parameter("folder", "the folder with the files of scores", required=True, place=True),
    Parameter("system", "the model whose scores are meant", required=True),
)
_NOTHING = unrecorded_reading("not in the recording")


def _log_factor(answer: Answer) -> float | None:
    """Return the factor that makes the answer's logarithms natural; None if it names no base."""
    try:
        name = json.loads(answer.body)["log"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return LOGS.get(name) if isinstance(name, str) else None


def _read_one(entry: object, factor: float | None) -> Reading:
    if entry is None:
        return _NOTHING
    if factor is None:
        return _lm.malformed_reading("'log' is not one of " + ", ".join(LOGS))
    if not isinstance(entry, dict) or not entry or not set(entry) <= set(_lm.WORDS):
        return _lm.malformed_reading("no score by template " + ", ".join(_lm.WORDS))
    scores = []
    for name in sorted(entry):
        if not _lm.is_number(entry[name]) or abs(entry[name] * factor) > _lm.MOST_LOG_RATIO:
            return _lm.malformed_reading(
                f"template {name}: {entry[name]!r} is no logarithm of a ratio"
            )
        scores.append((_lm.WORDS[name], Score(name, float(entry[name]) * factor)))
    return _lm.scored_reading(scores)


@dataclass(frozen=True, slots=True)
class RecordedScores(RecordedEngine):
    """The engine. Its runs are due when the scores were computed."""

    name: str = "recorded_scores"
    title: str = "Recorded scores of a language model (text files)"
    kind: Kind = Kind.LM
    batch: int = 256  # a look-up: no text can change another's answer
    parameters: tuple[Parameter, ...] = _PARAMETERS
    needs: Needs = Needs(
        independence="as when they were computed",
        limits="none; asks nobody",
        notes="made by `monitor import lm-scores`, not by a job file",
    )

    def refusal(self, source_lang: str, target_lang: str, config: Mapping[str, Json]) -> str:
        """Refuse another language than that of the list."""
        return _lm.language_fault(source_lang, target_lang)

    def request(self, probes: Sequence[Probe], config: Mapping[str, Json]) -> RecordedRequest:
        """One request for probes of one language."""
        texts = tuple(probe.text for probe in probes)
        target = probes[0].target_lang
        return RecordedRequest(str(config["folder"]), str(config["system"]), target, texts)

    def parse(self, answer: Answer, probes: Sequence[Probe]) -> list[Reading]:
        """Read the scores; what was not recorded is said so, one by one."""
        factor = _log_factor(answer)
        return read_entries(answer, probes, "scores", lambda entry, _: _read_one(entry, factor))


ENGINE = RecordedScores()
