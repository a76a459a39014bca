"""Portuguese."""

import re
from collections.abc import Iterable

from monitor.entities._persons import NounGender
from monitor.entities._romance import IberianReader, read_iberian_grammar
from monitor.languages.romance.pt import LANGUAGE, LEXICON

_GRAMMAR = read_iberian_grammar(
    "entity_words_pt",
    infinitive=re.compile(r".[aeio]r(?:-se)?$"),
    abstract=re.compile(
        r"(?:cao|coes|sao|soes|dade|tude|mento|ismo|agem|agens|ura|anca|encia|ancia|eza)s?$"
    ),
    plural_verb=re.compile(r"(?:m|ao)$"),
    tails="o|a|os|as|ra|ras|esa|ã|eira|triz",
    verb=re.compile(
        r"..(?:ou|aram|eram|iram|ava|avam|iam|rá|rão|ria|riam|asse|esse)$|..[iae]u$|"
        r"^(?:tem|tinha|há|pode|quer|deve|faz|diz|disse|fez|trouxe|chamam|chama|conhece|ajuda|"
        r"convida|obriga|leva|deixa|pôs|viu|via)$"
    ),
    enclitic=re.compile(r"..-(?:me-|te-|lhe-|se-)?[ln]?(?P<vowel>[oa])s?$"),
    feminine_thing=re.compile(
        r"(?:cao|coes|sao|soes|dade|dades|tude|agem|agens|eza|ez|anca|encia|ancia|ura|eria|ia|ica|"
        r"ista|ada)s?$"
    ),
    masculine_thing=re.compile(r"(?:mento|mentos|ismo|or|ores|o|os|ema|oma|al|el)$"),
    participle=re.compile(r"(?:[aiu]d|rt|st|it|nt|eit|ost)[oa]s?$"),
)


class Portuguese(IberianReader):
    """Reader of Portuguese translations."""

    code = "pt"
    name = "Portuguese"
    version = 1
    grammar = _GRAMMAR
    language = LANGUAGE
    lexicon = LEXICON

    def plurals(self, lemma: str, gender: NounGender) -> Iterable[str]:
        """Yield "clientes", "leitores", "capitães", "fiéis", "jovens"."""
        del gender
        if lemma.endswith("ão"):
            yield from (f"{lemma[:-2]}{ending}" for ending in ("ãos", "ões", "ães"))
        elif lemma.endswith("m"):
            yield f"{lemma[:-1]}ns"
        elif lemma.endswith("l"):
            yield f"{lemma[:-1]}is"
        elif lemma[-1] in "rzn" or lemma.endswith("ês"):
            yield f"{lemma}es"
        elif lemma[-1] in "sx":
            yield lemma
        else:
            yield f"{lemma}s"


ENTITY_READER = Portuguese()
