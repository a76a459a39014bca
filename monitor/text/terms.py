"""Groups of terms that stand for groups of people in a text, and the share each group should have.

`Terms` are checked word lists by group, in lower case, with one target share per group. The lists
that ship are those of Rekabsaz et al. (2021) and, for entities, of Appendix B of Fabris et al.
(2020).
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from monitor.data import read_table
from monitor.model import InvalidInput, digest
from monitor.text.tokens import tokens

_FEWEST_GROUPS = 2
_SUM_WITHIN = 1e-9
_WITHOUT_NAMES = ("pronoun", "noun")
_WITH_NAMES = (*_WITHOUT_NAMES, "name")


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms by group, in the order given, and the target share of each group."""

    groups: tuple[tuple[str, frozenset[str]], ...]
    targets: tuple[float, ...]

    @classmethod
    def of(
        cls, mapping: Mapping[str, Iterable[str]], targets: Mapping[str, float] | None = None
    ) -> "Terms":
        """Checked groups; equal shares unless targets are given. Raises InvalidInput."""
        if len(mapping) < _FEWEST_GROUPS:
            raise InvalidInput(f"terms: {len(mapping)} group(s) given; at least two are needed")
        groups = tuple((name, _check_terms(name, listed)) for name, listed in mapping.items())
        _refuse_shared(groups)
        names = [name for name, _ in groups]
        return cls(
            groups, _equal_targets(names) if targets is None else _given_targets(names, targets)
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the groups, in their order."""
        return tuple(name for name, _ in self.groups)

    @property
    def digest(self) -> str:
        """SHA-256 of groups, terms and targets."""
        groups = [[name, sorted(listed)] for name, listed in self.groups]
        return digest({"groups": groups, "targets": list(self.targets)})


def _check_terms(group: str, listed: Iterable[object]) -> frozenset[str]:
    """The terms of one group in lower case. Raises InvalidInput naming one that is no token."""
    if isinstance(listed, str):
        raise InvalidInput(f"terms: {group}: a list of terms is needed, not the text {listed!r}")
    terms_read = set()
    for term in listed:
        if not isinstance(term, str) or tokens(term) != [lowered := term.strip().lower()]:
            raise InvalidInput(f"terms: {group}: {term!r} is not one word of letters and digits")
        terms_read.add(lowered)
    if not terms_read:
        raise InvalidInput(f"terms: {group}: the list of terms is empty")
    return frozenset(terms_read)


def _refuse_shared(groups: Iterable[tuple[str, frozenset[str]]]) -> None:
    owner: dict[str, str] = {}
    for name, listed in groups:
        for term in sorted(listed):
            if term in owner:
                raise InvalidInput(f"terms: {term!r} is in two groups: {owner[term]} and {name}")
            owner[term] = name


def _equal_targets(names: Sequence[str]) -> tuple[float, ...]:
    return (1 / len(names),) * len(names)


def _given_targets(names: Sequence[str], targets: Mapping[str, float]) -> tuple[float, ...]:
    if set(targets) != set(names):
        raise InvalidInput(
            f"terms: targets are given for {', '.join(sorted(targets)) or 'no group'}; "
            f"the groups are {', '.join(names)}"
        )
    for name in names:
        if not 0 <= targets[name] <= 1:
            raise InvalidInput(f"terms: target of {name}: {targets[name]} is not within 0 and 1")
    total = math.fsum(targets.values())
    if abs(total - 1) > _SUM_WITHIN:
        raise InvalidInput(f"terms: the targets add up to {total}, not to 1")
    return tuple(float(targets[name]) for name in names)


@cache
def default_terms(*, names: bool = False) -> Terms:
    """Women and men by pronouns and nouns, and by given names only where asked for.

    Several of the names are also towns, common words or family names (Sydney, Gay, Taylor).
    """
    sorts = _WITH_NAMES if names else _WITHOUT_NAMES
    return _shipped_terms([row for row in read_table("group_terms") if row["sort"] in sorts])


@cache
def entity_terms() -> Terms:
    """Words for female and male entities, for the direct stereotypes of a list."""
    return _shipped_terms(read_table("gender_entities"))


def _shipped_terms(rows: Sequence[Mapping[str, str]]) -> Terms:
    groups: dict[str, list[str]] = {"women": [], "men": []}
    for row in rows:
        groups[row["group"]].append(row["word"])
    return Terms.of(groups)
