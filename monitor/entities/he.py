"""Hebrew: the noun's form, without vowels; of nouns in -ה for both, verbs and adjectives tell."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

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

_PREFIXES = combine_prefixes(
    ("", "ו"), ("", "ש", "כש", "מש", "לכש"), ("", "ה", "ב", "כ", "ל", "מ", "מה")
)
_SUFFIXES = ("ו", "ה", "י", "ך", "ם", "ן", "נו", "יו", "יה", "ייך", "יהם", "יהן", "כם", "כן")
_FINAL = str.maketrans("ךםןףץ", "כמנפצ")
_TO_FINAL = str.maketrans("כמנפצ", "ךםןףץ")
_QUOTES = str.maketrans("״׳’", "\"''")
_PRONOUNS = {Gender.FEMININE: "היא והיא שהיא כשהיא", Gender.MASCULINE: "הוא והוא שהוא כשהוא"}
_SUFFIXED = {
    Gender.FEMININE: "שלה אותה לה ממנה אליה עליה בה איתה אתה+ עמה בעצמה לעצמה עצמה אצלה עבורה "
    "בשבילה לדבריה",
    Gender.MASCULINE: "שלו אותו לו ממנו אליו עליו בו איתו אתו עמו בעצמו לעצמו עצמו אצלו עבורו "
    "בשבילו לדבריו",
}
_WORDS = load_words("entity_words_he")
_BEFORE_OBJECTS = frozenset(_WORDS["before_objects"])
_SUBORDINATE = frozenset(_WORDS["subordinate"])
_CAUSES = frozenset(_WORDS["causes"])
_BEFORE_VERBS = ("", "ו", "ש", "ה", "וש", "כש", "שה", "וכש", "מש")
_THEN = ("אז", "אחר")
_OBJECTS = invert(
    {
        Gender.FEMININE: "אותה לה ממנה אליה עליה איתה בה",
        Gender.MASCULINE: "אותו לו ממנו אליו עליו איתו בו",
    }
)
_FURTHEST_VERB = 4  # words behind the noun
_SHORTEST = 3  # letters that an adjective or a verb has before its last one


class Hebrew(VotingReader):
    """Reader of Hebrew translations."""

    code = "he"
    name = "Hebrew"
    version = 1
    decides = (
        "the noun's form without vowels; verbs and adjectives next to a noun in -ה for both. "
        "Nobody whose language it is has checked the rules"
    )
    pronouns = invert(_PRONOUNS)
    suffixed = invert(_SUFFIXED)
    other_endings = frozenset("ה ת ית ות ים".split())
    alternatives = frozenset(["או"])
    things = frozenset(_WORDS["things"])

    def fold(self, form: str) -> str:
        """Return `form` without vowels, accents and marks of direction."""
        return _fold(form)

    def split(self, key: str) -> tuple[str, ...]:
        """Return the word, then without prefixes, then without a pronoun behind it."""
        return _split(key)

    def inflect(self, lemma: str, gender: NounGender) -> Iterable[tuple[str, bool | None]]:
        """Yield singular, plural and their forms before another noun."""
        if lemma[-1] == "+":
            yield lemma[:-1], True
            if lemma.endswith("ים+"):
                yield f"{lemma[:-2]}", True
            return
        yield lemma, False
        stem = lemma.translate(_FINAL)
        if gender is NounGender.MASCULINE:
            stem = stem[:-1] if stem[-1] == "ה" else stem
            yield f"{stem}ים", True
            yield f"{stem}י", True
            if stem[-1] == "י":
                yield f"{stem}ם", True
        elif gender is NounGender.FEMININE:
            if lemma[-1] == "ה":
                yield f"{lemma[:-1]}ת", False
            yield _feminine_plural(lemma), True

    def is_definite(self, token: Token) -> bool:
        """Return whether a noun has an article or a preposition before it."""
        return token.key not in self.table.forms

    def is_native(self, key: str) -> bool:
        """Return whether a folded word is in Hebrew letters."""
        return "\u05d0" <= key[:1] <= "\u05ea"

    def agreement(self, tokens: Sequence[Token], place: int) -> list[Evidence]:
        """Return the adjective behind the noun, or the verb if the noun can be its subject."""
        token = tokens[place]
        if place + 1 < len(tokens):
            key = tokens[place + 1].key
            shown = self.agreeing(tokens, place + 1)
            if shown and key[0] == "ש":
                return [Evidence(place + 1, shown[0], "verb")]
            definite = token.key[0] in "הלב" or token.key[:2] in ("מה", "שה", "וה")
            if definite and not shown and key[0] == "ה" and key[_SHORTEST:].endswith(("ה", "ית")):
                return [Evidence(place + 1, Gender.FEMININE, "adjective")]
        before = tokens[place - 1].key if place else ""
        prefixed = token.key[0] in "לבמכ" and token.key not in self.table.forms
        if prefixed or before in _BEFORE_OBJECTS:
            return self._object_pronoun(tokens, place)
        for at in range(place + 1, min(len(tokens), place + 1 + _FURTHEST_VERB)):
            shown = self.agreeing(tokens, at)
            if shown and tokens[at].key[0] == "ו":
                return self._object_pronoun(tokens, place)
            if shown:
                return [Evidence(at, shown[0], "verb")]
            if self._forms_at(tokens[at]) or tokens[at].key in self.pronouns:
                break
        return []

    def _object_pronoun(self, tokens: Sequence[Token], place: int) -> list[Evidence]:
        """The pronoun of a second verb whose subject is that of the first: it means the object.

        השוער דיבר עם המורה וסיפר לו: the verb behind "and" has its subject before the noun.
        """
        for at in range(place + 1, len(tokens) - 1):
            key = tokens[at].key
            if key in _SUBORDINATE or (key[0] == "ש" and key[1:] in self.pronouns):
                return []
            second = (
                key[0] == "ו" and key[1:] not in self.pronouns and not self._forms_at(tokens[at])
            )
            if second or key in _THEN:
                for word in range(at + 1, min(len(tokens), at + 4)):
                    gender = _OBJECTS.get(tokens[word].key)
                    if gender:
                        return [Evidence(word, gender, "object")]
                return []
        return []

    def predicate(self, tokens: Sequence[Token], place: int) -> Gender | None:
        """Return the gender of a verb that begins a clause: no thing is its subject."""
        before = tokens[place - 1].key if place else ""
        if before in self.pronouns or before in _SUBORDINATE or before in _CAUSES:
            return super().predicate(tokens, place)
        return None

    def agreeing(self, tokens: Sequence[Token], place: int) -> tuple[Gender, float] | None:
        """Return the gender of a verb in the third person or of an adjective."""
        key = tokens[place].key
        for prefix in _BEFORE_VERBS:
            form = key.removeprefix(prefix)
            if form in _AGREEING and (not prefix or form != key):
                return _AGREEING[form], 1.0
        if place and tokens[place - 1].key in _CAUSES and key[0] == "ש" and key[_SHORTEST:]:
            return (Gender.FEMININE, 1.0) if key[-1] == "ה" else None
        return None


def _agreeing_forms() -> dict[str, Gender]:
    """Return {form: gender} of verbs in the third person and of adjectives."""
    forms: dict[str, Gender] = {}
    for stem in _WORDS["future"]:
        forms |= {f"ת{stem}": Gender.FEMININE, f"י{stem}": Gender.MASCULINE}
    for verb in _WORDS["present"]:
        if verb[-1] != "~":
            forms |= {verb: Gender.MASCULINE, f"{verb.translate(_FINAL)}ת": Gender.FEMININE}
    for adjective in _WORDS["adjectives"]:
        forms |= {adjective: Gender.MASCULINE, f"{adjective.translate(_FINAL)}ה": Gender.FEMININE}
    for verb in _WORDS["past"]:
        feminine = f"{verb[:-1]}תה" if verb[-1] == "ה" else f"{verb.translate(_FINAL)}ה"
        forms |= {verb: Gender.MASCULINE, feminine: Gender.FEMININE}
    return forms | {"הייתה": Gender.FEMININE}


_AGREEING = _agreeing_forms()


@lru_cache(maxsize=1 << 15)
def _fold(form: str) -> str:
    return MARK.sub("", unicodedata.normalize("NFKC", form)).translate(_QUOTES).casefold()


@lru_cache(maxsize=1 << 15)
def _split(key: str) -> tuple[str, ...]:
    return split_word(key, _PREFIXES, _without_pronoun, 2)


def _without_pronoun(word: str) -> Iterator[str]:
    for suffix in _SUFFIXES:
        if word.endswith(suffix):
            stem = word[: -len(suffix)]
            yield stem
            if stem:
                yield stem[:-1] + stem[-1].translate(_TO_FINAL)


def _feminine_plural(lemma: str) -> str:
    if lemma == "אחות":
        return "אחיות"
    return f"{lemma[:-1]}ות" if lemma[-1] in "הת" else f"{lemma.translate(_FINAL)}ות"


ENTITY_READER = Hebrew()
