"""Google's completions as Firefox asks for them: the beginning of a question in, ten texts out."""

from collections.abc import Mapping
from dataclasses import dataclass

from monitor.engines import _suggestions
from monitor.engines._suggestions import SuggestApi
from monitor.model import Json, Needs, Parameter, Region


@dataclass(frozen=True, slots=True)
class GoogleSuggest(SuggestApi):
    """The engine. Language and country of the region are asked for."""

    name: str = "google_suggest"
    title: str = "Google, completions"
    parameters: tuple[Parameter, ...] = (
        _suggestions.OPT_IN,
        Parameter(
            "base_url",
            "address of the completions",
            default="https://suggestqueries.google.com/complete/search",
        ),
    )
    needs: Needs = _suggestions.make_needs(
        "none published; one question in 10 s",
        "Google's terms forbid automated queries without permission",
    )

    def query(self, text: str, region: Region, config: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return the query that browsers send."""
        return {
            "client": "firefox",
            "q": text,
            "hl": region.language,
            "gl": region.country.lower(),
            "ie": "utf-8",
            "oe": "utf-8",
        }


ENGINE = GoogleSuggest()
