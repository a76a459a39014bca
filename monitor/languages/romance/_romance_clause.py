"""Clauses of Romance languages: the subject, predicates and noun phrases, and what they show.

:class:`Clauses` holds the tokens of one stretch of text. It follows who the subject of a clause is
and whether a verb is the first person's, and reads a predicate or a noun phrase from a place where
something is said of the speaker.
"""

import re
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
class Clauses:
    """Follows the clauses of a text from left to right and reads what is said in them.

    `found` are ranges of tokens with the gender and the rule.
    """

    tokens: Sequence[Word]
    lexicon: Lexicon
    words: WordLists
    found: list[Found] = field(default_factory=list)
    como_due: int = -1  # last token after which "como uma ..." is said of the speaker
    clause: _Clause = field(default_factory=_Clause)
    others: bool = False  # somebody else was mentioned who could be meant
    sentence_found: int = 0

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
