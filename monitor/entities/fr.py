"""French."""

import re
from collections.abc import Iterable, Iterator, Sequence

from monitor.entities._persons import NounGender
from monitor.entities._reader import Evidence, Token
from monitor.entities._romance import RomanceReader
from monitor.entities._romance_agreement import F, M, read_grammar
from monitor.languages.romance import _romance_words as lex
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

#: Words that are pronouns whatever follows, and determiners that follow no "tous".
_ALONE = frozenset("chacun chacune quelques-uns quelques-unes".split())
_NOT_AFTER_ALL = frozenset("des de d' un une du deux".split())
_AFTER_S = frozenset("agit agissait agira avère avérait avéra".split())
#: Masculine adjectives behind a copula; some endings are those of other words as well.
_MASCULINE_ADJECTIVE = re.compile(
    r"(?<!mainten)(?<!pourt)(?<!cepend)(?<!pend)(?<!aut)(?<!dur)(?<!inst)(?<!enf)(?<!av)ants?$|"
    r"(?P<listed>..(?:if|el|ien|eux)s?$)"
)


def _gender_of_ending(low: str) -> Gender | None:
    """The gender of an adjective or a participle: feminine in -e."""
    return F if low.removesuffix("s").endswith("e") else M


_GRAMMAR = read_grammar(
    "entity_words_fr",
    gender_of_ending=_gender_of_ending,
    epicene=re.compile(r"(?:(?<!publi)(?<!tur)(?<!grec)(?<!fran)[gq]ue|iste|[ai]ble|aire)s?$"),
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
    participle=re.compile(
        r"(?:é|ée|i|ie|u|(?<![gq])ue|is|ise|it|ite|ert|erte|ort|orte|int|inte)s?$"
    ),
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

    def _participle(self, token: Token) -> Gender | None:
        """A participle, or a masculine adjective that the lexicon does not list ("partant")."""
        masculine = _MASCULINE_ADJECTIVE.search(token.key)
        if masculine and not self._closed(token.key) and not self._forms_at(token):
            word = self._word(token.text.lower())
            if not masculine["listed"] or word.adjective >= lex.SUFFIX:
                return M
        return super()._participle(token)

    def _article(self, tokens: Sequence[Token], place: int) -> list[Evidence]:
        evidence = super()._article(tokens, place)
        if evidence and evidence[0].rule == "article":
            at = evidence[0].place
            following = tokens[at + 1].text.lower()
            if tokens[at].key in _EUPHONIC and _VOWEL.match(following):
                return []
        return evidence

    def _stands_alone(self, tokens: Sequence[Token], at: int) -> bool:
        """The same for "chacune communique", "à tous des souvenirs", "toutes les deux"."""
        key = tokens[at].key
        after = [token.key for token in tokens[at + 1 : at + 3]]
        of_all = bool(after) and (after[0] in _NOT_AFTER_ALL or after == ["les", "deux"])
        if key in _ALONE or (of_all and key in {"tous", "toutes"}):
            return True
        return super()._stands_alone(tokens, at)

    def _impersonal(self, tokens: Sequence[Token], at: int) -> bool:
        """Whether "il" is that of "il faut", "il y a", "il s'agit"."""
        if tokens[at].text.lower() != "il" or at + 1 >= len(tokens):
            return False
        after = [token.text.lower().replace("’", "'") for token in tokens[at + 1 : at + 4]]
        if after[0] in {"n'", "ne"}:
            after = after[1:]
        if after[:1] == ["s'"]:
            return bool(after[1:2]) and after[1] in _AFTER_S
        if after[:1] in (["est"], ["était"], ["serait"], ["fut"]):
            return not self.grammar.of_clauses.isdisjoint(after[1:3])
        return bool(after) and after[0] in self.grammar.after_il

    def _is_impersonal(self, tokens: Sequence[Token], copula: int, item: Evidence) -> bool:
        """The same for "il est interdit à toutes"."""
        subject = (
            copula - 2 if copula > 1 and tokens[copula - 1].key in {"n'", "ne"} else copula - 1
        )
        if subject >= 0 and self._impersonal(tokens, subject):
            return True
        return super()._is_impersonal(tokens, copula, item)

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
