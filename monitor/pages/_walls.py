"""Pages in the place of results: who built such a wall, and the reason that a run gives for it.

Input is a page and the number of results that a reader found on it. Walls are known by their own
elements: where a form goes to, what a script or frame is loaded from, the address of the page.
Words decide nothing on a page that could be one of results, because results quote every one of
them; the headings of a short page without any such frame do, where no make is known.
"""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from monitor.model import Outcome, Reading, Reason
from monitor.pages._html import PAGE_WORDS, PageDocument, has_element, node_words

#: What only a page of results has: a consent dialog or a way around scripts within it is no wall.
_FRAME = (
    "#search, #rso, #ires, #res, #center_col, #botstuff, #b_results, #links, "
    "#results, ul.results-standard, .mw-search-results"
)
_SORRY = (
    "form[action*='/sorry/'], form[action$='CaptchaRedirect'], img[src*='/sorry/image'], "
    "meta[http-equiv='refresh' i][content*='/sorry/index'], "
    "form#captcha-form input[name='continue']"
)
_SORRY_LINK = "a[href*='/sorry/index?continue='], a[href*='/sorry/?continue=']"
_ENABLE_SCRIPTS = (
    "meta[content*='/httpservice/retry/enablejs'], a[href*='/httpservice/retry/enablejs'], "
    "a[href*='emsg=SG_REL'], a[href*='emsg=SG_SS']"
)
_CONSENT_HOST = re.compile(r"consent\.[a-z.]*$")
_CONSENT_FORM = re.compile(
    r"^(?:https?:)?//consent\.[a-z.]+/|^/(?:save|collectConsent|intro/)(?:[/?]|$)"
)
_ANOMALY = "form[action*='anomaly.js'], .anomaly-modal__modal, [data-testid='anomaly-modal']"
_CLOUDFLARE = (
    "script[src*='/cdn-cgi/challenge-platform/'][src*='orchestrate'], #cf-wrapper, "
    "#cf-error-details, #cf-challenge-running, #challenge-running, #challenge-error-text, "
    ".cf-browser-verification, form[action*='__cf_chl'], input[name='cf-turnstile-response'], "
    "script[src*='__cf_chl'], #challenge-stage, .zone-name-title, .main-wrapper .loading-verifying"
)
_CLOUDFLARE_SCRIPT = "_cf_chl_opt"
_ANTIBOT = (
    "script#anubis_challenge, script[src*='.within.website/'], script[src^='/check/check'], "
    "script[src*='/.well-known/go-away'], [id^='anubis'], script#preact_info, "
    "script[src*='/_Incapsula_Resource'], iframe[src*='_Incapsula_Resource'], "
    "#sec-if-cpt-container, #sec-cpt-if"
)
_CAPTCHA = (
    "form[action*='captcha' i], form[id*='captcha' i], input[name*='captcha' i], "
    ".g-recaptcha, .h-captcha, .cf-turnstile, #px-captcha, [class*='Captcha'], "
    "[id^='captcha' i], [id$='captcha' i], [class^='captcha' i], [class*='-captcha'], "
    "[class*='_captcha'], [data-testid*='captcha' i], img[src*='captcha' i], "
    "iframe[src*='captcha' i], iframe[src*='challenges.cloudflare.com'], "
    "iframe[src*='arkoselabs.com'], iframe[src*='funcaptcha.com'], "
    "script[src*='captcha-delivery.com'], script[src*='wappass.'], "
    "script[src*='hcaptcha.com'], script[src*='recaptcha/'], "
    "script[src*='challenges.cloudflare.com/turnstile'], script[src*='smartcaptcha'], "
    "meta[http-equiv='refresh' i][content*='captcha' i]"
)
_CAPTCHA_ADDRESS = re.compile(r"captcha", re.IGNORECASE)
#: Headings of pages that have no element of a known make; read on short pages without a frame only.
_HUMAN_WORDS = re.compile("|".join(PAGE_WORDS["wall_human"]), re.IGNORECASE)
_CHECK_WORDS = re.compile("|".join(PAGE_WORDS["wall_check"]), re.IGNORECASE)
_RATE, _REFUSAL = re.compile("429"), re.compile(r"\b403\b")
#: A page that says no more than that one is refused has fewer characters.
_SHORT_PAGE = 3000


