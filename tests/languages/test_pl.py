"""The Polish reader: a table per rule, traps, double forms, the option for nouns."""

import dataclasses
import time

from monitor.languages.slavic.pl import LANGUAGE
from monitor.model import Gender, GenderClass
from tests.patience import HANGS

# letter, rule of the deciding witness, text
RULES = """
M fused_past Wczoraj płakałem.
F fused_past Płakałam całą noc.
M fused_past Chciałbym odpocząć.
F fused_past Chciałabym odpocząć.
M fused_past Powinienem iść.
F fused_past Powinnam iść.
M fused_past Poszedłem do domu.
M fused_past Ukradłem im obiad.
M fused_past Zjadłem śniadanie.
M fused_past Usiadłem obok.
M fused_past Zawiodłem go.
M fused_past Biegłem szybko.
F fused_past Wiedziałam o tym.
F fused_past Widziałam go wczoraj.
F fused_past Siedziałam w domu.
F fused_past Spałam dobrze.
F fused_past Działałam w pośpiechu.
F fused_past Wysyłałam listy.
F fused_past Wołałam o pomoc.
M fused_past Rozmawiałem z zespołem.
F fused_past Zajęłam się tym.
F fused_past Byłam zmęczona.
M fused_past Nie mógłbym tego zrobić.
F fused_past Gdy wróciłam, spali.
M fused_past Mój brat, który płakał, przyszedł, a ja go pocieszyłem.
F aux_participle Gdybym miała czas, pójdę.
M aux_participle Powiedzieli, żebym poczekał.
F aux_participle Uczę się, abym mogła wyjechać.
M aux_participle Chętnie bym poszedł.
M aux_participle Będę mógł odpocząć.
F aux_participle Jutro będę pracowała.
F aux_participle Sama bym to zrobiła.
F aux_participle Gdybym piła kawę, nie spałabym.
M aux_participle A gdybym ci powiedział prawdę?
M copula_adjective Jestem zmęczony.
F copula_adjective Jestem bardzo dumna z dzieci.
F copula_adjective Czuję się winna.
M copula_adjective Jestem w tym dobry.
F copula_adjective Jestem od tego uzależniona.
M copula_adjective Jestem silniejszy niż inni.
F copula_adjective Nie jestem taka głupia.
F copula_adjective Jestem niemiła i brzydka.
M copula_adjective Jestem świadomy swoich wad.
M copula_adjective Jestem pewien, że mam rację.
M copula_adjective Jestem gotów walczyć.
F copula_adjective Jestem pewna siebie.
F copula_adjective Kiedy odkryją, jaka jestem, odejdą.
F copula_adjective Zmęczona jestem.
M copula_adjective Jestem dumny z moich umiejętności prowadzenia drużyny.
F copula_adjective Jestem postrzegana jako słaba.
F copula_adjective Latem będę opalona.
M copula_adjective Po powrocie do domu czuję się brudny.
F infinitive Muszę być ostrożna.
M infinitive Nie chcę być od nikogo zależny.
M infinitive Lubię być odpowiedzialny za duże projekty.
F self Boję się być sama w domu.
M self Wolę radzić sobie sam.
F self Mieszkam sama.
F self Robię to sama.
F copula_adjective Jestem tobą zmęczona.
F copula_adjective Jestem mu winna przeprosiny.
F copula_adjective Jestem tego warta.
"""

TRAPS = """
N Jestem w domu.
N Działam szybko.
N Zadziałam jutro.
N Wysyłam list.
N Wołam syna.
N Interesuję się przemysłem.
N Cieszę się zespołem i pomysłem.
N Kieruję wydziałem i oddziałem.
N Myję ręce mydłem.
N Jestem źródłem radości.
N Siedzę za stołem.
N Jestem aniołem.
N Jestem nauczycielem.
N Jestem nauczycielką.
N Jestem dobrym słuchaczem.
N Jestem miłą osobą.
N Jestem osobą, która pracuje.
N Jestem członkiem drużyny.
N Jestem fanem muzyki.
N Moja siostra płakała.
N Moja żona była zmęczona.
N Kobieta, która płakała, to moja siostra.
N Dlaczego płakałaś?
N Gdybyś miała czas, przyjdź.
N Powinieneś iść do domu.
N Jesteś bardzo zmęczona.
N Mój kolega jest bardziej profesjonalny niż ja.
N Powiedziała: Jestem zmęczona.
N Jestem zmęczona, powiedziała.
N "Jestem zmęczona", powiedziała.
N Powiedział „byłam tam” i wyszedł.
N Powiedziano mi, że mam rację.
N Podobało mi się, że przyszła.
N Mam taki sam dom.
N To ta sama kobieta.
N Robię to tak samo.
N Bycie silnym jest ważne.
N Chce być silna.
N Czuję się źle.
N Czuję się jak idiota.
N Jestem z małej wioski.
N Mój partner zarabiał więcej niż ja.
N Chcieliśmy wyjechać.
N Oni byli zmęczeni.
"""

