"""German: the gender a text gives to its first person, by nouns.

Nothing that agrees with "ich" shows a gender: neither verbs nor predicative adjectives. Nouns do,
and adjectives that stand as nouns: what "ich" am or become ("Ich bin Lehrerin", "die Beste", "ein
Angestellter", "will Ärztin werden"), a noun after "als" ("als Arzt", "als Einzige"), after "zum,
zur" with "werden, machen, ernennen", after "für" with "halten", after "nennen", after "wie ein"
with "sich fühlen", and an apposition ("ich Ärmste!", "ich, der Lehrer", "ich, die ich"). A noun
counts where it has a partner: Lehrer/Lehrerin by its ending, Mann/Frau by the list; one without
("Mensch, Person, Fan") shows nothing. "LehrerIn, Lehrer/in, der/die Beste" are both, "Lehrer*in,
Lehrer:in" are inclusive.

The generic masculine counts as masculine: a woman may say "Ich bin Lehrer", and the text then says
it in the masculine.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from types import SimpleNamespace
from typing import NamedTuple

from monitor.data import read_words
from monitor.languages._pairs import ONE_FORM, sign_gender
from monitor.languages._speech import MARK, SIGNS
from monitor.languages._stretch_reader import FOREIGN, Found, Stretch, StretchReader
from monitor.model import Gender
from monitor.text.tokens import strip_marks

M, F, BOTH, INCLUSIVE = Gender.MASCULINE, Gender.FEMININE, Gender.BOTH, Gender.INCLUSIVE

_BOTH_ARTICLES = "der/die|die/der|ein/eine|eine/ein|ein/e|eine/r|zum/zur|zur/zum"
#: Signs of one form; Duden names the point and the bullet among them.
_MARKS = ONE_FORM + "."
_OPEN_ARTICLE = frozenset(
    article.replace("/", sign)
    for sign in _MARKS
    for article in ("ein/e", "eine/r", "der/die", "die/der")
)
_TAIL = "innen|in|frau|r|e|n|er"
_WORD = rf"[^\W\d_](?:[^\W\d_]|[{MARK}])*"
_ARTICLE = "|".join(
    (
        rf"[eE](?<!\w[eE])(?i:in[/{_MARKS}]e|ine[/{_MARKS}]r|in/eine|ine/ein)",
        rf"[dD](?<!\w[dD])(?i:er[/{_MARKS}]die|ie[/{_MARKS}]der)",
        r"[zZ](?<!\w[zZ])(?i:um/zur|ur/zum)",
    )
)
TOKEN = re.compile(
    rf"(?:{_ARTICLE})(?!\w)"
    rf"|{_WORD}(?:(?:/-?|[{_MARKS}])(?:{_TAIL})(?!\w)|[(\[]-?(?:{_TAIL})[)\]](?!\w))?|\d+|{SIGNS}"
)
_TAILED = re.compile(
    rf"^(?P<stem>{_WORD})(?P<sign>[/(\[{_MARKS}])-?(?P<tail>{_TAIL})[)\]]?$", re.IGNORECASE
)
_INNER = re.compile(r"[a-zäöüß]In$")
_BOTH_ARTICLE = frozenset(_BOTH_ARTICLES.split("|")) | _OPEN_ARTICLE
_OPEN = frozenset({BOTH, INCLUSIVE})


def spell(low: str) -> str:
    """Return a lower-case word without umlauts: "Ärztin" has the stem of "Arzt" then."""
    return strip_marks(low.replace("ß", "ss"))


# --- nouns --------------------------------------------------------------------------------------

_LISTS = SimpleNamespace(**read_words("person_words_de"))
_PAIRS = dict(pair.split("/") for pair in _LISTS.pairs)
_WIVES = {woman: man for man, woman in _PAIRS.items()}
_MEN, _WOMEN = zip(*(pair.split("/") for pair in _LISTS.halves), strict=True)
_MALE_NOUNS = _PAIRS.keys() | _LISTS.lexical | _LISTS.weak | _LISTS.rare
_MALE_ENDINGS = (
    *_LISTS.suffixes, *_LISTS.weak_suffixes, *_MEN,
    *(word for word in _LISTS.lexical | _LISTS.rare if len(word) > 3),  # noqa: PLR2004
    *(word for word in _LISTS.weak if len(word) > 4),  # noqa: PLR2004
)  # fmt: skip
#: Endings of adjectives and participles that stand as nouns, in -e.
_ADJECTIVAL = re.compile(
    r"""(?:
    (?:ge|be|ver|er|ent|zer|emp)[a-z]{2,}te
    |[a-z]{2,}(?:ierte|ete|igte|lte|rte|nnte|chte|ckte)
    |[a-z]{3,}(?:nde|ene|ere)
    |[a-z]{2,}(?:st|sst|zt)e
    |[a-z]{2,}(?:liche|lose|ige|ische|elle|same|bare|hafte|ive|ale|ible|able|are|ose)
    |[a-z]{2,}(?:volle|reiche|arme|freie|werte|fahige|artige)
    )$""",
    re.VERBOSE,
)
_ADJECTIVES, _NOT_ADJECTIVAL = _LISTS.base, _LISTS.not_adjectival
_NOMINATIVE = _LISTS.nominative_m | _LISTS.nominative_f
_LAST_THINGS = tuple(_LISTS.last_things)
_NOT_ADJECTIVAL_LAST = tuple(_LISTS.not_adjectival_last)
_SHORTEST = 4


@lru_cache(maxsize=1 << 14)
def is_man(key: str) -> bool:
    """Return whether a noun in the nominative is masculine and has a feminine partner."""
    if key in _MALE_NOUNS:
        return True
    if len(key) < _SHORTEST or key in _LISTS.things or key.endswith(_LAST_THINGS):
        return False
    return key.endswith(_MALE_ENDINGS)


@lru_cache(maxsize=1 << 14)
def is_woman(key: str) -> bool:
    """Return whether a noun is the feminine partner of a masculine one."""
    if key in _WIVES or key.endswith(_WOMEN):
        return True
    if not key.endswith("in") or len(key) < _SHORTEST:
        return False
    stem = key[:-2]
    stems = (stem, *(stem.replace(long, long[0], 1) for long in ("ae", "oe", "ue") if long in stem))
    return any(is_man(stem) or is_man(stem + "e") or is_man(stem + "er") for stem in stems)


@lru_cache(maxsize=1 << 14)
def is_adjectival(key: str) -> bool:
    """Return whether an adjective that ends in -e may stand as a noun for a person."""
    if key in _NOT_ADJECTIVAL or not key.endswith("e"):
        return False
    if key in _ADJECTIVES:
        return True
    return not key.endswith(_NOT_ADJECTIVAL_LAST) and bool(_ADJECTIVAL.search(key))


def _doubled(surface: str) -> Gender | None:
    """Return what "LehrerIn, Lehrer/in" and "Lehrer*in" show: both, or INCLUSIVE."""
    if _INNER.search(surface):
        return BOTH if is_woman(spell(surface.casefold())) else None
    match = _TAILED.match(surface)
    if not match:
        return None
    stem, tail = spell(match["stem"].casefold()), match["tail"].casefold()
    gender = sign_gender(match["sign"])
    if tail in {"in", "innen"}:
        women = (stem + "in", stem.removesuffix("e") + "in")
        return gender if any(map(is_woman, women)) else None
    if tail in {"r", "e", "n"}:
        adjective = stem if stem.endswith("e") else stem.removesuffix("er") + "e"
        return gender if is_adjectival(adjective) or is_man(stem) else None
    return None


# --- noun phrases -------------------------------------------------------------------------------


class _Phrase(NamedTuple):
    """A noun phrase: its first word, its noun, and the gender that the noun shows."""

    start: int
    noun: int
    gender: Gender


def _noun(words: Stretch, i: int) -> Gender | None:
    """Return the gender of the person noun at `i`, None for any other word."""
    surface = words.surface(i)
    if not surface[:1].isupper():
        return None
    if doubled := _doubled(surface):
        return doubled
    key = words.key(i)
    if is_man(key):
        return M
    return F if is_woman(key) else None


def _phrase(words: Stretch, i: int, article: str) -> _Phrase | None:
    """Return the phrase from `i` on that goes with an article: "guter Lehrer", "Beste".

    `article` is one of the nominative, of the accusative, "zum", "zur", or empty for none.
    """
    gender = _article_gender(article)
    j = i
    while j < i + _MODIFIERS and _is_modifier(words, j):
        j += 1
    surface, key = words.surface(j), words.key(j)
    ordinal = None
    if not surface[:1].isupper():
        # "der beste in der Klasse", "als erster": no noun follows
        j, ordinal = j - 1, _lone_adjective(words, j - 1, article) if j > i else None
        return _Phrase(i, j, ordinal) if ordinal else None
    noun_gender = _noun(words, j)
    if not noun_gender and not (key in _LISTS.umlaut_nouns and not surface.isascii()):
        noun_gender = _adjectival(key, article, gender)
    if not noun_gender or (gender in _ONE and noun_gender in _ONE and gender is not noun_gender):
        return None
    return _Phrase(i, j, gender if gender in _OPEN and noun_gender not in _OPEN else noun_gender)


_MODIFIERS = 5
_ONE = frozenset({M, F})  # one gender alone


def _article_gender(article: str) -> Gender | None:
    if article in _BOTH_ARTICLE:
        return INCLUSIVE if article in _OPEN_ARTICLE else BOTH
    if article in _LISTS.nominative_m or article in _LISTS.accusative_m or article == "zum":
        return M
    return F if article in _LISTS.nominative_f or article in {"zur", "einer"} else None


def _is_modifier(words: Stretch, i: int) -> bool:
    """Return whether a word may stand between an article and its noun."""
    surface, key = words.surface(i), words.key(i)
    if not surface[:1].islower() or key in _STOPPERS:
        return False
    return key.endswith(("e", "er", "en", "em")) or key in _DEGREES


_DEGREES = frozenset("sehr ganz so zu besonders ziemlich wirklich echt recht total".split())
_STOPPERS = (
    _LISTS.prepositions
    | _LISTS.other_articles
    | _NOMINATIVE
    | frozenset(
        """
