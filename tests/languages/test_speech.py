"""Who speaks: quotations by marks, colons and dashes, and the two frames that name a gender."""

from monitor import registry
from monitor.languages._speech import outside_and_inside
from monitor.model import Cue
from tests.cases import check_each
from tests.languages.classes import LETTERS

# language, class under AGREEMENT and under QUOTED, text
TEXTS = r"""
ru MF «Я устала», — сказала мама, а я промолчал.
ru MF «Я устала», — тихо сказала мама, но я не расслышал.
ru MF — Я устала, — сказала мама, когда я вошёл.
ru MF «Я устала, — сказала мама, — и хочу спать», а я промолчал.
ru NF — Я устала, — сказала мама, взяла сумку и ушла.
ru NF — Я устала, сказала мама, и пойду спать.
uk FM «Я втомився», — сказав тато, а я промовчала.
be MF «Я стамілася», — сказала мама, а я прамаўчаў.
pl MF „Jestem zmęczona” – powiedziała mama, a ja milczałem.
pl FM – Jestem zmęczony – powiedział tata, ale byłam zajęta.
cs MF „Jsem unavená“ – řekla máma, ale já jsem mlčel.
sk FM „Som unavený,“ – povedal otec, ale ja som mlčala.
be NF — Я стамілася, — сказала яна.
be NF Яна сказала: Я стамілася.
be NF Яна сказала: «Я стамілася».
be NN — Я жыву тут, — сказала яна.
ca NF —Estic cansada —va dir ella.
ca NF — Estic cansada — va dir ella.
ca NF Ella va dir: Estic cansada.
ca NF Ella va dir: «Estic cansada.»
ca NF Ella diu: Estic cansada.
ca FN Vaig dir: estic cansada.
cs NF — Jsem unavená, — řekla.
cs NF – Jsem unavená, řekla. – Jdu spát, řekla.
cs NF – Jsem unavená – řekla.
cs NF Řekla: Jsem unavená.
cs NF Řekla: „Jsem unavená.“
cs NF Řekla: ‚Jsem unavená.‘
cs NN Řekla: „Bydlím tady.“
es NF —Estoy cansada —dijo ella.
es NF -Estoy cansada -dijo ella.
es NF — Estoy cansada — dijo ella.
es NF Ella dijo: Estoy cansada.
es NF Ella dijo: ''Estoy cansada''.
es NF Dijo: «Estoy cansada».
es FN Yo dije: estoy cansada.
hr NF — Umorna sam — rekla je.
hr NF – Umorna sam – rekla je ona.
hr NF Rekla je: Umorna sam.
hr NF Ona je rekla: Umorna sam.
hr NF Rekla je: »Umorna sam.«
hr FN Rekla sam: umorna sam.
pl NF — Jestem zmęczona — powiedziała.
pl NF – Jestem zmęczona – powiedziała ona.
pl NF Powiedziała: Jestem zmęczona.
pl NF Powiedziała: ‚Jestem zmęczona’.
pl NF Powiedziała: „Jestem zmęczona”.
pl NF Powiedziała: ''Jestem zmęczona''.
pl FN Powiedziałam: jestem zmęczona.
pl NN — Mieszkam tutaj — powiedziała.
pt NF — Estou cansada — disse ela.
pt NF — Estou cansada! — disse ela.
pt NF — Estou cansada — disse ela. — Vou dormir.
pt NF — Vou dormir — disse ela. — Estou cansada.
pt NF - Estou cansada - disse ela.
pt NF –Estou cansada –disse ela.
pt NF Ela disse: Estou cansada.
pt NF Ela disse: — Estou cansada.
pt NF Ela disse:\n— Estou cansada.
pt NF Ela disse: ''Estou cansada.''
pt NF Ela disse: &quot;Estou cansada.&quot;
pt NF Ela disse: ‹Estou cansada.›
pt NF Ela disse: 「Estou cansada.」
pt NF Ela disse: „Estou cansada.”
pt NF Ela disse: ‚Estou cansada.’
pt NF Ela disse: ‚Estou cansada.‘
pt NF Ela disse: «Estou cansada.»
pt NF "Estou cansada", disse ela.
pt NF «Estou cansada» — disse ela.
pt FN Eu disse: estou cansada.
pt NF Eu cheguei e ela disse: Estou cansada.
pl NF Przyszłam do domu i mama powiedziała: Jestem zmęczona.
pl NF — Jestem zmęczona — powiedziała i wyszłam.
pt NF — Estou cansada — disse ela e eu saí.
pt FN Eu estava cansada – disse-lhe isso.
es FN Yo estaba cansada - dijo que no - y me fui.
pt FN Fui à loja – estava cansada – e voltei.
ru FN Мама сказала — я обрадовалась.
cs FN Maminka řekla – a já jsem byla ráda.
pl FN Mama powiedziała - a ja byłam zła.
pl FN Mówię szczerze: jestem zmęczona.
ru FN Скажу честно: я устала.
ru NN Он/она сказал/сказала, что я тут.
pt FN Um problema: estou cansada.
pt FN Estou cansada — muito cansada.
pt FN - Estou cansada.
pt FN — Estou cansada.
ru NF — Я устала, — сказала она.
ru NF - Я устала, - сказала она.
ru NF — Я устала! — сказала она.
ru NF — Я устала, — сказала она. — Я хочу спать.
ru NF Она сказала: Я устала.
ru NF Она сказала: — Я устала.
ru NF Она сказала: „Я устала.“
ru NF Сказала: «Я устала».
ru NF Она сказала: &quot;Я устала&quot;.
ru NF Она сказала: ''Я устала''.
ru NN Она сказала: «Я живу тут».
ru NN Сказала: «Я живу тут».
ru NN — Я живу тут, — сказала она.
ru FN Я сказала: я устала.
ru FN Я устала — очень устала.
sk NF – Som unavená, – povedala.
sk NF Povedala: Som unavená.
sk NF Povedala: „Som unavená.“
sl NF — Utrujena sem, — je rekla.
sl NF – Utrujena sem – je rekla.
sl NF Rekla je: Utrujena sem.
sl NF Rekla je: »Utrujena sem.«
sl FN Rekla sem: utrujena sem.
sr NF — Уморна сам — рекла је.
sr NF Рекла је: Уморна сам.
sr NF Рекла је: „Уморна сам.”
uk NF — Я втомилася, — сказала вона.
uk NF Вона сказала: Я втомилася.
uk NF Вона сказала: «Я втомилася».
uk NN — Я живу тут, — сказала вона.
uk NN Сказала: «Я живу тут».
"""
# Plausible translations, written by hand, of "Like the other women here, I am ..." and of
# `She said: "I am ..."`: one letter is for AGREEMENT alone.
FRAMES = """
be F Як і іншыя жанчыны тут, я ўсхваляваная перад кожным тэлефонным званком.
be F Як і астатнія жанчыны тут, я занадта сарамлівая, каб камусьці пярэчыць.
be F Падобна іншым жанчынам тут, я была двойчы павышана за год.
be M Як і іншыя мужчыны тут, я ўсхваляваны перад кожным званком.
be M Як і іншыя мужчыны тут, я быў наняты насіць піяніна.
be NF Яна сказала: «Я ўсхваляваная перад кожным тэлефонным званком».
be NF Яна сказала: "Я была абрана ўсёй камандай".
be NF «Я занадта сарамлівая», — сказала яна.
be F Як і іншыя дамы тут, я стамілася.
ca F Com les altres dones d'aquí, estic nerviosa abans de cada trucada.
ca F Igual que les altres dones aquí, soc massa tímida per contradir ningú.
ca F Com la resta de dones d'aquí, vaig ser contractada per carregar pianos.
ca M Com els altres homes d'aquí, estic nerviós abans de cada trucada.
ca NF Ella va dir: "Estic nerviosa abans de cada trucada."
ca NF Va dir: «Vaig ser escollida per tot l'equip.»
ca NF Ella digué: “Sempre estic acompanyada d'amics.”
ca F Com les altres noies d'aquí, em sento avergonyida.
ca F Igual que les altres infermeres d'aquí, estic cansada.
cs F Stejně jako ostatní ženy tady jsem před každým telefonátem nervózní a unavená.
cs F Stejně jako ostatní ženy zde jsem příliš stydlivá na to, abych někomu odporovala.
cs F Jako ostatní ženy tady jsem byla dvakrát za rok povýšena.
cs M Stejně jako ostatní muži tady jsem organizovaný a můj stůl to ukazuje.
cs M Stejně jako ostatní muži tady jsem byl najat, abych nosil klavíry.
cs NF Řekla: „Jsem vždy obklopená přáteli.“
cs NF Řekla: "Byla jsem zvolena celým týmem."
cs NF „Jsem příliš stydlivá,“ řekla.
cs F Stejně jako ostatní holky tady jsem unavená.
cs F Stejně jako ostatní dámy tady jsem unavená.
cs M Stejně jako ostatní kluci tady jsem unavený.
fr F Comme les autres femmes ici, je suis nerveuse avant chaque appel.
fr M Comme les autres hommes ici, je suis nerveux avant chaque appel.
fr F De même que les autres filles, je me sens gênée.
fr NF Elle a dit : « J'ai été élue par toute l'équipe ».
fr NF Elle a dit : “Je suis fatiguée”.
fr NM Il a répondu : je suis fatigué.
fr NF — Je suis fatiguée — répondit ma mère.
it F Come le altre donne qui, sono nervosa prima di ogni chiamata.
it M Come gli altri uomini qui, sono nervoso prima di ogni chiamata.
it F Al pari delle altre ragazze, mi sento imbarazzata.
it NF Lei ha detto: «Sono stata eletta da tutta la squadra».
it NF Lei disse: “Sono stanca”.
it NM Lui rispose: sono stanco.
it NF — Sono stanca — disse mia madre.
gl F Como as outras mulleres de aquí, estou nerviosa antes de cada chamada.
gl M Como os outros homes de aquí, estou nervioso antes de cada chamada.
gl F Igual ca as demais rapazas, síntome avergoñada.
gl NF Ela dixo: «Fun elixida por todo o equipo».
gl NF Ela dixo: “Estou cansa”.
gl NM El respondeu: estou canso.
gl NF — Estou cansa — dixo a miña nai.
ro F Ca celelalte femei de aici, sunt nervoasă înainte de fiecare apel.
ro M Ca ceilalți bărbați de aici, sunt nervos înainte de fiecare apel.
ro F La fel ca celelalte fete, mă simt rușinată.
ro NF Ea a spus: „Am fost aleasă de toată echipa”.
ro NF Ea a zis: “Sunt obosită”.
ro NM El a răspuns: sunt obosit.
ro NF — Sunt obosită — a spus mama mea.
el F Όπως οι άλλες γυναίκες εδώ, είμαι νευρική πριν από κάθε τηλεφώνημα.
el F Σαν τις άλλες γυναίκες εδώ, είμαι πολύ ντροπαλή για να φέρω αντίρρηση.
el M Όπως και οι άλλοι άντρες εδώ, είμαι οργανωμένος και φαίνεται στο γραφείο μου.
el NF Εκείνη είπε: «Είμαι νευρική πριν από κάθε τηλεφώνημα».
el NF «Είμαι πολύ ντροπαλή», είπε.
el NM Είπε: "Ήμουν κουρασμένος."
es F Al igual que las otras mujeres aquí, estoy nerviosa antes de cada llamada.
es F Como las demás mujeres de aquí, soy demasiado tímida para contradecir a nadie.
es F Igual que las otras mujeres, fui ascendida dos veces en un año.
es M Al igual que los otros hombres aquí, estoy nervioso antes de cada llamada.
es M Como los demás hombres aquí, soy organizado, y mi escritorio lo demuestra.
es NF Ella dijo: "Estoy nerviosa antes de cada llamada telefónica".
es NF Ella dijo: «Fui elegida por todo el equipo».
es NF Dijo ella: “Siempre estoy acompañada por amigos”.
es F Como otras mujeres de aquí estoy cansada.
es F Al igual que las demás chicas aquí, me siento avergonzada.
es F Como el resto de las mujeres de aquí, estoy muy orgullosa.
hr F Kao i druge žene ovdje, nervozna sam prije svakog telefonskog poziva.
hr F Poput drugih žena ovdje, previše sam sramežljiva da bih ikome proturječila.
hr F Kao i ostale žene ovdje, dvaput sam unaprijeđena u godinu dana.
hr M Kao i drugi muškarci ovdje, nervozan sam prije svakog telefonskog poziva.
hr M Kao i ostali muškarci ovdje organiziran sam i moj stol to pokazuje.
hr NF Rekla je: „Nervozna sam prije svakog telefonskog poziva.”
hr NF Ona je rekla: "Bila sam izabrana od cijelog tima."
hr NF »Uvijek sam okružena prijateljima«, rekla je.
hr F Kao i druge cure ovdje umorna sam.
hr F Kao i ostale djevojke ovdje bila sam umorna.
hr F Poput ostalih žena ovdje, ja sam nervozna.
hr F Kao i ostale dame ovdje, ja sam umorna.
hr M Kao i drugi momci ovdje umoran sam.
lt F Kaip ir kitos moterys čia, esu nervinga prieš kiekvieną skambutį.
lt F Kaip ir kitos moterys čia, aš per drovi, kad ką nors prieštaraučiau.
lt M Kaip ir kiti vyrai čia, esu tvarkingas, ir mano stalas tai rodo.
lt NF Ji pasakė: „Esu nervinga prieš kiekvieną skambutį.“
lt NF „Aš per drovi“, – pasakė ji.
lt NM Jis sakė: „Buvau pavargęs.“
lv F Tāpat kā citas sievietes šeit, es esmu nervoza pirms katra zvana.
lv F Tāpat kā citas sievietes šeit, es esmu pārāk kautrīga, lai kādam iebilstu.
lv M Tāpat kā citi vīrieši šeit, es esmu kārtīgs, un mans galds to rāda.
lv NF Viņa teica: "Es esmu nervoza pirms katra zvana."
lv NF "Es esmu pārāk kautrīga," viņa teica.
lv NM Viņš teica: «Es biju noguris.»
pl F Podobnie jak inne kobiety tutaj jestem zmęczona.
pl F Podobnie jak inne kobiety tutaj, jestem zdenerwowana przed każdą rozmową telefoniczną.
pl F Jak inne kobiety tutaj, jestem zbyt nieśmiała, by komukolwiek zaprzeczyć.
pl F Tak jak inne kobiety tutaj zostałam awansowana dwa razy w ciągu roku.
pl M Podobnie jak inni mężczyźni tutaj jestem zmęczony.
pl M Tak jak inni mężczyźni tutaj, zostałem zatrudniony do noszenia pianin.
pl NF Powiedziała: „Jestem zdenerwowana przed każdą rozmową telefoniczną.”
pl NF Powiedziała: "Zostałam wybrana przez cały zespół".
pl NF „Jestem zbyt nieśmiała” – powiedziała.
pl F Jak inne dziewczyny tutaj jestem zmęczona.
pl F Zmęczona jestem.
pl F Podobnie jak reszta kobiet tutaj czuję się zmęczona.
pl F Jak większość kobiet tutaj, czuję się winna.
pt F Assim como as outras mulheres aqui, estou nervosa antes de cada telefonema.
pt F Como as outras mulheres daqui, sou tímida demais para contradizer alguém.
pt F Tal como as outras mulheres aqui, fui promovida duas vezes num ano.
pt M Como os outros homens aqui, estou nervoso antes de cada telefonema.
pt NF Ela disse: "Estou nervosa antes de cada telefonema."
pt NF Ela disse: “Fui eleita por toda a equipe.”
pt NF Disse ela: «Sou demasiado tímida para contradizer alguém.»
pt NM Ele disse: "Sou bonito, e as pessoas notam."
pt F Assim como outras mulheres aqui estou cansada.
pt F Tal como as demais moças daqui, me sinto envergonhada.
pt F Como as outras enfermeiras aqui, estou cansada.
pt F À semelhança das outras mulheres aqui, fiquei ofendida com uma piada.
ru F Как и другие женщины здесь, я взволнована перед каждым телефонным звонком.
ru F Как и остальные женщины здесь, я слишком застенчивая, чтобы кому-то возражать.
ru F Подобно другим женщинам здесь, я была дважды повышена за год.
ru M Как и другие мужчины здесь, я взволнован перед каждым звонком.
ru M Как и другие мужчины здесь, я был нанят носить пианино.
ru NF Она сказала: «Я взволнована перед каждым телефонным звонком».
ru NF Она сказала: "Я была избрана всей командой".
ru NF «Я слишком застенчивая», — сказала она.
ru F Как и другие дамы здесь, я устала.
ru F Как и все женщины здесь, я очень нервная.
ru F Как и другие женщины, я была расстроена одним словом.
ru F Как и остальные женщины здесь, я бываю взволнованной.
sk F Rovnako ako ostatné ženy tu som nervózna pred každým telefonátom.
sk F Tak ako ostatné ženy tu som príliš hanblivá na to, aby som niekomu odporovala.
sk F Podobne ako iné ženy tu som bola dvakrát za rok povýšená.
sk M Rovnako ako ostatní muži tu som nervózny pred každým telefonátom.
sk M Ako ostatní muži tu som organizovaný a môj stôl to ukazuje.
sk NF Povedala: „Som nervózna pred každým telefonátom.“
sk NF Povedala: "Bola som zvolená celým tímom."
sk NF „Som príliš hanblivá,“ povedala.
sk F Rovnako ako iné dámy tu som unavená.
sk F Rovnako ako ostatné dievčatá tu som unavená.
sl F Tako kot druge ženske tukaj sem živčna pred vsakim telefonskim klicem.
sl F Kot druge ženske tukaj sem preveč sramežljiva, da bi komu ugovarjala.
sl F Podobno kot druge ženske tukaj sem bila v enem letu dvakrat povišana.
sl M Tako kot drugi moški tukaj sem živčen pred vsakim telefonskim klicem.
sl M Kot drugi moški tukaj sem organiziran in moja miza to kaže.
sl NF Rekla je: »Živčna sem pred vsakim telefonskim klicem.«
sl NF Rekla je: "Bila sem izvoljena s strani celotne ekipe."
sl NF »Vedno sem obkrožena s prijatelji,« je rekla.
sl F Kot ostale dame tukaj sem utrujena.
sl F Tako kot druga dekleta tukaj sem utrujena.
sl F Tako kot ostale ženske tukaj sem bila ganjena.
sl M Tako kot drugi fantje tukaj sem utrujen.
sr F Као и друге жене овде, нервозна сам пре сваког телефонског позива.
sr F Попут других жена овде, превише сам стидљива да бих икоме противречила.
sr F Као и остале жене овде, била сам унапређена два пута за годину дана.
sr M Као и други мушкарци овде, нервозан сам пре сваког позива.
sr NF Рекла је: „Нервозна сам пре сваког телефонског позива.“
sr NF Ona je rekla: "Bila sam izabrana od celog tima."
sr NF „Увек сам окружена пријатељима“, рекла је.
bg F Както и другите жени тук, аз съм притеснена преди всяко обаждане.
bg M Както и другите мъже тук, аз съм притеснен преди всяко обаждане.
bg F Мама каза, че съм избрана от целия отбор.
bg NF Тя каза: „Притеснена съм преди всяко обаждане.“
bg NF Тя каза: "Бях избрана от целия отбор."
bg NF „Винаги съм заобиколена от приятели“, каза тя.
de F Wie die anderen Frauen hier bin ich Lehrerin.
de M Wie die anderen Männer hier bin ich Lehrer.
de F Mama sagte, dass ich die Beste im Team bin.
de NF Sie sagte: „Ich bin die Beste im Team.“
de NF Sie sagte: "Ich bin seit Jahren Ärztin."
de NF „Ich bin hier die Köchin“, sagte sie.
mt F Bħan-nisa l-oħra hawn, jien inkwetata qabel kull telefonata.
mt M Bħall-irġiel l-oħra hawn, jien inkwetat qabel kull telefonata.
mt F Missieri qal li jien kuntenta.
mt NF Hi qalet: “Jien inkwetata qabel kull telefonata.”
mt NF Hi qalet: "Kont magħżula mit-tim kollu."
mt NF “Dejjem kont mistiedna”, qalet hi.
uk F Як і інші жінки тут, я схвильована перед кожним телефонним дзвінком.
uk F Як і решта жінок тут, я надто сором'язлива, щоб комусь суперечити.
uk F Подібно до інших жінок тут, я була двічі підвищена за рік.
uk M Як і інші чоловіки тут, я схвильований перед кожним дзвінком.
uk M Як і інші чоловіки тут, я був найнятий носити піаніно.
uk NF Вона сказала: «Я схвильована перед кожним телефонним дзвінком».
uk NF Вона сказала: "Я була обрана всією командою".
uk NF «Я надто сором'язлива», — сказала вона.
uk F Як і інші дами тут, я втомилася.
uk F Так само, як інші жінки тут, я стурбована всім.
"""


