"""Person nouns in the Slavic languages: their tables, and where they say what "I" am.

In a table, one line an occupation of `professions@1` (`-` for other roles), its usual translations
after it:

* `lékař`: the feminine follows from the ending by the rules of the language;
* `bratr/sestra`: no rule makes the feminine; several stand with commas between them. An irregular
  instrumental of the masculine stands after a `~`: `švec~ševcem/ševcová`;
* `=účetní`: one form for everybody, with either agreement: an attribute tells;
* `!chirurg`: a masculine without a feminine in standard use: whoever speaks has no other word, so
  it shows nothing, and neither does what must agree with it.

Read with `nouns=True` only: "jsem lékařka", "pracuję jako lekarz", "я вчителька". A noun counts
where it is what "I" am: a nominative with the copula of the first person (or with "I" alone, in the
East), an instrumental after it or after "I work", a noun after "as" beside such a verb, an
apposition to "I". The words around are looked at in the text and not in the clause, because "as"
opens a clause in some languages. An attribute of such a noun is a witness as well, and the only one
where the noun has one form for everybody.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

from monitor.data import read_toml
from monitor.languages import _clauses as s
from monitor.languages._clauses import Clause, Rule

# In pairs, the feminine after the masculine. The nominative and the instrumental of a noun:
PERSON_M, PERSON_F = s.FREE << 24, s.FREE << 25
ROLE_M, ROLE_F = s.FREE << 26, s.FREE << 27
# Attributes, listed so that both genders are known alike.
ATT_M, ATT_F = s.FREE << 28, s.FREE << 29
ATT_INS_M, ATT_INS_F = s.FREE << 30, s.FREE << 31
COMMON, COMMON_INS = s.FREE << 32, s.FREE << 33  # nouns of either gender
COPULA = s.FREE << 34  # "am", "will be" in the first person; "I" where there is no copula
WORK = s.FREE << 35  # "I work", "I serve", and verbs with a predicate in the instrumental
TO_WORK = s.FREE << 36  # infinitives of these
AS = s.FREE << 37  # "as"
THIRD = s.FREE << 38  # "is", "are"
SINGLE = s.FREE << 39  # nouns without a feminine
HERE = s.FREE << 40  # adverbs that no other rule asks for
WITH = s.FREE << 41  # prepositions with the instrumental

PERSON, ROLE = PERSON_M | PERSON_F, ROLE_M | ROLE_F
ATTRIBUTE = ATT_M | ATT_F | ATT_INS_M | ATT_INS_F

#: Endings and what takes their place, the longest first in force.
Endings = Mapping[str, str]


class Noun(NamedTuple):
    """A noun of the table: its kind is "pair", "common" or "single"."""

    occupation: str
    kind: str
    masculine: str
    feminine: tuple[str, ...]
    instrumental: tuple[str, ...]  # of the masculine, where no rule makes it


@cache
def person_nouns(name: str) -> "People":
    """Return the table `monitor/data/<name>.toml`."""
    return People(**read_toml(name))


@dataclass(frozen=True)
class People:
    """Person nouns of a language and the words of the sentences that they are predicates in.

    Words of a column stand in one text, with blanks between them.
    """

    nouns: str
    feminine: Endings  # of the masculine nominative
    instrumental_m: Endings
    instrumental_f: Endings
    attributes: str  # masculine/feminine/instrumental masculine/instrumental feminine
    copula: str  # "I am", "I will be"; "I" alone in the East
    work: str  # "I work", "I become"
    to_work: str  # "to work", "to be"; "duty" after "I have"
    like: str  # "as"
    third: str  # "is", "are"
    here: str  # adverbs of place and time that the language does not list
    along: str  # prepositions with the instrumental

    @cached_property
    def forms(self) -> dict[str, int]:
        """{form: tags}: the nouns, their attributes, and the words around them."""
        forms: dict[str, int] = {}
        for noun in self.entries():
            _add_noun(forms, noun, self)
        for attribute in self.attributes.split():
            tags = ATT_M, ATT_F, ATT_INS_M, ATT_INS_F
            for variants, tag in zip(attribute.split("/"), tags, strict=False):
                _add(forms, variants.split(","), tag)
        for words, tag in (
            (self.copula, COPULA),
            (self.work, WORK),
            (self.to_work, TO_WORK),
            (self.like, AS),
            (self.third, THIRD),
            (self.here, HERE),
            (self.along, WITH),
        ):
            _add(forms, words.split(), tag)
        return forms

    @cached_property
    def couples(self) -> frozenset[tuple[str, str]]:
        """Every masculine form with the feminine ones of the same word and case."""
        pairs = (noun for noun in self.entries() if noun.kind == "pair")
        return frozenset(couple for noun in pairs for couple in _couples(noun, self))

    def entries(self) -> Iterator[Noun]:
        """Every noun of the table."""
        for line in self.nouns.strip().splitlines():
            occupation, _, words = line.partition(":")
            for word in words.split():
                yield self._noun(occupation.strip(), word)

    def _noun(self, occupation: str, word: str) -> Noun:
        lemma, _, feminine = word.lstrip("=!").partition("/")
        masculine, _, instrumental = lemma.partition("~")
        irregular = tuple(instrumental.split(",")) if instrumental else ()
        if word[0] in "=!":
            kind = "common" if word[0] == "=" else "single"
            return Noun(occupation, kind, masculine, (), irregular)
        forms = tuple(feminine.split(",")) if feminine else inflect(masculine, self.feminine)
        return Noun(occupation, "pair", masculine, forms, irregular)

    def instrumentals(self, noun: Noun) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The instrumentals of the masculine and of the feminine."""
        masculine = noun.instrumental or inflect(noun.masculine, self.instrumental_m)
        return masculine, tuple(
            form for f in noun.feminine for form in inflect(f, self.instrumental_f)
        )


