"""Closed classes and endings of a Romance language."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from monitor.data import read_toml
from monitor.model import Gender

M, F = Gender.MASCULINE, Gender.FEMININE


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """The closed classes of one language; all words are folded, unless said otherwise."""

    masculine_determiners: frozenset[str]
    feminine_determiners: frozenset[str]
    other_determiners: frozenset[str]
    inclusive_determiners: frozenset[str]
    #: In small letters with their accents.
    masculine_pronouns: frozenset[str]
    feminine_pronouns: frozenset[str]
    #: Pronouns that stand for things as well, of less weight.
    weak_masculine_pronouns: frozenset[str]
    weak_feminine_pronouns: frozenset[str]
    #: Object pronouns before a verb, which are articles before a noun.
    masculine_clitics: frozenset[str]
    feminine_clitics: frozenset[str]
    clitics: frozenset[str]
    articles: frozenset[str]
    datives: frozenset[str]  # of the clitics
    copulas: frozenset[str]
    auxiliaries: frozenset[str]  # of the compound tenses whose participle does not agree
    negations: frozenset[str]
    prepositions: frozenset[str]
    conjunctions: frozenset[str]
    relatives: frozenset[str]
    alternatives: frozenset[str]  # or
    #: Words by which the language is recognised.
    function_words: frozenset[str]
    #: Forms of person nouns that mean a thing as often.
    ambiguous: frozenset[str]
    #: Endings that both genders are offered with: "enfermero/a".
    tails: str
    signs: str = "·•‧⋅"  # between a form and its ending
    ones: frozenset[str]  # one, as a pronoun
    #: Person nouns that are participles as well, unless an article stands before them.
    participial: re.Pattern[str] | None = None
    verb: re.Pattern[str]  # forms that are verbs of the third person
    enclitic: re.Pattern[str] | None  # a verb with an object pronoun; group `vowel`
    feminine_thing: re.Pattern[str]  # nouns for things, feminine by their ending
    masculine_thing: re.Pattern[str]
    #: Words whose form without an article is more than one word: "dell'", as determiners.
    participle: re.Pattern[str]
    #: Endings whose accents are kept.
    kept_ending: re.Pattern[str] | None = None
    #: The ending of forms beyond the two genders, and that of the masculine in its place.
    inclusive: re.Pattern[str] | None = None
    sign_ending: str = "o"
    gender_of_ending: Callable[[str], Gender | None]  # of adjectives and participles
    neuter_subjects: frozenset[str]  # it, this: no persons
    agent: re.Pattern[str]  # endings of nouns for persons; groups masculine and feminine
    plural: re.Pattern[str]  # endings of the plural
    plural_form: re.Pattern[str]  # plurals of nouns, adjectives and pronouns
    plural_verb: re.Pattern[str]  # endings of verbs in the plural
    selves: frozenset[str]  # "herself", as it agrees
    reflexives: frozenset[str]
    adverb: re.Pattern[str]
    infinitive: re.Pattern[str]
    abstract: re.Pattern[str]  # endings of nouns that name no person
    #: Adjectives of one form for both genders that end as feminine ones do.
    epicene: re.Pattern[str] | None = None
    #: The gender of a form of a noun with one singular ("giornalisti").
    common_form: Callable[[str], Gender | None] | None = None
    #: Spellings whose accents are kept, since they tell two words apart.
    accented: frozenset[str] = field(default_factory=frozenset)


def read_grammar(name: str, **rules: Any) -> Grammar:  # noqa: ANN401 - as the fields say
    """Return the grammar with the word lists of `monitor/data/<name>.toml`, and with rules."""
    lists: dict[str, Any] = {key: frozenset(text.split()) for key, text in read_toml(name).items()}
    return Grammar(**lists, **rules)
