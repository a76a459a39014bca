"""The Lithuanian reader: a sentence for every rule, and for every trap."""

from monitor import registry

LANGUAGE = registry.known_language("lt")

# letter, rule of the deciding witness, text
RULES = """
M predicate Esu pavargęs.
F predicate Esu pavargusi.
M predicate Buvau labai mandagus.
F predicate Buvau labai mandagi.
M nominal Aš per drovus.
F nominal Aš per drovi.
M participle Laukdamas autobuso skaičiau.
F participle Laukdama autobuso skaičiau.
M self Aš pats suremontavau stogą.
F self Aš pati suremontavau stogą.
M alone Gyvenu vienas.
F alone Gyvenu viena.
M dative Man nepatinka būti vienam.
F dative Man nepatinka būti vienai.
M instrumental Laikau save protingu.
F instrumental Laikau save protinga.
M noun Esu mokytojas.
F noun Esu mokytoja.
M role_noun Dirbu slaugytoju.
F role_noun Kaip vadovė, sprendžiu ginčus.
B predicate Esu pavargęs/pavargusi.
B predicate Esu pavargęs (-usi).
B predicate Esu laimingas arba laiminga.
I predicate Esu pavargęs*usi.
X predicate Esu pavargęs ir esu laiminga.
U not_lithuanian I am tired and I have been working.
U not_lithuanian Es esmu ļoti noguris, jo neesmu gulējis.
"""
# Sentences in both genders.
BOTH = """
Esu [vyriausias|vyriausia] šeimoje.
Kartais esu šiek tiek [irzlus|irzli].
Aš, kaip [mokytojas|mokytoja], tuo tikiu.
Esu labai [blyškus|blyški].
Šiandien esu [pavargęs|pavargusi].
Aš nesu [kaltas|kalta].
Jaučiuosi [vienišas|vieniša].
Vakare buvau labai [alkanas|alkana].
Tapau [griežtesnis|griežtesnė].
Esu [griežčiausias|griežčiausia] iš mokytojų.
Aš per [drovus|drovi] tokiems pokalbiams.
Esu [mandagus ir ramus|mandagi ir rami].
Jaučiuosi [įvertintas|įvertinta].
Buvau [pakviestas|pakviesta] į vestuves.
Esu [pasitikintis|pasitikinti] žmonėmis.
Esu [patenkintas|patenkinta] rezultatais.
[Laukdamas|Laukdama] autobuso perskaičiau laikraštį.
Perskaičiau laikraštį [laukdamas|laukdama] autobuso.
Juokiausi [žiūrėdamas|žiūrėdama] filmą.
[Skubėdamas|Skubėdama] namo, aš pamečiau raktus.
Grįžau namo [pervargęs|pervargusi].
[Atsikėlęs|Atsikėlusi] išgeriu kavos.
Išėjau, [apsivilkęs|apsivilkusi] paltą.
Nebūčiau [atėjęs|atėjusi] be kvietimo.
Aš [pats|pati] suremontavau stogą.
[Pats|Pati] kepu duoną.
Galiu tai padaryti [pats|pati].
Bijau likti [vienas|viena].
Man nepatinka gyventi [vienam|vienai].
Man [pačiam|pačiai] teko viską sutvarkyti.
Man sunku būti [kantriam|kantriai].
Man patinka būti [reikalingam|reikalingai].
Laikau save [protingu|protinga].
Norėčiau tapti [gydytoju|gydytoja].
Įsidarbinau [vairuotoju|vairuotoja].
Tapau [vadovu|vadove].
Aš esu šios mokyklos [direktorius|direktorė].
Kaip įmonės [vadovas|vadovė] aš sprendžiu ginčus.
Dirbu kaip [vertėjas|vertėja].
[Toks|Tokia] aš esu.
Noriu būti [laisvas|laisva].
Turiu būti [stiprus|stipri].
Kai buvau [jaunas|jauna], gyvenau kaime.
Žinau, kad esu [užsispyręs|užsispyrusi].
Mama sakė, kad esu [tinginys|tinginė].
Šokau [basas|basa].
Dirbau sode, [palaikomas|palaikoma] draugų.
"""
NONE = """
Aš namie, o sesuo viena.
Mama, pavargusi po darbo, man nieko nesakė.
Gavau gerą pažymį, ir mokytoja buvo patenkinta.
Palikau ją vieną namuose.
Esu tas pats žmogus.
Man liūdna.
Man čia gera.
Man buvo pasakyta palaukti.
Esu žmogus.
Esu gera asmenybė.
Mano sesuo pavargusi.
Ji yra labai graži.
Jis buvo pavargęs, o aš laukiau.
Turiu gražią dukrą.
Perskaičiau vieną knygą.
Ta pati daina man patinka.
Mačiau pavargusią moterį.
Sesuo grįžo namo pavargusi.
Gyvenu su viena drauge.
Mano brolis yra mokytojas.
Jis dirba kaip mokytojas, aš ilsiuosi.
Tau reikia būti atsargiam.
Atrodau gerai.
Jaučiuosi puikiai.
Aš mėgstu lavinti atmintį.
Ji sakė, kad pavargusi.
Ar tu pavargusi?
"""
