"""Galician word lists read by :mod:`monitor.languages.romance.gl`: closed classes and verbs.

Every word is written without accents unless the accent tells two words apart. Galician shares most
adjectives with Portuguese and Spanish, whose lists are read besides its own. The lists follow the
Real Academia Galega's "Normas ortográficas e morfolóxicas do idioma galego".
"""

from collections.abc import Mapping

from monitor.data import read_toml
from monitor.languages.romance import _romance_tags as lex
from monitor.languages.romance._romance_tags import folded as _set

# What people are and what is said of them.
_PEOPLE = read_toml("person_words_gl")
_NEIGHBOURS = read_toml("person_words_pt"), read_toml("person_words_es")


def _with_neighbours(name: str) -> frozenset[str]:
    """A list with what Portuguese and Spanish have in it."""
    return _set(" ".join(people[name] for people in (_PEOPLE, *_NEIGHBOURS)))


FIXED_NOUNS = _set(_PEOPLE["fixed_nouns"])
COMMON_NOUNS = _set(_PEOPLE["common_nouns"])
ROLE_PAIRS: str = _PEOPLE["role_pairs"]
ROLE_MASCULINES = _set(_PEOPLE["role_masculines"])
THINGS = _set(_PEOPLE["things"])
EPICENE_ADJECTIVES = _set(_PEOPLE["epicene_adjectives"])
ADJECTIVE_PAIRS: str = _PEOPLE["adjective_pairs"]
HUMAN_ADJECTIVES = frozenset(
    word for word in _with_neighbours("human_adjectives") if word.endswith(("o", "or"))
) - _set("solo bravo vago largo nado")
OTHER_ADJECTIVES = frozenset(
    word for word in _with_neighbours("other_adjectives") if word.endswith(("o", "or"))
)
IRREGULAR_PARTICIPLES = _set(_PEOPLE["irregular_participles"])
NOT_INCLUSIVE = _set(_PEOPLE["not_inclusive"])
PRENOMINAL = _set(_PEOPLE["prenominal"])
NOT_FRONTED = _set(_PEOPLE["not_fronted"])

# --- Function words -----------------------------------------------------------------------------

ADVERBS = _set("""
moi moito tan tanto ben bastante mais menos sempre nunca xa ainda medio demasiado case soamente
tamen non mal pouco algo super hiper extra xamais agora hoxe onte mañá aqui ali ala aca asi enton
realmente logo despois antes recen ata quizais talvez apenas incluso tampouco cedo tarde
igualmente certamente abofe ademais simplemente seica acotio decote totalmente completamente nada
""")
QUANTITIES = _set("pouco tanto chisco pouquiño anaco")
PREPOSITIONS = _set("""
de do da dos das dun dunha en no na nos nas nun nunha por polo pola polos polas para con co coa
cos coas cun cunha sen sobre entre contra desde dende ata ante tras durante segundo ao aos á ás a
neste nesta nese nesa deste desta dese desa comigo contigo consigo cara
""")
SUBORDINATORS = _set("que porque se cando mentres aínda malia pois onde quen")
COORDINATORS = _set("e ou mais pero nin senon")
BEFORE_QUE = _set("""
de para ainda xa antes despois asi sempre sen desde dende ata vez tal certeza visto dado medo do
mais penso pensei pensaba sinto sentia sentin notei souben vin vexo sei sabia decidin espero
esperaba quero queria creo cria digo dixen admito confeso descubrin entendin lembro lembrei
prometin xurei parece parecia tan din dixeron dician seguro segura contento contenta convencido
convencida orgulloso orgullosa consciente feliz menos supoño imaxino dubido temo
""")
OTHER_PRONOUNS = _set("""
el ela vostede ti vos eles elas vostedes isto iso aquilo alguen ninguen quen nos nosoutros nosoutras
""") - _set("nos")
OTHER_PEOPLE = _set("""
el ela irma irman nai pai fillo filla amigo amiga marido esposa muller home noivo noiva xefe xefa
veciño veciña neno nena profesor profesora colega tia tio curman curma compañeiro compañeira avo
avoa sobriño sobriña sogra sogro cuñado cuñada paciente lle lles alguen
""")
MASCULINE_DETERMINERS = _set("o un este ese aquel algun ningun outro certo todo meu teu seu noso")
FEMININE_DETERMINERS = _set("a unha esta esa aquela algunha ningunha outra certa toda")
OTHER_DETERMINERS = _set("""
os as uns unhas miña túa súa nosa meus miñas teus túas seus súas nosos nosas estes estas eses esas
aqueles aquelas algúns algunhas moitos moitas todos todas cada calquera poucos poucas varios
varias outros outras dous dúas tres ambos ambas
""")
TIME_NOUNS = _set("""
dia vez noite semana mes ano mañá tarde momento tempo hora minuto segundo veran inverno outono
primavera instante fin dias anos horas epoca infancia sabado domingo luns martes mercores xoves
venres ultima
""")

