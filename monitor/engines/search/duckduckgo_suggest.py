"""DuckDuckGo's completions as browsers ask for them: the beginning of a question in, texts out."""

from collections.abc import Mapping
from dataclasses import dataclass

from monitor.engines import _search, _suggestions
from monitor.engines._suggestions import SuggestApi
from monitor.model import Json, Needs, Parameter, Region


@dataclass(frozen=True, slots=True)
class DuckDuckGoSuggest(SuggestApi):
    """The engine. Language and country of the region are asked for."""

    name: str = "duckduckgo_suggest"
    title: str = "DuckDuckGo, completions"
    parameters: tuple[Parameter, ...] = (
        _suggestions.OPT_IN,
        Parameter("base_url", "address of the completions", default="https://duckduckgo.com/ac/"),
    )
    needs: Needs = _suggestions.make_needs(
        "none published; one question in 10 s",
        "its completions are largely Bing's",
    )

    def query(self, text: str, region: Region, config: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return the query that browsers send."""
        return {"q": text, "type": "list", "kl": _search.duckduckgo_region(region)}


ENGINE = DuckDuckGoSuggest()
