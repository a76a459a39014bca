"""Spanish, French, Italian and Portuguese: what agrees with a person, and how it is written.

Articles, attributes and predicates agree in gender with their noun. Whether a word is an adjective
or a participle, and of which gender, is known to the first-person readers
(`monitor/languages/romance`); a word that stands with a thing shows the gender of the thing and is
no evidence.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from monitor.entities._nouns import NounForm, NounGender
from monitor.entities._reader import EntityReader, Evidence, Token
from monitor.entities._source import INDEFINITES, Person, PersonKind, Source
from monitor.languages._function_words import own_and_foreign
from monitor.languages.romance import _romance_tags as lex
from monitor.languages.romance._romance_tags import Word
from monitor.model import Cue, Gender, GenderClass, Language

M, F = Gender.MASCULINE, Gender.FEMININE
_GENDER_OF = {NounGender.MASCULINE: M, NounGender.FEMININE: F}
_TOKEN = re.compile(r"[^\W\d_]+['’](?= ?\w)|[^\W\d_]+(?:-[^\W\d_]+)*(?:[@*]s?(?!\w))?|\d+|[^\w\s]")
_STOPS = frozenset('.!?…;:()[]«»“”"')
_CLAUSE_ENDS = _STOPS | {","}
_LONGEST_WORD = 60
_SHORTEST_NOUN = 4  # behind a prefix
_MOST_STEPS = 5  # from a copula to its predicate
_NEAR = 0.2  # of the sentence, between the places of a noun in source and translation
_SAMPLE = 100  # tokens by which the language is recognised
_REACH = 5  # tokens between a noun and its article
_PREDICATE_REACH = 9  # tokens between a noun and its predicate
#: English words before a noun for somebody else, and before a predicate noun.
_POSSESSIVES = frozenset("my your his her its our their whose".split())
_BEING = frozenset(
    """
    be is are was were been being become became becomes becoming as remain remained named elected
    appointed made called titled i'm he's she's you're
    """.split()
)
#: English pronouns that "todas", "algunas", "aquellas" translate.
_QUANTIFIERS = frozenset(
    """
    all both each few many some any those these other others another one ones none several
    everyone everybody anyone anybody nobody that this who most enough whoever somebody someone
    """.split()
)
_SINGULARS = frozenset("he him his himself she her hers herself i me my myself".split())
_FIRST_PERSONS = frozenset("i me my mine myself".split())
_CLOSED = lex.PREPOSITION | lex.DETERMINER | lex.SUBORDINATOR | lex.COORDINATOR


def words_of(text: str) -> frozenset[str]:
    """Return the words of `text`."""
    return frozenset(text.split())


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
    #: The gender of a form of a noun with one singular ("giornalisti").
    common_form: Callable[[str], Gender | None] | None = None
    #: Spellings whose accents are kept, since they tell two words apart.
    accented: frozenset[str] = field(default_factory=frozenset)


def _thing_like(grammar: Grammar, key: str) -> bool:
    """Whether a noun names a thing by an ending that persons do not have."""
    return grammar.abstract.search(key) is not None


class RomanceReader(EntityReader):
    """Reader of translations into one Romance language."""

    decides = (
        "nouns with two forms, articles, adjectives and participles, stressed pronouns; "
        "words that agree with a thing are left out"
    )
    grammar: Grammar
    language: Language  # the reader of the first person

    def plurals(self, lemma: str, gender: NounGender) -> Iterable[str]:
        """Yield the plurals that a noun can have."""
        raise NotImplementedError

    @cached_property
    def _word(self) -> Callable[[str], Word]:
        """Look a word up in the first-person reader's lexicon, plurals by their singular."""
        lookup = self.lexicon_lookup

        @lru_cache(maxsize=1 << 15)
        def word(low: str) -> Word:
            if len(low) > _LONGEST_WORD:
                return Word("")
            entry = lookup(low)
            if entry.gender is None and not entry.tags & _CLOSED:
                for singular in self.singulars(low):
                    other = lookup(singular) if singular else entry
                    if other.gender:
                        return other
            return entry

        return word

    def lexicon_lookup(self, surface: str) -> Word:
        """Return what the first-person reader knows of a word."""
        raise NotImplementedError

    def singulars(self, low: str) -> Iterable[str]:
        """Yield the singulars that an adjective in the plural can have."""
        raise NotImplementedError

    # --- words -----------------------------------------------------------------------------------

    token_pattern = _TOKEN

    def tokenize(self, text: str) -> list[Token]:
        """Return words, numbers and signs; "l'" is a word of its own."""
        tokens: list[Token] = []
        keys_of = self._keys
        inclusive = self.grammar.inclusive_determiners
        before = ""
        for match in self.token_pattern.finditer(text):
            word = match[0]
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
        if self._word(thing.text.lower()).noun != lex.NO_NOUN:
            return False
        article = tokens[place - 2].key if place > 1 else ""
        return self._determiner(article) is not None or article in self.grammar.other_determiners

    @cached_property
    def _keys(self) -> Callable[[str], tuple[str, tuple[str, ...]]]:
        @lru_cache(maxsize=1 << 15)
        def keys(word: str) -> tuple[str, tuple[str, ...]]:
            key = self.fold(word)
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
        decomposed = unicodedata.normalize("NFD", low.replace("ñ", "\0"))
        return "".join(c for c in decomposed if not unicodedata.combining(c)).replace("\0", "ñ")

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
        tails = self.grammar.tails
        return re.compile(
            rf"\s?[(\[]-?(?:{tails})s?[)\]]|\s?/-?(?:{tails})s?\b"
            rf"|[{self.grammar.signs}](?:{tails})(?:[·.]?s)?\b"
        )

    def offered(self, text: str, tokens: Sequence[Token], place: int) -> Evidence | None:
        """Return BOTH or INCLUSIVE where the noun at `place` is written for both genders."""
        token = tokens[place]
        forms = self._forms_at(token)
        if any(form.gender in _GENDER_OF for form in forms):
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
            if any({mine, theirs} == set(_GENDER_OF) for _, mine, theirs in pairs):
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
        if len(key) < 4 or self._closed(key) or not self.grammar.participle.search(key):
            return None
        if self.grammar.adverb.search(key) or self.table.forms.get(key):
            return None
        return self.grammar.gender_of_ending(token.text.lower())

    def noun(self, tokens: Sequence[Token], place: int, gender: Gender) -> list[Evidence]:
        """Return the noun, or an article of the other gender before it ("la médico")."""
        if gender is M and place:
            article = self._determiner(tokens[place - 1].key)
            singular = not tokens[place - 1].key.endswith("s")
            if article is F and singular:
                return [Evidence(place - 1, F, "article", last=place)]
        return [Evidence(place, gender, "noun")]

    def agreement(self, tokens: Sequence[Token], place: int) -> list[Evidence]:
        """Return the article, else the form, else attributes, else the predicate."""
        return (
            self._article(tokens, place)
            or self._common_form(tokens, place)
            or self._attribute(tokens, place)
            or self._predicate(tokens, place)
        )

    def _common_form(self, tokens: Sequence[Token], place: int) -> list[Evidence]:
        common_form = self.grammar.common_form
        gender = common_form(tokens[place].key) if common_form else None
        return [Evidence(place, gender, "noun")] if gender else []

    def _article(self, tokens: Sequence[Token], place: int) -> list[Evidence]:
        """The article, over adjectives and numbers: "las otras dos jóvenes artistas"."""
        agreeing: list[Evidence] = []
        for at in range(place - 1, max(-1, place - 1 - _REACH), -1):
            key = tokens[at].key
            gender = self._determiner(key)
            if gender:
                return [Evidence(at, gender, "article", last=place)]
            if key in _CLAUSE_ENDS or key in self.grammar.prepositions:
                break
            word = self._word(tokens[at].text.lower())
            if key in self.grammar.other_determiners or key.isdigit():
                continue
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
            if gender and not self._forms_at(token):
                return [Evidence(at, gender, "attribute")]
            word = self._word(token.text.lower())
            if not (word.tags & lex.ADVERB or word.adjective or token.key in {"y", "e", "et"}):
                break
        return []

    def _predicate(self, tokens: Sequence[Token], place: int) -> list[Evidence]:
        """The predicate of the noun as a subject: "l'architecte a été renvoyée"."""
        grammar = self.grammar
        for at in range(place + 1, min(len(tokens), place + 1 + _PREDICATE_REACH)):
            key = tokens[at].key
            if key in _STOPS or key in grammar.conjunctions or self._forms_at(tokens[at]):
                break
            if key in grammar.copulas:
                return [item for item, _ in self._complement(tokens, at)]
        return []

    def _complement(self, tokens: Sequence[Token], copula: int) -> Iterator[tuple[Evidence, int]]:
        """Adjectives and participles after a copula, each with the number of steps to it."""
        at = copula + 1
        steps = 0
        while at < len(tokens) and steps < _MOST_STEPS:
            token = tokens[at]
            key = token.key
            if key in _CLAUSE_ENDS or key in self.grammar.prepositions:
                return
            gender = self._adjective(token) or self._participle(token)
            word = self._word(token.text.lower())
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

    # --- what shows the gender of a person without a noun of the table ---------------------------

    def reference(
        self, source: Source, tokens: Sequence[Token], place: int, claimed: dict[int, Person]
    ) -> list[Evidence]:
        """Return other words that show a gender, where the source names one person alone."""
        if not source.others:
            return self.evidence(source, tokens, claimed)
        if source.entity.noun in INDEFINITES:
            return []
        taken = self._taken(tokens, claimed)
        rivals = self._genders_of_others(source, tokens, claimed)
        if len(rivals) != 1 or next(iter(rivals)) not in (M, F):
            return []
        gender = F if M in rivals else M
        return [
            item
            for item, _ in self._marks(tokens, taken)
            if item.gender is gender
            and item.rule in {"pronoun", "predicate", "object"}
            and item.place not in taken
            and item.place != place
        ]

    def _genders_of_others(
        self, source: Source, tokens: Sequence[Token], claimed: dict[int, Person]
    ) -> set[Gender | None]:
        """The genders that the translation gives to the other persons, None for one not read."""
        genders: set[Gender | None] = set()
        nouns = [person for person in source.others if person.kind is PersonKind.NOUN]
        if len({id(person) for person in claimed.values()}) < len(nouns):
            genders.add(None)
        for place, person in claimed.items():
            forms = {
                form.gender for form in self._forms_at(tokens[place]) if form.noun == person.noun
            }
            if len(forms) == 1 and (gender := _GENDER_OF.get(next(iter(forms)))):
                genders.update(item.gender for item in self.noun(tokens, place, gender))
            else:
                items = self.agreement(tokens, place)
                genders.update(item.gender for item in items)
                if not items:
                    genders.add(None)
        return genders

    def evidence(
        self, source: Source, tokens: Sequence[Token], claimed: dict[int, Person]
    ) -> list[Evidence]:
        """Return the words of the gender for which most and the nearest words speak."""
        entity = source.entity
        if entity.kind is PersonKind.PRONOUN and source.words[entity.first] in _FIRST_PERSONS:
            spoken = self._of_speaker(tokens)
            if spoken:
                return spoken
        coreferent = self._coreferent(source, claimed)
        others = {place: person for place, person in claimed.items() if place not in coreferent}
        taken = self._taken(tokens, others)
        marks = [mark for mark in self._marks(tokens, taken) if mark[0].place not in taken]
        if entity.kind is PersonKind.NAME or source.words[entity.first] in _SINGULARS:
            marks = [
                (item, strength * (0.2 if self._is_plural(tokens[item.place]) else 1.0))
                for item, strength in marks
            ]
        asks_pronoun = source.words[entity.first].partition("'")[0] in _QUANTIFIERS
        marks = [
            (item, strength * (0.15 if item.rule == "headless" and item.last is None else 1.0))
            if not asks_pronoun
            else (item, strength)
            for item, strength in marks
        ]
        marks = [
            (item, strength * coreferent.get(item.place if item.last is None else item.last, 1.0))
            for item, strength in marks
        ]
        named = any(person.kind is PersonKind.NOUN for person in source.others)
        if entity.kind is PersonKind.NOUN and named:
            marks = [mark for mark in marks if mark[0].rule in {"noun", "article"}]
        weight = {M: 0.0, F: 0.0}
        for item, strength in marks:
            distance = abs(item.place / max(1, len(tokens) - 1) - source.place)
            weight[item.gender] += strength / (1 + 2 * distance)
        if not marks:
            return self._unknown_noun(source, tokens, taken)
        heavier = max(weight, key=lambda gender: weight[gender])
        return [item for item, _ in marks if item.gender is heavier]

    def _unknown_noun(
        self, source: Source, tokens: Sequence[Token], taken: set[int]
    ) -> list[Evidence]:
        """The article of the noun that stands nearest to the place of a noun in no table."""
        if source.entity.kind is not PersonKind.OTHER:
            return []
        nearest: tuple[float, Evidence] | None = None
        for at in range(1, len(tokens)):
            gender = self._determiner(tokens[at - 1].key)
            if not gender or at in taken or at - 1 in taken or self._forms_at(tokens[at]):
                continue
            if not self._noun_like(tokens[at]) or _thing_like(self.grammar, tokens[at].key):
                continue
            distance = abs(at / max(1, len(tokens) - 1) - source.place)
            if distance <= _NEAR and (nearest is None or distance < nearest[0]):
                nearest = distance, Evidence(at - 1, gender, "article", last=at)
        return [nearest[1]] if nearest else []

    def _coreferent(self, source: Source, claimed: dict[int, Person]) -> dict[int, float]:
        """Return {place: weight} of nouns that can name the entity itself ("she was a teacher").

        A noun behind a possessive ("her brother") names somebody else.
        """
        entity = source.entity
        if entity.kind is PersonKind.NOUN:
            return {}
        places: dict[int, float] = {}
        possessed = len(source.words)  # "her brother was a writer": the writer is the brother
        for place, person in sorted(claimed.items(), key=lambda item: item[1].first):
            before = source.words[max(0, person.first - 4) : person.first]
            if person.plural or _POSSESSIVES.intersection(before[-3:]):
                possessed = min(possessed, person.first)
                continue
            if person.first - possessed in range(1, 6):
                continue
            if person.noun in INDEFINITES:
                continue
            places[place] = 1.0 if _BEING.intersection(before) else 0.3
        return places

    def _is_plural(self, token: Token) -> bool:
        """Whether a word is a plural by its ending."""
        return self.grammar.plural_form.search(token.key) is not None

    def _of_speaker(self, tokens: Sequence[Token]) -> list[Evidence]:
        """What the reader of the first person finds."""
        signal = self.language.signal(self._text(tokens), Cue.AGREEMENT)
        if signal.cls not in {GenderClass.MASCULINE, GenderClass.FEMININE}:
            return []
        offsets = {token.start: at for at, token in enumerate(tokens)}
        return [
            Evidence(offsets[witness.start], witness.gender, "speaker")
            for witness in signal.witnesses
            if witness.start in offsets
        ]

    @staticmethod
    def _text(tokens: Sequence[Token]) -> str:
        """The text of which `tokens` are, at the same places."""
        pieces: list[str] = []
        end = 0
        for token in tokens:
            pieces.append(" " * (token.start - end))
            pieces.append(token.text)
            end = token.end
        return "".join(pieces)

    def _taken(self, tokens: Sequence[Token], claimed: dict[int, Person]) -> set[int]:
        """Places of other persons' nouns, with their articles and attributes."""
        taken: set[int] = set()
        for place in claimed:
            taken.add(place)
            for step, limit in ((-1, place - 4), (1, place + 3)):
                at = place + step
                while 0 <= at < len(tokens) and at != limit:
                    key = tokens[at].key
                    before = step < 0 and (
                        self._determiner(key) or key in self.grammar.other_determiners
                    )
                    if not before and not self._adjective(tokens[at]):
                        break
                    taken.add(at)
                    at += step
        return taken

    def _marks(self, tokens: Sequence[Token], taken: set[int]) -> Iterator[tuple[Evidence, float]]:
        """Every word that shows the gender of a person, with its weight."""
        grammar = self.grammar
        counted: set[int] = set()
        for at, token in enumerate(tokens):
            if at in counted or at in taken:
                continue
            if not token.key[0].isalpha():
                continue
            yield from self._pronoun_marks(tokens, at)
            forms = self._forms_at(token)
            if forms:
                yield from self._noun_mark(tokens, at, forms)
                continue
            if token.key in grammar.copulas or token.key in grammar.auxiliaries:
                for item, weight in self._predicate_marks(tokens, at, taken):
                    if item.place not in counted:
                        counted.add(item.place)
                        yield item, weight
                continue
            yield from self._object_marks(tokens, at)
            yield from self._loose_marks(tokens, at)

    def _pronoun_marks(self, tokens: Sequence[Token], at: int) -> Iterator[tuple[Evidence, float]]:
        """Stressed pronouns and subjects, and pronouns of less weight."""
        grammar = self.grammar
        low = tokens[at].text.lower()
        words = {low, low.rpartition("-")[2]}
        for gender, strong, weak in (
            (F, grammar.feminine_pronouns, grammar.weak_feminine_pronouns),
            (M, grammar.masculine_pronouns, grammar.weak_masculine_pronouns),
        ):
            if words & strong and not self._impersonal(tokens, at):
                yield Evidence(at, gender, "pronoun"), 3.0
            elif words & weak and self._stands_alone(tokens, at):
                yield Evidence(at, gender, "pronoun"), 1.2

    def _impersonal(self, tokens: Sequence[Token], at: int) -> bool:
        """Whether a pronoun refers to nobody; a language may say so."""
        del tokens, at
        return False

    def _noun_mark(
        self, tokens: Sequence[Token], at: int, forms: tuple[NounForm, ...]
    ) -> Iterator[tuple[Evidence, float]]:
        """A person noun: its own gender, or that of its article."""
        token = tokens[at]
        if token.key in self.grammar.ambiguous:
            return
        genders = {form.gender for form in forms}
        if NounGender.FIXED in genders or self._is_attribute(tokens, at):
            return
        participial = self.grammar.participial
        if participial and participial.search(token.key) and not self._article(tokens, at):
            return
        plural = all(form.plural for form in forms)
        if len(genders) == 1 and NounGender.COMMON not in genders:
            gender = _GENDER_OF[next(iter(genders))]
            for item in self.noun(tokens, at, gender):
                weight = 3.0 if item.gender is F else 2.0
                yield item, (weight / (6 if gender is M else 2) if plural else weight)
            return
        for item in (self._article(tokens, at) or self._common_form(tokens, at))[:1]:
            yield item, (0.5 if plural and item.gender is M else 2.0)

    def _is_attribute(self, tokens: Sequence[Token], at: int) -> bool:
        """Whether an adjective that can be a noun stands behind a noun ("escena escocesa")."""
        if not at or not tokens[at - 1].text[0].isalpha() or not self._adjective(tokens[at]):
            return False
        before = tokens[at - 1]
        if self._forms_at(before) or self._closed(before.key):
            return False
        return self._noun_like(before) or self._adjective(before) is not None

    def _predicate_marks(
        self, tokens: Sequence[Token], copula: int, taken: set[int]
    ) -> Iterator[tuple[Evidence, float]]:
        """Predicates of a person: "fue nombrada", "s'est mariée"."""
        for item, _ in self._complement(tokens, copula):
            if tokens[copula].key in self.grammar.auxiliaries and item.gender is M:
                continue
            if self._head_follows(tokens, item.place) or self._is_impersonal(tokens, copula, item):
                continue
            if not self._of_thing(tokens, copula, item.gender, taken):
                yield item, 1.5 if item.gender is F else 1.2

    def _is_impersonal(self, tokens: Sequence[Token], copula: int, item: Evidence) -> bool:
        """Whether a masculine predicate is that of a clause: "es cierto que", "è giusto che"."""
        if item.gender is not M or item.place + 1 >= len(tokens):
            return False
        before = tokens[copula - 1].key if copula else "."
        if before in self.grammar.negations and copula > 1:
            before = tokens[copula - 2].key
        if before in self.grammar.datives:  # "le fu chiesto"
            return True
        opens = before in _CLAUSE_ENDS | self.grammar.conjunctions | {"il"} | self.grammar.relatives
        after = tokens[item.place + 1].key
        return opens and (after in self.grammar.relatives or after in {"de", "d'", "di"})

    def _head_follows(self, tokens: Sequence[Token], place: int) -> bool:
        """Whether a noun that the adjective at `place` goes with stands right behind it."""
        return place + 1 < len(tokens) and self._noun_like(tokens[place + 1])

    def _of_thing(
        self, tokens: Sequence[Token], copula: int, gender: Gender, taken: set[int]
    ) -> bool:
        """Whether the subject before a copula is a thing of that gender, or somebody else."""
        grammar = self.grammar
        for at in range(copula - 1, max(-1, copula - 16), -1):
            token = tokens[at]
            key = token.key
            if at in taken or key in grammar.neuter_subjects:
                return True
            if key in grammar.relatives:
                return self._antecedent_is_thing(tokens, at, gender, taken)
            if key in _CLAUSE_ENDS or key in grammar.conjunctions or self._is_person(token):
                return False
            if self._is_subject(tokens, at) and self._thing_gender(tokens, at) in (None, gender):
                return True
        return False

    def _is_person(self, token: Token) -> bool:
        """Whether a word is a personal pronoun or a noun for a person."""
        grammar = self.grammar
        low = token.text.lower()
        if low in grammar.feminine_pronouns or low in grammar.masculine_pronouns:
            return True
        weak = low in grammar.weak_feminine_pronouns or low in grammar.weak_masculine_pronouns
        if weak and token.key not in grammar.clitics:
            return True
        return bool(self._forms_at(token)) and token.key not in grammar.ambiguous

    def _is_subject(self, tokens: Sequence[Token], at: int) -> bool:
        """Whether a noun for a thing stands without a preposition."""
        grammar = self.grammar
        if not self._noun_like(tokens[at]):
            return False
        before = tokens[at - 1].key if at else ""
        if tokens[at].text[0].isupper() and not self._determiner(before):
            return False
        if before in grammar.prepositions and before not in grammar.clitics:
            return False
        return not (at > 1 and tokens[at - 2].key in grammar.prepositions and before != "a")

    def _antecedent_is_thing(
        self, tokens: Sequence[Token], relative: int, gender: Gender, taken: set[int]
    ) -> bool:
        """Whether a relative clause is about a thing of that gender, or about somebody else."""
        for at in range(relative - 1, max(-1, relative - 4), -1):
            if at in taken:
                return True
            token = tokens[at]
            if self._forms_at(token) or self._determiner(token.key):
                return False
            if token.key in _CLAUSE_ENDS:
                continue
            if self._noun_like(token):
                return not token.text[0].isupper() and self._thing_gender(tokens, at) in (
                    None,
                    gender,
                )
        return False

    def _thing_gender(self, tokens: Sequence[Token], at: int) -> Gender | None:
        """The gender of a noun for a thing, by its article or its ending."""
        article = self._article(tokens, at)
        if article:
            return article[0].gender
        key = tokens[at].key
        if self.grammar.feminine_thing.search(key):
            return F
        return M if self.grammar.masculine_thing.search(key) else None

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

    def _object_marks(self, tokens: Sequence[Token], at: int) -> Iterator[tuple[Evidence, float]]:
        """Object pronouns: "la nombraron", "l'ha portata", "verla"."""
        grammar = self.grammar
        key = tokens[at].key
        following = tokens[at + 1] if at + 1 < len(tokens) else None
        clitic = key in grammar.masculine_clitics or key in grammar.feminine_clitics
        participle = self._participle_of_object(tokens, at)
        if participle and (clitic or key == "l'" or participle.gender is F):
            yield participle, 1.0
        elif clitic:
            if following and self._is_object(key, following) and not self._forms_at(following):
                gender = F if key in grammar.feminine_clitics else M
                yield Evidence(at, gender, "object"), 1.2 if key in grammar.datives else 0.6
        elif grammar.enclitic and (match := grammar.enclitic.search(tokens[at].text.lower())):
            yield Evidence(at, F if match["vowel"] == "a" else M, "object"), 0.6

    def _participle_of_object(self, tokens: Sequence[Token], at: int) -> Evidence | None:
        """The participle that agrees with the clitic at `at`: "l'ha portata", "m'a avertie"."""
        grammar = self.grammar
        if tokens[at].key not in grammar.clitics or at + 1 >= len(tokens):
            return None
        if tokens[at + 1].key not in grammar.auxiliaries | grammar.copulas:
            return None
        for place in range(at + 2, min(len(tokens), at + 5)):
            gender = self._adjective(tokens[place])
            if gender and grammar.participle.search(tokens[place].key):
                dative = tokens[at].key in grammar.datives and gender is M
                return None if dative else Evidence(place, gender, "object")
        return None

    def _stands_alone(self, tokens: Sequence[Token], at: int) -> bool:
        """Whether no noun follows a determiner: "todas", "toutes deux"."""
        at += 1
        if at < len(tokens) and tokens[at].key in self.grammar.other_determiners:
            at += 1
        if at >= len(tokens):
            return True
        following = tokens[at]
        grammar = self.grammar
        if grammar.plural.search(tokens[at - 1].key) and grammar.plural_verb.search(following.key):
            return True
        return not (
            self._noun_like(following)
            or self._forms_at(following)
            or self._adjective(following)
            or self._determiner(following.key)
            or following.key.isdigit()
        )

    def _is_object(self, key: str, following: Token) -> bool:
        """Whether a clitic that can be an article stands before a verb."""
        del key
        return self._is_verb(following)

    def _is_verb(self, token: Token) -> bool:
        return (
            token.key in self.grammar.auxiliaries
            or self.grammar.verb.search(token.text.lower()) is not None
        )

    def _loose_marks(self, tokens: Sequence[Token], at: int) -> Iterator[tuple[Evidence, float]]:
        """Nouns outside the table, adjectives without a noun, participles beside the sentence."""
        grammar = self.grammar
        token = tokens[at]
        before = tokens[at - 1].key if at else "."
        if token.key in grammar.selves and at:  # "Ana misma", "a sí misma"
            name = tokens[at - 1].text[0].isupper() and not self._determiner(before)
            if name or before in grammar.reflexives:
                yield Evidence(at, grammar.gender_of_ending(token.key) or M, "pronoun"), 2.0
                return
        if gender := self._determiner(token.key):
            if weight := self._weight_of_determiner(tokens, at):
                yield Evidence(at, gender, "headless"), weight
        elif token.key not in grammar.ambiguous:
            yield from self._unlisted_noun(tokens, at) or self._headless(tokens, at)

    def _weight_of_determiner(self, tokens: Sequence[Token], at: int) -> float:
        """The weight of a determiner as a pronoun: "la que", "una de", "todas"; 0 if it is none."""
        grammar = self.grammar
        key = tokens[at].key
        if key not in grammar.clitics and key not in grammar.articles:
            return 1.0 if self._stands_alone(tokens, at) else 0.0
        following = tokens[at + 1].key if at + 1 < len(tokens) else "."
        if following in grammar.relatives and key != "lo":
            return 0.5
        closes = following in grammar.copulas | grammar.prepositions | _CLAUSE_ENDS
        return 1.0 if key in grammar.ones and closes else 0.0

    def _unlisted_noun(self, tokens: Sequence[Token], at: int) -> list[tuple[Evidence, float]]:
        """A person noun that the first-person reader knows, or one with a person's ending."""
        grammar = self.grammar
        token = tokens[at]
        word = self._word(token.text.lower())
        before = tokens[at - 1].key if at else "."
        article = self._determiner(before)
        agent = grammar.agent.search(token.key)
        if agent and word.noun != lex.PAIR and not self._closed(token.key):
            gender = F if agent["feminine"] else M
            counted = article is None and gender is F and before in grammar.other_determiners
            if article is gender or counted:
                return [(Evidence(at, gender, "noun"), 0.8 if gender is F else 0.5)]
        if word.noun == lex.PAIR and word.gender in (M, F):
            return [(Evidence(at, word.gender, "noun"), 2.0 if word.gender is F else 1.0)]
        if word.noun == lex.COMMON and article:
            return [(Evidence(at - 1, article, "article", last=at), 1.5)]
        return []

    def _headless(self, tokens: Sequence[Token], at: int) -> list[tuple[Evidence, float]]:
        """An adjective said of people without a noun: "las atentas", "Nacida en Roma, ..."."""
        token = tokens[at]
        gender = self._adjective(token)
        if not gender or self._closed(token.key) or self._head_follows(tokens, at):
            return []
        if self._word(token.text.lower()).adjective != lex.HUMAN:
            return []
        before = tokens[at - 1].key if at else "."
        if self._determiner(before) is gender:
            item = Evidence(at - 1, gender, "headless", last=at)
            return [(item, 1.0 if gender is F else 0.5)]
        if before in _CLAUSE_ENDS and self.grammar.participle.search(token.key):
            return [(Evidence(at, gender, "apposition"), 1.0 if gender is F else 0.8)]
        return []
