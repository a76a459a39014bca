"""Italian word lists read by :mod:`monitor.languages.romance.it`: closed classes and verbs.

Every word is written without accents unless the accent tells two words apart. The lists follow
Serianni, "Grammatica italiana".
"""

from collections.abc import Mapping

from monitor.data import read_toml
from monitor.languages.romance import _romance_tags as lex
from monitor.languages.romance._romance_tags import folded as _set

# What people are and what is said of them.
_PEOPLE = read_toml("person_words_it")
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

ADVERBS = _set("""
molto tanto troppo cosi piu meno sempre mai gia ancora anche quasi ormai davvero proprio
abbastanza piuttosto poco bene male non mica affatto assai oggi ieri domani qui qua ora
adesso allora poi dopo prima spesso forse pure super iper ultra extra nemmeno neanche neppure
soltanto subito presto tardi realmente talmente tutto tutta inoltre comunque invece altrimenti
insomma infine perfino addirittura appena
""")
QUANTITIES = _set("po pochino pizzico tantino sacco")
PREPOSITIONS = _set("""
di del dello della dei degli delle dell a al allo alla ai agli alle all da dal dallo dalla dai
dagli dalle dall in nel nello nella nei negli nelle nell con su sul sullo sulla sui sugli sulle
sull per tra fra senza contro verso durante davanti accanto vicino lungo sotto sopra dentro fino
oltre secondo presso mediante
""")
SUBORDINATORS = _set("""
che perche se quando mentre poiche siccome benche sebbene affinche dove cui giacche anziche finche
nonostante purche qualora chi
""")
COORDINATORS = _set("e ed o oppure ma pero ne bensi anzi quindi dunque eppure")
BEFORE_QUE = _set("""
di prima dopo anche tanto cosi sempre senza fino dal visto dato paura certo sicuro sicura credo
credevo dico dicevo detto so sapevo penso pensavo pensato sento sentivo sentito vedo vidi visto
decisi deciso spero speravo voglio volevo vorrei ammetto confesso scoperto capito capii capisco
ricordo promesso giuro pare sembra sembrava fingo fatto convinto convinta contento contenta felice
orgoglioso orgogliosa consapevole grato grata solo meno piu modo immagino suppongo dubito temo
bisogna
""")
OTHER_PRONOUNS = _set("""
lui lei egli ella esso essa tu noi voi loro cio qualcuno qualcuna nessuno ognuno ognuna chiunque
tutti tutte qualcosa niente nulla
""")
OTHER_PEOPLE = _set("""
lui lei sorella fratello madre padre figlio figlia amico amica marito moglie donna uomo fidanzato
fidanzata ragazzo ragazza capo vicino vicina bambino bambina professore professoressa collega zia
zio cugino cugina compagno compagna nonno nonna suocera suocero cognato cognata paziente le gli
""")
MASCULINE_DETERMINERS = _set("""
il lo un uno questo quello quel nessun nessuno alcun altro certo
""")
FEMININE_DETERMINERS = _set("la una questa quella nessuna alcuna altra certa")
OTHER_DETERMINERS = _set("""
i gli le l' mio mia tuo tua suo sua nostro nostra vostro vostra miei mie tuoi tue suoi sue nostri
nostre questi queste quei quegli quelle alcuni alcune molti molte pochi poche vari varie altri
altre due tre ogni qualche entrambi entrambe dei delle degli tanti tante tutti tutte loro tale
""")
TIME_NOUNS = _set("""
giorno volta notte settimana mese anno mattina sera pomeriggio momento tempo ora minuto estate
inverno autunno primavera istante giorni anni ore mesi infanzia sabato domenica lunedi martedi
mercoledi giovedi venerdi serata giornata weekend
""")

# --- Verbs --------------------------------------------------------------------------------------