def inflect(lemma: str, endings: Endings) -> tuple[str, ...]:
    """`lemma` with its longest known ending replaced, in every way that the table offers."""
    for size in range(min(6, len(lemma)), -1, -1):
        ending = lemma[len(lemma) - size :]
        if ending in endings:
            stem = lemma[: len(lemma) - size]
            return tuple(stem + new for new in endings[ending].split())
    return ()


def _add(forms: dict[str, int], words: tuple[str, ...] | list[str], tag: int) -> None:
    for word in words:
        for spelling in {word, word.replace("ё", "е")}:
            forms[spelling] = forms.get(spelling, 0) | tag


def _add_noun(forms: dict[str, int], noun: Noun, people: People) -> None:
    masculine, feminine = people.instrumentals(noun)
    if noun.kind == "pair":
        _add(forms, [noun.masculine], PERSON_M | s.NOUN_M)
        _add(forms, noun.feminine, PERSON_F | s.NOUN_F)
        _add(forms, masculine, ROLE_M)
        _add(forms, feminine, ROLE_F)
        return
    tag, oblique = (COMMON, COMMON_INS) if noun.kind == "common" else (SINGLE, SINGLE)
    _add(forms, [noun.masculine], tag | s.NOUN_M)
    _add(forms, masculine, oblique)


def _couples(noun: Noun, people: People) -> Iterator[tuple[str, str]]:
    masculine, feminine = people.instrumentals(noun)
    for ms, fs in (((noun.masculine,), noun.feminine), (masculine, feminine)):
        yield from ((m, f) for m in ms for f in fs)


# --- rules ----------------------------------------------------------------------------------------

_FAR = 14  # words that are looked at on either side
_ENDS = s.COMMA | s.STOP | s.COLON | s.BREAK | s.QUOTE
_SENTENCE = s.STOP | s.QUOTE | s.COLON
_ALIKE = s.ADJ | s.INS_M | s.INS_F | s.SHORT_M | s.SHORT_F  # may be attributes
_ATTRIBUTES = ATTRIBUTE | _ALIKE
_INSTRUMENTAL = ATT_INS_M | ATT_INS_F | s.INS_M | s.INS_F
_NAMES = PERSON | COMMON | SINGLE
_ROLES = ROLE | COMMON_INS | SINGLE
_OTHERS = s.OTHER | s.SAY | THIRD
_LIGHT = s.ADV | s.CLITIC | s.DET | s.NOMINATIVE | s.ME | s.AUX | s.AND | HERE
_THAT = "та"  # Ukrainian: "that", and "and"
_LIKEWISE = frozenset("tak stejně rovnako isto jednako enako również tako так гэтак".split())
_PHRASE = 4  # words of a prepositional phrase
# What an unlisted attribute ends in: "zdravotní sestra", "medicinska sestra", "старшая медсестра".
_ATTRIBUTIVE = (
    *("í", "ý", "á", "ím", "ým", "ou", "ny", "na", "wy", "wa", "ki", "ka", "ska", "ski", "čki"),
    *("ни", "на", "ий", "ый", "ой", "ая", "яя", "ым", "им", "ою", "ай", "ы", "і", "ця", "ній"),
    *("ni", "ną", "ym", "im", "ką", "nom", "skom", "ji", "ja", "та", "ва", "ова", "овий", "ты"),
)
# What an attribute in the instrumental ends in.
_OBLIQUE = tuple("ou ým ím ym im om ą ой ей ою ею ым им ай яй аю".split())


