"""P: ranked lists and relevance judgements in, precision at a rank out."""

from dataclasses import dataclass

from monitor.measures._shared import whole
from monitor.measures.effectiveness._judged_lists import (
    Effectiveness,
    JudgedLists,
    precision_at,
    score_quantity,
    validity,
)
from monitor.model import Floats


@dataclass(frozen=True, slots=True)
class P(Effectiveness):
    """Precision at a rank, as trec_eval's `P`.

    P@k = relevant documents among the first k, over k also where the list is shorter. In [0, 1]; it
    has no neutral point. Documents without a judgement count as not relevant. A query without a
    relevant document, or judged and not run, has no value (`queries_not_run`).

    `cutoff`: k. `rel`: the least grade that is relevant.
    """

    cutoff: int = whole(10, 1)
    rel: int = whole(1, 1)

    name = "P"
    title = "precision"
    version = 2
    citation = (
        "Buckley, C., Voorhees, E. M. (2005). Retrieval system evaluation. In TREC: Experiment and "
        "Evaluation in Information Retrieval. MIT Press"
    )
    quantities = score_quantity("precision", "precision at the cut-off")
    validity = validity(
        "The share of the first results that were judged relevant.",
    )

    def of(self, found: JudgedLists) -> Floats:
        return precision_at(found, self.rel, self.cutoff)


MEASURE = P()
