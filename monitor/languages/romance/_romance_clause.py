"""Clauses of Romance languages: the subject, and whether a verb is the first person's."""

import re
from dataclasses import dataclass, field

from monitor.languages.romance import _romance_words as lex
from monitor.languages.romance._romance_phrase import LONGEST_PHRASE, Phrases
from monitor.languages.romance._romance_words import Word

# Who the subject of a clause is.
UNKNOWN, SPEAKER, SOMEBODY = 0, 1, 3
# How sure it is that a predicate is the speaker's.
NO, WEAK, SURE = 0, 1, 2

#: Words that say something of the clause whether or not its verb is still to come.
_NOTED = (
    lex.PEOPLE | lex.CONTROL | lex.ME | lex.TO_ME | lex.ENCLITIC | lex.LEAVES | lex.SAYING
    | lex.OTHER
)  # fmt: skip
#: Words that stand beside a verb, and those that open a noun phrase before it.
_BESIDE, _OPENING = lex.ADVERB | lex.CLITIC, lex.DETERMINER | lex.PREPOSITION
_BARE_PLURAL = re.compile(r".{3,}s$")


class _Clause:
    """The subject of the clause being read, and what may stand in for a missing one.

    The values that a clause begins with are those of the class: most of them never change, and a
    text has several clauses.
    """

    subject: int = UNKNOWN
    outer: int = UNKNOWN  # subject of the clause a relative clause hangs on
    verb_due: bool = True
    noun_phrase: bool = False  # a noun phrase that may turn out to be the subject
    after_preposition: bool = False
    coordinated: bool = False
    subordinate: bool = False
    opened_by_preposition: bool = False
    me: bool = False
    me_carried: bool = False  # "me" stands in the clause that this one is joined to
    foreign_mood: bool = False  # a subjunctive here belongs to another than the verb before "que"
    object_control: bool = False
    leaves: bool = False  # deixar, encontrar: what follows may be said of an object

    def __init__(self, carried: int = SPEAKER) -> None:
        """Texts are translations of first-person sentences, and begin with the speaker."""
        self.carried = carried


