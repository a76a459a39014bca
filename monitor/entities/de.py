"""German: the form of the noun; of nominalised adjectives the article and their own ending.

An unknown compound is what its last part is: "Bibliotheksleiterin".
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from monitor.data import read_words
from monitor.entities._germanic import GermanicReader, words
from monitor.entities._persons import NounForm, NounGender, Person, PersonKind, Source
from monitor.entities._reader import Evidence, Token, endings, find_pair
from monitor.model import Gender

_M, _F = Gender.MASCULINE, Gender.FEMININE
_UMLAUT = {"a": "ä", "o": "ö", "u": "ü"}
_LAST_VOWEL = re.compile(r"(au|[aou])(?=[^aouäöüi]*$)")
_WORDS = read_words("entity_words_de")
_WEAK = tuple(_WORDS["weak"])
_STEM_N = ("herr", "bauer", "nachbar", "ungar", "vorfahr", "schiedsherr")
_SHORT_HEADS = words("mann frau arzt koch wirt bote sohn gast chef rat")
_NO_HEADS = _WORDS["no_heads"]
_SHORTEST_HEAD = 5
_LONGEST_HEAD = 24
_SHORTEST_PREFIX = 3
_INSIDE = re.compile(r"[:*_·]in(?:nen)?$|[a-zäöüß]In(?:nen)?$")
#: Feminine nouns for persons that are in no table.
_FEMININE_PERSON = re.compile(r"..(?:er|ist|log|ant|ent|tor|eur|är|iker|graf)in(nen)?$")
_ANY_GENDER = re.compile(r"\s?\((?:[mwfdx]\s?[/|]\s?){1,3}[mwfdx*]\)", re.IGNORECASE)
_CUT_PAIR = re.compile(r"\s+(?:und|oder)\s+-[a-zäöü]{4}")  # Krankenpflegerinnen und -pfleger
_SIGN = re.compile(r"[/*:_·(]")
_SLASH = re.compile(r"/-?in(?:nen)?$|\(in(?:nen)?\)$")
_ENDING = re.compile(r"[:*_·/]-?(?=in)|\(|\)")
_SHORT_ADJECTIVE = re.compile(r"[:*_·/]-?[rnems]\b")
_TWO_ARTICLES = re.compile(
    r"\b(?:der|die|den|dem|ein|eine|einen|einem|einer|des)"
    r"\s?[/*:]\s?(?:der|die|den|dem|ein|eine|einen|einem|einer|des|r|n|m)\s+(?:\w+en?\s+)?$",
    re.IGNORECASE,
)
_ARTICLE_STEMS = "dies jen jed welch manch"
_DATIVE = words("mit von bei nach aus zu seit gegenüber außer")  # prepositions
_POSSESSIVES = "ein kein mein dein sein ihr unser unsr euer eur"
_PRONOUNS = {
    **dict.fromkeys("er ihn ihm".split(), _M),
    **dict.fromkeys("seine seinem seinen seiner seines seins".split(), _M),
    **dict.fromkeys("ihre ihrem ihren ihrer ihres".split(), _F),
}
_HERS = words("sie ihr ihre ihrem ihren ihrer ihres")
_SINGULAR_VERBS = _WORDS["singular_verbs"]
_PLURAL_SOURCE = words("they them their theirs themselves you your yours yourself")
_GENDER_STEMS = tuple(
    (stem, gender)
    for gender, stems in {
        _F: "weiblich frauen damen mädchen mütter mama",
        _M: "männlich männer herren väter jungen papa knaben",
    }.items()
    for stem in stems.split()
)


def _declined() -> dict[str, str]:
    """{article or determiner: its gender and case}, "m", "f", "mn", "fp" (feminine or plural)."""
    forms = {"der": "der", "die": "die", "das": "n", "dem": "m", "den": "den", "des": "m"}
    forms |= dict.fromkeys("zum beim vom im am ans".split(), "m") | {"zur": "f"}
    for stem in _ARTICLE_STEMS.split():
        forms |= {f"{stem}er": "der", f"{stem}e": "die", f"{stem}em": "m", f"{stem}en": "den"}
        forms |= {f"{stem}es": "m"}
    for stem in _POSSESSIVES.split():
        forms |= {f"{stem}e": "die", f"{stem}er": "f", f"{stem}em": "m", f"{stem}en": "den"}
        forms |= {f"{stem}es": "m"}
    forms |= {"eine": "f", "einen": "m", "jede": "f", "jeden": "m"}
    return forms


_DECLINED = _declined()
#: Gender of the noun after an article, where its ending says nothing.
_ARTICLES = {"m": _M, "der": _M, "den": _M, "die": _F, "f": _F}


class German(GermanicReader):
    """Reader of German translations."""

    code = "de"
    name = "German"
    version = 1
    decides = (
        "the form of the noun (Lehrer, Lehrerin); of nominalised adjectives (Angestellte) the"
        " article and the ending; forms for both (Lehrer:in, Lehrer und Lehrerinnen); er and sie"
        " where the source names nobody else"
    )
    gender_stems = _GENDER_STEMS
    function_words = _WORDS["function_words"]
    foreign_words = _WORDS["foreign_words"]

    # --- nouns -----------------------------------------------------------------------------------

    def inflect(self, lemma: str, gender: NounGender) -> Iterable[tuple[str, bool | None]]:
        """Yield the forms of all cases in both numbers."""
        lemma = self.fold(lemma)
        if gender is NounGender.COMMON and lemma.endswith("e"):
            yield from endings(lemma[:-1], "em es", "", "e en er")
        elif gender is NounGender.COMMON:
            yield lemma, None
        elif lemma.endswith("jemand"):
            yield from endings(lemma, "- en em es", "")
        elif gender is NounGender.FEMININE:
            yield from _feminine(lemma)
        elif gender is NounGender.MASCULINE:
            yield from _masculine(lemma)
        else:
            yield from _strong(lemma)
            yield from endings(lemma, "", "n nen")

    def _forms_at(self, token: Token) -> tuple[NounForm, ...]:
        first = token.text[0]
        if not first.isupper() and not token.key.endswith("jemand") and token.key[:5] != "jeman":
            return ()
        return _compound_forms(self, token.key)

    # --- both genders offered --------------------------------------------------------------------

    def offered(self, text: str, tokens: Sequence[Token], place: int) -> Evidence | None:
        """Return INCLUSIVE for "Lehrer:in", BOTH for "Lehrer/in" and "Lehrer und Lehrerin"."""
        token = tokens[place]
        if not token.text.isupper() and _INSIDE.search(token.text):
            return Evidence(place, Gender.INCLUSIVE, "ending")
        if _CUT_PAIR.match(text, token.end):
            return Evidence(place, Gender.BOTH, "pair")
        if _SIGN.search(text):
            offer = self._offered_by_sign(text, token, place)
            if offer:
                return offer
        if "/" not in text and not any(word.key in _JOINERS for word in tokens):
            return None
        forms = [self._forms_at(word) for word in tokens]
        return find_pair(text, tokens, place, forms, _JOINERS, _DECLINED)

    def _offered_by_sign(self, text: str, token: Token, place: int) -> Evidence | None:
        """Return what "Fahrer/in", "Angestellte*r" and "der/die Angestellte" offer."""
        if _SLASH.search(token.text) or _ANY_GENDER.match(text, token.end):
            return Evidence(place, Gender.BOTH, "ending")
        if _SHORT_ADJECTIVE.match(text, token.end) and token.key.endswith(("e", "en")):
            gender = Gender.BOTH if text[token.end] == "/" else Gender.INCLUSIVE
            return Evidence(place, gender, "ending")
        if _TWO_ARTICLES.search(text[max(0, token.start - 40) : token.start]):
            return Evidence(place, Gender.BOTH, "articles")
        return None

    # --- agreement -------------------------------------------------------------------------------

    def agreement(self, tokens: Sequence[Token], place: int) -> list[Evidence]:
        """Return the article before a nominalised adjective, or the noun's own ending."""
        key = tokens[place].key
        article, between = self._article(tokens, place)
        kind = _DECLINED.get(tokens[article].key, "") if article is not None else ""
        if kind == "der" and article and tokens[article - 1].key in _DATIVE:
            kind = "f"
        gender = _gender_of(key, kind, between)
        if not gender:
            return []
        first = place if article is None else article
        return [Evidence(first, gender, "article" if article is not None else "ending", last=place)]

    def _article(self, tokens: Sequence[Token], place: int) -> tuple[int | None, str]:
        """Return the place of the article of the noun, and the attribute between."""
        attribute = ""
        for before in range(place - 1, max(-1, place - 4), -1):
            key = tokens[before].key
            if key in _DECLINED:
                return before, attribute
            if not key.endswith(("e", "en", "er", "em", "es")) or tokens[before].text[0].isupper():
                break
            attribute = key
        return None, attribute

    def reference(
        self, source: Source, tokens: Sequence[Token], place: int, claimed: dict[int, Person]
    ) -> list[Evidence]:
        """Return the ending of "sie ist Angestellte" (a man is "Angestellter"), then pronouns."""
        article, _ = self._article(tokens, place)
        if article is None and not source.entity.plural and tokens[place].key.endswith("e"):
            return [Evidence(place, _F, "ending")]
        return super().reference(source, tokens, place, claimed)

    def outweighs(
        self, source: Source, tokens: Sequence[Token], place: int, claimed: dict[int, Person]
    ) -> Evidence | None:
        """Return "Frau" or "weiblich" before the noun, or the pronoun of "jemand, die"."""
        del source, claimed
        before = tokens[place - 1].key if place else ""
        if before in ("frau", "fr") or before.startswith("weiblich"):
            return Evidence(place - 1, _F, "title", last=place)
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        if not after or after.key != "die" or "jemand" not in tokens[place].key:
            return None
        apart = after.start - tokens[place].end > 1
        return Evidence(place + 1, _F, "relative") if apart else None

    # --- evidence --------------------------------------------------------------------------------

    def evidence(
        self, source: Source, tokens: Sequence[Token], claimed: dict[int, Person]
    ) -> list[Evidence]:
        """Return the article of an English noun that was kept ("der Mover"), else other words."""
        named = source.entity.kind is PersonKind.NOUN and not source.entity.plural
        english = source.words[source.entity.last] if named else ""
        for place, token in enumerate(tokens):
            if token.key == english and token.text[0].isupper() and place not in claimed:
                article, _ = self._article(tokens, place)
                kind = _DECLINED.get(tokens[article].key, "") if article is not None else ""
                gender = _ARTICLES.get(kind)
                if gender:
                    return [Evidence(article or 0, gender, "article", last=place)]
        return super().evidence(source, tokens, claimed)

    def pronouns(self, source: Source, tokens: Sequence[Token]) -> list[Evidence]:
        """Return er and its forms, and sie and ihr where they are no plural and no address."""
        others = not _PLURAL_SOURCE.isdisjoint(source.words)
        items = []
        for place, token in enumerate(tokens):
            gender = _PRONOUNS.get(token.key)
            if token.key == "sein":
                after = tokens[place + 1] if place + 1 < len(tokens) else None
                gender = _M if after and _is_owned(tokens, place + 1) else None
            elif token.key in ("sie", "ihr") or gender is _F:
                if _is_address(tokens, place):
                    continue
                gender = self._feminine(tokens, place, others=others)
            if gender:
                items.append(Evidence(place, gender, "pronoun"))
        if others and not items:  # "they decided to acquit her": the possessive is hers or theirs
            items = [
                Evidence(place, _F, "pronoun")
                for place, token in enumerate(tokens)
                if token.key in _HERS and not _is_address(tokens, place)
                if token.key != "sie" or self._number(tokens, place, others=True) != "plural"
            ]
        return items

    def _feminine(self, tokens: Sequence[Token], place: int, *, others: bool) -> Gender | None:
        """Return FEMININE for a "sie" or "ihr" of the singular. `others`: the source has "they"."""
        if tokens[place].key != "sie":
            return None if others else _F
        number = self._number(tokens, place, others=others)
        return _F if number == "singular" or (number == "" and not others) else None

    def _number(self, tokens: Sequence[Token], place: int, *, others: bool) -> str:
        """Return the number of the verb of "sie", "" where it cannot be told.

        A plural verb before "sie" can have another subject ("wir haben sie gesehen").
        """
        before = tokens[place - 1].key if place else ""
        after = tokens[place + 1].key if place + 1 < len(tokens) else ""
        if after in _PLURAL_VERBS or (others and before in _PLURAL_VERBS):
            return "plural"
        last = place
        while last + 1 < len(tokens) and tokens[last + 1].start - tokens[last].end == 1:
            last += 1
        if tokens[last].key in _PLURAL_VERBS:  # "weil sie Hunger hatten"
            return "plural"
        verbs = [before, after, tokens[last].key]
        if any(key in _SINGULAR_VERBS or key.endswith(("te", "lt", "rt")) for key in verbs):
            return "singular"
        return ""

    def weaker(self, tokens: Sequence[Token]) -> list[list[Evidence]]:
        """Return "einer der" and "eine der"."""
        members = [
            Evidence(place, _M if token.key == "einer" else _F, "one_of")
            for place, token in enumerate(tokens[:-1])
            if token.key in ("einer", "eine") and tokens[place + 1].key in ("der", "von")
        ]
        return [members]


