"""Makes a ranker from its name, its numbers and its vectors; and spells such a choice."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from monitor.model import InvalidInput
from monitor.rankers.index import is_name
from monitor.rankers.lexical import Bm25, QueryLikelihood, TfIdf
from monitor.rankers.ranking import Ranker
from monitor.rankers.vectors import RankerVectors, w2v_add, w2v_si

#: The numbers that each ranker takes, without those that need vectors.
NUMBERS: Mapping[str, tuple[str, ...]] = {
    "bm25": ("k1", "b"),
    "query_likelihood": ("mu",),
    "tf_idf": (),
}
WITH_VECTORS = {"w2v_add": w2v_add, "w2v_si": w2v_si}
NAMES = (*NUMBERS, *WITH_VECTORS)
_BY_WORDS: Mapping[str, Callable[..., Ranker]] = {
    "bm25": Bm25,
    "query_likelihood": QueryLikelihood,
    "tf_idf": TfIdf,
}
_SPELLED = re.compile(r"([a-z0-9_]+)(?::([^:@+]+))?@([^:@+]+)(\+swapped)?")


@dataclass(frozen=True, slots=True)
class Choice:
    """A ranker with its vectors over an index, and whether also over its swapped documents."""

    ranker: str
    index: str
    vectors: str = ""
    counterfactual: bool = False

    def __str__(self) -> str:
        """`bm25@news`, `w2v_add:glove-hard@news+swapped`."""
        vectors = f":{self.vectors}" if self.vectors else ""
        return f"{self.ranker}{vectors}@{self.index}{'+swapped' if self.counterfactual else ''}"

    @property
    def fault(self) -> str:
        """Return what is wrong with it in a few words, or nothing."""
        if self.ranker not in NAMES:
            return f"ranker = {self.ranker!r}: must be one of {', '.join(NAMES)}"
        if not is_name(self.index):
            return f"index = {self.index!r}: no name of an index"
        if (self.ranker in WITH_VECTORS) != bool(self.vectors):
            verb = "needs vectors" if self.ranker in WITH_VECTORS else "takes no vectors"
            return f"ranker = {self.ranker!r} {verb}"
        if self.vectors and not is_name(self.vectors):
            return f"vectors = {self.vectors!r}: no name of vectors"
        return ""


def read_choice(spelled: str) -> Choice:
    """The choice that was spelled so. Raises InvalidInput."""
    match = _SPELLED.fullmatch(spelled)
    choice = Choice(match[1], match[3], match[2] or "", bool(match[4])) if match else None
    if choice is None or choice.fault:
        raise InvalidInput(f"{spelled!r}: {choice.fault if choice else 'no ranker@index'}")
    return choice


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