@dataclass(slots=True)
class Clauses(Phrases):
    """Follows the clauses of a text from left to right."""

    clause: _Clause = field(default_factory=_Clause)
    others: bool = False  # somebody else was mentioned who could be meant
    sentence_found: int = 0

    # --- clauses -------------------------------------------------------------------------------

    def _boundary(self, i: int) -> int:
        word, old = self.tokens[i], self.clause
        if word.key == "." and self._word(i - 1).key in self.words.abbreviations:
            return i + 1
        phrase = old.noun_phrase and not old.coordinated and not word.tags & lex.STOP
        subject = old.subject or (SOMEBODY if phrase else UNKNOWN)
        new = _Clause(carried=subject or old.carried)
        if word.tags & lex.STOP:
            self.sentence_found = len(self.found)
        elif word.tags & lex.SUBORDINATOR:
            self._subordinate(i, new, old)
        elif not word.tags & lex.BREAK:
            new.coordinated = True
            new.outer = old.outer
            new.me = new.me_carried = old.me and bool(word.tags & lex.COORDINATOR)
            # "e minha irmã": a noun phrase joined to the last one, or a new subject.
            new.leaves = old.leaves
        self.clause = new
        return i + 1

    def _subordinate(self, i: int, new: _Clause, old: _Clause) -> None:
        new.subordinate = True
        before = self._word(i - 1)
        if self.tokens[i].key not in self.words.that or before.tags & lex.EU:
            new.carried = SPEAKER if before.tags & lex.EU else new.carried
            return
        if before.key in self.words.maybe:
            new.carried = old.carried
            return
        if self._how(i - 1):
            # "saben lo estricta que soy", "me decían lo estúpida que era"
            if old.me and self._somebody_tells(i):
                new.carried, self.others = SPEAKER, False
            return
        new.foreign_mood = not (
            old.me
            or before.tags & (lex.PREPOSITION | lex.ADVERB | lex.PUNCTUATION)
            or before.key in self.words.same_subject
        )
        if old.me and self._said_by_many(i - 1):
            # "me dijeron que era ...": one person, so not those who say it.
            new.carried, self.others = SPEAKER, False
            return
        verb = before.tags & lex.MAYBE_FIRST and old.subject == SPEAKER
        relative = not (
            before.key in self.words.before_que
            or verb
            or before.tags & (lex.PUNCTUATION | lex.ADVERB | lex.FIRST | lex.SAYING)
        )
        if relative:
            # "tenho um amigo que era ...": the subject is the noun.
            new.outer = SOMEBODY if old.noun_phrase else old.subject or old.carried
            new.carried = SOMEBODY

    def _unsaid(self) -> bool:
        return self.clause.subject != SPEAKER

    def _how(self, i: int) -> bool:
        """Return whether an adjective of degree stands here: "lo estricta que soy"."""
        word = self._word(i)
        return bool(word.gender) and self._word(i - 1).key in self.words.how

    def _somebody_tells(self, i: int) -> bool:
        """Return whether a plural verb of saying stands before "lo ... que"."""
        return any(self._said_by_many(i - back) for back in (3, 4))

    def _said_by_many(self, i: int) -> bool:
        """Return whether the verb is one of saying, with several for its subject."""
        return self._word(i).key in self.words.plural_saying

    def _track(self, i: int) -> None:
        """Notes what the word at hand says about the subject of its clause."""
        clause, tags = self.clause, self.tokens[i].tags
        if tags & _NOTED and self._note(i, tags):
            return
        if clause.verb_due and (not tags & _BESIDE or tags & _OPENING):
            self._track_before_verb(i)

    def _note(self, i: int, tags: int) -> bool:
        """Notes who is named beside the verb; returns whether the word is a pronoun."""
        clause = self.clause
        if tags & lex.PEOPLE:
            self.others = True
        if tags & lex.CONTROL and not self._me_beside(i):
            clause.object_control = True
        clause.me_carried = clause.me_carried and not tags & (lex.ME | lex.TO_ME | lex.ENCLITIC)
        if tags & lex.LEAVES:
            clause.leaves = True
        if tags & lex.SAYING and clause.subject != SPEAKER:
            self._somebody_says(i)
        if tags & lex.ME:
            clause.me = True
        elif tags & lex.OTHER and not self._object(i) and not self._tags(i - 1) & lex.PREPOSITION:
            clause.subject, clause.verb_due = SOMEBODY, True
            clause.noun_phrase = False
        elif tags & (lex.TO_ME | lex.ENCLITIC):
            clause.me = True
        else:
            return False
        return True

    def _infinitive_subject(self, i: int) -> bool:
        """As in "sabía que gastar tanto era estúpido"."""
        word = self.tokens[i]
        opens = self._tags(i - 1) & lex.SUBORDINATOR and self._word(i - 1).key in self.words.that
        return (
            bool(opens)
            and not self._tags(i - 2) & lex.FIRST
            and not word.noun
            and word.key.endswith(self.words.infinitives)
        )

    def _object(self, i: int) -> bool:
        """As in "eu faria isso sozinha": after the verb of the speaker, "this" is no subject."""
        clause = self.clause
        after_verb = clause.subject == SPEAKER and not clause.verb_due
        is_mine = clause.carried == SPEAKER and not clause.subject and i > 0
        verb = bool(self._tags(i - 1) & lex.LATIN) and self._word(i - 1).key.endswith(
            self.words.infinitives
        )
        return self.tokens[i].key in self.words.neuters and (after_verb or (is_mine and verb))

    def _track_before_verb(self, i: int) -> None:
        word, clause = self.tokens[i], self.clause
        tags = word.tags
        if tags & lex.FIRST or (
            tags & lex.MAYBE_FIRST and not clause.noun_phrase and not clause.after_preposition
        ):
            clause.subject, clause.verb_due = SPEAKER, False
        elif tags & lex.OTHER_VERB:
            clause.subject = clause.subject or SOMEBODY
            clause.verb_due = False
        elif clause.subject:
            clause.verb_due = False
        elif tags & lex.PREPOSITION and not tags & lex.DETERMINER:
            clause.opened_by_preposition = clause.after_preposition = True
        elif clause.after_preposition or clause.noun_phrase:
            pass
        elif tags & lex.DETERMINER:
            clause.noun_phrase = not self._tags(i + 1) & lex.TIME
            clause.verb_due = clause.noun_phrase
        elif _BARE_PLURAL.match(word.key):
            clause.noun_phrase = True
        elif self._infinitive_subject(i):
            clause.subject = SOMEBODY
        else:
            # An unlisted verb that the first and the third person share.
            clause.verb_due = False

    def _somebody_says(self, i: int) -> None:
        """At "..., disse ele": what came before in the sentence was somebody else's."""
        follows = self._tags(i + 1)
        if self._tags(i - 1) & (lex.COMMA | lex.BREAK | lex.QUOTE) and follows & (
            lex.OTHER | lex.DETERMINER
        ):
            del self.found[self.sentence_found :]

    def _me_beside(self, i: int) -> bool:
        return bool((self._tags(i - 1) | self._tags(i + 1)) & lex.ME)

    def _not_a_verb(self, i: int) -> bool:
        """Return whether a form of a copula is another word here; each language has its own."""
        return bool(self.tokens[i].tags & lex.ADVERB)

    def _verdict(self, word: Word, i: int) -> int:
        if word.person == "1":
            return SURE
        if word.person == "3":
            return NO
        if word.person == "A" or (word.person == "I" and self._tags(i - 1) & lex.EU):
            if self.clause.foreign_mood and word.key in self.words.subjunctives:
                return self._outright()
            return self._finite_verdict()
        return self._infinite_verdict(word, i)

    def _finite_verdict(self) -> int:
        clause = self.clause
        if clause.subject == SOMEBODY or clause.noun_phrase:
            return NO
        if clause.subject == SPEAKER:
            if clause.verb_due:
                return SURE
            return NO if clause.outer == SOMEBODY else self._weak()
        return self._weak() if clause.carried == SPEAKER else NO

    def _outright(self) -> int:
        """As in "espero que yo esté lista"; "espero que esté lista" is of somebody else."""
        clause = self.clause
        return SURE if clause.subject == SPEAKER and clause.verb_due else NO

    def _weak(self) -> int:
        return NO if self.others else WEAK

    def _infinite_verdict(self, word: Word, i: int) -> int:
        clause = self.clause
        if clause.object_control and not clause.me:
            return NO
        another = clause.me_carried and clause.subject == SOMEBODY  # "em va besar i va anar sola"
        if clause.subject == SPEAKER or (clause.me and not another):
            return SURE
        if clause.subject == SOMEBODY:
            return NO
        if clause.noun_phrase:
            return SURE if clause.coordinated and clause.carried == SPEAKER else NO
        if clause.carried != SPEAKER:
            return NO
        if word.person == "G" and self._speaker_starts(self._next_clause(i)):
            return SURE
        if clause.verb_due and word.person == "I" and not clause.opened_by_preposition:
            return self._bare_infinitive(word, i)
        return self._weak()

    def _bare_infinitive(self, word: Word, i: int) -> int:
        """About anybody in "ser mãe é difícil", about the speaker in "e ficar sozinha"."""
        clause = self.clause
        if clause.coordinated and i > 1 and not clause.subordinate:
            return SURE
        if word.key in self.words.future_subjunctive:
            return self._weak()
        clause.subject = SOMEBODY
        return NO

    def _speaks(self) -> bool:
        """Return whether the clause is the speaker's, said outright or carried over."""
        clause = self.clause
        if clause.subject:
            return clause.subject == SPEAKER
        return clause.carried == SPEAKER and not clause.noun_phrase

    def _next_clause(self, i: int) -> int:
        """Return where the clause after the next comma of this sentence starts, or -1."""
        for position in range(i, min(i + LONGEST_PHRASE, len(self.tokens))):
            tags = self.tokens[position].tags
            if tags & lex.STOP:
                return -1
            if tags & lex.COMMA:
                return position + 1
        return -1

    def _speaker_starts(self, i: int) -> bool:
        """Return whether the clause from `i` has the first person for its subject."""
        if i < 0:
            return False
        for position in range(i, min(i + LONGEST_PHRASE, len(self.tokens))):
            word = self.tokens[position]
            if word.tags & (lex.EU | lex.FIRST | lex.MAYBE_FIRST | lex.ME) or word.person == "1":
                return True
            if word.key in self.words.mine and position == i + (self._tags(i) & lex.DETERMINER > 0):
                return True
            if word.tags & (lex.OTHER | lex.OTHER_VERB | lex.STOP):
                return False
        return False

    def _subjectless(self, i: int) -> bool:
        """Return whether the clause from `i` opens with a verb of the first or third person."""
        word = self._word(self._skip_modifiers(i))
        return word.person == "A" and not self.others
