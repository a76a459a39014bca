"""Base of translators that run in this machine.

The answer of a local back end is JSON, `{"translations": [...]}`, one per text in their order. That
of NLLB, M2M100 and OPUS-MT (Marian), whichever library runs them, has also `"stopped": [...]`: a
translation is null where the text was too long to ask, and `stopped` says why the model stopped:
"eos" (it was done), "length" (it was cut off) or "input" (the text was too long).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from monitor import parameters
from monitor.data import read_toml
from monitor.engines import _http
from monitor.engines._engine import BaseEngine
from monitor.engines._translations import read_entries, read_one, unreadable_readings
from monitor.model import (
    Answer,
    Json,
    Kind,
    LocalRequest,
    Needs,
    Outcome,
    Parameter,
    Probe,
    Reading,
    Reason,
    primary,
)


def model_name(source_lang: str, target_lang: str) -> str:
    """`en-pt` for any region of the two languages: Firefox ships one model for each pair."""
    return f"{primary(source_lang)}-{primary(target_lang)}"


def make_request(
    backend: str,
    probes: Sequence[Probe],
    model: str = "",
    options: Mapping[str, Json] | None = None,
) -> LocalRequest:
    """Return one request for probes of one pair of languages, which is the default model."""
    model_or_pair = model or model_name(probes[0].source_lang, probes[0].target_lang)
    texts = tuple(probe.text for probe in probes)
    option_texts = tuple(sorted((name, str(value)) for name, value in (options or {}).items()))
    return LocalRequest(backend, model_or_pair, texts, option_texts)


@dataclass(frozen=True, slots=True)
class LocalTranslator(BaseEngine):
    """A translator that a library runs in this machine, by the name of its back end."""

    kind: Kind = Kind.MT
    surface: str = "local"
    backend: str = ""

    def request(self, probes: Sequence[Probe], config: Mapping[str, Json]) -> LocalRequest:
        """Ask the back end."""
        return make_request(self.backend, probes)

    def parse(self, answer: Answer, probes: Sequence[Probe]) -> list[Reading]:
        """Read the translations."""
        return read_entries(answer, probes, "translations", read_one)


# --- models in a folder --------------------------------------------------------------------------

#: FLORES-200 codes, which NLLB calls its languages by (NLLB Team et al. 2022, table 1).
FLORES: Mapping[str, str] = read_toml("language_codes")["flores"]

_PARAMETERS = (
    Parameter("family", "whose codes it takes", choices=("nllb", "m2m", "marian"), required=True),
    Parameter("source_code", "the model's code of the source, where it has no usual one"),
    Parameter("target_code", "the model's code of the target; for marian the pt in >>pt<<"),
    Parameter("beam_size", "hypotheses kept; 1 is greedy", int, 5, low=1, high=64),
    Parameter("max_input", "tokens; a longer text is not asked", int, 512, low=8, high=4096),
    Parameter("max_output", "tokens; a longer answer is no data", int, 256, low=8, high=4096),
)
_SCRIPT = re.compile(r"[A-Za-z]{4}")
_NOT_DONE = {
    "length": "the model was cut off at max_output, or at its own limit",
    "input": "the text is longer than max_input, or than the model's own limit",
}


def model_parameters(engine: str) -> tuple[Parameter, ...]:
    """Return the keys of the config of an engine by its name."""
    folder = f"a folder in MONITOR_HOME/models/{engine}, or its path"
    return (Parameter("model", folder, required=True), *_PARAMETERS)


def _flores_code(tag: str) -> str:
    """The FLORES-200 code for a tag; none if the tag asks for another script (sr-Latn)."""
    scripts = [part.title() for part in tag.split("-")[1:] if _SCRIPT.fullmatch(part)]
    code = FLORES.get(primary(tag), "")
    return code if all(code.endswith(f"_{script}") for script in scripts) else ""


def language_code(family: str, tag: str, chosen: Json = None) -> str:
    """Return what a model of this family calls a language; empty if it has no name for it."""
    if chosen or family == "marian":
        return str(chosen or "")
    if family == "nllb":
        return _flores_code(tag)
    return primary(tag) if primary(tag) in FLORES else ""


def _check_end(reading: Reading, end: object) -> Reading:
    """A translation that was cut off is no data, whatever it looks like."""
    if end == "eos":
        return reading
    if isinstance(end, str) and end in _NOT_DONE:
        detail = _NOT_DONE[end]
        return replace(reading, outcome=Outcome.UNREADABLE, reason=Reason.TRUNCATED, detail=detail)
    return Reading(Outcome.UNREADABLE, reason=Reason.MALFORMED, detail=f"stopped: {end!r}"[:200])


@dataclass(frozen=True, slots=True)
class Seq2Seq(LocalTranslator):
    """An engine whose model is a folder on this machine, and translates one text at a time."""

    extra: str = "lm"
    in_flight: int = 4  # the pool of processes decides
    label_by: str = "model"
    needs: Needs = Needs(
        independence="ours: one text at a time, never a padded batch",
        limits="memory: every process holds the model; see MONITOR_PROCESSES",
        notes="models are fetched and converted by hand: docs/models.md; regions are ignored, "
        "and a longer text than the model takes is not cut but reported",
    )

    def refusal(self, source_lang: str, target_lang: str, config: Mapping[str, Json]) -> str:
        """Refuse languages without a code."""
        family = str(config["family"])
        if family == "marian":
            is_taken = config.get("source_code") is None
            return "" if is_taken else "config: a marian model takes no 'source_code'"
        for key, tag in (("source_code", source_lang), ("target_code", target_lang)):
            if not language_code(family, tag, config.get(key)):
                return f"{tag!r} has no code known for {family}; say it in config as {key!r}"
        return ""

    def request(self, probes: Sequence[Probe], config: Mapping[str, Json]) -> LocalRequest:
        """Ask the back end, with all that decides the answer besides the model."""
        full = parameters.fill_defaults(self.parameters, config)
        family, pair = str(full["family"]), probes[0]
        options = {
            "family": family,
            "source_code": language_code(family, pair.source_lang, full.get("source_code")),
            "target_code": language_code(family, pair.target_lang, full.get("target_code")),
            "beam_size": full["beam_size"],
            "max_input": full["max_input"],
            "max_output": full["max_output"],
        }
        return make_request(self.backend, probes, str(full["model"]), options)

    def parse(self, answer: Answer, probes: Sequence[Probe]) -> list[Reading]:
        """Read the translations; one that was cut off, or never begun, is unreadable."""
        readings = LocalTranslator.parse(self, answer, probes)
        ends = _http.value_at(_http.read_json(answer), "stopped")
        if ends is None:
            return readings
        if not isinstance(ends, list) or len(ends) != len(probes):
            return unreadable_readings(
                probes, Reason.MALFORMED, "'stopped' is no list of that length"
            )
        return [_check_end(reading, end) for reading, end in zip(readings, ends, strict=True)]
