"""Greek: the gender a text gives to its first person.

Adjectives and participles in -ος/-η (-ος/-α, -ύς/-ιά, -ης/-α) after "I am, feel, become, stay" and
beside a verb of the first person ("γύρισα κουρασμένη"); μόνος μου/μόνη μου, ο ίδιος/η ίδια,
αυτός που/αυτή που; person nouns with a partner; an article before an adjective or a noun of one
form (η δημοφιλής, ο γιατρός); accusatives after "makes me" (με κάνει χαρούμενη). Adjectives in -ής
and nouns of one form show nothing of their own.

Words are compared without accents, so that capitals and texts without accents read alike. A
feminine nominative is spelt like the accusative, and like the neuter plural and the adverb in -α:
a word after an oblique article or a preposition, or before a noun that it goes with, does not
count. Where a bare adverb in -α may be meant (νιώθω ωραία), neither gender is read.
"""

from monitor.data import read_toml
from monitor.languages import _clauses as c
from monitor.languages._clauses import (
    Clause,
    ClauseReader,
    Subject,
    own_and_foreign,
    read_pairs,
    read_words,
    shows,
)
from monitor.languages._plain_text import Script
from monitor.text.tokens import strip_marks

MAKE = c.FREE  # verbs with "me" and a predicate: "makes me"
OBLIQUE = c.FREE << 1  # articles and pronouns that are no nominative
ADVERB_TOO = c.FREE << 2  # feminines that are an adverb as well: ωραία
THE_ONE = c.FREE << 3  # relative "που"

_REACH = 10  # words between a copula and its predicate


def fold(low: str) -> str:
    """Return a lower-case word without accents; ή ("or") keeps its own."""
    if low == "ή":
        return low
    return strip_marks(low).replace("ς", "σ")


def _folded(words: str) -> list[str]:
    return [fold(word.casefold()) for word in words.split()]


def _pairs(words: str) -> list[tuple[str, str]]:
    return [(fold(m.casefold()), fold(f.casefold())) for m, f in read_pairs(words)]


_DATA = read_toml("person_words_el")
_STEMS = frozenset(word[:-2] for word in _folded(_DATA["adjectives"]))
_IN_IA = frozenset(word[:-2] for word in _folded(_DATA["in_ia"]))
#: What stems end in: -ικός, -ιμος, -τός, -ερός, degrees, and participles in -μένος.
_SUFFIXES = (
    "ικ", "μεν", "σιμ", "ξιμ", "ψιμ", "εινα", "ειν", "ωτ", "ητ", "αστ", "ιστ", "υστ", "ευτ", "αυτ",
    "ψυχ", "καρδ", "θυμ", "γνωμ", "μυαλ", "τιμ", "βουλ", "δοξ", "στομ", "σωμ", "τολμ", "μορφ",
    "φοβ", "οτερ", "υτερ", "εστερ", "οτατ", "υτατ", "ερ", "ηρ", "αλε", "αι", "ισι", "ουδ", "ουτσικ",
    "αντ", "χτ", "κτ", "φτ", "πτ", "ιν", "ιακ", "ατ",
)  # fmt: skip
_NO_STEMS = frozenset(_DATA["no_stems"].split())
_DEPICTIVE = frozenset(word[:-2] for word in _folded(_DATA["depictives"]))
#: Participles that say which one, and not how somebody is.
_ORDER = frozenset("επομεν προηγουμεν ορισμεν συγκεκριμεν δεδομεν περασμεν ολοκληρωμεν".split())
_VOWELS = frozenset("αειουηω")


def is_stem(stem: str) -> bool:
    """Return whether a stem is an adjective's: the same question for both genders."""
    if stem in _STEMS:
        return True
    return len(stem) > 3 and stem.endswith(_SUFFIXES) and stem not in _NO_STEMS  # noqa: PLR2004


_IRREGULAR = _pairs(_DATA["irregular"])
_NOUNS = _pairs(_DATA["nouns"])
_COUPLES = frozenset(_IRREGULAR + _NOUNS)

