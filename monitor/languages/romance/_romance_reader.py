"""The Romance reader: where in a text something is said of the speaker, and what its signal is."""

import re
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import ClassVar

from monitor.languages._pairs import join_pairs, make_signal, said_twice, without_ends
from monitor.languages._plain_text import NO_CUE, PlainTextReader, Script
from monitor.languages._speech import outside_and_inside
from monitor.languages.romance import _romance_words as lex
from monitor.languages.romance._romance_clause import (
    LONGEST_PHRASE,
    NO,
    SOMEBODY,
    SPEAKER,
    SURE,
    WEAK,
    Clauses,
    Found,
)
from monitor.languages.romance._romance_words import Lexicon, Word
from monitor.model import Cue, Gender, GenderClass, Signal

_ACTIVE = ~(
    lex.LATIN | lex.KNOWN | lex.ONE_FORM | lex.MAYBE_FIRST | lex.FIRST | lex.OTHER_VERB | lex.ADVERB
)
_FUNCTIONAL = (
    lex.DETERMINER | lex.PREPOSITION | lex.SUBORDINATOR | lex.COORDINATOR | lex.OTHER_VERB
    | lex.COPULA | lex.THIRD | lex.OTHER | lex.CLITIC | lex.COMO | lex.ADVERB
)  # fmt: skip
_AROUND = lex.PUNCTUATION | lex.PREPOSITION | lex.ADVERB | lex.COORDINATOR | lex.SUBORDINATOR
BECOME = "become"  # the lemma of a copula that takes nouns as well as adjectives
_BOUNDARIES = lex.PUNCTUATION | lex.SUBORDINATOR | lex.COORDINATOR


