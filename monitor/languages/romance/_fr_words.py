"""French word lists read by :mod:`monitor.languages.romance.fr`: closed classes and verbs.

Every word is written without accents unless the accent tells two words apart. The lists follow
Grevisse and Goosse, "Le bon usage".
"""

from collections.abc import Mapping

from monitor.data import read_toml
from monitor.languages.romance import _romance_tags as lex
from monitor.languages.romance._romance_tags import folded as _set


def _words(words: str) -> frozenset[str]:
    """A word list with its accents."""
    return frozenset(words.split())


# What people are and what is said of them.
_PEOPLE = read_toml("person_words_fr")
FIXED_NOUNS = _words(_PEOPLE["fixed_nouns"])
COMMON_NOUNS = _words(_PEOPLE["common_nouns"])
ROLE_PAIRS: str = _PEOPLE["role_pairs"]
THINGS = _words(_PEOPLE["things"])
HUMAN_ADJECTIVES = frozenset(_PEOPLE["human_adjectives"].split())
OTHER_ADJECTIVES = frozenset(_PEOPLE["other_adjectives"].split())
IRREGULAR_PARTICIPLES = frozenset(_PEOPLE["irregular_participles"].split())
EPICENE_ADJECTIVES = _words(_PEOPLE["epicene_adjectives"])
NOT_INCLUSIVE = _set(_PEOPLE["not_inclusive"])
ADJECTIVE_PAIRS: str = _PEOPLE["adjective_pairs"]
PRENOMINAL = _set(_PEOPLE["prenominal"])
NOT_FRONTED = _set(_PEOPLE["not_fronted"])

# --- Function words -----------------------------------------------------------------------------

ADVERBS = _set("""
juste tres trop si aussi tellement bien assez plus moins toujours souvent jamais pas point plutot
presque encore enfin vraiment mal peu autant beaucoup super hyper extra ultra maintenant aujourd
hui hier demain ici alors donc ensuite apres avant puis parfois quelquefois deja tot tard meme
seulement pourtant cependant neanmoins aussitot desormais autrefois auparavant surtout certes tant
particulierement probablement jadis longtemps vite quasiment quasi non oui partout ailleurs dehors
dedans debout ensemble environ mi peut-etre toutefois davantage guere rien tout toute toutes
completement forcement
""")
QUANTITIES = _set("peu tantinet brin chouia tas")
PREPOSITIONS = _set("""
de du au aux en dans par pour avec sans sur sous entre contre vers chez depuis pendant durant selon
malgre parmi devant derriere jusqu jusque envers hors suite d grace
""")
SUBORDINATORS = _set("""
que qui quand lorsque si puisque comme car parce quoique dont pourquoi combien tandis lorsqu
puisqu quoiqu
""") - _set("comme si")
COORDINATORS = _set("et mais ou ni or")
BEFORE_QUE = _set("""
pour parce alors tandis pendant depuis sans avant apres afin bien tellement si tant aussi plus moins
autant dis dit pense pensais savais sais crois croyais sens sentais senti vois voyais vu suppose
trouve trouvais espere esperais veux voulais remarque compris decouvert admets avoue jure promis
sur sure certain certaine convaincu convaincue content contente heureux heureuse fier fiere
conscient consciente persuade persuadee ravi ravie triste des lors ainsi ce fois peur croire dire
imagine imaginais rappelle souviens oublie semble parait faut tel de aurait
""")
OTHER_PRONOUNS = _set("""
il elle on tu ils elles nous vous ca cela ceci celui celle ceux celles quelqu quelquun personne
lui eux chacun chacune iel iels
""")
OTHER_PEOPLE = _set("""
lui elle sœur soeur frere mere pere fils fille ami amie mari femme homme epouse epoux copain copine
patron patronne voisin voisine enfant garcon professeur collegue tante oncle cousin cousine
compagnon compagne quelqu medecin docteur patient patiente client cliente
""")
MASCULINE_DETERMINERS = _set("le un ce cet quel aucun certain nul")
FEMININE_DETERMINERS = _set("la une cette quelle aucune certaine nulle")
OTHER_DETERMINERS = _set("""
les l' des mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs ces chaque quelques
plusieurs deux trois tous toutes
""")
TIME_NOUNS = _set("""
week end soirees nuits jour fois nuit semaine mois an annee matin soir soiree matinee moment
instant temps heure minute ete hiver automne printemps samedi dimanche lundi mardi mercredi jeudi
vendredi weekend enfance jours annees journee heures
""")

# --- Verbs --------------------------------------------------------------------------------------

