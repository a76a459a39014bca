"""Belarusian person nouns, read by :mod:`monitor.languages.be` with `nouns=True`.

The notation is that of :mod:`monitor.languages._slavic_people`. After "Тлумачальны слоўнік
беларускай літаратурнай мовы"; feminines that are colloquial there, or are formed in one of the two
orthographies only, count as none.
"""

from monitor.languages._slavic_people import People

_NOUNS = """
accountant: !бухгалтар
administrator: !адміністратар
analyst: !аналітык
architect: !архітэктар
artist: мастак/мастачка артыст
assistant: памочнік асістэнт
athlete: спартсмен !атлет !спартовец
attendant: !служыцель санітар работнік дзяжурны/дзяжурная !сцюард
auditor: !аўдытар !рэвізор
author: !аўтар
bailiff: !прыстаў !выканаўца
baker: !пекар
bartender: !бармен буфетчык
boilermaker: !кацельшчык
bookbinder: пераплётчык
broker: !брокер пасрэднік
cabinetmaker: !чырвонадрэўшчык !сталяр
carpenter: !цясляр !сталяр !цесля
cashier: касір
ceo: !дырэктар кіраўнік
chemist: !хімік
chief: начальнік !шэф кіраўнік
chiropractor: !хірапрактык
cleaner: прыбіральшчык
clerk: служачы/служачая !клерк !чыноўнік
conservationist: !эколаг !абаронца !рэстаўратар
construction_worker: рабочы/рабочая,работніца !будаўнік
cook: кухар !повар
counselor: !кансультант дарадца/дарадчыца
dancer: танцор танцоўшчык
dental_hygienist: !гігіеніст
dentist: !стаматолаг !дантыст
designer: !дызайнер
developer: !распрацоўшчык !праграміст
dietitian: !дыетолаг
doctor: !урач !ўрач лекар !доктар
doorkeeper: !швейцар !вахцёр
driver: !вадзіцель !кіроўца !шафёр
economist: !эканаміст
editor: !рэдактар
electrician: !электрык
engineer: !інжынер
entertainer: артыст !канферансье
farmer: !фермер селянін~селянінам/сялянка
firefighter: !пажарны !пажарнік
gardener: садоўнік
geologist: !геолаг
guard: ахоўнік вартаўнік !вартавы
hairdresser: цырульнік
housekeeper: !эканомка !пакаёўка
inspector: !інспектар
instructor: !інструктар выкладчык
janitor: !дворнік прыбіральшчык
jeweler: !ювелір
judge: =суддзя
laborer: рабочы/рабочая,работніца !чорнарабочы
lawyer: !юрыст !адвакат
librarian: бібліятэкар
lumberjack: !лесаруб !дрывасек
machinist: !машыніст !механік
manager: !менеджар !менеджэр кіраўнік
mason: !муляр !каменшчык
mechanic: !механік
millwright: !слесар мантажнік
mover: !грузчык
musician: музыкант !музыка
nurse: медбрат/медсястра брат/сястра
nutritionist: !дыетолаг
official: !чыноўнік служачы/служачая
operator: !аператар
optometrist: !аптаметрыст !акуліст
painter: мастак/мастачка !маляр
paralegal: памочнік !юрыст
pharmacist: !фармацэўт аптэкар
phlebotomist: !флебатаміст лабарант
photographer: !фатограф
physician: !урач !ўрач лекар
physicist: !фізік
pilot: !пілот лётчык
plasterer: тынкоўшчык
plumber: !сантэхнік !вадаправодчык
porter: !насільшчык !швейцар
professor: !прафесар
proprietor: уладальнік ўладальнік гаспадар/гаспадыня
psychologist: !псіхолаг
receptionist: !адміністратар !рэгістратар
roofer: !страхар
sailor: !марак !матрос
salesperson: прадавец~прадаўцом/прадаўшчыца,прадавачка
scientist: !вучоны !навуковец
secretary: сакратар
sheriff: !шэрыф
shoemaker: !шавец
smith: !каваль
soldier: !салдат !вайсковец
statistician: !статыстык
stonemason: !каменшчык !муляр
supervisor: кіраўнік наглядчык !супервайзер
surgeon: !хірург
surveyor: !геадэзіст !каморнік
teacher: настаўнік выкладчык
technician: !тэхнік
therapist: !тэрапеўт
toolmaker: !інструментальшчык
train_conductor: праваднік/праваднічка,правадніца !кандуктар
typesetter: наборшчык
typist: !машыністка !друкарка
upholsterer: !абіўшчык
veterinarian: !ветэрынар
weaver: ткач/ткачыха
welder: зваршчык
writer: пісьменнік
-: мужчына/жанчына хлопец~хлопцам/дзяўчына бацька~бацькам/маці сын/дачка студэнт
-: сябар~сябрам/сяброўка
-: спявак~спеваком/спявачка акцёр/актрыса !лідар !эксперт =калега !прафесіянал !спецыяліст
"""
_FEMININE = {"": "ка", "нік": "ніца", "шчык": "шчыца", "чык": "чыца"}
_INS_M = {
    "": "ам ом", "ь": "ем ём", "ы": "ым", "і": "ім", "а": "ам ай ою", "ец": "цам цом", "я": "ём ёй",
    "дзя": "дзём дзёй", "о": "ом", "е": "е", "ка": "кай каю", "яя": "яй",
}  # fmt: skip
_INS_F = {"а": "ай ою аю ой", "я": "яй яю", "ая": "ай аю ою ой", "ца": "цай цаю", "маці": "маткай"}
PEOPLE = People(
    nouns=_NOUNS,
    feminine=_FEMININE,
    instrumental_m=_INS_M,
    instrumental_f=_INS_F,
    attributes="""
    новы/новая/новым/новай,новаю адзіны/адзіная/адзіным/адзінай малады/маладая/маладым/маладой
    стары/старая/старым/старой добры/добрая/добрым/добрай галоўны/галоўная/галоўным/галоўнай
    былы/былая/былым/былой
    дзяжурны/дзяжурная/дзяжурным/дзяжурнай медыцынскі/медыцынская/медыцынскім/медыцынскай
    старэйшы/старэйшая/старэйшым/старэйшай
    """,
    copula="я буду з'яўляюся стану",
    work="""
    працую служу з'яўляюся стану станаўлюся застаюся застануся дзяжуру раблюся зраблюся буду
    """,
    to_work="ёсць працаваць служыць быць стаць застацца дзяжурыць",
    like="як",
    third="",
    here="па-ранейшаму дагэтуль",
    along="з са над пад перад паміж за",
)
