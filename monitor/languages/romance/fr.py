"""French: the gender a text gives to its first person.

What carries gender are the words that agree with the speaker, as far as writing shows it:
"fatiguée", "heureuse", not "triste". The reader is the one of all Romance languages here
(:mod:`monitor.languages.romance._romance_reader`). Particular to French:

- the subject is always there, so a form shared with another person (étais, serais, reste) counts
  after "je";
- participles agree after être ("je suis allée"), of reflexive verbs where "me" is the direct
  object ("je me suis sentie", not "je me suis dit"), and after avoir with a direct object "me"
  before it ("il m'a laissée", not "il m'a donné");
- "en tant que" and "comme" before a noun name what the speaker is;
- inclusive forms write an ending after a point, a bracket or a hyphen: "fatigué·e", "heureux(se)".

Agreement follows Grevisse and Goosse, "Le bon usage".
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from monitor.languages._pairs import ONE_FORM
from monitor.languages._speech import MARK, SIGNS
from monitor.languages.romance import _romance_words as lex
from monitor.languages.romance._romance_reader import ClimbingReader, RomanceLanguage
from monitor.languages.romance._romance_words import F, M, Suffix, read_lists

words = read_lists("person_words_fr")
words = replace(words, tags={**words.tags, "quand meme": lex.ADVERB})  # one token

# Endings of verbs in -er that the reader meets with "me".
_ENDINGS = "e es ent ais ait aient ai a erai era erais erait er ant é ée"


def _conjugate(lemma: str) -> list[str]:
    """Return forms of a regular verb in -er."""
    stem = lemma[:-2]
    forms = [stem + ending for ending in _ENDINGS.split()]
    if re.search("é[^aeiou]$", stem):  # considère
        open_stem = stem[:-2] + "è" + stem[-1]
        forms += [open_stem + ending for ending in ("e", "es", "ent")]
    if stem.endswith(("el", "ev")):  # appelle, lève
        grave = stem + "l" if stem.endswith("pel") else stem[:-2] + "è" + stem[-1]
        forms += [grave + ending for ending in ("e", "es", "ent", "erai", "era", "erait")]
    return forms


# Ends of masculine forms and what the feminine puts in their place; the first that fits decides.
_FEMININES = (
    ("eux", "euse"), ("oux", "ouse"), ("if", "ive"), ("ïf", "ïve"), ("teur", "trice"),
    ("eur", "euse"),
    ("en", "enne"), ("on", "onne"), ("el", "elle"), ("eil", "eille"), ("er", "ère"),
    ("et", "ette"), ("ec", "èque"), ("c", "que"), ("e", "e"), ("", "e"),
)  # fmt: skip


_TABLES = lex.make_tables(
    words,
    _FEMININES,
    copulas=lex.copula_forms(words),
    me_verbs=lex.me_verb_forms(words, _conjugate),
    not_copulas="ete",
)


def _verb(_low: str, key: str) -> int:
    if key in words.first_verbs:
        return lex.FIRST
    return lex.OTHER_VERB if _THIRD_ENDING.search(key) else 0


#: What inclusive spellings put behind a masculine form: "fatigué·e", "heureux(se)".
#: A point or a hyphen stands for the middle dot: fatigué.e, fatigué-e.
MARKS = ONE_FORM + r".\-"
TAILS = "e|ne|le|se|te|ve|he|que|euse|rice|trice|ère|ière|ienne|enne|onne|elle|ive|ice|sse"

# --- Endings -----------------------------------------------------------------------------------

_THIRD_ENDING = re.compile(r"..(?:ait|aient|erent|irent|eront|iront|era|ira|ons|ez)$")
# A masculine and the feminine that it has in writing: (masculine, feminine).
_PAIRS = (
    ("é", "ée"), ("i", "ie"), ("u", "ue"), ("eux", "euse"), ("if", "ive"), ("teur", "trice"),
    ("eur", "euse"), ("ien", "ienne"), ("el", "elle"), ("al", "ale"), ("ier", "ière"),
    ("ant", "ante"), ("ent", "ente"), ("ois", "oise"), ("ard", "arde"), ("is", "ise"),
    ("it", "ite"), ("ert", "erte"), ("ort", "orte"), ("ict", "icte"), ("act", "acte"),
    ("ond", "onde"), ("aud", "aude"),
)  # fmt: skip
# Endings that nouns have as often: right after a verb of being only.
_LOOSE_PAIRS = (
    ("ais", "aise"), ("ain", "aine"), ("in", "ine"), ("an", "ane"), ("ot", "ote"), ("us", "use"),
    ("ect", "ecte"), ("er", "ère"), ("ers", "erse"), ("int", "inte"), ("il", "ile"), ("on",
    "onne"),
)  # fmt: skip


def _any(forms: Iterable[str]) -> str:
    return rf".{{2,}}(?:{'|'.join(forms)})$"


LEXICON = lex.Lexicon(
    words,
    _TABLES,
    lex.Endings(
        adjectives=(
            Suffix(
                lex.NOT_ADJECTIVE,
                r"(?:mente?|tié|aient|tion|ude|[^o]uie?|oie?|[ae]ue?|oue?|ait|iste)$(?<!aude)",
            ),
            Suffix(lex.LOOSE, r"aise?$"),  # an imperfect tense as well
            Suffix(lex.SUFFIX, _any(form for pair in _PAIRS for form in pair)),
            Suffix(lex.LOOSE, _any(form for pair in _LOOSE_PAIRS for form in pair)),
        ),
        masculine=("",),
        feminine=("e",),
        bases=[(feminine, masculine) for masculine, feminine in _PAIRS + _LOOSE_PAIRS],
        verb=_verb,
        singular=lambda key: key.removesuffix("s"),
        manner=re.compile(r".{3,}(?:e|am|em|i|u)ment$"),
        agent=re.compile(r"(?!)"),
        agent_common=re.compile(r".{2,}iste$|.{2,}logue$|.{2,}peute$|.{3,}aire$"),
        participle=re.compile(r"(?:[éiu]|is|it|ert|eint|aint|oint|mort)$"),
        accented=True,
    ),
    lex.Doubles(
        pattern=lex.double_pattern(TAILS, marks=MARKS),
        sign="e",
        letters="x",
        bases=lambda key: key[:-1],
    ),
)


_WORD = rf"[^\W\d_][\w{MARK}]*"
#: The start of a word: no letter before it, with an accent of its own or without.
_START = rf"(?<!\w)(?<!\w[{MARK}])(?<!\w[{MARK}][{MARK}])"
#: What comes before an apostrophe and a hyphen of one token; looked for from there back, because
#: most words have neither.
_ELIDED = "|".join(
    f"(?<={_START}{word}['’])"
    for word in ("[cdjlmnst]", "qu", "lorsqu", "puisqu", "jusqu", "quoiqu")
)
_PREFIXED = "|".join(f"(?<={_START}{word}-)" for word in ("sous", "sur", "auto", "mal", "bien"))
_DOUBLE = lex.double_token(TAILS, TAILS, marks=MARKS)
_TOKEN = re.compile(
    r"[qQ](?i:uand même)(?!\w)|[pP](?i:eut-être)(?!\w)"
    rf"|{_WORD}(?:['’](?i:{_ELIDED})(?=[^\W\d_])|-(?i:{_PREFIXED}){_WORD}{_DOUBLE}|{_DOUBLE})"
    rf"|{SIGNS}"
)
_NEAR = 4  # words between an auxiliary and its participle
_FREE = lex.ADVERB | lex.CLITIC


class FrenchReader(ClimbingReader):
    """The reader of French, with what is particular to it."""

    __slots__ = ()
    indefinite = frozenset("un une aucun aucune chaque".split())

    def _depictive(self, i: int) -> bool:
        """Besides: a participle that agrees with "me" before it."""
        read = bool(self.found) and self.found[-1][0] == i
        if not read and self._agrees_with_me(i):
            self._adjective(i, "object_agreement")
        return super()._depictive(i)

    def _boundary(self, i: int) -> int:
        """Besides: "en tant que" is as "comme"."""
        if self.tokens[i].key == "que" and self._word(i - 1).key == "tant":
            after = self.on_como(i)
            if after > i:
                return after
        return super()._boundary(i)

    def _agrees_with_me(self, i: int) -> bool:
        """As in "il m'a laissée": the participle after avoir agrees with the object before it."""
        back = i - 1
        while back > i - _NEAR and self._tags(back) & lex.ADVERB:
            back -= 1
        if self._word(back).key not in words.having_others or not self._tags(back - 1) & lex.ME:
            return False
        word, follows = self.tokens[i], self._word(i + 1)
        if not self._participle(word) or word.base in words.indirect:
            return False
        if word.base in _BEFORE_VERB and follows.key.endswith(words.infinitives):
            return False
        is_reported = follows.key == "que" and word.base not in _INFORMED
        return not is_reported and not follows.tags & lex.DETERMINER

    def _adjective_member(self, i: int, rule: str, lemma: str) -> tuple[int, bool]:
        """Besides: nothing agrees in "je me suis dit", "je me suis lavé les mains"."""
        word = self.tokens[i]
        if lemma == "etre" and self._reflexive(i) and self._participle(word):
            follows = self._tags(i + 1)
            object_follows = follows & lex.DETERMINER and not follows & lex.PREPOSITION
            if word.base in words.to_myself or object_follows:
                return i + 1, False
        return super()._adjective_member(i, rule, lemma)

    def _member(self, i: int, rule: str, level: int, lemma: str) -> tuple[int, bool]:
        """Besides: "je suis celle qui", "j'ai été celui que"."""
        word = self._word(i)
        if word.key in words.those and self._word(i + 1).key in {"qui", "que"}:
            self._emit(i, i + 1, F if word.key == "celle" else M, "article")
            return i + 1, False
        return super()._member(i, rule, level, lemma)

    def _reflexive(self, i: int) -> bool:
        """Return whether "me" stands before the auxiliary of the participle here."""
        back = i - 1
        while back > i - _NEAR and not self._tags(back) & lex.COPULA:
            back -= 1
        return bool((self._tags(back - 1) | self._tags(back + 1)) & lex.ME)

    def _not_a_verb(self, i: int) -> bool:
        """No verb in "un être humain", "cet été"; none of the speaker's in "il me semble"."""
        word, before = self.tokens[i], self._tags(i - 1)
        nominal = before & lex.DETERMINER and not before & (lex.CLITIC | lex.PREPOSITION)
        if word.person in "IP" and nominal:
            return True
        return word.copula in {"sembler", "arriver", "servir", "rester"} and self._me_beside(i)

    def _bears_no_adjective(self, i: int, *, near: bool) -> bool:
        """Besides: a verb right after "je"."""
        word = self._word(i)
        if word.key in words.having:
            return False
        back = i - 1
        while back > i - _NEAR and self._tags(back) & _FREE:
            back -= 1
        after_subject = self._tags(back) & lex.EU and not word.tags & lex.COPULA
        return bool(after_subject) or super()._bears_no_adjective(i, near=near)


# After these "que" says what somebody was told.
_BEFORE_VERB = frozenset("laissé fait vu entendu regardé écouté senti".split())
_INFORMED = frozenset("convaincu persuadé informé prévenu averti".split())

LANGUAGE = RomanceLanguage(
    "fr", "French", 2, token=_TOKEN, lexicon=LEXICON, reader=FrenchReader, share=0.3
)
