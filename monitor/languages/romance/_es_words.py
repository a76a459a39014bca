"""Spanish word lists read by :mod:`monitor.languages.romance.es`: closed classes and verbs.

Every word is written without accents unless the accent tells two words apart; look-ups fold
accents away, because machine translations and web pages lose them. The lists follow the Real
Academia's "Nueva gramatica de la lengua española".
"""

from collections.abc import Mapping

from monitor.data import read_toml
from monitor.languages.romance import _romance_tags as lex
from monitor.languages.romance._romance_tags import folded as _set

# What people are and what is said of them.
_PEOPLE = read_toml("person_words_es")
FIXED_NOUNS = _set(_PEOPLE["fixed_nouns"])
COMMON_NOUNS = _set(_PEOPLE["common_nouns"])
ROLE_PAIRS: str = _PEOPLE["role_pairs"]
ROLE_MASCULINES = _set(_PEOPLE["role_masculines"])
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

# Words that may stand between a copula and its predicate, or between "yo" and its verb.
# Engines leave "I" untranslated: "soy I tan nerviosa".
ADVERBS = _set("""
re
i muy mucho tan tanto bien bastante mas menos siempre nunca ya aun todavia medio demasiado casi
solamente tambien no mal poco algo super hiper extra jamas ahora hoy ayer mañana aqui alli ahi alla
aca asi entonces realmente luego despues antes recien hasta quizas tal apenas incluso tampoco pronto
tarde nuevamente sumamente igualmente ciertamente poquito simplemente ademas pues aparentemente
temprano sino nomas acaso
""")

# "un poco cansada": an article that belongs to a quantity, not to a noun.
QUANTITIES = _set("poco tanto poquito pelin montón monton tantico pelo")

PREPOSITIONS = _set("""
de del en por para con sin sobre entre contra desde hasta ante tras durante segun al a contigo
consigo hacia mediante excepto
""")

# Words that open a new clause; the subject of the clause before it may carry over.
SUBORDINATORS = _set("que porque si cuando mientras aunque pues donde adonde quien quienes pq")
COORDINATORS = _set("y e o u pero ni sino aunque")

# Before "que": a conjunction or a verb of saying, so that "que" is not a relative pronoun.
BEFORE_QUE = _set("""
para aun ya antes despues asi siempre sin desde hasta vez tal certeza visto dado miedo del mas
puesto creo dije dice digo sabia se pienso pense pensaba siento senti sentia note supe vi veo decidi
espero esperaba queria quiero tengo tuve tenia creia crei admito confieso descubri entendi recuerdo
prometi jure parece parecia nego fingi finjo conte tan dicen dijeron decian diria seguro segura
contento contenta de temo reconozco afirmo niego acepto sospecho imagino supongo convencido
convencida orgulloso orgullosa consciente feliz menos
""")

OTHER_PRONOUNS = _set("""
ella usted vos ellos ellas ustedes esto eso aquello alguien nadie quien nosotros nosotras vosotros
vosotras ud uds ello
""")
OTHER_PEOPLE = _set("""
ella usted hermana hermano madre padre hijo hija amigo amiga marido esposa esposo mujer hombre novio
novia jefe jefa vecino vecina niño niña profesor profesora colega tia tio primo prima compañero
compañera abuelo abuela sobrino sobrina suegra suegro cuñado cuñada paciente le les chico chica
alguien
""")

MASCULINE_DETERMINERS = _set("""
el un uno nuestro este ese aquel algun ningun otro cierto todo vuestro mio cuyo
""")
FEMININE_DETERMINERS = _set("""
la una nuestra esta esa aquella alguna ninguna otra cierta toda vuestra mia cuya
""")
OTHER_DETERMINERS = _set("""
los las unos unas mi mis tu tus su sus nuestros nuestras estos estas esos esas aquellos aquellas
algunos algunas muchos muchas todos todas cada cualquier pocos pocas varios varias otros otras dos
tres ambos ambas lo
""")

# "Un día", "esta noche": noun phrases that tell the time and are no subject.
TIME_NOUNS = _set("""
dia vez noche semana mes año mañana tarde momento tiempo hora minuto segundo verano invierno otoño
primavera instante fin dias veces años epoca infancia sabado domingo lunes martes miercoles jueves
viernes ultima proxima
""")

