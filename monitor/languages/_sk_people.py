"""Slovak person nouns, read by :mod:`monitor.languages.sk` with `nouns=True`.

The notation is that of :mod:`monitor.languages._slavic_people`. After "Krátky slovník slovenského
jazyka" and "Slovník súčasného slovenského jazyka".
"""

from monitor.languages._slavic_people import People

_NOUNS = """
accountant: účtovník
administrator: správca administrátor
analyst: analytik
architect: architekt
artist: umelec/umelkyňa výtvarník
assistant: asistent pomocník
athlete: športovec/športovkyňa atlét
attendant: uvádzač ošetrovateľ steward zriadenec/zriadenkyňa asistent
auditor: audítor revízor
author: autor
bailiff: exekútor vykonávateľ
baker: pekár
bartender: barman výčapník barista
boilermaker: kotlár
bookbinder: kníhviazač
broker: maklér broker sprostredkovateľ
cabinetmaker: stolár
carpenter: tesár stolár
cashier: pokladník
ceo: riaditeľ
chemist: chemik
chief: šéf náčelník veliteľ vedúci/vedúca
chiropractor: chiropraktik
cleaner: upratovač
clerk: úradník referent
conservationist: ochranca ochranár konzervátor reštaurátor
construction_worker: robotník stavbár pracovník
cook: kuchár
counselor: poradca
dancer: tanečník
dental_hygienist: hygienik hygienista
dentist: zubár stomatológ
designer: návrhár dizajnér projektant
developer: vývojár programátor
dietitian: dietológ nutricionista
doctor: lekár doktor
doorkeeper: vrátnik
driver: vodič šofér
economist: ekonóm
editor: redaktor editor
electrician: elektrikár
engineer: inžinier
entertainer: zabávač komik
farmer: farmár poľnohospodár roľník
firefighter: hasič požiarnik
gardener: záhradník
geologist: geológ
guard: strážnik strážca dozorca strážny/strážna
hairdresser: kaderník holič
housekeeper: gazda/gazdiná hospodár/hospodárka upratovač
inspector: inšpektor
instructor: inštruktor cvičiteľ lektor
janitor: školník domovník údržbár správca
jeweler: klenotník šperkár zlatník
judge: sudca
laborer: robotník
lawyer: právnik advokát
librarian: knihovník
lumberjack: drevorubač
machinist: strojník obrábač sústružník
manager: manažér vedúci/vedúca
mason: murár
mechanic: mechanik automechanik
millwright: mlynár montér zámočník
mover: sťahovač
musician: hudobník muzikant
nurse: brat/sestra ošetrovateľ
nutritionist: nutricionista odborník
official: úradník činiteľ
operator: operátor
optometrist: optometrista optik
painter: maliar
paralegal: asistent koncipient
pharmacist: lekárnik farmaceut
phlebotomist: flebotomista pracovník
photographer: fotograf
physician: lekár
physicist: fyzik
pilot: pilot
plasterer: štukatér omietkar
plumber: inštalatér
porter: nosič portier
professor: profesor
proprietor: majiteľ vlastník
psychologist: psychológ
receptionist: recepčný/recepčná
roofer: pokrývač
sailor: námorník
salesperson: predavač predajca
scientist: vedec/vedkyňa
secretary: sekretár tajomník
sheriff: šerif
shoemaker: obuvník !švec
smith: kováč
soldier: vojak/vojačka
statistician: štatistik
stonemason: kamenár
supervisor: supervízor vedúci/vedúca nadriadený/nadriadená
surgeon: chirurg
surveyor: zememerač geodet
teacher: učiteľ
technician: technik
therapist: terapeut
toolmaker: nástrojár
train_conductor: sprievodca
typesetter: sadzač
typist: pisár
upholsterer: čalúnnik
veterinarian: veterinár zverolekár
weaver: tkáč
welder: zvárač
writer: spisovateľ
-: vodca líder priateľ kamarát expert profesionál vyjednávač partner milovník perfekcionista
-: muž/žena otec~otcom/matka syn/dcéra chlapec/dievča herec/herečka podnikateľ študent
-: kolega/kolegyňa tréner
"""
_FEMININE = {
    "": "ka", "k": "čka", "ík": "íčka", "ik": "ička", "lóg": "logička", "óg": "ogička",
    "urg": "urgička", "ista": "istka", "ca": "kyňa", "ý": "á", "nik": "nička", "iar": "iarka",
}  # fmt: skip
_INS_M = {"": "om", "ec": "com", "a": "om", "ý": "ým", "y": "ym", "i": "im"}
_INS_F = {"a": "ou", "á": "ou", "ča": "čaťom", "ňa": "ňou", "iná": "inou"}
PEOPLE = People(
    nouns=_NOUNS,
    feminine=_FEMININE,
    instrumental_m=_INS_M,
    instrumental_f=_INS_F,
    attributes="""
    nový/nová/novým/novou jediný/jediná/jediným/jedinou mladý/mladá/mladým/mladou
    starý/stará/starým/starou dobrý/dobrá/dobrým/dobrou skúsený/skúsená/skúseným/skúsenou
    hlavný/hlavná/hlavným/hlavnou bývalý/bývalá/bývalým/bývalou
    súčasný/súčasná/súčasným/súčasnou službukonajúci/službukonajúca
    zdravotný/zdravotná/zdravotným/zdravotnou
    """,
    copula="som nie budem nebudem",
    work="""
    pracujem nepracujem robím nerobím slúžim pôsobím stanem stávam zostávam zostanem zastávam
    nastupujem nastúpim budem
    """,
    to_work="službu službe zmenu pracovať robiť slúžiť pôsobiť byť stať zostať nastúpiť",
    like="ako akožto",
    third="je sú",
    here="naďalej doteraz opäť zatiaľ",
    along="s so nad pod pred medzi za",
)