WORDS = read_words(
    {tags: " ".join(_folded(words)) for tags, words in _DATA["words"].items()},
    vars(c) | globals(),
    (c.ADJ_M, [m for m, _ in _IRREGULAR]),
    (c.ADJ_F, [f for _, f in _IRREGULAR]),
    (c.NOUN_M, [m for m, _ in _NOUNS]),
    (c.NOUN_F, [f for _, f in _NOUNS]),
)
_FIRST_PAST = (
    "ησα", "ισα", "ασα", "ωσα", "υσα", "εσα", "αξα", "εξα", "ιξα", "ηξα", "υξα", "ωξα", "αψα",
    "εψα", "ιψα", "υψα", "ηκα", "ομουν", "ομουνα", "ουσα", "ανα", "ευα", "ωνα", "ιζα", "αζα",
)  # fmt: skip
_OTHERS = (
    "ει", "εται", "αται", "ονται", "ουνται", "ηκε", "ησε", "ασε", "ισε", "αξε", "εψε", "ωσε",
    "ουμε", "ομαστε", "ετε", "ουν", "ανε", "ουνε", "ησαν", "ισαν", "ασαν", "ηκαν", "αξαν", "εψαν",
)  # fmt: skip
_SHORTEST = 3


#: Tags by ending, the first that fits.
_BY_ENDING = (
    (("ιαρησ",), c.ADJ_M),
    (("τησ", "ιστασ"), c.NOUN_M),
    (("ησ",), c.COMMON),  # adjectives of one form: δημοφιλής
    (("ω", "μαι", "μουν"), c.VERB),
    (_OTHERS, c.OTHER),
)


def ending(key: str) -> int:
    """Return the tags of an unlisted word by its ending."""
    if len(key) <= _SHORTEST and key[:-1] not in _STEMS:
        return 0
    if key.endswith("οσ"):
        return _adjective(key[:-2], masculine=True)
    if key.endswith("η"):
        return _adjective(key[:-1], masculine=False)
    if key.endswith("ο"):
        return c.INS_M if is_stem(key[:-1]) else 0
    if key.endswith("α"):
        return _in_alpha(key)
    return next((tags for endings, tags in _BY_ENDING if key.endswith(endings)), 0)


def _adjective(stem: str, *, masculine: bool) -> int:
    """Return the tags of the masculine in -ος or the feminine in -η, -α, -ια of a stem."""
    if not is_stem(stem):
        return 0
    participle = stem in _DEPICTIVE or (stem.endswith("μεν") and stem not in _ORDER)
    if masculine:
        return c.ADJ_M | (c.PART_M if participle else 0)
    return c.ADJ_F | c.INS_F | (c.PART_F if participle else 0)


def _in_alpha(key: str) -> int:
    stem = key[:-1]
    if stem in _STEMS and stem[-1] in _VOWELS:
        return _adjective(stem, masculine=False)
    if key.endswith("τρια"):
        return c.NOUN_F
    if key.endswith("ιαρα"):
        return c.ADJ_F | c.INS_F
    if stem[-1] == "ι" and stem[:-1] in _IN_IA:
        return _adjective(stem[:-1], masculine=False)
    if is_stem(stem):
        return _adjective(stem, masculine=False) if stem[-1] in _VOWELS else c.ADV
    return c.VERB if key.endswith(_FIRST_PAST) else 0


def one_word(masculine: str, feminine: str) -> bool:
    """Return whether two folded forms are the masculine and the feminine of one word."""
    if (masculine, feminine) in _COUPLES:
        return True
    return any(
        masculine.removesuffix(ending_m) == feminine.removesuffix(ending_f)
        for ending_m, ending_f in _ENDINGS
        if masculine.endswith(ending_m) and feminine.endswith(ending_f)
    )


_ENDINGS = (
    ("οσ", "η"), ("οσ", "α"), ("οσ", "ια"), ("τησ", "τρια"), ("ιστασ", "ιστρια"), ("ησ", "α"),
    ("ο", "η"), ("ο", "α"),
)  # fmt: skip

# --- rules -------------------------------------------------------------------------------------


_BESIDE = c.ADV | c.ADJ | c.COMMON | c.AND | c.OR


def _before(clause: Clause, i: int, beside: int = _BESIDE) -> int:
    """Return where the word before a predicate stands, past adverbs and other adjectives."""
    return clause.past(i - 1, -1, beside, c.COPULA)


def _governed(clause: Clause, i: int) -> bool:
    """Return whether an oblique article or a preposition takes the word: "στη μικρή"."""
    before = clause.tag(_before(clause, i))
    return bool(before & (OBLIQUE | c.PREP)) and not before & c.COPULA


