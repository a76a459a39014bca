"""French."""

import re
from collections.abc import Iterable, Iterator, Sequence

from monitor.entities._nouns import NounGender
from monitor.entities._reader import Evidence, Token
from monitor.entities._romance import RomanceReader
from monitor.entities._romance_grammar import F, M, read_grammar
from monitor.languages.romance.fr import LANGUAGE, LEXICON, TAILS
from monitor.model import Gender

#: First parts of compounds that have a plural: "beaux-pères".
_INFLECTED = {
    "beau": "beaux", "belle": "belles", "grand": "grands", "petit": "petits", "petite": "petites",
    "demi": "demi", "premier": "premiers", "première": "premières",
}  # fmt: skip
#: Before a vowel these stand with feminine nouns as well.
_EUPHONIC = frozenset({"mon", "ton", "son"})
_VOWEL = re.compile(r"[aeiouyhœàâéèêëîïôû]")
_AFTER_IL = frozenset(
    """
    y faut fallait faudra faudrait semble semblait suffit existe convient arrive s'agit s' pleut
    semblerait parait paraîtrait reste paraît va vaut
    """.split()
)


def _gender_of_ending(low: str) -> Gender | None:
    """The gender of an adjective or a participle: feminine in -e."""
    return F if low.removesuffix("s").endswith("e") else M


_GRAMMAR = read_grammar(
    "entity_words_fr",
    gender_of_ending=_gender_of_ending,
    agent=re.compile(
        r"(?P<masculine>(?:ien|een)s?$)|(?P<feminine>(?:euse|trice|ienne|eenne|aise|oise)s?$)"
    ),
    plural=re.compile(r"[sxz]$"),
    adverb=re.compile(r".ment$"),
    infinitive=re.compile(r"..(?:er|ir|oir|re)$"),
    abstract=re.compile(r"(?:tion|sion|té|tude|ment|isme|age|ure|ance|ence|esse|eur)s?$"),
    plural_form=re.compile(r"..s$"),
    plural_verb=re.compile(r"nt$"),
    signs="·•‧⋅.-",
    participial=re.compile(r"(?:ant|ée?)s?$"),
    kept_ending=re.compile(r"ée?s?$"),
    tails=TAILS,
    verb=re.compile(
        r"..(?:ait|aient|èrent|irent|urent|era|eront|ira|iront|rait|raient)$|..(?:a|(?<!dro)(?<!espr)(?<!confl)(?<!prof)(?<!pet)(?<!bru)it|ut)$|[^m]ent$|"
        r"^(?:a|ont|avait|peut|veut|doit|fait|dit|met|vient|prend|tient|connaît|appelle|aide|"
        r"considère|oblige|invite|convainc|rend)$"
    ),
    enclitic=None,
    feminine_thing=re.compile(
        r"(?:[tsx]ion|té|tié|ure|ance|ence|ette|esse|erie|ie|ade|euse|ique|aison|ice|ude|elle)s?$"
    ),
    masculine_thing=re.compile(r"(?:age|ment|isme|eau|oir|on|in|ier|et|al|eur|ail|eme)s?$"),
    participle=re.compile(r"(?:é|ée|i|ie|u|ue|is|ise|it|ite|ert|erte|ort|orte|int|inte)s?$"),
    inclusive=re.compile(r"[@*]s?$"),
    sign_ending="",
)


class French(RomanceReader):
    """Reader of French translations."""

    code = "fr"
    name = "French"
    version = 1
    grammar = _GRAMMAR
    language = LANGUAGE
    lexicon = LEXICON
    token_pattern = re.compile(
        r"quelqu['’] ?une?\b|[^\W\d_]+['’](?= ?\w)|"
        r"[^\W\d_]+(?:-(?!(?:t-)?(?:je|tu|ils?|elles?|nous|vous|on|ce|les?|la|lui|leur|là|ci)\b)[^\W\d_]+)*"
        r"(?:[@*]s?(?!\w))?|\d+|[^\w\s\u200b-\u200f\u2060\ufeff]"
    )

    def singulars(self, low: str) -> Iterable[str]:
        """Yield "concernée" of "concernées", "loyal" of "loyaux"."""
        if low.endswith("s"):
            yield low[:-1]
        if low.endswith("aux"):
            yield f"{low[:-2]}l"

    def plurals(self, lemma: str, gender: NounGender) -> Iterable[str]:
        """Yield "clients", "caporaux", "jumeaux"."""
        del gender
        first, hyphen, second = lemma.partition("-")
        if hyphen and first in _INFLECTED:
            for plural in self.plurals(second, NounGender.COMMON):
                yield f"{_INFLECTED[first]}-{plural}"
        if lemma[-1] in "sxz":
            yield lemma
        elif lemma.endswith("al"):
            yield f"{lemma[:-1]}ux"
        elif lemma.endswith(("eau", "eu")):
            yield f"{lemma}x"
        else:
            yield f"{lemma}s"

    def _article(self, tokens: Sequence[Token], place: int) -> list[Evidence]:
        evidence = super()._article(tokens, place)
        if evidence and evidence[0].rule == "article":
            at = evidence[0].place
            following = tokens[at + 1].text.lower()
            if tokens[at].key in _EUPHONIC and _VOWEL.match(following):
                return []
        return evidence

    def _impersonal(self, tokens: Sequence[Token], at: int) -> bool:
        """Whether "il" is that of "il faut", "il y a", "il s'agit"."""
        if tokens[at].text.lower() != "il" or at + 1 >= len(tokens):
            return False
        after = [token.text.lower().replace("’", "'") for token in tokens[at + 1 : at + 4]]
        if after[0] in {"n'", "ne"}:
            after = after[1:]
        if after[:1] == ["s'"]:
            return after[1:2] in (["agit"], ["agissait"], ["agira"])
        if after[:1] in (["est"], ["était"], ["serait"], ["fut"]):
            return after[1:2] in (
                ["possible"],
                ["important"],
                ["nécessaire"],
                ["clair"],
                ["temps"],
                ["vrai"],
                ["difficile"],
                ["probable"],
                ["évident"],
                ["impossible"],
            )
        return bool(after) and after[0] in _AFTER_IL

    def _loose_marks(self, tokens: Sequence[Token], at: int) -> Iterator[tuple[Evidence, float]]:
        """The same, and "lui" behind a preposition."""
        if tokens[at].key == "lui" and at:
            before = tokens[at - 1].key
            if before in self.grammar.prepositions and before not in {"en", "à", "a"}:
                yield Evidence(at, M, "pronoun"), 2.0
        else:
            yield from super()._loose_marks(tokens, at)

    def noun(self, tokens: Sequence[Token], place: int, gender: Gender) -> list[Evidence]:
        """Return the noun, or an article of the other gender before it ("la chef")."""
        evidence = super().noun(tokens, place, gender)
        if place and evidence[0].gender is F and tokens[place - 1].key in {"de", "d'"}:
            return [Evidence(place, gender, "noun")]
        return evidence


ENTITY_READER = French()
