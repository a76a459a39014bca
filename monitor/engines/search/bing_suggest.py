"""Bing's completions (OpenSearch suggestions): the beginning of a question in, its texts out."""

from collections.abc import Mapping
from dataclasses import dataclass

from monitor.engines import _suggestions
from monitor.engines._suggestions import SuggestApi
from monitor.model import Json, Needs, Parameter, Region


@dataclass(frozen=True, slots=True)
class BingSuggest(SuggestApi):
    """The engine. Language and country of the region are asked for."""

    name: str = "bing_suggest"
    title: str = "Bing, completions"
    parameters: tuple[Parameter, ...] = (
        _suggestions.OPT_IN,
        Parameter(
            "base_url", "address of the completions", default="https://api.bing.com/osjson.aspx"
        ),
    )
    needs: Needs = _suggestions.make_needs(
        "none published; one question in 10 s",
        "the market is the region's locale",
    )

    def query(self, text: str, region: Region, config: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return the query that browsers send."""
        return {"query": text, "mkt": region.locale}


ENGINE = BingSuggest()
