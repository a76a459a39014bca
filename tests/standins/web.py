"""A small loopback internet of result pages: a Google-like, a Bing-like, a DuckDuckGo-like engine.

Each answers from tables of what it knows, in the layout that it is told to use, and misbehaves on
demand: by the question (`whims`) or for all of them (`whim`). The consent wall is a page of its own
that leads back to the question once one of its buttons was pressed.
"""

import html
from urllib.parse import parse_qs, quote, urlencode

from tests.standins.wire import Answer

_HTML = {"Content-Type": "text/html; charset=utf-8"}


def page(title, body, status=200, lang="en", headers=None):
    """Return an HTML answer."""
    source = (
        f'<!DOCTYPE html><html lang="{lang}"><head><meta charset="utf-8">'
        f"<title>{html.escape(title)}</title></head>{body}</html>"
    )
    return Answer(status, source.encode(), {**_HTML, **(headers or {})})


class Web:
    """What all of them share.

    Args:
        organic: {question: [(title, url, snippet)]}.
        whims: {question: whim}; `whim` holds for all questions without one of their own.
    """

    def __init__(self, organic=None, *, whims=None, whim=""):
        self.organic = dict(organic or {})
        self.whims = dict(whims or {})
        self.whim = whim

    def __call__(self, request, wire):
        wire.send(self.answer(request))

    def question(self, request):
        form = parse_qs(request.body.decode(), keep_blank_values=True)
        return request.query.get("q") or form.get("q", [""])[0]

    def whim_of(self, question):
        return self.whims.get(question, self.whim)


class GoogleLike(Web):
    """Carousels as well: `people` is {question: [(name, subtitle, graph id)]}.

    Whims: sorry (429), consent (a wall before the page), redesign (no known markup), no_names (a
    carousel without names), nothing (the page says so), enablejs.
    """

    def __init__(self, people=None, organic=None, **settings):
        super().__init__(organic, **settings)
        self.people = dict(people or {})

    def answer(self, request):
        question = self.question(request)
        whim = self.whim_of(question)
        if request.path == "/sorry/index":
            return self._sorry()
        if request.path != "/search":
            return page("Not found", "<body>404</body>", 404)
        if whim == "sorry":
            target = f"/sorry/index?{urlencode({'continue': request.target})}"
            return Answer(302, b"", {"Location": target})
        if whim == "consent" and request.query.get("consented") is None:
            return self._consent(request)
        if whim == "enablejs":
            return page(
                question,
                '<body><noscript><meta http-equiv="refresh" '
                'content="0;url=/httpservice/retry/enablejs?sei=x"></noscript></body>',
            )
        if whim == "redesign":
            return page(f"{question} - Google Search", "<body><main><p>All new.</p></main></body>")
        return page(f"{question} - Google Search", self._results(question, whim))

    def _sorry(self):
        body = (
            '<body><form id="captcha-form" action="index" method="post">'
            '<input type="hidden" name="continue" value="x"></form>'
            "<p>Our systems have detected unusual traffic from your computer network.</p></body>"
        )
        return page("Sorry", body, 429)

    def _consent(self, request):
        fields = "".join(
            f'<input type="hidden" name="{html.escape(name)}" value="{html.escape(value)}">'
            for name, value in request.pairs
        )
        forms = "".join(
            f'<form action="/search">{fields}<input type="hidden" name="consented" '
            f'value="{choice}"><button id="{mark}">{words}</button></form>'
            for choice, mark, words in (
                ("rejected", "W0wltc", "Reject all"),
                ("accepted", "L2AGLb", "Accept all"),
            )
        )
        return page("Before you continue to Google Search", f"<body>{forms}</body>")

    def _results(self, question, whim):
        asked = html.escape(question)
        if whim == "nothing":
            body = (
                f'<div id="search"></div><div id="topstuff"><div><p role="heading">Your search - '
                f"<em>{asked}</em> - did not match any documents.</p><p>Suggestions:</p><ul><li>"
                "Make sure that all words are spelled correctly.</li></ul></div></div>"
            )
        else:
            found = self.organic.get(question, [])
            body = (
                f'<div id="search"><div id="rso">{"".join(map(_google_result, found))}</div></div>'
            )
        return (
            f'<body id="gsr"><form action="/search"><textarea name="q">{asked}</textarea></form>'
            f'<div id="main"><div id="cnt">{self._carousel(question, whim)}<div id="rcnt">'
            f'<div id="center_col"><div id="res" role="main">{body}</div></div></div></div></div>'
            "</body>"
        )

    def _carousel(self, question, whim):
        tiles = self.people.get(question, [])
        if not tiles or whim == "nothing":
            return ""
        drawn = "".join(_tile(*tile, named=whim != "no_names") for tile in tiles)
        return (
            '<div id="appbar"><div id="extabar"><div data-attrid="kc:/people/profession:people">'
            '<g-scrolling-carousel role="group"><div role="list">'
            f"{drawn}</div></g-scrolling-carousel></div></div></div>"
        )


