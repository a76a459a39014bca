"""Portuguese word lists read by :mod:`monitor.languages.romance.pt`.

Every word is written without accents unless the accent tells two words apart; look-ups fold
accents away, because machine translations and web pages lose them. The lists hold what the
morphology of a word cannot tell: closed classes, irregular verbs, nouns whose gender says nothing
about the person, and adjectives that are said of people. They follow the usual school grammars
of Portuguese (Cunha and Cintra, "Nova gramatica do portugues contemporaneo"; Bechara,
"Moderna gramatica portuguesa").
"""

from collections.abc import Mapping

from monitor.data import read_toml
from monitor.languages.romance import _romance_tags as lex


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# What people are and what is said of them.
_PEOPLE = read_toml("person_words_pt")
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

# Words that may stand between a copula and its predicate, or between "eu" and its verb.
ADVERBS = _set("""
muito tao bem bastante mais menos sempre nunca ja ainda meio demais quase so somente apenas tambem
nao mal pouco algo super mega ultra hiper extra jamais agora hoje ontem amanha aqui ali la ca assim
ai entao realmente logo depois antes recem auto semi cada ate mesmo talvez inclusive enfim
afinal nem tampouco cedo tarde novamente quao totalmente ora outrora porventura igualmente
certamente anti multi pouquinho simplesmente deveras pra alias portanto contudo entretanto todavia
porem aparentemente pro demasiado
""")

# "um pouco cansada": an article that belongs to a quantity, not to a noun.
QUANTITIES = _set("pouco tanto bocado pouquinho bocadinho tantinho cadinho")

PREPOSITIONS = _set("""
de do da dos das em no na nos nas num numa nuns numas dum duma por pelo pela pelos pelas para pra
pro com sem sob sobre entre contra desde ate perante apos durante conforme segundo ao aos as neste
nesta nesse nessa naquele naquela deste desta desse dessa daquele daquela disso disto daquilo nisso
nisto naquilo dele dela deles delas nele nela neles nelas a comigo contigo consigo conosco
""")

# Words that open a new clause; the subject of the clause before it may carry over.
SUBORDINATORS = _set("""
que porque se quando enquanto embora pois caso onde porquanto conquanto pq aonde quanto
""")
COORDINATORS = _set("e ou mas nem porem contudo todavia portanto entretanto entao")

# Before "que": a conjunction or a verb of saying, so that "que" is not a relative pronoun.
BEFORE_QUE = _set("""
de para mesmo ja ainda antes depois assim sempre sem desde vez tal certeza visto dado medo do mais
posto acho disse diz digo falei sei sabia pensei penso senti sinto percebi achei achava pensava
decidi espero queria quero tenho tive tinha vi soube acredito acreditava admito notei confesso
descobri entendi lembro prometi jurei parece parecia garanto neguei nego fingi finjo contei
""")

OTHER_PRONOUNS = _set("""
ele ela voce vc tu eles elas voces isso isto aquilo alguem ninguem quem tudo nada senhor senhora
""")
OTHER_PEOPLE = _set("""
ele ela voce tu irma irmao mae pai filho filha amigo amiga marido esposa mulher homem namorado
namorada chefe vizinho vizinha menino menina professor professora colega tia tio primo prima mulher
parceiro parceira avo sobrinho sobrinha sogra sogro cunhado cunhada paciente lo la lhe
""")

MASCULINE_DETERMINERS = _set("""
o um meu seu teu nosso este esse aquele algum nenhum outro certo todo vosso cujo
""")
FEMININE_DETERMINERS = _set("""
a uma minha sua tua nossa esta essa aquela alguma nenhuma outra certa toda vossa cuja
""")
OTHER_DETERMINERS = _set("""
os as uns umas meus minhas seus suas teus tuas nossos nossas estes estas esses essas aqueles
aquelas alguns algumas muitos muitas todos todas cada qualquer poucos poucas varios varias outros
outras dois duas tres ambos ambas
""")

# "Um dia", "toda vez", "esta noite": noun phrases that tell the time and are no subject.
TIME_NOUNS = _set("""
dia vez noite semana mes ano manha tarde momento tempo hora minuto segundo verao inverno outono
primavera instante fim dias vezes anos epoca infancia sexta sabado domingo segunda terca quarta
quinta ultima proxima
""")

# --- Verbs --------------------------------------------------------------------------------------

