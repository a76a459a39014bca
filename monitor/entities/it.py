"""Italian."""

import re
from collections.abc import Iterable

from monitor.entities._persons import NounGender
from monitor.entities._reader import Token
from monitor.entities._romance import RomanceReader
from monitor.entities._romance_agreement import F, M, read_grammar
from monitor.languages.romance.it import LANGUAGE, LEXICON
from monitor.model import Gender

_COMMON_PLURAL = re.compile(
    r"(?:ist|iatr|et|cid|eut|art|leg|pat|crat|ot|ast|uid|am|it|opat)(?P<vowel>[ei])$|(?:leg|g)h(?P<sound>[ei])$"
)


def _gender_of_ending(low: str) -> Gender | None:
    """The gender of an adjective or a participle in -o, -i, -a, -e."""
    return {"o": M, "i": M, "a": F, "e": F}.get(low[-1:])


def _common_form(key: str) -> Gender | None:
    """The gender that the plural of a noun in -a has: "giornalisti", "colleghe"."""
    match = _COMMON_PLURAL.search(key)
    if not match:
        return None
    return F if (match["vowel"] or match["sound"]) == "e" else M


_GRAMMAR = read_grammar(
    "entity_words_it",
    gender_of_ending=_gender_of_ending,
    agent=re.compile(
        r"(?P<masculine>(?:tore|tori|logo|iano)$)|(?P<feminine>(?:trice|trici|loga|iana|iane|essa|esse)$)"
    ),
    plural=re.compile(r"[ei]$"),
    adverb=re.compile(r".mente$"),
    infinitive=re.compile(r".[aei]r(?:e|si)$"),
    abstract=re.compile(
        r"(?:zione|sione|zioni|sioni|ta|tudine|mento|menti|ismo|aggio|ura|ure|anza|enza|ezza)$"
    ),
    plural_form=re.compile(r"...i$"),
    plural_verb=re.compile(r"no$"),
    tails="o|a|i|e|trice|tore|essa|ice|trici|tori|esse|ra|re",
    verb=re.compile(
        r"..(?:ò|[st]sero|nnero|essero|arono|irono|erono|ava|avano|eva|evano|iva|ivano|rà|ranno|rebbe|asse|isse|iamo|emo)$|"
        r"^(?:ha|hanno|può|vuole|deve|fa|dice|mise|disse|fece|vide|prese|portò|chiamano|chiama|"
        r"aiuta|aiutano|convinse|costrinse|spinse|rese|accolse|scelse|uccise|descrisse)$"
    ),
    enclitic=re.compile(r"..(?:[aei]r|ndo|rr)(?:me|te|se|ce|glie)?l(?P<vowel>[oa])$"),
    feminine_thing=re.compile(
        r"(?:zione|sione|zioni|sioni|gione|ta|tudine|ezza|anza|enza|ura|ure|ia|ie|ica|iche|ista|ata|"
        r"ella|etta|ina|ice|trici)$"
    ),
    masculine_thing=re.compile(r"(?:mento|menti|ismo|ismi|ore|ori|one|oni|io|o|ame|ema|ale)$"),
    participle=re.compile(r"(?:(?:[aiu]t|tt|s|rt|st|lt|(?<![ae])nt)[oaie]|[ae]nt[oa])$"),
    inclusive=re.compile(r"(?<=[^\W\d_]{3})(?:ə|ɜ|x|u|@|\*)$"),
    common_form=_common_form,
)


_IRREGULAR_PLURALS = {"dio": (), "uomo": ("uomini",), "zio": ("zii",)}
_COMMON_ENDINGS = ("ista", "iatra", "eta", "cida", "euta", "ga", "ota", "ida", "pata")
_ARTICLE_LO = re.compile(r"(?:s[^aeiou]|z|gn|ps|x|y|i[aeou])")
_ARTICLE_GLI = re.compile(r"(?:[aeiouèé]|s[^aeiou]|z|gn|ps|x|y)")


class Italian(RomanceReader):
    """Reader of Italian translations."""

    code = "it"
    name = "Italian"
    version = 1
    grammar = _GRAMMAR
    language = LANGUAGE
    lexicon = LEXICON

    def _is_object(self, key: str, following: Token) -> bool:
        """Whether "lo", "gli", "le" cannot be the article of the word that follows."""
        low = following.text.lower()
        if not low[0].isalpha() or following.key in self.grammar.prepositions:
            return False
        if key == "lo" and not _ARTICLE_LO.match(low):
            return True
        if key == "gli" and not _ARTICLE_GLI.match(low):
            return True
        if key == "le" and low[-1] not in "ei" and low[0] not in "0123456789":
            return following.text[0].islower() and low[-1] in "aoòì"
        if key in self.grammar.datives and following.key in self.grammar.copulas:
            return True
        return super()._is_object(key, following)

    def singulars(self, low: str) -> Iterable[str]:
        """Yield "stanca" of "stanche", "stanco" of "stanchi", "famoso" of "famosi"."""
        if low.endswith("e"):
            if low.endswith(("che", "ghe")):
                yield f"{low[:-2]}a"
            yield f"{low[:-1]}a"
        elif low.endswith("i"):
            if low.endswith(("chi", "ghi")):
                yield f"{low[:-2]}o"
            yield f"{low[:-1]}o"
            if low.endswith("ri"):
                yield f"{low}o"

    def plurals(self, lemma: str, gender: NounGender) -> Iterable[str]:
        """Yield "medici", "banchi", "operai", "colleghe" and "colleghi"."""
        if lemma in _IRREGULAR_PLURALS:
            yield from _IRREGULAR_PLURALS[lemma]
            return
        stem, last = lemma[:-1], lemma[-1]
        hard = "h" if stem[-1:] in {"c", "g"} else ""
        if last == "o":
            yield stem if stem.endswith("i") else f"{stem}{hard}i"
            if hard:
                yield f"{stem}i"
        elif last == "a":
            if gender is not NounGender.MASCULINE:
                yield f"{stem}{hard}e"
            if gender is NounGender.MASCULINE or lemma.endswith(_COMMON_ENDINGS):
                yield f"{stem}{hard}i"
        else:
            # "mogli" of "moglie", "padri" of "padre"
            yield f"{stem.removesuffix('i')}i" if last == "e" else lemma


ENTITY_READER = Italian()
