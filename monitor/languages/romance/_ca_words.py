"""Catalan word lists read by :mod:`monitor.languages.romance.ca`: closed classes and verbs.

Look-ups fold accents away, because machine translations and web pages lose them, except where an
accent tells two words apart. The lists follow the Institut d'Estudis Catalans' "Gramàtica de la
llengua catalana", with the forms of Valencian where they are common.
"""

from collections.abc import Mapping

from monitor.data import read_toml
from monitor.languages.romance import _romance_tags as lex
from monitor.languages.romance._romance_tags import folded as _set

# What people are and what is said of them.
_PEOPLE = read_toml("person_words_ca")
FIXED_NOUNS = _set(_PEOPLE["fixed_nouns"])
COMMON_NOUNS = _set(_PEOPLE["common_nouns"])
ROLE_PAIRS: str = _PEOPLE["role_pairs"]
ROLE_MASCULINES = frozenset(_PEOPLE["role_masculines"].split())
THINGS = _set(_PEOPLE["things"])
HUMAN_ADJECTIVES = frozenset(_PEOPLE["human_adjectives"].split())
OTHER_ADJECTIVES = frozenset(_PEOPLE["other_adjectives"].split())
SPELLED_PARTICIPLES = frozenset(_PEOPLE["irregular_participles"].split())
IRREGULAR_PARTICIPLES = _set(_PEOPLE["irregular_participles"])
EPICENE_ADJECTIVES = _set(_PEOPLE["epicene_adjectives"])
ADJECTIVE_PAIRS: str = _PEOPLE["adjective_pairs"]
PRENOMINAL = _set(_PEOPLE["prenominal"])
NOT_FRONTED = _set(_PEOPLE["not_fronted"])
NOT_INCLUSIVE = _set(_PEOPLE["not_inclusive"])

# --- Function words -----------------------------------------------------------------------------

# Words that may stand between a copula and its predicate, or between "jo" and its verb.
ADVERBS = _set("""
molt tan tant bé ben bastant més menys sempre mai ja encara mig massa quasi gairebé només solament
mal també no poc força prou super hiper extra ara avui ahir demà aquí allí allà així llavors
aleshores realment després abans recentment fins potser tampoc aviat tard sumament igualment
certament simplement aparentment pas gens sinó inclús
""")

# "Una mica cansada": an article that belongs to a quantity, not to a noun.
QUANTITIES = _set("mica poc tant pèl xic")

PREPOSITIONS = _set("""
de d' d’ del dels en per amb sense sobre entre contra des fins davant darrere durant segons al als
a ca pel pels vers mitjançant sota excepte dins
""")

# Words that open a new clause; the subject of the clause before it may carry over.
SUBORDINATORS = _set("que què perquè si quan mentre doncs on qui puix")
COORDINATORS = _set("i o u però ni sinó")

# Before "que": a conjunction or a verb of saying, so that "que" is not a relative pronoun.
BEFORE_QUE = _set("""
per ja abans després així sempre sense des fins vegada tal certesa vist atès por de més posat crec
dir dic diu sabia es penso pensava sento sentia vaig saber veure decidir espero esperava volia vull
tinc tenia creia creure admeto confesso descobrir entendre recordo prometre semblo sembla semblava
tan diuen deien segur segura content contenta temo reconec afirmo nego accepto sospito imagino
suposo convençut convençuda orgullós orgullosa conscient feliç encara amb menys
""")

OTHER_PRONOUNS = _set("""
ell ella vostè vosaltres ells elles vostès això allò algú ningú qui nosaltres tu vós hom
""")
OTHER_PEOPLE = _set("""
ell ella vostè germana germà mare pare fill filla amic amiga marit muller esposa dona home xicot
xicota veí veïna nen nena professor professora col·lega tia oncle cosí cosina company companya avi
àvia nebot neboda sogra sogre cunyat cunyada pacient li noi noia algú
""")