habe hatte werde wurde ware aber oder sondern wenn ich er sie wir immer leider gerne heute eine
konnte sollte wollte mochte musste hat war bin werden haben
""".split()
    )
)
_ORDINALS = frozenset("erst zweit dritt letzt einzig nachst best vorletzt".split())


def _lone_adjective(words: Stretch, i: int, article: str) -> Gender | None:
    """Return what a superlative or ordinal in lower case shows where no noun follows it."""
    key = words.key(i)
    gender = _article_gender(article)
    stem = key.removesuffix("r").removesuffix("e").removesuffix("en")
    superlative = stem in _ORDINALS or (stem.endswith("st") and len(stem) > _SHORTEST)
    if not superlative:
        return None
    if gender and article not in _LISTS.mixed_articles:
        return gender if key.endswith("e") or article in {"zum", "zur"} else None
    if not article and stem in _ORDINALS:
        return M if key.endswith("er") else F if key.endswith("e") else None
    return None


def _adjectival(key: str, article: str, gender: Gender | None) -> Gender | None:
    """Return the gender of an adjective that stands as a noun, by article and ending."""
    if article in {"zum", "zur", "einer"} or article in _LISTS.accusative_m:
        return gender if key.endswith("en") and is_adjectival(key[:-1]) else None
    if article in _LISTS.possessives:
        return None
    if article in _LISTS.mixed_articles or not article:
        if key.endswith("er") and is_adjectival(key[:-1]):
            return M
        return F if not article and is_adjectival(key) else None
    return gender if is_adjectival(key) else None


def _oblique(words: Stretch, i: int, article: str) -> _Phrase | None:
    """Return a phrase in the dative or accusative, whose weak nouns end in -n: "einen Helden"."""
    j = i
    while j < i + _MODIFIERS and _is_modifier(words, j):
        j += 1
    if not words.surface(j)[:1].isupper():
        return None
    doubled, key, gender = _doubled(words.surface(j)), words.key(j), _article_gender(article)
    feminine = article in {"zur", "einer"} or article in _LISTS.nominative_f
    open_gender = doubled or (gender if gender in _OPEN else None)
    if open_gender:
        return _Phrase(i, j, open_gender) if doubled or is_man(key) or is_woman(key) else None
    if feminine:
        nominal = key[:-1] if article in {"zur", "einer"} else key
        ok = is_woman(key) or is_adjectival(nominal)
    else:
        weak = is_man(key[:-1]) or is_man(key[:-2])
        ok = is_man(key) or (key.endswith("n") and (weak or is_adjectival(key[:-1])))
    return _Phrase(i, j, F if feminine else M) if ok else None


# --- clauses ------------------------------------------------------------------------------------

_COPULA = frozenset("bin war ware sei bleibe blieb werde wurde wurd heisse".split())
_BECOMES = frozenset("werde wurde wurd".split())
_INFINITIVES = frozenset("sein werden bleiben geworden gewesen geblieben worden".split())
_BREAKS = frozenset(",.;:!?()[]…\n–—-/") | frozenset("\"“”„«»‚‹›‘’'")
_JOINS = frozenset("und oder aber denn sondern doch".split())
_ME = frozenset("mich mir".split())
_MY = frozenset("mein meine meinen meinem meiner meines".split())
_OBJECTS = frozenset("ihn sie dich euch ihm ihr ihnen jemanden".split())
_KEEPS = frozenset("halte hielt halt halten hielten gehalten ausgebe ausgegeben ausgeben".split())
_COMPARATIVES = frozenset("mehr weniger anders besser lieber eher andere anderes nichts".split())
_LONG = 10  # words of a phrase before its clause


class _Clause(NamedTuple):
    start: int
    end: int
    opener: str  # the sign or conjunction before it
    ich: bool  # "I" is its subject
    copula: bool


def _clauses(words: Stretch) -> Iterator[_Clause]:
    """Cut a stretch at punctuation and before conjunctions with a verb or subject of their own."""
    last = _Clause(0, 0, ".", ich=False, copula=False)
    start, opener, size = 0, ".", len(words.keys)
    for i in range(size + 1):
        key = words.keys[i] if i < size else "."
        if key not in _BREAKS and key not in _JOINS:
            continue
        if i > start:
            last = _clause(words, start, i, opener, last)
            yield last
        start, opener = i + 1, key


def _clause(words: Stretch, start: int, end: int, opener: str, last: _Clause) -> _Clause:
    """Return the clause with its subject, which one without a verb has from the clause before."""
    keys = words.keys[start:end]
    has_other_subject = not _OTHER_SUBJECTS.isdisjoint(keys)
    ich = "ich" in keys or ("bin" in keys and not has_other_subject)
    copula = not _COPULA.isdisjoint(keys) or not _INFINITIVES.isdisjoint(keys)
    to_be = keys[-1] in _INFINITIVES and "zu" in keys
    if to_be and opener == "," and not _SPEAKER.isdisjoint(words.keys[last.start : last.end]):
        return _Clause(start, end, opener, ich=True, copula=True)
    if not ich and not has_other_subject and opener not in _STOPS and last.ich:
        joined = opener in _JOINS
        if joined and keys[0] in _COPULA:
            return _Clause(start, end, opener, ich=True, copula=True)
        if len(keys) <= _MODIFIERS and words.surface(end - 1)[:1].isupper():
            return _Clause(start, end, opener, ich=True, copula=last.copula)
    return _Clause(start, end, opener, ich, copula)


_OTHER_SUBJECTS = frozenset("er man wir du".split())
_STOPS = frozenset(".;!?…\n")


def find(words: Stretch) -> list[Found]:
    """Return every witness of the speaker's gender."""
    witnesses: dict[int, Found] = {}
    if _TRIGGERS.isdisjoint(words.keys):
        phrases = [
            phrase
            for i, key in enumerate(words.keys)
            if key == "ich"
            for phrase in _apposition(words, i)
        ]
    else:
        phrases = [phrase for clause in _clauses(words) for phrase in _read(words, clause)]
    for phrase, rule in phrases:
        gender, last = _alternative(words, phrase)
        witnesses.setdefault(phrase.noun, Found(phrase.start, last, gender, rule))
    return _without_echoes(sorted(witnesses.values()))


