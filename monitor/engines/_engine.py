"""Base of all engines: defaults of their attributes, and the check of a config."""

from collections.abc import Mapping
from dataclasses import dataclass

from monitor import parameters as declared
from monitor.engines import _http
from monitor.model import (
    Answer,
    HttpRequest,
    Json,
    Kind,
    Needs,
    Outcome,
    Parameter,
    Reading,
    Reason,
    Trouble,
    primary,
)


@dataclass(frozen=True, slots=True)
class BaseEngine:
    """The defaults of an engine: one text a request, free, answers that name no model.

    A subclass gives name, title and kind, `request` and `parse`, and overrides what is particular.
    The attributes are described in `model.Engine`.
    """

    name: str
    title: str
    kind: Kind
    version: int = 1
    surface: str = "api"
    extra: str = ""
    batch: int = 1
    pace: float = 1.0
    in_flight: int = 1
    repeats: int = 1
    price: float = 0.0
    parameters: tuple[Parameter, ...] = ()
    label_by: str = ""
    needs: Needs = Needs()

    def check(self, source_lang: str, target_lang: str, config: Mapping[str, Json]) -> str:
        """Refuse a config or an address that cannot be used, then what `refusal` refuses."""
        fault = declared.find_fault(self.parameters, config)
        if fault:
            return fault
        settled = declared.fill_defaults(self.parameters, config)
        url = settled.get("base_url")
        if isinstance(url, str):
            fault = _http.url_fault(url, secret=self.sends_key(settled))
        if not fault and self.kind is Kind.MT and primary(source_lang) == primary(target_lang):
            fault = f"cannot translate {source_lang!r} into {target_lang!r}"
        return fault or self.refusal(source_lang, target_lang, settled)

    def sends_key(self, config: Mapping[str, Json]) -> bool:
        """Return whether a request carries a key, which must not go over plain HTTP."""
        has_key = any(
            parameter.variable and parameter.name in config for parameter in self.parameters
        )
        return has_key or bool(self.needs.secrets)

    def refusal(self, source_lang: str, target_lang: str, config: Mapping[str, Json]) -> str:
        """Return why this engine refuses a config with its defaults, or an empty string."""
        return ""

    def trouble(self, answer: Answer, config: Mapping[str, Json]) -> Trouble | None:
        """Return None: without a service, the fetcher says all that went wrong."""
        return None

    def languages_request(self, config: Mapping[str, Json]) -> HttpRequest | None:
        """Return the request for the languages that a service offers; None where it lists none."""
        return None

    def offered_targets(self, answer: Answer, source_lang: str) -> set[str]:
        """Return the language tags that the answer to `languages_request` offers as targets.

        Raises ValueError for an answer of another shape.
        """
        raise NotImplementedError

    def identity(self, answer: Answer) -> tuple[tuple[str, str], ...]:
        """Return nothing: most answers do not say which model gave them."""
        return ()


@dataclass(frozen=True, slots=True)
class RecordedEngine(BaseEngine):
    """An engine of answers that somebody collected before; it asks nobody."""

    surface: str = "recorded"
    pace: float = 20.0
    label_by: str = "system"


def unrecorded_reading(detail: str) -> Reading:
    """A reading of a question that nothing was recorded for: no answer, and never data."""
    return Reading(Outcome.FAILED, reason=Reason.UNRECORDED, detail=detail)