def find_wall(document: PageDocument, results: int) -> Reading | None:
    """The wall that a page is, or None where it is none.

    `results` is how many results a reader found: a page with results is no wall, whatever else
    stands on it. Readers ask after they looked for the page's own words that nothing was found.
    """
    if results > 0:
        return None
    for kind, reason, is_so in _KINDS:
        if is_so(document):
            return Reading(Outcome.BLOCKED, reason=reason, detail=kind)
    return None


def state_of(reading: Reading) -> str:
    """A reading in one word: ok, no_results, blocked:KIND, js_shell or unreadable."""
    if reading.outcome is Outcome.OK:
        return "ok"
    if reading.outcome is Outcome.EMPTY:
        return "no_results"
    if reading.outcome is Outcome.BLOCKED:
        return f"blocked:{re.split(r'[^a-z_]', reading.detail, maxsplit=1)[0]}"
    return "js_shell" if reading.reason is Reason.JS_SHELL else "unreadable"


def _host_and_path(document: PageDocument) -> str:
    """Host and path of the page's address, without the question."""
    try:
        parts = urlsplit(document.url)
    except ValueError:
        return ""
    return f"{document.host}{parts.path}"


def _is_sorry(document: PageDocument) -> bool:
    address = _host_and_path(document)
    if document.host.startswith("sorry.google.") or re.search(r"google\.[a-z.]+/sorry", address):
        return True
    if has_element(document, _SORRY):
        return True
    return len(document.source) < _SHORT_PAGE and has_element(document, _SORRY_LINK)


def _is_consent(document: PageDocument) -> bool:
    if _CONSENT_HOST.match(document.host):
        return True
    if has_element(document, _FRAME):
        return False
    targets = (form.attributes.get("action") or "" for form in document.tree.css("form[action]"))
    is_asked = any(_CONSENT_FORM.match(target.strip()) for target in targets)
    return is_asked or has_element(document, "form.consent-form")


def _is_cloudflare(document: PageDocument) -> bool:
    if has_element(document, _CLOUDFLARE):
        return True
    scripts = document.tree.css("script:not([src])")
    return any(_CLOUDFLARE_SCRIPT in script.text(deep=True) for script in scripts)


def _has_head(document: PageDocument, words: re.Pattern[str]) -> bool:
    """Return whether a heading of a short page without anything of results has such words."""
    if has_element(document, _FRAME) or len(node_words(document.tree.body)) >= _SHORT_PAGE:
        return False
    return any(words.search(node_words(node)) for node in document.tree.css("title, h1, h2"))


def _is_captcha(document: PageDocument) -> bool:
    return (
        _CAPTCHA_ADDRESS.search(_host_and_path(document)) is not None
        or has_element(document, _CAPTCHA)
        or _has_head(document, _HUMAN_WORDS)
    )


#: The makes that are known before the general ones; the first that fits names the wall.
_KINDS: tuple[tuple[str, Reason, Callable[[PageDocument], bool]], ...] = (
    ("google_sorry", Reason.CAPTCHA, _is_sorry),
    (
        "google_enablejs",
        Reason.JS_SHELL,
        lambda page: has_element(page, _ENABLE_SCRIPTS) and not has_element(page, _FRAME),
    ),
    ("consent", Reason.CONSENT, _is_consent),
    ("ddg_anomaly", Reason.CAPTCHA, lambda page: has_element(page, _ANOMALY)),
    ("cloudflare", Reason.CAPTCHA, _is_cloudflare),
    (
        "antibot",
        Reason.CAPTCHA,
        lambda page: has_element(page, _ANTIBOT) or _has_head(page, _CHECK_WORDS),
    ),
    ("captcha", Reason.CAPTCHA, _is_captcha),
    ("rate", Reason.RATE, lambda page: _has_head(page, _RATE)),
    ("denied", Reason.NONE, lambda page: _has_head(page, _REFUSAL)),
)
