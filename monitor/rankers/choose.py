"""Makes a ranker from its name, its numbers and its vectors."""

from collections.abc import Callable, Mapping

from monitor.model import InvalidInput
from monitor.rankers.choice import NAMES, NUMBERS, VECTOR_NAMES
from monitor.rankers.lexical import Bm25, QueryLikelihood, TfIdf
from monitor.rankers.ranking import Ranker
from monitor.rankers.vectors import RankerVectors, w2v_add, w2v_si

WITH_VECTORS = dict(zip(VECTOR_NAMES, (w2v_add, w2v_si), strict=True))
_BY_WORDS: Mapping[str, Callable[..., Ranker]] = {
    "bm25": Bm25,
    "query_likelihood": QueryLikelihood,
    "tf_idf": TfIdf,
}


def make_ranker(name: str, numbers: Mapping[str, str], vectors: RankerVectors | None) -> Ranker:
    """The ranker of this name; `numbers` has those that it takes, and others are not looked at."""
    if name in WITH_VECTORS:
        if vectors is None:
            raise InvalidInput(f"{name} needs vectors")
        return WITH_VECTORS[name](vectors)
    if name not in NUMBERS:
        raise InvalidInput(f"unknown ranker {name!r}; known: {', '.join(NAMES)}")
    parameters = {key: float(numbers[key]) for key in NUMBERS[name] if key in numbers}
    return _BY_WORDS[name](**parameters)