FORMS = """
B Jestem zmęczony/a.
B Jestem zmęczony(a).
B Zrobiłem/am to.
B Mógł(a)bym to zrobić.
B Zrobił(a)m to.
B Zrobiłem/zrobiłam to.
B Mieszkam sam/sama.
B Byłem lub byłam tam.
I Zrobiłem*am to.
X Chciałem wyjść, ale zostałam.
X Zamarzałam i dałem mu płaszcz.
M JESTEM ZMĘCZONY.
F BYŁAM ZMĘCZONA.
U Jsem unavená a líbí se mi to.
"""


def test_alternatives_are_one_witness():
    (witness,) = LANGUAGE.signal("Zrobiłem/zrobiłam to.").witnesses
    assert (witness.text, witness.start, witness.gender) == ("Zrobiłem/zrobiłam", 0, Gender.BOTH)


def test_nouns_count_only_when_asked():
    counting = dataclasses.replace(LANGUAGE, nouns=True)
    cases = {"Jestem nauczycielką.": GenderClass.FEMININE, "Jestem liderem.": GenderClass.MASCULINE}
    for text, gender in cases.items():
        assert LANGUAGE.signal(text).cls is GenderClass.NONE
        assert counting.signal(text).cls is gender
        assert counting.signal(text).rule == "noun"


# Each line is a class of words: what it gives in the masculine and in the feminine, where another
# word may stand for X.
PAIRS = """
Jestem X.: szczupły/szczupła wesoły/wesoła dojrzały/dojrzała okrągły/okrągła wesół/wesoła
Jestem X.: ostatni/ostatnia ponury/ponura ciężki/ciężka uprzejmy/uprzejma obcy/obca łysy/łysa
Chcę być X.: szczupły/szczupła duży/duża ciemnowłosy/ciemnowłosa trzydziestoletni/trzydziestoletnia
X to.: zawiodłem/zawiodłam śmierdziałem/śmierdziałam spałem/spałam nadziałem/nadziałam
X się lepiej.: czułbym/czułabym ubrałbym/ubrałabym
Obok X.: mieszkałem/mieszkałam
Gdybym X, byłoby inaczej.: stał/stała trwał/trwała dojrzał/dojrzała zaniedbał/zaniedbała
To czyni mnie X.: szczęśliwym/szczęśliwą słabym/słabą drogim/drogą
Uważają mnie za X.: słabego/słabą głupiego/głupią
Uważam się za X.: słabego/słabą
Trudno mi być X.: nowym/nową
Brat jest bogaty i ja jestem X: biedny/biedna chory/chora
Zostawili mnie X w domu: samego/samą
Znaleźli mnie X na ulicy: pijanego/pijaną
Mają mnie za X: leniwego/leniwą
Boję się bycia X: niepotrzebnym/niepotrzebną samotnym/samotną
Jestem X: dodatni/dodatnia kontent/kontenta
"""
NEITHER = """
Jestem słabym człowiekiem.
Jestem ekstra. Jestem trendy. Czuję się mini. Jestem ready.
Nie zdołam. Podołam temu. Wydołam. Wikłam się. Tułam się po świecie.
Wyściełam pudło. Siodłam konia. Nie kłam! Zadano mi kłam. Złam to.
Interesuję się przydziałem, ostrzałem, ziołem, berłem i wehikułem.
Czuję zapachy kuchni.
Czuję stare perfumy.
Wydaję gruby tomik.
Jestem Anna. Jestem Jan Kowalski.
Jestem tu od kwietnia.
Jestem innego zdania.
Uważa się za mądrą.
Uważają mnie za dobrą matkę.
To czyni mnie kobietą.
To czyni mnie mężczyzną.
Jestem w domu i siostra jest chora.
Jestem tutaj i mama wygląda zmęczona.
Jestem tu, a siostra jest sama.
Zostawili mnie i idą.
Zostawili mnie z nową koleżanką.
Mam dość bycia dobrą matką.
Siostra bała się bycia samotną.
"""


def test_many_such_words_in_one_clause_take_linear_time():
    start = time.process_time()
    for unit in ["jestem szczupła i silnym za słabą ", "uważam się za bardzo "]:
        LANGUAGE.signal(unit * 10_000)
    assert time.process_time() - start < HANGS