@dataclass(slots=True)
class Reader(Clauses):
    """Reads one stretch of text."""

    def read(self) -> list[Found]:
        """Every place where the text shows the speaker's gender, in order."""
        tokens, step, after = self.tokens, self._step, 0
        for i, word in enumerate(tokens):
            # Once the verb is past, most words neither change the clause nor show anything.
            if i >= after and (word.tags & _ACTIVE or self.clause.verb_due):
                after = step(i)
        return self.found

    def _step(self, i: int) -> int:
        tags = self.tokens[i].tags
        if not tags & _TELLING:
            self._track(i)
            return i + 1
        if tags & lex.WHEN and self._when(i):
            return i + 2
        if tags & _BOUNDARIES:
            return self._boundary(i)
        if tags & _HANDLED:
            if tags & lex.GENDERED and self._depictive(i):
                return i + 1  # "pasé la noche despierto"
            for tag, handler in _HANDLERS:
                if tags & tag:
                    after = handler(self, i)
                    if after > i:
                        return after
        if tags & lex.GENDERED and (self._fronted(i) or self._detached(i) or self._depictive(i)):
            return i + 1
        self._track(i)
        return i + 1

    # --- handlers ------------------------------------------------------------------------------

    def on_eu(self, i: int) -> int:
        self.clause.subject, self.clause.verb_due = SPEAKER, True
        self.clause.noun_phrase = False
        follows = self._word(i + 1)
        if follows.tags & lex.COMMA:
            return self._apposition(i + 2)
        if follows.person in {"1", "A"} and follows.tags & lex.COPULA:
            self._inverted(i - 1)
        return i + 1

    def _inverted(self, i: int) -> None:
        """As in "tão perturbada eu estava que ...": the predicate stands before "eu"."""
        word, before = self._word(i), self._word(i - 1)
        if word.adjective < lex.HUMAN or not word.gender or word.tags & lex.OBRIGADO:
            return
        if before.key in self.words.so:
            self._emit(i, i + 1, word.gender, "fronted")

    def _apposition(self, i: int) -> int:
        """As in "Eu, uma mulher orgulhosa, ..." and "Eu, cansada, ...": from after the comma."""
        self._boundary(i - 1)
        first = self._word(i)
        if first.tags & lex.DETERMINER or first.noun == lex.PAIR:
            return i if self._list(i) else self._phrase(i, "appositive", bare=False)[0]
        if first.adjective >= lex.HUMAN and first.gender:
            return self._predicate(i, "appositive", lex.HUMAN)
        return i

    def _list(self, i: int) -> bool:
        """As in "eu, o médico e a enfermeira ...": several people; or "eu, o chefe mandou"."""
        verbs = lex.OTHER_VERB | lex.THIRD | lex.ME | lex.STOP
        for position in range(i, min(i + LONGEST_PHRASE, len(self.tokens))):
            tags = self._tags(position)
            if tags & (lex.COMMA | lex.COORDINATOR):
                return self._several(position + 1, joined=bool(tags & lex.COORDINATOR))
            if tags & lex.SUBORDINATOR:
                return False
            if tags & verbs and position > i + 1:
                return True
        return True

    def _several(self, i: int, *, joined: bool) -> bool:
        """Return whether a second person stands here rather than a clause."""
        word = self._word(i)
        if word.tags & (lex.OTHER | lex.COORDINATOR):
            return True
        follows = self._word(i + 1)
        people = follows.noun in {lex.PAIR, lex.COMMON} or bool(follows.tags & lex.PEOPLE)
        return bool(word.tags & lex.DETERMINER) and (joined or people)

    def on_copula(self, i: int) -> int:
        word, clause = self.tokens[i], self.clause
        if self._not_a_verb(i):
            return i
        verdict = self._verdict(word, i)
        if word.person in "1A":
            clause.verb_due = False
            if word.person == "1":
                clause.subject = SPEAKER
        elif word.person == "3":
            clause.subject, clause.verb_due = SOMEBODY, False
        self.clause.noun_phrase = clause.noun_phrase and word.person != "1"
        if verdict == NO:
            return i + 1
        self._degree(i)
        return self._after_copula(i + 1, word.copula, verdict)

    def _degree(self, i: int) -> None:
        """As in "lo estricta que soy": the predicate stands before the verb."""
        i -= bool(self._tags(i - 1) & lex.EU)
        if self._tags(i - 1) & lex.SUBORDINATOR and self._how(i - 2):
            self._adjective(i - 2, "copula_adjective")

    def _after_copula(self, i: int, lemma: str, verdict: int) -> int:
        rule = "copula_adjective"
        if self._tags(i) & (lex.ME | lex.EU):
            i += 1  # "levanto-me", "suis-je"
        if lemma in self.words.working:
            return self._working(i)
        level = lex.LOOSE
        if lemma in self.words.depictive or lemma in self.words.becoming_nouns:
            level = lex.HUMAN
        if lemma in self.words.likening:
            self.como_due, level = i + 4, lex.LISTED
        if verdict == WEAK and lemma not in self.words.likening:
            level = lex.HUMAN
        if lemma in self.words.depictive:
            i = self._past_place(i)
        return self._predicate(i, rule, level, lemma)

    def _past_place(self, i: int) -> int:
        """Past one "em casa", "ao hotel", "da escola": "cheguei em casa cansada"."""
        place = i + 1 + bool(self._tags(i + 1) & lex.DETERMINER)
        if not self._tags(i) & lex.PREPOSITION or not self._noun_follows(self._word(place)):
            return i
        if self._word(i + 1).key in self.words.one:
            return i  # "me deito em uma cama perfumada"
        after = self._word(place + 1)
        return place + 1 if after.adjective >= lex.HUMAN or self._participle(after) else i

    def _working(self, i: int) -> int:
        self.como_due = i + 4
        role = self._word(i).key in self.words.role_prepositions
        if role and self._word(i + 1).noun == lex.PAIR:
            return self._phrase(i + 1, "role_noun", bare=True)[0]
        return i

    def on_me_verb(self, i: int) -> int:
        """Verbs that say something of "me": "me sinto", "me deixou", "me chamam de"."""
        word = self.tokens[i]
        lemma = word.me_lemma
        is_beside = self._me_beside(i)
        if not is_beside and not (lemma == "sentir" and self.clause.me):
            return i
        if self._tags(i - 1) & lex.ME and self._tags(i - 2) & lex.PREPOSITION and not is_beside:
            return i
        self._track(i)
        self.clause.me = True
        start = i + 1
        if self._tags(start) & lex.ME:
            start += 1
        start = self._skip_modifiers(start)
        opener = self._word(start)
        if opener.tags & lex.COMO and lemma in self.words.me_como:
            return self._after_como(self._as_what(start), self._me_rule(lemma))
        if opener.key == "de" and lemma in self.words.me_de:
            return self._predicate(start + 1, "called_me", lex.SUFFIX, BECOME)
        if opener.key in {"en", "a"} and lemma in self.words.me_in:
            return self._predicate(start + 1, self._me_rule(lemma), lex.LISTED, BECOME)
        if lemma not in self.words.me_bare or opener.person in {"I", "G", "P"}:
            self.como_due = start + 4
            return start
        level = lex.LISTED if lemma in self.words.me_strict else lex.LOOSE
        if level == lex.LISTED and self._participle(self._word(start)):
            level = lex.SUFFIX
        role = BECOME if lemma not in self.words.me_strict or lemma == self.words.make else "estar"
        return self._predicate(start, self._me_rule(lemma), level, role)

    def _me_rule(self, lemma: str) -> str:
        if lemma in self.words.making and self.clause.subject != SPEAKER:
            return "made_me"
        if lemma == "sentir" or self.clause.subject == SPEAKER:
            return "copula_adjective"
        return "called_me" if lemma in self.words.judging else "made_me"

    def _after_como(self, i: int, rule: str) -> int:
        if self._tags(i) & lex.DETERMINER or self._word(i).noun:
            return self._phrase(i, "role_noun", bare=True)[0]
        return self._predicate(i, rule, lex.LISTED, "estar")

    def on_obrigado(self, i: int) -> int:
        gender = self.tokens[i].gender
        before = self._tags(i - 1)
        if not gender or not self._speaks() or before & (lex.DETERMINER | lex.PREPOSITION):
            return i
        return self._adjective(i, "obrigado")

    def on_sozinho(self, i: int) -> int:
        clause, before = self.clause, self._before_alone(i)
        if not self.tokens[i].gender or not self._stands_alone(i):
            return i
        if clause.leaves and not clause.me:
            return i
        if before.noun and self._tags(i - 2) & lex.DETERMINER and before.gender:
            return i
        if before.tags & lex.DETERMINER and not before.tags & lex.PREPOSITION:
            return i
        infinitive = self._infinitive(before)
        is_mine = clause.subject != SOMEBODY or infinitive
        if clause.me_carried and not clause.verb_due:
            # "me gusta cenar y viajar sola", not "me besó y se fue sola".
            is_mine = clause.subject != SOMEBODY and infinitive
        if self._speaks() or (clause.me and is_mine):
            return self._adjective(i, "sozinho")
        return i

    def _before_alone(self, i: int) -> Word:
        """The word that "alone" may belong to."""
        return self._word(i - 1)

    def _infinitive(self, word: Word) -> bool:
        """Return whether the word is the infinitive of "me gusta cenar sola"."""
        return word.key.endswith(self.words.infinitives) and not word.noun

    def _stands_alone(self, _at: int) -> bool:
        """Return whether "alone" can be that here; in some languages it has other meanings."""
        return True

    def on_self(self, i: int) -> int:
        """As in "eu mesma", "mim mesmo", "comigo própria"; not "eu mesmo assim"."""
        before, gender = self._tags(i - 1), self.tokens[i].gender
        if not gender or not before & (lex.EU | lex.TO_ME):
            return i
        if before & lex.EU and self._word(i + 1).key in self.words.not_after_self:
            return i
        return self._adjective(i, "mesmo")

    def on_como(self, i: int) -> int:
        """As in "trabalho como enfermeira"; "Como médica, eu ..."; not "como minha mãe"."""
        noun_at = self._as_what(i)
        first = self._word(noun_at)
        if self._word(i - 1).key in self.words.not_before_as or first.tags & lex.EU:
            return i
        if self._word(said := noun_at + bool(first.tags & lex.DETERMINER)).key in self.words.sexes:
            return said + 1  # "Como mulher, ...": says who speaks, and agrees with nothing
        return self._as_noun(i, noun_at)

    def _as_noun(self, i: int, noun_at: int) -> int:
        """Reads what somebody is or works as."""
        clause, first = self.clause, self._word(noun_at)
        fronted = clause.verb_due and not clause.subject and not clause.noun_phrase
        article = bool(first.tags & lex.DETERMINER) and first.key in self.words.articles
        if fronted and (article or first.noun or first.adjective):
            return self._fronted_como(i)
        if first.adjective >= lex.LISTED and i <= self.como_due and first.noun == lex.NO_NOUN:
            return self._predicate(noun_at, "copula_adjective", lex.LISTED)
        due = i <= self.como_due or self._word(i - 1).key in self.words.posts
        due = due or (article and self._manner(i, noun_at))
        if not (due if article else first.noun or self._word(noun_at + 1).noun):
            return i
        if first.tags & lex.DETERMINER and not article:
            return i
        if clause.leaves and not clause.me:
            return i
        if self._speaks() or clause.me:
            return self._phrase(noun_at, "role_noun", bare=True)[0]
        return i

    def _manner(self, i: int, noun_at: int) -> bool:
        """As in "lo arreglé como una profesional", "agir como um idiota": what somebody acts as."""
        before, noun = self._word(i - 1), self._word(noun_at + 1)
        verb = before.tags & lex.FIRST or before.key.endswith(self.words.infinitives)
        verb = verb or (self._participle(before) and self._word(i - 2).key in self.words.having)
        is_mine = self.clause.subject == SPEAKER and not self.others
        return noun.noun == lex.COMMON and bool(verb) and is_mine

    def _as_what(self, i: int) -> int:
        """Return where the noun phrase after "as" starts."""
        return i + 1

    def _fronted_como(self, i: int) -> int:
        after = self._next_clause(i)
        if after < 0 or not (self._speaker_starts(after) or self._subjectless(after)):
            return i
        return self._phrase(self._as_what(i), "role_noun", bare=True)[0]

    def _when(self, i: int) -> bool:
        """As in "Quando pequena, eu ...", "desde menino": whether one starts here."""
        word = self._word(i + 1)
        if not word.gender or not (word.adjective >= lex.LISTED or word.noun == lex.PAIR):
            return False
        follows = lex.PUNCTUATION | lex.EU | lex.FIRST | lex.COPULA | lex.ME | lex.PREPOSITION
        if not self._tags(i + 2) & follows:
            return False
        if not self._speaks() or (
            word.adjective < lex.HUMAN
            and word.key[:6] != self.words.small
            and word.noun != lex.PAIR
        ):
            return False
        self._emit(i + 1, i + 2, word.gender, "fronted")
        return True

    # --- fronted and detached predicates -------------------------------------------------------

    def _fronted(self, i: int) -> bool:
        """As in "Cansada, eu fui para casa": an adjective that opens the sentence."""
        word = self.tokens[i]
        if not word.gender or not (i == 0 or self._tags(i - 1) & lex.STOP):
            return False
        if word.adjective < lex.SUFFIX and word.noun != lex.PAIR:
            return False
        if word.key in self.words.not_fronted or word.tags & lex.OBRIGADO:
            return False
        follows = self._tags(i + 1)
        if follows & lex.COMO:
            # "Cansada como eu estava, ...", not "tirada como está".
            if not self._tags(i + 2) & lex.EU:
                return False
        elif not follows & (lex.COMMA | lex.PREPOSITION | lex.ADVERB | lex.COORDINATOR):
            return False
        after = self._next_clause(i)
        if after < 0 or not (
            self._speaker_starts(after)
            or (word.adjective >= lex.HUMAN and self._shared_verb(after))
        ):
            return False
        self._adjective(i, "fronted")
        return True

    def _shared_verb(self, i: int) -> bool:
        """As in "..., logo os estava dando": no subject; not "era", which needs none."""
        i = self._skip_modifiers(i)
        if self._tags(i) & (lex.CLITIC | lex.DETERMINER) and self._word(i + 1).person == "A":
            i += 1
        return self._subjectless(i) and self._word(i).copula not in self.words.impersonal

    def _detached(self, i: int) -> bool:
        """As in "Voltei para casa, cansada e triste": an adjective said of people after a comma."""
        word = self.tokens[i]
        if not word.gender or word.adjective < lex.LISTED:
            return False
        if word.tags & (lex.OBRIGADO | lex.SOZINHO):
            return False
        comma = i - 1
        while comma > i - 3 and self._tags(comma) & lex.ADVERB:
            comma -= 1
        if not self._tags(comma) & lex.COMMA:
            return False
        # No noun before the comma that it could be said of: "fiquei chorando, perdida".
        no_noun = self._no_noun_before(comma)
        if not no_noun and (word.adjective < lex.HUMAN or comma < i - 1):
            return False
        outright = no_noun and self._word(comma - 2).person == "1"
        if self.clause.carried != SPEAKER or (self.others and not outright):
            return False
        follows = lex.STOP | lex.COORDINATOR | lex.PREPOSITION | lex.COMMA
        if word.adjective >= lex.HUMAN and self._participle(word):
            # "convaincue que", "hotărâtă să", not "sabia que"
            follows |= lex.SUBORDINATOR | lex.ADVERB
        if not self._tags(i + 1) & follows:
            return False
        self._adjective(i, "appositive")
        return True

    def _depictive(self, i: int) -> bool:
        """As in "voy a las reuniones vestida", "nunca iria trabalhar bêbado": how somebody acts.

        The adjective is said of people, the clause is the speaker's, and no noun before it agrees
        with it: a verb, a time or a plural noun does not.
        """
        word, clause = self.tokens[i], self.clause
        if word.adjective < lex.HUMAN or not word.gender or word.noun == lex.PAIR:
            return False
        if word.key in self.words.not_manner or word.tags & lex.SOZINHO:
            return False
        if clause.leaves or clause.verb_due or clause.subject == SOMEBODY or not self._speaks():
            return False
        if clause.object_control and not clause.me:
            return False
        if not self._tags(i + 1) & _AROUND or word.tags & lex.OBRIGADO:
            return False
        if not self._said_of_no_noun(i):
            return False
        self._adjective(i, "depictive")
        return True

    def _said_of_no_noun(self, i: int) -> bool:
        """Return whether the words before do not take the adjective here."""
        before, always = i - 1, False
        while before > i - 4 and self._tags(before) & lex.ADVERB:
            always = always or self._word(before).key in self.words.always
            before -= 1
        tense = self._word(before).key in self.words.having  # "ho sempre desiderato"
        if always and not tense and self.clause.subject == SPEAKER:
            return True  # "vengo al trabajo siempre preparada"
        return self._bears_no_adjective(before, near=before == i - 1)

    def _bears_no_adjective(self, i: int, *, near: bool) -> bool:
        """Return whether the word here is a verb of the speaker, a time or a plural noun."""
        word = self._word(i)
        if word.key in self.words.having:
            return False  # "me he esforzado" is a tense
        if self._participle(word) and self._word(i - 1).key in self.words.having:
            return self.clause.subject == SPEAKER  # "j'ai nagé nue"
        article = self._word(i - 1)
        if word.tags & lex.TIME and (article.determiner or article.tags & lex.TIME):
            definite = article.key not in self.words.one  # "una noche tranquila"
            return near and definite and self.clause.subject == SPEAKER
        if article.tags & lex.DETERMINER and not word.key.endswith("s"):
            return False  # "el trabajo"
        if word.tags & (lex.FIRST | lex.ENCLITIC) or word.person in {"1", "I"}:
            return True
        if word.tags & _FUNCTIONAL or not word.tags & lex.LATIN:
            return False
        if word.key.endswith(self.words.infinitives):
            return not word.noun and not word.adjective
        plural = word.key.endswith("s")
        return plural and not word.adjective and self.clause.subject == SPEAKER

    def _no_noun_before(self, i: int) -> bool:
        """Return whether "ficar chorando" or "ficar em silêncio" stands before."""
        if self._word(i - 1).key.endswith(self.words.gerunds):
            return bool(self._tags(i - 2) & lex.COPULA)
        bare = self._word(i - 2).key in self.words.into
        return bare and bool(self._tags(i - 3) & lex.COPULA)


