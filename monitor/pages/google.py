"""Read the result pages of Google in all layouts since 2000.

Organic are the web results of the main column in the order of the page, indented ones and single
videos among them. Advertisements, what people also ask, boxes of news, videos, pictures, posts and
places, links into a site and panels are not; the result that an answer is quoted from is stored
apart. Text by a model is one item and never in the ranks.

A page says in a paragraph of its own that nothing was found. The paragraph counts where it has the
words for it in a known language, or names the query and stands above a list of suggestions, because
titles and snippets quote such words too. Whether a page is Google's is decided by its elements:
other engines link to Google and quote it, and the frame of another engine outweighs all traces.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile

from selectolax.lexbor import LexborNode

from monitor.model import Block, Outcome, Reading, Reason
from monitor.pages._google_elements import (
    Zone,
    Zones,
    advert_target,
    is_advert,
    is_hidden,
    is_own,
    visible_text,
    whole_link,
)
from monitor.pages._google_entities import read_carousel, read_panel
from monitor.pages._google_organic import (
    LayoutResults,
    OrganicResult,
    nearest_ancestor,
    read_results,
)
from monitor.pages._google_overview import find_overviews, is_ai_mode, read_overview
from monitor.pages._google_tiles import page_query
from monitor.pages._html import (
    PAGE_WORDS,
    PageDocument,
    class_names,
    link_href,
    node_words,
    read_document,
    walk_up,
)
from monitor.pages._results import Hit, malformed_reading, rank_hits
from monitor.pages._walls import find_wall
from monitor.text.person_names import add_overview_people

#: Where the statement stands since 2008.
_PLACES = (
    "#topstuff p, #res p, #center_col p, .card-section p, .mnr-c p, #topstuff [role=heading], "
    "#res [role=heading], .card-section [role=heading], .mnr-c [role=heading], .med, "
    "#main .ZINbbc, #main .Gx5Zad, .ezO2md"
)
#: Where else it may stand if it names the query: before 2008 in the page itself.
_TEXT_PLACES = "p, td, body"
_MAX_MESSAGES = 400
_LONGEST = 800
_FEWEST_SUGGESTIONS = 2
_STEPS = 3
#: The statement in the languages of Google.
_PHRASE = re.compile("|".join(PAGE_WORDS["google_nothing_found"]), re.IGNORECASE)


def says_nothing_found(document: PageDocument) -> bool:
    """Return whether a page states that nothing was found; for pages without results."""
    words_asked = _plain_words(page_query(document))
    for node in document.tree.css(_PLACES)[:_MAX_MESSAGES]:
        if _states_nothing_found(visible_text(node)) or (
            words_asked and _names_query(node, words_asked) and _is_followed_by_advice(node)
        ):
            return True
    if not words_asked:
        return False
    texts = (visible_text(node) for node in document.tree.css(_TEXT_PLACES)[:_MAX_MESSAGES])
    return any(_states_nothing_found(text) and words_asked in _plain_words(text) for text in texts)


def _states_nothing_found(text: str) -> bool:
    return len(text) <= _LONGEST and _PHRASE.search(text) is not None


def _plain_words(text: str) -> str:
    return " ".join(text.split()).casefold()


def _names_query(node: LexborNode, words_asked: str) -> bool:
    """Return whether a paragraph sets the query off from its own words."""
    marked = (_plain_words(visible_text(part)) for part in node.css("em, b, span"))
    return words_asked in marked and _plain_words(visible_text(node)) != words_asked


def _is_followed_by_advice(node: LexborNode) -> bool:
    """Return whether a list of suggestions follows a paragraph closely."""
    following = node.next
    for _ in range(2 * _STEPS):
        if following is None:
            return False
        if following.tag == "ul":
            return len(following.css("li")) >= _FEWEST_SUGGESTIONS
        following = following.next
    return False


_TRACES = (
    ("#rso, #ires, #topstuff, #xjsc, #gsr", 0.7),
    (".ZINbbc, .Gx5Zad, .ezO2md, .LC20lb, .yuRUbf, .kCrYT, .tF2Cxc", 0.6),
    ("a[href*='/httpservice/retry/enablejs'], meta[content*='/httpservice/retry/enablejs']", 0.6),
    ("form[action*='/sorry/'], form[action$=CaptchaRedirect], img[src*='/sorry/image']", 0.5),
    ("form#captcha-form input[name=q], form#captcha-form input[name=continue]", 0.5),
    ("input[name=continue][value*='//www.google.'], form[action*='//consent.google.']", 0.4),
    ("a[href^='/url?'], a[href*='.google.com/url?'], a[ping*='/url?sa=']", 0.4),
    ("a[href*='/search?q=cache:'], a[href*='q=related:']", 0.3),
    ("input[name=btnG], input[name=btnI], input[name=gbv], input[name=gws_rd]", 0.3),
    ("form[action$='/search'] input[name=q], form[action$='/search'] textarea[name=q]", 0.2),
    ("h3.r, h2.r, li.g, div.g, p.g, .mnr-c", 0.2),
    ("html[itemtype$=SearchResultsPage], img[alt=Google], #gb, #gbar, #gbv", 0.2),
    ("link[href*='.gstatic.com'], script[src*='.gstatic.com'], script[src*='/xjs/_/js']", 0.1),
)
_TITLE = 0.3
_SCRIPT = 0.4
_SCRIPTS = ("google.kEI", "kEI:", "window.google=", "window.google =", "google.sn=")
_HEAD = 2**16
_OTHERS = (
    "#b_results, #b_content, form#sb_form, li.b_algo, .result__a, .result-link, #links_wrapper, "
    "#duckbar, article[data-testid=result], .snippet[data-type=web], [data-layout=organic], "
    ".results-standard, .mw-search-results, form[action*='anomaly.js']"
)
_FOREIGN = 0.1


def measure_likeness(document: PageDocument) -> float:
    """From 0, no page of Google's, to 1."""
    tree = document.tree
    seen = sum(weight for trace, weight in _TRACES if tree.css_first(trace) is not None)
    if "Google" in node_words(tree.css_first("title")):
        seen += _TITLE
    head = document.source[:_HEAD]
    if any(script in head for script in _SCRIPTS):
        seen += _SCRIPT
    return min(1.0, seen) * (_FOREIGN if tree.css_first(_OTHERS) is not None else 1.0)


