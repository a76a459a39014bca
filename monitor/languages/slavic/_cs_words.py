"""Czech word lists: closed classes, and nouns that look like verbs or adjectives.

Read by :mod:`.cs`. After Karlík, Nekula and Rusínová, "Příruční mluvnice češtiny".
"""

# Auxiliaries of the first person singular, and conjunctions that hold one.
AUX = "jsem bych abych kdybych bysem"
BE = "jsem nejsem budu nebudu"
# Other verbs with a predicate, first person; those with an instrumental are listed apart.
FEEL = "cítím necítím zůstávám zůstanu nezůstanu připadám nepřipadám zdám vypadám nevypadám"
BECOME = "stanu nestanu stávám nestávám zůstávám zůstanu budu nebudu"
# Copulas of another person, in a clause that has a subject of its own.
IS = """
je není bude nebude vypadá nevypadá zůstává zůstane připadá zdá cítí necítí stává stane
"""
BE_PAST = "byl byla nebyl nebyla býval bývala nebýval nebývala"
BE_INF = "být nebýt bejt zůstat zůstávat cítit připadat stát"

# Auxiliaries, pronouns and conditional conjunctions of another person or of several.
OTHER = """
jsi seš nejsi ses sis jste nejste jsme nejsme bys byste bysme bychom abys abyste abychom kdybys
kdybyste kdybychom tys žes budeš budete budeme nebudeš nebudete nebudeme jsou nejsou budou nebudou
máte nemáte dáte znáte poznáte děláte
"""
# First-person verbs whose ending does not tell them from an accusative in -u or a plural in -i.
VERB = """
chci nechci mohu nemohu můžu nemůžu jdu nejdu půjdu nepůjdu najdu přijdu odejdu vyjdu dojdu jedu
pojedu vedu nesu beru neberu peru žiju žiji nežiju nežiji píšu píši piju piji nepiju hraju hraji čtu
nečtu peču řeknu neřeknu pomůžu pomohu vezmu začnu dokážu nedokážu dokáži nedokáži zvládnu nezvládnu
zapomenu vstanu přestanu dostanu rozhodnu nabídnu sednu usnu obléknu oblékám ukážu jím vím nevím
spím nespím pláču pláči křičím potřebuju cítím myslím věřím miluju miluji umřu zemřu
"""
CUT = """
že protože když jestli jestliže pokud aby abych abys abyste abychom kdyby kdybych kdybys kdybyste
kdybychom který která které kterou kterého kterému kterém kterým kteří kterých kterými jenž jež
jakmile dokud zatímco přestože ačkoli ačkoliv třebaže jelikož aniž
"""
AND = "a i ale nebo či anebo ani než"
OR = "nebo či anebo"
SAY = "řekl řekla řekli říká říkal říkala povídá pravil pravila zeptal zeptala odpověděl odpověděla"
PREP = """
v ve na do z ze s se k ke ku o u po pro při před přede za nad nade pod pode mezi bez beze od ode
přes přese kvůli díky podle kolem okolo vedle proti naproti oproti vůči během skrz mimo kromě místo
pomocí prostřednictvím ohledně uprostřed
"""
DET = """
můj má moje mé mou mého mému mém mým mých mými tvůj tvá tvoje tvé tvou tvého tvým svůj svá svoje své
svou svého svému svém svým svých svými náš naše našeho našem naší našich váš vaše vašeho vaší jeho
její jejího jejím jejich každý každá každé každého každou některý některá některé jaký jaká takový
taková tento tato toto tuto této tomto tohoto takové takového žádný žádná žádné žádného žádnou jiný
jiná jiného jinou celý celá celé celou celého tohle tahle takovou nějaký nějaká nějaké nějakou
nějakého všechny všech dva dvě tři mnoho několik jeden jedna jednou jedné jednoho
"""
CLITIC = "se si mi mě mne mně ho mu ji jí jim je to tě ti nás nám vás vám tím tomu toho tom už"
ADV = """
mezitím zatím dobře tiše hůře lépe velmi moc tak příliš dost docela zcela úplně vždy vždycky nikdy
stále pořád často někdy občas už ještě jen jenom také taky opravdu skutečně trochu více víc méně
nejvíce spíše spíš asi možná zase znovu teď nyní dnes včera zítra tam tady zde doma pak potom přesto
prostě celkem hodně málo dokola zdola shora sotva vcelku obzvláště obzvlášť naprosto totálně natolik
aspoň alespoň samozřejmě přirozeně zvlášť vůbec téměř skoro právě dříve dřív předtím pouze zpočátku
stejně hned brzy zkrátka nejspíš neustále hlavně jako nikdo nic něco někdo kdo co jak kde kdy proč
který
"""
ME = "mě mne mně mi mnou"

