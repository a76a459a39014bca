"""AP: ranked lists and relevance judgements in, mean average precision out."""

from dataclasses import dataclass

from monitor.measures._shared import whole
from monitor.measures.effectiveness._judged_lists import (
    Effectiveness,
    JudgedLists,
    average_precision,
    score_quantity,
    validity,
)
from monitor.model import Floats


@dataclass(frozen=True, slots=True)
class AP(Effectiveness):
    """Mean average precision, as trec_eval's `map` and `map_cut`.

    AP = sum over relevant documents found of the precision at their rank, over the number R of all
    relevant documents, found or not. In [0, 1]; it has no neutral point. Documents without a
    judgement count as not relevant. A query without a relevant document has no value (trec_eval
    gives it 0), and so has one that was judged and not run (ir_measures gives it 0); how many is
    in `queries_not_run`.

    `cutoff`: ranks that count, None all of them. `rel`: the least grade that is relevant.
    """

    cutoff: int | None = whole(None, 1)
    rel: int = whole(1, 1)

    name = "AP"
    title = "average precision"
    version = 2
    citation = (
        "Buckley, C., Voorhees, E. M. (2005). Retrieval system evaluation. In TREC: Experiment and "
        "Evaluation in Information Retrieval. MIT Press"
    )
    quantities = score_quantity("average_precision", "mean average precision")
    validity = validity(
        "How high the documents that were judged relevant stand in the lists; 1 is all of "
        "them first."
    )

    def of(self, found: JudgedLists) -> Floats:
        return average_precision(found, self.rel)


MEASURE = AP()
