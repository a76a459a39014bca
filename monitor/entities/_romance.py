"""Spanish, French, Italian and Portuguese: what shows the gender of a person named by no noun.

Pronouns, nouns for persons, adjectives and participles are weighed by how surely they are said of
a person and by how near they stand. A word that stands with a thing shows the gender of the thing
and is no evidence.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from monitor.data import read_words
from monitor.entities._persons import INDEFINITES, NounForm, NounGender, Person, PersonKind, Source
from monitor.entities._reader import Evidence, Token, choose_nearest, find_gender
from monitor.entities._romance_agreement import (
    CLAUSE_ENDS,
    AgreementReader,
    F,
    Grammar,
    M,
    read_grammar,
)
from monitor.languages.romance import _romance_words as lex
from monitor.model import Cue, Gender, GenderClass

_NEAR = 0.2  # of the sentence, between the places of a noun in source and translation
#: English words before a noun for somebody else, and before a predicate noun.
_POSSESSIVES = frozenset("my your his her its our their whose".split())
_WORDS = read_words("entity_words_en")
_BEING = _WORDS["being"]
_QUANTIFIERS = _WORDS["quantifiers"]
_ONCE = frozenset({"vez", "volta", "fois"})  # "una vez elegida"
#: "It is", where a clause can be the subject.
_IT_IS = frozenset(
    """
    es era fue sera seria sea fuera parece resulta è fu sara sarebbe sia fosse sembra est etait fut
    serait soit semble é foi seja fosse
    """.split()
)
#: Words for the sexes, whose meaning counts and not their grammar: "une voix masculine".
_OF_SEXES = frozenset("female male woman women man men girl girls boy boys lady ladies".split())
_OBJECTS = frozenset("her him me us them you".split())
_SINGULARS = frozenset("he him his himself she her hers herself i me my myself".split())
_FIRST_PERSONS = frozenset("i me my mine myself".split())


class RomanceReader(AgreementReader):
    """Reader of translations into one Romance language."""

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
            forms = self._forms_at(tokens[place])
            if gender := find_gender(form for form in forms if form.noun == person.noun):
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
        if source.words[entity.first].partition("'")[0] in _OF_SEXES:
            sexes = [item for at in range(len(tokens)) for item in self._sex(tokens, at)]
            if sexes:
                return choose_nearest(sexes, source, len(tokens))
        coreferent = self._coreferent(source, claimed)
        others = {place: person for place, person in claimed.items() if place not in coreferent}
        taken = self._taken(tokens, others)
        marks = [mark for mark in self._marks(tokens, taken) if mark[0].place not in taken]
        if entity.kind is PersonKind.NAME or source.words[entity.first] in _SINGULARS:
            marks = [
                (item, strength * (0.2 if self._is_plural(tokens[item.place]) else 1.0))
                for item, strength in marks
            ]
        if entity.kind in {PersonKind.PRONOUN, PersonKind.NAME}:
            marks = [
                (item, strength * self._fitness(source, item, coreferent))
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
            if not self._noun_like(tokens[at]) or self.grammar.abstract.search(tokens[at].key):
                continue  # a thing by its ending
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
            other_number = person.plural and source.words[entity.first] in _SINGULARS
            if other_number or _POSSESSIVES.intersection(before[-3:]):
                possessed = min(possessed, person.first)
                continue
            if person.first - possessed in range(1, 6):
                continue
            if person.noun in INDEFINITES:
                continue
            places[place] = 1.0 if _BEING.intersection(before) else 0.3
        return places

    def _fitness(self, source: Source, item: Evidence, coreferent: dict[int, float]) -> float:
        """Factor of a word's weight where the entity is a pronoun or a name."""
        if item.rule in {"noun", "article"}:
            place = item.place if item.last is None else item.last
            return 1.0 if place in coreferent else 0.5
        if item.rule == "object" and source.words[source.entity.first] in _OBJECTS:
            return 2.0
        return 1.0

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
            pieces.append(token.text.ljust(token.end - token.start))
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
        is_fixed = any(form.gender is NounGender.FIXED for form in forms)
        if is_fixed or self._is_attribute(tokens, at):
            return
        participial = self.grammar.participial
        if participial and participial.search(token.key) and not self._article(tokens, at):
            return
        plural = all(form.plural for form in forms)
        if gender := find_gender(forms):
            for item in self.noun(tokens, at, gender):
                weight = 3.0 if item.gender is F else 2.0
                yield item, (weight / (6 if gender is M else 2) if plural else weight)
            return
        for item in (self._article(tokens, at) or self._common_form(tokens, at))[:1]:
            yield item, (0.5 if plural and item.gender is M else 2.0)

    def _is_attribute(self, tokens: Sequence[Token], at: int) -> bool:
        """Whether an adjective that can be a noun stands behind a noun ("escena escocesa")."""
        if at and self._goes_with_thing(tokens, at):
            return True
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
        opens = before in CLAUSE_ENDS | self.grammar.conjunctions | {"il"} | self.grammar.relatives
        if not opens or tokens[copula].key not in _IT_IS or self._is_plural(tokens[item.place]):
            return False
        after = tokens[item.place + 1].key
        return after in self.grammar.relatives or after in {"de", "d'", "di"}

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
            if key in CLAUSE_ENDS or key in grammar.conjunctions or self._is_person(token):
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
            if token.key in CLAUSE_ENDS:
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
        if tokens[at + 1].key not in grammar.auxiliaries:
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
            or self._agrees(tokens[at - 1].key, following.key)
            or following.key.isdigit()
        )

    def _agrees(self, key: str, following: str) -> bool:
        """Whether two determiners can stand before one noun: "toutes les", not "toutes la"."""
        plural = self.grammar.plural.search
        gender = self._determiner(following)
        if following in self.grammar.other_determiners:
            return True
        return gender is not None and (
            gender is self._determiner(key) and bool(plural(key)) == bool(plural(following))
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
        closes = following in grammar.copulas | grammar.prepositions | CLAUSE_ENDS
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
        if (before in CLAUSE_ENDS or before in _ONCE) and self.grammar.participle.search(token.key):
            return [(Evidence(at, gender, "apposition"), 1.0 if gender is F else 0.8)]
        return []


#: Endings of nouns for persons.
_AGENT = re.compile(
    r"(?P<masculine>(?:dor|tor|sor|logo)(?:e?s)?$)|(?P<feminine>(?:dora|tora|sora|loga|triz)s?$)"
)
#: Endings of forms beyond the two genders.
_INCLUSIVE = re.compile(r"(?<=[^\W\d_]{3})(?:[x@*]|[x@*]s)$")


def _gender_of_ending(low: str) -> Gender | None:
    """Return the gender of an adjective or a participle in -o, -a."""
    vowel = low.removesuffix("s")[-1:]
    return {"o": M, "a": F}.get(vowel)


def read_iberian_grammar(name: str, **rules: Any) -> Grammar:  # noqa: ANN401 - as the fields say
    """Return the grammar of Spanish or Portuguese with the rules that both share."""
    return read_grammar(
        name,
        gender_of_ending=_gender_of_ending,
        agent=_AGENT,
        plural=re.compile(r"s$"),
        adverb=re.compile(r".mente$"),
        plural_form=re.compile(r"..s$"),
        inclusive=_INCLUSIVE,
        **rules,
    )


class IberianReader(RomanceReader):
    """Base of the readers of Spanish and Portuguese."""

    def singulars(self, low: str) -> Iterable[str]:
        """Yield "atenta" of "atentas", "leitor" of "leitores", "cristão" of "cristãos"."""
        if low.endswith("es"):
            yield low[:-2]
        if low.endswith("s"):
            yield low[:-1]