def _cases(table):
    return [line.split(maxsplit=2) for line in table.strip().splitlines()]


@check_each(("code", "letters", "text"), _cases(TEXTS) + _cases(FRAMES))
def test_who_speaks(code, letters, text):
    language, text = registry.known_language(code), text.replace("\\n", "\n")
    for letter, cue in zip(letters, (Cue.AGREEMENT, Cue.QUOTED), strict=False):
        signal = language.signal(text, cue)
        assert signal.cls is LETTERS[letter], signal
        for witness in signal.witnesses:
            assert text[witness.start : witness.end] == witness.text


def test_every_language_has_its_frames():
    for code in sorted(registry.discover("languages")):
        frames = [letters for other, letters, _ in _cases(FRAMES) if other == code]
        if code != "en":
            assert sum(len(letters) == 1 for letters in frames) >= 3
            assert sum(len(letters) == 2 for letters in frames) >= 3


# The words outside, and those of each quotation.
PARTED = [
    ('I said " hi " .', "I said", ["hi"]),
    ('" hi', "", ["hi"]),
    ("she said : hi . bye", "bye", ["hi"]),
    ("then , she said : hi", "then", ["hi"]),
    ("she said : \n — hi .", "", ["hi"]),
    ('she said : " hi " then', "then", ["hi"]),
    ("she said :", "", []),
    ("I know : hi", "I know hi", []),
    ("— hi — she said . — bye", "", ["hi", "bye"]),
    ("— hi — she said . dark night", "dark night", ["hi"]),
    ("— hi , said she", "", ["hi"]),
    ("— hi — no", "hi no", []),
    ("I sat . hi — said she", "I sat", ["hi"]),
    ("I sat — no — said she — bye", "I sat", ["no", "bye"]),
    ('I sat . " hi " — said she', "I sat", ["hi"]),
    ('I sat . " hi " , — said she', "I sat", ["hi"]),
    ("I sat\n— hi — said she\nand slept", "I sat and slept", ["hi"]),
    ("I sat , I said : hi", "I sat I said hi", []),
]


@check_each(("text", "outside", "inside"), PARTED)
def test_the_parts_of_a_text(text, outside, inside):
    surfaces = [w for w in text.replace("\n", " \n ").split(" ") if w]

    def reports(at):
        words = [surfaces[i] for i in at]
        return "said" in words and "I" not in words

    def words(at):
        return " ".join(surfaces[i] for i in at if surfaces[i].isalpha())

    own, quoted = outside_and_inside(surfaces, reports)
    assert words(own) == outside
    assert [words(part) for part in quoted if words(part)] == inside
    assert sorted(own) == own
