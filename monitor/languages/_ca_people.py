"""Catalan nouns for people and adjectives said of them, read by :mod:`monitor.languages.ca`.

Masculine forms are written with the accents that decide their feminine (tímid/tímida, català/
catalana); feminine forms are derived where no pair is given. Look-ups fold accents away.
"""

from monitor.languages._romance_tags import folded as _set


def _spelled(words: str) -> frozenset[str]:
    return frozenset(words.split())


# The gender of these says nothing about the person; neither do the adjectives that go with them.
FIXED_NOUNS = _set("""
persona víctima criatura geni bebè nadó individu exemple estrella àngel membre ídol monstre tipus
gent figura ànima celebritat presa blanc subjecte espècie barreja part personatge talent èxit fracàs
desastre problema llibre robot misteri cas embolic animal família fera màquina llegenda inspiració
potència presència companyia influència prioritat autoritat personalitat pilar font força bitxo
lleó gos gat gata rata ovella guineu llop ós mona ocell papallona esponja roca imant càrrega pes
peix flor ment mà veu cara rostre cos cor esperit manera cosa tresor secret grup equip parella amor
desgràcia vergonya orgull decepció excepció amenaça prova porc ruc vaca gallina serp ombra molèstia
perla joia ajuda sorpresa eminència ostatge encant cel ésser
""")

# One form for both genders: the article or an attribute tells.
COMMON_NOUNS = _set("""
comptable soprano tenor baríton líder gerent estudiant col·lega amant fan jove adolescent policia
model guia guàrdia assistent agent pacient representant supervivent oient docent dirigent integrant
immigrant testimoni viatjant principiant aspirant atleta poeta profeta idiota cineasta pediatre
psiquiatre acròbata buròcrata demòcrata aristòcrata camarada terapeuta fisioterapeuta intèrpret
heretge rebel màrtir còmplice professional intel·lectual militar oficial general industrial pilot
sergent caporal tinent comandant ajudant salvatge creient nerd hippie freelance mànager coach
suïcida hipòcrita autodidacta homicida patriota entusiasta verge gegant contribuent rival visitant
participant concursant resident parent descendent habitant gestant titular cònsol repòrter portaveu
cònjuge cantant comediant comerciant fabricant vigilant protagonista militant nòmada forense
detectiu conserge capatàs colon menor major votant cap pirata astronauta gai bisexual heterosexual
homosexual hacker gamer freelancer auxiliar genet practicant edil fiscal batlle taxista drapaire
captaire cangur soldat model artista hoste
""")