# Short adjectives that are not passive participles, masculine; the feminine adds -a to the stem.
SHORT_PAIRS = """
schopen/schopna neschopen/neschopna vědom/vědoma nevědom/nevědoma hotov/hotova zdráv/zdráva
nezdráv/nezdráva šťasten/šťastna nešťasten/nešťastna jist/jista nejist/nejista povinen/povinna
hoden/hodna nehoden/nehodna mrtev/mrtva živ/živa spokojen/spokojena nespokojen/nespokojena
unaven/unavena ochoten/ochotna neochoten/neochotna zvědav/zvědava laskav/laskava vinen/vinna
nevinen/nevinna práv/práva bos/bosa syt/syta pln/plna bit/bita zabit/zabita rozbit/rozbita
obut/obuta ukryt/ukryta skryt/skryta umyt/umyta zneužit/zneužita využit/využita použit/použita
zbit/zbita pokryt/pokryta zahřát/zahřáta převzat/převzata opit/opita vzat/vzata prost/prosta
dlužen/dlužna přítomen/přítomna nepřítomen/nepřítomna odhodlán/odhodlána nucen/nucena
připraven/připravena nepřipraven/nepřipravena zamilován/zamilována přesvědčen/přesvědčena
svoboden/svobodna nadšen/nadšena překvapen/překvapena oprávněn/oprávněna povolán/povolána
napjat/napjata
"""

