"""The English stop list of the Indri search engine, without the words that name a gender.

Fabris et al. (2020, section 4.1) drop stop words before genderedness is averaged, but keep the
gendered ones, which are what is measured.
"""

from functools import cache
from importlib.resources import files

#: Words of the list that are not dropped, because they name a gender.
KEPT = frozenset("she her hers herself he him his himself mr mrs ms".split())


def _read_words() -> frozenset[str]:
    name = "english_stopwords.txt"
    return frozenset(files("monitor.data").joinpath(name).read_text(encoding="utf-8").split())


#: What is dropped from queries and documents before genderedness is averaged.
STOP: frozenset[str] = _read_words() - KEPT


@cache
def stop_words(*, published: bool = False) -> frozenset[str]:
    """The stop words; `published` drops `him` too, as the numbers of the paper did."""
    return STOP | {"him"} if published else STOP