def _without_echoes(found: list[Found]) -> list[Found]:
    """Drop what is inside another witness: the second half of "Lehrer oder Lehrerin"."""
    without_echoes: list[Found] = []
    for witness in found:
        if not without_echoes or witness.last > without_echoes[-1].last:
            without_echoes.append(witness)
    return without_echoes


def _alternative(words: Stretch, phrase: _Phrase) -> tuple[Gender, int]:
    """Return BOTH for "Lehrer oder Lehrerin", "Lehrer/Lehrerin", and where it ends."""
    if words.key(phrase.noun + 1) in {"/", "oder", "bzw", "beziehungsweise", "und"}:
        j = phrase.noun + 2
        while j < phrase.noun + _MODIFIERS and words.surface(j)[:1].islower():
            j += 1
        other = _noun(words, j)
        if other is None and is_adjectival(words.key(j).removesuffix("r")):
            other = M if words.key(j).endswith("er") else F
        one, two = words.key(phrase.noun), words.key(j)
        if {phrase.gender, other} == {M, F} and one[:3] == two[:3]:
            return BOTH, j
    return phrase.gender, phrase.noun


def _read(words: Stretch, clause: _Clause) -> Iterator[tuple[_Phrase, str]]:
    keys = frozenset(words.keys[clause.start : clause.end])
    me = not _ME.isdisjoint(keys)
    if clause.ich and clause.copula:
        yield from ((phrase, "predicate") for phrase in _predicates(words, clause, keys))
    for i in range(clause.start, clause.end):
        key = words.keys[i]
        if key == "als" and (phrase := _as(words, clause, i, keys)):
            yield phrase, "as"
        elif key in {"zum", "zur", "zu"} or key in _BOTH_ARTICLE:
            becomes = (me or clause.ich) and not _LISTS.makes.isdisjoint(keys)
            if becomes and (me or not _LISTS.becoming.isdisjoint(keys)):
                yield from _to(words, i)
        elif key == "fur" and "mich" in keys and not _KEEPS.isdisjoint(keys):
            yield from _after(words, i + 1, "held")
        elif key == "wie" and (clause.ich or me) and not _LISTS.feels.isdisjoint(keys):
            yield from _after(words, i + 1, "like")
        elif key == "mich" and not _LISTS.names.isdisjoint(keys):
            yield from _after(words, i + 1, "called")
        elif key == "ich":
            yield from _apposition(words, i)


