"""Slavic texts written without diacritics: "Som sikovna", "Zrobilam to", "Jsem unaveny".

Such a text is read a second time, by a reader whose tables have lost their diacritics as well. The
closed classes keep their tags. Of the endings that no longer tell a gender from another word, only
those are read that still do so in both genders: an adjective in -y whose feminine would be taken
for a noun is left unread, and so is a past tense whose feminine is also a present ("pozwalam").
"""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from monitor.languages.slavic._slavic_tags import (
    ADJ_F,
    ADJ_M,
    CUT,
    FUSED_F,
    FUSED_M,
    INF,
    PAST_F,
    PAST_M,
    PREP,
    VERB,
    longest_ending,
    table,
)
from monitor.languages.slavic._slavic_text import fold

_ACCENTED = re.compile(r"[\u00c0-\u024f\u0300-\u036f\u0400-\u052f]")
Ending = Callable[[str], int]


def is_bare(text: str) -> bool:
    """Return whether the text has no letter with a diacritic."""
    return text.isascii() or not _ACCENTED.search(text)


def without_diacritics(words: Mapping[str, int]) -> dict[str, int]:
    """The table with its forms folded; forms that fold alike have the tags of each other."""
    folded: dict[str, int] = {}
    for form, tags in words.items():
        for bare in {fold(form), fold(form.replace("đ", "dj"))}:
            folded[bare] = folded.get(bare, 0) | tags
    for bare, tags in folded.items():
        if (
            tags & CUT and tags & PREP
        ):  # "że" and "ze", "že" and "ze": the subordinator is far more frequent
            folded[bare] = tags & ~PREP
    return folded


# --- Czech and Slovak ---------------------------------------------------------------------------

# Stems of hard adjectives said of people, apart from those with a productive ending.
_STEMS = """
dobr bystr mokr star mlad mal tvrd hrd vysok sirok divok bohat mil nemil tich such hluch slep lys
stal zral nezral smel nesmel vesel dospel osamel ospal rychl pomal bled cist prost tup drah blah
lin uboh nah zdrav nezdrav hrav zvedav prav ziv syt hotov nov zenat chud zl velk sladk krehk vlazn
slab jedin jist ist vedom
sebevedom sebavedom zavisl vytrval stydliv skared oblecen spinav trpeliv hrd tvrd bab nevrl schopn
"""
_STEMS_CS = "chytr moudr hloup skoup hezk tezk lehk mekk hlubok tlust unav"
_STEMS_SK = "mudr hlup skup tazk lahk makk hlbok tlst lakav vydat"
# Nouns that look like adjectives in -na.
_NOUNS = frozenset(
    """
    zena slecna panna kralovna princezna cena scena zmena vymena odmena premena promena strana brana
    rana hrana stena vlna vina jedna jmena mena koruna fontana hygiena arena domena matrona patrona
    zona vana vrana banana fena hyena sirena kazana tribuna luna okna vojna sauna fauna laguna opona
    norma antena lana kolena ramena semena plemena pismena ziadna
    """.split()
)
_PRODUCTIVE = re.compile(r".{2,}(?:[^aeiouy]n|[aeou]n|liv|nut|jat)[ya]$")
# Verbs that look like the nouns in -tel, -del, -rel, and in the feminine like their genitives.
_VERBS_CS = "videl vedel sedel letel vrtel chtel vadel hledel vrel horel"
_VERBS_SK = "videl vedel sedel letel vrtel"


_VOWELS = (("y", ADJ_M), ("a", ADJ_F))


def _west(stems: str, endings: Mapping[str, int]) -> Ending:
    listed = {stem + vowel: tag for stem in stems.split() for vowel, tag in _VOWELS}

    def ending(key: str) -> int:
        plain = key.removeprefix("ne")
        if plain in listed:
            return listed[plain]
        if plain[:-1] + "a" in _NOUNS:
            return 0
        if _PRODUCTIVE.match(key):
            return ADJ_M if key.endswith("y") else ADJ_F
        return longest_ending(key, endings)

    return ending


_CZECH = _west(
    _STEMS + _STEMS_CS,
    table(
        (PAST_M, _VERBS_CS),
        (PAST_F, [verb + "a" for verb in _VERBS_CS.split()]),
        (PAST_F, "vladla ladla bidla"),
    ),
)
_SLOVAK = _west(
    _STEMS + _STEMS_SK,
    table(
        (PAST_M, _VERBS_SK),
        (PAST_F, [verb + "a" for verb in _VERBS_SK.split()]),
        (PAST_F, "vladla"),
        (INF, "at it et ut yt ast iest act iect ct"),
        (ADJ_M, "ejsi mladsi starsi lepsi horsi vacsi mensi vyssi nizsi krajsi ujuci ajuci iaci"),
        (ADJ_F, "ejsia mladsia starsia lepsia horsia vacsia mensia vyssia nizsia krajsia"),
        (ADJ_F, "ujuca ajuca iaca"),
    ),
)

