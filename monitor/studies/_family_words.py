"""Which sentences name the family: sentences and words in, whether each has one of them out."""

import re
from collections.abc import Callable, Sequence

#: The nouns of a family in both numbers, and its own. Not the paper's list, which is not at hand.
WORDS = (
    "family", "families", "parent", "parents", "mother", "mothers", "father", "fathers", "mom",
    "mum", "dad", "child", "children", "kid", "kids", "baby", "babies", "son", "sons", "daughter",
    "daughters", "brother", "brothers", "sister", "sisters", "sibling", "siblings", "husband",
    "husbands", "wife", "wives", "grandparents", "grandmother", "grandfather", "grandchildren",
    "aunt", "uncle", "cousin", "niece", "nephew",
)  # fmt: skip


def finder(words: Sequence[str], *, inside: bool) -> Callable[[str], bool]:
    """Whether a sentence has one of the words: whole, or with `inside` also within longer ones."""
    joined = "|".join(re.escape(word) for word in words)
    pattern = re.compile(joined if inside else rf"\b(?:{joined})\b", re.IGNORECASE)
    return lambda text: pattern.search(text) is not None
