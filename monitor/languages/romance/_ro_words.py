"""Romanian word lists read by :mod:`monitor.languages.romance.ro`: closed classes and verbs.

Every word is written without diacritics unless they tell two words apart; look-ups fold them away,
commas and cedillas alike. The lists follow the Academia Română's "Gramatica limbii române".
"""

from collections.abc import Mapping

from monitor.data import read_toml
from monitor.languages.romance import _romance_tags as lex
from monitor.languages.romance._romance_tags import folded as _set

# What people are and what is said of them.
_PEOPLE = read_toml("person_words_ro")
FIXED_NOUNS = _set(_PEOPLE["fixed_nouns"])
COMMON_NOUNS = _set(_PEOPLE["common_nouns"])
ROLE_PAIRS: str = _PEOPLE["role_pairs"]
THINGS = _set(_PEOPLE["things"])
HUMAN_ADJECTIVES = _set(_PEOPLE["human_adjectives"])
OTHER_ADJECTIVES = _set(_PEOPLE["other_adjectives"])
IRREGULAR_PARTICIPLES = _set(_PEOPLE["irregular_participles"])
EPICENE_ADJECTIVES = _set(_PEOPLE["epicene_adjectives"])
NOT_INCLUSIVE = _set(_PEOPLE["not_inclusive"])
ADJECTIVE_PAIRS: str = _PEOPLE["adjective_pairs"]
PRENOMINAL = _set(_PEOPLE["prenominal"])
NOT_FRONTED = _set(_PEOPLE["not_fronted"])

# --- Function words -----------------------------------------------------------------------------

# "Să" stands between a verb and the subjunctive that it governs.
ADVERBS = _set("""
acasa afara jos sus departe imediat regulat constant evident frecvent permanent absolut complet
deplin direct probabil foarte prea mai atat asa tot cam destul mereu intotdeauna niciodata inca
deja si nu nici doar numai chiar bine acum azi ieri maine aici acolo atunci apoi poate aproape
extrem de super uneori adesea deseori mult putin cat sa tocmai totusi asemenea complet total cu
adevarat decat ori ca atare
""") - _set("si cu ca ori de")
# Before "de" and an adjective: "destul de obosită".
DEGREES = _set("atat destul suficient extrem asa cat deosebit foarte prea teribil incredibil")
QUANTITIES = _set("pic strop tic")
PREPOSITIONS = _set("""
in la pe cu de din prin pentru fara sub peste intre contra catre spre dupa inainte pana despre langa
dintre printre asupra impotriva intr dintr printr fata spre pentru
""") - _set("fata")
SUBORDINATORS = _set("cand daca unde fiindca deoarece desi care cine cum incat intrucat cat")
COORDINATORS = _set("si sau dar iar ori insa ci nici deci")
BEFORE_QUE = _set("")
OTHER_PRONOUNS = _set("""
el ea tu dumneavoastra ei ele noi voi cineva nimeni altcineva toti toate fiecare asta acesta
aceasta aceea acela ceea nimic ceva dansul dansa
""") - _set("voi")
OTHER_PEOPLE = _set("""
el ea sora fratele frate mama tata fiul fiica prietenul prietena prieten sotul sotia femeie barbat
iubitul iubita seful sefa vecinul vecina copilul baiatul fata profesorul profesoara colegul colega
matusa unchiul verisoara partenerul partenera bunica bunicul pacientul ii le
""")
MASCULINE_DETERMINERS = _set("un cel acest acel unul niciun alt")
FEMININE_DETERMINERS = _set("o cea aceasta acea una nicio alta")
OTHER_DETERMINERS = _set(
    "niste toti toate cei cele acesti aceste acei acele fiecare orice doi doua trei al a ai ale"
)
TIME_NOUNS = _set("""
zi ziua noapte noaptea saptamana luna an anul dimineata seara moment timp ora minut vara iarna
toamna primavara weekend weekendul ani zile ore copilarie luni marti miercuri joi vineri sambata
duminica
""")

# --- Verbs --------------------------------------------------------------------------------------