# Masculine and feminine forms of what people are, where the feminine is not the regular one.
ROLE_PAIRS = """
home/dona pare/mare papa/mama marit/muller gendre/nora oncle/tia avi/àvia padrí/padrina
padrastre/madrastra fillastre/fillastra actor/actriu emperador/emperadriu rei/reina
príncep/princesa duc/duquessa comte/comtessa baró/baronessa heroi/heroïna alcalde/alcaldessa
abat/abadessa sacerdot/sacerdotessa monjo/monja mossèn/monja metge/metgessa mestre/mestra
 jutge/jutgessa déu/deessa tigre/tigressa cavaller/dama
nebot/neboda nét/néta vidu/vídua nuvi/núvia xicot/xicota noi/noia nen/nena
 senyor/senyora hereu/hereva jueu/jueva amic/amiga enemic/enemiga soci/sòcia
company/companya alumne/alumna ministre/ministra president/presidenta client/clienta
dependent/dependenta mosso/mossa amo/mestressa espòs/esposa marquès/marquesa burgès/burgesa
pagès/pagesa francès/francesa anglès/anglesa filòsof/filòsofa fotògraf/fotògrafa
psicòleg/psicòloga biòleg/biòloga sociòleg/sociòloga geòleg/geòloga arqueòleg/arqueòloga
ginecòleg/ginecòloga cardiòleg/cardiòloga dermatòleg/dermatòloga antropòleg/antropòloga
astròleg/astròloga zoòleg/zoòloga oncòleg/oncòloga -/comare -/matrona -/hostessa -/mainadera
-/institutriu -/minyona campió/campiona guardià/guardiana capità/capitana
ballarí/ballarina cosí/cosina germà/germana ciutadà/ciutadana veí/veïna cirurgià/cirurgiana
bibliotecari/bibliotecària secretari/secretària funcionari/funcionària empresari/empresària
veterinari/veterinària propietari/propietària milionari/milionària multimilionari/multimilionària
voluntari/voluntària missioner/missionera comissari/comissària notari/notària becari/becària
universitari/universitària adversari/adversària solitari/solitària cantautor/cantautora
patró/patrona peó/peona aprenent/aprenenta sogre/sogra
cunyat/cunyada fadrí/fadrina solter/soltera home/muller sr/sra dr/dra
estudiós/estudiosa religiós/religiosa noiet/noieta xiquet/xiqueta al·lot/al·lota
"""
ROLE_MASCULINES = _spelled("""
infermer professor doctor enginyer advocat cuiner fuster perruquer soldador director autor
escriptor pintor compositor músic arquitecte forner flequer banquer barber constructor
carnisser netejador empleat treballador obrer operador agricultor granger
pescador jardiner mecànic senador diputat governador farmacèutic bomber
polític pastor presoner pres programador investigador mariner venedor supervisor coordinador
administrador sastre costurer tècnic traductor cambrer guerrer entrenador conseller orientador
consultor editor productor presentador locutor inspector auditor emprenedor fundador amo noi fill
xicot bruixot ambaixador jugador nedador corredor lluitador boxejador àrbitre seguidor guanyador
vencedor perdedor porter cuidador educador pedagog instructor tutor mentor rector degà acadèmic
matemàtic físic químic historiador astrònom bioquímic inventor explorador aventurer miner ferrer
sabater camioner carter lleter maquillador paramèdic prostitut assassí bandit mafiós detingut
 refugiat caixer subhastador procurador defensor magistrat elector estranger convidat
escultor il·lustrador dissenyador decorador escenògraf coreògraf crític redactor revisor lector
 esclau serf criat candidat novell veterà llicenciat graduat bevedor fumador somiador
pensador caçador domador creador aliat deixeble catòlic cristià musulmà ateu adult
ancià benefactor protector salvador missatger repartidor passatger pelegrí gitano indi
mediador negociador comprador inversor gestor executiu controlador desenvolupador topògraf
cartògraf geògraf biògraf metal·lúrgic estibador muntador moliner teixidor planxador vaquer joier
rellotger conductor tapisser mecanògraf agrimensor animador llaurador ramader hortolà llibreter
botiguer peixater pastisser xocolater taverner hostaler torero narrador orador predicador
restaurador cobrador assessor avaluador examinador formador monitor aviador intern extern jubilat
desocupat orfe bessó primogènit mosqueter pistoler carceller manyà calderer instal·lador zelador
emigrat exiliat divorciat casat creditor deutor delegat abanderat encarregat sotsdirector gandul
vagabund masover cambrer mainader pescater minyó modist
""")

# Nouns in suffixes of agents or participles that name things.
THINGS = _set("""
factor valor motor terror horror ordinador ascensor elevador sector amor humor calor sabor olor
favor diners salari horari escenari aniversari diari present ambient instant accident estat resultat
costat mercat pecat significat sentit partit vestit període motiu objectiu públic trànsit dictat
ramat teclat dissabte gelat refrigerant restaurant volant continent incident orient occident dent
ment gent corrent front gener febrer carrera manera fila nevera fusta cadira bandera frontera feina
vora veritat casa volta lloc pas punt terra cos braç dau tant munt camí fons món control treball
càrrec taula llit sala escola església botiga carrer aigua menjar festa vida hora compte llista
pista marca prova línia frase pregunta resposta idea història culpa ràbia dubte gana por fam set son
pressa salut raó espera recerca causa base dieta moda vaga vacances diumenge interior exterior amunt
avall fora dins contra porta prop lluny enrere alerta boca peu dia ull cotxe pel·lícula joc text
curs vaixell vol avió autobús telèfon cabell sang suor plaer temps tot tota res grau cant passeig
cinema teatre infern núvol un una gràcia llum xerrada trucada visita viatge pluja neu caiguda
compra quant tal això allò ara avui ahir aquí allí ajuda per era altra altre cada bellesa alegria
tristesa pau foto zero acord contacte armari quart bany pols vista color taronja nit tarda setmana
oficina ciutat poble platja camp cuina jardí hospital centre dreta esquerra roba sabata camisa
estiu hivern primavera nom silenci canvi mida anada pujada sortida entrada arribada mirada jornada
temporada parada carta obra punta mal bé poc molt massa força pena falta broma pit got plat tassa
ampolla finestra mar riu muntanya illa motiu arxiu niu adjectiu crèdit dèbit hàbit límit fruit
esperit profit crit llit nuit minut institut tribut salut virtut joventut actitud cada nada vegada
amistat meitat edat voluntat soroll esclat combat debat
""")

