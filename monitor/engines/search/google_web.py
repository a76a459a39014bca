"""Google's result pages in a real browser: a question in, blocks of the page out.

Organic results, knowledge panel, the carousel of the Knowledge Graph, and the AI overview as a
block of its own. Asked only where a job says that it may: Google's terms forbid automated queries
without permission.
"""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import urlencode

from monitor.engines import _http
from monitor.engines._pages import ReadsPages
from monitor.model import (
    AwaitedPart,
    Json,
    Needs,
    Page,
    PageRequest,
    Parameter,
    Probe,
    Region,
)
from monitor.pages import google

_PARAMETERS = (
    Parameter(
        "opt_in",
        "nothing is asked before this is true: Google's terms forbid automated queries without "
        "permission",
        bool,
        default=False,
        place=True,
    ),
    Parameter("base_url", "address of the search engine", default="https://www.google.com"),
    Parameter("safe", "filter of explicit results", default="off", choices=("off", "active")),
    Parameter("start", "results to skip; a page has ten", int, default=0, low=0, high=990),
    Parameter(
        "overview_wait",
        "seconds to wait for an AI overview that Google announces and loads after the page",
        float,
        default=10.0,
        place=True,  # series of other blocks go on as they are; what was waited for is observed
        low=0.0,
        high=60.0,
    ),
    Parameter("headed", "a browser with a window, under Xvfb", bool, default=False),
)
#: Buttons of the consent wall; the first one there is chosen.
_CONSENT = (
    ("reject", "#W0wltc"),
    ("reject", "form[action*='consent.google'] button[aria-label*='Reject' i]"),
    ("reject", "form[action$='/save'] button[aria-label*='Reject' i]"),
)
_REFUSED = (
    "google_web asks nothing before the job says opt_in = true in its config: Google's terms "
    "forbid automated queries without permission; serpapi, dataforseo and saved_pages do without "
    "a browser"
)
_FRAME = ":is([data-mcpr], #m-x-content)"
#: The title of an overview tells that it is to come; its words, or a message in their place, that
#: it is there.
_ANNOUNCED = f"{_FRAME} [role=heading][aria-level='2']"
_CAME = (
    f"{_FRAME} :is([data-subtree=aimc], [data-container-id='main-col'], .mZJni, .rPeykc), "
    f"{_FRAME} span:has(~ [role=heading])"
)
_BUSY = f"{_FRAME} [data-subtree=aimc][aria-busy=true], {_FRAME}[aria-busy=true]"
_READY = ("#search", "#rso", "#topstuff", "#botstuff", "#captcha-form", "form[action*='/sorry/']")


@dataclass(frozen=True, slots=True)
class GoogleWeb(ReadsPages):
    """The engine. A page of results in the region's language and country, nothing personal."""

    name: str = "google_web"
    title: str = "Google Search, result pages"
    version: int = 3
    pace: float = 1 / 35
    parameters: tuple[Parameter, ...] = _PARAMETERS
    page: ClassVar[Page] = google.PAGE
    needs: Needs = Needs(
        browser=True,
        independence="each question in a browser without cookies or history (pws=0); questions "
        "from one address within ten minutes may influence each other",
        limits="none published; one question in 35 s; after a block a pause of ten minutes, then "
        "of twice as long, up to a day",
        notes="opt-in; robots.txt disallows /search. Blocks are recorded, never solved. An AI "
        "overview that did not come in time is recorded as loading. Provider engines "
        "(serpapi, dataforseo) and saved_pages read the same blocks without a browser",
    )

    def request(self, probes: Sequence[Probe], config: Mapping[str, Json]) -> PageRequest:
        """GET /search with language, country and place of the region."""
        [probe] = probes
        region = Region.from_probe(probe)
        query = {
            "q": probe.text,
            "hl": region.language,
            "gl": region.country.lower(),
            "pws": "0",
            "safe": str(config["safe"]),
        }
        if region.place:
            query["uule"] = encode_place(region.place)
        if config["start"]:
            query["start"] = str(config["start"])
        url = f"{_http.join_path(config['base_url'], 'search')}?{urlencode(query)}"
        refused = "" if config["opt_in"] is True else _REFUSED
        seconds = float(str(config["overview_wait"]))
        overview = AwaitedPart("ai_overview", seconds, _ANNOUNCED, _CAME, _BUSY)
        return PageRequest(url, region, _CONSENT, _READY, bool(config["headed"]), refused, overview)


def encode_place(place: str) -> str:
    """The parameter that names a place: a role, a producer and the canonical name, in base 64."""
    name = place.encode()
    if len(name) > 127:  # noqa: PLR2004 - lengths up to here are one byte
        raise ValueError(f"a place of {len(name)} bytes")
    return "w+" + base64.b64encode(b"\x08\x02\x10\x20\x22" + bytes([len(name)]) + name).decode()


ENGINE = GoogleWeb()
