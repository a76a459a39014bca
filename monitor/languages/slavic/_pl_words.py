"""Polish word lists: closed classes, and nouns that look like verbs or adjectives.

Read by :mod:`.pl`. After Bąk, "Gramatyka języka polskiego", and Nagórko, "Zarys
gramatyki polskiej".
"""

# Conjunctions and particles that carry the ending of the first person.
AUX = "bym gdybym żebym abym ażebym iżbym jakbym jakobym chociażbym choćbym niechbym obym będę"
BE = "jestem będę"
FEEL = """
czuję wydaję pozostaję zostanę zostaję pozostanę stanę staję bywam wyglądam poczuję czułbym jawię
zrobię
"""
# Those that have an adjective beside "się" only: "czuję się słaba", but "czuję zapachy".
NEEDS_SIE = "czuję poczuję wydaję jawię czułbym czułabym"
# Verbs with an object complement: "to czyni mnie szczęśliwą", "uważają mnie za słabą".
MAKE = "czyni czynią uczyni uczynią uczyniło uczyniły uczynili czyniło"
REGARD = (
    "uważa uważają uważali uważały uważano uznali uznają uznaje uznano biorą bierze mają ma mieli"
)
# Verbs whose object has an adjective in the accusative: "zostawili mnie samą".
LEAVE = """
zostawił zostawiła zostawili zostawiły zostawiają zostawia znalazł znalazła znaleźli znalazły
widział widziała widzieli widziano widzą widzi zastał zastała zastali
"""
# Copulas of another person, in a clause that has a subject of its own.
IS = "jest będzie wygląda wydaje pozostaje zostanie czuje staje stanie bywa"
FUSED_M = "powinienem winienem byłem"
FUSED_F = "powinnam winnam byłam"
BE_INF = "być bywać zostać pozostać pozostawać czuć poczuć stać zostawać"
OTHER = """
jesteś jesteście jesteśmy są będziesz będziecie będziemy będą byś byście byśmy gdybyś gdybyście
gdybyśmy żebyś żebyście żebyśmy abyś abyście abyśmy powinieneś powinnaś macie znacie
"""
CUT = """
że żeby aby gdyby gdy kiedy jeśli jeżeli ponieważ bo bowiem gdybym żebym abym ażebym jakbym
chociażbym choćbym gdybyś żebyś abyś gdybyśmy żebyśmy abyśmy który która które którego której którą
któremu którym którzy których którymi chociaż choć zanim dopóki podczas skoro gdzie
"""
AND = "i a oraz ale lub albo bądź czy niż jak"
OR = "lub albo bądź czy"
SAY = """
powiedział powiedziała powiedzieli mówi mówił mówiła rzekł rzekła zapytał zapytała spytał spytała
odpowiedział odpowiedziała krzyknął krzyknęła dodał dodała odparł odparła
"""
SAID_M = "powiedział mówił rzekł zapytał spytał odpowiedział krzyknął dodał odparł"
SAID_F = "powiedziała mówiła rzekła zapytała spytała odpowiedziała krzyknęła dodała odparła"
PREP = """
w we na do z ze o po przy przed za nad pod między bez od ode przez dla u ku wobec dzięki podczas
wokół obok przeciw przeciwko mimo pomimo oprócz zamiast według poza ponad spod znad zza wśród około
koło prócz względem wzdłuż
"""
DET = """
mój moja moje mojego mojej moją moim mym swój swoja swoje swojego swojej swoją swoim swym twój twoja
twoje twojego twojej twoim ten ta to tego tej tym tę tą te taki taka takie takiego takiej takim
każdy każda każde każdego każdej każdym żaden żadna żadne żadnego żadnej żadnym jakiś jakaś jakimś
jakiegoś jakiejś który cały cała całe całego całej całym inny inna inne innego innej innym nasz
nasza nasze naszego naszej naszym wasz wasza ich jego jej pewnym pewnego jeden jedna jednym dwa dwie
trzy kilka wiele dużo mało
"""
CLITIC = """
się mi mnie mu go ją jej je im ich ci cię nam nas wam was to sobie siebie sobą tego temu już tobą
tobie nim nią nami wami nimi niemu niej niego nich kimś czymś
"""
ADV = """
nie bardzo tak zbyt dość dosyć całkiem zupełnie zawsze nigdy stale ciągle często czasem czasami
jeszcze tylko też także naprawdę rzeczywiście trochę bardziej mniej najbardziej raczej może znowu
teraz dziś dzisiaj wczoraj jutro tam tu tutaj potem prawie właśnie wcześniej przedtem wystarczająco
równie niezwykle niesamowicie szczególnie absolutnie całkowicie wyjątkowo nieco mocno jako wciąż
nadal za zanadto wręcz również oczywiście wtedy jak ogółem razem
"""
VERB = """
mogę muszę chcę wolę lubię robię widzę myślę wierzę chodzę siedzę jadę idę pójdę zrobię nienawidzę
boję staję uczę piszę piję żyję śpię leżę stoję noszę proszę wiem umiem rozumiem jem śmiem powiem
mam czekam kocham staram wstydzę potrafię uwielbiam zostanę znoszę sprzątam gotuję mieszkam wychodzę
śmieję biorę wezmę dam pomogę jeżdżę radzę spędzam trzymam czytam słucham oglądam próbuję mówię
płaczę krzyczę lecę niosę wiozę prowadzę dbam znam gram biegam pracuję wracam zaczynam działam pałam
"""
ME = "mnie mi mną"
NOMINATIVE = "ja"

