"""Polish person nouns, read by :mod:`monitor.languages.pl` with `nouns=True`.

The notation is that of :mod:`monitor.languages._slavic_people`. After "Słownik języka polskiego
PWN" and "Wielki słownik języka polskiego"; trades whose regular feminine is the name of a thing or
of the trade (murarka, stolarka, marynarka) count as nouns without a feminine.
"""

from monitor.languages._slavic_people import People

_NOUNS = """
accountant: księgowy/księgowa
administrator: administrator
analyst: analityk
architect: architekt
artist: artysta
assistant: asystent pomocnik/pomocnica
athlete: sportowiec/sportsmenka,sportowczyni lekkoatleta atleta sportsmen
attendant: opiekun steward/stewardesa pracownik/pracownica
auditor: audytor biegły/biegła
author: autor
bailiff: !komornik
baker: piekarz
bartender: barman
boilermaker: !kotlarz
bookbinder: introligator
broker: broker pośrednik/pośredniczka makler
cabinetmaker: !stolarz
carpenter: !cieśla !stolarz
cashier: kasjer
ceo: dyrektor prezes/prezeska
chemist: chemik
chief: szef/szefowa kierownik naczelnik komendant
chiropractor: !kręgarz chiropraktyk
cleaner: sprzątacz
clerk: urzędnik referent
conservationist: konserwator obrońca ekolog
construction_worker: robotnik/robotnica budowlaniec~budowlańcem/budowlanka pracownik/pracownica
cook: kucharz
counselor: doradca pedagog
dancer: tancerz
dental_hygienist: higienista
dentist: dentysta stomatolog
designer: projektant
developer: programista !deweloper
dietitian: dietetyk
doctor: lekarz doktor
doorkeeper: portier odźwierny/odźwierna dozorca
driver: kierowca
economist: ekonomista
editor: redaktor
electrician: !elektryk
engineer: inżynier
entertainer: artysta !komik
farmer: rolnik farmer
firefighter: strażak/strażaczka
gardener: ogrodnik
geologist: geolog
guard: strażnik ochroniarz wartownik
hairdresser: fryzjer
housekeeper: gospodarz/gospodyni pokojowy/pokojowa
inspector: inspektor
instructor: instruktor
janitor: woźny/woźna sprzątacz dozorca konserwator
jeweler: jubiler złotnik
judge: =sędzia
laborer: robotnik/robotnica
lawyer: prawnik adwokat
librarian: bibliotekarz
lumberjack: !drwal
machinist: maszynista operator !ślusarz
manager: menedżer menadżer kierownik
mason: !murarz
mechanic: !mechanik
millwright: młynarz monter
mover: !tragarz
musician: muzyk/muzyczka
nurse: pielęgniarz
nutritionist: dietetyk żywieniowiec/żywieniowczyni
official: urzędnik
operator: operator
optometrist: optometrysta optyk
painter: malarz
paralegal: asystent
pharmacist: farmaceuta aptekarz
phlebotomist: flebotomista pielęgniarz
photographer: fotograf
physician: lekarz
physicist: fizyk
pilot: pilot
plasterer: !tynkarz
plumber: !hydraulik
porter: !tragarz portier bagażowy/bagażowa
professor: profesor
proprietor: właściciel
psychologist: psycholog
receptionist: recepcjonista
roofer: !dekarz
sailor: żeglarz !marynarz
salesperson: sprzedawca
scientist: naukowiec/naukowczyni
secretary: sekretarz
sheriff: !szeryf
shoemaker: !szewc
smith: !kowal
soldier: żołnierz
statistician: statystyk
stonemason: !kamieniarz
supervisor: kierownik przełożony/przełożona nadzorca
surgeon: chirurg
surveyor: geodeta
teacher: nauczyciel
technician: technik
therapist: terapeuta
toolmaker: !narzędziowiec !ślusarz
train_conductor: konduktor
typesetter: składacz
typist: maszynista/maszynistka
upholsterer: tapicer
veterinarian: weterynarz
weaver: tkacz
welder: spawacz
writer: pisarz
-: przywódca/przywódczyni student kolega/koleżanka lider ekspert profesjonalista partner
-: mężczyzna/kobieta ojciec~ojcem/matka syn/córka brat/siostra chłopiec~chłopcem/dziewczyna
-: trener wykładowca
"""
_FEMININE = {
    "": "ka", "rz": "rka", "ik": "iczka", "yk": "yczka", "nik": "niczka", "log": "lożka",
    "urg": "urżka", "ista": "istka", "ysta": "ystka", "ca": "czyni", "ta": "tka", "uta": "utka",
    "y": "a", "og": "ożka", "nt": "ntka", "men": "menka", "ńca": "ńczyni", "wca": "wczyni",
}  # fmt: skip
_INS_M = {
    "": "em", "k": "kiem", "g": "giem", "ec": "cem", "iec": "cem", "a": "ą", "y": "ym",
    "cieśla": "cieślą",
}  # fmt: skip
_INS_F = {"a": "ą", "i": "ią"}
PEOPLE = People(
    nouns=_NOUNS,
    feminine=_FEMININE,
    instrumental_m=_INS_M,
    instrumental_f=_INS_F,
    attributes="""
    nowy/nowa/nowym/nową jedyny/jedyna/jedynym/jedyną młody/młoda/młodym/młodą
    stary/stara/starym/starą dobry/dobra/dobrym/dobrą dyżurny/dyżurna/dyżurnym/dyżurną
    główny/główna/głównym/główną obecny/obecna/obecnym/obecną
    doświadczony/doświadczona/doświadczonym/doświadczoną
    """,
    copula="jestem będę",
    work="""
    pracuję robię służę zostanę zostaję stanę staję pozostaję pozostanę pełnię działam zaczynam
    bywam
    """,
    to_work="dyżur dyżurze służbie służbę pracować być zostać służyć pozostać stać pełnić",
    like="jako",
    third="jest są",
    here="dalej",
    along="z ze nad pod przed między za",
)