IRREGULAR_COPULAS: dict[str, dict[str, str]] = {
    "fi": {
        "1": "sunt sînt eram fusesem fiu", "I": "fi", "G": "fiind", "P": "fost",
        "3": "este e era erau suntem sunteți ești erai fie fii fusese îs",
    },
    "deveni": {"1": "devin deveneam", "I": "deveni", "G": "devenind", "P": "devenit",
               "3": "devine devenea devină"},
    "rămâne": {"1": "rămân rămâneam", "I": "rămâne", "G": "rămânând", "P": "rămas",
               "3": "rămânea rămână"},
    "părea": {"1": "par păream", "I": "părea", "P": "părut", "3": "pare părea"},
    "sta": {"1": "stau stăteam", "G": "stând", "P": "stat", "3": "stă stătea stea"},
    "ajunge": {"1": "ajung ajungeam", "P": "ajuns", "3": "ajunge ajungă"},
    "trăi": {"1": "trăiesc trăiam", "I": "trăi", "G": "trăind", "P": "trăit"},
    "locui": {"1": "locuiesc locuiam", "I": "locui", "G": "locuind", "P": "locuit"},
    "crește": {"1": "creșteam", "P": "crescut"},
    "merge": {"1": "merg mergeam", "I": "merge", "G": "mergând", "P": "mers"},
    "veni": {"1": "vin veneam", "I": "veni", "P": "venit"},
    "pleca": {"1": "plec plecam", "I": "pleca", "P": "plecat"},
    "călători": {"1": "călătoresc călătoream", "I": "călători", "P": "călătorit"},
    "dormi": {"1": "dorm dormeam", "I": "dormi", "P": "dormit"},
    "întoarce": {"1": "întorc", "P": "întors"},
    "lucra": {"1": "lucrez lucram", "I": "lucra", "G": "lucrând", "P": "lucrat"},
    "munci": {"1": "muncesc munceam", "I": "munci", "P": "muncit"},
}  # fmt: skip
DEPICTIVE = _set("ajunge trai locui creste merge veni pleca calatori dormi intoarce")
WORKING = _set("lucra munci")

IRREGULAR_ME_VERBS: dict[str, str] = {
    "sentir": "simt simte simțeam simțea simțit simți simțind simțise simtă simțeau",
    "face": "face fac făcea făcut făceau facă făcând",
    "vedea": "văd vede vedeam vedea văzut vedeau vadă",
    "crede": "cred crede credeam credea crezut credeau",
    "considera": "consider consideră consideram considera considerat considerând considere "
    "considerau",
    "găsi": "găsesc găsește găsit găsi", "numi": "numesc numește numeau numit",
    "lăsa": "lasă lăsat lase lăsa lăsau", "ține": "țin ține ținut ținea",
    "trezi": "trezesc trezeam trezit trezi", "socoti": "socotesc socotit",
    "declara": "declar declarat", "arăta": "arăt arătat",
    "descrie": "descriu descrie descriau descris",
    "transforma": "transform transformat", "imagina": "imaginez imaginam imaginat",
    "prezenta": "prezint prezentat", "trata": "tratează trata tratau tratat",
    "alege": "ales", "culca": "culc culcam culcat", "purta": "port purtat",
}  # fmt: skip
REGULAR_ME_VERBS = _set("")
ME_BARE = _set("""
sentir face vedea crede considera gasi numi lasa tine trezi socoti declara arata imagina culca
""")
ME_DE = _set("")
ME_IN = _set("transforma")
ME_COMO = _set("sentir vedea considera descrie imagina prezenta trata purta")
ME_STRICT = _set("face vedea lasa tine trezi arata numi culca gasi")
OBJECT_CONTROL: tuple[str, ...] = (
    "ajut", "invat", "oblig", "convin", "incuraj", "permi", "fort", "sfatu", "cere", "cerut",
)  # fmt: skip
FIRST_VERBS = _set("""
am as voi vreau pot stiu fac cred simt merg vin iau dau beau vad aud scriu citesc spun duc aduc
pun tin raman sper ador iubesc urasc lucrez muncesc joc cant dansez invat predau caut gasesc
incerc prefer doresc consider imaginez admit accept evit plang conduc gatesc folosesc visez
vorbesc ascult cumpar vand platesc ajut alerg calatoresc traiesc locuiesc cresc
""")
OTHER_VERBS = _set("""
a au ai are avea va vor ar ati are poate trebuie vrea stie face spune zice crede simte vine merge
ia da place pare pune tine cere
""") - _set("poate a")
SAYING_VERBS = _set(
    "spus zis raspuns intrebat adaugat spune zice raspunse zise intreba scris soptit strigat"
)
PLURAL_SAYING = _set("ziceau spuneau")

# --- Languages ----------------------------------------------------------------------------------

LETTERS = "ășțşţ"
OWN_WORDS = frozenset(
    """
sunt să și şi că nu mă în eram este era fost fiu mi mai foarte cu pentru care când din pe eu aș
aş vreau mea meu mei mele ma sa si ca ce dar sau dacă ea ei lui lor acest această acum când mult
fără după într dintr simt cred știu ştiu pot trebuie atunci toate toți tot a la asta cel cea deși
prea bărbat femeie
""".split()
)
FOREIGN_WORDS = frozenset(
    """
i'm i the is was my and of to it not have has had you she they we at for with that this were been
but so very feel because when an by from are did je suis et des une est pas mais dans moi avec
pour qui très mon estoy soy muy los las pero con por para yo ella cuando estaba não uma com minha
sou estou muito ele jo sóc estic molt els sono che il io ho questo stato molto anche ich bin der
die ein eine und nicht war sehr ik ben een het niet jestem som byl byla
""".split()
)
CHAT: Mapping[str, str] = {"îs": "sunt", "sînt": "sunt", "ms": "mersi", "f": "foarte"}