# person: 1 first person only; A first or another one; I infinitive; G gerund; P; 3 others.
IRREGULAR_COPULAS: dict[str, dict[str, str]] = {
    "essere": {
        "1": "sono ero sarò sarei fui fossi", "A": "sia", "I": "essere esser", "G": "essendo",
        "3": "è e' sei siamo siete era eri eravamo eravate erano sarà sarai saremo saranno sarebbe "
        "saresti saremmo sarebbero fu furono fosse fossero siano",
    },
    "stare": {
        "1": "sto stavo starò starei stetti stessi", "A": "stia", "I": "stare", "G": "stando",
        "3": "sta stai stanno stava stavano starà staranno stette stesse",
    },
    "diventare": {}, "restare": {}, "sembrare": {},
    "divenire": {"1": "divengo divenni", "I": "divenire", "3": "diviene divenne"},
    "rimanere": {
        "1": "rimango rimanevo rimarrò rimarrei rimasi", "A": "rimanga rimanessi", "I": "rimanere",
        "G": "rimanendo", "3": "rimane rimangono rimaneva rimarrà rimase",
    },
    "apparire": {"1": "appaio apparivo", "I": "apparire", "3": "appare appariva"},
    "nascere": {"1": "nacqui nasco", "I": "nascere", "3": "nacque nasce"},
    "morire": {"1": "muoio morirò", "I": "morire", "3": "muore morì"},
    "crescere": {"1": "cresco crebbi crescevo", "I": "crescere", "G": "crescendo"},
    "vivere": {"1": "vivo vivevo vissi vivrò vivrei", "I": "vivere", "G": "vivendo", "3": "vive"},
    "tornare": {}, "arrivare": {},
    "andare": {"1": "vado andavo andrò andrei andai", "I": "andare", "G": "andando", "3": "va"},
    "venire": {"1": "vengo venivo verrò verrei venni", "I": "venire", "G": "venendo",
               "3": "viene venne veniva"},
    "uscire": {"1": "esco uscivo uscii", "I": "uscire", "G": "uscendo", "3": "esce"},
    "partire": {"1": "parto partivo partii", "I": "partire", "3": "parte"},
    "cadere": {"1": "cado caddi", "I": "cadere"},
    "finire": {"1": "finisco finivo finii", "I": "finire", "3": "finisce"},
    "dormire": {"1": "dormo dormivo dormii", "I": "dormire", "G": "dormendo", "3": "dorme"},
    "fare": {"1": "faccio facevo feci farò farei", "I": "fare", "G": "facendo"},
    "lavorare": {"P": "lavorato"}, "servire": {"1": "servo servivo", "I": "servire"},
    "fungere": {"1": "fungo fungevo", "I": "fungere", "G": "fungendo"},
    "agire": {"1": "agisco agivo", "I": "agire", "G": "agendo", "P": "agito"},
}  # fmt: skip
REGULAR_FORMS_OF = _set("diventare restare sembrare tornare arrivare lavorare")
DEPICTIVE = _set("""
nascere morire crescere vivere tornare arrivare andare venire uscire partire cadere finire dormire
""")
WORKING = _set("fare lavorare servire fungere agire")

