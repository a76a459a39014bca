"""Portuguese (mostly Brazilian): the gender a text gives to its first person.

Portuguese verbs carry no gender. What carries it are the words that agree with the speaker:
predicates of copulas ("estou cansada", "me tornei médico"), passives ("fui contratada"), nouns
after "como", object complements ("me deixou nervosa"), and a few words on their own ("obrigada",
"sozinho", "eu mesma"). The reader therefore goes once from left to right, keeps track of the
subject of the clause it is in, and reads a predicate wherever something is said of the speaker.

A first-person form (sou, estou, fui) needs no subject. A form shared with the third person (era,
estava, fosse) counts after "eu"; where the subject is dropped it counts only if the clause before
was the speaker's, nobody else was mentioned, and the predicate is one that is said of people:
"porque estava cansada" counts, "porque era perigoso" does not. Non-finite forms follow the subject
that governs them. What somebody else says, and what stands in quotation marks, is not read; the
cue QUOTED reads only inside the marks.

Agreement rules follow Cunha and Cintra, "Nova gramática do português contemporâneo", and Bechara,
"Moderna gramática portuguesa".
"""

import re

from monitor.languages._speech import MARK, SIGNS
from monitor.languages.romance import _romance_tags as lex
from monitor.languages.romance._pt_lexicon import LEXICON
from monitor.languages.romance._romance import RomanceLanguage
from monitor.languages.romance._romance_lexicon import double_token
from monitor.languages.romance._romance_reader import Reader

_TOKEN = re.compile(
    rf"[^\W\d_][\w{MARK}]*"
    + double_token("a|o|e|ra|ora|esa|na|ona|ã|inha|eira|iz|triz", "a|o|e")
    + rf"|{SIGNS}"
)


class PortugueseReader(Reader):
    """The reader of Portuguese, with what is particular to it."""

    __slots__ = ()

    def _not_a_verb(self, i: int) -> bool:
        """No verb in "um acordo", "ao vivo"; no verb of the speaker in "me era", "me parece"."""
        word, before = self.tokens[i], self._tags(i - 1)
        if word.tags & lex.ADVERB:
            return True
        if word.person == "1" and word.key not in {"sou", "fui", "estou"}:
            return bool(before & (lex.DETERMINER | lex.PREPOSITION)) and not before & lex.CLITIC
        if word.key == "fui" and self._word(i + 1).key == "a":
            # "Fui a uma festa"; "fui a única" has no second article.
            return bool(self._tags(i + 2) & lex.DETERMINER)
        if word.key == "estar" and self._word(i - 1).key == "bem":
            return bool(self._tags(i - 2) & (lex.DETERMINER | lex.PREPOSITION))
        if word.key == "ser":
            return bool(before & lex.DETERMINER) and not before & lex.PREPOSITION
        return bool(before & lex.ME) and word.person in "A3" and word.copula != "virar"


LANGUAGE = RomanceLanguage(
    "pt", "Portuguese", 5, token=_TOKEN, lexicon=LEXICON, reader=PortugueseReader, share=0.3
)
