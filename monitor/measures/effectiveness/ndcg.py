"""nDCG: ranked lists and graded relevance judgements in, normalised discounted gain out."""

from dataclasses import dataclass

from monitor.measures._shared import choice, whole
from monitor.measures.effectiveness._judged_lists import (
    Effectiveness,
    JudgedLists,
    exponential_gain,
    linear_gain,
    ndcg,
    score_quantity,
    validity,
)
from monitor.model import Floats

GAINS = {"linear": linear_gain, "exp": exponential_gain}


@dataclass(frozen=True, slots=True)
class NDCG(Effectiveness):
    """Normalised discounted cumulative gain at a rank, as trec_eval's `ndcg_cut`.

    nDCG@k = sum of gain(grade)/log2(r + 1) over the first k ranks, over the same sum for the best
    order of all judged documents, found or not. In [0, 1]; it has no neutral point. Documents
    without a judgement, or with a negative grade, gain nothing. A query without a positive grade,
    or judged and not run, has no value (`queries_not_run`).

    `cutoff`: k. `gain`: "linear", the grade itself; "exp", 2^grade - 1.
    """

    cutoff: int = whole(10, 1)
    gain: str = choice("linear", GAINS)

    name = "nDCG"
    title = "discounted gain (nDCG)"
    version = 2
    citation = (
        "Järvelin, K., Kekäläinen, J. (2002). Cumulated gain-based evaluation of IR techniques. "
        "ACM Transactions on Information Systems 20(4), 422-446"
    )
    quantities = score_quantity("ndcg", "normalised discounted cumulative gain")
    validity = validity(
        "How much of the judged relevance of the best possible order the first results have, "
        "higher ranks counting more; 1 is all of it."
    )

    def of(self, found: JudgedLists) -> Floats:
        return ndcg(found, self.cutoff, GAINS[self.gain])


MEASURE = NDCG()
