"""Witnesses: what the rules find in the clauses of a text."""

from typing import TypeAlias

from monitor.languages.slavic._slavic_tags import DOUBLED, INCLUSIVE, Clause, Rule
from monitor.model import Gender

#: Token, gender, name of the rule.
Found: TypeAlias = tuple[int, Gender, str]


def apply(rules: tuple[Rule, ...], clauses: list[Clause]) -> list[Found]:
    """Every witness that `rules` find, in the order of the text."""
    found: dict[int, Found] = {}
    for clause in clauses:
        union = clause.union
        for rule in rules:
            shown = rule.shown
            if not union & shown or union & rule.bars or (rule.needs and not union & rule.needs):
                continue
            for i, word in enumerate(clause.tags):
                if not word & shown:
                    continue
                at = clause.at[i]
                if at not in found and (not rule.fits or rule.fits(clause, i)):
                    found[at] = (at, _gender(word, rule), rule.name)
    return [found[at] for at in sorted(found)] if len(found) > 1 else list(found.values())


def _gender(word: int, rule: Rule) -> Gender:
    if word & DOUBLED or (word & rule.masculine and word & rule.feminine):
        return Gender.BOTH
    if word & INCLUSIVE:
        return Gender.INCLUSIVE
    return Gender.MASCULINE if word & rule.masculine else Gender.FEMININE