# person: 1 first person only; A first or another one; I infinitive; G participle; P; 3 others.
IRREGULAR_COPULAS: dict[str, dict[str, str]] = {
    "être": {
        "1": "suis", "A": "étais serais serai fus sois fusse", "I": "être", "G": "étant",
        "P": "été",
        "3": "est es sommes êtes sont était étaient étions étiez sera seront serez serons seras "
        "serait seraient serions seriez fut furent soit soient soyez soyons fût",
    },
    "devenir": {
        "A": "deviens devenais devins deviendrai deviendrais devienne", "I": "devenir",
        "G": "devenant",
        "3": "devient devenait devint deviennent deviendra deviendrait deviendront",
    },
    "rester": {"A": "reste restais restai resterai resterais", "I": "rester", "G": "restant",
               "3": "restait restent restera resterait resta"},
    "demeurer": {"A": "demeure demeurais demeurai", "I": "demeurer", "G": "demeurant"},
    "sembler": {"A": "semble semblais semblai semblerai semblerais", "I": "sembler",
                "3": "semblait semblent semblera semblerait"},
    "paraître": {"A": "parais paraissais paraîtrai paraîtrais", "I": "paraître",
                 "3": "paraît paraissait paraissent"},
    "vivre": {"A": "vis vivais vivrai vivrais", "I": "vivre"},
    "grandir": {"A": "grandis grandissais", "I": "grandir", "P": "grandi"},
    "mourir": {"A": "meurs mourrai mourrais", "I": "mourir", "3": "meurt mourra"},
    "naître": {"A": "naquis", "I": "naître", "3": "naquit"},
    "rentrer": {"A": "rentre rentrais rentrerai rentrerais", "I": "rentrer", "G": "rentrant"},
    "finir": {"A": "finis finissais finirai finirais", "I": "finir"},
    "arriver": {"A": "arrive arrivais arriverai", "I": "arriver", "G": "arrivant"},
    "partir": {"A": "pars partais partirai", "I": "partir", "G": "partant"},
    "dormir": {"A": "dors dormais", "I": "dormir", "G": "dormant"},
    "marcher": {"A": "marche marchais", "I": "marcher"},
    "aller": {"A": "vais allais irai irais", "I": "aller", "3": "va allait"},
    "venir": {"A": "viens venais viendrai", "I": "venir", "3": "vient venait"},
    "travailler": {"A": "travaille travaillais travaillerai travaillerais", "I": "travailler",
                   "G": "travaillant", "P": "travaillé"},
    "servir": {"A": "sers servais", "I": "servir"},
    "agir": {"A": "agis agissais", "I": "agir", "P": "agi"},
    "exercer": {"A": "exerce exerçais", "I": "exercer", "P": "exercé"},
}  # fmt: skip
DEPICTIVE = _set(
    "grandir vivre mourir naître rentrer finir arriver partir dormir marcher aller venir"
)
WORKING = _set("travailler servir agir exercer")