def _with_noun(clause: Clause, i: int) -> bool:
    """Return whether the word goes with a noun after it that says nothing of the speaker."""
    agreeing = c.ADJ | c.MY
    j = clause.past(i + 1, 1, agreeing, c.NOUN)
    if clause.tag(j) & c.AND and clause.tag(j + 1) & c.ADJ:  # "καλός και έξυπνος άνθρωπος"
        j = clause.past(j + 1, 1, agreeing, c.NOUN)
    tag, key = clause.tag(j), clause.key(j)
    if tag & (c.NOUN | c.COMMON):
        return False
    if tag & c.FIXED:
        return True
    if not key or tag & ~_BARE:
        return False
    feminine = clause.tags[i] & (c.ADJ_F | c.INS_F | c.ALONE_F)
    return key.endswith(("η", "α") if feminine else ("οσ", "ησ", "ασ"))


def _of_object(clause: Clause, i: int) -> bool:
    """Return whether the word may be said of "him" or "her": "την είδα μόνη"."""
    return any(
        clause.key(j) in _HIM_OR_HER and clause.tag(j + 1) & c.VERB
        for j in range(max(0, i - _REACH), i)
    )


_HIM_OR_HER = frozenset(("τον", "την", "τη"))
_BARE = c.NATIVE | c.OWN | c.FOREIGN


def _copula_at(clause: Clause, i: int) -> int:
    """Return where the copula of a predicate stands, -1 without one."""
    for j in range(i - 1, max(-1, i - _REACH), -1):
        tag = clause.tags[j]
        if tag & c.COPULA or (tag & c.BE_INF and clause.key(j - 1) in _HAVE):
            return j
        if tag & c.AND and clause.tag(j + 1) & c.ARTICLE:  # "... και η αδελφή μου"
            break
        if clause.tags[j] & (c.VERB | c.OTHER) and not clause.tags[j] & c.ADJ:
            break
    # "πόσο αυστηρή είμαι", "έτοιμος δεν ήμουν": the predicate first.
    for j in range(i + 1, min(len(clause.tags), i + 4)):
        if clause.tags[j] & c.COPULA:
            return j
        if not clause.tags[j] & (c.ADV | c.TO_ME):
            return -1
    return -1


_HAVE = frozenset(("εχω", "ειχα"))


def _predicate(clause: Clause, i: int) -> bool:
    """As in "είμαι κουρασμένη", "ένιωθα πάντα μόνος"."""
    copula = _copula_at(clause, i)
    if copula < 0 or _governed(clause, i) or _with_noun(clause, i):
        return False
    return not (clause.tags[i] & ADVERB_TOO and clause.tags[copula] & c.FEEL)


def _depictive(clause: Clause, i: int) -> bool:
    """As in "γύρισα κουρασμένη", "κολύμπησα γυμνός", "ντυμένη επίσημα, μπήκα"."""
    if clause.subject is not Subject.SPEAKER or _governed(clause, i) or _with_noun(clause, i):
        return False
    before = clause.tag(_before(clause, i))
    if before & (c.ARTICLE | c.MY) or clause.tags[i] & ADVERB_TOO or _of_object(clause, i):
        return False
    after = clause.tag(i + 1)
    return bool(after & (c.PREP | c.ADV)) or not after & (OBLIQUE | c.MY | c.ARTICLE)


def _since(clause: Clause, i: int) -> bool:
    """As in "από μικρή μου αρέσει": since the speaker was small."""
    if clause.key(i - 1) != "απο" or clause.key(i) not in _YOUNG or clause.subject is _SOMEBODY:
        return False
    return not _with_noun(clause, i)


_SOMEBODY = Subject.SOMEBODY
_YOUNG = frozenset("μικροσ μικρη νεοσ νεα νεαροσ νεαρη".split())


def _alone(clause: Clause, i: int) -> bool:
    """As in "το έκανα μόνη μου", "να μείνω μόνος"; not "η μόνη μου ελπίδα"."""
    before = clause.tag(i - 1)
    if before & (OBLIQUE | c.ARTICLE) or _with_noun(clause, i):
        return False
    is_mine = clause.tag(i + 1) & c.MY
    if not is_mine and clause.key(i + 1) in _OTHERS_OWN:
        return False
    if is_mine:
        return True
    if before & c.MY or _of_object(clause, i):  # "η αδελφή μου μόνη", "την είδα μόνη"
        return False
    return clause.subject is Subject.SPEAKER


