"""Slovene person nouns, read by :mod:`monitor.languages.sl` with `nouns=True`.

The notation is that of :mod:`monitor.languages._slavic_people`. After "Slovar slovenskega knjižnega
jezika" and the Slovene classification of occupations, which names them in both genders. The
instrumental has a preposition always and is not read.
"""

from monitor.languages._slavic_people import People

_NOUNS = """
accountant: računovodja/računovodkinja knjigovodja/knjigovodkinja
administrator: administrator skrbnik
analyst: analitik/analitičarka
architect: arhitekt
artist: umetnik
assistant: asistent pomočnik
athlete: športnik atlet
attendant: strežnik redar spremljevalec uslužbenec stevard
auditor: revizor
author: avtor
bailiff: izvršitelj rubežnik
baker: pek/pekinja,pekarica pekar/pekarica
bartender: natakar barman
boilermaker: kotlar
bookbinder: knjigovez/knjigovezinja
broker: posrednik borznik
cabinetmaker: mizar
carpenter: tesar mizar
cashier: blagajnik
ceo: direktor
chemist: kemik/kemičarka
chief: šef/šefinja,šefica načelnik =vodja poglavar
chiropractor: kiropraktik/kiropraktičarka
cleaner: čistilec
clerk: uradnik referent uslužbenec
conservationist: naravovarstvenik konservator
construction_worker: delavec gradbenik gradbinec
cook: kuhar
counselor: svetovalec
dancer: plesalec
dental_hygienist: higienik/higieničarka
dentist: zobozdravnik zobar/zobarka
designer: oblikovalec
developer: razvijalec programer
dietitian: dietetik/dietetičarka
doctor: zdravnik doktor
doorkeeper: vratar
driver: voznik
economist: ekonomist
editor: urednik
electrician: električar
engineer: inženir
entertainer: zabavljač animator
farmer: kmet/kmetica kmetovalec
firefighter: gasilec/gasilka
gardener: vrtnar
geologist: geolog
guard: stražar čuvaj/čuvajka varnostnik paznik
hairdresser: frizer
housekeeper: !gospodinja hišnik oskrbnik
inspector: inšpektor
instructor: inštruktor
janitor: hišnik čistilec
jeweler: draguljar zlatar
judge: sodnik
laborer: delavec
lawyer: odvetnik pravnik
librarian: knjižničar
lumberjack: drvar gozdar
machinist: strojnik
manager: =vodja direktor menedžer upravitelj upravnik
mason: zidar
mechanic: mehanik/mehaničarka
millwright: mlinar monter
mover: selilec
musician: glasbenik
nurse: brat/sestra negovalec bolničar
nutritionist: nutricionist
official: uradnik funkcionar/funkcionarka
operator: operater/operaterka upravljavec
optometrist: optometrist optik/optičarka
painter: slikar pleskar
paralegal: pomočnik
pharmacist: farmacevt/farmacevtka lekarnar
phlebotomist: flebotomist
photographer: fotograf/fotografinja
physician: zdravnik
physicist: fizik/fizičarka
pilot: pilot
plasterer: !štukater !ometar
plumber: vodovodar
porter: nosač vratar portir/portirka
professor: profesor
proprietor: lastnik
psychologist: psiholog
receptionist: receptor
roofer: krovec
sailor: mornar pomorščak/pomorščakinja
salesperson: prodajalec
scientist: znanstvenik
secretary: tajnik sekretar
sheriff: šerif/šerifinja
shoemaker: čevljar
smith: kovač
soldier: vojak/vojakinja
statistician: statistik/statističarka
stonemason: kamnosek/kamnosekinja
supervisor: nadzornik supervizor
surgeon: kirurg/kirurginja
surveyor: geodet/geodetinja,geodetka
teacher: učitelj
technician: tehnik/tehnica,tehničarka
therapist: terapevt
toolmaker: orodjar
train_conductor: sprevodnik
typesetter: stavec/stavka
typist: strojepisec/strojepiska tipkar
upholsterer: tapetnik
veterinarian: veterinar
weaver: tkalec/tkalka
welder: varilec
writer: pisatelj pisec/piska
-: vodnik študent prijatelj strokovnjak/strokovnjakinja partner moški/ženska oče/mati sin/hči
-: fant/punca,dekle igralec podjetnik perfekcionist ljubitelj borec zmagovalec kolega/kolegica
-: trener
"""
_FEMININE = {
    "": "ka", "telj": "teljica", "nik": "nica", "or": "orica", "ar": "arka", "log": "loginja",
    "ec": "ka", "ač": "ačka", "nar": "narka", "jar": "jarka", "ir": "irka", "kuhar": "kuharica",
    "ljar": "ljarka", "ekar": "ekarka",
}  # fmt: skip
PEOPLE = People(
    nouns=_NOUNS,
    feminine=_FEMININE,
    instrumental_m={},
    instrumental_f={},
    attributes="""
    nov,novi/nova edini/edina mlad,mladi/mlada star,stari/stara dober,dobri/dobra dežurni/dežurna
    glavni/glavna nekdanji/nekdanja sedanji/sedanja izkušen,izkušeni/izkušena
    medicinski/medicinska
    """,
    copula="sem nisem bom postajam postanem ostajam ostanem",
    work="delam služim delujem dežuram",
    to_work="""
    službo službi dežurstvu izmeni dežurstvo delati biti postati ostati služiti delovati delal
    delala
    """,
    like="kot",
    third="je ni so niso bo",
    here="jutri naprej trenutno",
    along="s z nad pod pred med za",
)
