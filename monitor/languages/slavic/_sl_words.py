"""Slovene word lists read by :mod:`monitor.languages.slavic.sl`.

Closed classes, adjectives whose ending does not tell them from nouns, and nouns that look like
participles or adjectives.

After Toporišič, "Slovenska slovnica".
"""

AUX = "sem nisem bom"
BE = "sem nisem bom"
FEEL = """
počutim postajam postanem ostajam ostanem izgledam delujem zdim čutim izpadem
"""
VERB = """
moram želim hočem nočem imam nimam vem grem smem znam živim delam mislim ljubim sovražim uživam
skušam poskušam nameravam načrtujem upam potrebujem jem pijem berem pišem kuham vozim spim plešem
sedim stojim hodim potujem učim govorim naredim storim
"""
# Verbs that say how the speaker is on the way, rests or ends.
STATE = """
grem pridem prihajam odhajam odidem hodim stojim sedim ležim spim živim vrnem vračam zbudim zbujam
končam končujem tečem potujem umrem
"""
# Verbs whose object gets a predicate in the accusative; "imajo me za neumno".
MAKES = "dela delajo naredi naredijo naredilo naredili delalo"
MAKES_M = "naredil delal"
MAKES_F = "naredila delala"
HOLDS = "imajo ima imeli štejejo šteje imam nimam štejem smatrajo smatra razglasili"
BE_INF = "biti ostati postati postajati izgledati delovati izpasti počutiti"
THEIRS = """
si nisi je ni sva nisva sta nista smo nismo ste niste so niso boš bo bova bosta bomo boste bodo
"""
OTHER = "on ona oni vi midva medve onadva nekdo nihče kdo vsakdo"
CUT = """
da ker ko če kadar ki kjer kamor koder kako kakor kaj zakaj čeprav četudi čeravno dokler preden
odkar kdor kar kogar česar čemur komur čimer kolikor koliko saj kateri katera katero katere katerega
kateremu katerem katerim katerih katerimi kakršen kakršna kakršno čigar kdaj kje kam kakšen kakšna
kakšno kot toda vendar ampak temveč
"""
# Words that may open a clause or stand in one: "sem kot otrok jokala".
INDEFINITE = "kaj kdaj kje kam kako kot kakor kar koga kolikor koliko"
AND = "in ali a oziroma ter bodisi"
OR = "ali oziroma"
SAY_M = "rekel vprašal odgovoril dejal dodal izjavil zavpil"
SAY_F = "rekla vprašala odgovorila dejala dodala izjavila zavpila"
SAY = "pravi vpraša odgovarja dodaja reče"
PREP = """
v na s z iz od do po o za pri pred čez med nad pod ob brez zaradi proti k h skozi okoli okrog poleg
razen namesto kljub glede prek preko znotraj izmed izpod izpred iznad blizu mimo zoper vzdolž tekom
sredi zraven onkraj
"""
DET = """
moj moja moje mojega mojo mojem mojemu moji mojih mojim mojimi tvoj tvoja tvoje tvojo tvojega tvojem
svoj svoja svoje svojega svojo svojem svojemu svoji svojih svojim svojimi naš naša naše našega našo
našem naši naših našim vaš vaša vaše vašo vašega vašem njegov njegova njegove njegovo njegovega
njegovi njen njena njene njeno njenega njeni njihov njihova njihove njihovo njihovega njihovi ta tej
tisti tista tiste tistega vsak vsaka vsako vsakega vsakem vsaki neki neka neke neko nekega nek noben
nobena nobene nobeno nobenega nobeni en ena enega eni enem tak taka take takega takšen takšna takšne
takšno takšnega cel cela celega celi ves vsa vso drug druga druge drugega drugi drugih nekateri
nekatere isti ista dva dve tri štiri pet šest sedem osem devet deset sto tisoč oba obe obeh
"""
CLITIC = """
se si mi me ti te ga mu jo ji jih jim nas nam vas vam sebe sebi seboj sabo meni mene njega njemu njo
njej nje njih njim njimi tebe tebi to tega tem temu vse vsem vsega vseh drugo isto eno tisto teh
vsemu nikomur nikogar ničesar ničemer nikomer vanj vanjo zanj zanjo nanj nanjo ponj ponjo vame name
zame predme vate nate zate vase nase zase predse vanje zanje nanje komurkoli kogarkoli kaj nekaj
"""
ADV = """
ne pa niti zelo preveč tako precej dovolj povsem popolnoma čisto vedno nikoli včasih pogosto redko
še spet že preprosto res resnično zares malo manj bolj najbolj najmanj več morda mogoče gotovo
verjetno ravno prav samo le zato torej takrat potem zdaj sedaj danes včeraj nocoj zjutraj zvečer tam
tukaj tu doma domov kmalu kasneje pozneje prej izjemno izredno neverjetno posebej predvsem običajno
ponavadi pravzaprav seveda naravno dobro slabo tudi nekoč nekdaj toliko absolutno čustveno fizično
psihično duševno finančno poklicno družbeno dolgo končno nenadoma enako sploh skoraj skorajda
iskreno očitno nič nikakor sicer lahko težko raje najraje kar rahlo nekoliko vsaj naj vendarle
izrazito veliko mnogo zdaleč daleč ponosno nadvse nenehno kdaj nekako spolno zlahka pač vselej malce
žal nasploh naravnost zagotovo zgolj celo docela nikamor medtem takoj karkoli kadarkoli kjerkoli
kakorkoli kamorkoli hitro nazaj naprej skupaj narobe drugače drugod povsod nekje nikjer najprej
zopet ponovno pozno zgodaj nikdar vseeno noter gor dol rajši kvečjemu vmes odslej dotlej doslej
sproti počasi hkrati obenem zaman zastonj namreč recimo menda baje skratka ven
"""
ME = "me mene mi meni menoj mano"