# --- Verbs --------------------------------------------------------------------------------------

# person: 1 first person only; A first or third; I infinitive; G gerund; P participle; 3 somebody
# else. Irregular forms are written out with their accents, regular ones are conjugated.
IRREGULAR_COPULAS: dict[str, dict[str, str]] = {
    "ser": {
        "1": "soy fui seré", "A": "era sería sea fuera fuese", "I": "ser", "G": "siendo",
        "P": "sido",
        "3": "es fue será son fueron eran somos fuimos éramos eres sois serás seremos serán sean "
        "serían fuiste serías eras fueran",
    },
    "estar": {
        "1": "estoy estuve estaré toy", "A": "estaba estaría esté estuviera estuviese",
        "I": "estar", "G": "estando", "P": "estado",
        "3": "está estuvo estará están estaban estuvieron estamos estábamos estuvimos estaremos "
        "estás estabas estén estarían estuviste",
    },
    "parecer": {"1": "parezco", "A": "parezca"},
    "resultar": {},
    "quedar": {},
    "permanecer": {"1": "permanezco", "A": "permanezca"},
    "continuar": {"1": "continúo", "A": "continúe"},
    "seguir": {"1": "sigo", "A": "siga siguiera", "3": "sigue siguen siguió", "G": "siguiendo"},
    # Machine translations put it, and the one for "to catch", for "to become" and "to get".
    "acaecer": {"1": "acaezco", "A": "acaezca"},
    "coger": {"1": "cojo", "A": "coja"},
    "sentir": {
        "1": "siento sentí sentiré", "A": "sentía sentiría sienta sintiera",
        "3": "siente sienten sintió sintieron", "I": "sentir", "G": "sintiendo", "P": "sentido",
    },
    "andar": {"1": "anduve", "A": "anduviera"},
    "vivir": {}, "acabar": {}, "terminar": {}, "llegar": {}, "regresar": {}, "crecer": {},
    "nacer": {"1": "nazco"}, "caer": {"1": "caigo caí", "3": "cayó"}, "caminar": {}, "viajar": {},
    "despertar": {"1": "despierto"}, "envejecer": {"1": "envejezco"}, "respirar": {},
    "volver": {"1": "vuelvo", "A": "vuelva", "3": "vuelve vuelven", "P": "vuelto"},
    "salir": {"1": "salgo", "A": "salga"}, "amanecer": {"1": "amanezco"},
    "dormir": {"1": "duermo", "A": "duerma", "3": "duerme duermen durmió", "G": "durmiendo"},
    "morir": {"1": "muero", "A": "muera", "3": "muere mueren murió", "G": "muriendo"},
    "venir": {
        "1": "vengo vine vendré", "A": "venía viniera", "3": "viene vienen vino", "I": "venir",
        "G": "viniendo", "P": "venido",
    },
    "ir": {
        "1": "voy iré", "A": "iba iría vaya", "3": "va van iban", "I": "ir", "G": "yendo",
    },
    "trabajar": {}, "obrar": {}, "entrenar": {}, "actuar": {"1": "actúo"},
    "ejercer": {"1": "ejerzo"}, "empezar": {"1": "empiezo"}, "servir": {"1": "sirvo"},
    "hacer": {"1": "hago hice", "A": "hacía", "I": "hacer"},
}  # fmt: skip
REGULAR_FORMS_OF = frozenset(IRREGULAR_COPULAS) - _set("ser estar sentir venir ir hacer")

# With these a predicate must be a word known as an adjective: "llegué temprano".
DEPICTIVE = _set("""
andar vivir acabar terminar llegar regresar crecer nacer caer caminar viajar despertar envejecer
respirar volver salir amanecer dormir morir venir ir sentir coger resultar
""")
# With these only "como ..." or "de ..." opens a predicate: "trabajo como enfermera".
WORKING = _set("trabajar obrar hacer entrenar actuar ejercer empezar servir")