def with_people(
    words: Mapping[str, int], ending: Callable[[str], int], people: People
) -> dict[str, int]:
    """The words of a language with its person nouns, and what the rules ask of other words."""
    table = dict(words)
    for form, tags in people.forms.items():
        if form in words:
            table[form] = words[form] | tags
        elif tags & (_NAMES | ROLE | COMMON_INS):
            table[form] = tags
        else:
            table[form] = tags | ending(form)
    return table


class _Around(NamedTuple):
    """The words of the text around a place in it, as far as they are in the same sentence."""

    tags: list[int]
    at: int
    clause: Clause
    low: int  # where it starts among the tokens of the text

    def key(self, i: int) -> str:
        """The i-th word in uniform spelling."""
        return self.clause.language.key(self.clause.surfaces[self.low + i])


def _look(clause: Clause, i: int) -> _Around:
    """The sentence around the i-th word, a few words to either side."""
    surfaces, here, known = clause.surfaces, clause.at[i], clause.language.known
    before: list[int] = []
    for surface in reversed(surfaces[max(0, here - _FAR) : here]):
        word = known(surface)
        if word & _SENTENCE:
            break
        before.append(word)
    tags = [*reversed(before), clause.tags[i]]
    for surface in surfaces[here + 1 : here + 1 + _FAR]:
        word = known(surface)
        if word & _SENTENCE:
            break
        tags.append(word)
    return _Around(tags, len(before), clause, here - len(before))


def _tag(around: _Around, i: int) -> int:
    return around.tags[i] if 0 <= i < len(around.tags) else 0


def _phrase_start(around: _Around, i: int) -> int:
    """Return where the noun phrase of the i-th word starts: its attributes stand before it."""
    agree = (_INSTRUMENTAL if _is_oblique(around.tags[i]) else _ATTRIBUTES) | s.DET
    while i > 0:
        agreeing = around.tags[i - 1] & agree
        if not agreeing and not (_plain(around, i - 1) and _may_agree(around, i - 1)):
            break
        i -= 1
    return i


def _is_oblique(word: int) -> bool:
    """Return whether a noun is in the instrumental, and cannot be in the nominative."""
    return bool(word & _ROLES and not word & (PERSON | COMMON))


def _plain(around: _Around, i: int) -> bool:
    """Return whether the word at `i` is unlisted and ends like an attribute."""
    word = around.tags[i]
    return not word & ~(s.NATIVE | s.OWN) and around.key(i).endswith(_ATTRIBUTIVE)


def _may_agree(around: _Around, i: int) -> bool:
    """Return whether an unlisted word at `i` may agree with the noun: not "od pondělí lékařka"."""
    before = _tag(around, i - 1)
    return not before & s.PREP or bool(before & WITH and _is_oblique(around.tags[around.at]))


def _what_i_am(clause: Clause, i: int) -> bool:
    """Return whether the noun in the nominative at `i` is what "I" am."""
    around = _look(clause, i)
    surface = clause.surfaces[clause.at[i]]
    if around.at and surface[0].isupper() and not surface.isupper():
        return False  # a title: "nagrada Znanstvenik"
    return _nominative(around)


def _nominative(around: _Around) -> bool:
    start = _phrase_start(around, around.at)
    before = _tag(around, start - 1)
    if _tag(around, around.at + 1) & _NAMES:  # "дежурный врач": the next noun is the head
        return False
    if before & s.PREP or (before & _NAMES and not before & s.AND):
        return False
    if before & AS:
        return _as(around, start - 1)
    if before & (s.COMMA | s.BREAK) and _apposition(around, start - 1):
        return True
    if before & s.AND and around.key(start - 1) != _THAT:
        return _coordinated(around, start)
    return _copula_left(around, start) or _copula_right(around, start)