_JOINERS = words("und oder bzw beziehungsweise sowie")
_PLURAL_VERBS = _WORDS["plural_verbs"]


@lru_cache(maxsize=65536)
def _compound_forms(reader: German, key: str) -> tuple[NounForm, ...]:
    """Return what a word can be as a whole, and what its last part can be."""
    table = reader.table.forms
    key = _ENDING.sub("", key)
    whole = table.get(key, ())
    for start in range(max(_SHORTEST_PREFIX, len(key) - _LONGEST_HEAD), len(key) - 3):
        head = key[start:].lstrip("-")
        if head not in table or head in _NO_HEADS:
            continue
        if len(head) >= _SHORTEST_HEAD or head in _SHORT_HEADS:
            return (*whole, *(form for form in table[head] if form not in whole))
    unknown = _FEMININE_PERSON.search(key)
    if whole or not unknown:
        return whole
    return (NounForm("", NounGender.FEMININE, plural=bool(unknown[1])),)


def _masculine(lemma: str) -> Iterable[tuple[str, bool | None]]:
    if lemma.endswith("amter"):  # der Beamte, ein Beamter
        yield from endings(lemma[:-2], "em", "", "e en er")
    elif lemma.endswith("er"):
        yield from endings(lemma, "s", "n", "-")
        yield from endings(_umlaut(lemma), "", "- n")
    elif lemma.endswith("e"):
        yield from endings(lemma, "- ns", "", "n")
    elif lemma.endswith("mann"):
        yield from endings(lemma, "- s es e", "")
        yield from endings(f"{lemma[:-4]}männer", "", "- n")
    elif lemma.endswith(_STEM_N):
        yield from endings(lemma, "- s", "en", "n")
    else:
        yield from _strong(lemma)
        if lemma.endswith(_WEAK):
            yield from endings(lemma, "ens", "", "en")


