"""The word lists that every Romance language brings; its module of lists fulfils these protocols.

Words are written without accents unless the accent tells two words apart.
"""

from collections.abc import Mapping
from typing import Protocol

Words = frozenset[str]


class ReaderLists(Protocol):
    """Words that the reader asks for by themselves."""

    EPICENE_ENDINGS: str  # last letters of unlisted adjectives with one form
    SMALL: str  # the first six letters of "small", said of a childhood
    MAKE: str  # lemma of the verb that makes somebody something
    QUANTITIES: Words
    ONE: Words
    OR: Words
    WHOLLY: Words
    SUPERLATIVE: Words
    SO: Words  # "so" before an adjective
    HOW: Words  # before an adjective of degree: "lo estricta que soy"
    HAVING: Words  # auxiliaries of compound tenses whose participle agrees with nobody
    ALWAYS: Words  # adverbs that part a noun from an adjective said of the subject
    NOT_MANNER: Words  # adjectives that are adverbs after a verb
    KINDS: Words  # "kind": names a person only where no "of" follows
    MAYBE: Words  # verbs before "que" that have no subject of their own: "puede que"
    NEUTERS: Words  # "this", "that": subjects before the verb, objects after it
    INFINITIVES: tuple[str, ...]  # their endings
    IMPERFECTS: tuple[str, ...]  # endings of a tense that an unlisted verb may have
    COMPLEMENTS: Mapping[str, Words]  # adjectives of people before these prepositions
    IMPERSONAL: Words  # lemmas of copulas that need no subject
    GERUNDS: tuple[str, ...]  # their endings
    INTO: Words  # prepositions before a noun without an article: "em silêncio"
    NOT_ARTICLES: Words
    LIKE_NOUNS: Words
    THOSE: Words
    AFTER_THOSE: Words  # "soy la que manda"
    WHAT: bool  # whether "o que", the masculine of "the one who", is also "what"
    THAT: Words  # conjunctions that are relative pronouns too
    AMONG: Words
    ARTICLES: Words
    ELIDED: Words  # articles that show no gender; what follows them does
    MINE: Words
    ABBREVIATIONS: Words
    ACTS: Words  # participles of what is done to people
    DEPICTIVE: Words
    WORKING: Words
    BECOMING_NOUNS: Words
    LIKENING: Words  # lemmas of copulas with "as, like"
    PLURAL_SAYING: Words  # said by others of somebody: whom but the speaker?
    ME_BARE: Words
    ME_DE: Words
    ME_IN: Words
    ME_COMO: Words
    ME_STRICT: Words
    MAKING: Words
    JUDGING: Words
    FUTURE_SUBJUNCTIVE: Words
    SUBJUNCTIVES: Words  # of copulas, where the first and the third person are alike
    SAME_SUBJECT: Words  # before "que": "once", "unless", whose clause may keep the subject
    POSTS: Words
    ROLE_PREPOSITIONS: Words  # after a verb of working: "trabajo de camarera"
    NOT_AFTER_SELF: Words
    NOT_BEFORE_AS: Words
    SEXES: Words  # "woman", "man": after "as" they say who speaks
    BEFORE_QUE: Words
    PRENOMINAL: Words
    NOT_FRONTED: Words
    IRREGULAR_PARTICIPLES: Words
    THINGS: Words


class WordLists(ReaderLists, Protocol):
    """Words that the lexicon needs besides."""

    TAGGED: tuple[tuple[Words, int], ...]  # tags of folded words
    BY_ACCENT: Mapping[str, int]  # words that only their accent keeps from being another one
    MASCULINE_DETERMINERS: Words
    FEMININE_DETERMINERS: Words
    OBJECT_CONTROL: tuple[str, ...]
    LEAVING: tuple[str, ...]  # beginnings of verbs of leaving and finding
    SEEING: str  # lemma
    FIXED_NOUNS: Words
    COMMON_NOUNS: Words
    EPICENE_ADJECTIVES: Words
    NOT_INCLUSIVE: Words
    CHAT: Mapping[str, str]  # spellings of chats: {spelling: word}
    LETTERS: str  # letters that other Romance languages lack
    OWN_WORDS: Words
    FOREIGN_WORDS: Words