_HANDLERS: tuple[tuple[int, Callable[[Reader, int], int]], ...] = (
    (lex.EU, Reader.on_eu),
    (lex.ME_VERB, Reader.on_me_verb),
    (lex.COPULA | lex.THIRD, Reader.on_copula),
    (lex.OBRIGADO, Reader.on_obrigado),
    (lex.SOZINHO, Reader.on_sozinho),
    (lex.SELF, Reader.on_self),
    (lex.COMO, Reader.on_como),
)
_HANDLED = (
    lex.EU | lex.ME_VERB | lex.COPULA | lex.THIRD | lex.OBRIGADO | lex.SOZINHO | lex.SELF | lex.COMO
)  # fmt: skip
#: All other words only say something of their clause.
_TELLING = lex.WHEN | _BOUNDARIES | _HANDLED | lex.GENDERED


# --- climbing clitics ----------------------------------------------------------------------------

_CLIMB = 5  # words between a clitic and the verb it belongs to
_NEAR = 4  # words of a noun phrase before its last adjective


class ClimbingReader(Reader):
    """The reader of a language whose clitics stand before auxiliaries or inside the verb."""

    __slots__ = ()
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
        if word.key not in self.words.ages or self._word(i - 1).key not in self.words.age_openers:
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


# --- texts ---------------------------------------------------------------------------------------