MASCULINE_DETERMINERS = _set("""
el un meu teu seu nostre aquest aqueix aquell algun altre cert vostre mon ton
""")
FEMININE_DETERMINERS = _set("""
la una meva teva seva meua teua seua nostra aquesta aqueixa aquella alguna altra certa vostra ma ta
""")
OTHER_DETERMINERS = _set("""
l' l’ els les uns unes meus meves teus teves seus seves nostres aquests aquestes aquells aquelles
alguns algunes molts moltes tots totes cada qualsevol pocs poques diversos diverses altres dos dues
tres ambdós ambdues cap sengles
""")

# "Un dia", "aquesta nit": noun phrases that tell the time and are no subject.
TIME_NOUNS = _set("""
dia vegada nit setmana mes any matí tarda moment temps hora minut segon estiu hivern tardor
primavera instant fi dies vegades anys època infància dissabte diumenge dilluns dimarts dimecres
dijous divendres última pròxima
""")

# --- Verbs --------------------------------------------------------------------------------------

# person: 1 first person only; A first or third; I infinitive; G gerund; P participle; 3 somebody
# else. Irregular forms are written out with their accents, regular ones are conjugated.
IRREGULAR_COPULAS: dict[str, dict[str, str]] = {
    "ser": {
        "1": "sóc soc fui seré", "A": "era seria fos sigui", "I": "ser ésser", "G": "sent essent",
        "P": "estat sigut",
        "3": "és són eren som sou érem serà seran seríem serem ets eres sereu siguin",
    },
    "estar": {
        "1": "estic estiguí estaré", "A": "estava estaria estigui estigués", "I": "estar",
        "G": "estant",
        "3": "està estan estaven estem esteu estarà estàvem estigué estarem estàs",
    },
    "semblar": {}, "quedar": {}, "restar": {}, "continuar": {}, "resultar": {},
    "seguir": {
        "1": "segueixo seguiré", "A": "seguia", "I": "seguir", "G": "seguint", "3": "segueix",
    },
    "romandre": {"1": "romanc romandré", "A": "romania", "I": "romandre", "3": "roman"},
    "esdevenir": {
        "1": "esdevinc esdevindré", "A": "esdevenia esdevindria esdevingués", "I": "esdevenir",
        "G": "esdevenint", "P": "esdevingut", "3": "esdevé esdevenen esdevindrà",
    },
    "sentir": {
        "1": "sento sentiré", "A": "sentia sentiria sentís senti", "I": "sentir", "G": "sentint",
        "P": "sentit", "3": "senten sentirà",
    },
    # Machine translations put it for "to get".
    "rebre": {"1": "rebo rebré", "A": "rebia", "I": "rebre", "3": "rep reben"},
    "tornar": {}, "arribar": {}, "acabar": {}, "despertar": {}, "caminar": {}, "viatjar": {},
    "viure": {"1": "visc viuré", "A": "vivia visqués", "I": "viure", "G": "vivint", "3": "viuen"},
    "dormir": {"1": "dormo dormiré", "A": "dormia", "I": "dormir", "G": "dormint", "3": "dorm"},
    "sortir": {"1": "surto sortiré", "A": "sortia", "I": "sortir", "G": "sortint", "3": "surt"},
    "néixer": {"I": "néixer"}, "créixer": {"1": "creixo", "A": "creixia", "I": "créixer"},
    "morir": {"1": "moro moriré", "A": "moria", "I": "morir", "3": "mor"},
    "venir": {"1": "vinc vindré", "A": "venia", "I": "venir", "G": "venint", "3": "ve venen"},
    "anar": {"1": "aniré", "A": "anava aniria", "I": "anar", "G": "anant"},
    "seure": {"1": "sec seuré", "A": "seia", "I": "seure", "G": "seient"},
    "treballar": {}, "entrenar": {}, "actuar": {}, "començar": {}, "servir": {"I": "servir"},
    "fer": {"1": "faig faré", "A": "feia", "I": "fer", "G": "fent"},
}  # fmt: skip
REGULAR_FORMS_OF = frozenset(
    "semblar quedar restar continuar resultar tornar arribar acabar despertar caminar viatjar "
    "treballar entrenar actuar començar".split()
)

