"""Request and answer of the translators that run in this machine.

The answer of a local back end is JSON, `{"translations": [...]}`, one per text in their order.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from monitor.engines._engine import BaseEngine
from monitor.engines._translations import read_all, unreadable_readings
from monitor.model import Answer, Json, Kind, LocalRequest, Probe, Reading, Reason, primary


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


def parse(answer: Answer, probes: Sequence[Probe]) -> list[Reading]:
    """One reading per probe; anything but a list of that length is unreadable as a whole."""
    try:
        translations = json.loads(answer.body)["translations"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        return unreadable_readings(probes, Reason.MALFORMED, repr(error))
    return read_all(translations, probes)


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
        return parse(answer, probes)