_MAX_ADVERTS = 500
_FARTHEST = 40
#: Links of advertisements before they had headings: pa1 above, an1 beside the results.
_ADVERT_ID = re.compile(r"(?:pa|an|aw|tpa)\d{1,2}")
_ADVERT_TITLES = "h3, [role=heading], a[id^=pa], a[id^=an], a[id^=aw], a[id^=tpa]"
_ADVERT_CLASSES = frozenset({"ads-ad", "uEierd", "pla-unit"})
_ADVERT_TEXTS = ".ads-creative, .ac, .MUxGbd.yDYNvb, .Va3FIb, [data-sncf]"
#: Boxes of local services are headed by a link to an explanation.
_HELP = "https://support.google.com/"
#: The words of an answer above the results, newest first.
_ANSWERS = "[data-attrid^='wa:/'], .hgKElc, .LGOjhe, .ILfuVd, ._Tgc, .mod"
#: Results of what Google works out itself.
_VALUES = "#cwos, .Z0LcW, .vk_bk.vk_ans, #knowledge-currency__tgt-amount"


def read_advertisements(document: PageDocument, zones: Zones) -> list[Hit]:
    """Text advertisements above, below and beside the results, one each."""
    hits: list[Hit] = []
    seen: set[int] = set()
    for title in document.tree.css(_ADVERT_TITLES)[:_MAX_ADVERTS]:
        link = _advert_link(title, document, zones)
        if link is None or not node_words(title):
            continue
        whole_ad = _whole_advert(title, zones)
        if whole_ad.mem_id in seen:
            continue
        seen.add(whole_ad.mem_id)
        name = visible_text(title).strip("\u200e ") or node_words(title)
        url = advert_target(link.attributes.get("href"), document)
        text = visible_text(whole_ad.css_first(_ADVERT_TEXTS))
        hits.append(Hit(Block.AD, name, url, text))
    return hits


def _advert_link(title: LexborNode, document: PageDocument, zones: Zones) -> LexborNode | None:
    """The link of a title if that is of an advertisement; the page itself before its counter."""
    link = _find_link(title, document)
    if link is None:
        return None
    href = link.attributes.get("href")
    if title.tag == "a":
        return link if _ADVERT_ID.fullmatch(title.attributes.get("id") or "") else None
    if advert_target(href, document).startswith(_HELP):
        return None
    return link if zones.of(title) is Zone.AD or is_advert(href, document) else None


def _find_link(title: LexborNode, document: PageDocument) -> LexborNode | None:
    # A link within other headings explains the box: why these results are shown.
    inside = [title] if title.tag == "a" else title.css("a[href]") if title.tag == "h3" else []
    links = [node for node in inside if whole_link(node.attributes.get("href"), document)]
    if links:
        return next((node for node in links if not is_hidden(node)), links[0])
    around = nearest_ancestor(title, lambda node: node.tag == "a", _FARTHEST)
    return around if whole_link(link_href(around), document) else None


def _whole_advert(title: LexborNode, zones: Zones) -> LexborNode:
    """The whole advertisement that a title is of: links into the site are parts of it."""
    advert = title
    for node in _walk_zone(title, zones, Zone.AD):
        is_marked = "data-text-ad" in node.attributes or _ADVERT_CLASSES & set(class_names(node))
        if node.tag == "li" or is_marked:
            advert = node
    return advert