# Adjectives and participles said of people.
HUMAN_ADJECTIVES = _spelled("""
cansat esgotat nerviós preocupat enamorat apassionat borratxo begut embriac ebri furiós orgullós
ansiós irritat enfadat enutjat molest espantat avergonyit decebut defraudat desil·lusionat frustrat
avorrit animat emocionat entusiasmat excitat curiós confós gelós envejós tossut tímid valerós poruc
temorós mandrós gandul dropo ambiciós carinyós afectuós amorós generós bondadós atent curós
cobdiciós avar vanitós religiós supersticiós estudiós desconfiat prim gras rodanxó ros morè casat
solter divorciat separat promès compromès embarassat prenyat adoptat orfe jubilat retirat desocupat
ocupat atrafegat malalt malaltís marejat ferit lesionat desmaiat mort arruïnat endeutat ric educat
maleducat calmat relaxat descansat assossegat quiet inquiet callat xerrador extravertit introvertit
simpàtic antipàtic graciós honest sincer deshonest mentider franc esforçat aplicat treballador
determinat motivat indecís insegur convençut cregut agraït desagraït ingrat disposat qualificat
capacitat ingenu llest astut savi estúpid ximplet babau boig tocat guillat sonat obsessionat addicte
fascinat encantat impressionat sorprès commocionat aterrit horroritzat esparverat traumatitzat
deprimit estressat aclaparat sobrecarregat afectat destrossat devastat desesperat desolat solitari
sol ofès humiliat insultat traït abandonat rebutjat ignorat jutjat estimat volgut odiat respectat
admirat valorat apreciat protegit penedit perdonat desorganitzat despistat distret concentrat
despert adormit assegut ajagut estirat agenollat vestit nu despullat descalç bronzejat maquillat
pentinat atret interessat aficionat desinteressat involucrat implicat acostumat avesat habituat
temptat forçat obligat pressionat autoritzat convidat contractat ascendit promogut acomiadat
despatxat seleccionat escollit elegit nomenat suspès format graduat entrenat nascut criat mimat
consentit retret reservat mandó agressiu passiu impulsiu compulsiu possessiu emotiu creatiu intuïtiu
competitiu comunicatiu cooperatiu assertiu reflexiu pensatiu pensarós romàntic somiador metòdic
escèptic irònic sarcàstic cínic autocrític carismàtic melodramàtic dramàtic histèric enèrgic apàtic
malenconiós melancòlic nostàlgic psicòtic neuròtic paranoic alcohòlic diabètic asmàtic al·lèrgic
vegà vegetarià brasiler portuguès francès anglès americà italià alemany espanyol català valencià
mallorquí estranger cristià catòlic jueu ateu agnòstic musulmà conservador cuidador seductor
encantador acollidor protector provocador satisfet insatisfet alleujat commogut sensibilitzat
empàtic comprensiu solidari voluntari amic enemic immadur madur crescut adult guapo maco bell formós
musculós atlètic sedentari refinat culte inculte erudit instruït informat actualitzat hipnotitzat
paralitzat petrificat pertorbat atabalat turmentat amenaçat intimidat perseguit observat vigilat
pres detingut condemnat acusat processat multat robat atracat assaltat atacat atropellat segrestat
colpejat violat assetjat abusat enganyat manipulat influït influenciat recolzat comprès incomprès
valent enfurismat rancorós venjatiu amargat ressentit hiperactiu obstinat afortunat desafortunat
dissortat beneït privilegiat golafre afamat famolenc assedegat refredat constipat encostipat
infectat vacunat curat recuperat hospitalitzat ingressat operat cec sord mut coix apressat capritxós
meticulós minuciós cautelós previngut agosarat atrevit intrèpid aventurer heroic victoriós derrotat
invicte oblidadís observador xafarder tafaner discret indiscret promiscu faldiller tatuat barbut
pigat emmascarat disfressat desarmat uniformat apte inepte incapacitat captivat enlluernat
meravellat extasiat eufòric desanimat desmotivat abatut afligit angoixat aprensiu recelós groller
malvat pervers sàdic despietat pietós piadós misericordiós caritatiu abnegat devot batejat
indisciplinat disciplinat rebel indignat resignat adaptat integrat exclòs marginat discriminat
oprimit subestimat infravalorat menyspreat ridiculitzat criticat elogiat felicitat premiat
recompensat remunerat dominat dominador submís sobreprotector autoritari emancipat empoderat casolà
fester viatger masculí femení efeminat depilat afaitat perfumat esvelt corpulent robust raquític
desnodrit obès anorèxic bulímic depressiu dislèxic quec suat xop amarat despentinat deixat sedat
anestesiat drogat sobri lúcid al·lucinat destinat predestinat acomodat allotjat encarregat afalagat
honrat deshonrat expulsat absort acceptat considerat etiquetat torturat mossegat esgarrapat ofegat
asfixiat deshidratat intoxicat enverinat apunyalat contrariat renyat castigat desafiat ruboritzat
tranquil petit petitó baixet content descontent fart entremaliat pallasso perdut despreocupat
decidit tip dolgut lleig bonic preciós simpatiquíssim presumit coquet hipocondríac maníac espavilat
eixerit viu dinàmic ordenat desordenat organitzat dedicat entregat escandalitzat fastiguejat
fastiguejós empipat emprenyat cabrejat alterat agitat estremit tremolós pàl·lid suós afònic ronc
moribund invàlid minusvàlid discapacitat sa experimentat preparat format designat destituït recordat
oblidat reconegut escoltat entès mirat desconcertat atònit estupefacte bocabadat astorat alarmat
esperançat desesperançat il·lusionat entristit apenat afectat desmoralitzat compassiu generosíssim
auster estalviador malgastador trist tristot alegrat enyorat enyoradís temut envejat desitjat adorat
idolatrat venerat repudiat expatriat exiliat refugiat deportat desterrat empresonat tancat alliberat
absolt indultat arrestat interrogat investigat denunciat demandat sancionat fotut fastiguejat calent
cansadíssim fort viu cofoi joiós estricte grec rus turc txec suís suec xinès japonès polonès
holandès danès irlandès escocès gallec basc andalús mexicà argentí colombià cubà africà europeu
asiàtic àrab marroquí dolç agut exitós equivocat segur afortunat independitzat maltractat apallissat
desaparegut salvat rescatat pobret relaxat tens lliurat sabut pensat dolent
""")

