"""Maltese: the gender a text gives to its first person.

Verbs of the first person show none. Adjectives and participles do ("jien għajjiena", "kont
mistieden", "nħossni sabiħa"), nouns for persons ("bħala għalliem", "jien ġurnalista"), the
participles of going and being ("qiegħda nitkellem", "sejjer nieħu"), and "wieħed/waħda minn". The
feminine ends in -a: Italian words have it after a consonant or in place of -u, Semitic ones lose a
vowel before it ("imdejjaq/imdejqa"), which the list holds. What ends in -i, -bbli, -anti, -enti is
both genders.

What is uncertain: "kont" is "I was" and "you were"; it is read as the first person unless "int"
stands in the sentence. Collective plurals in -a ("ħaddiema", workers) are read as a feminine after
"jien" alone. Spellings of loans vary, and no native speaker has checked the lists.
"""

import re
from functools import lru_cache

from monitor.data import read_toml
from monitor.languages._pairs import ONE_FORM, sign_gender
from monitor.languages._speech import MARK, SIGNS
from monitor.languages._stretch_reader import FOREIGN, Found, Stretch, StretchReader
from monitor.model import Gender
from monitor.text.tokens import strip_marks

M, F, BOTH = Gender.MASCULINE, Gender.FEMININE, Gender.BOTH

_LETTER = rf"[^\W\d_](?:[^\W\d_]|[{MARK}])*"
_FINAL = r"(?i:(?<=ta)|(?<=ma)|(?<=sa)|(?<=bqa)|(?<=sta)|(?<=rġa)|(?<=rga)|(?<=ella)|(?<=eġġa))['’]"
TOKEN = re.compile(
    rf"{_LETTER}(?:['’\-]{_LETTER})*(?:{_FINAL}(?!\w))?(?:[/{ONE_FORM}]-?a(?!\w)"
    rf"|(?<=\w)@(?!\w)|[(\[]-?a[)\]](?!\w))?|\d+|{SIGNS}"
)
_TAILED = re.compile(rf"^(?P<stem>.+?)(?P<sign>[/(\[{ONE_FORM}])(?:-?a[)\]]?|(?<=@))$")
_ARTICLE = re.compile("^(?:i?[cdlnrstxz]|ghall|bhall)-")


def spell(low: str) -> str:
    """Return a lower-case word without dots and strokes, as it is often typed."""
    low = low.replace("’", "'").replace("à", "a'")  # nouns in -tà: "opportunità"
    return strip_marks(low.replace("ħ", "h"))


def _words(text: str) -> frozenset[str]:
    return frozenset(spell(text).split())


def _pairs(text: str) -> dict[str, str]:
    """Return {feminine: masculine}."""
    pairs = (pair.partition("/") for pair in spell(text).split())
    return {feminine: masculine for masculine, _, feminine in pairs}


_DATA = read_toml("person_words_mt")
_FEMININES = _pairs(_DATA["adjectives"]) | _pairs(_DATA["nouns"])
_MASCULINES = frozenset(_FEMININES.values())
_ENDINGS = tuple((m, f) for f, m in _pairs(_DATA["endings"]).items())
_NOT_F, _NOT_M = _words(_DATA["not_feminine"]), _words(_DATA["not_masculine"])
_COPULAS, _ADVERBS = _words(_DATA["copulas"]), _words(_DATA["adverbs"])
_THEIRS = _words(_DATA["theirs"])
_YOU = frozenset({"int", "inti"})
_GOING = _pairs("qiegħed/qiegħda sejjer/sejra")
_C = "(?:gh|[bcdfghjklmnpqrstvwxz])"  # a consonant
#: Passive participles of verbs with three consonants: magħruf, misjuba.
_PASSIVE = re.compile(f"^m[aei]{_C}{{2}}u{_C}(a?)$")
#: Participles of derived verbs, which lose their vowel: imfarraġ/imfarrġa, imdejjaq/imdejqa.
_DERIVED = re.compile(f"^i?m{_C}[aeo](?:{_C}{{2}}[ae]{_C}|{_C}{{2,3}}(a))$")
_STEM = 3  # letters before an ending
_WIDE = 24  # words before "bħala" that are looked at
_FAR = 6  # adverbs between a copula and its predicate


@lru_cache(maxsize=1 << 14)
def gender_of(key: str) -> Gender | None:
    """Return what an adjective, a participle or a noun for a person shows."""
    if key in _FEMININES or key in _MASCULINES:
        return F if key in _FEMININES else M
    if participle := _PASSIVE.match(key) or _DERIVED.match(key):
        return F if participle[1] else M
    if key in _NOT_F or key in _NOT_M or key.removesuffix("a") in _NOT_M or key + "a" in _NOT_F:
        return None
    if key.startswith("n") and key.endswith("iza"):  # verbs: "nifriża"
        return None
    for masculine, feminine in _ENDINGS:
        if key.endswith(feminine) and len(key) >= len(feminine) + _STEM:
            return F
        if key.endswith(masculine) and len(key) >= len(masculine) + _STEM:
            return M
    return None


