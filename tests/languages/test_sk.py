"""The Slovak reader: a table per rule, traps, double forms, the option for nouns."""

import dataclasses
import time

from monitor.languages.slavic.sk import LANGUAGE
from monitor.model import Gender, GenderClass
from tests.patience import HANGS

# letter, rule of the deciding witness, text
RULES = """
M aux_participle Včera som plakal.
F aux_participle Plakala som celú noc.
M aux_participle Chcel by som byť doma.
F aux_participle Keby som mala čas, prídem.
F aux_participle Povedali, aby som počkala.
M aux_participle Bál som sa výšok.
M aux_participle Mohol som odísť.
M aux_participle Išiel som domov.
M aux_participle Spadol som zo schodov.
F aux_participle Išla som domov.
F aux_participle Žila som v Nitre.
M aux_participle Radšej by som žil na internáte.
M aux_participle Urobil som mojej mame radosť.
F aux_participle Sadla som si a nahliadla som do listu.
M aux_participle Nevidel som ho.
F aux_participle Bola som unavená.
F aux_participle Nikdy som nebola spokojná.
F aux_participle Manžel varil a ja som upratovala.
M aux_participle Nikdy som v škole a doma nekričal.
F aux_participle Môj syn, ktorý plakal, prišiel a ja som ho utešila.
F aux_participle Zvládla som to.
M aux_participle Keby tam nikto nebol, bál by som sa.
M pronoun_participle Kamarát ma vyzval a ja vyhral.
F glad Rada čítam.
M glad Mám rád psov.
F glad Nemám rada hádky.
F glad Som rada, že prišli.
M glad Nerád sa hádam.
F self Bojím sa byť doma sama.
M self Svoje problémy riešim sám.
M self Všetko zvládnem sám.
M copula_adjective Som unavený.
F copula_adjective Som veľmi hrdá na svoje deti.
M copula_adjective Som smutný a krásny.
M copula_adjective Som hlúpy.
F copula_adjective Som múdra.
F copula_adjective Nie som taká hlúpa.
F copula_adjective Dnes sa cítim taká pekná.
M copula_adjective Som silnejší ako ostatní.
F copula_adjective Budem asertívnejšia.
F copula_adjective Som najmladšia v rodine.
F copula_adjective Som ohromujúca.
M copula_adjective Som plný energie.
F copula_adjective Som otvorená akejkoľvek výzve.
M copula_adjective Nie ste schopní toho, čoho som schopný ja.
F copula_adjective Som v tom dobrá.
M copula_adjective Keď zistia, aký som, odídu.
M copula_adjective Som závislý od hudby.
F copula_adjective Cítim sa previnilá.
M become Okamžite sa stanem súťaživým.
F infinitive Musím byť trpezlivá.
M infinitive Páči sa mi byť zodpovedný.
M infinitive Je pre mňa ťažké byť novým v meste.
M demonstrative Ja som ten, kto varí.
M depictive Do práce chodím vždy pripravený.
"""

TRAPS = """
N Som doma.
N Som sexy a fit.
N Som dobrý kuchár.
N Som dobrá kamarátka.
N Som učiteľ.
N Som učiteľka.
N Som vodca.
N Som vodkyňa.
N Som vedúci tímu.
N Mestská rada ma pozvala.
N Pracujem rýchlo.
N Neznášam hádky.
N Milujem večierky.
N Moja sestra plakala.
N Moja žena bola unavená.
N Žena, ktorá plakala, je moja sestra.
N Prečo si plakala?
N Prečo tak rád beháš?
N Keby si mala čas, príď.
N Mal by si ísť domov.
N Ste veľmi unavená.
N Mohli by ste mi pomôcť?
N Sestra rada varí polievku.
N Dobrá rada je nad zlato.
N To je moja rada.
N Povedala: Som unavená.
N Som unavená, povedala.
N "Som unavená", povedala.
N Povedal „bola som tam“ a odišiel.
N Bolo mi povedané, že mám pravdu.
N Páčilo sa mi, že prišla.
N Nepáčilo sa mi, keď môj partner zarobil viac ako ja.
N Fyzická práca ma celkom bavila.
N Myslím, že môj priateľ nikdy nedospel.
N Mám nový dom.
N Som z Prahy a moja žena bola chorá.
N Som členom tímu.
N Byť silný je dôležité.
N Chce byť silná.
N Naši susedia boli milí.
N Podiel a rozdiel ma nezaujímajú.
N Mám silné túžby.
"""

