"""The choice of a ranker: its name, its index and its vectors, and how that is spelled."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from monitor.model import InvalidInput

#: The numbers that each ranker takes, without those that need vectors.
NUMBERS: Mapping[str, tuple[str, ...]] = {
    "bm25": ("k1", "b"),
    "query_likelihood": ("mu",),
    "tf_idf": (),
}
VECTOR_NAMES = ("w2v_add", "w2v_si")
NAMES = (*NUMBERS, *VECTOR_NAMES)
_SPELLED = re.compile(r"([a-z0-9_]+)(?::([^:@+]+))?@([^:@+]+)(\+swapped)?")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def is_name(text: str) -> bool:
    """Return whether an index, or vectors, can be called so."""
    return _NAME.fullmatch(text) is not None


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
        if (self.ranker in VECTOR_NAMES) != bool(self.vectors):
            verb = "needs vectors" if self.ranker in VECTOR_NAMES else "takes no vectors"
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