def _feminine(lemma: str) -> Iterable[tuple[str, bool | None]]:
    if lemma.endswith("in"):
        yield from endings(lemma, "- s", "nen")
    elif lemma.endswith(("chen", "el")):
        yield from endings(lemma, "s", "n", "-")
    elif lemma.endswith("e"):
        yield from endings(lemma, "- s", "n")
    else:
        yield from endings(lemma, "-", "n en e s")
        yield from endings(_umlaut(lemma), "", "- n e en")


def _strong(lemma: str) -> Iterable[tuple[str, bool | None]]:
    yield from endings(lemma, "-" if not lemma.endswith(("el", "en")) else "", "")
    yield from endings(lemma, "es", "en er ern n", "e s")
    if lemma.endswith(("el", "en")):
        yield lemma, None
    yield from endings(_umlaut(lemma), "", "- n e en er ern")


def _umlaut(lemma: str) -> str:
    return _LAST_VOWEL.sub(lambda match: _UMLAUT[match[0][0]] + match[0][1:], lemma)


def _gender_of(noun: str, article: str, attribute: str) -> Gender | None:
    """Return the gender of a nominalised adjective after an article of that kind."""
    if noun.endswith("em"):
        return _M
    if noun.endswith("er"):
        return _M if article in ("", "m") else None
    if noun.endswith("en"):
        if attribute.endswith("er") and article not in ("der", "f"):
            return None
        return {"m": _M, "den": _M, "der": _F, "f": _F}.get(article)
    if noun.endswith("e"):
        return {"der": _M, "die": _F, "f": _F}.get(article)
    return _ARTICLES.get(article)


def _is_address(tokens: Sequence[Token], place: int) -> bool:
    """Return whether the word is a polite "you": a capital that begins no sentence."""
    if not tokens[place].text[0].isupper() or place == 0 or tokens[place].text.isupper():
        return False
    return tokens[place].start - tokens[place - 1].end == 1


def _is_owned(tokens: Sequence[Token], place: int) -> bool:
    """Return whether a noun stands here, perhaps after attributes: "sein erstes Buch"."""
    for token in tokens[place : place + 3]:
        if token.text[0].isupper():
            return True
        if not token.key.endswith(("er", "es", "e")):
            return False
    return False


ENTITY_READER = German()