def _predicates(words: Stretch, clause: _Clause, keys: frozenset[str]) -> Iterator[_Phrase]:
    """Yield what "ich" am, become or remain: nominatives without a preposition."""
    if keys & _BECOMES and not keys & (_COPULA - _BECOMES) and not _is_becoming(words, clause):
        return
    i = clause.start
    while i < clause.end:
        phrase, i = _predicate(words, i, clause)
        if phrase and phrase.noun < clause.end:
            yield phrase


def _predicate(words: Stretch, i: int, clause: _Clause) -> tuple[_Phrase | None, int]:
    """Return the predicate that starts at `i`, and where to look on."""
    key = words.keys[i]
    article = key in _NOMINATIVE or key in _BOTH_ARTICLE
    if article:
        phrase = _phrase(words, i + 1, key) or _relative(words, i, clause.end)
        if phrase:
            return phrase._replace(start=i), phrase.noun + 1
    elif key in _ONE_OF:
        phrase = _one_of(words, i, clause.end)
        if phrase:
            return phrase, i + 1
    to_be = key == "zu" and words.key(i + 1) in _INFINITIVES
    # The rule "as" reads what follows "als".
    if (
        article
        or key == "als"
        or key in _LISTS.other_articles
        or (key in _LISTS.prepositions and not to_be)
    ):
        return None, _past_phrase(words, i + 1)
    if words.surfaces[i][0].isupper() and key not in _SUBJECT_WORDS:
        return _bare(words, i, clause), i + 1
    return None, i + 1