def _google_result(result):
    title, url, snippet = (html.escape(part) for part in result)
    return (
        '<div class="MjjYud"><div class="g tF2Cxc"><div class="yuRUbf"><a href="'
        f'{url}"><h3 class="LC20lb">{title}</h3><cite>{url}</cite></a></div>'
        f'<div class="VwiC3b">{snippet}</div></div></div>'
    )


def _tile(name, subtitle, graph_id, *, named):
    shown = html.escape(name) if named else ""
    marks = f'data-entityid="{graph_id}" data-entityname="{shown}"' if named else ""
    title = f'aria-label="{shown}" title="{shown}"' if named else ""
    text = (
        f'<div class="dAassd"><div class="FozYP">{shown}</div><div class="cp7THd">'
        f'<div class="FozYP">{html.escape(subtitle)}</div></div></div>'
        if named
        else ""
    )
    return (
        f'<a class="ct5Ked klitem-tr" role="tab" {title} {marks} '
        f'href="/search?q={quote(name if named else "x")}"><div class="klitem">'
        f'<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="">{text}</div></a>'
    )


class BingLike(Web):
    """Whims: captcha, nothing, suspect (nothing said, nothing found), redesign."""

    def answer(self, request):
        question = self.question(request)
        whim = self.whim_of(question)
        asked = html.escape(question)
        if whim == "captcha":
            body = '<body><div class="captcha"><div class="cf-turnstile"></div></div></body>'
            return page("Bing", body)
        if whim == "redesign":
            return page(f"{question} - Search", "<body><main>All new.</main></body>")
        found = "".join(map(_bing_result, self.organic.get(question, [])))
        if whim == "nothing":
            found = f'<li class="b_no"><h1>There are no results for <b>{asked}</b></h1></li>'
        return page(
            f"{question} - Search",
            '<body><header id="b_header"><form id="sb_form" action="/search"><input name="q" '
            f'value="{asked}"></form></header><div id="b_content"><main><ol id="b_results">'
            f"{found}</ol></main></div></body>",
        )


def _bing_result(result):
    title, url, snippet = (html.escape(part) for part in result)
    return (
        f'<li class="b_algo"><h2><a href="{url}">{title}</a></h2>'
        f'<div class="b_caption"><p>{snippet}</p></div></li>'
    )


class DuckDuckGoLike(Web):
    """Pages without scripts, asked by POST. Whims: anomaly (202), nothing, redesign."""

    def answer(self, request):
        question = self.question(request)
        whim = self.whim_of(question)
        if request.path != "/html/" or request.method != "POST":
            return page("Not found", "<body>404</body>", 404)
        if whim == "anomaly":
            body = (
                '<body><form id="challenge-form" action="//duckduckgo.com/anomaly.js?sv=html" '
                'method="POST"><div class="anomaly-modal__modal" data-testid="anomaly-modal">?'
                "</div></form></body>"
            )
            return page("DuckDuckGo", body, 202)
        if whim == "redesign":
            return page("DuckDuckGo", "<body><main>All new.</main></body>")
        found = "".join(map(_duck_result, self.organic.get(question, [])))
        if whim == "nothing":
            found = '<div class="no-results">No results.</div>'
        return page(
            f"{question} at DuckDuckGo",
            '<body><form action="/html/"><input name="q" value="'
            f'{html.escape(question)}"></form><div id="links" class="results">{found}</div></body>',
        )


def _duck_result(result):
    title, url, snippet = (html.escape(part) for part in result)
    return (
        '<div class="result results_links results_links_deep web-result"><div class="links_main '
        'links_deep result__body"><h2 class="result__title"><a class="result__a" href="'
        f'//duckduckgo.com/l/?uddg={quote(html.unescape(url), safe="")}">{title}</a></h2>'
        f'<a class="result__snippet" href="#">{snippet}</a></div></div>'
    )