# Adjectives without a productive ending: masculine/feminine.
ADJECTIVES = """
samski/samska popoln/popolna nepopoln/nepopolna smiseln/smiselna nesmiseln/nesmiselna
zanimiv/zanimiva ljubezniv/ljubezniva milostiv/milostiva ponosen/ponosna čustven/čustvena mrk/mrka
rezek/rezka noseč/noseča ljubeč/ljubeča goreč/goreča moteč/moteča vesel/vesela debel/debela
zrel/zrela zloben/zlobna nagel/nagla topel/topla mil/mila podel/podla gol/gola gnil/gnila
kisel/kisela okrogel/okrogla bel/bela nezrel/nezrela majhen/majhna mali/mala mlad/mlada star/stara
lep/lepa grd/grda močan/močna jak/jaka šibek/šibka slab/slaba dober/dobra hiter/hitra len/lena
neumen/neumna pameten/pametna moder/modra nor/nora zdrav/zdrava bolan/bolna jezen/jezna besen/besna
miren/mirna tih/tiha glasen/glasna hraber/hrabra trd/trda mehek/mehka hladen/hladna vroč/vroča
lačen/lačna žejen/žejna pijan/pijana trezen/trezna bos/bosa čist/čista suh/suha moker/mokra
visok/visoka nizek/nizka velik/velika kratek/kratka širok/široka ozek/ozka tanek/tanka bogat/bogata
reven/revna grob/groba nežen/nežna drag/draga strog/stroga oster/ostra bister/bistra veder/vedra
spreten/spretna vešč/vešča čvrst/čvrsta prost/prosta čuden/čudna gluh/gluha slep/slepa kriv/kriva
živ/živa umazan/umazana neroden/nerodna znan/znana priznan/priznana pripravljen/pripravljena
gotov/gotova siguren/sigurna zaseden/zasedena napet/napeta sit/sita globok/globoka
plemenit/plemenita občutljiv/občutljiva ranljiv/ranljiva naiven/naivna iskren/iskrena pošten/poštena
odprt/odprta zaprt/zaprta potrt/potrta vitek/vitka krhek/krhka težek/težka lahek/lahka sladek/sladka
gladek/gladka redek/redka srčkan/srčkana prikupen/prikupna vljuden/vljudna ljubek/ljubka svež/sveža
zvit/zvita vznemirjen/vznemirjena rojen/rojena obut/obuta mišičast/mišičasta privlačen/privlačna
dolgočasen/dolgočasna domač/domača rdeč/rdeča zadet/zadeta prevzet/prevzeta sprejet/sprejeta
začet/začeta ujet/ujeta vzet/vzeta vnet/vneta svet/sveta zavzet/zavzeta posvečen/posvečena
razvit/razvita pokrit/pokrita skrit/skrita ubit/ubita ganjen/ganjena pretresen/pretresena hud/huda
tog/toga gibek/gibka okreten/okretna trmast/trmasta bahav/bahava bled/bleda blag/blaga bujen/bujna
lakomen/lakomna nov/nova enak/enaka hrom/hroma molčeč/molčeča nem/nema zvest/zvesta nezvest/nezvesta
odet/odeta ogret/ogreta plav/plava pobit/pobita razbit/razbita prizadet/prizadeta rjav/rjava
siv/siva črn/črna čuječ/čuječa čuteč/čuteča trpeč/trpeča žareč/žareča modern/moderna boječ/boječa
spočit/spočita bradat/bradata kosmat/kosmata krilat/krilata krvav/krvava čil/čila zel/zla
odkrit/odkrita preprost/preprosta sovražen/sovražna drzen/drzna togoten/togotna prebrisan/prebrisana
nag/naga gluhonem/gluhonema surov/surova divji/divja tuj/tuja rahel/rahla prelep/prelepa
rumen/rumena kočljiv/kočljiva plah/plaha krut/kruta pust/pusta gost/gosta jasen/jasna
"""
COMPLEMENTS = """
poln/polna vreden/vredna vajen/vajena deležen/deležna željan/željna potreben/potrebna zmožen/zmožna
sposoben/sposobna
"""
# Definite forms and comparatives outside the rule that stand as predicates.
DEGREES = """
edini/edina glavni/glavna prvi/prva zadnji/zadnja boljši/boljša slabši/slabša hujši/hujša
mlajši/mlajša večji/večja manjši/manjša lepši/lepša višji/višja nižji/nižja dražji/dražja
težji/težja lažji/lažja boljši/bolja bližji/bližja krajši/krajša daljši/daljša trši/trša širši/širša
ožji/ožja globlji/globlja
"""
# Pronouns that agree with whom they are said of.
PRO_M = "tak takšen kakšen kakršen tisti eden"
PRO_F = "taka takšna kakšna kakršna tista ena"

