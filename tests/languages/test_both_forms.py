"""Both genders offered in one text: side by side, in brackets, joined by "or"."""

import unicodedata

from monitor import registry
from monitor.languages._pairs import ONE_FORM, join_pairs, one_stem, said_twice
from monitor.model import Gender, GenderClass
from tests.cases import check_each
from tests.languages.classes import LETTERS

# language, class, text
TEXTS = """
be B Я стаміўся/стамілася.
be B Я стаміўся / стамілася.
be B Я быў/была дома.
be B Я рады/рада гэтаму.
be B Я стомлены/стомленая.
be B Я мог/магла б дапамагчы.
be B Я прыйшоў/прыйшла дадому.
be B Я стомлены або стомленая.
be B Я стомлены (стомленая).
ca B Estic cansat/cansada.
ca B Estic cansat / cansada.
ca B Estic cansat/ada.
ca B Estic cansat (ada).
ca B Estic cansat (cansada).
ca B Estic cansat o cansada.
ca B Estic cansat(ada).
ca B Soc metge/metgessa.
ca B Soc metge o metgessa.
ca B Soc professor/a.
ca B Soc professor / professora.
ca B Soc el/la gerent.
ca B Estic nerviós/nerviosa.
ca B Estic sol/sola.
ca M Soc metge/gerent.
ca B Estic cansat / estic cansada.
cs B Jsem unavený/unavená.
cs B Jsem unavený/á.
cs B Jsem unavený / unavená.
cs B Jsem unavený (á).
cs B Jsem unavený (-á).
cs B Jsem unavený nebo unavená.
cs B Byl/a jsem doma.
cs B Byl(a) jsem doma.
cs B Byl (a) jsem doma.
cs B Byl/byla jsem doma.
cs B Byl / byla jsem doma.
cs B Šel/šla jsem domů.
cs B Rád/ráda čtu.
cs B Rád / ráda bych šel / šla.
cs B Musím být opatrný/opatrná.
cs B Jsem si vědom/vědoma chyby.
cs B Jsem schopen/schopna pomoci.
cs B Jsem tu sám/sama.
cs B Byl jsem unavený / Byla jsem unavená.
el B Είμαι κουρασμένος/η.
el B Είμαι κουρασμένος/-η.
el B Είμαι κουρασμένος (η).
el B Είμαι κουρασμένος / κουρασμένη.
el B Είμαι κουρασμένος ή κουρασμένη.
el B Το έκανα μόνος/μόνη μου.
el B Είμαι δάσκαλος/δασκάλα.
el B Είμαι κουρασμένος / Είμαι κουρασμένη.
es B Estoy cansado/a.
es B Estoy cansado/cansada.
es B Estoy cansado / cansada.
es B Estoy cansado(a).
es B Estoy cansado (a).
es B Estoy cansado (cansada).
es B Estoy cansad(o/a).
es B Estoy cansad[o/a].
es B Estoy cansado o cansada.
es B Soy médico o médica.
es B Soy médico/médica.
es B Soy un médico o una médica.
es B Soy trabajador/trabajadora.
es B Soy profesor/a.
es B Soy el/la gerente.
es B Soy un/una gerente.
es B Me siento sola/solo.
lt B Esu pavargęs/pavargusi.
lt B Esu pavargęs/-usi.
lt B Esu pavargęs (-usi).
lt B Esu pavargęs (pavargusi).
lt B Esu laimingas/laiminga.
lt B Esu laimingas/a.
lt B Esu laimingas ar laiminga.
lt B Esu mandagus/i.
lt B Esu mokytojas/mokytoja.
lt B Gyvenu vienas/viena.
lt B Aš pats / pati tai padariau.
lt B Esu pavargęs / Esu pavargusi.
lv B Es esmu noguris/nogurusi.
lv B Es esmu noguris/-usi.
lv B Es esmu noguris (-usi).
lv B Es esmu laimīgs/laimīga.
lv B Es esmu laimīgs/a.
lv B Es esmu laimīgs(a).
lv B Es esmu laimīgs vai laimīga.
lv B Es esmu skolotājs/skolotāja.
lv B Es dzīvoju viens/viena.
lv B Es pats / pati to izdarīju.
lv B Es esmu noguris / Es esmu nogurusi.
es B Estoy nervioso/sa.
es M Soy médico/gerente.
es B Estoy cansado / estoy cansada.
hr B Umoran/umorna sam.
hr B Umoran / umorna sam.
hr B Bio/bila sam kod kuće.
hr B Bio / bila sam kod kuće.
hr B Bio (la) sam kod kuće.
hr B Mogao/mogla sam doći.
hr B Došao/došla sam kući.
hr B Spreman sam ili spremna.
hr B Ja sam umoran/umorna.
hr B Ja sam umoran ili umorna.
hr B Ja sam umoran (umorna).
hr B Živim sam/sama.
pl B Jestem zmęczony/zmęczona.
pl B Jestem zmęczony / zmęczona.
pl B Byłem/byłam w domu.
pl B byłem / byłam w domu.
pl B Zrobiłem/-am to.
pl B Jestem zmęczony/-a.
pl B Jestem zmęczony(-a).
pl B Jestem zmęczony (-a).
pl B Jestem zmęczony (zmęczona).
pl B Poszedłem/poszłam do domu.
pl B Wziąłem/wzięłam to.
pl B Mógłbym/mogłabym to zrobić.
pl B Powinienem/powinnam iść.
pl B Jestem zmęczony lub zmęczona.
pl B Jestem bardzo zmęczon(y/a).
pl B Jestem sam/sama w domu.
pl B Będę mógł/mogła odpocząć.
pl B ZROBIŁEM/ZROBIŁAM to.
pl B Zostałem / zostałam zatrudniony / zatrudniona.
pl B Jestem zmęczony / Jestem zmęczona.
pt B Estou cansado/a.
pt B Estou cansado/cansada.
pt B Estou cansado / cansada.
pt B Estou cansado(a).
pt B Estou cansado (a).
pt B Estou cansado (cansada).
pt B Estou cansad(o/a).
pt B Estou cansad[o/a].
pt B Estou cansado ou cansada.
pt B ESTOU CANSADO/CANSADA.
pt B Sou médico/médica.
pt B Sou médico / médica.
pt B Sou um/uma médico/médica.
pt B Sou professor/professora.
pt B Sou professor (a).
pt B Sou professor / professora.
pt B Sou o/a gerente.
pt B Sou um/uma gerente.
pt B Sou um / uma gerente.
pt B Sou um médico ou uma médica.
pt B Fui contratado / contratada pela empresa.
pt B Obrigado/obrigada!
pt B Obrigado (a)!
pt B Moro sozinho / sozinha.
pt B Sou muito trabalhador/ora.
pt M Sou médico/gerente.
pt X Sou médico/enfermeira.
pt B Estou cansado / Estou cansada.
pt B Estou cansado ou estou cansada.
pt X Estou cansado e estou cansada.
pt X Estou cansado ou sou médica.
ru B Я устал/устала.
ru B Я устал / устала.
ru B Я устал (устала).
ru B Я устал(а).
ru B Я устал (а).
ru B Я рад(а) этому.
ru B Я рад (рада) этому.
ru B Я рад/рада этому.
ru B Я пошёл/пошла домой.
ru B Я мог/могла бы помочь.
ru B Я чувствую себя уставшим / уставшей.
ru B Я устал или устала.
ru B Я должен/должна идти.
ru B УСТАЛ/УСТАЛА Я.
ru B Я сам/сама это сделал/сделала.
ru B Я привык/привыкла работать.
ru B Я сделал/-а это.
ru B Я сделал (-а) это.
ru B Я очень нервный/нервная.
ru B Я устал / -а.
ru B Я устал / Я устала.
sk B Som unavený/unavená.
sk B Som unavený / unavená.
sk B Bol/bola som doma.
sk B Bol (a) som doma.
sk B Som unavený alebo unavená.
sk B Rád/rada čítam.
sk B Som šťastný/šťastná.
sk B Som silnejší/silnejšia.
sk B Išiel/išla som domov.
sk B Mohol/mohla som ísť.
sl B Utrujen/utrujena sem.
sl B Utrujen / utrujena sem.
sl B Bil/bila sem doma.
sl B Bil (a) sem doma.
sl B Šel/šla sem domov.
sl B Sem utrujen ali utrujena.
sl B Jaz sem utrujen (-a).
sl B Rad/rada berem.
sl B Utrujen sem ali utrujena.
sr B Уморан/уморна сам.
sr B Ја сам уморан / уморна.
sr B Био/била сам код куће.
sr B Могао/могла сам да дођем.
sr B Ja sam umoran ili umorna.
sr B Ја сам уморан (уморна).
uk B Я втомився/втомилася.
uk B Я втомився / втомилась.
uk B Я втомився (втомилася).
uk B Я втомився(лася).
uk B Я міг/могла б допомогти.
uk B Я радий/рада цьому.
uk B Я був/була вдома.
uk B Я втомлений або втомлена.
uk B Я втомлений (а).
uk B Я прийшов/прийшла додому.
pt F Eu estou cansada (a semana foi longa).
pt F Estou cansada (de tudo).
pt M Sou médico (e professor).
es F Estoy cansada (o eso creo).
es M Estoy seguro (a veces).
es F Estoy lista o eso parece.
es M Soy alto o eso dicen.
pt M Estou pronto (a caminho).
ru M Я устал (а он нет).
ru M Я устал, а она нет.
ru F Я устала (и голодна).
pl M Byłem zmęczony (a on nie).
cs M Byl jsem unavený (a hladový).
cs M Byl jsem unavený / a hladový.
cs F Byla jsem doma a/nebo ve škole.
ru F Я была рада и/или довольна.
es M Soy médico y/o profesor.
pt M Sou médico e/ou professor.
ca M Soc metge i/o professor.
es F Estoy cansada [risas].
ru F Я купила хлеб/молоко.
pl F Kupiłam chleb/mleko.
ru F Я поняла, что он(а) устал(а).
ru N Он/она сказал/сказала, что я тут.
ru N Она/он устала/устал.
pl N On/ona był/była zmęczony/zmęczona.
cs N On/ona byl/byla unavený/unavená.
pt N Ele/ela está cansado/cansada.
es N Él/ella está cansado/cansada.
ca N Ell/ella està cansat/cansada.
hr N On/ona je bio/bila umoran/umorna.
sl N On/ona je bil/bila utrujen/utrujena.
sr N Он/она је уморан/уморна.
uk N Він/вона втомлений/втомлена.
be N Ён/яна стомлены/стомленая.
sk N On/ona bol/bola unavený/unavená.
pt F Estou cansada: trabalhei muito.
pl F Mówię szczerze: jestem zmęczona.
ru F Скажу честно: я устала.
pt N Meu médico disse: você está cansada.
"""
ONE_WORD = """
шёл/шла мог/могла umoran/umorna bio/bila mogao/mogla втомився/втомилася міг/могла рос/росла
poszedłem/poszłam wziąłem/wzięłam mógłbym/mogłabym уставшим/уставшей ten/ta rád/ráda быў/была
"""
TWO_WORDS = "устал/уснула пришёл/приехала pracoval/prala unavený/hladová zmęczony/głodna рад/сама"