IRREGULAR_ME_VERBS: dict[str, str] = {
    "sentir": "sento sente sentivo sentiva sentii sentì sentirò sentirei sentirà sentire sentir "
    "sentendo sentito sentita sentono senta sentissi",
    "rendere": "rende rendono rendeva resero rese renderà renderebbe rendere rendendo reso resa",
    "fare": "fa fanno faceva fece farà farebbe fare fatto fatta faccia facendo",
    "mettere": "mette mise metteva mettere messo messa",
    "vedere": "vedo vede vedevo vedeva vidi vide vedere vedendo visto vista vedono vedevano vedrà",
    "credere": "credo crede credevo credeva credono credevano credere creduto creduta",
    "ritenere": "ritengo ritiene ritenevo riteneva ritengono ritenere ritenuto ritenuta",
    "tenere": "tengo tiene tenevo teneva tenere tenuto tenuta",
    "mantenere": "mantengo mantiene mantenevo mantenni mantenere mantenuto mantenuta mantenendo",
    "eleggere": "elesse elessero elegge eletto eletta",
    "sedere": "siedo sedevo sedetti sedere seduto seduta",
    "definire": "definisco definisce definirei definivo definivano definiscono definire definito",
    "descrivere": "descrivo descrive descriverei descrivevo descrivono descrivere descritto",
    "riconoscere": "riconosco riconosce",
    "addormentare": "addormento addormentai addormentavo addormentare",
    "vestire": "vesto vestivo vestire",
}  # fmt: skip
REGULAR_ME_VERBS = _set("""
trovare ritrovare considerare giudicare chiamare lasciare mostrare dimostrare nominare dichiarare
immaginare svegliare rivelare trattare trasformare comportare presentare laureare
""")
ME_BARE = _set("""
sentir rendere fare mettere vedere credere ritenere tenere mantenere eleggere sedere definire
addormentare trovare ritrovare considerare giudicare chiamare lasciare mostrare dimostrare nominare
dichiarare immaginare svegliare rivelare
""")
ME_DE = _set("")
ME_IN = _set("trasformare")
ME_COMO = _set("""
sentir vedere considerare descrivere riconoscere immaginare mostrare trattare comportare presentare
definire vestire
""")
ME_STRICT = _set("""
fare mettere vedere tenere mantenere eleggere sedere lasciare mostrare svegliare chiamare nominare
addormentare
""")
OBJECT_CONTROL: tuple[str, ...] = (
    "aiut", "insegn", "obblig", "convinc", "incoragg", "permett", "permes", "costring",
    "consigli", "chied", "chies", "impedi", "invit",
)  # fmt: skip
FIRST_VERBS = _set("""
trascorro torno resto entro inizio comincio continuo smetto riesco rifiuto evito mostro spiego
aspetto cambio conto creo dedico disegno divento domando entro esprimo faccio gestisco godo indico
investo invito lavo lotto mantengo merito miglioro misuro noto nuoto ottengo partecipo peso
pianifico pratico prego presto produco proteggo pubblico raccolgo racconto recito regalo rendo
ricevo rido riesco ringrazio riparo riposo rispetto risolvo ritorno rovino saluto scappo sbaglio
scherzo seguo servo sbrigo siedo sopporto sostengo spendo sposto suono temo tendo tiro traduco
tratto trascuro urlo vendo vinco visito volo ho sono posso voglio devo so faccio do dico sto vado
vengo tengo esco bevo scelgo tolgo traggo salgo rimango piaccio muoio capisco finisco preferisco
credo penso vedo leggo scrivo prendo metto perdo chiedo rispondo vivo sento dormo parto cerco amo
odio adoro spero provo lavoro gioco mangio parlo ascolto compro pago aiuto guardo trovo lascio
porto chiamo ricordo dimentico imparo insegno studio viaggio preparo organizzo decido conosco
ammetto accetto evito piango rido sorrido corro cammino guido cucino pulisco lavo uso indosso
sogno immagino considero preoccupo offro apro chiudo soffro condivido difendo volevo dovevo potevo
avevo facevo dicevo bevevo feci dissi presi misi vidi seppi ebbi volli scrissi lessi decisi chiesi
risposi persi corsi scelsi rimasi venni tenni conobbi crebbi nacqui vissi vinsi vorrei dovrei
potrei avrei farei direi starei andrei saprei vedrei verrei terrei avrò farò dirò darò starò andrò
potrò dovrò vorrò saprò vedrò verrò terrò vivrò berrò sarò
""")
OTHER_VERBS = _set("""
ha hai hanno abbiamo avete aveva avevano puo possono vuole vogliono deve devono sa sanno fa fanno
da dice dicono va vanno viene vengono piace piacciono serve bisogna pensa crede credono vede
mette tiene lascia porta prende chiama guarda chiede aiuta pare importa succede
""") - _set("da porta serve importa pare lascia chiama")
SAYING_VERBS = _set("disse dice rispose diceva aggiunse chiese grido scrisse detto risposto")
PLURAL_SAYING = _set("dicono dicevano diranno dissero raccontano")