# person: 1 first person only; A first or third; I infinitive or future subjunctive; G gerund;
# P participle; 3 somebody else. Irregular copulas are written out, regular ones are conjugated.
IRREGULAR_COPULAS: dict[str, dict[str, str]] = {
    "ser": {
        "1": "sou fui serei",
        "A": "era seria seja fosse",
        "I": "ser for",
        "G": "sendo",
        "P": "sido",
        "3": "é foi sera sao foram eram somos fomos eramos es seremos serao sejam sejamos fossem",
    },
    "estar": {
        "1": "estou estive estarei tou tô",
        "A": "estava estaria esteja estivesse tava",
        "I": "estar estiver",
        "G": "estando",
        "P": "estado",
        "3": "está esteve estara estao estavam estiveram estamos estavamos estaremos estejam tá",
    },
    "ficar": {"1": "fiquei", "A": "fique", "3": "fiquem fiquemos"},
    "parecer": {"1": "pareco", "A": "pareca", "3": "parecam"},
    "permanecer": {"1": "permaneco", "A": "permaneca"},
    "continuar": {},
    "andar": {},
    "viver": {},
    "virar": {},
    "acabar": {},
    "acordar": {},
    "chegar": {"1": "cheguei", "A": "chegue"},
    "voltar": {},
    "crescer": {"1": "cresco"},
    "nascer": {"1": "nasco"},
    "terminar": {},
    "sair": {"1": "saio saí", "A": "saia", "3": "saiu", "I": "sair", "G": "saindo"},
    "dormir": {"1": "durmo dormi", "A": "dormia", "I": "dormir", "G": "dormindo"},
    "envelhecer": {"1": "envelheco"},
    "morrer": {},
    "vir": {"1": "vim"},
    "deitar": {},
    "morar": {},
    "trabalhar": {},
    "atuar": {},
}

# With these a predicate must be a word known as an adjective: "cheguei cedo", "ando rapido".
DEPICTIVE = _set("""
andar viver acabar acordar chegar voltar crescer nascer terminar sair dormir envelhecer morrer
deitar vir
""")
# With these only "como ..." or "de ..." opens a predicate: "trabalho como enfermeira".
WORKING = _set("morar trabalhar atuar")

# Verbs that say something of "me": reflexive or not, whoever is their subject.
IRREGULAR_ME_VERBS: dict[str, str] = {
    "sentir": "sinto sente senti sentiu sentia sentirei sentiria sentisse sinta sentir sentindo "
    "sentido sentem sentiram sentiam sentira",
    "fazer": "faz fez fazem fizeram fazia faziam fara faria fizesse faca fazer fazendo feito farao",
    "ver": "vejo vi viu ve veem via viam viram vendo visto ver vendo veria vir visse",
    "manter": "mantenho mantem mantive manteve mantinha manter mantendo mantido manteria",
    "descrever": "descrevo descreve descrevi descreveu descrevia descrever descrevendo "
    "descreveria descrevem descreveram descreveriam",
    "eleger": "elegeu elegeram elege elegem eleger",
    "ter": "tem tinham teve tinha",
    "vestir": "visto vesti vestia veste vestir vestindo",
    "reconhecer": "reconheco reconhecem reconheceu reconheceram",
    "dizer": "dizem",
}
REGULAR_ME_VERBS = _set("""
tornar considerar achar deixar julgar imaginar declarar mostrar revelar chamar rotular transformar
nomear encontrar apresentar tratar retratar classificar identificar contratar formar criar
""")
# What introduces the predicate of "me": nothing, "de", "como".
ME_BARE = _set("""
sentir fazer manter tornar considerar achar deixar julgar imaginar declarar mostrar revelar
encontrar nomear eleger ver chamar
""")
ME_DE = _set("chamar rotular")
ME_COMO = _set("""
sentir ver descrever considerar reconhecer imaginar mostrar apresentar tratar retratar
classificar identificar contratar rotular ter formar
""")
# After these an unknown word in -o or -a is more often an object: "me fez companhia".
ME_STRICT = _set("fazer ver nomear eleger mostrar revelar deixar encontrar manter chamar")

# "Eu ajudei meu filho a ser forte": the infinitive belongs to the object.
OBJECT_CONTROL: tuple[str, ...] = (
    "ajud", "ensin", "mand", "obrig", "convenc", "encoraj", "incentiv", "permit", "forc",
    "aconselh", "motiv", "inspir", "pedi", "peco", "deix", "impe",
)  # fmt: skip

