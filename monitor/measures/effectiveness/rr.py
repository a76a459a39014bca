"""RR: ranked lists and relevance judgements in, mean reciprocal rank out."""

from dataclasses import dataclass
from typing import ClassVar

from monitor.measures._parameters import whole
from monitor.measures.effectiveness._effectiveness import (
    Effectiveness,
    JudgedLists,
    make_quantity,
    reciprocal_rank,
    validity,
)
from monitor.model import Floats, Quantity, Validity


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

    name: ClassVar[str] = "RR"
    version: ClassVar[int] = 2
    citation: ClassVar[str] = (
        "Kantor, P. B., Voorhees, E. M. (2000). The TREC-5 confusion track: comparing retrieval "
        "methods for scanned text. Information Retrieval 2(2), 165-176"
    )
    quantities: ClassVar[tuple[Quantity, ...]] = make_quantity(
        "reciprocal_rank", "mean reciprocal rank"
    )
    validity: ClassVar[Validity] = validity(
        "How early the first document that was judged relevant comes, as one over its rank.",
    )

    def of(self, found: JudgedLists) -> Floats:
        return reciprocal_rank(found, self.rel)


MEASURE = RR()
