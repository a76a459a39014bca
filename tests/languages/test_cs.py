"""The Czech reader: a table per rule, traps, double forms, the option for nouns."""

import dataclasses
import time

from monitor.languages.slavic.cs import LANGUAGE
from monitor.model import Gender, GenderClass
from tests.patience import HANGS

# letter, rule of the deciding witness, text
RULES = """
M aux_participle Včera jsem plakal.
F aux_participle Plakala jsem celou noc.
F aux_participle Nikdy jsem si toho nevšimla.
M aux_participle Chtěl bych být doma.
F aux_participle Chtěla bych víc času.
F aux_participle Kdybych měla čas, přijdu.
M aux_participle Odešel jsem, abych ho nerušil.
F aux_participle Řekli, abych počkala.
M aux_participle Bál jsem se výšek.
M aux_participle Stál jsem tam sám.
M aux_participle Přál jsem si, aby přišli.
M aux_participle Hrál jsem fotbal.
F aux_participle Žila jsem v Brně.
F aux_participle Byla jsem unavená.
M aux_participle Byl bych rád, kdyby přišla.
F aux_participle V pátek večer jsem zvládla všechno.
F aux_participle Vyměnila jsem prostěradla.
M aux_participle Měl jsem tolik prádla.
M aux_participle Nikdy jsem ve škole a doma nekřičel.
F aux_participle Manžel vařil a já jsem uklízela.
M aux_participle Ty knihy jsem četl.
F aux_participle Můj syn, který plakal, přišel a já jsem ho utěšila.
M pronoun_participle Kamarád mě vyzval a já vyhrál.
F pronoun_participle Žaludek to nezvládl a já se pozvracela.
F glad Ráda čtu.
M glad Mám rád psy.
F glad Nemám ráda hádky.
M glad Rád bych.
F glad Jsem ráda, že přišli.
M glad Každou sobotu se rád bavím.
F glad Ráda piju kávu.
M glad Nerad se hádám.
F self Bojím se být doma sama.
M self Raději řeším své problémy sám.
F self Jdu tam sama.
M self Všechno zvládnu sám.
M copula_adjective Jsem unavený.
F copula_adjective Jsem velmi hrdá na své děti.
F copula_adjective Nejsem na to dost silná.
M copula_adjective Cítím se provinilý.
F copula_adjective Zítra budu zaneprázdněná.
M copula_adjective Jsem plný energie.
F copula_adjective Jsem posedlá čistotou.
M copula_adjective Jsem jediný, kdo to ví.
F copula_adjective Až zjistí, jaká jsem, odejdou.
F copula_adjective Jsem v tom dobrá.
M copula_short Jsem si vědom svých chyb.
F copula_short Jsem přesvědčena, že mám pravdu.
M copula_short Jsem připraven pomoci.
F copula_short Často jsem považována za slabou.
F copula_short Nejsem schopna to udělat.
M become Okamžitě se stanu soutěživým.
F infinitive Musím být trpělivá.
M infinitive Nechci být na nikom závislý.
F infinitive Je pro mě těžké být ve městě nová.
M infinitive Nikdy mě nebavilo zůstávat sám.
M demonstrative Já jsem ten, kdo vaří.
F depictive Chodím na schůzky formálně oblečená.
"""

TRAPS = """
N Jsem doma.
N Jsem inteligentní a komunikativní.
N Jsem silnější než ostatní.
N Jsem dobrý kuchař.
N Jsem dobrá kamarádka.
N Jsem učitel.
N Jsem učitelka.
N Jsem profesionál.
N Pracuji rychle.
N Moje sestra plakala.
N Moje žena byla unavená.
N Žena, která plakala, je moje sestra.
N Proč jsi plakala?
N Proč tak rád běháš?
N Kdybys měla čas, přijď.
N Měl bys jít domů.
N Jste velmi unavená.
N Mohla byste mi pomoct?
N Máte rád kávu?
N Sestra ráda vaří polévku.
N Mám sestru, která je ráda doma s knihou.
N Řekla: Jsem unavená.
N Jsem unavená, řekla.
N "Jsem unavená", řekla.
N Řekl „byla jsem tam“ a odešel.
N Bylo mi řečeno, že mám pravdu.
N Líbilo se mi, že přišla.
N Můj partner vydělával víc než já.
N Fyzická práce mě docela bavila.
N Myslím, že můj přítel nikdy nedospěl.
N Jsem zcela v pořádku.
N Mám nový dům.
N Jsem z Prahy a moje žena byla nemocná.
N Jsem členem týmu.
N Být silný je důležité.
N Chce být silná.
N Víno je ta sama značka.
N Snadno najdu obrázek sebe sama.
N Naši sousedé byli milí.
N To je můj starý dům.
"""