def _coordinated(around: _Around, start: int) -> bool:
    """Return whether a phrase after "and" goes on with what "I" am: "jsem matka a lékařka"."""
    words = around.tags[start : around.at]
    if _tag(around, around.at + 1) & _OTHERS or any(word & s.DET for word in words):
        return False  # "a můj bratr je učitel"
    if _tag(around, start - 2) & _NAMES:
        return _nominative(around._replace(at=start - 2))
    return bool(words and _tag(around, start - 2) & _ATTRIBUTES) and _copula_left(around, start)


def _apposition(around: _Around, i: int) -> bool:
    """Return whether "I" stands alone before the punctuation at `i`: "Я, врач, ..."."""
    i -= 1
    while _tag(around, i) & (COPULA | s.AUX | s.ADV) and not _tag(around, i) & s.NOMINATIVE:
        i -= 1
    if not _tag(around, i) & s.NOMINATIVE:
        return False
    before = _tag(around, i - 1)
    return i == 0 or bool(before & (_ENDS | s.CUT | s.AND | s.ADV))


def _as(around: _Around, i: int) -> bool:
    """Return whether "as" at `i` says what "I" work as; a comparison has no verb of working."""
    before = _tag(around, i - 1)
    if _tag(around, i - 2 if before & s.COMMA else i - 1) & s.NOMINATIVE:
        return True
    if before & (_ALIKE | s.DET) or (i > 0 and around.key(i - 1) in _LIKEWISE):
        return False
    return any(
        around.tags[j] & WORK or (around.tags[j] & TO_WORK and _willing(around, j))
        for j in _stretch(around, i)
    )


def _stretch(around: _Around, i: int) -> range:
    """The words around `i` that no punctuation and no conjunction parts from it."""
    low = high = i
    while low > 0 and not _parts(around, low - 1):
        low -= 1
    while high + 1 < len(around.tags) and not _parts(around, high + 1):
        high += 1
    return range(low, high + 1)


def _parts(around: _Around, i: int) -> bool:
    word = around.tags[i]
    if word & (COPULA | AS | s.NOMINATIVE):
        return False
    return bool(word & (_ENDS | s.CUT))


def _willing(around: _Around, i: int) -> bool:
    """Return whether an infinitive at `i` is the speaker's: "budu pracovat", "chci být"."""
    first = COPULA | WORK | s.NOMINATIVE | s.VERB
    words = [around.tags[j] for j in _stretch(around, i) if j < i]
    return any(w & first for w in words) and not any(w & _OTHERS for w in words)


def _copula_left(around: _Around, start: int) -> bool:
    """Return whether the copula stands before the phrase and nothing else is its predicate."""
    for j in range(start - 1, -1, -1):
        word = around.tags[j]
        if word & COPULA:
            return not _auxiliary(around, j)
        if word & TO_WORK:
            return _willing(around, j)
        if _parts(around, j) or word & (_OTHERS | AS):
            return False
        if word & _NAMES and not _tag(around, j + 1) & s.AND:
            return False
        if word & (s.VERB | s.PAST | s.INF) and not word & (s.BE_PAST | s.ADV):
            return _stray(around, j)
    return False


def _stray(around: _Around, j: int) -> bool:
    """Return whether a word that looks like a verb is in a prepositional phrase: "v tem mestu"."""
    if not any(_tag(around, k) & (s.PREP | s.DET) for k in range(max(0, j - 2), j)):
        return False
    return _copula_left(around, j)


def _copula_right(around: _Around, start: int) -> bool:
    """Return whether the copula follows the noun: "učiteljica sam"."""
    if start and not _tag(around, start - 1) & (_ENDS | s.ADV | s.NOMINATIVE):
        return False
    return _is_verb(_tag(around, around.at + 1), COPULA) and not _auxiliary(around, around.at + 1)


def _is_verb(word: int, tags: int) -> bool:
    """Return whether a word with one of `tags` is a verb, and not the "I" of the East."""
    return bool(word & tags) and not word & s.NOMINATIVE


