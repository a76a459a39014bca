"""Croatian and Serbian person nouns, read with `nouns=True`: both standards in one table.

The notation is that of :mod:`monitor.languages._slavic_people`; where the standards form different
feminines (profesorica, profesorka), both are there. After "Veliki rječnik hrvatskoga standardnog
jezika", "Rečnik srpskoga jezika" (Matica srpska) and the Croatian classification of occupations,
which names every occupation in both genders.
"""

from monitor.languages._slavic_people import People

_NOUNS = """
accountant: računovođa/računovotkinja,računovođkinja knjigovođa/knjigovotkinja
administrator: administrator
analyst: analitičar
architect: arhitekt/arhitektica arhitekta~arhitektom/arhitektica,arhitektkinja
artist: umjetnik umetnik
assistant: asistent pomoćnik
athlete: sportaš/sportašica sportista atletičar
attendant: poslužitelj redar njegovatelj negovatelj stjuard/stjuardesa službenik domaćin/domaćica
auditor: revizor
author: autor
bailiff: ovrhovoditelj ovršitelj izvršitelj !pristav
baker: pekar
bartender: barmen/barmenka,barmenica konobar šanker
boilermaker: kotlar
bookbinder: knjigoveža/knjigovežica knjigovezac~knjigovescem/knjigoveskinja
broker: broker posrednik mešetar
cabinetmaker: stolar
carpenter: tesar stolar
cashier: blagajnik kasir
ceo: direktor
chemist: kemičar hemičar
chief: šef/šefica načelnik poglavnik
chiropractor: kiropraktičar
cleaner: čistač
clerk: službenik činovnik referent
conservationist: konzervator zaštitar
construction_worker: radnik građevinar
cook: kuhar kuvar
counselor: savjetnik savetnik
dancer: plesač igrač
dental_hygienist: higijeničar
dentist: zubar stomatolog
designer: dizajner
developer: programer
dietitian: dijetetičar nutricionist nutricionista
doctor: liječnik lekar doktor
doorkeeper: vratar portir
driver: vozač
economist: ekonomist ekonomista
editor: urednik
electrician: električar
engineer: inženjer
entertainer: zabavljač
farmer: poljoprivrednik farmer
firefighter: vatrogasac~vatrogascem/vatrogaskinja
gardener: vrtlar baštovan/baštovanka
geologist: geolog
guard: čuvar stražar
hairdresser: frizer
housekeeper: domaćin/domaćica spremač
inspector: inspektor
instructor: instruktor
janitor: domar čistač
jeweler: draguljar juvelir zlatar
judge: sudac~sucem/sutkinja =sudija
laborer: radnik !fizikalac
lawyer: odvjetnik pravnik advokat/advokatica,advokatkinja
librarian: knjižničar bibliotekar
lumberjack: !drvosječa !drvoseča šumar
machinist: strojar mašinista strojobravar
manager: menadžer upravitelj voditelj upravnik
mason: zidar
mechanic: mehaničar
millwright: mlinar monter
mover: !selidbar
musician: glazbenik muzičar
nurse: brat~bratom/sestra tehničar
nutritionist: nutricionist nutricionista
official: dužnosnik službenik zvaničnik
operator: operater
optometrist: optometrist optometrista optičar
painter: slikar ličilac/ličiteljica
paralegal: pomoćnik
pharmacist: ljekarnik farmaceut/farmaceutkinja apotekar
phlebotomist: flebotomist flebotomista
photographer: fotograf
physician: liječnik lekar
physicist: fizičar
pilot: pilot/pilotkinja
plasterer: !žbukar !gipsar
plumber: vodoinstalater
porter: portir nosač vratar
professor: profesor
proprietor: vlasnik
psychologist: psiholog
receptionist: recepcionar recepcioner
roofer: krovopokrivač
sailor: mornar pomorac~pomorcem/pomorkinja
salesperson: prodavač prodavatelj
scientist: znanstvenik naučnik
secretary: tajnik sekretar
sheriff: šerif/šerifica,šerifka
shoemaker: postolar obućar
smith: kovač
soldier: vojnik/vojnikinja
statistician: statističar
stonemason: klesar !kamenorezac
supervisor: nadzornik supervizor
surgeon: kirurg/kirurginja hirurg/hirurginja,hirurškinja
surveyor: geodet/geodetkinja geometar/geometarka
teacher: učitelj nastavnik
technician: tehničar
therapist: terapeut/terapeutkinja
toolmaker: alatničar
train_conductor: kondukter
typesetter: slagač
typist: daktilograf
upholsterer: tapetar
veterinarian: veterinar
weaver: tkalac~tkalcem/tkalja
welder: zavarivač
writer: pisac~piscem/spisateljica,književnica književnik
-: student/studentica,studentkinja prijatelj stručnjak/stručnjakinja partner
-: muškarac~muškarcem/žena otac~ocem/majka sin/kći momak~momkom/djevojka,devojka
-: mladić/djevojka,devojka glumac~glumcem/glumica poduzetnik preduzetnik perfekcionist
-: ljubavnik ljubitelj borac~borcem/borkinja pobjednik pobednik kolega/kolegica,koleginica trener
"""
_FEMININE = {
    "telj": "teljica", "nik": "nica", "ar": "arica arka",
    "er": "erka erica", "or": "orica orka", "ist": "istica istkinja", "ista": "istkinja istica",
    "log": "loginja loškinja", "ač": "ačica", "čar": "čarka čarica", "ent": "entica entkinja",
    "graf": "grafkinja", "ir": "irka irica", "ski": "ska", "džer": "džerka džerica",
}  # fmt: skip
_INS_M = {"": "om em", "ac": "cem", "a": "om", "j": "jem", "č": "čem", "i": "im"}
_INS_F = {"a": "om", "kći": "kćeri kćerju"}
PEOPLE = People(
    nouns=_NOUNS,
    feminine=_FEMININE,
    instrumental_m=_INS_M,
    instrumental_f=_INS_F,
    attributes="""
    nov,novi/nova jedini/jedina mlad,mladi/mlada star,stari/stara dobar,dobri/dobra dežurni/dežurna
    glavni/glavna bivši/bivša sadašnji/sadašnja iskusan,iskusni/iskusna
    medicinski/medicinska
    """,
    copula="""
    sam nisam jesam nijesam ću neću budem biću bijah postajem postanem ostajem ostanem postaću
    """,
    work="""
    radim služim djelujem delujem dežuram radiću
    """,
    to_work="""
    dežurstvo dežurstvu dužnosti smjenu smenu smjeni smeni raditi radit biti bit postati ostati
    služiti djelovati delovati dežurati
    """,
    like="kao",
    third="je nije su nisu će",
    here="dalje trenutno",
    along="s sa nad pod pred među za",
)
