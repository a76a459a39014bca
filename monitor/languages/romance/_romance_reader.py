"""The Romance reader: where in a text something is said of the speaker."""

from collections.abc import Callable
from dataclasses import dataclass

from monitor.languages.romance import _romance_tags as lex
from monitor.languages.romance._romance_clause import NO, SOMEBODY, SPEAKER, WEAK, Clauses
from monitor.languages.romance._romance_phrase import LONGEST_PHRASE, Found
from monitor.languages.romance._romance_tags import Word

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
        for at, word in enumerate(tokens):
            # Once the verb is past, most words neither change the clause nor show anything.
            if at >= after and (word.tags & _ACTIVE or self.clause.verb_due):
                after = step(at)
        return self.found

    def _step(self, at: int) -> int:
        tags = self.tokens[at].tags
        if not tags & _TELLING:
            self._track(at)
            return at + 1
        if tags & lex.WHEN and self._when(at):
            return at + 2
        if tags & _BOUNDARIES:
            return self._boundary(at)
        if tags & _HANDLED:
            if tags & lex.GENDERED and self._depictive(at):
                return at + 1  # "pasé la noche despierto"
            for tag, handler in _HANDLERS:
                if tags & tag:
                    after = handler(self, at)
                    if after > at:
                        return after
        if tags & lex.GENDERED and (self._fronted(at) or self._detached(at) or self._depictive(at)):
            return at + 1
        self._track(at)
        return at + 1

    # --- handlers ------------------------------------------------------------------------------

    def on_eu(self, at: int) -> int:
        self.clause.subject, self.clause.verb_due = SPEAKER, True
        self.clause.noun_phrase = False
        follows = self._word(at + 1)
        if follows.tags & lex.COMMA:
            return self._apposition(at + 2)
        if follows.person in {"1", "A"} and follows.tags & lex.COPULA:
            self._inverted(at - 1)
        return at + 1

    def _inverted(self, at: int) -> None:
        """As in "tão perturbada eu estava que ...": the predicate stands before "eu"."""
        word, before = self._word(at), self._word(at - 1)
        if word.adjective < lex.HUMAN or not word.gender or word.tags & lex.OBRIGADO:
            return
        if before.key in self.words.SO:
            self._emit(at, at + 1, word.gender, "fronted")

    def _apposition(self, at: int) -> int:
        """As in "Eu, uma mulher orgulhosa, ..." and "Eu, cansada, ...": from after the comma."""
        self._boundary(at - 1)
        first = self._word(at)
        if first.tags & lex.DETERMINER or first.noun == lex.PAIR:
            return at if self._list(at) else self._phrase(at, "appositive", bare=False)[0]
        if first.adjective >= lex.HUMAN and first.gender:
            return self._predicate(at, "appositive", lex.HUMAN)
        return at

    def _list(self, at: int) -> bool:
        """As in "eu, o médico e a enfermeira ...": several people; or "eu, o chefe mandou"."""
        verbs = lex.OTHER_VERB | lex.THIRD | lex.ME | lex.STOP
        for position in range(at, min(at + LONGEST_PHRASE, len(self.tokens))):
            tags = self._tags(position)
            if tags & (lex.COMMA | lex.COORDINATOR):
                return self._several(position + 1, joined=bool(tags & lex.COORDINATOR))
            if tags & lex.SUBORDINATOR:
                return False
            if tags & verbs and position > at + 1:
                return True
        return True

    def _several(self, at: int, *, joined: bool) -> bool:
        """Return whether a second person stands here rather than a clause."""
        word = self._word(at)
        if word.tags & (lex.OTHER | lex.COORDINATOR):
            return True
        follows = self._word(at + 1)
        people = follows.noun in {lex.PAIR, lex.COMMON} or bool(follows.tags & lex.PEOPLE)
        return bool(word.tags & lex.DETERMINER) and (joined or people)

    def on_copula(self, at: int) -> int:
        word, clause = self.tokens[at], self.clause
        if self._not_a_verb(at):
            return at
        verdict = self._verdict(word, at)
        if word.person in "1A":
            clause.verb_due = False
            if word.person == "1":
                clause.subject = SPEAKER
        elif word.person == "3":
            clause.subject, clause.verb_due = SOMEBODY, False
        self.clause.noun_phrase = clause.noun_phrase and word.person != "1"
        if verdict == NO:
            return at + 1
        self._degree(at)
        return self._after_copula(at + 1, word.copula, verdict)

    def _degree(self, at: int) -> None:
        """As in "lo estricta que soy": the predicate stands before the verb."""
        at -= bool(self._tags(at - 1) & lex.EU)
        if self._tags(at - 1) & lex.SUBORDINATOR and self._how(at - 2):
            self._adjective(at - 2, "copula_adjective")

    def _after_copula(self, at: int, lemma: str, verdict: int) -> int:
        rule = "copula_adjective"
        if self._tags(at) & (lex.ME | lex.EU):
            at += 1  # "levanto-me", "suis-je"
        if lemma in self.words.WORKING:
            return self._working(at)
        level = lex.LOOSE
        if lemma in self.words.DEPICTIVE or lemma in self.words.BECOMING_NOUNS:
            level = lex.HUMAN
        if lemma in self.words.LIKENING:
            self.como_due, level = at + 4, lex.LISTED
        if verdict == WEAK and lemma not in self.words.LIKENING:
            level = lex.HUMAN
        if lemma in self.words.DEPICTIVE:
            at = self._past_place(at)
        return self._predicate(at, rule, level, lemma)

    def _past_place(self, at: int) -> int:
        """Past one "em casa", "ao hotel", "da escola": "cheguei em casa cansada"."""
        place = at + 1 + bool(self._tags(at + 1) & lex.DETERMINER)
        if not self._tags(at) & lex.PREPOSITION or not self._noun_follows(self._word(place)):
            return at
        if self._word(at + 1).key in self.words.ONE:
            return at  # "me deito em uma cama perfumada"
        after = self._word(place + 1)
        return place + 1 if after.adjective >= lex.HUMAN or self._participle(after) else at

    def _working(self, at: int) -> int:
        self.como_due = at + 4
        role = self._word(at).key in self.words.ROLE_PREPOSITIONS
        if role and self._word(at + 1).noun == lex.PAIR:
            return self._phrase(at + 1, "role_noun", bare=True)[0]
        return at

    def on_me_verb(self, at: int) -> int:
        """Verbs that say something of "me": "me sinto", "me deixou", "me chamam de"."""
        word = self.tokens[at]
        lemma = word.me_lemma
        beside = self._me_beside(at)
        if not beside and not (lemma == "sentir" and self.clause.me):
            return at
        if self._tags(at - 1) & lex.ME and self._tags(at - 2) & lex.PREPOSITION and not beside:
            return at
        self._track(at)
        self.clause.me = True
        start = at + 1
        if self._tags(start) & lex.ME:
            start += 1
        start = self._skip_modifiers(start)
        opener = self._word(start)
        if opener.tags & lex.COMO and lemma in self.words.ME_COMO:
            return self._after_como(self._as_what(start), self._me_rule(lemma))
        if opener.key == "de" and lemma in self.words.ME_DE:
            return self._predicate(start + 1, "called_me", lex.SUFFIX, BECOME)
        if opener.key in {"en", "a"} and lemma in self.words.ME_IN:
            return self._predicate(start + 1, self._me_rule(lemma), lex.LISTED, BECOME)
        if lemma not in self.words.ME_BARE or opener.person in {"I", "G", "P"}:
            self.como_due = start + 4
            return start
        level = lex.LISTED if lemma in self.words.ME_STRICT else lex.LOOSE
        if level == lex.LISTED and self._participle(self._word(start)):
            level = lex.SUFFIX
        role = BECOME if lemma not in self.words.ME_STRICT or lemma == self.words.MAKE else "estar"
        return self._predicate(start, self._me_rule(lemma), level, role)

    def _me_rule(self, lemma: str) -> str:
        if lemma in self.words.MAKING and self.clause.subject != SPEAKER:
            return "made_me"
        if lemma == "sentir" or self.clause.subject == SPEAKER:
            return "copula_adjective"
        return "called_me" if lemma in self.words.JUDGING else "made_me"

    def _after_como(self, at: int, rule: str) -> int:
        if self._tags(at) & lex.DETERMINER or self._word(at).noun:
            return self._phrase(at, "role_noun", bare=True)[0]
        return self._predicate(at, rule, lex.LISTED, "estar")

    def on_obrigado(self, at: int) -> int:
        gender = self.tokens[at].gender
        before = self._tags(at - 1)
        if not gender or not self._speaks() or before & (lex.DETERMINER | lex.PREPOSITION):
            return at
        return self._adjective(at, "obrigado")

    def on_sozinho(self, at: int) -> int:
        clause, before = self.clause, self._before_alone(at)
        if not self.tokens[at].gender or not self._stands_alone(at):
            return at
        if clause.leaves and not clause.me:
            return at
        if before.noun and self._tags(at - 2) & lex.DETERMINER and before.gender:
            return at
        if before.tags & lex.DETERMINER and not before.tags & lex.PREPOSITION:
            return at
        infinitive = self._infinitive(before)
        mine = clause.subject != SOMEBODY or infinitive
        if clause.me_carried and not clause.verb_due:
            # "me gusta cenar y viajar sola", not "me besó y se fue sola".
            mine = clause.subject != SOMEBODY and infinitive
        if self._speaks() or (clause.me and mine):
            return self._adjective(at, "sozinho")
        return at

    def _before_alone(self, at: int) -> Word:
        """The word that "alone" may belong to."""
        return self._word(at - 1)

    def _infinitive(self, word: Word) -> bool:
        """Return whether the word is the infinitive of "me gusta cenar sola"."""
        return word.key.endswith(self.words.INFINITIVES) and not word.noun

    def _stands_alone(self, _at: int) -> bool:
        """Return whether "alone" can be that here; in some languages it has other meanings."""
        return True

    def on_self(self, at: int) -> int:
        """As in "eu mesma", "mim mesmo", "comigo própria"; not "eu mesmo assim"."""
        before, gender = self._tags(at - 1), self.tokens[at].gender
        if not gender or not before & (lex.EU | lex.TO_ME):
            return at
        if before & lex.EU and self._word(at + 1).key in self.words.NOT_AFTER_SELF:
            return at
        return self._adjective(at, "mesmo")

    def on_como(self, at: int) -> int:
        """As in "trabalho como enfermeira"; "Como médica, eu ..."; not "como minha mãe"."""
        noun_at = self._as_what(at)
        first = self._word(noun_at)
        if self._word(at - 1).key in self.words.NOT_BEFORE_AS or first.tags & lex.EU:
            return at
        if self._word(said := noun_at + bool(first.tags & lex.DETERMINER)).key in self.words.SEXES:
            return said + 1  # "Como mulher, ...": says who speaks, and agrees with nothing
        return self._as_noun(at, noun_at)

    def _as_noun(self, at: int, noun_at: int) -> int:
        """Reads what somebody is or works as."""
        clause, first = self.clause, self._word(noun_at)
        fronted = clause.verb_due and not clause.subject and not clause.noun_phrase
        article = bool(first.tags & lex.DETERMINER) and first.key in self.words.ARTICLES
        if fronted and (article or first.noun or first.adjective):
            return self._fronted_como(at)
        if first.adjective >= lex.LISTED and at <= self.como_due and first.noun == lex.NO_NOUN:
            return self._predicate(noun_at, "copula_adjective", lex.LISTED)
        due = at <= self.como_due or self._word(at - 1).key in self.words.POSTS
        due = due or (article and self._manner(at, noun_at))
        if not (due if article else first.noun or self._word(noun_at + 1).noun):
            return at
        if first.tags & lex.DETERMINER and not article:
            return at
        if clause.leaves and not clause.me:
            return at
        if self._speaks() or clause.me:
            return self._phrase(noun_at, "role_noun", bare=True)[0]
        return at

    def _manner(self, at: int, noun_at: int) -> bool:
        """As in "lo arreglé como una profesional", "agir como um idiota": what somebody acts as."""
        before, noun = self._word(at - 1), self._word(noun_at + 1)
        verb = before.tags & lex.FIRST or before.key.endswith(self.words.INFINITIVES)
        verb = verb or (self._participle(before) and self._word(at - 2).key in self.words.HAVING)
        mine = self.clause.subject == SPEAKER and not self.others
        return noun.noun == lex.COMMON and bool(verb) and mine

    def _as_what(self, at: int) -> int:
        """Return where the noun phrase after "as" starts."""
        return at + 1

    def _fronted_como(self, at: int) -> int:
        after = self._next_clause(at)
        if after < 0 or not (self._speaker_starts(after) or self._subjectless(after)):
            return at
        return self._phrase(self._as_what(at), "role_noun", bare=True)[0]

    def _when(self, at: int) -> bool:
        """As in "Quando pequena, eu ...", "desde menino": whether one starts here."""
        word = self._word(at + 1)
        if not word.gender or not (word.adjective >= lex.LISTED or word.noun == lex.PAIR):
            return False
        follows = lex.PUNCTUATION | lex.EU | lex.FIRST | lex.COPULA | lex.ME | lex.PREPOSITION
        if not self._tags(at + 2) & follows:
            return False
        if not self._speaks() or (
            word.adjective < lex.HUMAN
            and word.key[:6] != self.words.SMALL
            and word.noun != lex.PAIR
        ):
            return False
        self._emit(at + 1, at + 2, word.gender, "fronted")
        return True

    # --- fronted and detached predicates -------------------------------------------------------

    def _fronted(self, at: int) -> bool:
        """As in "Cansada, eu fui para casa": an adjective that opens the sentence."""
        word = self.tokens[at]
        if not word.gender or not (at == 0 or self._tags(at - 1) & lex.STOP):
            return False
        if word.adjective < lex.SUFFIX and word.noun != lex.PAIR:
            return False
        if word.key in self.words.NOT_FRONTED or word.tags & lex.OBRIGADO:
            return False
        follows = self._tags(at + 1)
        if follows & lex.COMO:
            # "Cansada como eu estava, ...", not "tirada como está".
            if not self._tags(at + 2) & lex.EU:
                return False
        elif not follows & (lex.COMMA | lex.PREPOSITION | lex.ADVERB | lex.COORDINATOR):
            return False
        after = self._next_clause(at)
        if after < 0 or not (
            self._speaker_starts(after)
            or (word.adjective >= lex.HUMAN and self._shared_verb(after))
        ):
            return False
        self._adjective(at, "fronted")
        return True

    def _shared_verb(self, at: int) -> bool:
        """As in "..., logo os estava dando": no subject; not "era", which needs none."""
        at = self._skip_modifiers(at)
        if self._tags(at) & (lex.CLITIC | lex.DETERMINER) and self._word(at + 1).person == "A":
            at += 1
        return self._subjectless(at) and self._word(at).copula not in self.words.IMPERSONAL

    def _detached(self, at: int) -> bool:
        """As in "Voltei para casa, cansada e triste": an adjective said of people after a comma."""
        word = self.tokens[at]
        if not word.gender or word.adjective < lex.LISTED:
            return False
        if word.tags & (lex.OBRIGADO | lex.SOZINHO):
            return False
        comma = at - 1
        while comma > at - 3 and self._tags(comma) & lex.ADVERB:
            comma -= 1
        if not self._tags(comma) & lex.COMMA:
            return False
        # No noun before the comma that it could be said of: "fiquei chorando, perdida".
        no_noun = self._no_noun_before(comma)
        if not no_noun and (word.adjective < lex.HUMAN or comma < at - 1):
            return False
        outright = no_noun and self._word(comma - 2).person == "1"
        if self.clause.carried != SPEAKER or (self.others and not outright):
            return False
        follows = lex.STOP | lex.COORDINATOR | lex.PREPOSITION | lex.COMMA
        if word.adjective >= lex.HUMAN and self._participle(word):
            # "convaincue que", "hotărâtă să", not "sabia que"
            follows |= lex.SUBORDINATOR | lex.ADVERB
        if not self._tags(at + 1) & follows:
            return False
        self._adjective(at, "appositive")
        return True

    def _depictive(self, at: int) -> bool:
        """As in "voy a las reuniones vestida", "nunca iria trabalhar bêbado": how somebody acts.

        The adjective is said of people, the clause is the speaker's, and no noun before it agrees
        with it: a verb, a time or a plural noun does not.
        """
        word, clause = self.tokens[at], self.clause
        if word.adjective < lex.HUMAN or not word.gender or word.noun == lex.PAIR:
            return False
        if word.key in self.words.NOT_MANNER or word.tags & lex.SOZINHO:
            return False
        if clause.leaves or clause.verb_due or clause.subject == SOMEBODY or not self._speaks():
            return False
        if clause.object_control and not clause.me:
            return False
        if not self._tags(at + 1) & _AROUND or word.tags & lex.OBRIGADO:
            return False
        if not self._said_of_no_noun(at):
            return False
        self._adjective(at, "depictive")
        return True

    def _said_of_no_noun(self, at: int) -> bool:
        """Return whether the words before do not take the adjective here."""
        before, always = at - 1, False
        while before > at - 4 and self._tags(before) & lex.ADVERB:
            always = always or self._word(before).key in self.words.ALWAYS
            before -= 1
        tense = self._word(before).key in self.words.HAVING  # "ho sempre desiderato"
        if always and not tense and self.clause.subject == SPEAKER:
            return True  # "vengo al trabajo siempre preparada"
        return self._bears_no_adjective(before, near=before == at - 1)

    def _bears_no_adjective(self, at: int, *, near: bool) -> bool:
        """Return whether the word here is a verb of the speaker, a time or a plural noun."""
        word = self._word(at)
        if word.key in self.words.HAVING:
            return False  # "me he esforzado" is a tense
        if self._participle(word) and self._word(at - 1).key in self.words.HAVING:
            return self.clause.subject == SPEAKER  # "j'ai nagé nue"
        article = self._word(at - 1)
        if word.tags & lex.TIME and (article.determiner or article.tags & lex.TIME):
            definite = article.key not in self.words.ONE  # "una noche tranquila"
            return near and definite and self.clause.subject == SPEAKER
        if article.tags & lex.DETERMINER and not word.key.endswith("s"):
            return False  # "el trabajo"
        if word.tags & (lex.FIRST | lex.ENCLITIC) or word.person in {"1", "I"}:
            return True
        if word.tags & _FUNCTIONAL or not word.tags & lex.LATIN:
            return False
        if word.key.endswith(self.words.INFINITIVES):
            return not word.noun and not word.adjective
        plural = word.key.endswith("s")
        return plural and not word.adjective and self.clause.subject == SPEAKER

    def _no_noun_before(self, at: int) -> bool:
        """Return whether "ficar chorando" or "ficar em silêncio" stands before."""
        if self._word(at - 1).key.endswith(self.words.GERUNDS):
            return bool(self._tags(at - 2) & lex.COPULA)
        bare = self._word(at - 2).key in self.words.INTO
        return bare and bool(self._tags(at - 3) & lex.COPULA)


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