# --- Polish -------------------------------------------------------------------------------------

# Stems of adjectives in -ły, which without its stroke is the ending of nouns as well.
_STEMS_PL = """
mil niemil mal stal doskonal wspanial dojrzal niedojrzal dorosl niedorosl wytrwal zuchwal niesmial
smial dbal niedbal zarozumial zl czul nieczul ospal bial oslupial zgorzknial otyl podl trwal ulegl
zaniedbal okazal wyniosl wsciekl zaciekl ciepl szczupl smukl oziebl wesol
"""
_VERBS_DL = "jadl padl kradl siadl kladl gadl chudl wiodl wiedl bladl"
_PAST_STEMS = f"al il yl ul gl kl sl zl rl {_VERBS_DL}"
# Verbs in -nąć and -jąć have another vowel in each gender: minąłem, minęłam.
_PAST_FEMININES = f"{_PAST_STEMS} nel jel ziel czel szl"
_POLISH_ENDINGS = table(
    (FUSED_M, [stem + "em" for stem in (*_PAST_STEMS.split(), "szedl")]),
    (FUSED_F, [stem + "am" for stem in _PAST_FEMININES.split()]),
    (FUSED_M, "lbym"),
    (FUSED_F, "labym"),
    (PAST_M, [*_PAST_STEMS.split(), "szedl"]),
    (PAST_F, [stem + "a" for stem in _PAST_FEMININES.split()]),
    (VERB, "dzialam sylam dzielam"),
    (FUSED_F, "edzialam idzialam"),
    (INF, "ac ic yc ec uc oc sc zc"),
    (ADJ_M, "jacy dzacy szacy czacy"),
    (ADJ_F, "jaca dzaca szaca czaca"),
)
# The first person of the present of verbs in -lać, some of them spelt like another verb's past.
_PRESENTS = frozenset(
    """
    pozwalam zezwalam przyzwalam wyzwalam zwalam rozwalam zawalam nawalam powalam wywalam dowalam
    uchwalam pochwalam utrwalam zniewalam palam zapalam spalam wypalam opalam rozpalam podpalam
    przepalam dopalam ustalam oddalam ocalam obalam skalam kalam zasilam posilam nasilam
    wysilam schylam uchylam pochylam przechylam nachylam wychylam odchylam umilam zapylam przytulam
    otulam utulam wtulam rozczulam znieczulam uczulam okreslam skreslam podkreslam wykreslam
    zakreslam wymyslam zamyslam domyslam namyslam rozmyslam przemyslam obmyslam hulam zakulam
    """.split()
)
# Masculines of those, and instrumentals and nominatives of nouns in -l and -la.
_NO_PAST = frozenset(
    """
    spalem oddalem ustalem zwalem medalem szpitalem festiwalem metalem detalem lokalem
    skandalem portalem zalem palem kowalem szalem profilem stylem motylem badylem krokodylem
    cyklem motocyklem monoklem debilem automobilem medal szpital festiwal metal detal lokal skandal
    portal zal pal kowal szal profil styl motyl badyl krokodyl debil automobil mobil chwila mila
    tequila sala fala skala gala kula ula bula regula formula willa lula spal oddal ustal
    spala oddala ustala
    """.split()
)


def _polish(key: str) -> int:
    if key in _PRESENTS:
        return VERB
    return 0 if key in _NO_PAST else longest_ending(key, _POLISH_ENDINGS)


def _none(_key: str) -> int:
    return 0


#: What endings say besides those of the language itself, and the languages that are read so.
BARE: Mapping[str, Ending] = MappingProxyType(
    {"cs": _CZECH, "sk": _SLOVAK, "pl": _polish, "hr": _none, "sr": _none, "sl": _none}
)
_SILENT = {"pl": _PRESENTS | _NO_PAST}  # forms whose ending is not asked


def bare_tables(
    code: str, words: Mapping[str, int], ending: Ending
) -> tuple[Mapping[str, int], Ending]:
    """The word table and the endings of a language for text without diacritics."""
    if code == "pl":  # "pracuje" may be "pracuję" or "she works"
        words = {form: tags for form, tags in words.items() if not form.endswith("ję")}
    table = without_diacritics(words)
    if code == "pl":
        table |= {f"{stem}{vowel}": tag for stem in _STEMS_PL.split() for vowel, tag in _VOWELS}
    bare, silent = BARE[code], _SILENT.get(code, frozenset())

    def either(key: str) -> int:
        return bare(key) or (0 if key in silent else ending(key))

    return table, either