# Verbs that say something of "me": reflexive or not, whoever is their subject.
IRREGULAR_ME_VERBS: dict[str, str] = {
    "sentir": "siento siente sentí sintió sentía sentiré sentiría sintiera sienta sentir sintiendo "
    "sentido sienten sintieron sentían",
    "hacer": "hago hace hice hizo hacen hicieron hacía hacían hará haré haría hiciera haga hacer "
    "haciendo hecho hicimos",
    "poner": "pongo pone puse puso ponen pusieron ponía ponían pondré pondrá pondría pusiera ponga "
    "poner poniendo puesto",
    "volver": "vuelvo vuelve volví volvió vuelven volvieron volvía volveré volverá volvería "
    "volviera vuelva volver volviendo vuelto",
    "ver": "veo ve vi vio ven veía vieron veían viendo visto ver vería viera vea veré",
    "mantener": "mantengo mantiene mantuve mantuvo mantenía mantienen mantener manteniendo "
    "mantenido mantendré mantuviera",
    "convertir": "convierto convierte convertí convirtió convierten convirtieron convertía "
    "convertiré convertirá convertir convirtiendo convertido convirtiera convierta",
    "encontrar": "encuentro encuentra encontré encontró encontraba encuentran encontraron "
    "encontrar encontrando encontrado encontrara",
    "describir": "describo describe describí describió describía describir describen describieron "
    "describiría",
    "elegir": "eligió eligieron elige eligen elegir elegido",
    "tener": "tiene tienen tenía tuvo",
    "mostrar": "muestro muestra mostré mostró mostrar",
    "vestir": "visto vestí vestía vestir",
    "reconocer": "reconozco reconocen reconoció reconocieron",
    "ir": "voy fui iba iré ir yendo",
    "despertar": "despierto desperté despertaba despierta despertar despertando despertado",
    "acostar": "acuesto acosté acostaba acostar",
    "ofrecer": "ofrezco ofrecí ofrece ofreció ofrecía ofrecer ofreciendo ofrecido",
    "creer": "creo creía creí creen cree creer",
    "sentar": "senté sentaba sentar",
}
REGULAR_ME_VERBS = _set("""
considerar dejar quedar declarar imaginar llamar nombrar tratar presentar retratar identificar
clasificar contratar formar criar graduar levantar marchar transformar etiquetar juzgar casar
coronar tachar calificar definir
""")
# What introduces the predicate of "me": nothing, "de", "en", "como".
ME_BARE = _set("""
ofrecer sentir hacer poner volver ver mantener encontrar elegir mostrar considerar dejar quedar
declarar imaginar llamar nombrar creer despertar acostar levantar marchar ir juzgar tener coronar
sentar
""")
ME_DE = _set("tratar tachar calificar etiquetar vestir")
ME_IN = _set("convertir transformar")
ME_COMO = _set("""
sentir ver describir considerar reconocer imaginar mostrar presentar tratar retratar clasificar
identificar contratar etiquetar formar graduar definir vestir
""")
# After these an unknown word in -o or -a is more often an object: "me hizo compañía".
ME_STRICT = _set("""
ofrecer hacer poner ver mostrar dejar encontrar mantener llamar tener despertar acostar levantar
marchar ir sentar creer
""")

# "Ayudé a mi hijo a ser fuerte": the infinitive belongs to the object.
OBJECT_CONTROL: tuple[str, ...] = (
    "ayud", "enseñ", "ensen", "mand", "oblig", "convenc", "convenz", "anim", "permit", "forc",
    "aconsej", "motiv", "pedi", "pido", "dej", "impid", "imped", "invit",
)  # fmt: skip

FIRST_VERBS = _set("""
he tengo tuve tendre voy vengo vine puedo pude pongo puse traigo oigo pido pierdo siento miento
sirvo prefiero sigo consigo leo creo caigo digo dire doy di hago hice hare quiero quise veo vi vivo
aprendo decido conozco abro entiendo respondo escojo olvido prometo desisto discuto asisto cumplo
descubro pienso necesito intento sueño recuerdo estudio hablo uso suelo empiezo comienzo paso dejo
llevo compro cuido juego ayudo canto bailo entro encuentro muestro imagino considero admito acepto
evito procuro lloro conduzco cocino debo percibo escribo bebo corro vendo visto duermo dedico
explico practico indico publico modifico preocupo planeo deseo odio dependo merezco agradezco
ofrezco reconozco pago llego miro salgo soy fui estoy quedo ando parezco permanezco confio dudo
rechazo tomo entreno lucho gano cojo cubro sufro sonrio rio peleo adoro amo espero trabajo obro supe
cupe traje dije anduve estuve hube
""")