_SUBJECT_WORDS = frozenset({"ich", "bin"})
_ONE_OF = {"einer": M, "eine": F, "keiner": M, "keine": F, "eine/r": BOTH}
_ONE_OF |= {f"eine{sign}r": INCLUSIVE for sign in _MARKS}
_ONE_OF |= {"derjenige": M, "diejenige": F, "derselbe": M, "dieselbe": F}


def _is_becoming(words: Stretch, clause: _Clause) -> bool:
    """Return whether "werde, wurde" is a copula: no other verb ends its clause."""
    last = clause.end - 1
    if words.key(last) in _INFINITIVES or words.key(last) in _BECOMES:
        return True
    key = words.key(last)
    if not words.surface(last)[:1].islower():
        return True
    return not key.endswith(("en", "ern", "eln", "t"))


def _past_phrase(words: Stretch, i: int) -> int:
    """Return where the noun phrase from `i` on ends: after its noun."""
    for j in range(i, i + _MODIFIERS + 1):
        if words.surface(j)[:1].isupper() and words.key(j) not in _SUBJECT_WORDS:
            return j + 1
        if (
            not _is_modifier(words, j)
            and words.key(j) not in _LISTS.other_articles | _LISTS.nominative_f
        ):
            return max(j, i)
    return i


def _one_of(words: Stretch, i: int, end: int) -> _Phrase | None:
    """Return "einer, eine" without a noun: "eine von vielen", "einer der Besten"."""
    after = words.key(i + 1)
    if i + 1 >= end or after in {"von", "der", "unserer", "dieser"}:
        relative = i + 1 >= end and words.key(i + 1) == "," and words.key(i + 2) in {"der", "die"}
        if i + 1 < end or relative:
            return _Phrase(i, i, _ONE_OF[words.key(i)])
    return None