# Instrumentals of nouns in -ł, -ło and -eł: no past tense of the first person. Those in -dło, -ół,
# -ysł and the like are known by their ending.
NOUNS_LEM = """
kanałem kapitałem materiałem udziałem wydziałem oddziałem podziałem przedziałem rozdziałem działem
współudziałem przydziałem samodziałem zapałem upałem opałem szałem wałem strzałem ostrzałem
wystrzałem postrzałem obstrzałem odstrzałem ideałem kawałem ciałem przeciwciałem światłem tłem
szkłem złem ciepłem dołem kotłem orłem osłem kozłem karłem kubłem diabłem hasłem masłem krzesłem
wiosłem rzemiosłem przęsłem dziąsłem jasłem artykułem wehikułem arsenałem kryminałem terminałem
oryginałem portałem specjałem trybunałem admirałem kardynałem karnawałem nawałem zawałem interwałem
kwartałem chorałem pedałem tyłem pyłem iłem kałem cłem kłem niewypałem radykałem nominałem
prowincjałem cymbałem nabiałem regałem pastorałem futerałem hejnałem sandałem ceremoniałem morałem
banałem inicjałem memoriałem konfesjonałem pryncypałem cwałem mszałem areałem migdałem muskułem
brokułem piedestałem uniwersałem konowałem bęcwałem szpargałem personałem podbiałem zastrzałem
minerałem rytuałem berłem śmigłem wiertłem pokrętłem sprzęgłem truchłem źdźbłem szczygłem gruzłem
społem pawłem michałem rafałem michaiłem bogumiłem bajkałem stambułem radziwiłłem przesyłem
przechyłem wychyłem odchyłem
"""
# The present and future of verbs in -łać and the imperative of those in -łamać: no past tense. More
# are known by their ending; these would pass for one in -działa.
NOT_PAST = """
działam zdziałam podziałam zadziałam oddziałam współdziałam przeciwdziałam
pałam zapałam tyłam
"""
IMPERATIVES_LAM = """
łam kłam złam włam odłam połam przełam rozłam ułam załam nałam obłam skłam okłam zakłam
nakłam odkłam chłam
"""
# Adjectives in the instrumental that look like a conditional.
NOT_CONDITIONAL = "słabym niesłabym przysłabym"
# Nouns in -ł and -ła, singular or genitive plural, that are no past tense.
NOUNS_L = """
stół zespół kościół żywioł anioł ogół szczegół artykuł tytuł moduł kanał kapitał materiał udział
wydział oddział podział przedział rozdział dział zapał upał szał wał strzał sygnał finał ideał kawał
dół kocioł orzeł osioł kozioł muł wół diabeł węzeł pomysł umysł zmysł przemysł wymysł poseł rytuał
potencjał oryginał portał kryształ generał popiół rosół protokół sokół karnawał zawał minerał pół
sił szkół ciał dzieł kół czół pył tył szkoła siła skała ciała dzieła koła czoła tła szkła światła
krzesła hasła masła źródła mydła pudła skrzydła prawidła strzała perła chwała pszczoła mgła igła
wiosła reguła formuła fabuła smoła stodoła kobyła mogiła bryła cegła jodła
"""
# Adjectives whose ending is too rare or too common elsewhere: in -my, -ki, -cy, -ży, -ni and -ry,
# and short forms.
ADJECTIVE_PAIRS = """
taki/taka jaki/jaka cały/cała świadomy/świadoma nieświadomy/nieświadoma łakomy/łakoma
znajomy/znajoma nieznajomy/nieznajoma nieruchomy/nieruchoma ruchomy/ruchoma niewidomy/niewidoma
znikomy/znikoma chromy/chroma niemy/niema głuchoniemy/głuchoniema rodzimy/rodzima uprzejmy/uprzejma
nieuprzejmy/nieuprzejma kulawy/kulawa brzydki/brzydka szorstki/szorstka gładki/gładka prędki/prędka
wielki/wielka niewielki/niewielka lekki/lekka miękki/miękka krótki/krótka słodki/słodka
rzadki/rzadka dziki/dzika daleki/daleka gorzki/gorzka giętki/giętka krewki/krewka wiotki/wiotka
cienki/cienka ciężki/ciężka płytki/płytka nijaki/nijaka rzutki/rzutka wartki/wartka lepki/lepka
cierpki/cierpka krzepki/krzepka gibki/gibka gromki/gromka rześki/rześka nagi/naga półnagi/półnaga
tęgi/tęga jednoręki/jednoręka bezręki/bezręka duży/duża nieduży/nieduża świeży/świeża
nieświeży/nieświeża ryży/ryża obcy/obca cudzy/cudza kobiecy/kobieca dziecięcy/dziecięca
dziewczęcy/dziewczęca chłopięcy/chłopięca ślepy/ślepa tępy/tępa krępy/krępa skąpy/skąpa łysy/łysa
dodatni/dodatnia uprzedni/uprzednia przechodni/przechodnia spodni/spodnia kontent/kontenta
bosy/bosa kusy/kusa łasy/łasa błahy/błaha olbrzymi/olbrzymia trzeci/trzecia tani/tania
ostatni/ostatnia przedostatni/przedostatnia dożywotni/dożywotnia bratni/bratnia
odpowiedni/odpowiednia nieodpowiedni/nieodpowiednia poprzedni/poprzednia bezpośredni/bezpośrednia
pośredni/pośrednia średni/średnia zachodni/zachodnia wschodni/wschodnia przewodni/przewodnia
przyrodni/przyrodnia przedni/przednia powszedni/powszednia sąsiedni/sąsiednia ponury/ponura
bury/bura przykry/przykra pewien/pewna winien/winna wesół/wesoła zdrów/zdrowa gotów/gotowa
ciekaw/ciekawa świadom/świadoma pełen/pełna rad/rada wart/warta niewart/niewarta godzien/godna
niegodzien/niegodna niepewien/niepewna łaskaw/łaskawa żyw/żywa syt/syta niewinien/niewinna
nieświadom/nieświadoma
"""
# Adjectives and their like in -y, -i, -a that are determiners or nouns.
NOT_ADJECTIVE = """
on ona oni one ta ci ani czy gdy by aby żeby niby kiedy wtedy nigdy zawsze teraz trzeba chyba dla
nasza wasza ludzi dzieci pracy rozmowy sprawy głowy mowy umowy mamy taty żony rodziny sobą szkoda
osoba osoby sprawa strony ze ekstra extra mini maxi trendy ready sorry
"""
NOUN_PAIRS = """
przywódca/przywódczyni nauczyciel/nauczycielka menedżer/menedżerka dyrektor/dyrektorka
lekarz/lekarka student/studentka naukowiec/naukowczyni kolega/koleżanka szef/szefowa lider/liderka
ekspert/ekspertka profesjonalista/profesjonalistka partner/partnerka mężczyzna/kobieta ojciec/matka
syn/córka brat/siostra chłopiec/dziewczyna liderem/liderką menedżerem/menedżerką szefem/szefową
przywódcą/przywódczynią naukowcem/naukowczynią profesjonalistą/profesjonalistką
kierownikiem/kierowniczką nauczycielem/nauczycielką artystą/artystką
"""
