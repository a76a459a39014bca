"""Clitics of Spanish and Catalan that climb or cling, and "alone" as an adjective."""

from collections.abc import Set as AbstractSet
from typing import ClassVar

from monitor.languages.romance import _romance_tags as lex
from monitor.languages.romance._romance_clause import NO, SOMEBODY, SURE
from monitor.languages.romance._romance_reader import Reader
from monitor.languages.romance._romance_tags import Word
from monitor.model import Gender

_CLIMB = 5  # words between a clitic and the verb it belongs to
_NEAR = 4  # words of a noun phrase before its last adjective


class ClimbingReader(Reader):
    """The reader of a language whose clitics stand before auxiliaries or inside the verb."""

    __slots__ = ()
    ages: ClassVar[AbstractSet[str]] = frozenset()
    age_openers: ClassVar[AbstractSet[str]] = frozenset()
    reflexive: ClassVar[AbstractSet[str]] = frozenset()  # copulas that take "me"
    indefinite: ClassVar[AbstractSet[str]] = frozenset()

    def _me_beside(self, i: int) -> bool:
        """Return whether "me" belongs to the verb: "me siento", "me he sentido", "sentirme"."""
        if self.tokens[i].tags & lex.ENCLITIC or self._tags(i + 1) & lex.ME:
            return True
        for back in range(i - 1, max(i - 1 - _CLIMB, -1), -1):
            tags = self.tokens[back].tags
            if tags & lex.ME:
                return True
            if not tags & lex.AUXILIARY:
                return False
        return False

    def _not_a_verb(self, i: int) -> bool:
        """No verb in "un ser humano", "el estado"; none of the speaker's in "me era difícil"."""
        word, before = self.tokens[i], self._tags(i - 1)
        if word.tags & lex.ADVERB:
            return True
        nominal = before & lex.DETERMINER and not before & (lex.CLITIC | lex.PREPOSITION)
        if word.person in "IP" and nominal:
            return True
        if word.copula in self.words.working and before & lex.DETERMINER:
            return True  # "porque el trabajo era aburrido"
        if word.person == "1" or word.copula in self.reflexive:
            return False
        return self._me_beside(i)

    def _as_what(self, i: int) -> int:
        """Past the "a" of "com a mare", "como a una niña"."""
        return i + 1 + (self._word(i + 1).key == "a")

    def _detached(self, i: int) -> bool:
        """Besides: "de niña, era tímida", only words for ages, and only around a clause."""
        word = self.tokens[i]
        if word.key not in self.ages or self._word(i - 1).key not in self.age_openers:
            return super()._detached(i)
        follows = self._tags(i + 1)
        opens = i == 1 or self._tags(i - 2) & (lex.PUNCTUATION | lex.SUBORDINATOR)
        around = lex.PUNCTUATION | lex.EU | lex.FIRST | lex.COPULA | lex.ME
        if not (follows & lex.STOP or (opens and follows & around)) or not self._speaks():
            return False
        self._emit(i, i + 1, word.gender or Gender.BOTH, "fronted")
        return True

    def _infinite_verdict(self, word: Word, i: int) -> int:
        """Besides: "siendo madre es difícil" is about anybody."""
        opens = i == 0 or self._tags(i - 1) & lex.PUNCTUATION
        if word.person == "G" and opens and self._next_clause(i) < 0:
            self.clause.subject = SOMEBODY
            return NO
        return super()._infinite_verdict(word, i)

    def _bare_infinitive(self, word: Word, i: int) -> int:
        """Besides: the speaker's in "tengo que estar preparada"."""
        if self._word(i - 1).key in self.words.that and self._tags(i - 2) & lex.FIRST:
            return SURE
        return super()._bare_infinitive(word, i)

    def _speaker_starts(self, i: int) -> bool:
        return super()._speaker_starts(i) or (i >= 0 and self._verb_in_o(i))

    def _subjectless(self, i: int) -> bool:
        return self._verb_in_o(i) or super()._subjectless(i)

    def _verb_in_o(self, i: int) -> bool:
        """An unlisted verb, as in "como médica, soluciono problemas"."""
        word = self._word(self._skip_modifiers(i))
        if word.noun or word.adjective >= lex.SUFFIX or word.tags & lex.DETERMINER:
            return False
        return word.key.endswith("o") and not self.others

    def _stands_alone(self, i: int) -> bool:
        """Not the adjective of a noun: "una página sola", "una crítica negativa sola"."""
        return not (self._tags(i - 1) & lex.PREPOSITION or self._of_a_noun(i))

    def _of_a_noun(self, i: int) -> bool:
        word = self.tokens[i]
        if self._tags(i - 1) & lex.TIME:
            return False  # "un mes solo en la selva"
        for back in range(i - 1, max(i - 1 - _NEAR, -1), -1):
            before = self.tokens[back]
            if before.key in self.indefinite and before.determiner:
                return back < i - 1 and before.determiner == word.gender
            if before.tags & (lex.PUNCTUATION | lex.COPULA | lex.FIRST | lex.ME | lex.PREPOSITION):
                return False
        return False