FIRST_VERBS = _set("""
tenho tive terei vou vim venho posso pude faco fiz farei digo direi dou dei sei quero vejo vi ponho
pus trago ouco peco perco sinto minto sirvo prefiro sigo consigo leio creio caio ouvi senti perdi
recebi escrevi bebi comi corri vivi aprendi decidi conheci consegui abri parti pedi preferi servi
segui subi desci vendi entendi percebi respondi escolhi esqueci prometi desisti discuti dividi
assisti cumpri descobri produzi construi contribui acho gosto trabalho espero amo adoro odeio penso
preciso tento acredito sonho lembro moro estudo falo uso costumo comeco passo deixo levo
compro cuido jogo ajudo canto danco entro encontro mostro imagino considero admito aceito
evito procuro choro dirijo cozinho devo entendo percebo aprendo escrevo bebo como corro vendo
visto durmo dedico explico pratico critico indico publico modifico identifico preocupo sonhei
planejo pretendo desejo odiei dependo mereco conheco esqueco agradeco ofereco reconheco pago chego
olho fui sou estou fico vivo continuo ando pareco permaneco confio duvido recuso tomo treino luto
ganho peguei pego cubro sofro sorrio rio brinco brigo
mantive mantenho obtive obtenho retive detive contive propus compus supus dispus expus intervim
reuni fugi cedi exigi insisti resisti permiti transmiti admiti cresci bati debati combati
permaneci mereci ofereci agradeci reconheci adoeci corrigi reagi fingi atingi proibi exibi medi
adquiri sugeri transferi conferi inseri vesti repeti refleti traduzi reduzi conduzi introduzi
invadi aplaudi rendi ergui acendi bebi colhi recolhi torci venci convenci temi sorri dormi
""")

OTHER_VERBS = _set("""
tem teve vai pode fez deu quer sabe deve ha houve veio vem faz diz acha pensa gosta parece precisa
pos viu leva deixa fica continua disseram dizem acham pensam vao podem devem querem sabem vamos
temos podemos devemos faziam existe existem acontece sente sentem torna chama chamam
""")

SAYING_VERBS = _set("""
disse diz falou fala gritou perguntou respondeu pensou escreveu exclamou sussurrou afirmou
declarou contou murmurou dizia
""")

# --- Nouns --------------------------------------------------------------------------------------


# --- Adjectives ---------------------------------------------------------------------------------


# --- Languages ----------------------------------------------------------------------------------

PORTUGUESE_WORDS = _set("""
eu nao um uma em com meu minha meus minhas do dos na nas ou mas muito muita sou estou foi fui voce
ele ela eles elas isso isto aquilo mais quando porque tambem ja ate seu sua pelo pela pelos pelas
ao aos à às é são está tenho vou fazer ser estar sem mim comigo num numa depois sempre nunca
obrigado obrigada tao bem ainda agora hoje ontem mulher homem trabalho gosto minha nos nós
estava senti sinto fiquei fico filho filha meio quem onde
sozinho sozinha mesmo mesma então só lá há você pois tudo nada não também até já tão mãe irmã
""")
FOREIGN_WORDS = _set("""
yo el una muy y pero con soy estoy mi mis en del ella ellos hay fue cuando tambien
siempre hombre mujer hacer tengo estaba siento porqué más hizo ese eso esto usted hoy ayer
donde sin ni su sus nosotros trabajo gusta quiero mío the i am was is and my of it not have has
had you he she they we at for with that this were been but so very i'm feel because when an by on
in from are did je suis et le des une est pas dans moi avec pour qui tres très mon fatigué
fatiguée che il di io ho questo stato stata molto anche perche perché gli della nel ich bin
der die ein eine und nicht war sehr mein ist zu jo amb soc sóc estic molt els meva perquè però
unha non son dunha dun jsem som bych byla byl jestem nie się była był jest nisam sam bila bio ik
ben een het niet sunt și foarte
""")

LETTERS = ""
OWN_WORDS = PORTUGUESE_WORDS

# Spellings of chats: {spelling: word}.
CHAT: Mapping[str, str] = dict(
    pair.split("/")
    for pair in """
mto/muito mt/muito mui/muito mta/muita mts/muitos mtos/muitos mtas/muitas tbm/também tb/também
tmb/também tbem/também n/não ñ/não nao/não naum/não q/que qe/que vc/você vcs/vocês hj/hoje td/tudo
eh/é soh/só aki/aqui dps/depois qdo/quando qnd/quando qd/quando cmg/comigo estoi/estou estô/estou
fikei/fiquei fiko/fico msm/mesmo dms/demais agr/agora to/tô
""".split()
)

