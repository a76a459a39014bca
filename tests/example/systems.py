"""The invented systems as servers: one loopback proxy, behind which every host is one of them.

Their addresses end in `.test`, which leads nowhere. They are asked by real HTTP and by a real
browser; only the control, a local model, is answered without a process.
"""

import html
import time
from contextlib import ExitStack, contextmanager
from itertools import chain
from urllib.parse import urlsplit

from monitor.fetch import Outside
from monitor.fetch.browser import BrowserWay
from monitor.fetch.http import Way
from monitor.model import LocalRequest, Pause, Services
from tests.example import invented, overviews
from tests.replay import ReplayFetcher
from tests.standins import serve
from tests.standins.faults import status, with_retry_after
from tests.standins.libretranslate import LibreTranslate
from tests.standins.results import SearchService
from tests.standins.searxng import SearXNG
from tests.standins.serpapi import SerpApi
from tests.standins.service import Refused
from tests.standins.web import page
from tests.standins.wikidata import Item, Wikidata

TRANSLATORS = ("invented-a", "invented-b")
CONTROL = "invented-control"
SITES = ("invented-search-a.test", "invented-search-b.test")
WIKIDATA = "invented-wikidata.test"
SERVICES = Services(f"http://{WIKIDATA}/w/api.php", f"http://{WIKIDATA}/sparql")
#: Beyond every item that Wikidata has.
_FIRST_ITEM = 2_000_000_000
_MONTH = 30 * 86_400  # seconds
_STYLE = """body{font:16px/1.45 sans-serif;margin:0;color:#1b1f23}
header{background:#00525a;color:#fff;padding:14px 32px}header b{background:#fff;color:#8a4600;
padding:2px 8px;margin-left:12px}main{max-width:720px;padding:12px 32px}article{margin:18px 0}
h2{font-size:18px;font-weight:400;margin:0}a{color:#00525a}p{margin:2px 0}"""


class Walled(SearchService):
    """A search engine that blocks at the questions `walled`."""

    walled = frozenset()

    def __call__(self, request, wire):
        if request.query.get("q") in self.walled:
            wire.send(self.wall())
        else:
            super().__call__(request, wire)


class Translator(LibreTranslate):
    """A translation service that may be down."""

    is_down = False

    def __call__(self, request, wire):
        if self.is_down:
            wire.send(status(503, {"error": "invented outage"}))
        else:
            super().__call__(request, wire)


class Meta(Walled, SearXNG):
    """A server of SearXNG, which wants to be left alone for a month."""

    def wall(self):
        return with_retry_after(self.limited(), _MONTH)


class Site(Walled):
    """`GET /search?q=`: a page of results for people, or a wall."""

    @staticmethod
    def wall():
        body = "<body><h1>INVENTED: unusual traffic</h1><p>Please verify you are human.</p></body>"
        return page("Invented wall", body, 429)

    def answer(self, request):
        if request.path != "/search" or "q" not in request.query:
            raise Refused(page("Not found", "<body><h1>404</h1></body>", 404))
        question = request.query["q"]
        rows = "".join(
            f"<article><h2><a href='{html.escape(hit.url)}'>{html.escape(hit.title)}"
            f"</a></h2><p>{html.escape(hit.text)}</p></article>"
            for hit in self.results.get(question, [])
        )
        host = urlsplit(request.target).netloc
        body = (
            f"<style>{_STYLE}</style><body><header>{host}<b>INVENTED</b></header>"
            f"<main>{rows or 'Nothing fits.'}</main></body>"
        )
        return page(f"{question} - {host}, invented", body)


class World:
    """All invented systems at a time. As a server it is a proxy: the host says who is asked."""

    def __init__(self):
        self.translators = {name: Translator(key=None) for name in TRANSLATORS}
        self.sites = {SITES[0]: Site(), SITES[1]: Meta()}
        self._apps = {f"{name}.test": app for name, app in self.translators.items()}
        self.overviews = SerpApi(key=overviews.KEY)
        self._apps |= self.sites | {overviews.HOST: self.overviews, WIKIDATA: Wikidata(_records())}

    def __call__(self, request, wire):
        self._apps[urlsplit(request.target).netloc](request, wire)

    def at(self, moment, items, occupations, turned, drifted):
        """What everybody says from now on; returns the answers of the control.

        `turned` are the services that have changed their habits, `drifted` is how far the first
        one has drifted in the last language.
        """
        far = {(TRANSLATORS[0], list(invented.MARK)[-1]): drifted}
        for name, app in self.translators.items():
            app.translations = {
                (item["text"], target): invented.translation(
                    item,
                    name,
                    target,
                    moment,
                    is_turned=name in turned,
                    drifted=far.get((name, target), 0.0),
                )
                for item in items
                for target in invented.MARK
            }
        for name, site in self.sites.items():
            site.results = {
                f"famous {one}s": invented.hits(one, name, moment) for one in occupations
            }
        return {
            target: {
                item["text"]: invented.translation(item, CONTROL, target, moment) for item in items
            }
            for target in invented.MARK
        }


def _records():
    """What is recorded of the invented people."""
    found = []
    for occupation, signs in invented.SHOWN.items():
        for place, sign in enumerate(signs):
            name, number = invented.name_of(occupation, place), _FIRST_ITEM + len(found)
            genders = (invented.GENDER[sign],) if sign in invented.GENDER else ()
            found.append(Item(f"Q{number}", name, genders=genders, sitelinks={"enwiki": name}))
    return found


class Asking:
    """A fetcher: services and pages through the proxy, the control by what it said."""

    def __init__(self, folder, proxy, control, at):
        self._outside = Outside(
            folder / "models",
            1,
            Way(contact="example@monitor.test", seconds=20, proxy=proxy, exit="example"),
            BrowserWay(seconds=20, proxy=proxy, exit="example"),
        )
        self._control, self._at = control, at

    def fetch(self, requests):
        waiting = iter(requests)
        for first in waiting:
            if isinstance(first, Pause):
                time.sleep(first.seconds)
                continue
            rest = chain([first], waiting)
            if isinstance(first, LocalRequest):
                yield from self._replayed(rest)
            else:
                yield from self._outside.fetch(rest)
            return

    def _replayed(self, requests):
        """The control, one request after another: each says its language."""
        for index, request in enumerate(one for one in requests if not isinstance(one, Pause)):
            target = dict(request.options)["target_code"]
            agent = {"library": "none: invented", "model": CONTROL}
            replay = ReplayFetcher(self._at, self._control[target], agent=agent)
            [(_, answer)] = replay.fetch([request])
            yield index, answer

    def close(self):
        self._outside.close()


@contextmanager
def opened():
    """(world, address of its proxy)."""
    with ExitStack() as stack:
        world = World()
        running = stack.enter_context(serve(world))
        yield world, running.url