# Adjectives said of things as often as of people; they count after a first person only.
OTHER_ADJECTIVES = _spelled("""
alt baix famós conegut divertit seriós modest triat aprovat productiu actiu atractiu pràctic lògic
analític crític autèntic sofisticat congelat usat explosiu endarrerit retardat avançat rigorós
armat aïllat pagat solt trencat llis instal·lat immers vist dit anomenat cremat perillós car fred
net brut fosc clar obert ple buit nou vell cert estrany rar necessari obvi barat meravellós
fantàstic horrorós ridícul grandiós poderós dur ràpid lent profund únic primer últim darrer segon
tercer propi mateix vertader fals perfecte imperfecte òptim pèssim complet incomplet sencer exposat
ocult amagat lligat connectat desconnectat sec envoltat rodejat cobert rígid innecessari valuós
misteriós curt llarg estret gros magnífic esplèndid intimidador pesat digne indigne
mereixedor subjecte pròxim contrari oposat antic modern públic privat artístic científic econòmic
bàsic nat pur limitat il·limitat inclòs extraordinari virtuós miraculós gloriós vergonyós desastrós
harmoniós fet posat compost imposat diplomat certificat acreditat afiliat associat vinculat llançat
portat mantingut mogut empès aturat parat viu sant sorollós correcte incorrecte exacte directe
immediat concret just injust roig vermell blanc negre complicat senzill arriscat encertat
centrat enfocat orientat dirigit ensenyat utilitzat basat equilibrat assenyat insensat ombrívol
bo mal roí còmic tràgic únic distint divers escàs nombrós
""")