# --- Words the reader asks for by themselves ----------------------------------------------------

EPICENE_ENDINGS = "ezlrms"  # feliz, forte, capaz
SMALL = "pequen"
MAKE = "fazer"
SEEING = "ver"
LEAVING: tuple[str, ...] = ("deix", "encontr")
ONE = _set("um uma")
OR = _set("ou")
WHOLLY = _set("todo toda nada")
SO = _set("tao quao")
HOW = _set("quao")
HAVING = _set("tenho tem tinha tive terei teria tenha tivesse tiver ter tendo havia haver hei")
ALWAYS = _set("sempre")
NOT_MANNER = _set("alto baixo forte")
KINDS = _set("")
MAYBE = _set("talvez oxala")
NEUTERS = _set("isso isto aquilo tudo nada")
INFINITIVES: tuple[str, ...] = ("ar", "er", "ir", "or")
IMPERFECTS: tuple[str, ...] = ("ava", "ia")
COMPLEMENTS: Mapping[str, frozenset[str]] = {
    "seguro": _set("de"), "certo": _set("de do da"),
    "bom": _set("em no na nos nas nisso nele nela"),
    "mau": _set("em no na nos nas nisso nele nela"),
}  # fmt: skip
IMPERSONAL = _set("ser")
GERUNDS: tuple[str, ...] = ("ando", "endo", "indo")
INTO = _set("em")
SUPERLATIVE = _set("mais menos unico unica")
NOT_ARTICLES = _set("todo toda todos todas certo certa cada")
LIKE_NOUNS = _set("mesmo mesma melhor pior unico unica")
THOSE = _set("aquele aquela o a")
AFTER_THOSE = _set("que")
WHAT = True
THAT = _set("que")
AMONG = _set("dos das de")
ARTICLES = _set("um uma o a ume umx")
ELIDED = _set("")
MINE = _set("meu minha meus minhas")
ABBREVIATIONS = _set("sr sra dr dra prof profa")
# Listed participles that name something done to the speaker.
ACTS = IRREGULAR_PARTICIPLES | _set("""
contratado promovido demitido convidado escolhido adotado roubado assaltado atacado selecionado
abandonado rejeitado ignorado traido enganado ameacado perseguido detido condenado acusado
""")
BECOMING_NOUNS = _set("virar")
LIKENING = _set("")
PLURAL_SAYING = _set("")
ME_IN = _set("")
MAKING = _set("deixar fazer manter tornar")
JUDGING = _set("considerar achar ver julgar")
FUTURE_SUBJUNCTIVE = _set("for estiver")
NOT_AFTER_SELF = _set("assim que se quando com sem depois em sendo estando")
SUBJUNCTIVES = _set("""
seja fosse esteja estivesse pareça pareca parecesse fique ficasse permaneça permaneca continue
continuasse siga sinta sentisse ande andasse viva acabe termine chegue volte vire torne
""")
SAME_SUBJECT = _set("vez menos medida")
POSTS = _set("emprego trabalho carreira vida papel experiencia trabalhar atuar")
ROLE_PREPOSITIONS = _set("de")
NOT_BEFORE_AS = _set("tao tanto assim o")
SEXES = _set("mulher homem")

TAGGED: tuple[tuple[frozenset[str], int], ...] = (
    (_set("eu"), lex.EU),
    (_set("me"), lex.ME | lex.CLITIC),
    (_set("mim comigo"), lex.TO_ME),
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
    (_set("quando desde"), lex.WHEN),
    (_set("mesmo mesma proprio propria mesme"), lex.SELF),
    (_set("obrigado obrigada obrigade obrigadx agradecido"), lex.OBRIGADO),
    (_set("sozinho sozinha sozinhe sozinhx"), lex.SOZINHO),
    (_set("te se lhe nos lhes lo la los las o a"), lex.CLITIC),
    (TIME_NOUNS, lex.TIME),
    (OTHER_PEOPLE, lex.PEOPLE),
)
BY_ACCENT: Mapping[str, int] = {
    "é": lex.OTHER_VERB, "dá": lex.OTHER_VERB, "pára": lex.OTHER_VERB, "à": lex.PREPOSITION,
    "às": lex.PREPOSITION, "nós": lex.OTHER, "lá": lex.ADVERB, "pôr": lex.KNOWN,
}  # fmt: skip