def _walk_zone(node: LexborNode, zones: Zones, zone: Zone) -> Iterator[LexborNode]:
    """Yield what an element stands in, up to the end of a zone."""
    return takewhile(lambda above: zones.of(above) is zone, islice(walk_up(node), _FARTHEST))


def read_answers(document: PageDocument, featured: list[OrganicResult], zones: Zones) -> list[Hit]:
    """The pages that Google quotes above the results, and what it worked out itself."""
    hits = [
        Hit(Block.ANSWER, result.title, result.url, _quoted_words(result, zones))
        for result in featured
    ]
    for node in document.tree.css(_VALUES)[:1]:
        text = visible_text(node)
        if text and not hits and zones.of(node) in (Zone.MAIN, Zone.FEATURE):
            hits.append(Hit(Block.ANSWER, "", "", text))
    return hits


def _quoted_words(result: OrganicResult, zones: Zones) -> str:
    """The words of an answer: in its box, outside the result that it is from."""
    *_, box = result.node, *_walk_zone(result.node, zones, Zone.FEATURE)
    return max(map(visible_text, box.css(_ANSWERS)), key=len, default="") or result.text


#: What an address says: a page that is said to come from Google, and one from elsewhere.
_SURE = 0.9
_ELSEWHERE = 0.1
#: Less like Google than this is some other page, whatever links it has.
_UNLIKE = 0.3
#: Characters on a page that says nothing itself: the names of services, a button, a copyright.
_FEW_WORDS = 400
_TAIL = 200


@dataclass(frozen=True, slots=True)
class Google:
    """Google's pages, with and without scripts, on all screens."""

    name: str = "google"
    title: str = "Google"
    version: int = 4

    def sniff(self, body: bytes, url: str = "") -> float:
        """Return how sure it is that a page is Google's: by its traces, and by its address."""
        if not body.strip():
            return 0.0
        page = read_document(body, url)
        likeness = measure_likeness(page)
        if is_ai_mode(page):
            return likeness * _ELSEWHERE
        if not page.host:
            return likeness
        return max(likeness, _SURE) if is_own(page.host) else likeness * _ELSEWHERE

    def parse(self, body: bytes, url: str = "") -> Reading:
        """All blocks of a page with their ranks, or why there are none."""
        page = read_document(body, url)
        overviews = find_overviews(page)
        zones = Zones(overviews)
        layout_results = read_results(page, zones)
        wall = None if layout_results.results else _without_results(page, layout_results)
        return wall or _read_blocks(page, zones, layout_results, overviews)


def _without_results(page: PageDocument, found: LayoutResults) -> Reading | None:
    """Return what a page without results says: that there are none, or a wall."""
    if not found.visible and _is_googles(page) and says_nothing_found(page):
        return Reading(Outcome.EMPTY, detail="layout: nothing found")
    return find_wall(page, found.visible)


def _is_googles(page: PageDocument) -> bool:
    """Return whether a page is worth reading: access points have headings and links too."""
    return is_own(page.host) or measure_likeness(page) >= _UNLIKE


def _read_blocks(
    page: PageDocument, zones: Zones, found: LayoutResults, overviews: Sequence[LexborNode]
) -> Reading:
    if not _is_googles(page):
        return malformed_reading("not a page of Google")
    organic = [
        Hit(Block.ORGANIC, result.title, result.url, result.text)
        for result in found.results
        if not result.featured
    ]
    if not found.visible and not organic:
        return _is_bare(page)
    if not found.enough or not organic:
        read = f"{len(organic)} of {found.visible} results could be read"
        return malformed_reading(f"layout: {found.layout or 'none'}; {read}")
    tiles = read_carousel(page)
    if tiles is not None and not tiles:
        return malformed_reading(f"layout: {found.layout}; a carousel without names")
    featured = [result for result in found.results if result.featured]
    hits = [
        *organic,
        *read_advertisements(page, zones),
        *read_answers(page, featured, zones),
        *read_overview(page, overviews),
    ]
    items = (*rank_hits(hits), *(tiles or ()), *read_panel(page))
    return add_overview_people(Reading(Outcome.OK, items, detail=f"layout: {found.layout}"))


def _is_bare(page: PageDocument) -> Reading:
    """A whole page with scripts and hardly a word waits for its scripts to fetch results."""
    whole = "</html" in page.source[-_TAIL:].lower()
    if whole and page.tree.css_first("script") and len(visible_text(page.tree.body)) < _FEW_WORDS:
        detail = "a page without results that scripts would fill"
        return Reading(Outcome.UNREADABLE, reason=Reason.JS_SHELL, detail=detail)
    return malformed_reading("no results, and no word that nothing was found")


PAGE = Google()
