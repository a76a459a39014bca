"""German word lists read by :mod:`monitor.languages.de`, without umlauts and ß.

Endings that make nouns for persons, nouns for persons without such an ending, and nouns that have
one by chance. After Duden, "Die Grammatik", and Fleischer and Barz, "Wortbildung der deutschen
Gegenwartssprache".
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Masculine/feminine where the feminine is not the masculine and -in.
PAIRS = dict(
    pair.split("/")
    for pair in """
    mann/frau vater/mutter sohn/tochter bruder/schwester onkel/tante neffe/nichte opa/oma
    papa/mama grosspapa/grossmama herr/dame junge/madchen bub/madel prinz/prinzessin
    witwer/witwe monch/nonne steward/stewardess masseur/masseuse friseur/friseuse
    krankenpfleger/krankenschwester abt/abtissin hexer/hexe stiefvater/stiefmutter
    beamter/beamtin ballettmeister/ballettmeisterin zauberer/zauberin wanderer/wanderin
    forderer/forderin bewunderer/bewunderin eroberer/eroberin herausforderer/herausforderin
    ruderer/ruderin lasterer/lasterin plauderer/plauderin schwager/schwagerin
    gouverneur/gouverneurin
    """.split()
)
#: Second halves of compounds for men and women: Kaufmann/Kauffrau.
HALVES = (
    ("mann", "frau"), ("vater", "mutter"), ("sohn", "tochter"), ("bruder", "schwester"),
    ("pfleger", "schwester"), ("beamter", "beamtin"), ("prinz", "prinzessin"), ("junge", "madchen"),
)  # fmt: skip
#: Nouns for persons without a telling ending, and last parts of compounds.
LEXICAL = _words("""
chirurg dramaturg metallurg arzt koch bauer anwalt wirt chef freund feind gott konig herzog furst
dieb greis zwerg zar nachbar kapitan clown spion patron baron philosoph kauz schelm tolpel rebell
vasall general konsul sultan stadtrat gemeinderat hofrat studienrat regierungsrat ministerialrat
bischof pastor kaplan sportsfreund held graf bursch hirt pilot autor mentor barbar ungar tatar bojar
schah vogt schultheiss wart torwart hauswart tierarzt anfuhrer vampir fakir emir wesir magnat
""")
#: Weak nouns in -e: Kollege/Kollegin.
WEAK = _words("""
kollege kunde experte zeuge pate bote gatte erbe sklave franzose russe turke pole schwede dane finne
grieche tscheche slowake slowene brite schotte ire jude kroate serbe bulgare rumane genosse gefahrte
komplize riese insasse geselle nomade hirte sachse hesse schwabe preusse heide mongole kurde afghane
lette este katalane baske kosake lotse knappe gote vandale kelte rivale philologe stratege ahne
chilene zeitgenosse ostfriese friese normanne germane alemanne asiate kannibale satrape
""")
#: Endings of masculine nouns for persons; the feminine has -in after them, or in place of -e.
SUFFIXES = tuple("er ist yst ent ant or eur nom soph krat graph fotograf biograf".split())
WEAK_SUFFIXES = tuple("loge goge stratege ese".split())
#: Nouns with an ending that more other nouns have.
RARE = _words("""
soldat kandidat diplomat advokat akrobat literat burokrat demokrat autokrat aristokrat technokrat
legat psychopath homoopath naturopath soziopath idiot patriot zypriot exot despot chaot copilot
pilot favorit eremit bandit jesuit israelit kosmopolit antisemit semit athlet poet prophet interpret
asket leichtathlet analphabet aktionar funktionar sekretar millionar milliardar revolutionar
missionar legionar notar kommissar bibliothekar archivar antiquar referendar jubilar pensionar
visionar barbar veterinar volontar doktorand konfirmand habilitand proband informand diplomand
bankier offizier kanonier grenadier pionier hotelier kavalier portier premier passagier kurier
gondolier croupier gymnasiast enthusiast fantast phantast dynast pederast monarch patriarch oligarch
architekt prafekt veteran dekan kapitan kaplan kastellan indianer
""")
#: Nouns with one of the other endings that are no persons, or persons without a partner.
THINGS = _words("""
tier bier papier klavier turnier quartier revier visier atelier meer meter liter center power
trailer cover browser newsletter flyer thriller bestseller dinner tower summer speicher roboter
kader gehor zubehor chor cent kopfhorer lautsprecher hubschrauber kiefer kupfer gewitter pulver
poker parameter massaker doner acker behalter zylinder desaster kuhler champagner oldtimer spoiler
falter stier kaliber manover schauer erreger manier scheinwerfer ziffer gelachter gletscher speer
haustier metapher helikopter neugier gier elfmeter elefant transparent pendant elegant prasent
signifikant grant geschwister silvester mittelalter zeitalter lebensalter graber racher facher rader
super ferner weder entweder lauter leichter gegenuber miteinander durcheinander nieder wider jeder
peter alexander walter werner dieter gunter gunther rainer reiner holger volker viktor theodor
gregor rudiger xaver oliver christopher vincent laurent igor hektor thor victor jennifer esther
heiner hannover munster trier speyer luther hitler sekunde urkunde toilette wiese these hypothese
synthese synagoge palette hier spater fruher vorher nachher daher woher seither hinterher sicher
schwer leer teuer bitter sauer heiter munter schwanger hager mager locker clever tapfer sauber
lecker finster duster integer wunder fehler computer wecker koffer keller teller sommer winter
korper finger hammer kalender filter server ordner roller kleber stecker container poster pullover
laser router scanner toner bunker panzer hunger arger eifer zucker pfeffer kummer jammer schlummer
donner kater adler tiger hamster panther biber kafer alter feuer wasser messer zimmer muster wetter
leder silber ufer ungeheuer opfer kinder manner eltern mitglieder abenteuer steuer mauer mutter
tochter schwester butter feier dauer trauer schulter nummer kammer oper faser leber ader feder lager
ruder futter theater orchester register semester ministerium fenster pflaster laster kloster polster
gitter blatter bucher kleider hauser worter bilder lieder felder walder dorfer monster zepter puder
fieber teenager youngster single star fan profi gast mensch waise lehrling fluchtling liebling
zwilling moment talent element dokument argument prozent akzent patent kontinent parlament fundament
instrument experiment medikament testament ornament regiment segment pigment zement event advent
orient content diamant restaurant hydrant foliant quadrant proviant brillant konsonant motor faktor
sektor traktor reaktor rotor monitor alligator generator katalysator tumor humor terror horror labor
marmor rektorat ventilator radiator indikator vektor korridor kondor meteor mist zwist frist list
wurst geist gist rist twist malheur likor interieur dezember november oktober september januar
februar april becher eimer schalter koder anker sender trockner rechner schlager treffer stunder
untertan charakter einser vierer funfer dreier master bachelor zeiger hintergrund sander splitter
sattel rucker klopfer luster tiefer hoher weiter immer wieder einer keiner welcher mancher solcher
dieser jener unser euer ihrer seiner meiner deiner aller vieler selber darunter daruber hinter unter
uber leider bisher eher lieber besser mehrerer anderer
""")
#: Last parts of compounds that are things: Kilometer, Argument, Stiefmutter.
LAST_THINGS = tuple(
    """
    meter computer fehler korper haustier raubtier papier klavier meer ment wetter wasser feuer
    zimmer fenster steuer dauer mauer mutter tochter schwester opfer kammer nummer theater
    register motor faktor sektor traktor reaktor kinder leder feier seminar hypothese urkunde
    sekunde
    """.split()
)
#: Endings of adjectives and participles that stand as nouns, in -e.
ADJECTIVAL = r"""
(?:ge|be|ver|er|ent|zer|emp)[a-z]{2,}te
|[a-z]{2,}(?:ierte|ete|igte|lte|rte|nnte|chte|ckte)
|[a-z]{3,}(?:nde|ene|ere)
|[a-z]{2,}(?:st|sst|zt)e
|[a-z]{2,}(?:liche|lose|ige|ische|elle|same|bare|hafte|ive|ale|ible|able|are|ose)
|[a-z]{2,}(?:volle|reiche|arme|freie|werte|fahige|artige)
"""
#: Adjectives without such an ending.
BASE = _words("""
dominante intelligente prominente kompetente elegante arrogante tolerante konsequente militante
brillante charmante interessante effiziente dezente turbulente vehemente ignorante relevante schone
kluge dumme starke schwache grosse kleine alte junge neue gute bose liebe nette erste zweite dritte
vierte letzte nachste vorletzte schlaue faule fleissige stille laute leise dicke dunne schlanke
reiche arme kranke gesunde blinde taube stumme tote fremde weise kuhle coole heisse kalte wilde
zahme zarte harte weiche ruhige sture treue untreue feige brave freche frohe traurige ernste strenge
milde sanfte rohe stolze edle schlichte grobe feine schmale breite lange kurze schnelle langsame
spate fruhe falsche richtige deutsche grune linke rechte schwarze weisse rote blonde brunette braune
graue kahle nackte leere volle satte mude wache blasse bleiche vornehme bescheidene bequeme beste
schlimmste heikle dunkle bittere saubere heitere tapfere muntere bessere altere jungere obere untere
andere intime anonyme extreme moderne interne externe fitte schuchterne nuchterne lockere clevere
smarte perverse diverse nervose naive normale rabiate private adoptierte parate okaye einzige klare
rare submissive devote passive aktive introvertierte extrovertierte impulsive sensible flexible
eitle noble simple gebildete ungebildete unschuldige schuldige doofe blode verruckte hassliche
hubsche
""")
#: Nouns in -e that end like these.
NOT_ADJECTIVAL = _words("""
seite burste revolte tapete machete rakete intrige schwere warte neige fichte beichte nichte
gefahrte fahrte prestige pauschale tabelle schwelle forelle zitadelle randale pedale biennale
berlinale vertikale horizontale exekutive legislative retrospektive faible variable software
hardware hypnose narkose psychose tuberkulose symbiose glucose ablose umstande gelande gewinde
rangliste sparte schiene schelle puste operette ohrfeige anzeige karriere barriere misere galeere
beere premiere affare sphare atmosphare hetare heere geste liste kiste weste kruste kuste gaste
reste feste aste paste taste buste wuste luste gerste brust quaste piste rente ente tante variante
konstante kante sekante ursache sache stunde wunde hunde runde kunde freunde feinde sunde pfunde
grunde bande hande wande rande lande stande gegenstande legende wende spende blende gemeinde behorde
herde erde rede ende wochenende dividende jahrzehnte szene hygiene antenne arene sirene ebene zone
tische fische kirsche tasche flasche asche dusche wasche nische rasche quelle stelle welle zelle
kapelle delle novelle kelle zentrale filiale spirale kathedrale merkmale skala alternative
perspektive initiative direktive motive archive defensive offensive lokomotive detektive expertise
analyse these prothese pause hose dose rose prognose diagnose dosis lose familie ehre lehre leere
schere ware haare jahre kare seminare exemplare kommentare honorare karte sorte worte orte torte
pforte werte konzerte experte offerte felder falte haelfte halfte geschichte gerichte berichte
gewichte nachte machte fruchte pflichte schichte dichte gebiete angebote verbote gebote methode
periode episode liebe reise mitte bitte kette platte latte watte quote note bote rate tate karotte
motte hutte mutte sitte schritte akte punkte produkte projekte objekte kontakte konflikte effekte
aspekte dialekte takte ziege fliege wiege anzuge zuge tage auflage frage lage anlage grundlage menge
wege pflege kollege zeuge berge burge auge sorge folge waage woge etage garage texte kurse preise
kreise beweise verluste dienste kunste gerate geraete stadte kraefte krafte leute paare lehrerschaft
bare meere tiere papiere klaviere manuskripte rezepte konzepte gebete gesetze netze satze platze
schatze grenze munze pilze kerze katze tatze glatze arzte anwalte gefuhle versuche besuche gespriche
gesprache bereiche vergleiche experten fachleute laie neuzugange hauptsache personale arsenale
signale skandale rituale ideale pokale lokale regale kanale finale tribunale materiale potentiale
menschenrechte rechte halbe
""")
#: Last parts of compounds that are such nouns: Haltestelle, Landkarte.
NOT_ADJECTIVAL_LAST = tuple(
    """
    seite stelle karte liste kuste geschichte gemeinde wende runde stunde kunde bande spende
    legende szene quelle zentrale initiative anzeige ursache flasche tasche software hardware
    weste geste kiste premiere beere barriere karriere atmosphare burste finale skala zelle
    welle perspektive hose dose diagnose statte urkunde quote leute kraefte
    """.split()
)
#: Nouns that differ from an adjective in the umlaut alone: Stärke, Größe.
UMLAUT_NOUNS = _words("""
starke grosse nahe hohe lange kalte warme harte schwarze rote gute schwache blasse nasse saure kurze
breite
""")
#: Words in -er that compare nothing.
ADVERBS = _words("""
hier fruher spater immer wieder leider bisher seither vorher nachher daher woher hinterher sicher
aber oder nur unter uber hinter immer weiter ferner selber
""")
OWN = _words("""
ich bin nicht und die das ein eine einen einer einem ist mich mir mein meine meinen meiner meinem
wir ihr sie er auch aber oder weil dass wenn wie zu zum zur mit fur auf von dem den des sich habe
hatte hat haben war waren werde wurde kann konnte will wollte mochte muss sehr immer nie noch nur
schon kein keine keinen bei nach aus um durch ohne uber unter etwas alles nichts jetzt hier dort
heute gestern morgen man uns euch ihnen ihn ihm sein seine ihre diese dieser dieses gern gerne mehr
als
""")
