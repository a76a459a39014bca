"""Spanish and Portuguese: endings that both share."""

import re
from collections.abc import Iterable

from monitor.entities._romance import RomanceReader
from monitor.entities._romance_grammar import F, M
from monitor.model import Gender

#: Endings of nouns for persons.
AGENT = re.compile(
    r"(?P<masculine>(?:dor|tor|sor|logo)(?:e?s)?$)|(?P<feminine>(?:dora|tora|sora|loga|triz)s?$)"
)
#: Endings of forms beyond the two genders.
INCLUSIVE = re.compile(r"(?<=[^\W\d_]{3})(?:[x@*]|[x@*]s)$")


def gender_of_ending(low: str) -> Gender | None:
    """Return the gender of an adjective or a participle in -o, -a."""
    vowel = low.removesuffix("s")[-1:]
    return {"o": M, "a": F}.get(vowel)


class IberianReader(RomanceReader):
    """Base of the readers of Spanish and Portuguese."""

    def singulars(self, low: str) -> Iterable[str]:
        """Yield "atenta" of "atentas", "leitor" of "leitores", "cristão" of "cristãos"."""
        if low.endswith("es"):
            yield low[:-2]
        if low.endswith("s"):
            yield low[:-1]
