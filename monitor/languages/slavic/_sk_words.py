"""Slovak word lists: closed classes, and nouns that look like verbs or adjectives.

Read by :mod:`.sk`. After "Morfológia slovenského jazyka" (Ružička and others).
"""

AUX = "som"
BE = "som budem nebudem"
# Other verbs with a predicate, first person; those with an instrumental are listed apart.
FEEL = """
cítim necítim zostávam zostanem nezostanem ostávam ostanem pripadám nepripadám zdám vyzerám
nevyzerám
"""
BECOME = "stanem nestanem stávam nestávam zostávam zostanem ostanem budem nebudem"
# Copulas of another person, in a clause that has a subject of its own.
IS = "je bude nebude vyzerá nevyzerá zostáva zostane ostane pripadá zdá cíti necíti stáva stane"
BE_INF = "byť nebyť zostať zostávať ostať ostávať cítiť pripadať stať"
OTHER = """
ste sme sú máte nemáte dáte znáte poznáte budeš budete budeme nebudeš nebudete nebudeme budú nebudú
"""
CUT = """
že pretože keď ak či aby keby ktorý ktorá ktoré ktorú ktorého ktorému ktorom ktorým ktorí ktorých
ktorými čo lebo akonáhle kým hoci nakoľko odkedy pokiaľ
"""
AND = "a i aj ale alebo ani či než ako"
OR = "alebo či"
SAY = """
povedal povedala povedali hovorí hovoril hovorila vraví vravel vravela opýtal opýtala odpovedal
odpovedala
"""
PREP = """
v vo na do z zo s so k ku o u po pre pri pred predo za nad nado pod podo medzi bez bezo od odo cez
cezo kvôli vďaka podľa okolo vedľa proti naproti oproti voči počas skrz mimo okrem namiesto pomocou
prostredníctvom ohľadne uprostred
"""
DET = """
môj moja moje mojej moju mojou môjho mojim mojom tvoj tvoja tvoje tvojej svoj svoja svoje svojej
svoju svojou svojho svojmu svojom svojím svojich svojimi náš naša naše našej našu nášho váš vaša
vaše jeho jej ich každý každá každé každého každú niektorý niektorá niektoré aký aká taký taká také
takého takú tento táto toto túto tejto tomto tohto žiadny žiadna žiadne žiadneho žiadnu iný iná
iného inú celý celá celé celého celú všetky všetkých dva dve tri veľa niekoľko jeden jedna jednu
jednej jedného nejaký nejaká nejakú nejakého
"""
CLITIC = (
    "sa si mi ma mňa mne ho mu ju jej im ich je to ťa ti nás nám vás vám tým tomu toho tom už by"
)
ADV = """
veľmi tak príliš dosť celkom úplne vždy nikdy stále často niekedy občas už ešte len iba tiež aj
naozaj skutočne trochu viac menej najviac skôr asi možno zase znova teraz dnes včera zajtra tam tu
doma potom proste jednoducho hodne málo dokola zdola zhora sotva obzvlášť absolútne natoľko aspoň
samozrejme prirodzene vôbec takmer skoro práve predtým rovnako hneď čoskoro neustále hlavne ako
zatiaľ medzitým predsa vlastne dávno nakoniec konečne nikto nič niečo niekto kto čo kde kedy prečo
nie dokonca spolu rada
"""
VERB = "viem neviem jem chcem nechcem"
ME = "ma mňa mne mi mnou"