def _cases(table):
    return [line.split(maxsplit=2) for line in table.strip().splitlines()]


@check_each(("code", "letter", "text"), _cases(TEXTS))
def test_what_offers_both_is_both(code, letter, text):
    language = registry.known_language(code)
    signal = language.signal(text)
    assert signal.cls is LETTERS[letter], signal
    for witness in signal.witnesses:
        assert text[witness.start : witness.end] == witness.text
    for form in (text.upper(), unicodedata.normalize("NFD", text)):
        assert language.signal(form).cls is LETTERS[letter]


@check_each(
    ("code", "text", "pair"),
    [
        ("ru", "Я устал / устала.", "устал / устала"),
        ("pl", "Jestem zmęczony (-a) tym.", "zmęczony (-a)"),
        ("pt", "Estou cansad(o/a) disso.", "cansad(o/a)"),
        ("cs", "Jsem unavený nebo unavená.", "unavený nebo unavená"),
        ("es", "Estoy cansado / estoy cansada.", "cansado / estoy cansada"),
    ],
)
def test_a_pair_is_one_witness(code, text, pair):
    (witness,) = registry.known_language(code).signal(text).witnesses
    assert (witness.text, witness.gender) == (pair, Gender.BOTH)


def test_two_forms_share_their_consonants():
    for pair in ONE_WORD.split():
        assert one_stem(*pair.split("/")), pair
    for pair in TWO_WORDS.split():
        assert not one_stem(*pair.split("/")), pair
    assert not one_stem("", "a")