OTHER_VERBS = _set("""
tiene tuvo va puede hizo dio quiere sabe debe ha hay hubo vino viene hace dice cree piensa gusta
parece necesita puso ve lleva deja queda sigue dijeron dicen creen piensan van pueden deben quieren
saben vamos tenemos podemos debemos hacian existe existen ocurre siente sienten vuelve llama
llaman has han hemos habeis
""")

SAYING_VERBS = _set("""
dijo dice respondio escribio decia añadio
""")
PLURAL_SAYING = _set("dijeron dicen decian diran dirian contaron dijimos cuentan")

# --- Languages ----------------------------------------------------------------------------------

LETTERS = ""
OWN_WORDS = frozenset(
    """
mi nombre nació yo los las muy y pero con soy estoy mis del ella ellos hay fue cuando cuándo tambien
también siempre hombre mujer hacer tengo estaba siento más ese eso esto usted hoy ayer donde dónde
sin su sus nosotros gusta quiero mío lo él está qué nunca estuve sido mejor nadie aquí ahora después
años hijo hija padre madre chica chico niña niño sólo así mientras aunque hasta mí día otra
""".split()
)
FOREIGN_WORDS = frozenset(
    """
numa em dois foi tenho tive tinha quando estava estat durant l d myself consider could would your
let does don can about who what the am was is and my of to it not have has had you she they we at
for with that this were been but so very i'm feel because when an by on from are did je suis et des
une est pas mais dans moi avec pour qui très mon fatigué fatiguée sono che il io ho questo stato
stata molto anche perche perché gli della nel ich bin der die ein eine und nicht war sehr mein ist
zu eu não nao um uma com meu minha meus minhas nas ou mas muito muita sou estou ele eles elas
isso isto também já até seu sua pela ao à são vou fazer sem você tão bem ainda agora hoje ontem
mulher homem nós fiquei filha mãe irmã jo amb sóc soc estic molt els meva perquè però vaig quan és
noia dona home nen sentia vull unha non dunha jsem som bych byla byl jestem się była był jest
nisam sam bila bio ik ben een het niet sunt și nu foarte ragazza ragazzo donna uomo stanca stanco
meves fille femme homme
""".split()
)

# Spellings of chats: {spelling: word}.
CHAT: Mapping[str, str] = dict(
    pair.split("/")
    for pair in """
estoi/estoy stoy/estoy stoi/estoy toy/estoy toi/estoy soi/soy mui/muy mu/muy tb/también tmb/también
tbn/también tambien/también q/que k/que qe/que ke/que xq/porque pq/porque porq/porque
m/me bn/bien muxo/mucho muxa/mucha kiero/quiero aki/aquí ahi/ahí dsd/desde cn/con
""".split()
)

# --- Words the reader asks for by themselves ----------------------------------------------------

