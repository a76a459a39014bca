"""Bing's result pages, in a browser or over HTTP: a question in, blocks of the page out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import urlencode

from monitor.engines import _http, _pages
from monitor.engines._pages import ReadsPages
from monitor.model import (
    HttpRequest,
    Json,
    Needs,
    Page,
    PageRequest,
    Parameter,
    Probe,
    Region,
)
from monitor.pages import bing

_PARAMETERS = (
    Parameter("base_url", "address of the search engine", default="https://www.bing.com"),
    Parameter("over", "how pages are fetched", default="browser", choices=("browser", "http")),
    Parameter("safe", "filter of explicit results", default="off", choices=("off", "strict")),
    Parameter("first", "number of the first result", int, default=1, low=1, high=991),
    Parameter("headed", "a browser with a window, under Xvfb", bool, default=False),
)
_CONSENT = (("reject", "#bnp_btn_reject"),)
_READY = ("#b_results", "#b_content", ".captcha", "#turnstile-widget")


@dataclass(frozen=True, slots=True)
class BingWeb(ReadsPages):
    """The engine. Market and language are the region's."""

    name: str = "bing_web"
    title: str = "Bing, result pages"
    version: int = 2
    parameters: tuple[Parameter, ...] = _PARAMETERS
    page: ClassVar[Page] = bing.PAGE
    needs: Needs = Needs(
        browser=True,
        independence="each question without cookies or history",
        limits="none published; one question in 20 s",
        notes="its terms and robots.txt speak against automated queries: ask for permission. A "
        "block may look like a page without results, which is recorded as suspect",
    )

    def request(
        self, probes: Sequence[Probe], config: Mapping[str, Json]
    ) -> PageRequest | HttpRequest:
        """GET /search with market and language of the region."""
        [probe] = probes
        region = Region.from_probe(probe)
        query = {
            "q": probe.text,
            "setlang": region.language,
            "cc": region.country,
            "mkt": region.locale,
            "adlt": str(config["safe"]),
        }
        if config["first"] != 1:
            query["first"] = str(config["first"])
        url = f"{_http.join_path(config['base_url'], 'search')}?{urlencode(query)}"
        return _pages.make_request(url, region, config, _CONSENT, _READY)


ENGINE = BingWeb()