def _auxiliary(around: _Around, i: int) -> bool:
    """Return whether the copula at `i` is the auxiliary of another verb: "vidio sam"."""
    if not around.tags[i] & (s.AUX | s.NOMINATIVE):
        return False
    return any(
        around.tags[j] & s.PAST and not around.tags[j] & (s.BE_PAST | _NAMES | s.ADV)
        for j in _stretch(around, i)
    )


def _what_i_do(clause: Clause, i: int) -> bool:
    """Return whether the noun in the instrumental at `i` is what "I" am or work as."""
    return _instrumental(_look(clause, i))


def _instrumental(around: _Around) -> bool:
    start = _phrase_start(around, around.at)
    if _tag(around, start - 1) & s.PREP or _tag(around, around.at + 1) & _ROLES:
        return False
    if start and _governed(around, start - 1):
        return False
    j = start - 1
    while j >= 0:
        word = around.tags[j]
        if _is_verb(word, WORK | COPULA):
            return bool(word & WORK) or not _auxiliary(around, j)
        if word & TO_WORK:
            return _willing(around, j)
        if word & s.BE_PAST:
            return _first(around, j)
        phrase = _phrase_before(around, j)
        if phrase >= 0:
            j = phrase - 1
        elif _may_part(around, j):
            j -= 1
        else:
            break
    return _verb_right(around, start)


def _governed(around: _Around, i: int) -> bool:
    """Return whether an unlisted attribute at `i` has a preposition: "s novom liječnicom"."""
    phrase = _phrase_before(around, i)
    return bool(phrase >= 0 and around.tags[phrase] & WITH and around.key(i).endswith(_OBLIQUE))


def _may_part(around: _Around, i: int) -> bool:
    """Return whether the word at `i` may stand between the verb and its predicate."""
    word = around.tags[i]
    if word & (_OTHERS | s.PREP):
        return False
    if word & (_LIGHT | _ROLES | _INSTRUMENTAL):
        return True
    return _plain(around, i) and bool(around.tags[i + 1] & s.AND)  # "nowym i dobrym szefem"


def _first(around: _Around, i: int) -> bool:
    """Return whether the past copula at `i` is the speaker's."""
    words = [around.tags[j] for j in _stretch(around, i)]
    return any(w & (s.NOMINATIVE | s.AUX | COPULA | s.FUSED_M | s.FUSED_F) for w in words)


def _phrase_before(around: _Around, i: int) -> int:
    """Return where a prepositional phrase that ends at `i` starts; -1 if there is none."""
    for j in range(i, max(-1, i - _PHRASE), -1):
        word = around.tags[j]
        if word & s.PREP:
            return j if j < i else -1
        if word & (_ENDS | s.CUT | COPULA | WORK | TO_WORK | s.PAST | PERSON):
            return -1
    return -1


def _verb_right(around: _Around, start: int) -> bool:
    """Return whether the verb follows: "Lékařkou jsem tu od pondělí", "Врачом я работаю"."""
    if start and not _tag(around, start - 1) & (_ENDS | s.ADV | s.NOMINATIVE):
        return False
    j = around.at + 1
    while not _is_verb(_tag(around, j), WORK | COPULA):
        if not _tag(around, j) & (s.ADV | s.CLITIC | s.NOMINATIVE):
            return False
        j += 1
    return not _auxiliary(around, j)


def _attribute(clause: Clause, i: int) -> bool:
    """Return whether an attribute goes with what "I" am: "nová zdravotní sestra"."""
    around = _look(clause, i)
    oblique = clause.tags[i] & (ATT_INS_M | ATT_INS_F)
    for j in range(around.at + 1, min(len(around.tags), around.at + _PHRASE)):
        word = around.tags[j]
        noun = around._replace(at=j)
        if _phrase_start(around, j) > around.at:
            return False
        if oblique and word & (ROLE | COMMON_INS) and _instrumental(noun):
            return True
        if not oblique and word & (PERSON | COMMON) and _nominative(noun):
            return True
        if word & (_NAMES | ROLE | COMMON_INS):
            return False
    return False


RULES = (
    Rule("noun", PERSON_M, PERSON_F, 0, 0, _what_i_am),
    Rule("noun", ROLE_M, ROLE_F, 0, 0, _what_i_do),
    Rule("noun_attribute", ATT_M | ATT_INS_M, ATT_F | ATT_INS_F, 0, 0, _attribute),
)
