"""Reads the result pages of Bing (and of Live Search and MSN Search before it).

Organic results are `.b_algo > h2 > a` of the main column; results within answers are not.

Bing answers some blocked callers with a plain page that nothing was found. A page that says so and
shows nothing else which only an answered question has (an ad, an answer, a corrected spelling,
other searches) cannot be told from one: it is EMPTY with the reason SUSPECT_EMPTY.
"""

from monitor.model import Outcome, Reading, Reason
from monitor.pages._bing_layouts import LAYOUTS
from monitor.pages._html import Document
from monitor.pages._results import ResultPage, has

_NONE_FOUND = "#b_results > .b_no, li.b_no, #no_results, .sb_no_results, .no_results"
#: What only a question that was looked up gets.
_LOOKED_UP = (
    "li.b_ad, li.b_ans a[href], #sp_requery, .sp_requery, #sp_recourse, .b_rs, "
    "#b_context .b_entityTP, .sb_spell, #sw_spell"
)
_STRUCTURE = "#b_results, #b_content #b_tween, li.b_algo h2, li.sa_wr .sb_tlst"
_FURNITURE = (
    "form#sb_form input[name='q'], form[action*='/turing/captcha'], #b_header, "
    "meta[property='og:site_name'][content='Bing'], link[rel='search'][title*='Bing'], "
    "#sw_hdr, #sw_main, #results_area, html[xmlns\\:web='http://schemas.live.com/Web/']"
)


def _is_own(host: str) -> bool:
    own = ("bing.com", "live.com", "msn.com")
    return any(host == name or host.endswith(f".{name}") for name in own)


def _none_found(document: Document) -> Reading | None:
    if not has(document, _NONE_FOUND):
        return None
    reason = Reason.NONE if has(document, _LOOKED_UP) else Reason.SUSPECT_EMPTY
    return Reading(Outcome.EMPTY, reason=reason, detail="layout: b_no")


#: Bing's pages in three layouts since 2005.
PAGE = ResultPage(
    name="bing",
    title="Bing",
    hosts=_is_own,
    structure=_STRUCTURE,
    furniture=_FURNITURE,
    layouts=LAYOUTS,
    none_found=_none_found,
)