# With these a predicate must be a word known as an adjective: "vaig arribar aviat".
DEPICTIVE = _set("""
tornar arribar acabar despertar caminar viatjar viure dormir sortir morir venir anar seure sentir
rebre resultar
""") | frozenset({"néixer", "créixer"})
# With these only "com a ..." or "de ..." opens a predicate: "treballo com a infermera".
WORKING = _set("treballar fer entrenar actuar començar servir")

# Verbs that say something of "me": reflexive or not, whoever is their subject.
IRREGULAR_ME_VERBS: dict[str, str] = {
    "sentir": "sento sent sentia sentiré sentiria sentís senti sentir sentint sentit senten",
    "fer": "faig fa fan feia feien faré farà faria fes faci fer fent fet",
    "oferir": "ofereixo oferia oferir oferint ofert",
    "creure": "crec creia creu creuen creure",
    "veure": "veig veu veuen veia veure veient vist veuria",
    "mantenir": "mantinc manté mantenen mantenia mantenir mantenint mantingut",
    "convertir": "converteixo converteix convertia convertir convertint convertit convertiré",
    "descriure": "descric descriu descriuen descriuria descriure",
    "elegir": "elegir elegit elegeixen",
    "escollir": "escollir escollit",
    "tenir": "té tenen tenia",
    "vestir": "vesteixo vestia vestir",
    "reconèixer": "reconec reconeixen",
    "dir": "diuen deien diu deia",
    "seure": "sec seia seure",
}
REGULAR_ME_VERBS = _set("""
considerar deixar quedar declarar imaginar anomenar nomenar tractar presentar retratar identificar
classificar contractar formar criar graduar llevar transformar etiquetar jutjar casar coronar
titllar qualificar posar tornar trobar mostrar despertar ficar trucar
""")
# What introduces the predicate of "me": nothing, "de", "en", "com".
ME_BARE = _set("""
oferir trucar sentir fer posar tornar veure mantenir trobar elegir escollir mostrar considerar
deixar quedar declarar imaginar anomenar nomenar creure despertar llevar jutjar tenir coronar
ficar dir seure
""")
ME_DE = _set("tractar titllar qualificar etiquetar vestir")
ME_IN = _set("convertir transformar")
ME_COMO = _set("""
sentir veure descriure considerar imaginar mostrar presentar tractar retratar classificar
identificar contractar etiquetar formar graduar vestir
""") | frozenset({"reconèixer"})
# After these an unknown word is more often an object: "em va fer companyia".
ME_STRICT = _set("""
oferir trucar fer posar veure mostrar deixar trobar mantenir anomenar tenir despertar llevar seure
creure ficar dir
""")

# "Vaig ajudar el meu fill a ser fort": the infinitive belongs to the object.
OBJECT_CONTROL: tuple[str, ...] = (
    "ajud", "enseny", "mana", "oblig", "convenc", "convenç", "anim", "perm", "forc", "aconsell",
    "motiv", "demana", "deix", "imped", "convid",
)  # fmt: skip

FIRST_VERBS = _set("""
he tinc vaig vinc puc faig dic dono vull veig poso porto sento perdo prefereixo segueixo llegeixo
crec caic visc aprenc decideixo conec aconsegueixo obro entenc responc trio oblido prometo penso
necessito intento somio recordo estudio parlo uso començo passo deixo compro cuido jugo ajudo canto
ballo entro trobo mostro imagino considero admeto accepto evito ploro condueixo cuino haig dec
escric bec corro venc dormo dedico odio depenc mereixo agraeixo pago arribo miro surto soc estic
quedo confio dubto rebutjo prenc entreno lluito guanyo pateixo somric adoro estimo espero treballo
menjo netejo preparo duc
""")

