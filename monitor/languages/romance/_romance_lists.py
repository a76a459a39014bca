"""The word lists that a Romance language brings: `monitor/data/person_words_CODE.toml`.

A list stands in one text. Accents are folded away, because machine translations and web pages lose
them, but not those of the lists under `[accented]`. Words under `[tags]` have the tags that their
list is named after.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from monitor.data import read_toml
from monitor.languages._clauses import read_words
from monitor.languages.romance import _romance_tags as lex
from monitor.languages.romance._romance_tags import fold

Words = frozenset[str]


@dataclass(frozen=True)
class WordLists:
    """Word lists of one language; one that it does not need is empty."""

    tags: Mapping[str, int]  # of folded words
    epicene_endings: str  # last letters of unlisted adjectives with one form
    small: str  # the first six letters of "small", said of a childhood
    make: str  # lemma of the verb that makes somebody something
    quantities: Words
    one: Words
    wholly: Words
    superlative: Words
    so: Words  # "so" before an adjective
    how: Words  # before an adjective of degree: "lo estricta que soy"
    having: Words  # auxiliaries of compound tenses whose participle agrees with nobody
    always: Words  # adverbs that part a noun from an adjective said of the subject
    not_manner: Words  # adjectives that are adverbs after a verb
    kinds: Words  # "kind": names a person only where no "of" follows
    maybe: Words  # verbs before "que" that have no subject of their own: "puede que"
    neuters: Words  # "this", "that": subjects before the verb, objects after it
    infinitives: tuple[str, ...]  # their endings
    imperfects: tuple[str, ...]  # endings of a tense that an unlisted verb may have
    complements: Mapping[str, Words]  # adjectives, of people before these prepositions
    impersonal: Words  # lemmas of copulas that need no subject
    gerunds: tuple[str, ...]  # their endings
    into: Words  # prepositions before a noun without an article: "em silêncio"
    not_articles: Words
    like_nouns: Words
    those: Words
    after_those: Words  # "soy la que manda"
    what: bool  # whether "o que", the masculine of "the one who", is also "what"
    that: Words  # conjunctions that are relative pronouns too
    among: Words
    articles: Words
    elided: Words  # articles that show no gender; what follows them does
    mine: Words
    abbreviations: Words
    acts: Words  # participles of what is done to people
    depictive: Words
    working: Words
    becoming_nouns: Words
    likening: Words  # lemmas of copulas with "as, like"
    plural_saying: Words  # said by others of somebody: whom but the speaker?
    me_bare: Words
    me_de: Words
    me_in: Words
    me_como: Words
    me_strict: Words
    making: Words
    judging: Words
    future_subjunctive: Words
    subjunctives: Words  # of copulas, where the first and the third person are alike
    same_subject: Words  # before "que": "once", "unless", whose clause may keep the subject
    posts: Words
    role_prepositions: Words  # after a verb of working: "trabajo de camarera"
    not_after_self: Words
    not_before_as: Words
    sexes: Words  # "woman", "man": after "as" they say who speaks
    before_que: Words
    prenominal: Words
    not_fronted: Words
    irregular_participles: Words
    things: Words
    by_accent: Mapping[str, int]  # of words that only their accent tells from another
    masculine_determiners: Words
    feminine_determiners: Words
    object_control: tuple[str, ...]
    leaving: tuple[str, ...]  # beginnings of verbs of leaving and finding
    seeing: str  # lemma
    fixed_nouns: Words
    common_nouns: Words
    epicene_adjectives: Words
    not_inclusive: Words
    chat: Mapping[str, str]  # spellings of chats: {spelling: word}
    letters: str  # letters that other Romance languages lack
    own_words: Words
    foreign_words: Words
    human_adjectives: Words  # said of people
    other_adjectives: Words
    adjective_pairs: str  # masculine/feminine, where no ending tells
    role_pairs: str  # nouns for people, masculine/feminine
    role_masculines: Words  # whose feminine follows from their ending
    first_verbs: Words  # of the first person
    sure_first: Words  # of these, what is nothing else
    not_sure_first: Words  # of these, nouns too unless a verb is due at their place
    not_first: Words  # what only ends like a first person
    not_preterite: Words
    living: Words  # verbs before "solo", alone
    regular_forms_of: Words  # copulas whose other forms are regular
    regular_me_verbs: Words
    irregular_copulas: Mapping[str, list[str]]  # by lemma: "1 suis", person and forms
    irregular_me_verbs: Mapping[str, str]  # said of "me", by lemma
    ages: Words  # what a child is called after `age_openers`
    age_openers: Words
    said_by_many: Words  # Catalan, before "dir": "em van dir que"
    degrees: Words  # Romanian
    indirect: Words  # French participles after whose "me" another object stands: to me
    to_myself: Words  # of these, what agrees with nobody in "je me suis dit"
    having_others: Words  # French

    @property
    def listed_adjectives(self) -> Words:
        """Return adjectives and participles that are not only said of people."""
        return self.other_adjectives | self.irregular_participles


def read_lists(name: str) -> WordLists:
    """Return the lists of `monitor/data/<name>.toml`. Raises TypeError for an unknown list."""
    data = read_toml(name)
    accented = data.pop("accented")
    spelled = read_words(accented.pop("tags", {}), vars(lex))
    tags = {key: fold(text) for key, text in data.pop("tags").items()}
    by_accent, chat = data.pop("by_accent"), data.pop("chat")
    lists: dict[str, Any] = {
        field.name: _convert(field.type, data.pop(field.name, None)) for field in fields(WordLists)
    }
    lists |= {key: frozenset(text.split()) for key, text in accented.items()}
    determiners = lists["masculine_determiners"] | lists["feminine_determiners"]
    entries = [(bits, [word]) for word, bits in spelled.items()]
    lists["tags"] = read_words(tags, vars(lex), (lex.DETERMINER, determiners), *entries)
    lists["by_accent"] = read_words(by_accent, vars(lex))
    lists["chat"] = dict(pair.split("/") for pair in chat.split())
    return WordLists(**lists, **data)


def _convert(kind: object, value: Any) -> object:  # noqa: ANN401 - as TOML has it
    """Return a list of the kind that its field has; an empty one for None."""
    if kind == Words:
        return frozenset(fold(value or "").split())
    if kind == tuple[str, ...]:
        return tuple((value or "").split())
    if kind == Mapping[str, Words]:
        return {key: frozenset(fold(words).split()) for key, words in value.items()}
    return ("" if kind is str else False if kind is bool else {}) if value is None else value
