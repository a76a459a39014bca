"""Spanish."""

import re
from collections.abc import Iterable

from monitor.entities._persons import NounGender
from monitor.entities._romance import IberianReader, read_iberian_grammar
from monitor.languages.romance.es import LANGUAGE, LEXICON

_GRAMMAR = read_iberian_grammar(
    "entity_words_es",
    infinitive=re.compile(r".[aei]r(?:se|me|te)?$"),
    abstract=re.compile(
        r"(?:cion|sion|dad|tad|tud|miento|ismo|aje|ura|anza|encia|ancia|ez|eza)(?:e?s)?$"
    ),
    plural_verb=re.compile(r"n$"),
    tails="o|a|os|as|e|ra|ora|esa|iz|triz",
    verb=re.compile(
        r"..(?:ó|aron|ieron|aba|aban|ía|ían|ará|erá|irá|arán|erán|irán|aría|ería|emos|amos)$|"
        r"^(?:ha|han|había|habían|hubo|puso|hizo|dijo|tuvo|pudo|quiso|vio|dio|trajo|condujo|"
        r"puede|pueden|quiere|tiene|hace|dice|dejan|deja|llaman|llama|conoce|conocen|ayuda|"
        r"ayudan|invita|invitan|hicieron|dijeron|obligan|obliga|convierte|convirtió|lleva)$"
    ),
    enclitic=re.compile(r"..(?:r|ndo)(?:se|me|te)?l(?P<vowel>[oa])s?$"),
    feminine_thing=re.compile(
        r"(?:cion|sion|xion|dad|tad|tud|umbre|ez|eza|anza|encia|ancia|ura|"
        r"eria|ia|ica|ista|ada)(?:es|s)?$"
    ),
    masculine_thing=re.compile(r"(?:aje|miento|ismo|or|on|an|o|ema|oma)(?:s|es)?$"),
    participle=re.compile(r"(?:[aiu]d|ert|est|rit|uert|ech|ich)[oa]s?$"),
)


class Spanish(IberianReader):
    """Reader of Spanish translations."""

    code = "es"
    name = "Spanish"
    version = 1
    grammar = _GRAMMAR
    language = LANGUAGE
    lexicon = LEXICON

    def plurals(self, lemma: str, gender: NounGender) -> Iterable[str]:
        """Yield "lápices", "clientes", "directores"."""
        del gender
        if lemma[-1] in "aeiouáéíóú":
            yield f"{lemma}s"
            if lemma[-1] in "íú":
                yield f"{lemma}es"
        elif lemma[-1] == "z":
            yield f"{lemma[:-1]}ces"
        elif lemma[-1] in "sx" and lemma[-2] not in "éíáó":
            yield lemma
        else:
            yield f"{lemma}es"


ENTITY_READER = Spanish()
