"""French."""

import re
from collections.abc import Iterable, Iterator, Sequence

from monitor.entities._nouns import NounGender
from monitor.entities._reader import Evidence, Token
from monitor.entities._romance import RomanceReader
from monitor.entities._romance_grammar import F, Grammar, M, words_of
from monitor.languages.romance._romance_tags import Word
from monitor.languages.romance.fr import LANGUAGE, LEXICON, TAILS
from monitor.model import Gender

#: First parts of compounds that have a plural: "beaux-pères".
_INFLECTED = {
    "beau": "beaux", "belle": "belles", "grand": "grands", "petit": "petits", "petite": "petites",
    "demi": "demi", "premier": "premiers", "première": "premières",
}  # fmt: skip
#: Before a vowel these stand with feminine nouns as well.
_EUPHONIC = words_of("mon ton son")
_VOWEL = re.compile(r"[aeiouyhœàâéèêëîïôû]")
_AFTER_IL = words_of(
    """
    y faut fallait faudra faudrait semble semblait suffit existe convient arrive s'agit s' pleut
    semblerait parait paraîtrait reste paraît va vaut
    """
)


def _gender_of_ending(low: str) -> Gender | None:
    """The gender of an adjective or a participle: feminine in -e."""
    return F if low.removesuffix("s").endswith("e") else M


_GRAMMAR = Grammar(
    masculine_determiners=words_of(
        """
        le un du au ce cet mon ton son quel quels certain certains aucun nul tous tout lequel
        lesquels celui ceux auquel duquel chacun quelques-uns uns quelqu'un nombreux
        """
    ),
    feminine_determiners=words_of(
        """
        la une cette ma ta sa quelle quelles certaines certaine aucune nulle toutes toute laquelle
        lesquelles celle celles chacune quelques-unes unes nombreuses
        """
    ),
    other_determiners=words_of(
        """
        premier premiers première premiere premieres dernier derniers derniere dernieres nouvel
        nouveaux nouvelles
        les l' des aux d' de ces mes tes ses nos vos notre votre leur leurs chaque plusieurs
        quelques deux trois quatre cinq six autres autre grand grands grande grandes jeune jeunes
        petit petits petite petites
        """
    ),
    inclusive_determiners=words_of("lae un·e ceuxes"),
    masculine_pronouns=words_of("il ils lui-même eux eux-mêmes celui"),
    feminine_pronouns=words_of("elle elles elle-même elles-mêmes celle celles"),
    weak_masculine_pronouns=words_of("lequel lesquels ceux chacun quelques-uns"),
    weak_feminine_pronouns=words_of("laquelle lesquelles chacune quelques-unes"),
    masculine_clitics=words_of("le"),
    feminine_clitics=words_of("la"),
    clitics=words_of("le la l' les lui leur se s' me m' te t' nous vous y en ne n'"),
    articles=words_of("le la les l' un une du au des aux mon ton son ma ta sa ce cet cette de"),
    datives=words_of(""),
    copulas=words_of(
        """
        est sont etait etaient fut furent sera seront serait seraient soit soient fusse fut etre
        etant été suis es sommes etes etais etions etiez serai serons etais etiez seras serez sois
        soyez soyons deviens devenez devenu devenue reste restez sembles semblez devient
        deviennent devint devinrent devenait devenaient deviendra deviendrait devenir reste
        restent restait resta restaient rester resté restée semble semblent semblait semblaient
        sembler parait paraissait paraissent sent sentait sentit sentaient sentir retrouve
        retrouva trouve trouva trouvait montre montra montrait demeura demeure demeurait naquit
        mourut tomba tombe considere considerait vit voit dit declare
        """
    ),
    auxiliaries=words_of(
        "as a ont avait avaient eut aura auront aurait ait ayant avoir ai avons avez"
    ),
    negations=words_of("si tres trop assez bien ne n' pas jamais plus rien -"),
    prepositions=words_of(
        """
        à a de d' du des au aux en dans par pour avec sans sur sous entre contre vers chez depuis
        pendant durant selon malgre parmi devant derriere jusqu' apres avant lors hors
        """
    ),
    conjunctions=words_of(
        "et ou mais car si comme quand lorsque lorsqu' puisque parce alors où donc"
    ),
    relatives=words_of("qui que qu' dont"),
    gender_of_ending=_gender_of_ending,
    neuter_subjects=words_of("c' ce cela ca ceci"),
    agent=re.compile(
        r"(?P<masculine>(?:ien|een)s?$)|(?P<feminine>(?:euse|trice|ienne|eenne|aise|oise)s?$)"
    ),
    plural=re.compile(r"[sxz]$"),
    adverb=re.compile(r".ment$"),
    infinitive=re.compile(r"..(?:er|ir|oir|re)$"),
    abstract=re.compile(r"(?:tion|sion|té|tude|ment|isme|age|ure|ance|ence|esse|eur)s?$"),
    plural_form=re.compile(r"..s$"),
    plural_verb=re.compile(r"nt$"),
    selves=words_of(""),
    reflexives=words_of(""),
    ones=words_of("un une"),
    signs="·•‧⋅.-",
    participial=re.compile(r"(?:ant|ée?)s?$"),
    kept_ending=re.compile(r"ée?s?$"),
    alternatives=words_of("ou"),
    function_words=words_of(
        """
        le la les l' un une des du de d' et est a à il elle que qui qu' pas ne dans pour au aux ce
        cette son sa ses leur je vous nous c' s' n' j' tu te toi moi je avec sur ont
        """
    ),
    ambiguous=words_of(
        """
        etranger milieu milieux politique politiques physique musique technique pratique critique
        critiques
        garde gardes guide guides chef page livre mousse poste poele cuisiniere marine portable
        domestique aide nature capital cadre cadres parti partie general generale commandant local
        locaux public autre meme second seconde premier majeur major mineur mineure ouvriere
        original ancien ancienne nouveau nouvelle marche marches part conseil conseils trompette
        personnel cafetiere assiette batterie orange cardinal commerciale commercial commerciaux
        mort morts vieux vieille petit petite petits petites grand noir noirs blanc blanche blancs
        moderne civil civile militaire militaires professionnel professionnelle agent historique
        conservateur expedition chere cher ordinateur moteur facteur facteurs secteur m conduite
        enseigne physicien producteur producteurs comique solitaire local nationale locale juste
        prime primaire pilote pilotes premiere premieres cellule serveur serveurs interne internes
        calculatrice imprimante reporter suite tueuse depute americain americaine anglais anglaise
        francais francaise espagnol espagnole italien italienne allemand allemande europeen
        europeenne national grec grecque romain romaine russe britannique chinois chinoise
        japonais japonaise indien indienne africain africaine juif juive chretien chretienne
        catholique protestant protestante social liberal liberale
        """
    ),
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
    accented=words_of("à où né nés dû là été sûr"),
)


class French(RomanceReader):
    """Reader of French translations."""

    code = "fr"
    name = "French"
    version = 1
    grammar = _GRAMMAR
    language = LANGUAGE
    token_pattern = re.compile(
        r"quelqu['’] ?une?\b|[^\W\d_]+['’](?= ?\w)|"
        r"[^\W\d_]+(?:-(?!(?:t-)?(?:je|tu|ils?|elles?|nous|vous|on|ce|les?|la|lui|leur|là|ci)\b)[^\W\d_]+)*"
        r"(?:[@*]s?(?!\w))?|\d+|[^\w\s\u200b-\u200f\u2060\ufeff]"
    )

    def lexicon_lookup(self, surface: str) -> Word:
        """Return what the first-person reader knows of a word."""
        return LEXICON.lookup(surface)

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