# Participles whose ending does not show it; after "ser" they make a passive.
IRREGULAR_PARTICIPLES = _spelled("""
fet dit vist escrit obert cobert descobert mort resolt absolt tolt imprès inscrit fregit ofès pres
sorprès comprès entès suspès exclòs inclòs confós promès compromès estret atret distret satisfet
""")

# No gender in the ending, though it looks like one.
EPICENE_ADJECTIVES = _set("""
egoista optimista pessimista perfeccionista realista idealista feminista masclista hipòcrita idiota
suïcida gai masoquista altruista materialista minimalista budista racista detallista autista
cosmopolita patriota autodidacta simple millor pitjor major menor superior inferior anterior
posterior exterior interior feliç infeliç capaç incapaç eficaç audaç tenaç veloç feroç jove comú
gran humil fràgil àgil dèbil feble pobre lliure alegre amable sensible responsable agradable hàbil
ximple cruel fidel lleial igual especial normal formal rebel
""")

# Irregular pairs.
ADJECTIVE_PAIRS = """
bo/bona bon/bona
mal/mala roí/roïna nu/nua cru/crua viu/viva ric/rica amic/amiga enemic/enemiga antic/antiga
cec/cega sec/seca groc/groga boig/boja lleig/lletja roig/roja mig/mitja jueu/jueva ateu/atea
europeu/europea hebreu/hebrea petit/petita petitó/petitona brut/bruta mut/muda agut/aguda dit/dita
escrit/escrita vist/vista fet/feta gras/grassa ros/rossa gros/grossa baix/baixa tip/tipa xop/xopa
prim/prima primer/primera darrer/darrera tercer/tercera segon/segona últim/última únic/única
mateix/mateixa propi/pròpia solitari/solitària solidari/solidària voluntari/voluntària
contrari/contrària autoritari/autoritària extraordinari/extraordinària necessari/necessària
sedentari/sedentària savi/sàvia sobri/sòbria ebri/èbria obvi/òbvia sord/sorda covard/covarda
tou/tova nou/nova blau/blava esclau/esclava ingenu/ingènua promiscu/promíscua dolç/dolça
andalús/andalusa grec/grega suís/suïssa rus/russa gallec/gallega descalç/descalça escàs/escassa
espès/espessa boníssim/boníssima sol/sola espanyol/espanyola tranquil/tranquil·la valent/valenta
content/contenta descontent/descontenta dolent/dolenta lent/lenta atent/atenta calent/calenta
corpulent/corpulenta submís/submisa indecís/indecisa invicte/invicta culte/culta inculte/inculta
apte/apta inepte/inepta addicte/addicta estupefacte/estupefacta perfecte/perfecta
imperfecte/imperfecta correcte/correcta incorrecte/incorrecta exacte/exacta directe/directa
digne/digna indigne/indigna honest/honesta trist/trista fort/forta mort/morta curt/curta
esvelt/esvelta robust/robusta alt/alta obert/oberta cobert/coberta descobert/descoberta
expert/experta despert/desperta cert/certa fart/farta just/justa injust/injusta solt/solta
absolt/absolta resolt/resolta malalt/malalta oblidadís/oblidadissa malaltís/malaltissa
enyoradís/enyoradissa quec/queca porc/porca poruc/poruga feixuc/feixuga xaruc/xaruga sa/sana
malsa/malsana rodo/rodona ple/plena serè/serena llunyà/llunyana humà/humana inhumà/inhumana
pròxim/pròxima
"""

# Adjectives that stand before a noun: the noun decides ("bona persona", "bon amic").
PRENOMINAL = _set("""
bo bona bon mal mala gran nou nova vell vella únic única primer primera últim última darrer darrera
propi pròpia vertader vertadera veritable òptim òptima pèssim pèssima excel·lent millor pitjor petit
petita jove simple pobre antic antiga futur futura mer mera màxim màxima major menor famós famosa
segon segona tercer tercera etern eterna fidel digne digna autèntic autèntica cert certa ex bell
bella
""")

# Fronted words that are interjections or parts of conjunctions.
NOT_FRONTED = _set("""
cert clar seriós llest dat vist degut perfecte posat primer segon primera segona últim última nou
nova altre pròxim pròxima mateix mateixa bo bona estimat estimada amic amiga antic certa lligat fet
dit encantat exacte correcte segur segurament senyor senyora home dona
""")
NOT_INCLUSIVE = _set("")
