"""Romanian: the gender a text gives to its first person.

What carries gender are the words that agree with the speaker: predicates of a fi, a deveni, a
rămâne, a se simți ("sunt obosită", "mă simt singur"), passives ("am fost concediată"), nouns
("sunt profesoară", "lucrez ca bucătar"), object complements ("m-a făcut nervoasă"), "eu însămi".
The reader is the one of all Romance languages here
(:mod:`monitor.languages.romance._romance_reader`). Particular to Romanian:

- after a avea a participle agrees with nobody ("am obosit"), after a fi it does;
- the article stands at the end of its noun ("șeful, șefa") or before a degree ("cea mai bună");
- "să" joins a subjunctive to the verb before it; "sunt" is "I am" and "they are", but then its
  predicate is a plural;
- texts without diacritics, with commas and with cedillas are read alike.

Agreement follows the Academia Română's "Gramatica limbii române".
"""

import re

from monitor.languages._clauses import read_pairs
from monitor.languages._speech import MARK, SIGNS
from monitor.languages.romance import _romance_words as lex
from monitor.languages.romance._romance_reader import ClimbingReader, RomanceLanguage
from monitor.languages.romance._romance_words import Suffix, read_lists

words = read_lists("person_words_ro")


# Ends of masculine forms and what the feminine puts in their place; the first that fits decides.
_FEMININES = (
    ("tor", "toare"), ("sor", "soare"), ("os", "oasa"), ("esc", "easca"), ("iu", "ie"), ("u", "a"),
    ("e", "e"), ("", "a"),
)  # fmt: skip


def _definite(forms: list[lex.Pair]) -> list[lex.Pair]:
    """The pairs with the article at their end: "seful/sefa", "directorul/directoarea"."""
    return [(_with_article(m), f if f.endswith("a") else f + "a") for m, f in forms]


def _with_article(masculine: str) -> str:
    return masculine + ("le" if masculine.endswith("e") else "l" if masculine[-1] == "u" else "ul")


_ROLES = [(m, f) for m, f in read_pairs(words.role_pairs) if m != f]
_TABLES = lex.make_tables(
    words,
    _FEMININES,
    copulas=lex.with_folded(lex.copula_forms(words)),
    me_verbs=lex.with_folded(lex.me_verb_forms(words)),
    roles=_ROLES + _definite(_ROLES),
)

# --- Endings -----------------------------------------------------------------------------------

_FIRST_ENDING = re.compile(r".{2,}(?:eam|iam|ând|ez)$")
_NOT_FIRST = re.compile(r"(?:ând|englez|francez|chinez|portughez|olandez)$")
_THIRD_ENDING = re.compile(r".{2,}(?:ește|eşte|ează|eau|au)$")


def _verb(low: str, key: str) -> int:
    if key in words.first_verbs:
        return lex.FIRST
    if _FIRST_ENDING.search(low) and not _NOT_FIRST.search(low):
        return lex.MAYBE_FIRST if low.endswith("ez") else lex.FIRST
    return lex.OTHER_VERB if _THIRD_ENDING.search(low) else 0


# A masculine ending and the feminine that belongs to it, without diacritics.
_PAIRS = (
    ("at", "ata"), ("it", "ita"), ("ut", "uta"), ("os", "oasa"), ("iv", "iva"), ("bil", "bila"),
    ("ent", "enta"), ("ant", "anta"), ("tor", "toare"), ("nic", "nica"), ("ist", "ista"),
)  # fmt: skip
# Endings that nouns have as often: right after a verb of being only.
_LOOSE_PAIRS = (("ic", "ica"), ("al", "ala"), ("esc", "easca"), ("ian", "iana"), ("ez", "eza"))
_PARTICIPLE = re.compile(r".{2,}(?:[aiu]t|s)$")


LEXICON = lex.Lexicon(
    words,
    _TABLES,
    lex.Endings(
        adjectives=(
            Suffix(lex.SUFFIX, rf".{{2,}}(?:{'|'.join(f'{m}|{f}' for m, f in _PAIRS)})$"),
            Suffix(lex.LOOSE, rf".{{2,}}(?:{'|'.join(f'{m}|{f}' for m, f in _LOOSE_PAIRS)})$"),
        ),
        masculine=("",),
        feminine=("a", "toare"),
        bases=[(feminine, masculine) for masculine, feminine in _PAIRS + _LOOSE_PAIRS],
        verb=_verb,
        singular=lambda key: key,
        manner=re.compile(r".{4,}(?:mente|este)$"),
        agent=re.compile(r"(?!)"),
        agent_common=re.compile(r"(?!)"),
        participle=_PARTICIPLE,
    ),
    lex.Doubles(
        pattern=lex.double_pattern(r"[^\W_]{1,5}"),
        sign="",
        letters="x",
        bases=lambda key: key[:-1],
    ),
)


_TOKEN = re.compile(
    rf"[^\W\d_][\w{MARK}]*"
    + lex.double_token("ă|a|oare|toare|oasă|easă|iță", "ă|a|oare|toare|oasă")
    + rf"|{SIGNS}"
)


_ARTICULATED = re.compile(r".{2,}(?:a|ul|le|ii)$")


class RomanianReader(ClimbingReader):
    """The reader of Romanian, with what is particular to it."""

    __slots__ = ()
    reflexive = frozenset("trezi intoarce".split())
    indefinite = frozenset("un o niciun nicio fiecare".split())

    def _not_a_verb(self, i: int) -> bool:
        """Besides: no "I am" in "ei sunt"."""
        if self._tags(i - 1) & lex.OTHER:
            return True
        return super()._not_a_verb(i)

    def _track_before_verb(self, i: int) -> None:
        """Besides: a noun with its article at the end may be the subject ("rezistența mea")."""
        word, clause = self.tokens[i], self.clause
        verb = word.tags & (lex.FIRST | lex.MAYBE_FIRST | lex.OTHER_VERB | lex.PREPOSITION)
        if verb or clause.subject or clause.after_preposition or not _ARTICULATED.search(word.key):
            super()._track_before_verb(i)
        else:
            clause.noun_phrase = True

    def _skip_modifiers(self, i: int) -> int:
        """Besides: past "destul de", "atât de", "în mod natural"."""
        i = super()._skip_modifiers(i)
        for _ in range(3):
            if self._word(i).key in words.degrees and self._word(i + 1).key == "de":
                i += 2
            elif self._word(i - 1).key in words.degrees and self._word(i).key == "de":
                i += 1
            elif self._word(i).key == "in" and self._word(i + 1).key == "mod":
                i += 3
            elif self._word(i).key == "cu" and self._word(i + 1).key == "adevarat":
                i += 2
            else:
                break
            i = super()._skip_modifiers(i)
        return i

    def _stands_alone(self, i: int) -> bool:
        return not self._of_a_noun(i)


LANGUAGE = RomanceLanguage(
    "ro", "Romanian", 2, token=_TOKEN, lexicon=LEXICON, reader=RomanianReader, share=0.15
)
