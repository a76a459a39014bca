"""Hindi: nouns in -ा and -ी; of loan words, attributes, possessives and verbs tell."""

import unicodedata
from collections.abc import Container, Iterable, Sequence
from functools import lru_cache
from types import MappingProxyType

from monitor.entities._persons import NounGender
from monitor.entities._reader import Evidence, Token, endings
from monitor.entities._votes import MARK, VotingReader, load_words
from monitor.model import Gender

_F, _M = Gender.FEMININE, Gender.MASCULINE
_WORDS = load_words("entity_words_hi")
_NUKTA = "\u093c"
_VARIANTS = tuple(pair.split("/") for pair in _WORDS["variants"])
_POSTPOSITIONS = frozenset("को से का की के में पर ने तक द्वारा लिए साथ".split())
#: Pronouns that can be the subject; they have no gender.
_SUBJECTS = frozenset("वह वे वो यह ये जो मैं हम तुम आप खुद स्वयं".split())
#: Pronouns and names with ने: the verb of the clause agrees with its object.
_ERGATIVE = frozenset(_WORDS["ergative"])
_CONJUNCTIONS = frozenset(_WORDS["conjunctions"])
_SUBORDINATE = _CONJUNCTIONS - {"और", "या"}  # the subject may stand before "and"
_APPOINTED = ("चुना", "चुनी", "बनाया", "नियुक्त", "घोषित", "मनोनीत")
#: Verbs and auxiliaries that are words of their own.
_VERBS = dict.fromkeys(_WORDS["feminine_verbs"], _F) | dict.fromkeys(_WORDS["masculine_verbs"], _M)
_PARTICIPLES = (("तीं", _F), ("ती", _F), ("ता", _M), ("ते", _M))
_NO_PARTICIPLES = frozenset(_WORDS["no_participles"])
_AUXILIARIES = frozenset("है हैं हूं हो था थी थे थीं हुआ हुई हुए रहा रही रहे होगा होगी होंगे".split())
#: Attributes in -ा/-े and -ी before a noun, and possessives, which agree with it.
_ATTRIBUTE_GENDERS = {
    f"{word[:-1]}{ending}": gender
    for word in _WORDS["attributes"]
    for ending, gender in (("ा", _M), ("े", _M), ("ी", _F))
} | {"नई": _F, "नए": _M, "महिला": _F, "लेडी": _F, "पुरुष": _M, "श्रीमती": _F, "श्री": _M, "सुश्री": _F}
_FREQUENT = (
    _POSTPOSITIONS
    | _AUXILIARIES
    | _SUBJECTS
    | _ERGATIVE
    | _VERBS.keys()
    | {"और", "नहीं", "भी", "कि"}
)
_SHORTEST = 4  # signs of a participle, words of a sentence that can be told from another language
_CLAUSE = 25  # words that are looked at around a verb


