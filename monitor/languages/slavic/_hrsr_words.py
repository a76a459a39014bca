"""Croatian and Serbian word lists read by :mod:`._hrsr`.

Closed classes, adjectives whose ending does not tell them from nouns, and nouns that look like
participles or adjectives.

Ijekavian and ekavian forms stand side by side: one table serves both standards. After Barić et al.,
"Hrvatska gramatika", and Stanojčić and Popović, "Gramatika srpskoga jezika".
"""

# Auxiliaries of the first person singular: perfect, conditional, second future.
AUX = "sam nisam jesam nijesam bih budem"
BE = "sam nisam jesam nijesam budem biću ću neću bijah bejah"
FEEL = """
osjećam osećam osjetim osetim postajem postanem ostajem ostanem izgledam djelujem delujem ispadnem
ispadam smatram
"""
# Frequent verbs of the first person that take an infinitive or stand beside "alone".
VERB = """
mogu hoću ću neću želim volim moram trebam smijem smem znam umijem umem idem živim radim učim
nastojim pokušavam trudim uživam planiram namjeravam nameravam mislim mrzim obožavam nemam imam
uspijevam uspevam biram odlučujem preferiram spavam putujem jedem sjedim sedim stojim hodam šetam
vozim kuham kuvam plačem
"""
# Verbs that say how the speaker is on the way, rests or ends.
STATE = """
idem dolazim odlazim hodam stojim sjedim sedim ležim spavam živim vraćam budim izlazim ulazim trčim
završim završavam stižem putujem odem dođem vratim probudim umrem umirem
"""
# Verbs whose object gets a predicate in the instrumental.
MAKES = """
čini čine čineći učini učine učinilo činilo učinili činili učinile smatra smatraju držati drži drže
smatrali ostavlja ostavljaju ostavilo ostavili proglasili proglase nazivaju naziva zovu pravi prave
napravilo nazvali
"""
MAKES_M = "učinio činio smatrao ostavio proglasio nazvao napravio držao"
MAKES_F = "učinila činila smatrala ostavila proglasila nazvala napravila držala"
BE_INF = "biti bit ostati postati postajati izgledati djelovati delovati osjećati osećati ispasti"
THEIRS = """
si jesi nisi nijesi je jest jeste nije smo jesmo nismo nijesmo ste niste nijeste su jesu nisu nijesu
bismo biste ćeš će ćemo ćete nećeš neće nećemo nećete budeš bude budemo budete budu
"""
# Nobody else's subject is taken from "ti" and "mi": they are datives as well.
OTHER = """
on ona oni vi netko neko nitko niko smo jesmo nismo ste niste ćemo ćete ćeš
"""
CUT = """
jesam jesi jesmo jeste jesu da jer kad kada ako dok iako premda mada ukoliko budući pošto čim nego
kako što šta gdje gde zašto tko ko čiji čija čije koliko otkad otkada dokle kamo kakav kakva kakvo
kakve kakvi jerbo koji koja koje kojeg kojega kojem kojemu kojoj kome kojom koju kojim kojima kojih
čemu čega kog komu makar neka nek kakvu kakvog kuda
"""
AND = "i a ali ili te pa no"
OR = "ili"
SAY_M = "rekao upitao pitao odgovorio dodao izjavio viknuo kazao"
SAY_F = "rekla upitala pitala odgovorila dodala izjavila viknula kazala"
SAY = "kaže pita odgovara dodaje veli kažu rekli"
PREP = """
u na s sa iz izvan od do po o za pri prije pre poslije posle nakon kod kraj pored uz niz kroz pod
nad pred među između bez zbog radi protiv prema k ka preko oko ispod iznad ispred iza osim umjesto
umesto putem tijekom tokom poput duž unutar usprkos unatoč mimo van povodom
"""
DET = """
moj moja moje mog moga mojeg mojega mom mome mojem mojoj moju mojom mojim mojih moji mojima tvoj
tvoja tvoje tvog tvoju tvojoj tvom svoj svoja svoje svog svoga svojeg svom svome svojem svojoj svoju
svojom svojim svojih svoji svojima naš naša naše našeg našem našoj našu našom naših našim vaš vaša
vaše vašeg vašu vašoj njegov njegova njegove njegovu njegovog njegovoj njen njena njene njenu njenog
njezin njezina njezine njezinu njihov njihova njihove njihovu njihovog njihovoj ovaj ova ovo ove ovu
ovog ovom ovoj taj ta tu tog toga toj tom onaj onog onu onoj svaki svaka svako svakog svaku svakom
svakoj neki neka neke neku nekog nekom nekoj nijedan nijedna nijednu jedan jedna jednu jednog jednom
jednoj nikakav nikakva nikakvu nikakvog takav takva takvu takvog takve ovakav ovakva onakav onakva
cijeli cijela cijelu cijelog ceo cio cela celu celog čitav čitava čitavu čitavog sav sva svu drugi
druga druge drugu drugih drugim drugog ostali ostale ostalih dva dvije dve tri četiri pet šest sedam
osam devet deset sto tisuću hiljadu nekoliko isti ista istu istog
"""
CLITIC = """
se si mi me ti te ga mu je joj ju nas nam vas vam ih im li sebe sebi sobom meni mene njega njemu nju
njoj nje njih njima njim njime tebe tebi to tome toga sve svi svih svim svima
"""
ADV = """
ne puno mnogo više vrlo veoma jako tako previše suviše dosta prilično potpuno sasvim skroz uvijek
uvek nikad nikada ponekad često stalno još opet već jednostavno stvarno zaista zbilja doista malo
manje najviše najmanje inače možda sigurno vjerojatno verovatno upravo baš samo ipak zato stoga tada
onda sad sada danas jučer juče sutra večeras jutros tamo ovdje ovde tu kući doma odmah uskoro
kasnije ranije prije pre dovoljno nedovoljno izuzetno iznimno izrazito nevjerojatno neverovatno
posebno naročito osobito općenito uglavnom obično rijetko retko zapravo ustvari naravno prirodno
dobro loše ni niti također takođe oduvijek oduvek zauvijek zauvek nekako nekad nekada toliko totalno
apsolutno emocionalno emotivno fizički psihički mentalno financijski finansijski profesionalno
društveno poprilično dugo odavno posve poput kao konačno napokon odjednom isto jednako podjednako
nimalo uopće uopšte čak skoro rado iskreno očito očigledno navodno ništa nešto doduše međutim pomalo
teško lako naprosto dakle svejedno
"""
ME = "me mene mi meni mnom mnome"