def _relative(words: Stretch, i: int, end: int) -> _Phrase | None:
    """Return "der, die" before its relative clause: "Ich bin die, die zahlt"; "eine von vielen"."""
    key = words.key(i)
    if key in {"der", "die"} and i + 1 == end and words.key(i + 1) == "," == words.surface(i + 1):
        return _Phrase(i, i, M if key == "der" else F) if words.key(i + 2) == key else None
    return _one_of(words, i, end) if key in _ONE_OF else None


def _bare(words: Stretch, i: int, clause: _Clause) -> _Phrase | None:
    """Return a noun without an article: "Ich bin gelernte Bäckerin", not "Ich bin Eva Koch"."""
    gender = _noun(words, i)
    start = i
    while start > clause.start and _is_attribute(words, start - 1):
        start -= 1
    if gender is None and start == i and i > clause.start:
        return None
    if not gender or words.key(start - 1) in _LISTS.prepositions | _LISTS.other_articles:
        return None
    before = words.surface(i - 1) if i > clause.start else ""
    is_named = before[:1].isupper() and words.key(i - 1) not in _COPULA | _SUBJECT_WORDS
    if is_named and i - 1 > clause.start and not _in_phrase(words, i - 1, clause):
        return None
    if i == clause.start and clause.opener in _STOPS:  # "Glücklicher war ich nie"
        return None
    return _Phrase(start, i, gender)


def _is_attribute(words: Stretch, i: int) -> bool:
    key = words.key(i)
    return (
        words.surface(i)[:1].islower() and key.endswith(("er", "e")) and key not in _NOT_ATTRIBUTES
    )


_NOT_ATTRIBUTES = (
    _COPULA | _STOPPERS | frozenset("immer leider wieder eher lange hier aber".split())
)


def _in_phrase(words: Stretch, i: int, clause: _Clause) -> bool:
    """Return whether the noun at `i` has a preposition: "von Beruf", "seit zwei Jahren"."""
    low = max(clause.start, i - _MODIFIERS)
    return any(key in _LISTS.prepositions for key in words.keys[low:i])