class Hindi(VotingReader):
    """Reader of Hindi translations."""

    code = "hi"
    name = "Hindi"
    version = 1
    decides = (
        "nouns with two forms; attributes, possessives and verbs that agree with a noun of one "
        "form. Pronouns have no gender, and with ने the verb agrees with the object. "
        "Nobody whose language it is has checked the rules"
    )
    pronouns = MappingProxyType({})
    suffixed = MappingProxyType({})
    alternatives = frozenset(["या"])
    things = frozenset(_WORDS["things"])

    def fold(self, form: str) -> str:
        """Return `form` without dots below, with one sign for each way to write a nasal vowel."""
        return _fold(form)

    def split(self, key: str) -> tuple[str, ...]:
        """Return the word, then without the जी of respect."""
        return (key, key[:-2]) if key[_SHORTEST:].endswith("जी") else (key,)

    def is_native(self, key: str) -> bool:
        """Return whether a folded word is in Devanagari."""
        return "\u0900" <= key[:1] <= "\u097f"

    def is_language(self, tokens: Sequence[Token]) -> bool:
        """Return whether the script is Devanagari, and a frequent word of Hindi stands there."""
        if not super().is_language(tokens):
            return False
        keys = {token.key for token in tokens}
        return len(tokens) < _SHORTEST or bool(keys & _FREQUENT)

    def inflect(self, lemma: str, gender: NounGender) -> Iterable[tuple[str, bool | None]]:
        """Yield the forms of both numbers and cases."""
        if lemma[-1] == "+":
            yield lemma[:-1], True
            return
        lemma = lemma.rpartition("-")[2]
        yield lemma, None if lemma[-1] not in "ाी" else False
        if gender is NounGender.MASCULINE and lemma[-1] == "ा":
            yield f"{lemma[:-1]}े", None
            yield f"{lemma[:-1]}ों", True
            yield f"{lemma}ओं", True
        elif lemma[-1] in "ीई":
            short = lemma[:-1] + ("ि" if lemma[-1] == "ी" else "इ")
            yield from endings(short, "", "यों याँ")
        elif lemma[-1] == "ि":
            yield from endings(lemma, "", "यों याँ")
        elif lemma[-1] in "ाूुओं":
            yield from endings(lemma, "", "ओं एँ")
            yield f"{lemma.removesuffix('ं')}ँओं", True
        else:
            yield from endings(lemma, "", "ों ज़ स ें" if gender is NounGender.FEMININE else "ों ज़ स")

    def agreement(self, tokens: Sequence[Token], place: int) -> list[Evidence]:
        """Return the attribute before the noun, else the verb whose subject it is."""
        if place:
            gender = _ATTRIBUTE_GENDERS.get(tokens[place - 1].key)
            if gender:
                return [Evidence(place - 1, gender, "attribute", last=place)]
        following = tokens[place + 1].key if place + 1 < len(tokens) else ""
        if following in _POSTPOSITIONS:
            return []
        end = _clause_end(tokens, place)
        for at in range(end, place, -1):
            shown = self.agreeing(tokens, at)
            if shown:
                return [Evidence(at, shown[0], "verb")]
        return []

    def agreeing(self, tokens: Sequence[Token], place: int) -> tuple[Gender, float] | None:
        """Return the gender that a verb of the clause shows.

        A verb agrees with a noun that is no person as often as with the person. A pronoun or a
        person noun that can be its subject makes it surer.
        """
        key = tokens[place].key
        if key in _ATTRIBUTE_GENDERS:
            weight = self._weigh_attribute(tokens, place)
            if weight:
                return _ATTRIBUTE_GENDERS[key], weight
        gender = _verb(tokens, place)
        if not gender:
            return None
        start = _clause_start(tokens, place)
        before = {token.key for token in tokens[start:place]}
        if before & _ERGATIVE:
            return None
        weight = 0.7 if key in ("थे", "गए", "रहे", "हुए") else 1.0
        if place and tokens[place - 1].key in _TRANSITIVE:  # किया गया, which agrees with a thing
            weight = 0.1 if gender is _M else 0.5
        if self._has_subject(tokens, _clause_start(tokens, place, _SUBORDINATE), place):
            weight *= 1.6
        elif key in _EVENTS or before & _OTHER_CASES:
            weight *= 0.2
        else:
            weight *= 0.4
        return gender, weight * (1.3 if gender is _F else 1.0)

    def _weigh_attribute(self, tokens: Sequence[Token], place: int) -> float:
        """How surely an attribute or a possessive agrees with the person; 0 for not at all."""
        key = tokens[place].key
        for token in tokens[place + 1 : place + 3]:
            if any(form.gender is NounGender.COMMON for form in self._forms_at(token)):
                return 0.5 if key.endswith("े") else 0.8
        if key in ("का", "की", "के"):
            if _key_at(tokens, place + 1) in _AUXILIARIES:
                return 1.5  # 12 साल की थी
            return _weigh_predicate(tokens, place)
        return 0.4 if key.startswith(("वाल", "करनेवाल")) else 0.0

    def _has_subject(self, tokens: Sequence[Token], start: int, end: int) -> bool:
        return any(
            tokens[at].key in _SUBJECTS
            and (at + 1 >= len(tokens) or tokens[at + 1].key not in _POSTPOSITIONS)
            for at in range(start, end)
        )