OTHER_VERBS = _set("""
té va pot fa vol sap ha fou ve diu creu pensa agrada necessita queda segueix van diuen creuen pensen
poden deuen volen saben tenim podem feien existeix has han hem heu vam vau vas tenen estan eren
""")
SAYING_VERBS = _set("diu deia dir cridar preguntar respondre exclamar afirmar")
PLURAL_SAYING = _set("diuen deien diran dirien")
SAID_BY_MANY = _set("van")  # with "dir": "em van dir que ..."

# --- Languages ----------------------------------------------------------------------------------

LETTERS = ""
OWN_WORDS = frozenset(
    """
jo amb sóc estic molt els meva meu meus meves perquè però vaig quan és aquest aquesta aquell aquella
això allò també només ell ells elles hem han van vam som són tinc faig puc vull crec dona noia noi
nen nena fill germà germana avi àvia més què l' d' m' s' n' t' ens dels als pel vostè sense fins
després abans aquí avui ahir anys estava sentia treballo feina dues any té fou seva seu nostre
nostra cap gaire massa res tot gent haig vas sento semblo quedar mateix mateixa
""".split()
)
FOREIGN_WORDS = frozenset(
    """
as got became should worked remained alone como quando foi tenho tive tinha para sido estuve
desde después pero myself consider could would your let does don can about who what the am was is
and my of to it not have had you she they we at for with that this were been but so very i'm feel
because when an by on from are did je suis le est mais dans moi avec pour très mon fatigué
fatiguée sono che di io questo stato stata molto anche perche perché gli della nel ich bin der die
ein eine und nicht war sehr mein ist zu eu não nao um uma minha minhas do na nas ou mas muito
muita sou estou ele eles isso isto também já até sua pelo pela ao à são vou fazer sem você tão bem
ainda agora hoje ontem mulher homem nós fiquei yo y las muy pero soy estoy mis cuando cuándo
tambien también siempre hombre mujer hacer tengo estaba siento ese eso esto usted hoy ayer donde sin
nosotros gusta quiero mío chica chico niña niño él está nunca unha non dunha jsem bych byla byl
jestem się była był nisam sam bila bio ik een het niet sunt și foarte este ragazza ragazzo
uomo stanca stanco femme homme fille cansado
""".split()
)

# Spellings of chats: {spelling: word}.
CHAT: Mapping[str, str] = dict(
    pair.split("/")
    for pair in """
stic/estic estik/estic stik/estic estig/estic mol/molt tb/també tmb/també xq/perquè pq/perquè q/que
k/que xo/però bn/bé
""".split()
)

# --- Words the reader asks for by themselves ----------------------------------------------------

