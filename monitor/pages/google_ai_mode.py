"""Read pages of Google's AI Mode: the answer that a model writes, with the pages that it cites.

Such a page has no list of results. Of a conversation the answer to the first question is read.
"""

from dataclasses import dataclass

from monitor.model import Outcome, Reading
from monitor.pages._google_elements import is_own
from monitor.pages._google_overview import is_ai_mode, read_ai_mode
from monitor.pages._html import read_document
from monitor.pages._results import malformed_reading, rank_hits
from monitor.pages._walls import find_wall
from monitor.text.person_names import add_overview_people

_SURE, _LIKELY = 1.0, 0.9


@dataclass(frozen=True, slots=True)
class GoogleAiMode:
    """Pages of AI Mode, also those that were saved without their address."""

    name: str = "google_ai_mode"
    title: str = "Google, AI Mode"
    version: int = 2

    def sniff(self, body: bytes, url: str = "") -> float:
        """Return how sure it is that a page is one of AI Mode."""
        page = read_document(body, url)
        if not body.strip() or not is_ai_mode(page) or (page.host and not is_own(page.host)):
            return 0.0
        return _SURE if page.host else _LIKELY

    def parse(self, body: bytes, url: str = "") -> Reading:
        """The answer, in the block of overviews, and whom it names, or why there is none."""
        page = read_document(body, url)
        hit = read_ai_mode(page)
        if hit is None:
            nothing = malformed_reading("no answer, and no word that none could be given")
            return find_wall(page, 0) or nothing
        detail = f"layout: ai mode; {hit.state}"
        return add_overview_people(Reading(Outcome.OK, rank_hits([hit]), detail=detail))


PAGE = GoogleAiMode()
