"""Italian: the gender a text gives to its first person.

What carries gender are the words that agree with the speaker: predicates of essere, stare,
diventare, restare, sentirsi and the like, participles after essere ("sono andata", "mi sono
sentita"), nouns ("sono infermiera", "lavoro come cuoco"), object complements ("mi rende nervosa"),
"da sola", "io stessa". The reader is the one of all Romance languages here
(:mod:`monitor.languages.romance._romance_reader`). Particular to Italian:

- the first person has forms of its own (ero, stavo, sarei), so a dropped subject is no riddle;
  "sono" is also "they are", but then its predicate is a plural;
- after avere a participle need not agree with "mi" ("mi ha lasciato" is said by women too): it is
  not read in either gender;
- "solo" is an adverb as often as an adjective: it counts after "da", after verbs of being and
  living, and at the end of a clause;
- "da bambina", "da piccolo" name an age.

Agreement follows Serianni, "Grammatica italiana".
"""

import re

from monitor.languages._clauses import read_pairs
from monitor.languages._speech import MARK, SIGNS
from monitor.languages.romance import _romance_words as lex
from monitor.languages.romance._romance_reader import ClimbingReader, RomanceLanguage
from monitor.languages.romance._romance_words import Suffix, Word, read_lists, unless
from monitor.text.tokens import strip_marks

words = read_lists("person_words_it")

_ME_VERBS = lex.me_verb_forms(
    words, lambda lemma: [*lex.conjugate(words, lemma), lemma[:-3] + "ato", lemma[:-3] + "ata"]
)


def _with_clitic(table: dict[str, str]) -> dict[str, str]:
    """sentirmi, facendomi."""
    return {
        re.sub("e$", "", form) + "mi" if form.endswith("re") else form + "mi": lemma
        for form, lemma in table.items()
        if re.search(r"[aei]re$|ndo$", form)
    }


_TABLES = lex.make_tables(
    words,
    (("tore", "trice"), ("o", "a")),
    copulas=lex.with_folded(lex.copula_forms(words)),
    me_verbs=lex.with_folded(_ME_VERBS | _with_clitic(_ME_VERBS)),
    roles=read_pairs(strip_marks(words.role_pairs)),
    not_copulas="e stai",
)

_IMPERFECT = re.compile(r"..[aei]vo$")
_FUTURE = re.compile(r"..(?:er|ir)(?:ò|ei)$")
_PRETERITE = re.compile(r"...(?:ai|ii|etti)$")
_SUBJUNCTIVE = re.compile(r"..[aei]ssi$")
_THIRD_ENDING = re.compile(
    r"..(?:ava|eva|avano|evano|ivano|arono|erono|irono|ette|ettero|erà|irà|eranno|iranno|rebbe"
    r"|rebbero|iamo)$"
)


def _verb(low: str, key: str) -> int:
    tags = lex.ENCLITIC if _ENCLITIC.search(key) else 0
    if key in words.first_verbs or low in words.first_verbs:
        return tags | (lex.MAYBE_FIRST if key in words.not_sure_first else lex.FIRST)
    if low.endswith("ivo") and not low.endswith(("rivo", "tivo", "sivo", "divo")):
        return tags | lex.MAYBE_FIRST
    if low.endswith(("avo", "evo")) and low not in words.not_first and _IMPERFECT.search(low):
        return tags | lex.FIRST
    if (_FUTURE.search(low) or _PRETERITE.search(low)) and low not in words.not_first:
        return tags | lex.FIRST
    if _SUBJUNCTIVE.search(low):
        return tags | lex.MAYBE_FIRST
    return tags | (lex.OTHER_VERB if _THIRD_ENDING.search(low) else 0)


# --- Endings -----------------------------------------------------------------------------------

