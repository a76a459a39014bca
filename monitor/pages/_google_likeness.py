"""How sure it is that a page is Google's, by the elements that it is made of.

Other engines link to Google and quote it, so no single trace is sure; the frame of another engine
outweighs them all.
"""

from monitor.pages._html import Document, words

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


def likeness(document: Document) -> float:
    """From 0, no page of Google's, to 1."""
    tree = document.tree
    seen = sum(weight for trace, weight in _TRACES if tree.css_first(trace) is not None)
    if "Google" in words(tree.css_first("title")):
        seen += _TITLE
    head = document.source[:_HEAD]
    if any(script in head for script in _SCRIPTS):
        seen += _SCRIPT
    return min(1.0, seen) * (_FOREIGN if tree.css_first(_OTHERS) is not None else 1.0)
