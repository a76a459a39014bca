"""Base of engines that score a pair of words: templates, config, request, reading the scores.

The answer of a back end is `{"scores": [...]}`, one entry per text in their order:
`{"templates": {"0": [log P(masculine), log P(feminine)], ...}, "skipped": {"1": "why not", ...}}`,
natural logarithms. A template that could not be scored is skipped and never a number.

Templates: Pikuliak, M., Hrckova, A., Oresko, S., Simko, M. (2023), section 4.2. arXiv:2311.18711.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from monitor.engines import _local
from monitor.engines._engine import BaseEngine
from monitor.engines._translations import read_entries
from monitor.model import (
    Answer,
    Item,
    Json,
    Kind,
    LocalRequest,
    Outcome,
    Parameter,
    Probe,
    Reading,
    Reason,
    Score,
    canonical_json,
    primary,
)

#: The name that the two variants of a sentence with `[a|b]` in it are scored under.
PAIR = "pair"

#: No model tells two words apart by more; with it no mean of ratios can overflow.
MOST_LOG_RATIO = 300.0

_ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class PairTemplate:
    """Text before and after a pair of words; the probe stands where the braces are."""

    name: str
    before: str
    masculine: str
    feminine: str
    after: str

    @property
    def words(self) -> str:
        """`he/she`."""
        return f"{self.masculine}/{self.feminine}"


#: Section 4.2 of the paper, in its order.
ENGLISH = (
    PairTemplate("0", "", "He", "She", ' said: "{}"'),
    PairTemplate("1", "The ", "man", "woman", ' said: "{}"'),
    PairTemplate("2", '"{}", ', "he", "she", " said."),
    PairTemplate("3", '"{}", the ', "man", "woman", " said."),
)
WORDS = {template.name: template.words for template in ENGLISH}
#: Every name that a score may stand under, in the order of items.
NAMES = (*WORDS, PAIR)


def language_fault(source_lang: str, target_lang: str) -> str:
    """Refuse a target that is not the language of the list."""
    if source_lang.lower() == target_lang.lower():
        return ""
    return (
        f"a language model is asked in the language of the list: targets must be "
        f"[{source_lang!r}], not {target_lang!r}"
    )


def is_number(value: object) -> bool:
    """Return whether a value of JSON is a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and _is_finite(value)


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond the range of floats
        return False


def malformed_reading(detail: str) -> Reading:
    """One answer that does not have the promised shape."""
    return Reading(Outcome.UNREADABLE, reason=Reason.MALFORMED, detail=detail[:200])


def scored_reading(found: Sequence[tuple[str, Score]], detail: str = "") -> Reading:
    """A reading with one item per template: the pair of words, and what the model makes of it."""
    items = tuple(
        Item(rank, words, block="score", score=score)
        for rank, (words, score) in enumerate(found, start=1)
    )
    return Reading(Outcome.OK, items, detail=detail)


def _read_score(name: str, value: object) -> Score | None:
    """The score of a template; None for anything but a pair of logarithms of probabilities."""
    if not (isinstance(value, list) and len(value) == len("mf") and all(map(is_number, value))):
        return None
    masculine, feminine = map(float, value)
    ratio = masculine - feminine
    if max(masculine, feminine) > _ROUNDING or abs(ratio) > MOST_LOG_RATIO:
        return None
    return Score(name, ratio, masculine, feminine)


def _read_one(entry: object, probe: Probe) -> Reading:
    if not isinstance(entry, dict):
        return malformed_reading(f"{type(entry).__name__} where scores were expected")
    templates, skipped = entry.get("templates"), entry.get("skipped")
    if not (isinstance(templates, dict) and isinstance(skipped, dict)):
        return malformed_reading("no 'templates' or no 'skipped'")
    unknown = sorted(set(templates) - set(NAMES))
    if unknown:
        return malformed_reading(f"unknown template {unknown[0]!r}")
    reasons = "; ".join(f"template {name}: {reason}" for name, reason in sorted(skipped.items()))
    scores = []
    for name in (name for name in NAMES if name in templates):
        score = _read_score(name, templates[name])
        if score is None:
            return malformed_reading("a score that is no pair of logarithms of probabilities")
        scores.append((WORDS.get(name, probe.text), score))
    if not scores:
        return Reading(Outcome.UNREADABLE, reason=Reason.UNSUPPORTED, detail=reasons[:500])
    return scored_reading(scores, reasons[:500])


@dataclass(frozen=True, slots=True)
class LanguageModel(BaseEngine):
    """An engine whose model is a folder on this machine; sentences are scored one at a time."""

    backend: str = ""
    templates: tuple[PairTemplate, ...] = ()
    any_language: bool = False  # whether lists with variants in the text are asked in others
    kind: Kind = Kind.LM
    surface: str = "local"
    extra: str = "lm"
    batch: int = 16
    in_flight: int = 8  # the pool of processes decides
    parameters: tuple[Parameter, ...] = (
        Parameter("model", "a folder in MONITOR_HOME/models/lm, or its path", required=True),
    )
    label_by: str = "model"

    def refusal(self, source_lang: str, target_lang: str, config: Mapping[str, Json]) -> str:
        """Refuse another language than the list's, and one that the templates do not have."""
        fault = language_fault(source_lang, target_lang)
        if not fault and not self.any_language and not _is_english(source_lang):
            fault = f"its templates are English; the list is in {source_lang!r}"
        return fault

    def request(self, probes: Sequence[Probe], config: Mapping[str, Json]) -> LocalRequest:
        """Ask the back end; the templates stand in the request, and so in the evidence."""
        used = self.templates if _is_english(probes[0].source_lang) else ()
        rows = [[t.name, t.before, t.masculine, t.feminine, t.after] for t in used]
        options: dict[str, Json] = {"templates": canonical_json(rows)}
        return _local.make_request(self.backend, probes, str(config["model"]), options)

    def parse(self, answer: Answer, probes: Sequence[Probe]) -> list[Reading]:
        """Read the scores; a probe that no template could be scored for says why."""
        return read_entries(answer, probes, "scores", _read_one)


def _is_english(tag: str) -> bool:
    return primary(tag) == "en"