# Nouns and names in -l: no participles. More are known by their ending.
NOUNS_L = """
sval žal obal futbal volejbal basketbal hádzaná karneval festival interval mobil email mail e-mail
profil automobil model tunel panel popol uhol orol kozol osol kotol titul modul štýl zmysel nezmysel
úmysel priemysel výmysel omyl alkohol gól idol symbol kôl stôl vôl bôľ anjel kostol vrchol detail
hotel motel level debil imbecil bicykel kábel kašel uzol posol nával príval kvartil protokol sokol
konzul mozol topol prdel pudel manžel apríl účel metal textil ventil vinyl gril singel gel exil
rival maršal apoštol cholesterol gél údel živel spevokol hranol karfiol kokteil hajzel podtitul
dostrel výstrel rozptyl samopal šakal vandal michal pavol karol daniel gabriel samuel rafael emil
kamil cyril marcel izrael brusel digital bordel nadol vôkol navôkol naschvál archanjel etanol
škandál diesel pixel rebel ideál real areál
"""
# Nouns, names and adverbs in -la, and plural or genitive forms of neuters in -lo.
NOUNS_LA = """
škola sila skala víla hala kola tela perla tehla čísla skla kúzla sídla krídla hesla masla kresla
sedla mydla pravidla svetla divadla lietadla vozidla tepla čela diela zrkadla idola strela cela
včela kapela idyla gorila tequila ihla pádla prádla zdola dokola spola anjela archanjela orla kozla
posla popola kostola priemyslu vola manžela umývadla stola hejna osla diabla júla apríla generála
kardinála admirála maršala rivala konzula hmla hrdla nula flotila škála molekula kapsula stodola
mŕtvola pochvala medaila vesla remesla dela kila smola čerpadla kobyla homola bezmála metropola
pavla karla karola michala daniela gabriela marcela kamila emila cyrila jarmila ľudmila angela
manuela viola nikola adela samuela rafaela izraela apoštola hotela tunela fiala
"""
# Forms that are participles too, and are read as such beside the auxiliary: "jedla som".
DOUBTFUL_M = "uhol žal vil dul metal"
DOUBTFUL_F = "jedla uhla žala vila dula metla metala pekla"
# Adjectives not in -ny with the ending that follows a long syllable: stems.
SHORTENED = """
múdr nemúdr hlúp nehlúp skúp blízk krátk úzk nízk stál rýchl biel priam nepriam čír sýt nesýt vláčn
triezv netriezv mŕtv náhl neustál okrúhl rozsiahl tiahl čiernobiel riedk krív ponúr štíhl piat šiest
siedm ôsm
"""
# Nouns and pronouns that look like adjectives.
NOT_ADJECTIVE = """
vedúci vedúca scéna scény vitamíny magazíny kabína kabíny mandarína mandaríny hrdinky doména domény
má ktorá ktorý každá každý žiadna žiadny iná iný celá celý všetka samá samý nejaká nejaký niektorá
niektorý pozná hrá hľadá máva býva druhá druhý kráľovná
"""
NOUN_PAIRS = """
vodca/vodkyňa učiteľ/učiteľka manažér/manažérka riaditeľ/riaditeľka lekár/lekárka študent/študentka
odborník/odborníčka pracovník/pracovníčka priateľ/priateľka kamarát/kamarátka šéf/šéfka
expert/expertka profesionál/profesionálka vyjednávač/vyjednávačka partner/partnerka
milovník/milovníčka perfekcionista/perfekcionistka muž/žena otec/matka syn/dcéra brat/sestra
chlapec/dievča líder/líderka športovec/športovkyňa umelec/umelkyňa herec/herečka
programátor/programátorka vedec/vedkyňa inžinier/inžinierka podnikateľ/podnikateľka
"""
# Feminine instrumentals in -ou of adjectives whose ending nouns have as well; others are known by
# their ending. The stems; "silným" needs no list.
INSTRUMENTAL_STEMS = """
rovnak celistv dvojak prvorad skor starobyl starovek stredovek svetoznám priamočiar rozľahl rozsiahl
vyspel zvisl tiahl novodob krátkodob nepretržit prenajat čiernobiel
prv cel veľk nem dobr druh in jedin mal znám star ist vysok pekn skvel minul dlh biel mlad krátk
býval čist dôležit použit zl stál modr svetl zlat prav ženat bohat dokonal širok určit priam rýchl
zdrav štvrt jednoduch mil ťažk zaujímav such nízk zvedav žlt blízk piat tvrd čerstv tepl tich
uzavret zabit hrub hlbok ľahk prijat vydat drah slab chor mŕtv vedom nevedom dlhodob dospel ostr
šiest závisl nezávisl hrd jedl sladk trval vesel hladk umel úzk dvojit tmav zložit siedm hned ľav
múdr pomal bystr ploch desiat prudk štedr nijak tenk čast mäkk pestr mokr ôsm divok krut krvav nabit
využit hlúp hust maličk osobit láskav predošl okrúhl prevzat roztomil štíhl slep ojedinel šed
veľkolep nah okamžit opit jedovat hol špinav krehk zúfal tekut tuh náhl osamel prost chud veľkorys
zajat neustál kysl zrejm hocijak vlhk blb leskl tup súvisl plach plynul zrel pokročil vytrval bled
strm vybrat hluch škared voňav zachoval rozbit rozmanit tvrdohlav sebavedom trojit obvykl zosnul dut
hork chytr úboh triezv riedk začat zriedkav lys zavret prastar šťavnat vnímav čul guľat hrdzav
prekliat šikm ušľachtil spôsobil zaujat plytk smel nesmel sprost svalnat tlst pust vzat mladistv
zdĺhav chlpat lákav drz ďalek naliehav prenikav čír malink najat bos kulhav krív sýt žiarliv bdel
zbabel bolav namyslen skúp príjemn plešat uštipačn starostliv pyšn hašteriv nápadit obetav vytúžen
otupel zmeraven nov tak jak hrav nedospel nezrel nečist nezdrav trúfal vzdial napät vyspat odet
zaodet obut neobut pracovit vznetliv zraniteľn svedomit neist sebaist ponur jednook nevrl zarost
opuchnut napat rozpačit zmät svojhlav ľahkovážn zanedbat rozvážn zaostal povrchn bezhlav rozhnevan
útl ospal unaven
"""
# Nouns and adverbs in -ou with the ending of an adjective.
NOT_INSTRUMENTAL = """
hlavou postavou prípravou úpravou oslavou dopravou výbavou zábavou predstavou ústavou výstavou
obavou únavou zástavou sústavou nápravou otravou výpravou bratislavou moravou stravou potravou
stratou podstatou výplatou pätou lopatou chatou debatou vatou záplatou komnatou pomocou jednou mnou
našou vašou prácou spoluprácou láskou ženou zmenou premenou stranou obcou ríšou fľašou vecou výmenou
ochranou obranou mocou nemocou nocou polnocou vojnou kráľovnou stenou penou dušou princeznou maskou
páskou doskou annou pannou menou cenou záchranou zuzanou janou pomôckou kockou smotanou mincou
šancou elenou helenou odmenou výzvou scénou ranou bránou hranou vaňou vlnou kolískou hygienou
skupinou rodinou hodinou budovou výchovou obnovou vdovou podkovou perspektívou studňou minútou
pokutou alenou ivanou dianou magdalenou čiarkou hadicou mačkou krásou
"""
# Verbs with an object complement: "robí ma to šťastnou". Their participles stand apart.
MAKE = "robí robia urobí urobia spraví spravia urobilo robilo spravilo urobili robili spravili"
MAKE_M = "robil urobil spravil"
MAKE_F = "robila urobila spravila"
# Verbs with an object and "for": "považujú ma za slabú".
REGARD = """
považujú považuje považovali pokladajú pokladá pokladali berú majú má mali vyhlásili označili
považujem pokladám
"""
REGARD_M = "považoval pokladal"
REGARD_F = "považovala pokladala"
OBJECT = "ma mňa"
WHO = "ktorý ktorá"
