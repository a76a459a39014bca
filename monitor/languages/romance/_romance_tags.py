"""Tags, gender and kind of a word of a Romance language.

A word may carry several tags; the reader decides by position. :class:`Word` is what a lexicon
makes of one surface form.
"""

import re
import unicodedata
from typing import NamedTuple

from monitor.languages._plain_text import shorten
from monitor.model import Gender

M, F = Gender.MASCULINE, Gender.FEMININE

EU = 1 << 0  # I: eu, yo, jo
ME = 1 << 1  # the clitic
TO_ME = 1 << 2  # mim, comigo; mí, conmigo
OTHER = 1 << 3  # pronouns of other persons
DETERMINER = 1 << 4
PREPOSITION = 1 << 5
SUBORDINATOR = 1 << 6
COORDINATOR = 1 << 7
ADVERB = 1 << 8
COPULA = 1 << 9
ME_VERB = 1 << 10
FIRST = 1 << 11  # a verb that only the first person has
MAYBE_FIRST = 1 << 12  # such a verb, or a noun
OTHER_VERB = 1 << 13
SAYING = 1 << 14
COMO = 1 << 15  # as, like
WHEN = 1 << 16  # when, since
SELF = 1 << 17  # mesmo, mismo, mateix
OBRIGADO = 1 << 18  # thanks that agree with the speaker
SOZINHO = 1 << 19  # alone
CLITIC = 1 << 20  # me, te, se, o, lhe: between the subject and the verb
TIME = 1 << 21
PEOPLE = 1 << 22  # somebody else who could be meant
COMMA = 1 << 23
STOP = 1 << 24  # end of a sentence
BREAK = 1 << 25  # another boundary of clauses
SLASH = 1 << 26
PUNCTUATION = COMMA | STOP | BREAK | SLASH
LATIN = 1 << 27
QUOTE = 1 << 28
KNOWN = 1 << 29  # in some list, or with an ending of the language
MARKED = 1 << 30  # written as a double or inclusive form
GENDERED = 1 << 31  # an adjective or a noun for a person that shows a gender
THIRD = 1 << 32  # a copula that the first person cannot have
CONTROL = 1 << 33  # to help, to teach: an infinitive after it belongs to its object
LEAVES = 1 << 34  # to leave, find, see: what follows may be said of its object
AUXILIARY = 1 << 35  # may stand between a climbed clitic and its verb
ONE_FORM = 1 << 36  # a noun for a person whose article tells the gender
ENCLITIC = 1 << 37  # a verb that holds the clitic: sentirme

OR = 1 << 38
BRACKET = 1 << 39  # beside BREAK: what it opens may be an ending
COLON = 1 << 40  # beside BREAK

# How sure it is that a word is an adjective said of people.
HUMAN, LISTED, SUFFIX, LOOSE, NOT_ADJECTIVE = 4, 3, 2, 1, 0
# What kind of noun for a person it is.
NO_NOUN, PAIR, COMMON, AGENT, FIXED = 0, 1, 2, 3, 4


class Word(NamedTuple):
    """A word's folded form and every reading it may have."""

    key: str
    tags: int = 0
    copula: str = ""  # lemma
    person: str = ""  # 1, A, I, G, P, 3 as in the word lists
    me_lemma: str = ""
    gender: Gender | None = None
    adjective: int = NOT_ADJECTIVE
    noun: int = NO_NOUN
    base: str = ""  # masculine form
    language: int = 0  # evidence for (+) or against (-) the language
    determiner: Gender | None = None


_MARKS = re.compile(r"[\u200b-\u200f\u2060\ufeff\u00ad]")


def clean(surface: str) -> str:
    """Lower case, composed, without invisible characters and drawn-out letters."""
    return shorten(unicodedata.normalize("NFC", _MARKS.sub("", surface).casefold()))


def fold(text: str) -> str:
    """`text` without accents."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFD", text)
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def folded(words: str) -> frozenset[str]:
    """A word list, without accents."""
    return frozenset(fold(words).split())