# Masculine participles in -ro and -bo: stems in a consonant without -ao.
PAST_RO = """
umro zamro obamro premro izumro pomro odumro prodro podro odro razdro zadro proždro otro zatro satro
protro utro istro natro potro podupro upro odupro zapro opro dopro ubo izbo nabo probo zabo
"""

# Adjectives in -o from -l, and those without a productive ending: masculine/feminine.
ADJECTIVES = """
dugačak/dugačka
neustrašiv/neustrašiva milostiv/milostiva radoznao/radoznala podmukao/podmukla promukao/promukla
istinoljubiv/istinoljubiva trudoljubiv/trudoljubiva prijemčiv/prijemčiva uništiv/uništiva
udat/udata uzet/uzeta otet/oteta raspet/raspeta krt/krta potrt/potrta veseo/vesela debeo/debela
zreo/zrela zao/zla nagao/nagla topao/topla mio/mila podao/podla go/gola gol/gola truo/trula
kiseo/kisela okrugao/okrugla smion/smiona beo/bela bijel/bijela ohol/ohola nezreo/nezrela mali/mala
malen/malena mlad/mlada star/stara lijep/lijepa lep/lepa ružan/ružna jak/jaka slab/slaba dobar/dobra
loš/loša brz/brza spor/spora lijen/lijena lenj/lenja glup/glupa mudar/mudra lud/luda zdrav/zdrava
nezdrav/nezdrava ljut/ljuta tih/tiha hrabar/hrabra tvrd/tvrda mek/meka vruć/vruća sit/sita
pijan/pijana trijezan/trijezna trezan/trezna bos/bosa čist/čista suh/suha suv/suva mokar/mokra
visok/visoka nizak/niska velik/velika veliki/velika kratak/kratka širok/široka uzak/uska tanak/tanka
bogat/bogata skup/skupa grub/gruba blag/blaga drag/draga strog/stroga krut/kruta oštar/oštra
bistar/bistra vedar/vedra dobrodušan/dobrodušna spretan/spretna nespretan/nespretna vješt/vješta
vešt/vešta nevješt/nevješta nevešt/nevešta čvrst/čvrsta prost/prosta čest/česta gust/gusta
pust/pusta gord/gorda tup/tupa slijep/slijepa slep/slepa gluh/gluha gluv/gluva nijem/nijema nem/nema
ćelav/ćelava blesav/blesava prljav/prljava mršav/mršava krvav/krvava trapav/trapava aljkav/aljkava
bahat/bahata rogat/rogata krilat/krilata poznat/poznata nepoznat/nepoznata priznat/priznata
kriv/kriva živ/živa siv/siva sed/seda sijed/sijeda prav/prava plav/plava zelen/zelena crven/crvena
dužan/dužna gladak/glatka sladak/slatka težak/teška lak/laka blizak/bliska krepak/krepka gibak/gipka
vitak/vitka krhak/krhka mrzak/mrska plitak/plitka rijedak/rijetka redak/retka dubok/duboka
žestok/žestoka srdit/srdita plemenit/plemenita mamuran/mamurna ranjiv/ranjiva naivan/naivna
spreman/spremna nespreman/nespremna gotov/gotova šaren/šarena zauzet/zauzeta napet/napeta
obuzet/obuzeta proklet/prokleta svet/sveta sklon/sklona hladan/hladna divan/divna savršen/savršena
snalažljiv/snalažljiva osobit/osobita iskusan/iskusna neiskusan/neiskusna iskren/iskrena
neiskren/neiskrena pošten/poštena nepošten/nepoštena lukav/lukava zaboravan/zaboravna budan/budna
jedinstven/jedinstvena raznovrstan/raznovrsna vrstan/vrsna sposoban/sposobna nesposoban/nesposobna
ženstven/ženstvena muževan/muževna bolestan/bolesna radostan/radosna žalostan/žalosna nov/nova
drzak/drska jedak/jetka jednak/jednaka hrom/hroma mlak/mlaka mrk/mrka plah/plaha žut/žuta
svetao/svetla svijetao/svijetla ćorav/ćorava šugav/šugava gluhonijem/gluhonijema gluhonem/gluhonema
bradat/bradata brkat/brkata kosmat/kosmata grbav/grbava ćopav/ćopava znamenit/znamenita uklet/ukleta
preuzet/preuzeta suzdržljiv/suzdržljiva obut/obuta bled/bleda blijed/blijeda riđ/riđa crn/crna
tašt/tašta vreo/vrela svež/sveža svjež/svježa smeđ/smeđa sur/sura bijedan/bijedna nag/naga
jalov/jalova surov/surova zdepast/zdepasta stamen/stamena koristan/korisna nesvjestan/nesvjesna
strastan/strasna mastan/masna častan/časna
"""
# What follows them may be a genitive or a dative and is no noun of theirs.
COMPLEMENTS = """
pun/puna svjestan/svjesna svestan/svesna nesvjestan/nesvjesna željan/željna vrijedan/vrijedna
vredan/vredna lišen/lišena dostojan/dostojna žedan/žedna gladan/gladna sit/sita
"""
# Definite and comparative forms that stand as predicates: "jedini sam", "bolja sam".
DEGREES = """
jedini/jedina glavni/glavna prvi/prva zadnji/zadnja posljednji/posljednja poslednji/poslednja
bolji/bolja gori/gora jači/jača mlađi/mlađa veći/veća manji/manja ljepši/ljepša lepši/lepša
viši/viša niži/niža brži/brža stariji/starija sporiji/sporija mudriji/mudrija hrabriji/hrabrija
pametniji/pametnija luđi/luđa tiši/tiša tvrđi/tvrđa mekši/mekša draži/draža blaži/blaža
stroži/stroža deblji/deblja širi/šira teži/teža lakši/lakša čvršći/čvršća bogatiji/bogatija
slabiji/slabija gluplji/gluplja grublji/grublja bliži/bliža drugačiji/drugačija drukčiji/drukčija
topliji/toplija oštriji/oštrija bistriji/bistrija vedriji/vedrija zreliji/zrelija veseliji/veselija
zdraviji/zdravija lukaviji/lukavija prljaviji/prljavija krvaviji/krvavija blesaviji/blesavija
življi/življa pijaniji/pijanija poznatiji/poznatija prostiji/prostija čistiji/čistija
svetiji/svetija slađi/slađa uži/uža duži/duža dulji/dulja kraći/kraća tanji/tanja dublji/dublja
plići/plića rjeđi/rjeđa ređi/ređa gušći/gušća suši/suša crnji/crnja bljeđi/bljeđa bleđi/bleđa
ljući/ljuća skuplji/skuplja krući/kruća žešći/žešća vreliji/vrelija podliji/podlija nagliji/naglija
domaći/domaća vodeći/vodeća
"""