# --- Languages ----------------------------------------------------------------------------------

LETTERS = ""
OWN_WORDS = frozenset(
    """
sono ero ho che non il gli di della del dei nel nella alla al dal dalla sulla sul per con più è
perché anche molto mio mia miei mie questo questa quando mi io stato stata lui lei ragazzo ragazza
uomo donna padre madre sempre mai così però già c'è avevo aveva hanno essere come cosa tutti tutto
""".split()
)
FOREIGN_WORDS = frozenset(
    """
i'm the is was am my and of to it not have has had you she they we at with that this were been but
so very feel because when an by from are did je suis et des une est pas mais dans moi avec pour
qui très mon estoy soy muy mis el los las pero por para yo ella cuando estaba también está eu não
uma com meu minha sou estou muito ele jo sóc estic molt amb els ich bin der die ein eine und nicht
war sehr sunt și foarte ik ben een het niet jestem nie som byl byla nu
""".split()
)
CHAT: Mapping[str, str] = {
    "l’": "l'", "un'": "una", "un’": "una", "m'": "mi", "m’": "mi", "c'": "ci", "c’": "ci", "dell'":
    "dell", "dell’": "dell", "all'": "all", "all’": "all", "nell'": "nell", "nell’": "nell",
    "dall'": "dall", "dall’": "dall", "sull'": "sull", "sull’": "sull", "po'": "po", "po’": "po",
    "e'": "è", "d'": "di", "d’": "di", "s'": "si", "s’": "si", "t'": "ti", "t’": "ti", "v'": "vi",
    "v’": "vi", "com'": "come", "com’": "come", "quell'": "quel-", "quell’": "quel-", "quest'":
    "quest-", "quest’": "quest-", "nessun'": "nessuna", "nessun’": "nessuna", "xche": "perché",
    "xké": "perché", "perche'": "perché", "nn": "non", "cmq": "comunque", "bell'": "bello", "bell’":
    "bello", "anch'": "anche", "anch’": "anche", "e’": "è",
}  # fmt: skip

# --- Words the reader asks for by themselves ----------------------------------------------------