FORMS = """
B Som unavený/á.
B Som unavený(á).
B Rád/a čítam.
B Bol(a) som doma.
B Urobil/a by som to.
B Bol/bola som doma.
B Som rád alebo rada.
I Rád*a čítam.
I Bol_a som tam.
X Chcel som odísť, ale zostala som.
X Bola som tam a bol som smutný.
M SOM UNAVENÝ.
F BOLA SOM UNAVENÁ.
F Bola som velmi unavena.
U Jsem unavená a líbí se mi to.
"""


def test_alternatives_are_one_witness():
    (witness,) = LANGUAGE.signal("Bol/bola som doma.").witnesses
    assert (witness.text, witness.start, witness.gender) == ("Bol/bola", 0, Gender.BOTH)


def test_nouns_count_only_when_asked():
    counting = dataclasses.replace(LANGUAGE, nouns=True)
    cases = {"Som učiteľka.": GenderClass.FEMININE, "Som vodca.": GenderClass.MASCULINE}
    for text, gender in cases.items():
        assert LANGUAGE.signal(text).cls is GenderClass.NONE
        assert counting.signal(text).cls is gender
        assert counting.signal(text).rule == "noun"


# Each line is a class of words: what it gives in the masculine and in the feminine, where another
# word may stand for X.
PAIRS = """
Ahoj 🙂 X som tam.: Bol/Bola
Stanem sa X.: silným/silnou mladým/mladou krásnym/krásnou múdrym/múdrou láskavým/láskavou
Stanem sa X.: lepším/lepšou silnejším/silnejšou vedúcim/vedúcou nemúdrym/nemúdrou
Chcem byť X.: bohatým/bohatou unaveným/unavenou nezávislým/nezávislou pokojným/pokojnou
Robí ma to X.: šťastným/šťastnou šťastného/šťastnú silným/silnou
To ma urobilo X.: pokojným/pokojnou
Považujú ma za X.: slabého/slabú
X som polievku.: jedol/jedla zjedol/zjedla
X by som polievku.: jedol/jedla
X som chlieb.: piekol/piekla upiekol/upiekla
X som to.: uhádol/uhádla odhadol/odhadla kládol/kládla urobil/urobila považoval/považovala
X som naň.: hľadel/hľadela
Ja som zatiaľ X.: upratal/upratala jedol/jedla stál/stála
Ja som medzitým X.: varil/varila
Budem X.: stály/stála mŕtvy/mŕtva náhly/náhla
Cítim sa X.: stály/stála
Kamarát odišiel a ja X.: stál/stála
X som Karla a Pavla.: stretol/stretla
X som generála.: videl/videla
X by som si jedla.: dal/dala
Ja ich X nosím.: rád/rada
Je to film, ktorý mám veľmi X.: rád/rada
Vyriešim to X.: sám/sama
Som X prísť skoro.: zvyknutý/zvyknutá
Otec je bohatý a ja som X: chudobný/chudobná sám/sama
Považujú ma za X: hlúpeho/hlúpu prísneho/prísnu lepšieho/lepšiu lenivého/lenivú
Povazuju ma za X: hlupeho/hlupu mudreho/mudru
Majú ma za X: hlúpeho/hlúpu čudného/čudnú
Považujem sa za X: šikovného/šikovnú
"""
NEITHER = """
Stanem sa dobrou učiteľkou.
Stanem sa dobrým učiteľom.
Chcem byť prísnym a dobrým šéfom.
Chcem byť prísnou a dobrou šéfkou.
Stanem sa kráľovnou.
Budem s tebou jednou nohou tu.
Robí mi to veľkú radosť.
Som Pavol.
Som Karla.
Mám brata, ktorý rád pomáha ženám.
Mám sestru, ktorá rada pomáha ženám.
Som v práci a manželka je chorá.
Som doma a mama vyzerá unavená.
Som tu a sestra nie je sama.
Budem doma a sestra bude sama.
Považujú ma za hrdinu.
Považujú ma za krásnu ženu.
"""


def test_many_such_words_in_one_clause_take_linear_time():
    start = time.process_time()
    for unit in ["jedla som metla vila ", "Karla Pavla ja bola som bol ", "rád ktorý si mi "]:
        LANGUAGE.signal(unit * 10_000)
    assert time.process_time() - start < HANGS


def test_an_instrumental_is_read_in_both_genders_or_in_neither():
    for (
        pair
    ) in "každým/každou niektorým/niektorou okolitým/okolitou nultým/nultou silným/silnou".split():
        read = [LANGUAGE.signal(f"Chcem byť {form}.").cls for form in pair.split("/")]
        assert read in (
            [GenderClass.MASCULINE, GenderClass.FEMININE],
            [GenderClass.NONE, GenderClass.NONE],
        ), pair