# --- Words the reader asks for by themselves ----------------------------------------------------

EPICENE_ENDINGS = "e"
SMALL = "mic"
MAKE = "face"
SEEING = "vedea"
LEAVING: tuple[str, ...] = ("las", "gas")
ONE = _set("un o")
OR = _set("sau ori")
WHOLLY = _set("tot toata")
SO = _set("atat asa")
HOW = _set("cat")
HAVING = _set("am ai a au ati aveam avea as ar voi va vor")
ALWAYS = _set("intotdeauna mereu")
NOT_MANNER = _set("mut muta tare greu usor rau bun gol direct sigur mult")
KINDS = _set("tip fel")
MAYBE = _set("poate")
NEUTERS = _set("asta aceasta nimic ceva")
INFINITIVES: tuple[str, ...] = ()
IMPERFECTS: tuple[str, ...] = ("am",)
COMPLEMENTS: Mapping[str, frozenset[str]] = {"sigur": _set("ca de"), "bun": _set("la in")}
IMPERSONAL = _set("fi")
GERUNDS: tuple[str, ...] = ("and", "ind")
INTO = _set("in")
SUPERLATIVE = _set("mai")
NOT_ARTICLES = _set("toti toate fiecare")
LIKE_NOUNS = _set("singurul singura primul prima ultimul ultima unicul unica acelasi aceeasi mare")
THOSE = _set("cel cea acela aceea")
AFTER_THOSE = _set("care ce de")
WHAT = False
THAT = _set("ca care")
AMONG = _set("dintre")
ARTICLES = _set("un o")
ELIDED = _set("")
MINE = _set("meu mea mei mele")
ABBREVIATIONS = _set("dl dna dr")
ACTS = _set("")
BECOMING_NOUNS = _set("")
LIKENING = _set("sentir")
MAKING = _set("face lasa tine")
JUDGING = _set("considera vedea crede numi")
FUTURE_SUBJUNCTIVE = _set("")
NOT_AFTER_SELF = _set("")
SUBJUNCTIVES = _set("")
SAME_SUBJECT = _set("data")
POSTS = _set("slujba post cariera viata rol rolul experienta functie")
ROLE_PREPOSITIONS = _set("")
NOT_BEFORE_AS = _set("atat asa mai")
SEXES = _set("femeie barbat")
AGES = _set("copil copila mic mica tanar tanara")
AGE_OPENERS = _set("de")
AUXILIARIES = _set("""
am ai a au ati aveam as ar voi va vor sa nu mai fi fost foarte mereu niciodata inca de pot poate
incep
""")
TAGGED: tuple[tuple[frozenset[str], int], ...] = (
    (_set("eu"), lex.EU),
    (_set("ma m"), lex.ME | lex.CLITIC),
    (_set("mine"), lex.TO_ME),
    (OTHER_PRONOUNS, lex.OTHER),
    (MASCULINE_DETERMINERS | FEMININE_DETERMINERS, lex.DETERMINER),
    (OTHER_DETERMINERS - _set("a ai"), lex.DETERMINER),
    (PREPOSITIONS, lex.PREPOSITION),
    (SUBORDINATORS, lex.SUBORDINATOR),
    (COORDINATORS, lex.COORDINATOR),
    (ADVERBS, lex.ADVERB),
    (OTHER_VERBS | {"a"}, lex.OTHER_VERB),
    (SAYING_VERBS, lex.SAYING),
    (OR, lex.OR),
    (_set("ca drept"), lex.COMO),
    (_set("cand"), lex.WHEN),
    (_set("insumi insami"), lex.SELF),
    (_set("singur singura"), lex.SOZINHO),
    (_set("te se il o ne va le ii l i mi imi iti isi ti si"), lex.CLITIC),
    (TIME_NOUNS, lex.TIME),
    (OTHER_PEOPLE, lex.PEOPLE),
    (AUXILIARIES, lex.AUXILIARY),
)
BY_ACCENT: Mapping[str, int] = {
    "că": lex.SUBORDINATOR, "să": lex.ADVERB | lex.AUXILIARY, "și": lex.COORDINATOR,
    "şi": lex.COORDINATOR, "îi": lex.CLITIC, "va": lex.OTHER_VERB,
    "a": lex.OTHER_VERB | lex.AUXILIARY, "fără": lex.PREPOSITION,
}  # fmt: skip
