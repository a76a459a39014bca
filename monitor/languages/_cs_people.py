"""Czech person nouns, read by :mod:`monitor.languages.cs` with `nouns=True`.

The notation is that of :mod:`monitor.languages._slavic_people`. After "Slovník spisovné češtiny"
and "Internetová jazyková příručka".
"""

from monitor.languages._slavic_people import People

_NOUNS = """
accountant: =účetní
administrator: správce administrátor
analyst: analytik
architect: architekt
artist: umělec/umělkyně výtvarník
assistant: asistent pomocník
athlete: sportovec/sportovkyně atlet
attendant: uvaděč ošetřovatel steward zřízenec/zřízenkyně asistent
auditor: auditor revizor
author: autor
bailiff: exekutor vykonavatel
baker: pekař
bartender: barman =výčepní barista
boilermaker: kotlář
bookbinder: knihař vazač
broker: makléř broker zprostředkovatel
cabinetmaker: truhlář
carpenter: tesař truhlář
cashier: =pokladní pokladník
ceo: ředitel
chemist: chemik
chief: šéf náčelník velitel =vedoucí
chiropractor: chiropraktik
cleaner: uklízeč
clerk: úředník referent
conservationist: ochránce ochranář konzervátor restaurátor
construction_worker: dělník stavbař pracovník
cook: kuchař
counselor: poradce
dancer: tanečník
dental_hygienist: hygienista
dentist: zubař stomatolog
designer: návrhář designér projektant
developer: vývojář programátor
dietitian: dietolog nutricionista
doctor: lékař doktor
doorkeeper: vrátný/vrátná hlídač
driver: řidič
economist: ekonom
editor: redaktor editor
electrician: elektrikář
engineer: inženýr
entertainer: bavič komik
farmer: farmář zemědělec/zemědělkyně
firefighter: hasič požárník
gardener: zahradník
geologist: geolog
guard: strážný/strážná hlídač strážce dozorce
hairdresser: kadeřník holič
housekeeper: hospodář/hospodyně,hospodářka pokojský/pokojská
inspector: inspektor
instructor: instruktor cvičitel lektor
janitor: školník domovník údržbář správce
jeweler: klenotník šperkař zlatník
judge: soudce
laborer: dělník
lawyer: právník advokát
librarian: knihovník
lumberjack: dřevorubec/dřevorubkyně
machinist: strojník obráběč soustružník =strojvedoucí
manager: manažer =vedoucí
mason: zedník
mechanic: mechanik automechanik
millwright: mlynář montér zámečník
mover: !stěhovák
musician: hudebník muzikant
nurse: bratr/sestra ošetřovatel
nutritionist: nutricionista odborník
official: úředník činitel
operator: operátor
optometrist: optometrista optik
painter: malíř
paralegal: asistent koncipient
pharmacist: lékárník farmaceut
phlebotomist: flebotomista pracovník
photographer: fotograf
physician: lékař
physicist: fyzik
pilot: pilot
plasterer: štukatér omítkář
plumber: instalatér
porter: nosič portýr
professor: profesor
proprietor: majitel vlastník
psychologist: psycholog
receptionist: =recepční
roofer: pokrývač
sailor: námořník
salesperson: prodavač prodejce
scientist: vědec/vědkyně
secretary: sekretář tajemník
sheriff: šerif
shoemaker: švec~ševcem/ševcová obuvník
smith: kovář
soldier: voják/vojákyně
statistician: statistik
stonemason: kameník
supervisor: supervizor =vedoucí nadřízený/nadřízená
surgeon: chirurg
surveyor: zeměměřič geodet
teacher: učitel
technician: technik
therapist: terapeut
toolmaker: nástrojař
train_conductor: =průvodčí
typesetter: sazeč
typist: písař
upholsterer: čalouník
veterinarian: veterinář zvěrolékař
weaver: tkadlec~tkalcem,tkadlecem/tkadlena
welder: svářeč
writer: spisovatel
-: vůdce lídr/lídryně přítel/přítelkyně kamarád expert profesionál vyjednavač partner milovník
-: perfekcionista muž/žena otec~otcem/matka syn/dcera kluk/holka chlapec/dívka herec/herečka
-: podnikatel student kolega/kolegyně trenér
"""
_FEMININE = {
    "": "ka", "ník": "nice", "ík": "ička", "ik": "ička", "log": "ložka", "urg": "urgyně uržka",
    "ista": "istka", "ce": "kyně", "ý": "á",
}  # fmt: skip
_INS_M = {"": "em", "ec": "cem", "ce": "cem", "a": "ou", "ý": "ým", "í": "ím í"}
_INS_F = {"a": "ou", "á": "ou", "yně": "yní", "ice": "icí"}
PEOPLE = People(
    nouns=_NOUNS,
    feminine=_FEMININE,
    instrumental_m=_INS_M,
    instrumental_f=_INS_F,
    attributes="""
    nový/nová/novým/novou jediný/jediná/jediným/jedinou mladý/mladá/mladým/mladou
    starý/stará/starým/starou dobrý/dobrá/dobrým/dobrou
    zkušený/zkušená/zkušeným/zkušenou samostatný/samostatná/samostatným/samostatnou
    bývalý/bývalá/bývalým/bývalou současný/současná/současným/současnou
    samotný/samotná/samotným/samotnou
    """,
    copula="jsem nejsem budu nebudu",
    work="""
    pracuji pracuju nepracuji nepracuju dělám nedělám sloužím působím stanu stávám zůstávám zůstanu
    zastávám nastupuji nastoupím budu
    """,
    to_work="službu službě směnu směně pracovat dělat sloužit působit být stát zůstat nastoupit",
    like="jako jakožto coby",
    third="je není jsou",
    here="tu nadále dosud opět zatím",
    along="s se nad pod před mezi za",
)