# --- Verbs --------------------------------------------------------------------------------------

IRREGULAR_COPULAS: dict[str, dict[str, str]] = {
    "ser": {
        "1": "son fun serei", "A": "era sería sexa fose fora", "I": "ser", "G": "sendo",
        "P": "sido",
        "3": "é foi será eran somos fomos eramos es serán sexan serían fosen foron",
    },
    "estar": {
        "1": "estou estiven estarei", "A": "estaba estaría estea estivese", "I": "estar",
        "G": "estando", "P": "estado",
        "3": "está estivo estará están estaban estiveron estamos estabamos",
    },
    "quedar": {}, "permanecer": {"1": "permanezo"}, "parecer": {"1": "parezo"}, "continuar": {},
    "andar": {}, "acabar": {}, "terminar": {}, "rematar": {}, "chegar": {}, "tornar": {},
    "seguir": {"1": "sigo seguín", "A": "seguía siga", "I": "seguir", "3": "segue"},
    "sentir": {
        "1": "sinto sentín", "A": "sentía sentiría", "I": "sentir", "G": "sentindo",
        "3": "sente sentiu", "P": "sentido",
    },
    "medrar": {}, "crecer": {"1": "crezo crecín", "A": "crecía", "I": "crecer"},
    "nacer": {"1": "nacín", "I": "nacer", "3": "naceu"},
    "vivir": {"1": "vivo vivín", "A": "vivía", "I": "vivir", "G": "vivindo"},
    "volver": {"1": "volvo volvín", "A": "volvía", "I": "volver", "3": "volveu"},
    "saír": {"1": "saio saín", "A": "saía", "I": "saír"},
    "durmir": {"1": "durmo durmín", "A": "durmía", "I": "durmir"},
    "vir": {"1": "veño vin", "I": "vir", "3": "veu"},
    "ir": {"1": "vou irei", "A": "ía iría vaia", "I": "ir", "G": "indo", "3": "vai van"},
    "traballar": {}, "actuar": {}, "exercer": {"1": "exerzo"}, "servir": {"1": "sirvo"},
}  # fmt: skip
REGULAR_FORMS_OF = _set("""
quedar continuar andar acabar terminar rematar chegar tornar medrar traballar actuar permanecer
parecer
""")
DEPICTIVE = _set("""
andar acabar terminar rematar chegar tornar medrar crecer nacer vivir volver sair saír durmir vir ir
sentir
""") | {"saír"}
WORKING = _set("traballar actuar exercer servir")

