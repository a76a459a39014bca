"""RR: ranked lists and relevance judgements in, mean reciprocal rank out."""

from dataclasses import dataclass

from monitor.measures._shared import whole
from monitor.measures.effectiveness._judged_lists import (
    Effectiveness,
    JudgedLists,
    reciprocal_rank,
    score_quantity,
    validity,
)
from monitor.model import Floats


@dataclass(frozen=True, slots=True)
class RR(Effectiveness):
    """Mean reciprocal rank, as trec_eval's `recip_rank`.

    RR = 1/r, r the rank of the first relevant document; 0 where none is found. In [0, 1]; it has no
    neutral point. Documents without a judgement count as not relevant. A query without a relevant
    document, or judged and not run, has no value (`queries_not_run`).

    `cutoff`: ranks that count, None all of them. `rel`: the least grade that is relevant.
    """

    cutoff: int | None = whole(None, 1)
    rel: int = whole(1, 1)

    name = "RR"
    title = "reciprocal rank"
    version = 2
    citation = (
        "Kantor, P. B., Voorhees, E. M. (2000). The TREC-5 confusion track: comparing retrieval "
        "methods for scanned text. Information Retrieval 2(2), 165-176"
    )
    quantities = score_quantity("reciprocal_rank", "mean reciprocal rank")
    validity = validity(
        "How early the first document that was judged relevant comes, as one over its rank.",
    )

    def of(self, found: JudgedLists) -> Floats:
        return reciprocal_rank(found, self.rel)


MEASURE = RR()