EPICENE_ENDINGS = "elntrsc"  # amable, cruel, intel·ligent, feliç
SMALL = "petit"
MAKE = "fer"
SEEING = "veure"
LEAVING: tuple[str, ...] = ("deix", "trob")
ONE = _set("un una")
OR = _set("o")
WHOLLY = _set("tot tota")
SO = _set("tan")
HOW = _set("lo")
HAVING = _set("he has ha hem han havia haure hauria hagi hagues haver havent")
ALWAYS = _set("sempre")
NOT_MANNER = _set("fort alt baix")
KINDS = _set("tipus")
MAYBE = _set("potser")
NEUTERS = _set("aixo allo")
INFINITIVES: tuple[str, ...] = ("ar", "er", "ir", "re")
IMPERFECTS: tuple[str, ...] = ("ava", "ia")
COMPLEMENTS: Mapping[str, frozenset[str]] = {
    "segur": _set("de d que"), "bo": _set("en a"), "dolent": _set("en a"),
}  # fmt: skip
IMPERSONAL = _set("ser")
GERUNDS: tuple[str, ...] = ()
INTO = _set("en")
SUPERLATIVE = _set("mes menys unic unica")
NOT_ARTICLES = _set("tots totes cert certa cada")
LIKE_NOUNS = _set("mateix mateixa millor pitjor unic unica major menor")
THOSE = _set("aquell aquella el la")
AFTER_THOSE = _set("que")
WHAT = True
THAT = _set("que")
AMONG = _set("de d' d’ dels")
ARTICLES = _set("un una el la l' l’")
ELIDED = _set("l' l’ cap")
MINE = _set("meu meva meus meves mon ma meua meues")
ABBREVIATIONS = _set("sr sra dr dra prof")
# Listed participles that name something done to the speaker.
ACTS = IRREGULAR_PARTICIPLES | _set("""
contractat promogut ascendit acomiadat despatxat convidat elegit escollit adoptat robat atracat
assaltat atacat seleccionat abandonat rebutjat ignorat traït enganyat amenaçat perseguit detingut
condemnat acusat criticat nomenat
""")
BECOMING_NOUNS = _set("")
LIKENING = _set("sentir")
MAKING = _set("deixar fer mantenir posar tornar tenir")
JUDGING = _set("considerar veure jutjar anomenar creure dir")
FUTURE_SUBJUNCTIVE = _set("")
NOT_AFTER_SELF = _set("")
SUBJUNCTIVES = _set("""
sigui siga fos estigui estiga estigués estigues sembli semblés sembles quedi quedés quedes
continuï continui segueixi seguís romangui senti sentís torni tornés tornes visqui acabi arribi
""")
SAME_SUBJECT = _set("vegada menys mesura")
POSTS = _set("feina treball carrera vida paper experiència treballar lloc contracte")
ROLE_PREPOSITIONS = _set("de")
NOT_BEFORE_AS = _set("tan tant així")
SEXES = _set("dona home")
# What a child is called after "de": "de petita, era tímida".
AGES = _set("nen nena petit petita noi noia petitó petitona xiquet xiqueta")
AGE_OPENERS = _set("de")
# What may stand between a climbed clitic and its verb: "m'estic tornant boja", "em va posar".
AUXILIARIES = _set("""
he has ha hem han havia havien hauria hagués haver havent estic estava estat estar va van vaig vam
vas puc podia podria pot poder dec vull volia voldria haig a de d' d’ no sempre ja mai he acabo
""")
_CLITICS = (
    "et t' t’ te es s' s’ se li ens us els les en n' n’ ne ho hi lo la el l' l’ 't 's 'n 'ls 'l"
)

TAGGED: tuple[tuple[frozenset[str], int], ...] = (
    (_set("jo"), lex.EU),
    (_set("em me m' m’ 'm ’m"), lex.ME | lex.CLITIC),
    (_set("mi"), lex.TO_ME),
    (OTHER_PRONOUNS, lex.OTHER),
    (MASCULINE_DETERMINERS | FEMININE_DETERMINERS, lex.DETERMINER),
    (OTHER_DETERMINERS, lex.DETERMINER),
    (PREPOSITIONS, lex.PREPOSITION),
    (SUBORDINATORS, lex.SUBORDINATOR),
    (COORDINATORS, lex.COORDINATOR),
    (ADVERBS, lex.ADVERB),
    (OTHER_VERBS, lex.OTHER_VERB),
    (SAYING_VERBS, lex.SAYING),
    (OR, lex.OR),
    (_set("com"), lex.COMO),
    (_set("quan"), lex.WHEN),
    (_set("mateix mateixa"), lex.SELF),
    (_set("sol sola solet soleta"), lex.SOZINHO),
    (_set(_CLITICS), lex.CLITIC),
    (TIME_NOUNS, lex.TIME),
    (OTHER_PEOPLE, lex.PEOPLE),
    (AUXILIARIES, lex.AUXILIARY),
)
BY_ACCENT: Mapping[str, int] = {
    "és": lex.OTHER_VERB, "són": lex.OTHER_VERB, "sé": lex.FIRST, "dóna": lex.OTHER_VERB,
    "té": lex.OTHER_VERB, "més": lex.ADVERB, "sí": lex.ADVERB, "vós": lex.OTHER, "mà": lex.KNOWN,
    "sòl": lex.KNOWN, "pèl": lex.KNOWN, "è": lex.KNOWN,
}  # fmt: skip
