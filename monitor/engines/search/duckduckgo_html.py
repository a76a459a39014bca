"""DuckDuckGo's pages without scripts, over HTTP: a question in, its results out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import urlencode

from monitor.engines import _http, _search
from monitor.engines._pages import ReadsPages
from monitor.model import (
    HttpRequest,
    Json,
    Needs,
    Page,
    Parameter,
    Probe,
    Region,
)
from monitor.pages import duckduckgo

_PARAMETERS = (
    Parameter("base_url", "address of the pages", default="https://html.duckduckgo.com"),
    Parameter("df", "only results of the last day, week, month or year", choices=tuple("dwmy")),
)
_MOST = 499


@dataclass(frozen=True, slots=True)
class DuckDuckGoHtml(ReadsPages):
    """The engine. The first page only: further ones need a token of the page before."""

    name: str = "duckduckgo_html"
    title: str = "DuckDuckGo, pages without scripts"
    version: int = 2
    parameters: tuple[Parameter, ...] = _PARAMETERS
    page: ClassVar[Page] = duckduckgo.PAGE
    needs: Needs = Needs(
        independence="each question without cookies",
        limits="none published; one question in 20 s, blocks last about an hour",
        notes="no choice of safe search; its index is largely Bing's",
    )

    def request(self, probes: Sequence[Probe], config: Mapping[str, Json]) -> HttpRequest:
        """POST the form of the first page. Raises ValueError for a question that is too long."""
        [probe] = probes
        if len(probe.text) > _MOST:
            raise ValueError(f"a question of {len(probe.text)} characters; at most {_MOST}")
        region = Region.from_probe(probe)
        form = {"q": probe.text, "b": "", "kl": _search.duckduckgo_region(region)}
        if config.get("df"):
            form["df"] = str(config["df"])
        url = _http.join_path(config["base_url"], "html/")
        headers = (
            ("Accept", "text/html"),
            ("Accept-Language", region.accept_language),
            ("Content-Type", "application/x-www-form-urlencoded"),
            ("Referer", url),
        )
        return HttpRequest("POST", url, headers, urlencode(form).encode())


ENGINE = DuckDuckGoHtml()