# No participles: nouns, conjunctions and adverbs in -ao, -eo, -io, -uo.
NOT_PAST_M = """
kao posao pakao ugao smisao besmisao misao pomisao zamisao vitao kotao čavao čabao kakao žao jao ćao
dio deo udio udeo predio predeo razdeo audio trio studio portfolio scenario ratio embrio adagio
anđeo pepeo veo ideo rodeo stereo duo rio antonio fabio silvio dario elio leo teo mateo romeo
dogodio desio
"""

# Words that may open a clause or stand in one: "jesam li kad pogriješila".
INDEFINITE = "kad kada gdje gde što šta kako koga čega kamo kuda koji koju koje"
# Nouns and participles alike: nouns where another word of the clause is a participle.
NOUN_OR_PAST = """
radio video pravila čula sela jela krila vozila plovila pomagala držala svila pila načela ogledala
mjerila merila lijepila lepila orao metala pisala dizala nosila učila ravnala bojila mamila
"""
# No participles: nouns in -la and -lo, plurals and genitives, adjectives.
NOT_PAST_F = """
škola sila hala budala skala djela dela nedjela nedela tijela tela čela odijela odela svjetla svetla
sjedala sedala zrcala grla stabla ždrijela ždrela hvala pohvala zahvala ala šala obala tabla igla
metla strijela strela pčela pola skela kugla magla cipela kapela gazela novela žila kobila gorila
lula bula gula kula cigla regula formula ampula pilula fabula koala kontrola konzola parola gondola
kupola metropola patrola uvala navala podvala mandala sandala katedrala spirala vanila tekila idila
rola viola granula titula dodjela dodela podjela podela raspodjela raspodela zdjela zdela paralela
karamela lamela tarantula tegla dijela udjela udela predjela predela odjela festivala signala kanala
materijala potencijala ideala rivala originala kapitala skandala kristala profesionala kriminala
anđela modela hotela motela tunela panela levela stila profila mobitela mobila aprila bicikla
motocikla automobila krokodila idola simbola alkohola stola gola vola protokola sokola muskula ugla
posla smisla orla kotla pakla čavla osla fudbala danijela gabrijela izabela angela mirela nela stela
karla nikola dogodila desila
"""
# Nouns and others that look like adjectives or passive participles.
NOT_ADJECTIVE = """
ivan ivana goran gorana zoran zorana milan milana stjepan jovan jovana ana jelena vesna tatjana
marijana dan tjedan stan plan san član klan ban roman ekran restoran organ ocean kran veteran
partizan kapetan vegan tiran jedan nijedan van fan talisman ovan pelikan vulkan cigan uragan šaman
samostan orkan okean kamen plamen gen fen teren jelen fenomen bazen refren stepen kremen pramen
znamen student put minut kut prut skut poput debut institut atribut apsolut žena cijena cena scena
pjena pena smjena smena promjena promena zamjena zamena primjena primena ocjena ocena izmjena izmena
razmjena razmena uspomena arena hijena ramena vremena imena plemena sirena higijena antena koljena
kolena sjemena semena tjemena temena domena vena strana hrana grana rana brana obrana odbrana mana
dana stana banana vrana fontana kana člana plana sana veterana partizana kapetana vegana romana
ekrana restorana organa oceana okeana tajna vojna okna vlakna zrna stegna kazna bezdna dna sna himna
kolumna jedna nijedna
"""
# Nouns in -ska, -čka, -ška.
NOT_DEFINITE = """
mačka točka tačka daska guska maska greška puška kruška ljuska freska hrvatska njemačka nemačka
češka slovačka grčka turska norveška švedska engleska voćka igračka značka kvačka duška
"""
PRO_M = "takav kakav ovakav onakav taj onaj jedan"
PRO_F = "takva kakva ovakva onakva ta ona jedna"
NEUTRAL = """
osoba osobe osobu ličnost ličnosti osobom žrtva žrtve duša beba zvijezda zvezda individua pojava
čovjek čovek tip
"""
NOUN_PAIRS = """
učitelj/učiteljica voditelj/voditeljica menadžer/menadžerka liječnik/liječnica lekar/lekarka
student/studentica radnik/radnica prijatelj/prijateljica šef/šefica stručnjak/stručnjakinja
partner/partnerka muškarac/žena otac/majka sin/kći brat/sestra momak/djevojka mladić/devojka
umjetnik/umjetnica umetnik/umetnica glumac/glumica znanstvenik/znanstvenica naučnik/naučnica
inženjer/inženjerka poduzetnik/poduzetnica sportaš/sportašica sportista/sportistkinja
perfekcionist/perfekcionistica ljubavnik/ljubavnica ljubitelj/ljubiteljica kuhar/kuharica
kuvar/kuvarica vozač/vozačica borac/borkinja pobjednik/pobjednica pobednik/pobednica
"""