EPICENE_ENDINGS = "ezlrnsi"  # feliz, fuerte, capaz, joven
SMALL = "pequen"
MAKE = "hacer"
SEEING = "ver"
LEAVING: tuple[str, ...] = ("dej", "encontr", "encuentr")
ONE = _set("un uno una")
OR = _set("o u")
WHOLLY = _set("todo toda nada")
SO = _set("tan cuan")
HOW = _set("lo")
HAVING = _set("""
he has ha hemos han habia habias hube habre habria haya hubiera hubiese haber habiendo
""")
ALWAYS = _set("siempre")
NOT_MANNER = _set("fuerte alto bajo claro")
KINDS = _set("tipo tipa")
MAYBE = _set("puede ojala quiza quizas")
NEUTERS = _set("esto eso aquello ello")
INFINITIVES: tuple[str, ...] = ("ar", "er", "ir", "rme", "rlo", "rla", "rse")
IMPERFECTS: tuple[str, ...] = ("aba", "ia")
COMPLEMENTS: Mapping[str, frozenset[str]] = {
    "seguro": _set("de"), "bueno": _set("en para"), "malo": _set("en para"),
}  # fmt: skip
IMPERSONAL = _set("ser")
GERUNDS: tuple[str, ...] = ("ando", "iendo", "yendo")
INTO = _set("en")
SUPERLATIVE = _set("mas menos unico unica")
NOT_ARTICLES = _set("todo toda todos todas cierto cierta cada")
LIKE_NOUNS = _set("mismo misma mejor peor unico unica mayor menor")
THOSE = _set("aquel aquella el la")
AFTER_THOSE = _set("que")
WHAT = False
THAT = _set("que")
AMONG = _set("de")
ARTICLES = _set("un una el la une unx")
ELIDED = _set("su tu")
MINE = _set("mi mis mio mia")
ABBREVIATIONS = _set("sr sra dr dra ud uds prof")
# Listed participles that name something done to the speaker.
ACTS = IRREGULAR_PARTICIPLES | _set("""
contratado promovido ascendido despedido invitado elegido adoptado robado atracado asaltado atacado
seleccionado abandonado rechazado ignorado traicionado engañado amenazado perseguido detenido
condenado acusado criticado nombrado
""")
BECOMING_NOUNS = _set("")
LIKENING = _set("sentir")
MAKING = _set("dejar hacer mantener poner volver tener")
JUDGING = _set("considerar ver juzgar llamar creer")
FUTURE_SUBJUNCTIVE = _set("")
NOT_AFTER_SELF = _set("")
SUBJUNCTIVES = _set("""
sea fuera fuese este esté estuviera estuviese parezca pareciera quede quedara permanezca siga
siguiera continue continúe continuara sienta sintiera vuelva volviera ande anduviera vaya acabe
termine llegue duerma viva
""")
SAME_SUBJECT = _set("vez menos medida")
POSTS = _set("empleo trabajo carrera vida papel experiencia trabajar puesto contrato")
ROLE_PREPOSITIONS = _set("de")
NOT_BEFORE_AS = _set("tan tanto asi lo forma modo manera")
SEXES = _set("mujer hombre")
# What a child is called after "de": "de niña, era tímida".
AGES = _set("niño niña pequeño pequeña chico chica pequeñito pequeñita muchacho muchacha joven")
AGE_OPENERS = _set("de")
# What may stand between a climbed clitic and its verb: "me estoy volviendo", "me voy a poner".
AUXILIARIES = _set("""
he has ha hemos han habia habias hube habre habra habria haya hubiera hubiese habian haber habiendo
estoy estaba estuve estaré estar estaria está estaban voy iba va van ir vas iban puedo pude podia
podria puede pueden podrian debo deberia suelo solia quiero quise queria quisiera tengo tuve tenia
empiezo empece empezaba acabo acabe sigo seguia a de que no siempre vuelvo ya nunca fui era soy
""")
TAGGED: tuple[tuple[frozenset[str], int], ...] = (
    (_set("yo"), lex.EU),
    (_set("me"), lex.ME | lex.CLITIC),
    (_set("conmigo"), lex.TO_ME),
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
    (_set("como"), lex.COMO),
    (_set("cuando desde"), lex.WHEN),
    (_set("mismo misma mismx propio propia"), lex.SELF),
    (_set("solo sola sole solx solito solita"), lex.SOZINHO),
    (_set("te se le nos les lo los las os la el"), lex.CLITIC),
    (TIME_NOUNS, lex.TIME),
    (OTHER_PEOPLE, lex.PEOPLE),
    (AUXILIARIES, lex.AUXILIARY),
)
BY_ACCENT: Mapping[str, int] = {
    "él": lex.OTHER, "tú": lex.OTHER, "mí": lex.TO_ME, "sólo": lex.ADVERB, "sé": lex.FIRST, "está":
    lex.OTHER_VERB | lex.AUXILIARY, "más": lex.ADVERB, "sí": lex.ADVERB, "dé": lex.KNOWN, "té":
    lex.KNOWN, "sabía": lex.KNOWN, "gritó": lex.SAYING | lex.OTHER_VERB, "preguntó": lex.SAYING |
    lex.OTHER_VERB, "exclamó": lex.SAYING | lex.OTHER_VERB, "susurró": lex.SAYING | lex.OTHER_VERB,
    "afirmó": lex.SAYING | lex.OTHER_VERB, "declaró": lex.SAYING | lex.OTHER_VERB, "contestó":
    lex.SAYING | lex.OTHER_VERB, "contó": lex.SAYING | lex.OTHER_VERB, "pensó": lex.SAYING |
    lex.OTHER_VERB, "murmuró": lex.SAYING | lex.OTHER_VERB, "aún": lex.ADVERB,
}  # fmt: skip
