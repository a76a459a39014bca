"""Result pages that people donate to the archive (`monitor donate`).

A tick is a week. Each question is put once for every donor who gave a page of it in that week.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from monitor.engines.files.saved_pages import SYSTEMS, SavedPages
from monitor.model import DONATED, DONOR, DonatedRequest, Json, Needs, Parameter, Probe


@dataclass(frozen=True, slots=True)
class DonatedPages(SavedPages):
    """The engine. Its runs are due on the Mondays of weeks that have ended."""

    name: str = "donated_pages"
    title: str = "Result pages that donors gave"
    version: int = 1
    surface: str = DONATED
    parameters: tuple[Parameter, ...] = (
        Parameter("system", "whose pages are meant", required=True, choices=SYSTEMS),
    )
    needs: Needs = Needs(
        independence="none: a signed-in browser knows whose it is, which donated pages are for",
        limits="none; asks nobody",
        notes="a tick is a week, Monday to Sunday (UTC), and is run once it has ended. Numbers are "
        "of five donors or more. See docs/donate.md",
    )

    def refusal(self, source_lang: str, target_lang: str, config: Mapping[str, Json]) -> str:
        """Refuse nothing: what donors give is checked when it is added."""
        return ""

    def request(self, probes: Sequence[Probe], config: Mapping[str, Json]) -> DonatedRequest:  # type: ignore[override]
        """The page of one donor for one question in one region."""
        [probe] = probes
        donor = dict(probe.parameters).get(DONOR, "")
        return DonatedRequest(donor, str(config["system"]), probe.text, probe.region)


ENGINE = DonatedPages()
