"""Italian."""

import re
from collections.abc import Iterable

from monitor.entities._nouns import NounGender
from monitor.entities._reader import Token
from monitor.entities._romance import RomanceReader
from monitor.entities._romance_grammar import F, Grammar, M, words_of
from monitor.languages.romance._romance_tags import Word
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


_GRAMMAR = Grammar(
    masculine_determiners=words_of(
        """
        il lo i gli un uno del dello dei degli al allo ai agli dal dallo dai dagli nel nello nei
        negli sul sullo sui sugli questo questi quel quello quei quegli quelli mio miei tuo tuoi
        suo suoi nostro nostri vostro vostri nessun nessuno alcun alcuno alcuni altro altri certo
        certi tutto tutti molti pochi quanti tanti stesso stessi entrambi parecchi primo unico
        vari diversi
        """
    ),
    feminine_determiners=words_of(
        """
        la le una un' della delle alla alle dalla dalle nella nelle sulla sulle questa queste
        quella quelle mia mie tua tue sua sue nostra nostre vostra vostre nessuna alcuna alcune
        altra altre certa certe tutta tutte molte poche quante tante stessa stesse entrambe
        parecchie prima unica varie diverse
        """
    ),
    other_determiners=words_of(
        """
        l' dell' all' dall' nell' sull' quest' quell' loro ogni qualche gran grandi miglior
        migliore migliori peggiori due tre quattro cinque sei
        """
    ),
    inclusive_determiners=words_of("l* lə ə"),
    masculine_pronouns=words_of("lui egli esso"),
    feminine_pronouns=words_of("lei ella"),
    weak_masculine_pronouns=words_of("ognuno ciascuno colui"),
    weak_feminine_pronouns=words_of("essa esse ognuna ciascuna qualcuna nessuna colei"),
    masculine_clitics=words_of("lo li gli"),
    feminine_clitics=words_of("la le"),
    clitics=words_of("lo la li le gli l' si ci vi mi ti ne glielo gliela s' m' t' c'"),
    articles=words_of(
        """
        il lo la i gli le un uno una un' del dello della dei degli delle al allo alla ai agli alle
        dal dallo dalla dai dagli dalle nel nello nella nei negli nelle sul sullo sulla sui sugli
        sulle mio mia miei mie tuo tua suo sua suoi sue nostro nostra
        """
    ),
    datives=words_of("le gli"),
    copulas=words_of(
        """
        è sono era erano fu furono sara saranno sarebbe sarebbero sia siano fosse fossero essere
        essersi essendo stato stata stati state siamo siete sei ero eri eravamo eravate saresti
        sarai sareste sarete fosti foste fossi sii siate rimani rimanga resti sembri sembrate
        diventi stai stia saro saremo esser sta stava stavano stette diventa diventano divento
        diventarono diventava diventare diventato diventata divenne divennero divenuto divenuta
        rimane rimase rimasero rimaneva rimanere rimasto rimasta resta resto restava restare
        sembra sembrano sembrava sembravano sembro sembrare pare parve appare appariva viene
        vengono veniva venivano venne vennero verra venire sente sentiva sentivano sentono
        sentirono sentite sentivo sento senti sentirsi nacque mori ritiene riteneva considera
        considerava trova trovo mostra mostrava mostro torno va andava cadde dichiara dichiaro
        """
    ),
    auxiliaries=words_of(
        """
        ha hanno aveva avevano ebbe ebbero avra avrebbe abbia abbiano avere avendo ho hai abbiamo
        avete avessero avesse averti avermi averci avervi
        """
    ),
    negations=words_of(
        """
        cosi abbastanza non mai piu gia spesso certo solo molto poco tanto troppo tutto anche
        ancora persino perfino
        pure sempre ormai quasi
        """
    ),
    prepositions=words_of(
        """
        di a da in con su per tra fra senza contro verso durante dopo prima sotto sopra dentro
        fino del dello della dei degli delle dell' al allo alla ai agli alle all' dal dallo dalla
        dai dagli dalle dall' nel nello nella nei negli nelle nell' sul sullo sulla sui sugli
        sulle sull' d' secondo presso
        """
    ),
    conjunctions=words_of("e ed ma o perche quando mentre se come dove poiche sebbene anche pero"),
    relatives=words_of("che chi cui"),
    gender_of_ending=_gender_of_ending,
    neuter_subjects=words_of("cio questo quello quanto"),
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
    selves=words_of("stesso stessa stessi stesse"),
    reflexives=words_of("se sé sè lei lui"),
    ones=words_of("uno una"),
    alternatives=words_of("o"),
    function_words=words_of(
        """
        il lo la i gli le un una di che e è in non per con del della al alla ha si da sono era ho
        hanno ma come l' questo chi io tu noi voi cosa mio più suo
        """
    ),
    ambiguous=words_of(
        """
        jolly corso musiche promessa carriera duro duri primo primi sportiva sportive cina india
        argentina morte caduta medica fisico interno esterno interna esterna svizzeri tedesche
        permesso ferita ferite prova musica chimica fisica matematica politica tecnica meccanica
        pratica critica clinica informatica statistica pubblica logica grafica botanica guida
        guide spia guardia guardie capo corriere corrieri parte parti maschera maestra capi medio
        media medie generale generali maggiore maggiori minore minori superiore superiori legale
        legali prossimo prossima prossimi prossime caro cara cari care dama principale principali
        corista regia modello modelli pubblico prima seconda secondo piccolo piccola piccoli
        piccole giovane personale grande professionale civile civili militare militari stella star
        calcolatore motore trattore direttrice vettore cancelliere nero nera bianco bianca neri
        bianchi bianche americano americana americani americane inglese inglesi italiano italiana
        italiani italiane francese francesi tedesco tedesca tedeschi tedesche spagnolo spagnola
        greco greca greci romano romana romani romane russo russa britannico britannica europeo
        europea europei europee cinese cinesi giapponese giapponesi indiano indiana africano
        africana africani africane cristiano cristiana cattolico cattolica protestante protestanti
        latino latina liberale sociale classico vicino vicina morto pari compagnia rivista vista
        terapista commerciale capitano attrice locale nativo nativa nobile nobili radicale storico
        storica solitario matricola sole eletto eletta eletti conduttore
        """
    ),
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
    participle=re.compile(r"(?:[aiu]t|tt|s|rt|st|nt|lt)[oaie]$"),
    inclusive=re.compile(r"(?<=[^\W\d_]{3})(?:ə|ɜ|x|u|@|\*)$"),
    common_form=_common_form,
    accented=words_of("è né sì dà là lì"),
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

    def lexicon_lookup(self, surface: str) -> Word:
        """Return what the first-person reader knows of a word."""
        return LEXICON.lookup(surface)

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