FORMS = """
B Jsem unavený/á.
B Jsem unavený(á).
B Rád/a čtu.
B Byl(a) jsem doma.
B Udělal/a bych to.
B Byl/byla jsem doma.
B Jsem rád nebo ráda.
I Rád*a čtu.
I Byl_a jsem tam.
X Chtěl jsem odejít, ale zůstala jsem.
X Byla jsem tam a byl jsem smutný.
M JSEM UNAVENÝ.
F BYLA JSEM UNAVENÁ.
F Byla jsem unavena.
U Som unavená a páči sa mi to.
"""


def test_alternatives_are_one_witness():
    (witness,) = LANGUAGE.signal("Byl/byla jsem doma.").witnesses
    assert (witness.text, witness.start, witness.gender) == ("Byl/byla", 0, Gender.BOTH)


def test_nouns_count_only_when_asked():
    counting = dataclasses.replace(LANGUAGE, nouns=True)
    cases = {"Jsem učitelka.": GenderClass.FEMININE, "Jsem vůdce.": GenderClass.MASCULINE}
    for text, gender in cases.items():
        assert LANGUAGE.signal(text).cls is GenderClass.NONE
        assert counting.signal(text).cls is gender
        assert counting.signal(text).rule == "noun"


# Each line is a class of words: what it gives in the masculine and in the feminine, where another
# word may stand for X.
PAIRS = """
Ahoj 🙂 X jsem tam.: Byl/Byla
Stanu se X.: silným/silnou mladým/mladou chytrým/chytrou laskavým/laskavou slavným/slavnou
Chci se stát X.: bohatým/bohatou unaveným/unavenou nezávislým/nezávislou klidným/klidnou
Nechci být X.: sobeckým/sobeckou zamilovaným/zamilovanou hloupým/hloupou mladistvým/mladistvou
Dělá mě to X.: šťastným/šťastnou silným/silnou
To mě udělalo X.: klidným/klidnou
Považují mě za X.: slabého/slabou
X jsem celý byt.: vysál/vysála dosál/dosála metl/metla
X jsem to.: uhádl/uhádla odhadl/odhadla udělal/udělala považoval/považovala
X jsem se rychle.: nastydl/nastydla sedl/sedla
Já jsem mezitím X.: vil/vila sál/sála uklidil/uklidila
Jsem X.: obviněn/obviněna opuštěn/opuštěna zabit/zabita ukryt/ukryta nezraněn/nezraněna
X jsem Karla a Pavla.: potkal/potkala
X jsem generála.: viděl/viděla
X jsem anděla.: viděl/viděla
X jsem hotel.: koupil/koupila
Je to film, který mám X.: rád/ráda
Já je X nosím.: rád/ráda
Bratr je vysoký a já jsem X: malý/malá unavený/unavená
Sestra není líná, ale já jsem X: líný/líná sám/sama
Považují mě za X: starého/starou křehkého/křehkou zlého/zlou
Mají mě za X: hloupého/hloupou divného/divnou
Považuji se za X: chytrého/chytrou
Stanu se X: nezletilým/nezletilou nevidomým/nevidomou zběhlým/zběhlou nebohým/nebohou druhým/druhou
"""
NEITHER = """
Stanu se dobrou učitelkou.
Stanu se dobrým učitelem.
Chci být přísným a dobrým učitelem.
Chci být přísnou a dobrou učitelkou.
Stanu se vdovou.
Stanu se královnou.
Budu s tebou najednou.
Dělá mi to velkou radost.
Dělá mě to dobrou kamarádku.
Jsem Pavel.
Jsem Karla.
Jsem Jan Krásný.
Mám bratra, který rád pomáhá ženám.
Mám sestru, která ráda pomáhá ženám.
Mám bratra, který sám bydlí s ženami.
Jsem v práci a manželka je nemocná.
Jsem na dovolené a dcera není sama.
Jsem doma a máma vypadá unavená.
Budu doma a sestra bude sama.
Má mě za novou sousedku.
"""


def test_many_such_words_in_one_clause_take_linear_time():
    start = time.process_time()
    for unit in ["jedla jsem metla vila ", "Karla Pavla já byla jsem byl ", "silným a mladou a "]:
        LANGUAGE.signal(unit * 10_000)
    assert time.process_time() - start < HANGS


def test_an_instrumental_is_read_in_both_genders_or_in_neither():
    for pair in "každým/každou šikmým/šikmou trojitým/trojitou rovným/rovnou silným/silnou".split():
        read = [LANGUAGE.signal(f"Chci být {form}.").cls for form in pair.split("/")]
        assert read in (
            [GenderClass.MASCULINE, GenderClass.FEMININE],
            [GenderClass.NONE, GenderClass.NONE],
        ), pair
