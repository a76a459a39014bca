"""Any site with a search: a question in, the results that CSS selectors find on its page out.

A job gives the address with places for question, language and country, and says which elements are
results: `config = { url = "https://example.org/search?q={query}", result = ".hit" }`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote, urlsplit

from monitor import parameters
from monitor.engines import _pages, _search
from monitor.engines._engine import BaseEngine
from monitor.engines.search._selected_page import SelectedPage, is_refused
from monitor.model import (
    Answer,
    HttpRequest,
    Json,
    Kind,
    Needs,
    PageRequest,
    Parameter,
    Probe,
    Reading,
    Region,
    Trouble,
)

_PLACE = re.compile(r"\{([^{}]*)\}")
_PLACES = ("query", "language", "country", "locale")
_SELECTORS = ("result", "link", "title", "snippet", "none", "block", "reject")

_PARAMETERS = (
    Parameter(
        "url",
        "address of a page of results with {query} in it, and {language}, {country} or {locale} "
        "where the site takes them",
        required=True,
    ),
    Parameter("result", "selector of one result", required=True),
    Parameter("link", "selector of its link, within it", default="a[href]"),
    Parameter("title", "selector of its title, within it; the link's text if left out"),
    Parameter("snippet", "selector of the text beneath, within it"),
    Parameter(
        "none",
        "selector of what says that nothing was found; without it no page counts as such",
    ),
    Parameter("block", "selector of what stands on the site's own walls; known ones are known"),
    Parameter("reject", "browser: selector of the button that rejects cookies"),
    Parameter("over", "how pages are fetched", default="http", choices=("http", "browser")),
    Parameter("headed", "a browser with a window, under Xvfb", bool, default=False),
)


@dataclass(frozen=True, slots=True)
class Selectors(BaseEngine):
    """The engine. How pages are read is in the config: `configured` gives one that knows it."""

    name: str = "selectors"
    title: str = "Any site, by CSS selectors"
    kind: Kind = Kind.SEARCH
    surface: str = "ui"
    pace: float = 1 / 20
    parameters: tuple[Parameter, ...] = _PARAMETERS
    label_by: str = "url"
    needs: Needs = Needs(
        independence="each question without cookies or history",
        limits="the site's own; one question in 20 s",
        notes="read the site's terms and robots.txt first, and ask for permission where they speak "
        'against it; over = "browser" needs Chromium; a page without results is empty '
        "only where the element `none` is on it, and unreadable otherwise; the first page only",
    )
    page: SelectedPage | None = None

    def configured(self, config: Mapping[str, Json]) -> "Selectors":
        """Return the engine that reads pages as the config declares."""
        settings = {
            name: str(value)
            for name, value in parameters.fill_defaults(self.parameters, config).items()
        }
        page = SelectedPage(
            settings["result"],
            settings["link"],
            titles=settings.get("title", ""),
            snippets=settings.get("snippet", ""),
            none=settings.get("none", ""),
            walls=settings.get("block", ""),
            base=settings["url"],
        )
        return replace(self, page=page)

    def refusal(self, source_lang: str, target_lang: str, config: Mapping[str, Json]) -> str:
        """Refuse an address or a selector that cannot be one."""
        fault = _url_fault(str(config["url"]))
        for name in _SELECTORS:
            if not fault and name in config and is_refused(str(config[name])):
                return f"config: {name} = {config[name]!r}: is not a CSS selector"
        return fault

    def request(
        self, probes: Sequence[Probe], config: Mapping[str, Json]
    ) -> PageRequest | HttpRequest:
        """GET the page of the question in the region's language and country."""
        [probe] = probes
        region = Region.from_probe(probe)
        values = {
            "query": probe.text,
            "language": region.language,
            "country": region.country,
            "locale": region.locale,
        }
        url = _PLACE.sub(lambda place: quote(values[place[1]], safe=""), str(config["url"]))
        ready = tuple(str(config[name]) for name in ("result", "none", "block") if name in config)
        consent = (("reject", str(config["reject"])),) if "reject" in config else ()
        return _pages.make_request(url, region, config, consent, ready)

    def trouble(self, answer: Answer, config: Mapping[str, Json]) -> Trouble | None:
        """Walls, errors, and pages that cannot be read."""
        page = self.configured(config).page
        return None if page is None else _pages.page_trouble(page, answer)

    def parse(self, answer: Answer, probes: Sequence[Probe]) -> list[Reading]:
        """Read the page; an engine that was not configured knows no page."""
        if self.page is None:
            detail = "the config says how pages are read, and it is not known here"
            return _search.single_reading(probes, _search.unreadable_reading(detail))
        return _pages.parse_page(self.page, answer, probes)


def _url_fault(url: str) -> str:
    """Return why an address is refused: no web address, or no place for the question."""
    words = f"config: url = {url!r}"
    unknown = [name for name in _PLACE.findall(url) if name not in _PLACES]
    if unknown:
        allowed = ", ".join(f"{{{name}}}" for name in _PLACES)
        return f"{words}: {{{unknown[0]}}} is not one of {allowed}"
    try:
        parts = urlsplit(_PLACE.sub("x", url))
        whole = parts.scheme in ("http", "https") and bool(parts.hostname)
        _ = parts.port  # raises where it is no number
        in_host = "{query}" in urlsplit(url).netloc
    except ValueError as error:
        return f"{words}: {error}"
    if not whole or url != "".join(url.split()):
        return f"{words}: must begin with https:// or http:// and hold no blank"
    if parts.username or parts.password or parts.fragment:
        return "config: url: must hold no name, password or fragment"
    if "{query}" not in url or in_host:
        return f"{words}: needs {{query}} where the question stands, after the host"
    return ""


ENGINE = Selectors()