EPICENE_ENDINGS = "e"
SMALL = "piccol"
MAKE = "rendere"
SEEING = "vedere"
LEAVING: tuple[str, ...] = ("lasc", "trov")
ONE = _set("un uno una")
OR = _set("o oppure")
WHOLLY = _set("tutto tutta")
SO = _set("cosi tanto talmente")
HOW = _set("quanto")
HAVING = _set("ho hai ha abbiamo avete hanno avevo aveva avrei avrebbe avro avra avere aver avendo")
ALWAYS = _set("sempre")
NOT_MANNER = _set("duro vero forte alto basso diretto chiaro corso stato")
KINDS = _set("tipo genere")
MAYBE = _set("forse magari")
NEUTERS = _set("cio questo quello tutto niente nulla qualcosa")
INFINITIVES: tuple[str, ...] = ("are", "ere", "ire", "rmi", "rlo", "rla", "rsi", "rli", "rle")
IMPERFECTS: tuple[str, ...] = ("avo", "evo", "ivo")
COMPLEMENTS: Mapping[str, frozenset[str]] = {
    "sicuro": _set("di che"), "buono": _set("a in"), "bravo": _set("a in con nel nella"),
}  # fmt: skip
IMPERSONAL = _set("essere")
GERUNDS: tuple[str, ...] = ("ando", "endo")
INTO = _set("in")
SUPERLATIVE = _set("piu meno unico unica")
NOT_ARTICLES = _set("certo certa ogni tutti tutte")
LIKE_NOUNS = _set(
    "stesso stessa migliore peggiore unico unica maggiore minore primo prima ultimo ultima"
)
THOSE = _set("quello quella")
AFTER_THOSE = _set("che di")
WHAT = False
THAT = _set("che")
AMONG = _set("dei degli delle")
ARTICLES = _set("un uno una il lo la l'")
ELIDED = _set("l' quel- tuo tua suo sua")
MINE = _set("mio mia miei mie")
ABBREVIATIONS = _set("sig dott prof")
ACTS = _set("")
BECOMING_NOUNS = _set("")
LIKENING = _set("sentir")
MAKING = _set("rendere fare lasciare tenere mantenere mettere")
JUDGING = _set("considerare giudicare chiamare credere ritenere vedere trovare definire")
FUTURE_SUBJUNCTIVE = _set("")
NOT_AFTER_SELF = _set("")
SUBJUNCTIVES = _set("sia fossi stia stessi resti rimanga rimanessi diventi diventassi sembri")
SAME_SUBJECT = _set("volta meno mano")
POSTS = _set("lavoro impiego carriera vita ruolo esperienza posto contratto")
ROLE_PREPOSITIONS = _set("da")
NOT_BEFORE_AS = _set("cosi tanto modo")
SEXES = _set("donna uomo")
AGES = _set("""
bambino bambina piccolo piccola ragazzo ragazza ragazzino ragazzina adulto adulta giovane
""")
AGE_OPENERS = _set("da")
AUXILIARIES = _set("""
ho hai ha abbiamo hanno avevo aveva avevano avrei avrebbe avro avra avere aver abbia avesse avessi
sono sto stavo stava sta ero era sara saro sarei fui vado va posso puo potevo poteva potrei
potrebbe devo deve dovevo dovrei voglio vuole volevo vorrei fa fatto faceva fanno fece mai sempre
gia ancora non piu comincio inizio iniziai cominciai a di lascia
""")
TAGGED: tuple[tuple[frozenset[str], int], ...] = (
    (_set("io"), lex.EU),
    (_set("mi"), lex.ME | lex.CLITIC),
    (_set("me"), lex.TO_ME),
    (OTHER_PRONOUNS, lex.OTHER),
    (MASCULINE_DETERMINERS | FEMININE_DETERMINERS, lex.DETERMINER),
    (OTHER_DETERMINERS | {"quel-", "quest-"}, lex.DETERMINER),
    (PREPOSITIONS, lex.PREPOSITION),
    (SUBORDINATORS, lex.SUBORDINATOR),
    (COORDINATORS, lex.COORDINATOR),
    (ADVERBS, lex.ADVERB),
    (OTHER_VERBS, lex.OTHER_VERB),
    (SAYING_VERBS, lex.SAYING),
    (OR, lex.OR),
    (_set("come"), lex.COMO),
    (_set("quando da"), lex.WHEN),
    (_set("stesso stessa"), lex.SELF),
    (_set("solo sola"), lex.SOZINHO),
    (_set("ti si ci vi ne lo la li le gli l' se"), lex.CLITIC),
    (TIME_NOUNS, lex.TIME),
    (OTHER_PEOPLE, lex.PEOPLE),
    (AUXILIARIES, lex.AUXILIARY),
)
BY_ACCENT: Mapping[str, int] = {
    "né": lex.COORDINATOR, "sé": lex.OTHER, "là": lex.ADVERB, "lì": lex.ADVERB, "dà":
    lex.OTHER_VERB, "ne": lex.CLITIC, "se": lex.SUBORDINATOR, "sì": lex.ADVERB, "tè": lex.KNOWN,
    "e": lex.COORDINATOR, "di": lex.PREPOSITION, "lei": lex.OTHER | lex.PEOPLE,
}  # fmt: skip