def _shown(words: Stretch, i: int) -> tuple[Gender, int] | None:
    """Return what the word at `i` shows, and its last token: two for "kuntent/kuntenta"."""
    key = words.key(i)
    if tailed := _TAILED.match(key):
        stem = tailed["stem"]
        stem_gender = gender_of(stem) or gender_of(stem.removesuffix("u")) or gender_of(f"{stem}u")
        return (sign_gender(tailed["sign"]), i) if stem_gender else None
    gender = gender_of(_ARTICLE.sub("", key))
    if not gender or _has_object(words.key(i + 1)):
        return None
    if words.key(i + 1) in {"/", "jew"}:
        partner_gender = gender_of(words.key(i + 2))
        if (
            partner_gender
            and {gender, partner_gender} == {M, F}
            and key[:2] == words.key(i + 2)[:2]
        ):
            return BOTH, i + 2
    return gender, i


def _has_object(key: str) -> bool:
    """Return whether a word before this one is a verb: "ikkonfortat lit-tfal"."""
    return key == "lil" or bool(_TO.match(key))


_TO = re.compile("^li[cdlnrstxz]l?-|^lill-")


def find(words: Stretch) -> list[Found]:
    """Return every witness of the speaker's gender."""
    witnesses: list[Found] = []
    for i, key in enumerate(words.keys):
        if key == "bhala" and (reading := _as(words, i)):
            witnesses.append(Found(i + 1, reading[1], reading[0], "as"))
        elif (key in _COPULAS or _has_me(key)) and not _addressed(words, i):
            witnesses += _predicates(words, i + 1, sure=key in _COPULAS)
        elif (key in _FEMININE_GOING or key in _MASCULINE_GOING) and _first_verb(words.key(i + 1)):
            witnesses.append(Found(i, i, F if key in _FEMININE_GOING else M, "going"))
    return sorted({witness.first: witness for witness in witnesses}.values())


_FEMININE_GOING = frozenset(_GOING)
_MASCULINE_GOING = frozenset(_GOING.values())
_STOPS = frozenset(".!?…\n")


def _has_me(key: str) -> bool:
    """Return whether a verb has the speaker as its object: "jagħmilni", "ħallewni"."""
    return len(key) > _FAR and key.endswith(("ni", "nix")) and not key.endswith("oni")


def _addressed(words: Stretch, i: int) -> bool:
    """Return whether "kont" is "you were": "int" stands before it."""
    return any(key in _YOU for key in words.keys[max(0, i - _FAR) : i])


def _first_verb(key: str) -> bool:
    """Return whether a verb is the speaker's: the imperfect of the first person begins with n-."""
    return len(key) >= _STEM and key.startswith(("n", "in", "imm"))


def _predicates(words: Stretch, i: int, *, sure: bool) -> list[Found]:
    """Return what follows a copula: "tant għajjien", "kuntenta u ferħana", "waħda minn"."""
    predicates: list[Found] = []
    end = i + _FAR
    while i < end:
        key = words.key(i)
        if key in _ONE_OF and words.key(i + 1) in {"minn", "mill", "minnhom"} | _FROM:
            predicates.append(Found(i, i, _ONE_OF[key], "one_of"))
            break
        if key in _LEADS and words.key(i + 1) == "li":
            predicates.append(Found(i, i, _LEADS[key], "one_of"))
            break
        reading = _shown(words, i)
        if reading and (sure or gender_of(key)):
            predicates.append(Found(i, reading[1], reading[0], "predicate"))
            i = reading[1] + 1
            if words.key(i) not in {"u", ",", "imma"}:
                break
            end = i + 1 + _STEM
            i += 1
            continue
        if not (key in _ADVERBS or key in _COPULAS or key.endswith("ment")):
            break
        i += 1
    return predicates


_ONE_OF = {"wiehed": M, "wahda": F}
_LEADS = {"dak": M, "dik": F}
_FROM = frozenset({"mill-", "minna", "minnkom"})


def _as(words: Stretch, i: int) -> tuple[Gender, int] | None:
    """Return what "bħala" says of the speaker, where nobody else is its subject."""
    reading = _shown(words, i + 1)
    if not reading:
        return None
    start = i
    while start > i - _WIDE and start and words.key(start - 1) not in _STOPS:
        start -= 1
    before = words.keys[start:i]
    if any(key in _THEIRS for key in before[-2 * _FAR :]):
        return None
    after = words.keys[reading[1] + 1 : reading[1] + 1 + 2 * _FAR]
    is_mine = any(key in _COPULAS or _is_first(key) for key in [*before, *after])
    return reading if is_mine else None


def _is_first(key: str) -> bool:
    """Return whether a verb is of the first person: perfects in -t, imperfects in n-; "tiegħi"."""
    if key in {"tieghi", "lili", "mieghi", "ghandi", "kelli"} or _has_me(key):
        return True
    return len(key) > _STEM and (
        key.endswith(("jt", "lt", "mt", "dt", "bt", "ft", "nt", "rt", "st", "qt", "kt", "xt"))
        or key.startswith(("n", "in"))
    )


_TRIGGERS = _COPULAS | _FEMININE_GOING | _MASCULINE_GOING | {"bhala"}
_OWN = _words(_DATA["own"])

LANGUAGE = StretchReader(
    code="mt",
    name="Maltese",
    version=2,
    token=TOKEN,
    spell=spell,
    letters=frozenset("abcdefghijklmnopqrstuvwxyz'-/*():_@"),
    own=_OWN,
    foreign=FOREIGN - _OWN,
    marked=lambda words: not words.isdisjoint(_TRIGGERS) or any(map(_has_me, words)),
    find=find,
    says=_words("""
    qal qalet qalu jgħid tgħid staqsa staqsiet wieġeb wieġbet żied żiedet għajjat għajtet kiteb
    kitbet
    """),
    first=_words("jien jiena għidt ngħid"),
)