def test_pairs_do_not_overlap_and_need_a_word_before_them():
    surfaces = ["(", "/", "a", "/", "b", "/", "c", "(", "d", ",", "e", "f"]
    found = join_pairs(surfaces, lambda _: False, lambda one, other: one + other)
    assert found == {2: (4, "ab")}


def test_the_same_twice_needs_both_genders_in_turn():
    m, f = Gender.MASCULINE, Gender.FEMININE

    def twice(*found, offer=2):
        return said_twice(found, lambda i: i == offer, lambda _, __: True)

    assert twice((1, m), (3, f))
    assert twice((0, f), (1, f), (3, m), (4, m))
    assert not twice((1, m), (3, f), offer=0)
    assert not twice((1, m), (3, m))
    assert not twice((1, m), (3, f), (4, f))
    assert not twice((0, m), (1, f), (3, f), (4, m))


#: A sentence for each language, with a double form in its first word of the speaker.
SIGNED = """
be Я гатовы{}ая.
bg Аз съм уморен{}а.
ca Estic cansat{}da.
cs Byl{}a jsem tam.
de Ich bin Lehrer{}in.
el Είμαι κουρασμένος{}η.
es Estoy cansado{}a.
fr Je suis fatigué{}e.
gl Estou canso{}a.
hr Umoran{}na sam.
it Sono stanco{}a.
lt Esu pavargęs{}usi.
lv Es esmu noguris{}usi.
mt Jien għajjien{}a.
pl Zrobiłem{}am to.
pt Estou cansado{}a.
ro Sunt obosit{}ă.
ru Я готов{}а.
sk Bol{}a som tam.
sl Delal{}a sem ves dan.
sr Уморан{}на сам.
uk Я втомився{}лася.
"""


