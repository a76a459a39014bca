"""Arabic: the noun's form, with or without vowels; elsewhere verbs, adjectives and pronouns."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from importlib import resources

from monitor.entities._persons import NounGender
from monitor.entities._reader import Evidence, Token
from monitor.entities._votes import (
    MARK,
    VotingReader,
    combine_prefixes,
    invert,
    load_words,
    split_word,
)
from monitor.model import Gender

_PREFIXES = combine_prefixes(("", "و", "ف"), ("", "ال", "ب", "بال", "ك", "كال", "ل", "لل"))
_SUFFIXES = ("ه", "ها", "هم", "هما", "هن", "ك", "كم", "نا", "ي", "ني")
_VARIANTS = str.maketrans("أإآٱىؤئ", "اااايوي")
_OTHER_LETTERS = re.compile("[\u066e-\u06d3]")  # of Persian, Urdu and others
_PRONOUNS = {Gender.FEMININE: "هي وهي فهي", Gender.MASCULINE: "هو وهو فهو"}
_SUFFIXED = {
    Gender.FEMININE: "لها منها اليها عليها بها معها عنها انها لانها بانها وانها ولها فيها كانها",
    Gender.MASCULINE: "له منه اليه عليه به معه عنه انه لانه بانه وانه وله فيه كانه",
}


_FOLDED = {
    name: frozenset(word.translate(_VARIANTS) for word in words)
    for name, words in load_words("entity_words_ar").items()
}
#: Ends of adjectives of origin, which are attributes more often than persons.
_ATTRIBUTES = ("ي", "ية", "يا", "يين", "يون")
_THAT = ("ان", "انه", "انها")
#: A verb in the feminine says more: the masculine is also used of most things.
_FEMININE_VERB = 1.8
#: Weight of a verb before a definite noun, which is its subject or its object.
_BEFORE_DEFINITE = {Gender.FEMININE: 0.6, Gender.MASCULINE: 0.35}
_SHORTEST = 4  # letters of a word with a pronoun behind it


class Arabic(VotingReader):
    """Reader of Arabic translations."""

    code = "ar"
    name = "Arabic"
    version = 1
    decides = (
        "the noun's form; verbs, adjectives and pronouns where the noun is not found. "
        "Nobody whose language it is has checked the rules"
    )
    pronouns = invert(_PRONOUNS)
    suffixed = invert(_SUFFIXED)
    other_endings = frozenset("ة ت ات".split())
    alternatives = frozenset(["او"])
    things = _FOLDED["things"]

    def fold(self, form: str) -> str:
        """Return `form` without vowels and tatweel, with one letter for each alef, waw and ya."""
        return _fold(form)

    def split(self, key: str) -> tuple[str, ...]:
        """Return the word, then without prefixes, then without a pronoun behind it."""
        return _split(key)

    def inflect(self, lemma: str, gender: NounGender) -> Iterable[tuple[str, bool | None]]:
        """Yield singular, dual and plural in all cases."""
        if lemma[-1] == "+":
            yield lemma[:-1], True
            return
        yield lemma, False
        if gender is NounGender.FEMININE:
            stem = lemma.removesuffix("ة")
            for ending in ("ان", "ين"):
                yield f"{stem}ت{ending}" if stem != lemma else f"{lemma}{ending}", True
            yield f"{stem}ات", True
        if len(lemma) < _SHORTEST - 1:  # too short to be found without the pronoun behind it
            yield from ((f"{lemma}{pronoun}", False) for pronoun in _SUFFIXES)
        if gender is NounGender.FEMININE:
            return
        if len(lemma) >= _SHORTEST - 1:  # جدا: very
            yield f"{lemma}ا", False
        if gender is NounGender.MASCULINE:
            for ending in ("ان", "ين", "ون", "و", "ي"):
                yield f"{lemma}{ending}", True

    def is_definite(self, token: Token) -> bool:
        """Return whether a noun has an article before it."""
        return token.key.lstrip("وفبك").startswith(("ال", "لل"))

    def is_native(self, key: str) -> bool:
        """Return whether a folded word is in Arabic letters and none of Persian or Urdu."""
        return "\u0620" <= key[:1] <= "\u064a" and not _OTHER_LETTERS.search(key)

    def agreement(self, tokens: Sequence[Token], place: int) -> list[Evidence]:
        """Return the verb before or behind the noun."""
        for at in (place - 1, place + 1):
            if 0 <= at < len(tokens):
                gender = self._verb(tokens, at)
                if gender:
                    return [Evidence(at, gender, "verb")]
        return []

    def agreeing(self, tokens: Sequence[Token], place: int) -> tuple[Gender, float] | None:
        """Return the gender of a verb in the third person, an adjective or a pronoun behind a word.

        A verb before a noun in -ة that is no person has that noun as its subject. One before any
        other definite noun can have it as its subject.
        """
        token = tokens[place]
        gender = self._verb(tokens, place)
        before = tokens[place - 1].key if place else ""
        if before in ("التي", "والتي"):
            return None
        if gender and (_begins(tokens, place) or before not in _FOLDED["prepositions"]):
            possessive = _possessive(token.key)
            if possessive and possessive[0] is not gender:
                return None
            weight = 0.2 if before in ("الذي", "والذي") else self._weigh(tokens, place, gender)
            return gender, weight * (0.4 if _verb_form(token.key) in _FOLDED["of_things"] else 1)
        return _adjective(token) or _possessive(token.key)

    def _weigh(self, tokens: Sequence[Token], place: int, gender: Gender) -> float:
        """How surely the subject of a verb is the person, by the word behind the verb."""
        sure = _FEMININE_VERB if gender is Gender.FEMININE else 1.0
        if place + 1 == len(tokens) or self.noun_gender(tokens[place + 1]):
            return 1.2 * sure
        following = tokens[place + 1].key
        if following in _FOLDED["before_subjects"]:
            return 0.2
        thing = following.endswith(("ة", "ات")) and not following.startswith("ل")
        impersonal = tokens[place].key in _FOLDED["impersonal"] or following in _THAT
        owned = _possessive(following) and not _verb_form(following)
        if impersonal or owned or (thing and gender is Gender.FEMININE):
            return 0.2
        if following.startswith("ال"):
            return _BEFORE_DEFINITE[gender] * sure
        return 1.5 * sure if place == 0 else sure

    def is_thing(self, token: Token) -> bool:
        """Return whether a noun of the table more often means a thing or is an attribute."""
        return super().is_thing(token) or token.key.endswith(_ATTRIBUTES)

    def pronoun_weight(self, key: str) -> float:
        """Return how surely a pronoun means the person: one behind "and" is often a thing."""
        return 0.9 if key in ("هي", "هو") else 0.6

    def _verb(self, tokens: Sequence[Token], place: int) -> Gender | None:
        """The gender of a verb, which can have و, ف or س before it and a pronoun behind it."""
        token = tokens[place]
        if token.key.startswith("ال"):
            return None
        form = _verb_form(token.key)
        if not form:
            return None
        if form in _FOLDED["nouns_too"] and not _begins(tokens, place):
            return None
        return _verbs()[form]


def _begins(tokens: Sequence[Token], place: int) -> bool:
    """Whether a word begins a sentence or stands behind a punctuation mark."""
    return place == 0 or tokens[place].start - tokens[place - 1].end > 1


@lru_cache(maxsize=1 << 15)
def _verb_form(key: str) -> str:
    """The verb without what stands before and behind it; "" for any other word."""
    verbs = _verbs()
    for start in range(min(3, len(key))):
        before = key[:start]
        if before not in ("", "و", "ف", "س", "ل", "وس", "فس", "ول"):
            continue
        rest = key[start:]
        if before[-1:] in ("س", "ل") and rest[:1] not in ("ي", "ت"):
            continue
        for form in (rest, *(rest.removesuffix(end) for end in _SUFFIXES if rest.endswith(end))):
            if form in verbs and (form == rest or len(form) >= _SHORTEST - 1):
                return form
    return ""


@cache
def _verbs() -> dict[str, Gender]:
    """The forms of all verbs: past and imperfect, third person of the singular."""
    file = resources.files("monitor.data").joinpath("entity_verbs_ar.txt")
    pasts: set[str] = set()
    forms: dict[str, Gender] = {"يكن": Gender.MASCULINE, "تكن": Gender.FEMININE}
    for line in file.read_text(encoding="utf-8").splitlines():
        for verb in line.partition("#")[0].split():
            past, _, stem = _fold(verb).partition("/")
            stem = stem or past.removeprefix("ا")
            feminine = past[:-1] if past[-1] == "ا" or "ى" in verb.partition("/")[0][-1] else past
            forms.setdefault(f"{feminine}ت", Gender.FEMININE)
            forms.setdefault(f"ت{stem}", Gender.FEMININE)
            pasts.add(past)
            forms[f"ي{stem}"] = Gender.MASCULINE
    for past in pasts:
        if past in forms and past not in _FOLDED["sure_pasts"]:  # تعلم: he learned, she knows
            del forms[past]
        else:
            forms[past] = Gender.MASCULINE
    return forms


def _adjective(token: Token) -> tuple[Gender, float] | None:
    for key in token.keys[:3]:
        if key in _FOLDED["adjectives"] or (key[-1:] == "ا" and key[:-1] in _FOLDED["adjectives"]):
            return Gender.MASCULINE, 0.8 if key[-1:] == "ا" else 0.3
        if key[-1:] == "ة" and key[:-1] in _FOLDED["adjectives"]:
            return Gender.FEMININE, 0.4
    return None


def _possessive(key: str) -> tuple[Gender, float] | None:
    """The gender of a pronoun behind a noun or a verb, which can mean a thing as well."""
    if len(key) < _SHORTEST or key in _FOLDED["no_pronoun"]:
        return None
    if key.endswith("ها"):
        return Gender.FEMININE, 0.5
    if key.endswith("ه"):
        return Gender.MASCULINE, 0.5
    return None


@lru_cache(maxsize=1 << 15)
def _fold(form: str) -> str:
    return MARK.sub("", unicodedata.normalize("NFKC", form)).translate(_VARIANTS).casefold()


@lru_cache(maxsize=1 << 15)
def _split(key: str) -> tuple[str, ...]:
    return split_word(key, _PREFIXES, _without_pronoun, 3)


def _without_pronoun(word: str) -> Iterator[str]:
    for suffix in _SUFFIXES:
        if word.endswith(suffix):
            stem = word[: -len(suffix)]
            if stem.endswith("ت"):
                yield f"{stem[:-1]}ة"
            yield stem
            if stem[-1:] in ("و", "ي"):
                yield f"{stem[:-1]}ء"


ENTITY_READER = Arabic()