# Nouns and names in -l: no participles. Those in -tel, -del, -ol, -íl and -ůl and the loans in -ál
# are known by their ending.
NOUNS_L = """
sval obal kal val nával příval fotbal volejbal basketbal floorbal softbal baseball
karneval festival interval mobil email mail e-mail profil automobil model tunel panel popel úhel
orel kozel manžel titul modul styl smysl nesmysl úmysl průmysl výmysl omyl král mysl hajzl anděl
uzel pytel kašel kabel level ocel detail bal debil imbecil kvartil bohužel podél účel azyl singl
duel úděl kreml kýbl chmel archanděl krokodýl koncil rubl gril textil ventil vinyl pyl exil fízl
paskvil debakl rival konzul vestibul pascal šakal vandal liberal karamel hotel motel
kapitol pavel karel michal daniel michael gabriel samuel marcel kamil emil cyril vlastimil bohumil
rafael izrael havel španěl doležal stejskal kratochvíl brusel digital steel global intel včel chvil
parcel šampionál arzenál
"""
# Nouns, names and adverbs in -la, genitives of animate nouns in -l, plural or genitive forms of
# neuters in -lo. Those in -dlo and in -ola are known by their ending.
NOUNS_LA = """
skála těla čísla skla kouzla hesla másla křesla jídla pravidla světla tepla čela hrdla perla cihla
idola střela cela včela košila chvíla jehla docela zcela bezmála celá manžela anděla archanděla
posla orla kozla osla popela krále smysla díla křídla sídla vozidla divadla děla kostela zla
generála kardinála admirála maršála vandala šakala rivala konzula karla pavla michala daniela
michaela gabriela marcela kamila emila cyrila vlastimila bohumila jarmila ludmila samuela havla
fiala izraela španěla fízla debila hajzla flotila posila přesila škála katedrála hala kila kula
modla kudla mrtvola žížala parcela klientela mula bula tabula hmla žula koala gorila tequila idyla
stébla řemesla vesla zrcadla angela manuela viola nikola cla
"""
# Forms that are participles too, and are read as such beside the auxiliary: "metla jsem".
DOUBTFUL_M = "metal žal sál kál vil"
DOUBTFUL_F = "metla metala žala sála kála vila"
# Nouns that look like short adjectives or passive participles.
NOUNS_SHORT = """
žena cena scéna změna výměna pěna směna měna záměna přeměna obměna ozvěna odměna proměna strana
brána rána hrana fontána stěna vrána plán pán román orgán kapitán oceán veterán den týden člen kámen
kořen prsten leden sen jeden fén gen hřeben pramen plamen kmen jména ramena kolena semena hygiena
aréna fenomén vegan vegán křen
"""
# Adjectives in -ý and -á that are nouns for persons or do not say anything of one.
NOT_ADJECTIVE = """
má která který každá každý žádná žádný jiná jiný celá celý všechna samá nějaká nějaký některá
některý dá ptá zná hrá dělá hledá mívá bývá mý druhá druhý první
"""
NOUN_PAIRS = """
vůdce/vůdkyně učitel/učitelka manažer/manažerka ředitel/ředitelka lékař/lékařka student/studentka
odborník/odbornice pracovník/pracovnice přítel/přítelkyně kamarád/kamarádka šéf/šéfka
expert/expertka profesionál/profesionálka vyjednavač/vyjednavačka partner/partnerka
milovník/milovnice perfekcionista/perfekcionistka muž/žena otec/matka syn/dcera bratr/sestra
kluk/holka chlapec/dívka lídr/lídryně sportovec/sportovkyně umělec/umělkyně herec/herečka
programátor/programátorka vědec/vědkyně inženýr/inženýrka podnikatel/podnikatelka
"""
# Feminine instrumentals in -ou of adjectives whose ending nouns have as well; others are known by
# their ending. The stems; "silným" needs no list.
INSTRUMENTAL_STEMS = """
minul modr nepřetržit obsáhl okamžit pouh pronajat předešl rozlehl rozsáhl šťavnat tekut tmav vznikl
zřejm žlut velkolep pust naprost mnoh jedin jin prv čtvrt pát šest sedm osm devát desát býval brzk
dvojit hust černobíl dlouholet cel lacin čir lev dobr velk mal star mlad dlouh pěkn vysok hezk znám
bíl zajímav důležit těžk rychl prav jist krátk zlat jednoduch mil čist zdrav svat dokonal přím bohat
drah určit nízk soukrom such širok chytr ženat lehk tvrd vesel velik mrtv blb čerstv slab tich hrub
opil zl hrd blízk závisl hloup podezřel tepl tlust hork zvědav složit hlubok sladk divok roztomil
zvykl prost nah ostr rud štědr hněd šed trval krut světl hol chud pomal stál zoufal uboh tuh úzk
mokr slep proslul prudk obvykl hladk moudr použit uplynul špinav jedovat měkk čast nabit ploch tenk
krvav lys pestr posedl lín křehk pitom pokročil rozbit drz štíhl laskav sprost zdvořil plach osobit
zastaral náhl neustál tup vlhk hlasit chlupat malink světoznám něm zral maličk tvrdohlav hořk kysel
zesnul vytrval zbyl přijat velkorys napjat dut plynul usměvav bystr lákav leskl zaujat rodil
mladistv sebevědom hluch strm střídav voňav způsobil lich vřel hlavat napínav pracovit rozmanit
ušlechtil zarostl blonďat čil hrav zachoval bled žhav ožral zrzav řídk spjat drav přímočar vnímav
padl ospal slizk šilhav dalek naléhav svalnat prastar kulhav proklet ryšav ujet zchátral bolav pojat
dojat houževnat nebýval pronikav škared zemřel zmrzl znal chrom najat odmítav rezav vousat zmizel
chor mladičk ostražit uprchl stroh znamenit zabit zasloužil zběsil zdařil vybit hbit lakom nevrl
spanil vztekl poutav urostl vysloužil chab nápadit toulav hebk rozpačit obětav povědom shovívav
zvrhl chrabr churav krátkozrak okázal polonah ponur vyzrál bos chápav zvídav namáhav bezhlav
vynalézav zaostal plešat sebejist cílevědom svědomit útl rozmrzel vědom nevědom dospěl skoup zmaten
citliv stydliv kulat opožděn nov takov unav jak otužil zkušen omezen nemil neznám slav nejist nečist
nezdrav nedočkav nedospěl nezral nezvykl nezávisl bezstarost nešik otrl ztuhl hrůzostraš osaměl
otupěl znechucen vyčerpan zestárl zkostnatěl upřím skromn vyčkav přelétav oddan oblíben marniv
zádumčiv trpěliv nezletil plnolet nevidom jednook neboh neblah natvrdl zběhl vzrostl vyprahl zamrzl
bezbarv mělk kluzk vetch okrouhl starobyl nevyužit zdárn druh
"""
# Nouns and adverbs in -ou with the ending of an adjective.
NOT_INSTRUMENTAL = """
šéfovou sestavou popravou soupravou záplavou hlavou postavou přípravou úpravou oslavou dopravou
výbavou zábavou představou ústavou výstavou obavou únavou zástavou soustavou nápravou otravou
výpravou vltavou moravou sázavou stravou potravou podstatou výplatou patou lopatou chatou kravatou
odplatou debatou vatou prostatou záplatou komnatou renatou matou ubytovnou půjčovnou posilovnou
sokolovnou klubovnou provozovnou studovnou vozovnou budovou výchovou obnovou vdovou švagrovou
podkovou mnou najednou pojednou rovnou stranou protistranou ženou láskou cenou změnou výměnou
ochranou obranou sebeobranou zábranou domobranou královnou kněžnou deskou odměnou kolenou ramenou
páskou alternativou stěnou zástěnou vlnou mikrovlnou základnou maskou princeznou knihovnou annou
hanou vanou hranou záchranou pojišťovnou proměnou přeměnou obměnou záměnou směnou měnou lokomotivou
legislativou jídelnou slečnou pannou koupelnou iniciativou rozhlednou pěnou výživou podvýživou
obživou perspektivou administrativou ofenzivou defenzivou direktivou exekutivou recidivou nivou
olivou kopřivou dílnou pomůckou skvrnou hymnou hygienou obrnou pokladnou šikanou bavlnou šatnou
podobiznou kráskou marihuanou tryskou lucernou ozvěnou spořitelnou tepnou studnou miskou propiskou
kachnou plackou kašnou modernou hernou sbornou cisternou bednou klisnou bruskou madonnou svítilnou
houskou flétnou brašnou kotelnou učebnou ústřednou točnou třískou komornou švadlenou poradnou
výrobnou urnou plenou groteskou troskou soupiskou fackou minutou pokutou kajutou šlechtičnou
carevnou císařovnou almužnou zkušebnou bránou ránou rakovinou soutěskou vírou pomstou janou ivanou
dianou zuzanou helenou alenou irenou elenou lenou boženou magdalenou marianou johanou adrianou
romanou andělou
"""
# Verbs with an object complement: "dělá mě to šťastnou". Their participles stand apart.
MAKE = "dělá dělají udělá udělají činí učiní udělalo dělalo učinilo činilo udělaly udělali učinili"
MAKE_M = "dělal udělal činil učinil"
MAKE_F = "dělala udělala činila učinila"
# Verbs with an object and "for": "považují mě za slabou".
REGARD = """
považují považuje považovali pokládají pokládá pokládali berou mají má měli prohlásili označili
považuji považuju pokládám
"""
REGARD_M = "považoval pokládal"
REGARD_F = "považovala pokládala"
OBJECT = "mě mne mně"
WHO = "který která"