_ENCLITIC = re.compile(r".{2,}(?:[aei]rmi|ndomi)$")
_STRONG = r".{3,}(?:[ts]iv|ic|ent|ari|an|[eo]s|ett|ist|log)[oa]|.{3,}t(?:ore|rice)"
_NOT_LOOSE = r"iera|[st]ora|llora|(?:i|ezz|ur|nz|aggi|in|[ae]v|tr)[ao]|mento|menta|ismo|iamo|smo"
LEXICON = lex.Lexicon(
    words,
    _TABLES,
    lex.Endings(
        adjectives=(
            Suffix(lex.NOT_ADJECTIVE, r"[ae]ndo$"),
            Suffix(lex.NOT_ADJECTIVE, r"[àòìùèé]$", written=True),
            Suffix(lex.SUFFIX, r".{2,}[aiu]t[oa]$|.{3,}os[oa]$"),
            Suffix(lex.SUFFIX, unless(r"(?:ment|an|ent|ett|ist)[oa]", _STRONG)),
            Suffix(lex.LOOSE, unless(_NOT_LOOSE, r".{3,}[oa]")),
        ),
        masculine=("o", "tore"),
        feminine=("a", "trice"),
        bases=(("trice", "tore"), ("a", "o")),
        verb=_verb,
        singular=lambda key: re.sub("i$", "o", re.sub("e$", "a", key)),
        manner=re.compile(r".{3,}mente$"),
        agent=re.compile(r".{3,}t(?:ore|rice)$|.{3,}(?:log|graf)[oa]$"),
        agent_common=re.compile(r".{2,}ista$|.{4,}[ae]nte$|.{3,}iatra$"),
        participle=re.compile(
            r"(?:[aiu]t|fatt|dett|mess|pres|scelt|ett|att|ott|pert|fert|ort|olt|int|us|is|es|ers|oss"
            r"|ess|ost|nt)o$"
        ),
    ),
    lex.Doubles(
        pattern=lex.double_pattern(r"[^\W_]{1,5}", signs="@*ə"),
        letters="xu",
        bases=lambda key: key[:-1] + "o",
    ),
)


_TOKEN = re.compile(
    r"(?<!\w)(?i:(?:[dn]e|a|da|su)ll|(?:que|be)ll|quest|nessun|un|com|anch|[cdlmstv])['’](?=[^\W\d_])"
    r"|(?<!\w)(?i:po|mo|be|va|da|fa|sta|di|e)['’](?!\w)"
    rf"|[^\W\d_][\w{MARK}]*"
    + lex.double_token("a|o|trice|ora|essa|ina|iera|na", "a|o|trice|essa|iera")
    + rf"|{SIGNS}"
)
_DEFINITE = frozenset({"il", "lo", "la", "l'"})
_PLACES = frozenset("in con senza da dal dalla a al alla quando perche e nel nella".split())


class ItalianReader(ClimbingReader):
    """The reader of Italian, with what is particular to it."""

    __slots__ = ()
    reflexive = frozenset("sentir svegliare".split())
    indefinite = frozenset("un uno una nessun nessuno nessuna ogni".split())

    def _not_a_verb(self, i: int) -> bool:
        """No verb in "ci sono molte cose", "l'essere umano"; a dropped "I" in "non mi sono"."""
        word, before = self.tokens[i], self._word(i - 1)
        if before.key in {"ci", "ce"} and word.copula == "essere":
            return True
        if word.person in "IP" and before.tags & lex.DETERMINER:
            return not before.tags & (lex.CLITIC | lex.PREPOSITION)
        if word.copula in self.words.working and before.tags & lex.DETERMINER:
            return True
        return word.copula == "sembrare" and self._me_beside(i)

    def _adverbial(self, i: int) -> bool:
        """Return whether "solo" means "only" here: it does unless its place says otherwise."""
        word, follows, before = self._word(i), self._tags(i + 1), self._word(i - 1)
        if word.key != "solo":
            return False
        if follows & (lex.PUNCTUATION | lex.COORDINATOR | lex.QUOTE) or before.key == "da":
            return False
        if before.copula == "essere":
            return self._word(i + 2).key != "casa"  # "sono solo a casa", "sono solo in ritardo"
        return not (before.key in words.living and self._word(i + 1).key in _PLACES)

    def _working(self, i: int) -> int:
        """Besides: "faccio la maestra", "fare l'idraulico"."""
        if self._word(i).key in _DEFINITE and self._word(i + 1).noun == lex.PAIR:
            return self._phrase(i, "role_noun", bare=True)[0]
        return super()._working(i)

    def _skip_modifiers(self, i: int) -> int:
        i = super()._skip_modifiers(i)
        while self._adverbial(i):
            i = super()._skip_modifiers(i + 1)
        return i

    def _before_alone(self, i: int) -> Word:
        """Besides: before "da" in "viaggiare da sola"."""
        return self._word(i - 1 - (self._word(i - 1).key == "da"))

    def _stands_alone(self, i: int) -> bool:
        """Besides: "da sola" whatever stands before."""
        if self._adverbial(i):
            return False
        return self._word(i - 1).key == "da" or super()._stands_alone(i)


LANGUAGE = RomanceLanguage(
    "it", "Italian", 2, token=_TOKEN, lexicon=LEXICON, reader=ItalianReader, share=0.3
)