_EVENTS = ("हुआ", "हुई", "मिला", "मिली")
_PAST_AUXILIARIES = ("था", "थी", "थे", "थीं")
_SHOWN = {"दी": _F, "दीं": _F, "दिया": _M, "दिए": _M, "देती": _F, "देता": _M, "देते": _M}
#: Pronouns of a person who is not the subject of the clause.
_OTHER_CASES = frozenset(_WORDS["other_cases"])
#: Participles of transitive verbs before गया: a passive that says nothing of the person.
_TRANSITIVE = frozenset(_WORDS["transitive"])


def _weigh_predicate(tokens: Sequence[Token], place: int) -> float:
    """How surely a possessive agrees with a noun that says what the person is: की फेलो हैं."""
    sure = 0.5 if tokens[place].key == "के" else 1.0
    for at in range(place + 2, min(len(tokens), place + 4)):
        key = tokens[at].key
        if key == "के" and _key_at(tokens, at + 1) == "रूप":
            return 0.8 * sure
        if key in _APPOINTED:
            return 0.6 * sure
        if key in _AUXILIARIES:
            start = _clause_start(tokens, place, _SUBORDINATE)
            return (
                0.8 * sure if any(token.key in ("वह", "वे") for token in tokens[start:place]) else 0
            )
    return 0


def _key_at(tokens: Sequence[Token], place: int) -> str:
    return tokens[place].key if 0 <= place < len(tokens) else ""


def _verb(tokens: Sequence[Token], place: int) -> Gender | None:
    """The gender of a verb or participle; none of an auxiliary that repeats it."""
    key, before = tokens[place].key, _key_at(tokens, place - 1)
    gender = _VERBS.get(key) or _participle(tokens, place)
    if key == "हुए" and before.endswith(("ते", "ए")):  # करते हुए is the same for both
        return None
    if key in _PAST_AUXILIARIES and (before in _VERBS or _participle(tokens, place - 1)):
        return None
    return gender or (_SHOWN.get(key) if before in ("दिखाई", "सुनाई") else None)


def _participle(tokens: Sequence[Token], place: int) -> Gender | None:
    """The gender of a participle in -ता before an auxiliary or at the end of its clause."""
    key = tokens[place].key
    if len(key) < _SHORTEST or key in _NO_PARTICIPLES:
        return None
    for ending, gender in _PARTICIPLES:
        if key.endswith(ending):
            if place + 1 >= len(tokens) or _gap(tokens, place):
                return gender
            following = tokens[place + 1].key
            return gender if following in _AUXILIARIES and following != "हुए" else None
    return None


def _gap(tokens: Sequence[Token], place: int) -> bool:
    """Whether punctuation stands behind a word."""
    return tokens[place + 1].start - tokens[place].end > 1


def _clause_start(
    tokens: Sequence[Token], place: int, openings: Container[str] = _CONJUNCTIONS
) -> int:
    for at in range(place, max(0, place - _CLAUSE), -1):
        if _gap(tokens, at - 1) or tokens[at].key in openings:
            return at
    return max(0, place - _CLAUSE)


def _clause_end(tokens: Sequence[Token], place: int) -> int:
    last = min(len(tokens) - 1, place + _CLAUSE)
    for at in range(place, last):
        if _gap(tokens, at) or tokens[at + 1].key in _CONJUNCTIONS:
            return at
    return last


@lru_cache(maxsize=1 << 15)
def _fold(form: str) -> str:
    folded = MARK.sub("", unicodedata.normalize("NFD", form)).replace(_NUKTA, "").casefold()
    for written, common in _VARIANTS:
        folded = folded.replace(written, common)
    return folded


_VERBS = {_fold(form): gender for form, gender in _VERBS.items()}
_ATTRIBUTE_GENDERS = {_fold(form): gender for form, gender in _ATTRIBUTE_GENDERS.items()}


ENTITY_READER = Hindi()
