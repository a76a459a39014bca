"""The share of questions for which a search engine shows a text by a model."""

from dataclasses import dataclass
from enum import IntEnum, auto

from monitor.measures._shared import SCORE, Facts, ProbeCounts, make_quantity
from monitor.measures.entities._entity_sums import Ratio
from monitor.measures.overviews._overview_sums import OverviewSums, list_answered
from monitor.model import Floats, OverviewState, Quantity, Unit, Validity
from monitor.stats.intervals import Limits


class _Sum(IntEnum):
    """Columns of the sums."""

    SHOWN = 0  # share of shown among the answers that are not loading
    KNOWN = auto()  # 1 if any answer is not loading
    DECLINED = auto()  # shares of all answers
    UNAVAILABLE = auto()
    LOADING = auto()
    ANSWERED = auto()


_RATIOS = {
    "overview_rate": Ratio(_Sum.SHOWN, _Sum.KNOWN),
    "overview_declined": Ratio(_Sum.DECLINED, _Sum.ANSWERED),
    "overview_unavailable": Ratio(_Sum.UNAVAILABLE, _Sum.ANSWERED),
    "overview_loading": Ratio(_Sum.LOADING, _Sum.ANSWERED),
}


def _state(name: str, words: str) -> Quantity:
    return make_quantity(
        name, f"share of answers whose overview {words}", f"questions whose AI overview {words}",
        SCORE, "share", "does so for more questions", "does so for fewer questions",
    )  # fmt: skip


QUANTITIES = (
    make_quantity(
        "overview_rate", "share of questions for which an overview was shown",
        "questions with an AI overview", SCORE, "share",
        "shows an AI overview for more questions", "shows an AI overview for fewer questions",
        rank=1,
    ),
    _state("overview_declined", "was declined"),
    _state("overview_unavailable", "could not be written"),
    _state("overview_loading", "did not come in time"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class OverviewRate(OverviewSums):
    """How often a search engine shows a text by a model above its results.

    overview_rate = questions with a shown overview / questions with an answer in which none was
    still loading; repeats of a question are averaged. Declined and unavailable overviews, and
    answers without any, count as not shown. A missing answer and one that was still loading are
    neither; the bounds let all of them show one, or none. The other shares are over all answers.
    """

    name = "overview_rate"
    title = "rate of AI overviews"
    version = 2
    citation = "monitor, docs/methods.md: AI overviews"
    quantities = QUANTITIES
    primaries = ("overview_rate",)
    columns = len(_Sum)
    shares = _RATIOS
    validity = Validity(
        means="How often people who ask these questions meet a text by a model first.",
        does_not_mean="Nothing about what the texts say, or whether they are right.",
        assumes="That the region, the device and a visitor without an account are like others.",
        harm="Allocational: sites below a text by a model are visited less.",
    )

    def unit(self, unit: Unit) -> tuple[float, ...] | None:
        """Return what one question adds to each sum; None without a usable answer."""
        states = [overview.state for overview in list_answered(unit)]
        if not states:
            return None
        known = [state for state in states if state is not OverviewState.LOADING]
        further = (OverviewState.DECLINED, OverviewState.UNAVAILABLE, OverviewState.LOADING)
        return (
            known.count(OverviewState.SHOWN) / len(known) if known else 0.0,
            float(bool(known)),
            *(states.count(state) / len(states) for state in further),
            1.0,
        )

    def describe_sums(self, sums: Floats) -> Facts:
        """Return the number of questions by the state of their overview, repeats averaged."""
        return tuple((f"n_{column.name.lower()}", float(sums[column])) for column in _Sum)

    def _bounds(self, quantity: Quantity, sums: Floats, counts: ProbeCounts) -> Limits | None:
        ratio = self.shares[quantity.name]
        missing = counts.planned - float(sums[ratio.below])
        above = float(sums[ratio.above])
        return Limits(above / counts.planned, (above + missing) / counts.planned)


MEASURE = OverviewRate()
