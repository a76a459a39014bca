"""The Latvian reader: a sentence for every rule, and for every trap."""

from monitor import registry

LANGUAGE = registry.known_language("lv")

# letter, rule of the deciding witness, text
RULES = """
M predicate Es esmu noguris.
F predicate Es esmu nogurusi.
M predicate Es vienmēr esmu gribējis ceļot.
F predicate Es vienmēr esmu gribējusi ceļot.
M participle Lasīdams avīzi, es gaidīju.
F participle Lasīdama avīzi, es gaidīju.
M self Es pats salaboju jumtu.
F self Es pati salaboju jumtu.
M alone Es dzīvoju viens.
F alone Es dzīvoju viena.
M dative Man patīk būt vajadzīgam.
F dative Man patīk būt vajadzīgai.
M noun Es esmu skolotājs.
F noun Es esmu skolotāja.
M role_noun Es kļuvu par direktoru.
F role_noun Kā ārste es strādāju naktīs.
B predicate Es esmu noguris/nogurusi.
B predicate Es esmu laimīgs/a.
B predicate Es esmu laimīgs (-a).
B predicate Es esmu laimīgs vai laimīga.
I predicate Es esmu noguris*usi.
X predicate Es esmu noguris un esmu laimīga.
U not_latvian I am tired and I have been working.
U not_latvian Esu labai pavargęs, nes nemiegojau.
"""
# Sentences in both genders.
BOTH = """
Es esmu [vecākais|vecākā] ģimenē.
Es, kā [skolotājs|skolotāja], tam ticu.
Es būtu [palīdzējis|palīdzējusi].
Es neesmu [vainīgs|vainīga].
Es jūtos [vientuļš|vientuļa].
Vakarā es biju ļoti [izsalcis|izsalkusi].
Es kļuvu [stingrāks|stingrāka].
Esmu [stingrākais|stingrākā] skolā.
Es esmu [pirmais|pirmā] rindā.
Es esmu [kluss un mierīgs|klusa un mierīga].
Es tiku [uzaicināts|uzaicināta] uz kāzām.
Es esmu [lasījis|lasījusi] šo grāmatu.
Esmu [precējies|precējusies].
Es nekad neesmu [smējies|smējusies] par citiem.
Ja es būtu [zinājis|zinājusi], es paliktu.
Es būtu [priecīgs|priecīga].
Es gaidīju autobusu, [lasīdams|lasīdama] avīzi.
[Smiedamies|Smiedamās] es aizvēru durvis.
Es to varu izdarīt [pats|pati].
Man nepatīk dzīvot [vienam|vienai].
Man [pašam|pašai] viss bija jākārto.
Man grūti būt [pacietīgam|pacietīgai].
Es gribu būt [brīvs|brīva].
Es esmu šīs skolas [direktors|direktore].
Kā komandas [vadītājs|vadītāja], es risinu strīdus.
Es strādāju par [zinātnieku|zinātnieci].
[Tāds|Tāda] es esmu.
Es zinu, ka esmu [stūrgalvīgs|stūrgalvīga].
Mamma teica, ka esmu [sliņķis|sliņķe].
Es gāju mājās [kails|kaila].
Esmu [radis|radusi] celties agri.
Es izskatos [noguris|nogurusi].
Es paliku [uzticīgs|uzticīga] savam vārdam.
Es esmu [atbildīgs|atbildīga] par rezultātiem.
Es esmu [pārsteigts|pārsteigta].
"""
NONE = """
Es esmu mājās, bet māsa viena.
Es saņēmu labu atzīmi, un skolotāja bija apmierināta.
Es atstāju viņu vienu mājās.
Es dzirdēju, ka viņš, noguris, pārnāca mājās.
Man ir skumji.
Man patīk šī pilsēta.
Es esmu cilvēks.
Es esmu laba persona.
Mana māsa ir nogurusi.
Viņa ir ļoti skaista.
Viņš bija noguris, bet es gaidīju.
Man ir skaista meita.
Es izlasīju vienu grāmatu.
Tā pati dziesma man patīk.
Es redzēju nogurušu sievieti.
Māsa pārnāca mājās nogurusi.
Es dzīvoju ar vienu draudzeni.
Viņš strādā par skolotāju, es atpūšos.
Es kļuvu par skolotāju.
Es domāju par direktori.
Tev jābūt uzmanīgam.
Es izskatos labi.
Es jūtos lieliski.
Man nekad nav bijis suņa.
Viņa teica, ka ir nogurusi.
Vai tu esi nogurusi?
Man bija jāatstāj suns viens.
"""