IRREGULAR_ME_VERBS: dict[str, str] = {
    "sentir": "sinto sente sentín sintín sentiu sentía sintía sentirei sentiría sentise sinta "
    "sentir sentindo sentido senten sentiron",
    "facer": "fago fai fixen fixo fan fixeron facía facían fará faría fixese faga facer "
    "facendo feito",
    "pór": "poño pon puxen puxo poñen puxeron poñía poñían porá poría poñer poñendo posto",
    "volver": "volvo volve volvín volveu volven volvía volver volvendo volto volta",
    "ver": "vexo ve vin viu ven vía vían vendo visto ver vería vexa",
    "manter": "manteño mantén mantiven mantivo mantiña manter mantendo mantido",
    "converter": "converto converte convertín converteu converten convertía converter convertendo "
    "convertido",
    "describir": "describo describe describín describiu describía describir describen",
    "elixir": "elixiu elixiron elixe elixen elixir",
    "ter": "ten teñen tiña tivo",
    "vestir": "visto vestín vestía vestir",
    "recoñecer": "recoñezo recoñecen recoñeceu",
    "ofrecer": "ofrezo ofrecín ofrecía ofrecer",
    "crer": "creo crían cren cre crer",
}  # fmt: skip
REGULAR_ME_VERBS = _set("""
considerar deixar quedar declarar imaxinar chamar nomear tratar presentar atopar mostrar xulgar
levantar espertar tornar clasificar identificar contratar graduar transformar deitar
""")
ME_BARE = _set("""
sentir facer por pór volver ver manter elixir ter ofrecer crer considerar deixar quedar declarar
imaxinar chamar nomear atopar mostrar xulgar levantar espertar tornar deitar
""") | {"pór"}
ME_DE = _set("tratar")
ME_IN = _set("converter transformar")
ME_COMO = _set("""
sentir ver describir considerar recoñecer imaxinar mostrar presentar tratar clasificar identificar
vestir
""") | {"recoñecer"}
ME_STRICT = _set("""
facer ver manter elixir ter ofrecer crer deixar atopar mostrar levantar espertar chamar nomear
deitar
""")
OBJECT_CONTROL: tuple[str, ...] = (
    "axud", "ensin", "mand", "oblig", "obrig", "convenc", "anim", "permit", "forz", "aconsell",
    "pedin", "pido", "deix", "imped", "convid",
)  # fmt: skip
FIRST_VERBS = _set("""
teño tiven terei vou veño vin podo puiden pos poño puxen oio pido perdo sinto minto sirvo prefiro
sigo leo creo caio digo dixen direi dou din fago fixen quero quixen vexo vivo aprendo decido
coñezo entendo respondo escollo esquezo prometo penso preciso necesito intento soño lembro estudo
falo uso adoito comezo paso deixo levo compro coido xogo axudo canto bailo entro atopo mostro
imaxino considero admito acepto evito choro conduzo cociño debo escribo bebo corro vendo durmo
dedico explico odio amo adoro espero traballo gaño souben sei houben trouxen son estou fun
""")
OTHER_VERBS = _set("""
ten tivo vai pode fixo deu quere sabe debe hai houbo veu ven fai di cre pensa gusta parece precisa
puxo ve leva deixa queda segue dixeron din cren pensan van poden deben queren saben teñen chama
chaman
""") - _set("din")
SAYING_VERBS = _set("dixo di respondeu contestou dicia engadiu berrou preguntou escribiu")
PLURAL_SAYING = _set("dixeron din dician diran")

# --- Languages ----------------------------------------------------------------------------------

LETTERS = ""
OWN_WORDS = frozenset(
    """
gústame encántame encantábame gustaríame falar coidar dos todo ben ía iría así din dixo quen isto
iso nosa noso súa seus túa nunca outro outra teñen fixen puiden quero levar mellor tempo os as no
na nos nas pasei por eu non unha dunha nunha cunha son estou fun miña miñas meu meus moi máis xa
cando foi é do da ao á coa co ela polo pola neno nena home muller pai nai fillo filla sempre tiña
teño estaba era ser facer aínda tamén despois ata cousas cousa xente dicir fixo hai moito moita
onde porque pero me o os as
""".split()
)
FOREIGN_WORDS = frozenset(
    """
yo la los las muy y hay fue cuando también soy estoy hombre mujer niña niño hacer tengo gusta
quiero mi mis você não uma um sou ficar ele eles muito muita meninas minha minhas com em isso mas
já até são i the is was am my and of to it not have has had you she they we at for with that this
were been but so very feel because when an by from are did je suis et des une est pas dans moi
avec pour qui très jo sóc soc estic molt els meva perquè però sono che il io ho questo stato molto
anche ich bin der die ein eine und nicht war sehr sunt foarte ik ben het niet jestem
""".split()
)
CHAT: Mapping[str, str] = {"q": "que", "tb": "tamén", "moy": "moi"}

# --- Words the reader asks for by themselves ----------------------------------------------------