_OTHERS_OWN = frozenset(_folded("σου του της μας σας τους"))


def _same(clause: Clause, i: int) -> bool:
    """As in "εγώ η ίδια", "το είδα ο ίδιος"; not "η ίδια ιστορία"."""
    article = c.ARTICLE_M if clause.tags[i] & c.SELF_M else c.ARTICLE_F
    if not clause.tag(i - 1) & article or clause.subject is not Subject.SPEAKER:
        return False
    after = clause.tag(i + 1)
    if after & (c.ARTICLE | OBLIQUE) and not after & c.VERB:
        return bool(clause.tag(i - 2) & (c.NOMINATIVE | c.VERB))
    return not clause.key(i + 1) or bool(after & ~(c.NATIVE | c.OWN | c.ADJ | c.NOUN | c.FIXED))


def _the_one(clause: Clause, i: int) -> bool:
    """As in "είμαι αυτή που πληρώνει": after the copula, before a relative clause."""
    if not clause.near_before(i, c.COPULA, 4) or i + 1 < len(clause.tags):
        return False
    return bool(clause.after and clause.after.tags[0] & THE_ONE)


def _made(clause: Clause, i: int) -> bool:
    """As in "με κάνει χαρούμενη", "με θεωρούν ψυχρό": no noun follows that it goes with."""
    after = clause.tag(i + 1)
    if after & OBLIQUE or (clause.key(i + 1) and not after & ~_BARE):
        return False
    j = _before(clause, i, _BESIDE | c.INS)
    return bool(clause.tag(j) & MAKE and clause.tag(j - 1) & c.ME)


def _noun(clause: Clause, i: int) -> bool:
    """As in "είμαι φοιτήτρια", "έγινα δάσκαλος"."""
    return _copula_at(clause, i) >= 0 and not _governed(clause, i)


def _role(clause: Clause, i: int) -> bool:
    """As in "δουλεύω ως νοσοκόμα", "ως διευθυντής, ήμουν ..."."""
    if clause.subject is not Subject.SPEAKER:
        return False
    j = clause.past(i - 1, -1, c.ADJ | c.ARTICLE)
    return bool(clause.tag(j) & c.AS) and not _with_noun(clause, i)


def _article(clause: Clause, i: int) -> bool:
    """As in "είμαι η δημοφιλής", "είμαι ο γιατρός": the article alone tells."""
    after = clause.tag(i + 1)
    if not after & c.COMMON or after & c.NOUN:
        return False
    return _copula_at(clause, i) >= 0


def _one_of(clause: Clause, i: int) -> bool:
    """As in "είμαι μία από τις πρώτες": "one" before "of"."""
    return clause.key(i + 1) == "απο" and _copula_at(clause, i) >= 0


RULES = (
    shows("predicate", c.ADJ, _predicate, c.COPULA | c.BE_INF),
    shows("alone", c.ALONE, _alone),
    shows("self", c.SELF, _same),
    shows("demonstrative", c.THAT, _the_one, c.COPULA),
    shows("depictive", c.PART, _depictive),
    shows("since_young", c.ADJ, _since),
    shows("object", c.INS, _made, MAKE),
    shows("noun", c.NOUN, _noun, c.COPULA | c.BE_INF, noun=True),
    shows("role_noun", c.NOUN, _role, c.AS, noun=True),
    shows("article", c.ARTICLE, _article, c.COPULA, weak=True),
    shows("one_of", c.ARTICLE, _one_of, c.COPULA, weak=True),
)
_OWN = frozenset(_folded(_DATA["own"]))
#: An elided word keeps its apostrophe: "γι' αυτό", "σ' αγαπώ".
_WORD = r"(?i:γι|[α-ωάέήίόύώ]*[βγδζθκλμξπτφχψσ]|ν)['’᾽ʼ](?=\s|[^\W\d_])|" + c.WORD

LANGUAGE = ClauseReader(
    code="el",
    name="Greek",
    version=2,
    words=WORDS,
    ending=ending,
    rules=RULES,
    one_word=one_word,
    own=_OWN,
    foreign=own_and_foreign("el")[1],
    letters="αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ'’᾽ʼ",
    script=Script.GREEK,
    keyed=fold,
    word=_WORD,
)
