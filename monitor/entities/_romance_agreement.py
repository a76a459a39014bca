"""Spanish, French, Italian and Portuguese: what agrees with a person, and how it is written.

Articles, attributes and predicates agree in gender with their noun. Whether a word is an adjective
or a participle, and of which gender, is known to the first-person readers
(`monitor/languages/romance`).
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from monitor.data import read_words
from monitor.entities._persons import NounForm, NounGender
from monitor.entities._reader import GENDER_OF, EntityReader, Evidence, Token, find_gender
from monitor.languages._clauses import own_and_foreign
from monitor.languages.romance import _romance_words as lex
from monitor.languages.romance._romance_words import Lexicon, Word
from monitor.model import Gender, Language
from monitor.text.tokens import strip_marks

M, F = Gender.MASCULINE, Gender.FEMININE


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """The closed classes of one language; all words are folded, unless said otherwise."""

    masculine_determiners: frozenset[str]
    feminine_determiners: frozenset[str]
    other_determiners: frozenset[str]
    inclusive_determiners: frozenset[str]
    #: In small letters with their accents.
    masculine_pronouns: frozenset[str]
    feminine_pronouns: frozenset[str]
    #: Pronouns that stand for things as well, of less weight.
    weak_masculine_pronouns: frozenset[str]
    weak_feminine_pronouns: frozenset[str]
    #: Object pronouns before a verb, which are articles before a noun.
    masculine_clitics: frozenset[str]
    feminine_clitics: frozenset[str]
    clitics: frozenset[str]
    articles: frozenset[str]
    datives: frozenset[str]  # of the clitics
    copulas: frozenset[str]
    auxiliaries: frozenset[str]  # of the compound tenses whose participle does not agree
    negations: frozenset[str]
    prepositions: frozenset[str]
    conjunctions: frozenset[str]
    relatives: frozenset[str]
    alternatives: frozenset[str]  # or
    #: Words by which the language is recognised.
    function_words: frozenset[str]
    #: Forms of person nouns that mean a thing as often.
    ambiguous: frozenset[str]
    #: Endings that both genders are offered with: "enfermero/a".
    tails: str
    signs: str = "·•‧⋅"  # between a form and its ending
    ones: frozenset[str]  # one, as a pronoun
    #: Person nouns that are participles as well, unless an article stands before them.
    participial: re.Pattern[str] | None = None
    verb: re.Pattern[str]  # forms that are verbs of the third person
    enclitic: re.Pattern[str] | None  # a verb with an object pronoun; group `vowel`
    feminine_thing: re.Pattern[str]  # nouns for things, feminine by their ending
    masculine_thing: re.Pattern[str]
    #: Words whose form without an article is more than one word: "dell'", as determiners.
    participle: re.Pattern[str]
    #: Endings whose accents are kept.
    kept_ending: re.Pattern[str] | None = None
    #: The ending of forms beyond the two genders, and that of the masculine in its place.
    inclusive: re.Pattern[str] | None = None
    sign_ending: str = "o"
    gender_of_ending: Callable[[str], Gender | None]  # of adjectives and participles
    neuter_subjects: frozenset[str]  # it, this: no persons
    agent: re.Pattern[str]  # endings of nouns for persons; groups masculine and feminine
    plural: re.Pattern[str]  # endings of the plural
    plural_form: re.Pattern[str]  # plurals of nouns, adjectives and pronouns
    plural_verb: re.Pattern[str]  # endings of verbs in the plural
    selves: frozenset[str]  # "herself", as it agrees
    reflexives: frozenset[str]
    adverb: re.Pattern[str]
    infinitive: re.Pattern[str]
    abstract: re.Pattern[str]  # endings of nouns that name no person
    #: Adjectives of one form for both genders that end as feminine ones do.
    epicene: re.Pattern[str] | None = None
    #: The gender of a form of a noun with one singular ("giornalisti").
    common_form: Callable[[str], Gender | None] | None = None
    #: Spellings whose accents are kept, since they tell two words apart.
    accented: frozenset[str] = frozenset()
    #: French words after the impersonal "il", and its predicates ("il est remarquable que").
    after_il: frozenset[str] = frozenset()
    of_clauses: frozenset[str] = frozenset()


def read_grammar(name: str, **rules: Any) -> Grammar:  # noqa: ANN401 - as the fields say
    """Return the grammar with the word lists of `monitor/data/<name>.toml`, and with rules."""
    lists: dict[str, Any] = {**read_words(name)}
    return Grammar(**lists, **rules)


_MARK = re.compile(r"[\u0300-\u036f]")
_TOKEN = re.compile(
    r"[^\W\d_]+['’](?= ?\w)|[^\W\d_]+(?:-[^\W\d_]+)*(?:[@*]s?(?!\w))?"
    r"|\d+|[^\w\s\u200b-\u200f\u2060\ufeff]"
)
_STOPS = frozenset('.!?…;:()[]«»“”"')
CLAUSE_ENDS = _STOPS | {","}
_LONGEST_WORD = 60
_SHORTEST_NOUN = 4  # letters, of what is left without a prefix or can be a participle
_MOST_STEPS = 5  # from a copula to its predicate
_SAMPLE = 100  # tokens by which the language is recognised
_REACH = 5  # tokens between a noun and its article
_PREDICATE_REACH = 9  # tokens between a noun and its predicate
_SEX = re.compile(r"(?P<feminine>f[eé]m[ie]nin|femminil)|(?P<masculine>masculin|maschil)")
_SEXES = frozenset({"woman", "man"})
_CLOSED = lex.PREPOSITION | lex.DETERMINER | lex.SUBORDINATOR | lex.COORDINATOR


class AgreementReader(EntityReader):
    """Reader of what agrees with a noun: articles, attributes, predicates, its own form."""

    decides = (
        "nouns with two forms, articles, adjectives and participles, stressed pronouns; "
        "words that agree with a thing are left out"
    )
    grammar: Grammar
    language: Language  # the reader of the first person
    lexicon: Lexicon  # its words

    def plurals(self, lemma: str, gender: NounGender) -> Iterable[str]:
        """Yield the plurals that a noun can have."""
        raise NotImplementedError

    @cached_property
    def _word(self) -> Callable[[str], Word]:
        """Look a word up in the first-person reader's lexicon, plurals by their singular."""
        lookup = self.lexicon.lookup

        @lru_cache(maxsize=1 << 15)
        def word(low: str) -> Word:
            if len(low) > _LONGEST_WORD or not low[0].isalpha():
                return Word("")
            entry = lookup(low)
            if entry.gender is None and not entry.tags & _CLOSED:
                for singular in self.singulars(low):
                    other = lookup(singular) if singular else entry
                    if other.gender:
                        return other
            return entry

        return word

    def singulars(self, low: str) -> Iterable[str]:
        """Yield the singulars that an adjective in the plural can have."""
        raise NotImplementedError

    # --- words -----------------------------------------------------------------------------------

    token_pattern = _TOKEN

    @cached_property
    def _marked_pattern(self) -> re.Pattern[str]:
        """The pattern for texts whose accents are characters of their own."""
        letters = r"(?:[^\W\d_][\u0300-\u036f]*)+"
        return re.compile(self.token_pattern.pattern.replace(r"[^\W\d_]+", letters))

    def tokenize(self, text: str) -> list[Token]:
        """Return words, numbers and signs; "l'" is a word of its own."""
        tokens: list[Token] = []
        keys_of = self._keys
        inclusive = self.grammar.inclusive_determiners
        before = ""
        pattern = self._marked_pattern if _MARK.search(text) else self.token_pattern
        for match in pattern.finditer(text):
            word = match[0]
            if pattern is not self.token_pattern:
                word = unicodedata.normalize("NFC", word)
            key, keys = keys_of(word[:_LONGEST_WORD])
            if before in inclusive and key[-1] in "es":
                keys = (*keys, f"{key.removesuffix('s')[:-1]}{self.grammar.sign_ending}")
            tokens.append(Token(word, match.start(), match.end(), key, keys))
            before = key
        return tokens

    def find_forms(self, tokens: Sequence[Token]) -> list[tuple[NounForm, ...]]:
        """Return the forms of person nouns, none for adjectives of things ("centro médico")."""
        table = self.table.forms
        forms: list[tuple[NounForm, ...]] = []
        kinds: tuple[NounForm, ...] = ()
        for place, token in enumerate(tokens):
            before = kinds
            kinds = table.get(token.key, ())
            if not kinds and len(token.keys) > 1:
                kinds = self._forms_at(token)
            if kinds and place and not before and self._goes_with_thing(tokens, place):
                kinds = ()
            forms.append(kinds)
        return forms

    def _goes_with_thing(self, tokens: Sequence[Token], place: int) -> bool:
        """Whether the word at `place` stands as an adjective behind a noun for a thing."""
        thing = tokens[place - 1]
        if not thing.text[0].islower() or not self._noun_like(thing):
            return False
        grammar = self.grammar
        if self._word(thing.text.lower()).noun != lex.NO_NOUN:
            return False
        if not grammar.feminine_thing.search(thing.key) and not grammar.masculine_thing.search(
            thing.key
        ):
            return False
        if not self._word(tokens[place].text.lower()).adjective:
            return False
        article = tokens[place - 2].key if place > 1 else ""
        return self._determiner(article) is not None or article in self.grammar.other_determiners

    @cached_property
    def _keys(self) -> Callable[[str], tuple[str, tuple[str, ...]]]:
        @lru_cache(maxsize=1 << 15)
        def keys(word: str) -> tuple[str, tuple[str, ...]]:
            key = self.fold(word) or word
            forms = [key]
            if "-" in key:
                forms.append(key.rpartition("-")[2])
            forms.extend(
                key.removeprefix(prefix)
                for prefix in ("vice", "ex")
                if key.startswith(prefix) and len(key) > len(prefix) + _SHORTEST_NOUN
            )
            inclusive = self.grammar.inclusive
            if inclusive and inclusive.search(key):
                forms.append(inclusive.sub(self.grammar.sign_ending, key))
            return key, tuple(forms)

        return keys

    def fold(self, form: str) -> str:
        """Return `form` in small letters without accents; ñ stays, and what accents tell apart."""
        low = unicodedata.normalize("NFC", form.replace("’", "'").replace("' ", "'").casefold())
        if low.isascii() or low in self.grammar.accented:
            return low
        kept = self.grammar.kept_ending
        ending = kept.search(low) if kept else None
        if ending:
            return self._unaccented(low[: ending.start()]) + ending[0]
        return self._unaccented(low)

    @staticmethod
    def _unaccented(low: str) -> str:
        return strip_marks(low.replace("ñ", "\0")).replace("\0", "ñ")

    def inflect(self, lemma: str, gender: NounGender) -> Iterable[tuple[str, bool | None]]:
        """Yield singular and plurals."""
        plurals = list(self.plurals(lemma, gender))
        if lemma in plurals:
            yield lemma, None
            return
        yield lemma, False
        for plural in plurals:
            yield plural, True

    @cached_property
    def _language_of(self) -> Callable[[str], int]:
        """How far a word speaks for the language: 2 or 1, against it: -1."""
        own, foreign = own_and_foreign(self.code)

        @lru_cache(maxsize=1 << 15)
        def weigh(text: str) -> int:
            low = text[:_LONGEST_WORD].lower()
            key = self.fold(low)
            closed = self._closed(key)
            strong = low in own or key in self.grammar.function_words
            if closed or strong:
                return closed + strong
            return -1 if low in foreign else 0

        return weigh

    def is_language(self, tokens: Sequence[Token]) -> bool:
        """Return whether a frequent word of the language is among the words, or a person noun."""
        weigh = self._language_of
        own_words = foreign_words = 0
        for token in tokens[:_SAMPLE]:
            weight = weigh(token.text)
            if weight > 0:
                own_words += weight
            else:
                foreign_words -= weight
        if own_words:
            return own_words >= 2 * foreign_words
        return foreign_words == 0 and any(
            key in self.table.forms for token in tokens[:_SAMPLE] for key in token.keys
        )

    # --- both genders ----------------------------------------------------------------------------

    @cached_property
    def _tail(self) -> re.Pattern[str]:
        tails = f"{self.grammar.tails}|{unicodedata.normalize('NFD', self.grammar.tails)}"
        return re.compile(
            rf"\s?[(\[]-?(?:{tails})s?[)\]]|\s?/-?(?:{tails})s?\b"
            rf"|[{self.grammar.signs}](?:{tails})(?:[·.]?s)?\b"
        )

    def offered(self, text: str, tokens: Sequence[Token], place: int) -> Evidence | None:
        """Return BOTH or INCLUSIVE where the noun at `place` is written for both genders."""
        token = tokens[place]
        forms = self._forms_at(token)
        if any(form.gender in GENDER_OF for form in forms):
            tail = self._tail.match(text, token.end)
            if tail:
                last = place
                while last + 1 < len(tokens) and tokens[last + 1].end <= tail.end():
                    last += 1
                return Evidence(place, Gender.BOTH, "double_form", last=last)
            if self._is_inclusive(token) and "-" not in token.key:
                return Evidence(place, Gender.INCLUSIVE, "inclusive_form")
            return self._pair(tokens, place, forms)
        if any(form.gender is NounGender.COMMON for form in forms):
            return self._offered_article(tokens, place)
        return None

    def _is_inclusive(self, token: Token) -> bool:
        """Whether the form is known by its masculine alone: "enfermerx"."""
        used = next((key for key in token.keys if key in self.table.forms), token.key)
        return not token.key.endswith(used)

    def _pair(
        self, tokens: Sequence[Token], place: int, forms: tuple[NounForm, ...]
    ) -> Evidence | None:
        """Both forms beside each other: "la enfermera o el enfermero", "enfermero/enfermera"."""
        for step in (1, -1):
            sign = place + step
            if step < 0 <= sign and self._is_determiner(tokens[sign].key):
                sign -= 1
            if not 0 < sign < len(tokens) - 1:
                continue
            offers = tokens[sign].key in {"/", *self.grammar.alternatives}
            joint = not offers and tokens[sign].key in self.grammar.conjunctions
            if not offers and not joint:
                continue
            other = sign + step
            if step > 0 and self._is_determiner(tokens[other].key):
                other += 1
            if not 0 <= other < len(tokens):
                continue
            pairs = {
                (mine.noun, mine.gender, theirs.gender)
                for mine in forms
                for theirs in self._forms_at(tokens[other])
                if mine.noun == theirs.noun and (not joint or (mine.plural and theirs.plural))
            }
            if any({mine, theirs} == set(GENDER_OF) for _, mine, theirs in pairs):
                return Evidence(
                    min(place, other), Gender.BOTH, "both_forms", last=max(place, other)
                )
        return None

    def _offered_article(self, tokens: Sequence[Token], place: int) -> Evidence | None:
        """Both articles before a noun of one form: "el/la periodista", "un o una artista"."""
        grammar = self.grammar
        keys = ["", "", "", "", *(token.key for token in tokens[max(0, place - 4) : place])]
        fourth, third, second, first = keys[-4:]
        offers = second in {"/", "("} or second in grammar.alternatives
        if offers and {self._determiner(third), self._determiner(first)} == {M, F}:
            return Evidence(place - 3, Gender.BOTH, "both_articles", last=place)
        if (third, first) == ("(", ")") and self._determiner(fourth):  # "o(a) artista"
            return Evidence(place - 4, Gender.BOTH, "both_articles", last=place)
        if place and tokens[place - 1].key in grammar.inclusive_determiners:
            return Evidence(place - 1, Gender.INCLUSIVE, "inclusive_article", last=place)
        return None

    # --- what agrees with a noun -----------------------------------------------------------------

    def _determiner(self, key: str) -> Gender | None:
        if key in self.grammar.masculine_determiners:
            return M
        return F if key in self.grammar.feminine_determiners else None

    def _is_determiner(self, key: str) -> bool:
        return self._determiner(key) is not None or key in self.grammar.other_determiners

    def _adjective(self, token: Token, least: int = lex.SUFFIX) -> Gender | None:
        """The gender of an adjective or a participle."""
        if not token.text[0].isalpha():
            return None
        if token.key in self.grammar.negations or self.grammar.adverb.search(token.key):
            return None
        word = self._word(token.text.lower())
        if word.gender in (M, F) and (
            word.adjective >= max(least, lex.LISTED)
            or (word.adjective >= least and self.grammar.participle.search(token.key))
        ):
            return word.gender
        return None

    def _participle(self, token: Token) -> Gender | None:
        """The gender of a word that ends as participles do, whatever else it can be."""
        key = token.key
        if (
            len(key) < _SHORTEST_NOUN
            or self._closed(key)
            or not self.grammar.participle.search(key)
        ):
            return None
        if self.grammar.adverb.search(key) or self.table.forms.get(key):
            return None
        return self.grammar.gender_of_ending(token.text.lower())

    def noun(self, tokens: Sequence[Token], place: int, gender: Gender) -> list[Evidence]:
        """Return the noun, or an article of the other gender before it ("la médico")."""
        if apposed := self._apposed(tokens, place):
            return apposed
        if gender is M and place:
            article = self._determiner(tokens[place - 1].key)
            singular = not tokens[place - 1].key.endswith("s")
            if article is F and singular:
                return [Evidence(place - 1, F, "article", last=place)]
        return [Evidence(place, gender, "noun")]

    def agreement(self, tokens: Sequence[Token], place: int) -> list[Evidence]:
        """Return "donna" behind it, else the article, the form, attributes, the predicate."""
        return (
            self._sex(tokens, place)
            or self._apposed(tokens, place)
            or self._article(tokens, place)
            or self._common_form(tokens, place)
            or self._attribute(tokens, place)
            or self._predicate(tokens, place)
        )

    @staticmethod
    def _sex(tokens: Sequence[Token], place: int) -> list[Evidence]:
        """An adjective of women or men, whatever it agrees with: "une voix masculine"."""
        match = _SEX.match(tokens[place].key)
        return [Evidence(place, F if match["feminine"] else M, "sex")] if match else []

    def _apposed(self, tokens: Sequence[Token], place: int) -> list[Evidence]:
        """A word for "woman" or "man" right behind the noun: "il primo leader donna"."""
        if place + 1 >= len(tokens):
            return []
        forms = self._forms_at(tokens[place + 1])
        gender = find_gender(form for form in forms if form.noun in _SEXES)
        return [Evidence(place + 1, gender, "attribute")] if gender else []

    def _common_form(self, tokens: Sequence[Token], place: int) -> list[Evidence]:
        common_form = self.grammar.common_form
        gender = common_form(tokens[place].key) if common_form else None
        return [Evidence(place, gender, "noun")] if gender else []

    def _article(self, tokens: Sequence[Token], place: int) -> list[Evidence]:
        """The article, over adjectives and numbers: "las otras dos jóvenes artistas"."""
        agreeing: list[Evidence] = []
        opened = False
        for at in range(place - 1, max(-1, place - 1 - _REACH), -1):
            key = tokens[at].key
            gender = self._determiner(key)
            if gender:
                return [Evidence(at, gender, "article", last=place)]
            if key in CLAUSE_ENDS or key in self.grammar.prepositions:
                break
            word = self._word(tokens[at].text.lower())
            if key in self.grammar.other_determiners or key.isdigit():
                opened = True  # of "ha chiamato l'analista" the participle is no attribute
                continue
            verbs = self.grammar.auxiliaries | self.grammar.copulas
            if opened or (at and tokens[at - 1].key in verbs):
                break
            if word.adjective == lex.NOT_ADJECTIVE and not word.tags & lex.ADVERB:
                break
            if word.adjective >= lex.SUFFIX and word.gender in (M, F) and not agreeing:
                agreeing = [Evidence(at, word.gender, "attribute", last=place)]
        return agreeing

    def _attribute(self, tokens: Sequence[Token], place: int) -> list[Evidence]:
        """Adjectives right after the noun."""
        for at in range(place + 1, min(len(tokens), place + 4)):
            token = tokens[at]
            gender = self._adjective(token)
            forms = {form.gender for form in self._forms_at(token)}
            if len(forms) == 1 and at == place + 1:  # "debutante femenino"
                gender = GENDER_OF.get(next(iter(forms)))
                return [Evidence(at, gender, "attribute")] if gender else []
            if gender and not forms:
                phrase = at + 1 < len(tokens) and self._noun_like(tokens[at + 1])
                verb = self.grammar.verb.search(token.text.lower())
                return [] if phrase or verb else [Evidence(at, gender, "attribute")]
            word = self._word(token.text.lower())
            if not (word.tags & lex.ADVERB or word.adjective >= lex.LISTED):
                break
        return []

    def _predicate(self, tokens: Sequence[Token], place: int) -> list[Evidence]:
        """The predicate of the noun as a subject: "l'architecte a été renvoyée"."""
        grammar = self.grammar
        for at in range(place + 1, min(len(tokens), place + 1 + _PREDICATE_REACH)):
            key = tokens[at].key
            if key in grammar.copulas:
                return [item for item, _ in self._complement(tokens, at)]
            if key in _STOPS or key in grammar.conjunctions or self._forms_at(tokens[at]):
                break
        return []

    def _complement(self, tokens: Sequence[Token], copula: int) -> Iterator[tuple[Evidence, int]]:
        """Adjectives and participles after a copula, each with the number of steps to it."""
        at = copula + 1
        steps = 0
        while at < len(tokens) and steps < _MOST_STEPS:
            token = tokens[at]
            key = token.key
            if key in CLAUSE_ENDS or key in self.grammar.prepositions:
                return
            gender = self._adjective(token) or self._participle(token)
            word = self._word(token.text.lower())
            if not gender and word.gender is F and word.adjective >= lex.SUFFIX:
                epicene = self.grammar.epicene
                gender = None if epicene and epicene.search(key) else F
            if gender and key not in self.grammar.copulas:
                yield Evidence(at, gender, "predicate"), steps
                # "alta y delgada"
                if at + 2 < len(tokens) and tokens[at + 1].key in {"y", "e", "et", "ed"}:
                    at += 2
                    steps += 1
                    continue
                return
            if gender:  # "stata", "sido"
                if gender is F:
                    yield Evidence(at, gender, "predicate"), steps
            elif not (
                key in self.grammar.copulas
                or key in self.grammar.negations
                or word.tags & lex.ADVERB
                or key in self.grammar.clitics
                or (key in self.grammar.articles and at == copula + 1 + steps)
                or (word.adjective and word.gender is None)
            ):
                return
            at += 1
            steps += 1

    @cached_property
    def _closed(self) -> Callable[[str], bool]:
        grammar = self.grammar
        closed = (
            grammar.masculine_determiners
            | grammar.feminine_determiners
            | grammar.other_determiners
            | grammar.inclusive_determiners
            | grammar.masculine_pronouns
            | grammar.feminine_pronouns
            | grammar.weak_masculine_pronouns
            | grammar.weak_feminine_pronouns
            | grammar.clitics
            | grammar.copulas
            | grammar.auxiliaries
            | grammar.negations
            | grammar.prepositions
            | grammar.conjunctions
            | grammar.relatives
            | grammar.alternatives
            | grammar.function_words
        )
        return closed.__contains__

    def _noun_like(self, token: Token) -> bool:
        """Whether a word can only be a noun or a name."""
        key = token.key
        grammar = self.grammar
        if not key[0].isalpha() or self._closed(key) or grammar.verb.search(token.text.lower()):
            return False
        if grammar.adverb.search(key) or grammar.infinitive.search(key):
            return False
        word = self._word(token.text.lower())
        if word.noun != lex.NO_NOUN:
            return True
        return not word.tags & lex.ADVERB and word.adjective < lex.SUFFIX