# No participles of a person: nouns in -l, verbs that only things have.
NOT_PAST_M = """
kul del pol stol model motel kanal signal festival interval material potencial kapital ideal rival
original metal kristal kriminal profesional tunel panel profil april avtomobil krokodil stil idol
simbol alkohol gol vol protokol sokol angel kotel orel osel vozel dol žal apel kartel val kabel
lokal vokal regal portal skandal žurnal predel spol sil šol hal skal čebel tal tel čel navodil
števil pohval zgodil misel zamisel pomisel smisel pitbul emil karel pavel daniel danijel gabriel
samuel marcel
"""
NOT_PAST_F = """
šola sila hala budala skala dela tela čela navodila števila jedila tla jekla pohvala hvala zahvala
obala tabla igla metla strela čebela žila kobila lula kugla formula ampula fabula kontrola konzola
parola gondola kupola metropola patrola podvala mandala sandala katedrala spirala vanila tekila
idila rola viola titula kapela gazela novela skela pola kola zrcala gola modela motela kanala
signala festivala materiala potenciala kapitala ideala rivala originala kristala tunela panela
profila aprila avtomobila krokodila stila idola simbola alkohola vola protokola sokola angela kotla
orla osla vozla lokala portala skandala spola cela zla vesla krdela masla šala zgodila pitbula
daniela danijela gabriela marcela nela stela karla nikola pavla perila glasbila trobila dihala
"""
# Nouns that are participles as well: nouns where another word of the clause is a participle.
NOUN_OR_PAST = """
pravila pravil krila kril vozila vozil merila meril pila pil kosila kosil igrala dvigala svila
sušila hotel bal opravila opravil sporočila sporočil oblačila oblačil zdravila zdravil darila daril
ličila ličil pekla stekla ogledala sedla ogledal rezila gasila šal lepila hotela predal predala
pekel plačila plačil naročila naročil povabila povabil potrdila potrdil obvestila obvestil poročila
poročil letala letal dvigala dvigal mazila mazil čistila čistil mamila mamil svetila svetil vodila
vodil kazala kazal metal metala vila
"""
NOT_ADJECTIVE = """
ivan ivana jan jana milan milana jovan štefan boštjan ana jelena vesna tatjana marjana
dan teden član plan stan klan roman ekran organ ocean veteran partizan kapitan vegan tiran pomen
plen gen kamen plamen bazen fenomen refren eden teren pramen jelen en noben njen sen fen ban san
pelikan vulkan uragan talisman žena cena scena pena zamena arena hijena ramena imena plemena semena
vremena sirena antena kolena domena vena hrana stran strana rana mana vrana fontana banana člana
plana romana ekrana organa oceana veterana kapitana tajna vojna okna vlakna zrna sna dna himna
kolumna ena nobena njena sestrična ven
"""
NEUTRAL = "oseba osebo osebe osebnost duša žrtev zvezda otrok dekle bitje tip"
NOUN_PAIRS = """
učitelj/učiteljica vodnik/vodnica direktor/direktorica zdravnik/zdravnica študent/študentka
delavec/delavka prijatelj/prijateljica šef/šefica strokovnjak/strokovnjakinja partner/partnerka
moški/ženska oče/mati sin/hči brat/sestra fant/punca umetnik/umetnica igralec/igralka
znanstvenik/znanstvenica inženir/inženirka podjetnik/podjetnica športnik/športnica
perfekcionist/perfekcionistka ljubitelj/ljubiteljica kuhar/kuharica voznik/voznica borec/borka
zmagovalec/zmagovalka
"""