# A text with none of these has no place where a gender could be read: "me" makes a verb of the
# second group count, a comma an adjective or a noun for a person.
_TRIGGERS = lex.COPULA | lex.OBRIGADO | lex.SOZINHO | lex.COMO | lex.WHEN


def _promising(tags: int) -> bool:
    """Return whether a text with these tags, taken together, can hold a witness."""
    if tags & _TRIGGERS or (tags & lex.ME_VERB and tags & (lex.ME | lex.ENCLITIC)):
        return True
    if tags & lex.SELF and tags & (lex.EU | lex.TO_ME):
        return True
    if tags & lex.GENDERED and tags & (lex.FIRST | lex.MAYBE_FIRST | lex.EU | lex.ME):
        return True
    apposition = tags & lex.ONE_FORM and tags & lex.EU
    return bool(tags & lex.COMMA and (tags & lex.GENDERED or apposition))


def _own(tokens: list[Word], share: float) -> bool:
    """Return whether the function words are the language's rather than those of another one.

    Neighbours share many words; only those of one of them count. Without any, more than `share`
    of the words must be known ones or have an ending of the language.
    """
    score = sum([word.language for word in tokens])
    if score:
        return score > 0
    n_known = sum([word.tags & lex.KNOWN > 0 for word in tokens])
    return n_known > share * sum([word.tags & lex.LATIN > 0 for word in tokens])