def _as(words: Stretch, clause: _Clause, i: int, keys: frozenset[str]) -> _Phrase | None:
    """Return what the speaker is "als", where it is the speaker's: not "ihn als Freund"."""
    before = words.key(i - 1) if i > clause.start else ""
    compares = before.endswith("er") and words.surface(i - 1)[:1].islower()
    if before in _COMPARATIVES or (compares and before not in _LISTS.adverbs):
        return None
    is_mine = before in _LISTS.roles and any(
        k in _MY for k in words.keys[max(clause.start, i - 4) : i]
    )
    me = "mich" in keys or "mir" in keys
    if not is_mine and not me:
        if not clause.ich and not _follows_ich(words, clause):
            return None
        if keys & _OBJECTS or keys & _LISTS.holds:
            return None
    article = words.key(i + 1)
    if article in _NOMINATIVE or article in _BOTH_ARTICLE:
        return _phrase(words, i + 2, article)
    if article in _LISTS.accusative_m or article in {"einem", "einer", "dem"}:
        return _oblique(words, i + 2, article)
    phrase = _phrase(words, i + 1, "")
    if not phrase and me:  # weak nouns: "mich als Studenten"
        key = words.key(i + 1)
        if words.surface(i + 1)[:1].isupper() and key.endswith("en") and is_man(key[:-2]):
            return _Phrase(i + 1, i + 1, M)
    return phrase


def _follows_ich(words: Stretch, clause: _Clause) -> bool:
    """Return whether a phrase "als ..." stands before its clause: "Als Arzt, sage ich, ..."."""
    end = clause.end + _MODIFIERS
    return (
        clause.opener in _STOPS
        and words.key(clause.end) == ","
        and "ich" in words.keys[clause.end : end]
        and clause.end - clause.start <= _LONG
    )


def _to(words: Stretch, i: int) -> Iterator[tuple[_Phrase, str]]:
    """Yield what the speaker becomes: "wurde ich zur Ärztin", "machte mich zu einem Helden"."""
    article = words.key(i)
    if article == "zu":
        i += 1
        article = {"einem": "zum", "einer": "zur"}.get(words.key(i), "")
        if not article:
            return
    elif article not in {"zum", "zur", "zum/zur", "zur/zum"}:
        return
    if phrase := _oblique(words, i + 1, article):
        yield phrase, "become"


def _after(words: Stretch, i: int, rule: str) -> Iterator[tuple[_Phrase, str]]:
    """Yield the phrase with an article at `i`, or past the adverbs there."""
    for j in range(i, i + _MODIFIERS):
        article = words.key(j)
        if article in _BREAKS:
            return
        if article in _LISTS.accusative_m or (rule == "like" and article in _LISTS.nominative_m):
            phrase = (
                _phrase(words, j + 1, article) if article in _LISTS.nominative_m
                else _oblique(words, j + 1, article)
            )  # fmt: skip
        elif article in _LISTS.nominative_f or article in _BOTH_ARTICLE:
            phrase = _phrase(words, j + 1, article)
        else:
            continue
        if phrase:
            yield phrase, rule
        return


def _apposition(words: Stretch, i: int) -> Iterator[tuple[_Phrase, str]]:
    """Yield an apposition to "ich": "ich Idiot", "ich, die Lehrerin,", "ich, der ich"."""
    after = words.key(i + 1)
    if words.surface(i + 1)[:1].isupper():
        phrase = _phrase(words, i + 1, "")
        if phrase and phrase.noun == i + 1 and words.key(i + 2) in _BREAKS:
            yield phrase, "apposition"
        return
    if after != ",":
        return
    article = words.key(i + 2)
    if article in {"der", "die"} and words.key(i + 3) == "ich":
        yield _Phrase(i + 2, i + 2, M if article == "der" else F), "relative"
    elif article in _NOMINATIVE:
        phrase = _phrase(words, i + 3, article)
        if phrase and words.key(phrase.noun + 1) in {",", ".", "!", "–", "-"}:
            yield phrase._replace(start=i + 2), "apposition"


_TRIGGERS = _COPULA | _INFINITIVES | _LISTS.makes | _LISTS.names | _KEEPS | {"als", "wie"}
_SPEAKER = frozenset("ich bin mich mir mein meine meinem meiner meinen".split())

LANGUAGE = StretchReader(
    code="de",
    name="German",
    version=2,
    token=TOKEN,
    spell=spell,
    letters=frozenset("abcdefghijklmnopqrstuvwxyz"),
    own=_LISTS.own,
    foreign=FOREIGN - _LISTS.own - {"am"},
    marked=lambda words: not words.isdisjoint(_SPEAKER),
    find=find,
    says=_LISTS.says,
    first=frozenset({"ich"}),
)
