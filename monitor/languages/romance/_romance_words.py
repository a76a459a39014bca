"""Words of the Romance languages: tags, word lists, and the lexicon that looks a word up.

A word may carry several tags; the reader decides by position. The word lists of a language are
`monitor/data/person_words_CODE.toml`. A list stands in one text. Accents are folded away, because
machine translations and web pages lose them, but not those of the lists under `[accented]`. Words
under `[tags]` have the tags that their list is named after.

:class:`Lexicon` turns the surface form of a token into a :class:`Word`: closed-class tags, the
copula it may be a form of, and the gender it shows as an adjective or a noun for a person. Words
outside the lists are judged by their endings. Accents and case are folded, except where an accent
tells two words apart (está/esta, avô/avó).
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from monitor.data import read_toml
from monitor.languages._clauses import read_pairs, read_words
from monitor.languages._pairs import ONE_FORM as _MARKS
from monitor.languages._pairs import sign_gender
from monitor.languages._plain_text import clean
from monitor.languages._speech import QUOTES
from monitor.model import Gender
from monitor.text.tokens import strip_marks

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


# --- word lists ----------------------------------------------------------------------------------

Words = frozenset[str]


@dataclass(frozen=True)
class WordLists:
    """Word lists of one language; one that it does not need is empty."""

    tags: Mapping[str, int]  # of folded words
    epicene_endings: str  # last letters of unlisted adjectives with one form
    small: str  # the first six letters of "small", said of a childhood
    make: str  # lemma of the verb that makes somebody something
    quantities: Words
    one: Words
    wholly: Words
    superlative: Words
    so: Words  # "so" before an adjective
    how: Words  # before an adjective of degree: "lo estricta que soy"
    having: Words  # auxiliaries of compound tenses whose participle agrees with nobody
    always: Words  # adverbs that part a noun from an adjective said of the subject
    not_manner: Words  # adjectives that are adverbs after a verb
    kinds: Words  # "kind": names a person only where no "of" follows
    maybe: Words  # verbs before "que" that have no subject of their own: "puede que"
    neuters: Words  # "this", "that": subjects before the verb, objects after it
    infinitives: tuple[str, ...]  # their endings
    imperfects: tuple[str, ...]  # endings of a tense that an unlisted verb may have
    complements: Mapping[str, Words]  # adjectives, of people before these prepositions
    impersonal: Words  # lemmas of copulas that need no subject
    gerunds: tuple[str, ...]  # their endings
    into: Words  # prepositions before a noun without an article: "em silêncio"
    not_articles: Words
    like_nouns: Words
    those: Words
    after_those: Words  # "soy la que manda"
    what: bool  # whether "o que", the masculine of "the one who", is also "what"
    that: Words  # conjunctions that are relative pronouns too
    among: Words
    articles: Words
    elided: Words  # articles that show no gender; what follows them does
    mine: Words
    abbreviations: Words
    acts: Words  # participles of what is done to people
    depictive: Words
    working: Words
    becoming_nouns: Words
    likening: Words  # lemmas of copulas with "as, like"
    plural_saying: Words  # said by others of somebody: whom but the speaker?
    me_bare: Words
    me_de: Words
    me_in: Words
    me_como: Words
    me_strict: Words
    making: Words
    judging: Words
    future_subjunctive: Words
    subjunctives: Words  # of copulas, where the first and the third person are alike
    same_subject: Words  # before "que": "once", "unless", whose clause may keep the subject
    posts: Words
    role_prepositions: Words  # after a verb of working: "trabajo de camarera"
    not_after_self: Words
    not_before_as: Words
    sexes: Words  # "woman", "man": after "as" they say who speaks
    before_que: Words
    prenominal: Words
    not_fronted: Words
    irregular_participles: Words
    things: Words
    by_accent: Mapping[str, int]  # of words that only their accent tells from another
    masculine_determiners: Words
    feminine_determiners: Words
    object_control: tuple[str, ...]
    leaving: tuple[str, ...]  # beginnings of verbs of leaving and finding
    seeing: str  # lemma
    fixed_nouns: Words
    common_nouns: Words
    epicene_adjectives: Words
    not_inclusive: Words
    chat: Mapping[str, str]  # spellings of chats: {spelling: word}
    letters: str  # letters that other Romance languages lack
    own_words: Words
    foreign_words: Words
    human_adjectives: Words  # said of people
    other_adjectives: Words
    adjective_pairs: str  # masculine/feminine, where no ending tells
    role_pairs: str  # nouns for people, masculine/feminine
    role_masculines: Words  # whose feminine follows from their ending
    first_verbs: Words  # of the first person
    sure_first: Words  # of these, what is nothing else
    not_sure_first: Words  # of these, nouns too unless a verb is due at their place
    not_first: Words  # what only ends like a first person
    not_preterite: Words
    living: Words  # verbs before "solo", alone
    regular_forms_of: Words  # copulas whose other forms are regular
    conjugations: Mapping[str, Mapping[str, str]]  # endings by infinitive and person class
    front: str  # first letters of the endings before which the stem ends in `soft`
    soft: Mapping[str, str]  # consonants of stems in -a- and their spelling there: "llegué"
    regular_me_verbs: Words
    irregular_copulas: Mapping[str, list[str]]  # by lemma: "1 suis", person and forms
    irregular_me_verbs: Mapping[str, str]  # said of "me", by lemma
    ages: Words  # what a child is called after `age_openers`
    age_openers: Words
    said_by_many: Words  # Catalan, before "dir": "em van dir que"
    degrees: Words  # Romanian
    indirect: Words  # French participles after whose "me" another object stands: to me
    to_myself: Words  # of these, what agrees with nobody in "je me suis dit"
    having_others: Words  # French

    @property
    def listed_adjectives(self) -> Words:
        """Return adjectives and participles that are not only said of people."""
        return self.other_adjectives | self.irregular_participles


def read_lists(name: str) -> WordLists:
    """Return the lists of `monitor/data/<name>.toml`. Raises TypeError for an unknown list."""
    data = read_toml(name)
    accented = data.pop("accented")
    spelled = read_words(accented.pop("tags", {}), globals())
    tags = {key: strip_marks(text) for key, text in data.pop("tags").items()}
    by_accent, chat, soft = data.pop("by_accent"), data.pop("chat"), data.pop("soft", "")
    lists: dict[str, Any] = {
        field.name: _convert(field.type, data.pop(field.name, None)) for field in fields(WordLists)
    }
    lists |= {key: frozenset(text.split()) for key, text in accented.items()}
    determiners = lists["masculine_determiners"] | lists["feminine_determiners"]
    entries = [(bits, [word]) for word, bits in spelled.items()]
    lists["tags"] = read_words(tags, globals(), (DETERMINER, determiners), *entries)
    lists["by_accent"] = read_words(by_accent, globals())
    lists["chat"] = dict(read_pairs(chat))
    lists["soft"] = dict(read_pairs(soft))
    return WordLists(**lists, **data)


def _convert(kind: object, value: Any) -> object:  # noqa: ANN401 - as TOML has it
    """Return a list of the kind that its field has; an empty one for None."""
    if kind == Words:
        return frozenset(strip_marks(value or "").split())
    if kind == tuple[str, ...]:
        return tuple((value or "").split())
    if kind == Mapping[str, Words]:
        return {key: frozenset(strip_marks(words).split()) for key, words in value.items()}
    return ("" if kind is str else False if kind is bool else {}) if value is None else value


# --- the lexicon ---------------------------------------------------------------------------------

Pair = tuple[str, str]  # masculine, feminine
Value = TypeVar("Value")


def gendered(forms: Iterable[Pair]) -> dict[str, tuple[Gender, str]]:
    """{form: (gender, masculine form)}."""
    # Masculine forms go in last: "freira" belongs to both padre and monge.
    listed = list(forms)
    table = {f: (F, m) for m, f in reversed(listed)}
    table.update({m: (M, m) for m, _ in listed})
    return table


def with_folded(table: Mapping[str, Value]) -> dict[str, Value]:
    """`table`, and its forms without accents where they are no forms of their own."""
    return {strip_marks(form): entry for form, entry in table.items()} | dict(table)


def swap_ending(word: str, endings: Iterable[Pair]) -> str:
    """Return a word with the first of the endings that it has replaced; as it is without any."""
    for ending, other in endings:
        if word.endswith(ending):
            return word.removesuffix(ending) + other
    return word


def conjugate(words: WordLists, lemma: str) -> dict[str, str]:
    """Return {form: person class} of a regular verb, with accents."""
    infinitive = next(ending for ending in words.conjugations if lemma.endswith(ending))
    stem = lemma.removesuffix(infinitive)
    soft = stem[:-1] + words.soft.get(stem[-1], stem[-1]) if infinitive[0] == "a" else stem
    return {
        (soft if ending[0] in words.front else stem) + ending: person
        for person, endings in words.conjugations[infinitive].items()
        for ending in endings.split()
    }


def copula_forms(
    words: WordLists, *, participles: bool = True, without: Collection[str] = ()
) -> dict[str, tuple[str, str]]:
    """Return {form: (lemma, person)} of the copulas, but not of the forms `without`."""
    table: dict[str, tuple[str, str]] = {}
    for lemma, irregular in words.irregular_copulas.items():
        name = strip_marks(lemma)
        if name in words.regular_forms_of:
            regular = conjugate(words, lemma)
            table |= {f: (name, p) for f, p in regular.items() if participles or p != "P"}
        for person, *forms in map(str.split, irregular):
            table.update((form, (name, person)) for form in forms)
    return {form: entry for form, entry in table.items() if form not in without}


def me_verb_forms(
    words: WordLists, forms_of: Callable[[str], Iterable[str]] | None = None
) -> dict[str, str]:
    """Return {form: lemma} of the verbs that say something of "me"; `forms_of` a regular one."""
    table = {
        form: strip_marks(lemma)
        for lemma in words.regular_me_verbs
        for form in (forms_of(lemma) if forms_of else conjugate(words, lemma))
    }
    for lemma, forms in words.irregular_me_verbs.items():
        table.update((form, strip_marks(lemma)) for form in forms.split())
    return table


@dataclass(frozen=True, slots=True)
class Tables:
    """Forms that a language spells out before it is first used."""

    copulas: Mapping[str, tuple[str, str]]  # form: lemma and person
    me_verbs: Mapping[str, str]  # form: lemma
    human: Mapping[str, tuple[Gender, str]]
    listed: Mapping[str, tuple[Gender, str]]
    roles: Mapping[str, tuple[Gender, str]]
    not_copulas: frozenset[str]  # spellings that only folding makes look like copulas


def make_tables(
    words: WordLists,
    feminines: Sequence[Pair],
    *,
    copulas: Mapping[str, tuple[str, str]],
    me_verbs: Mapping[str, str],
    roles: Iterable[Pair] = (),
    not_copulas: str = "",
    spell: Callable[[str], str] = str,
) -> Tables:
    """Return the tables of a language.

    `feminines` are ends of masculine forms and what the feminine has in their place; the first that
    fits decides. A word whose feminine is listed, or no other form, has none of them. `roles` are
    those of the lists if none are given.
    """
    irregular = read_pairs(spell(words.adjective_pairs))
    listed = dict(irregular)

    def pair(masculines: Iterable[str]) -> list[Pair]:
        forms = [
            (spell(m), listed.get(spell(m)) or spell(swap_ending(m, feminines)))
            for m in sorted(masculines)
        ]
        return [(m, f) for m, f in forms if m != f]

    return Tables(
        copulas,
        me_verbs,
        human=gendered(pair(words.human_adjectives)),
        listed=gendered(irregular + pair(words.listed_adjectives)),
        roles=gendered(
            [*(roles or read_pairs(spell(words.role_pairs))), *pair(words.role_masculines)]
        ),
        not_copulas=frozenset(not_copulas.split()),
    )


class Suffix(NamedTuple):
    """A pattern of unlisted words and how far it speaks for an adjective.

    It is looked for in the word without accents, unless they are `written`.
    """

    level: int
    pattern: str
    written: bool = False


@dataclass(frozen=True, slots=True)
class Endings:
    """Endings of a language, which tell of unlisted words."""

    adjectives: Sequence[Suffix]  # the first that fits decides
    masculine: tuple[str, ...]  # of adjectives, where they are not feminine
    feminine: tuple[str, ...]
    bases: Sequence[Pair]  # of the feminine and of its masculine; the first that fits
    verb: Callable[[str, str], int]  # word and folded word: tags
    singular: Callable[[str], str]
    manner: re.Pattern[str]  # adverbs
    agent: re.Pattern[str]
    agent_common: re.Pattern[str]  # nouns for people with one form
    participle: re.Pattern[str]  # masculine participles
    accented: bool = False  # whether accents tell nouns and adjectives apart, and their gender

    def gender(self, form: str) -> Gender | None:
        """Return the gender of an adjective by its ending."""
        if form.endswith(self.feminine):
            return F
        return M if form.endswith(self.masculine) else None


def double_pattern(tail: str, *, marks: str = _MARKS, signs: str = "@*") -> re.Pattern[str]:
    """Return the pattern of `Doubles`: `marks` stand before a tail, `signs` for an ending."""
    return re.compile(rf"(?:(?P<mark>[/(\[{marks}])-?(?P<tail>{tail})[)\]]?|(?P<sign>[{signs}]))$")


def double_token(brackets: str, tails: str, *, marks: str = _MARKS) -> str:
    """Return what may end a token: a tail in brackets, one after a mark, or a sign for it."""
    return rf"(?:[(\[]-?(?i:{brackets})[)\]]|[/{marks}]-?(?i:{tails})(?!\w)|[@*](?!\w))?"


def unless(excluded: str, pattern: str) -> str:
    """Return the pattern of words that end in `pattern` but not in `excluded`."""
    return rf"^(?!.*(?:{excluded})$)(?:{pattern})$"


def inclusive_base(key: str) -> str:
    """Return the masculine of "cansade", "cansadx", "amigue" in Spanish or Portuguese."""
    return re.sub("gu$", "g", re.sub("qu$", "c", key[:-1])) + "o"


_TAIL = double_pattern(r"[^\W_]{1,4}")


@dataclass(frozen=True, slots=True)
class Doubles:
    """Spellings of both genders, or of neither, in one word."""

    pattern: re.Pattern[str] = _TAIL  # groups mark, tail, sign
    stem: str = "un"  # of the article
    sign: str = "o"  # the ending that @ and * stand for
    letters: str = "ex"  # last letters of inclusive forms
    bases: Callable[[str], str] = inclusive_base  # the masculine form of an inclusive one


_SIGNS = {
    ",": COMMA, ".": STOP, "!": STOP, "?": STOP, "…": STOP, "\n": STOP,
    "/": SLASH, ";": BREAK, ":": BREAK | COLON,
    "(": BREAK | BRACKET, ")": BREAK,
    "–": BREAK, "—": BREAK, "-": BREAK, "¿": BREAK, "¡": BREAK, "]": BREAK,
    "[": BREAK | BRACKET,
}  # fmt: skip
_FOREIGN_LETTERS = frozenset("čšžćđłęąśźżńěřůýďťňľĺŕőűășțğışåøæßäö")
_LONGEST_WORD = 60  # longer strings are no words, and would cost time and memory
_STILL_ADJECTIVES = ~(MAYBE_FIRST | KNOWN | ME_VERB | CONTROL | LEAVES)


class Lexicon:
    """Every word of one language."""

    def __init__(
        self, words: WordLists, tables: Tables, endings: Endings, doubles: Doubles
    ) -> None:
        self.words = words
        self.endings = endings
        self._tables = tables
        self._doubles = doubles
        self._suffixes = [
            (re.compile(suffix.pattern), suffix.written or endings.accented, suffix.level)
            for suffix in endings.adjectives
        ]
        self._foreign = _FOREIGN_LETTERS - set(words.letters)
        self.lookup = lru_cache(maxsize=1 << 16)(self._lookup)

    def _lookup(self, surface: str) -> Word:
        """Every reading of one token."""
        first = surface[0]
        if surface in QUOTES:
            return Word(surface, QUOTE)
        if first in _SIGNS:
            return Word(surface, _SIGNS[first])
        if len(surface) > _LONGEST_WORD:
            return Word("", 0)
        low = clean(surface)
        low = self.words.chat.get(low, low)
        inclusive = low[-1:] and low[-1] in self._doubles.letters
        return (
            self._marked(low)
            or (self._inclusive(strip_marks(low)) if inclusive else None)
            or (self._plain(low))
        )

    def _plain(self, low: str) -> Word:
        key = strip_marks(low)
        tables = self._tables
        copula, person = tables.copulas.get(low) or tables.copulas.get(key) or ("", "")
        if low in tables.not_copulas:
            copula = person = ""
        me_lemma = tables.me_verbs.get(low) or tables.me_verbs.get(key, "")
        tags = self._table_tags(low, key)
        function_word = PREPOSITION | DETERMINER | SUBORDINATOR
        if low not in self.words.by_accent and not tags & function_word:
            tags |= self.endings.verb(low, key)
        tags |= self._verb_classes(key, person, me_lemma)
        gender, adjective, base = self._adjective(low, key, tags)
        role_gender, noun, role_base = self._role(low, key)
        if noun:
            gender, base = role_gender, role_base
        elif gender and self.endings.agent.match(key) and key not in self.words.things:
            noun = AGENT
        if tags or noun or adjective > LOOSE:
            tags |= KNOWN
        if gender and (adjective >= SUFFIX or noun == PAIR):
            tags |= GENDERED
        if noun == COMMON:
            tags |= ONE_FORM
        return Word(
            key, tags | LATIN, copula, person, me_lemma, gender, adjective, noun, base,
            self._evidence(low), self._determiner(key) if tags & DETERMINER else None,
        )  # fmt: skip

    def _evidence(self, low: str) -> int:
        if any(c > "\u024f" or c in self._foreign for c in low):
            return -1
        return (low in self.words.own_words) - (low in self.words.foreign_words)

    def _table_tags(self, low: str, key: str) -> int:
        if low in self.words.by_accent:
            return self.words.by_accent[low]
        # "Laissé" is no form of "laisse".
        form = low if self.endings.accented and low.endswith("é") else key
        tags = self.words.tags.get(form, 0)
        if self.endings.manner.match(key):
            tags |= ADVERB
        return tags

    def _verb_classes(self, key: str, person: str, me_lemma: str) -> int:
        tags = 0
        if person:
            tags |= THIRD if person == "3" else COPULA
        if me_lemma:
            tags |= ME_VERB
        if key.startswith(self.words.object_control):
            tags |= CONTROL
        if me_lemma == self.words.seeing or key.startswith(self.words.leaving):
            tags |= LEAVES
        return tags

    def _role(self, low: str, key: str) -> tuple[Gender | None, int, str]:
        entry = self._tables.roles.get(low) or self._tables.roles.get(key)
        if entry:
            return entry[0], PAIR, entry[1]
        form = low if self.endings.accented else key
        if form in self.words.fixed_nouns:
            return None, FIXED, key
        agent = self.endings.agent_common.match(key) and form not in self.words.things
        # Catalan "content" has a feminine: no noun of one form.
        agent = agent and not {low, key} & (self._tables.human.keys() | self._tables.listed.keys())
        if agent or form in self.words.common_nouns:
            return None, COMMON, key
        return None, NO_NOUN, key

    def _adjective(self, low: str, key: str, tags: int) -> tuple[Gender | None, int, str]:
        if low in self.words.by_accent:
            return None, NOT_ADJECTIVE, key
        form = low if self.endings.accented else key
        if form in self.words.epicene_adjectives:
            return None, LISTED, key
        for table, level in ((self._tables.human, HUMAN), (self._tables.listed, LISTED)):
            entry = table.get(low) or table.get(key)
            if entry:
                return entry[0], level, entry[1]
        if tags & _STILL_ADJECTIVES:
            return None, NOT_ADJECTIVE, key
        level = self._level(low, key, form)
        gender = self.endings.gender(form) if level else None
        return gender, level, swap_ending(form, self.endings.bases) if gender is F else form

    def _level(self, low: str, key: str, form: str) -> int:
        """Return how far the ending of an unlisted word speaks for an adjective."""
        if form in self.words.things or form in self.words.fixed_nouns:
            return NOT_ADJECTIVE
        for pattern, written, level in self._suffixes:
            if pattern.search(low if written else key):
                return level
        return NOT_ADJECTIVE

    def _determiner(self, key: str) -> Gender | None:
        if key in self.words.masculine_determiners:
            return M
        return F if key in self.words.feminine_determiners else None

    def _inclusive(self, key: str) -> Word | None:
        """The reading of "cansade", "cansadx", "ume" as a form outside the two genders."""
        stem = self._doubles.stem
        if key[:-1] == stem:
            tags = DETERMINER | KNOWN | LATIN
            return Word(key, tags, determiner=Gender.INCLUSIVE)
        base = self._doubles.bases(key)
        is_known = base in self._tables.human or base in self._tables.roles
        if key in self.words.not_inclusive or not is_known:
            return None
        return self._plain(base)._replace(key=key, gender=Gender.INCLUSIVE, base=base)

    def both(self, one: str, other: str) -> Word | None:
        """The word whose masculine and feminine these are; nothing if they are not."""
        a, b = self.lookup(one), self.lookup(other)
        if {a.determiner, b.determiner} == {M, F}:
            return a._replace(
                tags=a.tags | MARKED, gender=None, noun=NO_NOUN, determiner=Gender.BOTH
            )
        if {a.gender, b.gender} != {M, F} or a.base != b.base:
            return None
        masculine = a if a.gender is M else b
        return masculine._replace(tags=masculine.tags | MARKED, gender=Gender.BOTH)

    def _marked(self, low: str) -> Word | None:
        """The reading of "cansado(a)", "um/a", "cansado*a", "cansad@", "cansad*"."""
        match = self._doubles.pattern.search(low)
        if not match:
            return None
        head = low[: match.start()]
        if not match["sign"]:
            word, gender = self._plain(head), sign_gender(match["mark"])
            return word._replace(
                tags=word.tags | MARKED,
                gender=gender if word.gender else None,
                determiner=gender if word.determiner else None,
            )
        if strip_marks(head) in {self._doubles.stem, ""}:
            tags = DETERMINER | MARKED | LATIN
            return Word(head, tags, determiner=Gender.INCLUSIVE)
        word = self._plain(head + self._doubles.sign)
        if word.noun == PAIR or word.adjective >= SUFFIX:
            return word._replace(tags=word.tags | MARKED, gender=Gender.INCLUSIVE)
        return self._plain(head)