EPICENE_ENDINGS = "ezlrnsi"
SMALL = "pequen"
MAKE = "facer"
SEEING = "ver"
LEAVING: tuple[str, ...] = ("deix", "atop")
ONE = _set("un unha")
OR = _set("ou")
WHOLLY = _set("todo toda nada")
SO = _set("tan")
HOW = _set("o")
HAVING = _set("teño ten tiña tiven tería ter tendo habia haber hei")
ALWAYS = _set("sempre")
NOT_MANNER = _set("alto baixo claro forte")
KINDS = _set("tipo")
MAYBE = _set("pode quizais oxala")
NEUTERS = _set("isto iso aquilo")
INFINITIVES: tuple[str, ...] = ("ar", "er", "ir", "rme", "rlle")
IMPERFECTS: tuple[str, ...] = ("aba", "ia")
COMPLEMENTS: Mapping[str, frozenset[str]] = {
    "seguro": _set("de"), "bo": _set("en no na nos nas para"), "mao": _set("en no na"),
}  # fmt: skip
IMPERSONAL = _set("ser")
GERUNDS: tuple[str, ...] = ("ando", "endo", "indo")
INTO = _set("en")
SUPERLATIVE = _set("mais menos unico unica")
NOT_ARTICLES = _set("todo toda todos todas certo certa cada")
LIKE_NOUNS = _set("mesmo mesma mellor peor unico unica maior menor")
THOSE = _set("o a aquel aquela")
AFTER_THOSE = _set("que")
WHAT = True
THAT = _set("que")
AMONG = _set("dos das")
ARTICLES = _set("un unha o a")
ELIDED = _set("")
MINE = _set("meu miña meus miñas")
ABBREVIATIONS = _set("sr sra dr dra")
ACTS = IRREGULAR_PARTICIPLES | _set("""
contratado promovido ascendido despedido convidado elixido adoptado roubado atacado seleccionado
""")
BECOMING_NOUNS = _set("")
LIKENING = _set("sentir")
MAKING = _set("deixar facer manter por volver ter") | {"pór"}
JUDGING = _set("considerar ver xulgar chamar crer")
FUTURE_SUBJUNCTIVE = _set("")
NOT_AFTER_SELF = _set("")
SUBJUNCTIVES = _set("sexa fose fora estea estivese quede quedase")
SAME_SUBJECT = _set("vez menos medida")
POSTS = _set("emprego traballo carreira vida papel experiencia posto contrato")
ROLE_PREPOSITIONS = _set("de")
NOT_BEFORE_AS = _set("tan tanto asi forma modo maneira")
SEXES = _set("muller home")
AGES = _set("neno nena pequeno pequena cativo cativa rapaz rapaza mozo moza")
AGE_OPENERS = _set("de")
AUXILIARIES = _set("""
estou estaba estiven estarei estar estaria vou ia iba vai van ir podo puiden podia poderia pode
poden debo deberia adoito quero quixen queria teño tiven tiña comecei comezo acabo sigo seguia a
de que non sempre xa nunca hei ten
""")
TAGGED: tuple[tuple[frozenset[str], int], ...] = (
    (_set("eu"), lex.EU),
    (_set("me"), lex.ME | lex.CLITIC),
    (_set("min comigo"), lex.TO_ME),
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
    (_set("como coma"), lex.COMO),
    (_set("cando desde dende"), lex.WHEN),
    (_set("mesmo mesma propio propia"), lex.SELF),
    (_set("soíño soíña"), lex.SOZINHO),
    (_set("te se lle lles nos o os a as"), lex.CLITIC),
    (TIME_NOUNS, lex.TIME),
    (OTHER_PEOPLE, lex.PEOPLE),
    (AUXILIARIES, lex.AUXILIARY),
)
BY_ACCENT: Mapping[str, int] = {
    "á": lex.PREPOSITION, "é": lex.OTHER_VERB, "está": lex.OTHER_VERB, "só": lex.ADVERB,
    "máis": lex.ADVERB, "sabía": lex.KNOWN, "sé": lex.KNOWN, "dá": lex.OTHER_VERB,
}  # fmt: skip