def _somebody_says(tokens: list[Word], at: Sequence[int]) -> bool:
    """Return whether the words at these positions report what another says."""
    tags = 0
    for i in at:
        if tokens[i].tags & (lex.COORDINATOR | lex.SUBORDINATOR):
            if tags & lex.SAYING:
                break
            tags = 0
        tags |= tokens[i].tags | (lex.FIRST if tokens[i].person == "1" else 0)
    return bool(tags & lex.SAYING and not tags & (lex.EU | lex.FIRST))


@dataclass
class RomanceLanguage(PlainTextReader):
    """The gender of the first person in text of one Romance language, from agreement."""

    code: str
    name: str
    version: int
    token: re.Pattern[str]
    lexicon: Lexicon
    reader: type[Reader]
    share: float  # of known words where no function word tells the language
    cues = frozenset({Cue.AGREEMENT, Cue.QUOTED})
    _script = Script.LATIN
    nouns = True  # a profession often is the only word that shows the speaker's gender

    def __post_init__(self) -> None:
        self.lists = self.lexicon.words

    def _signal(self, text: str, cue: Cue) -> Signal:
        if not text.strip():
            return Signal(GenderClass.UNIDENTIFIED, rule="empty")
        lookup = self.lexicon.lookup
        surfaces: list[str] = self.token.findall(text)
        tokens = [lookup(surface) for surface in surfaces]
        if not _own(tokens, self.share):
            return Signal(GenderClass.UNIDENTIFIED, rule=f"not_{self.name.lower()}")
        tags = 0
        for word in tokens:
            tags |= word.tags
        if not _promising(tags) or (
            cue is Cue.QUOTED and not tags & (lex.QUOTE | lex.COLON | lex.BREAK)
        ):
            return NO_CUE
        findings = self._found(surfaces, tokens, tags, cue)
        if not findings:
            return NO_CUE
        twice = tags & (lex.SLASH | lex.OR) and said_twice(
            [(first, gender) for first, _, gender, _ in findings],
            lambda i: bool(tokens[i].tags & (lex.SLASH | lex.OR)),
            lambda i, j: self.lexicon.both(surfaces[i], surfaces[j]) is not None,
        )
        last = [(first, end - 1, gender, rule) for first, end, gender, rule in findings]
        return make_signal(text, surfaces, last, twice=bool(twice))

    def _found(self, surfaces: list[str], tokens: list[Word], tags: int, cue: Cue) -> list[Found]:
        """Return the witnesses in the parts that the cue asks for, as places in the whole."""
        is_quoting = tags & lex.QUOTE or (tags & lex.SAYING and tags & lex.BREAK)
        is_paired = tags & (lex.SLASH | lex.OR | lex.BRACKET)
        if cue is Cue.AGREEMENT and not is_quoting and not is_paired:
            return self._read(tokens)
        parts = [list(range(len(tokens)))] if cue is Cue.AGREEMENT else []
        if is_quoting:
            outside, inside = outside_and_inside(surfaces, lambda i: _somebody_says(tokens, i))
            parts = inside if cue is Cue.QUOTED else [outside]
        ends: dict[int, int] = {}
        if is_paired:
            is_or = [bool(word.tags & lex.OR) for word in tokens]
            pairs = join_pairs(surfaces, is_or.__getitem__, self.lexicon.both)
            for start, (end, joined) in pairs.items():
                tokens[start], ends[start] = joined, end
            parts = without_ends(parts, ends)
        return [
            (part[first], ends.get(part[end - 1], part[end - 1]) + 1, gender, rule)
            for part in parts
            for first, end, gender, rule in self._read([tokens[i] for i in part])
        ]

    def _read(self, tokens: list[Word]) -> list[Found]:
        return self.reader(tokens, self.lexicon, self.lexicon.words).read()