IRREGULAR_ME_VERBS: dict[str, str] = {
    "sentir": "sens sent sentais sentait sentir sentant senti sentie sentirai sentirais sentirait "
    "sente sentent",
    "rendre": "rends rend rendais rendait rendrai rendra rendrait rendre rendant rendu rendue "
    "rendent rende rendaient rendraient",
    "voir": "vois voit voyais voyait voir voyant vu vue voient voyaient verrait verra",
    "croire": "crois croit croyais croyait croire croyant croient croyaient cru crue",
    "faire": "fais fait faisais faisait faire font",
    "tenir": "tiens tient tenais tenait tenir tenu tenue tiendrai",
    "maintenir": "maintiens maintient maintenais maintenir maintenu maintenue",
    "élire": "élu élue élit élisent élire élurent",
    "asseoir": "assois assieds asseyais asseoir",
    "dire": "dit disent disait disaient",
    "décrire": "décris décrit décrivais décrivent décrire",
    "percevoir": "perçois perçoit percevais percevoit perçoivent percevoir",
    "reconnaître": "reconnais reconnaît",
    "mettre": "mets met mettais mettait mettre mis mise",
    "réveiller": "réveille réveillais réveillai réveiller",
}
REGULAR_ME_VERBS = _words("""
trouver considérer appeler laisser garder montrer nommer juger imaginer traiter qualifier retrouver
estimer proclamer déclarer coucher lever habiller déguiser réveiller présenter désigner identifier
porter proposer avouer
""")
ME_BARE = _set("""
sentir rendre voir croire tenir maintenir élire trouver considérer appeler laisser garder montrer
nommer juger imaginer retrouver estimer proclamer déclarer coucher lever réveiller dire asseoir
porter avouer proposer
""")
ME_DE = _set("traiter qualifier")
ME_IN = _set("habiller deguiser")
ME_COMO = _set("""
sentir voir considérer décrire percevoir reconnaître imaginer montrer présenter traiter désigner
identifier habiller déguiser
""")
ME_STRICT = _set("""
voir tenir maintenir élire laisser garder montrer appeler coucher lever réveiller dire asseoir
porter proposer nommer avouer
""")
OBJECT_CONTROL: tuple[str, ...] = (
    "aid", "appren", "enseign", "oblig", "encourag", "permet", "permis", "forc", "conseill",
    "motiv", "demand", "empech", "invit",
)  # fmt: skip
FIRST_VERBS = _set("""
ai avais aurais aurai aie suis vais fais dois peux veux sais pourrais devrais voudrais ferais
irais
""")
OTHER_VERBS = _set("""
a as avons avez ont avait avaient aura auront aurait auraient va vont fait font faut fallait peut
peuvent pouvait doit doivent veut veulent sait savait dit disait disent pense pensent met prend
vient viennent tient voit voient croit vit semble parait plait arrive aime
""") - _set("pense semble arrive aime dit fait")
SAYING_VERBS = _set("""
repondit ecrivit demanda repliqua ajouta murmura cria dit disait repondu ecrit
""") | _words("demandé ajouté crié murmuré répliqué expliqué raconté")
PLURAL_SAYING = _set("disent disaient diront dirent racontent")
# Participles after whose "me" another object stands: to me, not me.
INDIRECT = _words("""
dit demandé donné offert permis promis interdit appris montré expliqué raconté écrit répondu parlé
plu déplu manqué semblé paru fallu fait coûté apporté prêté pris volé prouvé conseillé ordonné
proposé annoncé confié causé valu servi suffi évité enlevé acheté préparé inspiré suggéré
recommandé déconseillé défendu reproché pardonné indiqué commandé dû accordé attribué envoyé
assuré caché avoué murmuré crié chuchoté lu imposé infligé procuré transmis légué vendu loué
rappelé tendu ouvert fermé rapporté signalé signifié imaginé figuré juré représenté permis souri
succédé nui menti ressemblé suffi survécu convenu rendu payé passé tiré coupé cassé brossé lavé
versé rempli remis
""")
# Of these, what agrees with nobody in "je me suis dit".
TO_MYSELF = _words("""
dit demandé promis permis parlé plu rendu imaginé figuré juré offert acheté donné fait accordé
rappelé interdit reproché pardonné menti nui souri succédé lavé brossé cassé coupé autorisé
""")
HAVING_OTHERS = _set("a as ont avez avait avaient avais aura auront aurait auraient ait aient aies")
# --- Languages ----------------------------------------------------------------------------------
LETTERS = ""
OWN_WORDS = _words("""
je j' suis et mais avec pour dans très mon mes les des est une pas ne n' moi qui être étais
étaient était mère père femme homme fille garçon fils ami amie c' qu' aussi toujours jamais
beaucoup quand parce ai avais aurais sais fais vais peux veux j'ai ça elle elles ils nous vous sur
aux du où
""")
FOREIGN_WORDS = _words("""
i the is was am my and of to it not have has had you she they we at with that this were been but
so very i'm feel because when an by from are did estoy soy muy mi el los las pero con por para que
yo ella cuando estaba también más está eu não uma com meu minha sou estou muito ele jo sóc estic
molt amb sono che io ho questo stato stata molto anche perché gli della nel non più ich bin der
die ein eine und nicht war sehr sunt și foarte ik ben een het niet jestem nie som byl byla
""")
CHAT: Mapping[str, str] = {
    "j'": "je", "j’": "je", "m'": "me", "m’": "me", "l’": "l'", "d'": "de", "d’": "de", "n'": "ne",
    "n’": "ne", "s'": "se", "s’": "se", "t'": "te", "t’": "te", "c'": "ce", "c’": "ce", "qu'":
    "que", "qu’": "que", "lorsqu'": "lorsque", "lorsqu’": "lorsque", "puisqu'": "puisque",
    "puisqu’": "puisque", "jusqu'": "jusque", "jusqu’": "jusque", "quoiqu'": "quoique", "quoiqu’":
    "quoique", "chui": "suis", "chuis": "suis", "g": "ai", "tjs": "toujours", "tjrs": "toujours",
    "bcp": "beaucoup", "trés": "très",
}  # fmt: skip
# --- Words the reader asks for by themselves ----------------------------------------------------
EPICENE_ENDINGS = "e"
SMALL = "petit"
MAKE = "rendre"
SEEING = "voir"
LEAVING: tuple[str, ...] = ("laiss", "trouv")
ONE = _set("un une")
OR = _set("ou")
WHOLLY = _set("tout toute")
SO = _set("si tellement tant")
HOW = _set("combien")
HAVING = _set("ai as a avons avez ont avais avait avaient aurai aurais aurait aie avoir ayant")
ALWAYS = _set("toujours")
NOT_MANNER = _set("parti partie fort forte gros dur droit haut bas juste clair bon mauvais sec")
KINDS = _set("genre type sorte")
MAYBE = _set("peut-etre")
NEUTERS = _set("ca cela ceci")
INFINITIVES: tuple[str, ...] = ("er", "ir", "oir", "re")
IMPERFECTS: tuple[str, ...] = ("ais",)
COMPLEMENTS: Mapping[str, frozenset[str]] = {"bon": _set("en a"), "sûr": _set("de que d")}
IMPERSONAL = _set("être")
GERUNDS: tuple[str, ...] = ("ant",)
INTO = _set("en")
SUPERLATIVE = _set("plus moins seul seule")
NOT_ARTICLES = _set("certain certaine chaque tous toutes")
LIKE_NOUNS = _set("seul seule meilleur meilleure pire premier premiere dernier derniere")
THOSE = _set("celui celle")
AFTER_THOSE = _set("qui que")
WHAT = False
THAT = _set("que qui")
AMONG = _set("de des")
ARTICLES = _set("un une le la l'")
ELIDED = _set("l' mon ma ton ta son sa notre votre leur")
MINE = _set("mon ma mes")
ABBREVIATIONS = _set("m mme dr")
ACTS = _set("")
BECOMING_NOUNS = _set("")
LIKENING = _set("sentir")
MAKING = _set("rendre laisser garder tenir maintenir mettre")
JUDGING = _set("considérer voir juger appeler croire trouver dire estimer")
FUTURE_SUBJUNCTIVE = _set("")
NOT_AFTER_SELF = _set("")
SUBJUNCTIVES = _set("")
SAME_SUBJECT = _set("fois moins mesure")
POSTS = _set("emploi travail carriere vie role experience poste metier")
ROLE_PREPOSITIONS = _set("")
NOT_BEFORE_AS = _set("aussi autant tout")
SEXES = _set("femme homme")
AGES = _set("enfant")
AGE_OPENERS = _set("tout")
AUXILIARIES = _set("""
ai as a avons avez ont avais avait avaient aurai aura auront aurais aurait auraient aie ait avoir
suis es est sont etais etait serais serai sera fus fut etre ayant vais va vont allais allait aller
fait fais font faisait faire ferait peux peut pouvais pouvait pourrais pourrait dois doit devais
devrais veux voulais voudrais laisse commence commencais ne pas plus jamais toujours bien souvent
vraiment tellement a de y en
""")
_CLITICS = "te se le la les lui leur y en nous vous l'"
TAGGED: tuple[tuple[frozenset[str], int], ...] = (
    (_set("je"), lex.EU),
    (_set("me"), lex.ME | lex.CLITIC),
    (_set("moi"), lex.TO_ME),
    (OTHER_PRONOUNS, lex.OTHER),
    (MASCULINE_DETERMINERS | FEMININE_DETERMINERS, lex.DETERMINER),
    (OTHER_DETERMINERS, lex.DETERMINER),
    (PREPOSITIONS - _set("sur"), lex.PREPOSITION),
    (SUBORDINATORS, lex.SUBORDINATOR),
    (COORDINATORS, lex.COORDINATOR),
    (ADVERBS | {"quand meme"}, lex.ADVERB),
    (OTHER_VERBS, lex.OTHER_VERB),
    (SAYING_VERBS, lex.SAYING),
    (_set("ou"), lex.OR),
    (_set("comme"), lex.COMO),
    (_set("quand enfant"), lex.WHEN),
    (_set("seul seule"), lex.SOZINHO),
    (_set(_CLITICS), lex.CLITIC),
    (TIME_NOUNS, lex.TIME),
    (OTHER_PEOPLE, lex.PEOPLE),
    (AUXILIARIES, lex.AUXILIARY),
)
BY_ACCENT: Mapping[str, int] = {
    "malgré": lex.PREPOSITION,
    "à": lex.PREPOSITION, "là": lex.ADVERB, "où": lex.SUBORDINATOR, "ne": lex.ADVERB,
    "dès": lex.PREPOSITION, "près": lex.ADVERB, "sur": lex.PREPOSITION, "même": lex.ADVERB,
    "âge": lex.KNOWN, "côté": lex.KNOWN, "si": lex.ADVERB | lex.SUBORDINATOR, "très": lex.ADVERB,
    "après": lex.ADVERB | lex.PREPOSITION, "ès": lex.KNOWN, "déjà": lex.ADVERB,
    "a": lex.OTHER_VERB | lex.AUXILIARY, "as": lex.OTHER_VERB | lex.AUXILIARY,
 "marche": lex.KNOWN, "du": lex.PREPOSITION,
    "des": lex.DETERMINER | lex.PREPOSITION,
}  # fmt: skip
