"""Predicates and noun phrases of Romance languages: what the words said of the speaker show.

:class:`Phrases` holds the tokens of one stretch of text and reads a predicate or a noun phrase from
a place where another part has found that something is said of the speaker.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from monitor.languages.romance import _romance_words as lex
from monitor.languages.romance._romance_words import Lexicon, Word, WordLists
from monitor.model import Gender

LONGEST_PHRASE = 12  # words of one noun phrase or parenthesis; keeps every scan linear
_END = Word("", lex.STOP)
_FUNCTION = (
    lex.ADVERB | lex.PREPOSITION | lex.COORDINATOR | lex.SUBORDINATOR | lex.DETERMINER
    | lex.PUNCTUATION | lex.COPULA | lex.THIRD | lex.FIRST | lex.OTHER_VERB | lex.ME | lex.EU
    | lex.COMO
)  # fmt: skip
_PLAIN = lex.LATIN | lex.KNOWN | lex.GENDERED | lex.ONE_FORM
_VERBAL = lex.MAYBE_FIRST | lex.ME_VERB | lex.CONTROL | lex.LEAVES  # forms of verbs, participles
_NO_MEMBER = lex.COPULA | lex.OBRIGADO | lex.FIRST | lex.EU

Found = tuple[int, int, Gender, str]


_OPEN = frozenset({Gender.BOTH, Gender.INCLUSIVE})  # genders that leave the choice open


@dataclass(slots=True)
class Opening:
    """The determiners of a noun phrase, and the attribute last passed."""

    first: int = -1
    last: int = -1
    end: int = -1
    gender: Gender | None = None
    attribute: int = -1
    bare: bool = False
    elided: bool = False
    partitive: bool = False

    def suits(self, gender: Gender | None) -> bool:
        """Return whether the article agrees, or is none where none is needed."""
        if self.gender is None:
            return self.bare or self.elided
        return self.gender == gender or self.gender in _OPEN


@dataclass(slots=True)
class Phrases:
    """Reads phrases; `found` are ranges of tokens with the gender and the rule."""

    tokens: Sequence[Word]
    lexicon: Lexicon
    words: WordLists
    found: list[Found] = field(default_factory=list)
    como_due: int = -1  # last token after which "como uma ..." is said of the speaker

    def _word(self, position: int) -> Word:
        return self.tokens[position] if 0 <= position < len(self.tokens) else _END

    def _tags(self, position: int) -> int:
        return self.tokens[position].tags if 0 <= position < len(self.tokens) else lex.STOP

    def _emit(self, start: int, end: int, gender: Gender, rule: str) -> None:
        self.found.append((start, end, gender, rule))

    # --- predicates ----------------------------------------------------------------------------

    def _skip_modifiers(self, i: int) -> int:
        """Past adverbs, "um pouco", "todo" and the like."""
        while i < len(self.tokens):
            word, follows = self.tokens[i], self._word(i + 1)
            if word.key in self.words.one and follows.key in self.words.quantities:
                i += 2
            elif (word.key in self.words.wholly and follows.adjective) or (
                word.tags & lex.ADVERB and word.adjective < lex.HUMAN
            ):
                i += 1
            else:
                break
        return i

    def _predicate(self, i: int, rule: str, level: int, lemma: str = "estar") -> int:
        """Reads one predicate with its coordinated members; returns where it ends."""
        member = level
        while True:
            i = self._skip_modifiers(i)
            end, go_on = self._member(i, rule, member, lemma)
            if not go_on:
                return end
            joined = self._joined(end)
            if joined == end:
                joined = self._past_phrases(end)
                if joined == end:
                    return end
                level = lex.HUMAN
            # A joined word must look like an adjective: it could open a new clause.
            i, member = joined, max(level, lex.SUFFIX)

    def _joined(self, i: int) -> int:
        """Past ", e", "ou", "mas" if a further member of the predicate can follow."""
        start = i
        while self._tags(i) & (lex.COMMA | lex.COORDINATOR | lex.SLASH) and i < start + 2:
            i += 1
        if i == start:
            return i
        word = self._word(self._skip_modifiers(i))
        if word.tags & _NO_MEMBER:
            return start
        joins = word.adjective >= lex.SUFFIX or word.noun == lex.PAIR
        articles = word.key in self.words.one or (word.tags & lex.MARKED and word.determiner)
        return i if joins or articles or self._epicene(word) else start

    def _past_phrases(self, i: int) -> int:
        """Past "da família e" in "sou dependente da família e muito acostumada a ..."."""
        start = i
        for _ in range(2):
            after = self._past_preposition(i)
            if after == i:
                break
            i = after
        joint = i
        while self._tags(joint) & (lex.COMMA | lex.COORDINATOR) and joint < i + 2:
            joint += 1
        if i in {start, joint} or not self._tags(joint - 1) & lex.COORDINATOR:
            return start
        target = self._skip_modifiers(joint)
        word, follows = self._word(target), self._tags(target + 1)
        is_known = word.adjective >= lex.HUMAN and word.gender and not word.tags & _NO_MEMBER
        ends = follows & (lex.PUNCTUATION | lex.PREPOSITION | lex.COORDINATOR | lex.ADVERB)
        return joint if is_known and ends else start

    def _past_preposition(self, i: int) -> int:
        """Past "em negócios", "de pessoas mais fortes"; not past "de um homem feliz"."""
        if not self._tags(i) & lex.PREPOSITION:
            return i
        noun = i + 1
        while self._tags(noun) & lex.DETERMINER and noun < i + 3:
            noun += 1
        word = self._word(noun)
        if word.tags & (_FUNCTION | lex.PEOPLE) or word.noun not in {lex.NO_NOUN, lex.FIXED}:
            return i
        if word.gender and word.adjective > lex.LOOSE:
            return i
        attribute = self._skip_modifiers(noun + 1)
        plural = self._word(attribute)
        if plural.key.endswith("s") and not plural.tags & _FUNCTION:
            return attribute + 1
        return noun + 1

    def _epicene(self, word: Word) -> bool:
        """Return whether an unlisted word can be an adjective of one form: feliz, forte, capaz."""
        if word.noun or word.adjective or word.tags & ~_PLAIN:
            return False
        return word.key[-1:] in self.words.epicene_endings

    def _member(self, i: int, rule: str, level: int, lemma: str) -> tuple[int, bool]:
        word = self._word(i)
        copular = lemma not in self.words.depictive and lemma != "estar"
        superlative = self._word(i + 1).key in self.words.superlative
        if (
            word.tags & lex.DETERMINER
            and word.key not in self.words.not_articles
            and (copular or superlative)
        ):
            return self._phrase(i, "role_noun", bare=False)
        if word.tags & lex.PUNCTUATION:
            return i, False
        if word.noun == lex.PAIR and word.adjective < lex.LISTED:
            return self._phrase(i, "role_noun", bare=True) if copular else (i, False)
        if word.noun in {lex.COMMON, lex.FIXED} and word.adjective < lex.LISTED:
            is_named = copular and word.noun == lex.COMMON
            return (
                self._common(i, Opening(bare=True)) if is_named else (i + 1, word.noun != lex.FIXED)
            )
        # "cresci cercada": a participle after a verb that is no copula by itself.
        depicts = lemma in self.words.depictive and self._participle(word)
        is_said = word.adjective >= level or depicts or self._complemented(i)
        if word.gender and is_said and self._allowed(word):
            return self._adjective_member(i, rule, lemma)
        if word.adjective >= lex.LISTED or self._epicene(word):
            if word.key in self.words.prenominal and self._word(i + 1).noun:
                return self._phrase(i, "role_noun", bare=True)
            return i + 1, True
        return i, False

    def _complemented(self, i: int) -> bool:
        """As in "segura de que", "buena en": an adjective of people with what it needs."""
        complement = self.words.complements.get(self.tokens[i].base)
        return complement is not None and self._word(i + 1).key in complement

    def _participle(self, word: Word) -> bool:
        if word.adjective < lex.SUFFIX:
            return False
        return bool(self.lexicon.endings.participle.search(word.base))

    @staticmethod
    def _allowed(word: Word) -> bool:
        """Unlisted words: no function word, no verb."""
        if word.adjective > lex.SUFFIX:
            return True
        return not word.tags & ~(_PLAIN | _VERBAL | lex.MARKED)

    def _adjective_member(self, i: int, rule: str, lemma: str) -> tuple[int, bool]:
        word, follows = self.tokens[i], self._word(i + 1)
        verb = follows.tags & lex.ME_VERB or follows.key.endswith(self.words.imperfects)
        before_noun = self._noun_follows(follows) and (not verb or bool(follows.noun))
        if word.key in self.words.prenominal and before_noun:
            return self._phrase(i, "role_noun", bare=True)
        ending = self.lexicon.endings.participle
        irregular = word.base in self.words.irregular_participles
        if irregular or ending.search(word.base):
            self.como_due = i + 4
            act = irregular or word.adjective < lex.HUMAN or word.base in self.words.acts
            if lemma == "ser" and act:
                rule = "passive"
        rule = "sozinho" if word.tags & lex.SOZINHO else rule
        return self._adjective(i, rule), True

    def _noun_follows(self, word: Word) -> bool:
        if word.noun:
            return True
        if word.key.endswith(self.words.gerunds):
            return False  # "soy buena escuchando"
        return bool(word.key) and not word.tags & _FUNCTION and not word.adjective

    def _adjective(self, i: int, rule: str) -> int:
        """Emits one word and returns what follows."""
        word = self.tokens[i]
        if word.gender:
            self._emit(i, i + 1, word.gender, rule)
        return i + 1

    # --- noun phrases --------------------------------------------------------------------------

    def _phrase(self, i: int, rule: str, *, bare: bool) -> tuple[int, bool]:
        """Reads "uma boa enfermeira", "o único", "a nova gerente"; (end, whether to go on).

        With `bare`, the phrase needs no article: "sou médica", "boa ouvinte".
        """
        opening = self._opening(i, bare=bare)
        for position in range(opening.end, min(opening.end + LONGEST_PHRASE, len(self.tokens))):
            word = self._singular(position, plural=opening.partitive)
            if word.tags & (lex.ADVERB | lex.DETERMINER) and not word.adjective and not word.noun:
                continue
            if self._epicene(word) and self._word(position + 1).noun:
                continue
            attributive = self._attributive(position, word)
            deciding = word.noun != lex.AGENT and word.key not in self.words.prenominal
            if word.noun and (deciding or not attributive):
                return self._head(position, word, opening, rule)
            if not attributive:
                return self._nominalised(position, word, opening)
            opening.attribute = position
        return opening.end, False

    def _opening(self, i: int, *, bare: bool) -> Opening:
        """Articles and possessives; the first that shows a gender decides."""
        opening = Opening(bare=bare)
        while self._tags(i) & lex.DETERMINER and i < len(self.tokens):
            word = self.tokens[i]
            if word.determiner and not opening.gender:
                opening.first, opening.last, opening.gender = i, i + 1, word.determiner
            opening.elided = opening.elided or word.key in self.words.elided
            i += 1
        opening.partitive = not bare and self._word(i).key in self.words.among
        opening.end = i + opening.partitive
        return opening

    def _singular(self, i: int, *, plural: bool) -> Word:
        word = self._word(i)
        if plural and word.key.endswith("s") and not word.noun:
            return self.lexicon.lookup(self.lexicon.endings.singular(word.key) or word.key)
        return word

    def _attributive(self, i: int, word: Word) -> bool:
        """Return whether the adjective stands before its noun rather than in its place."""
        if not (word.adjective or word.key in self.words.prenominal or word.tags & lex.SELF):
            return False
        follows = self._word(i + 1)
        if word.key in self.words.prenominal:
            return self._noun_follows(follows) or follows.adjective > lex.LOOSE
        if word.noun == lex.NO_NOUN:
            return bool(follows.noun)
        return follows.noun in {lex.PAIR, lex.COMMON, lex.FIXED} and word.adjective >= lex.LISTED

    def _head(self, i: int, word: Word, opening: Opening, rule: str) -> tuple[int, bool]:
        """The noun of a phrase: none, its article or the noun itself tells the gender."""
        gender = opening.gender
        kind = word.key in self.words.kinds and self._tags(i + 1) & lex.PREPOSITION
        if word.noun == lex.FIXED or kind:
            return i + 1, False
        if word.noun == lex.COMMON or opening.partitive:
            return self._common(i, opening)
        if word.noun == lex.AGENT and not opening.suits(word.gender):
            # A word that only looks like an agent: its article must agree.
            return i + 1, False
        if gender in _OPEN:
            self._emit(opening.first, i + 1, gender, rule)
            return i + 1, True
        if word.gender:
            self._emit(i, i + 1, word.gender, rule)
            if gender and gender != word.gender and word.gender not in _OPEN:
                self._emit(opening.first, opening.last, gender, "article")
        return self._attributes(i + 1, word.gender), True

    def _common(self, i: int, opening: Opening) -> tuple[int, bool]:
        """A noun with one form: the article tells, else an attribute."""
        if opening.gender:
            self._emit(opening.first, opening.last, opening.gender, "article")
            return i + 1, True
        near = opening.attribute if opening.attribute >= 0 else i + 1
        word = self._word(near)
        follows = self._tags(near + 1) & (lex.PUNCTUATION | lex.PREPOSITION)
        attribute = word.adjective >= (lex.LOOSE if follows else lex.LISTED)
        if word.gender and (opening.attribute >= 0 or (attribute and self._allowed(word))):
            self._emit(near, near + 1, word.gender, "article")
        return i + 1, True

    def _nominalised(self, i: int, word: Word, opening: Opening) -> tuple[int, bool]:
        """An adjective in a noun's place: "o único que", "a mais velha", "o mesmo"."""
        those = word.key in self.words.after_those and not self._what(i + 1)
        if those and self._word(opening.first).key in self.words.those:
            self._emit(opening.first, opening.last, opening.gender or Gender.BOTH, "article")
            return i, False
        is_named = word.adjective >= lex.SUFFIX or word.key in self.words.like_nouns
        head = i if is_named else opening.attribute
        candidate = self._word(head)
        thing = candidate.key in self.words.things and candidate.adjective < lex.HUMAN
        if head < 0 or not (opening.gender or opening.elided) or thing:
            return i, False
        if head != i and self._noun_follows(word):
            # "um grande problema": an unlisted noun follows the attribute.
            return i, False
        adjectival = candidate.key not in self.words.like_nouns
        if adjectival and self._noun_follows(self._word(head + 1)):
            return head + 1, False  # "el principal sostén"
        if candidate.gender and opening.suits(candidate.gender):
            self._emit(head, head + 1, opening.gender or candidate.gender, "article")
            return head + 1, True
        if not opening.gender:
            return head + 1, False
        if candidate.key in self.words.like_nouns or (
            not candidate.gender and candidate.adjective >= lex.LISTED
        ):
            self._emit(opening.first, opening.last, opening.gender, "article")
        return head + 1, False

    def _what(self, i: int) -> bool:
        """As in "sou o que sou", "soc el que penses": "what" rather than "the one who"."""
        persons = lex.EU | lex.FIRST | lex.MAYBE_FIRST | lex.OTHER | lex.COPULA
        return self.words.what and (self._unsaid() or bool(self._tags(i) & persons))

    def _unsaid(self) -> bool:
        """Return whether nobody says "I" in the clause, as in "sigui el que passi"."""
        return False

    def _attributes(self, i: int, gender: Gender | None) -> int:
        """Past adjectives that repeat the gender of their noun: "mãe orgulhosa"."""
        for _ in range(3):
            after = self._skip_modifiers(i)
            word = self._word(after)
            if word.adjective >= lex.SUFFIX and word.gender == gender:
                i = after + 1
            else:
                if word.adjective >= lex.HUMAN and word.gender and gender:
                    self._emit(after, after + 1, word.gender, "attribute")
                break
        return i