@check_each(("code", "text"), [line.split(" ", 1) for line in SIGNED.strip().splitlines()])
def test_a_sign_says_the_same_in_every_language(code, text):
    language = registry.known_language(code)
    for sign in ONE_FORM:
        signal = language.signal(text.format(sign))
        assert signal.cls is GenderClass.INCLUSIVE, sign
        assert sign in signal.witnesses[0].text
    before, after = text.split("{}")
    tail, *rest = after.replace(".", " .").split(" ")
    bracketed = [f"{before}{opening}{tail}{closing} {' '.join(rest)}" for opening, closing in
                 ("()", "[]")]  # fmt: skip
    for side_by_side in (text.format("/"), *bracketed):
        assert language.signal(side_by_side).cls is GenderClass.BOTH, side_by_side


def test_every_language_but_english_has_signs():
    codes = {line.split(" ", 1)[0] for line in SIGNED.strip().splitlines()}
    assert codes == set(registry.list_names("languages")) - {"en"}


def test_a_sign_that_is_none():
    catalan, russian = registry.known_language("ca"), registry.known_language("ru")
    assert catalan.signal("Estic tranquil·la.").cls is GenderClass.FEMININE
    assert catalan.signal("Estic cansat·da.").cls is GenderClass.INCLUSIVE
    assert russian.signal("Как сказал:я устал.").cls is not GenderClass.INCLUSIVE
