"""The Slovene reader: a table per rule, traps, double forms, the option for nouns."""

import dataclasses

from monitor.languages.slavic.sl import LANGUAGE
from monitor.model import Cue, Gender, GenderClass

# letter, rule of a witness, text
RULES = """
M aux_participle Včeraj sem jokal.
F aux_participle Jokala sem vso noč.
F aux_participle Tega nisem nikoli opazila.
M aux_participle Jutri bom šel v službo.
F aux_participle Ne bom mogla priti.
M aux_participle Rekel sem resnico.
F aux_participle Rekla sem, da pridem.
F aux_participle Ko sem vstopila, so vsi umolknili.
M aux_participle Torto sem pekel dve uri.
F aux_participle Celo noč sem pekla torto.
M aux_participle Nisem se bal višine.
F aux_participle Bala sem se pajkov.
M aux_participle Nisem hotel čakati.
F aux_participle Hotela sem oditi.
M aux_participle Opravil sem izpit.
M aux_participle Nisem je videl.
F aux_participle Kupila sem si obleko.
F aux_participle Vsak večer sem si umivala obraz in si brala.
M aux_participle Vsem sem dal darilo.
F aux_participle To sem vedela.
M aux_participle Samo te sem želel videti.
F aux_participle Moj mož je kuhal, jaz pa sem pospravljala.
M aux_participle Vedno sem sledil pravilom.
M aux_participle Naletel sem na težavo.
F aux_participle Vedno sem bila oseba, ki veliko govori.
M aux_participle Zlahka sem se predal.
F aux_participle Kot ponavadi sem zamudila.
M aux_participle Bil sem utrujen.
F aux_participle Šla sem domov in zaspala.
F aux_participle Oblekla sem krila.
M glad Rad berem.
F glad Rada imam pse.
M glad Ob sobotah se rad zabavam.
F glad Rada te imam.
M glad To rad počnem.
F glad Nisem rada sama doma.
F self Sama grem domov.
M self Živim sam.
M self Vse naredim sam.
F self Sama sem zgradila hišo.
M copula_adjective Utrujen sem.
F copula_adjective Zelo sem ponosna na svoje otroke.
F copula_adjective Nisem dovolj močna.
M copula_adjective Sem zelo objektiven.
F copula_adjective Jutri bom vesela.
M copula_adjective Prepričan sem, da pride.
F copula_adjective Boljša sem od njih.
M copula_adjective Starejši sem od brata.
F copula_adjective Najsrečnejša sem doma.
M copula_adjective V razredu sem najboljši.
F copula_adjective Prešibka sem za to.
M copula_adjective Sem vesel in ponosen.
F copula_adjective Obkrožena sem z ljudmi.
M copula_adjective Vreden sem zaupanja.
M copula_adjective Sem navdihujoč.
F copula_adjective Pravijo, da sem otročja.
M to_be_adjective Želim biti bogat.
F to_be_adjective Hočem biti lepa.
M object_accusative Imam se za precej konzervativnega.
M pro_adjective Tak sem.
F pro_adjective Taka sem pač.
F pro_adjective Jaz sem tista, ki dela.
M would_participle Nikoli ne bi nosil tega.
F would_participle Morala bi reči ne, a tega ne morem.
F would_participle Če bi vedela, bi ostala doma.
M would_participle Z lahkoto bi zamenjal gumo.
F would_participle Svojih las ne bi zamenjala za nič.
M glad_would Rad bi delal.
F glad_would Nekega dne bi rada postala zdravnica.
"""

NONE = """
Všeč so mi ljudje.
Jaz sem vodja.
Sem dober oče.
Sem dobra mati.
Dober sem kuhar.
Sem zelo vljudna oseba.
Sem izjemen javni govornik.
Sem miren, potrpežljiv oče.
Sem model.
Sem znanstvenik.
Počutim se srečno.
Počutim se, kot da letim.
Vedno imam prav.
Doma sem.
Sem v redu.
Bilo mi je težko.
Moj mož je jokal.
Moja mama je bila utrujena.
Zakaj si jokala?
Si prepričan?
Ste prepričani?
Bi lahko kaj skuhal?
Moral bi se naučiti kuhati.
Tega ne bi smel dvigovati.
Če si želiš to službo, bi moral biti pogumnejši.
Moj oče bi rad prišel.
Mama bi rada prišla.
Nočem, da bi moj partner delal.
Nikoli ne dovolim, da bi mi pes polizal obraz.
Moj mož rad kuha.
Zakaj tako rad tečeš?
Rekel je, da pride.
Vem, da je utrujena.
Midva sva delala.
Delala sva ves dan.
Bili smo utrujeni.
Oni so šli domov.
Vidim, da je odšel.
Delam v hotelu.
Moja šola je velika.
Imam dobro službo.
Biti močan je težko.
Rekla je: »Utrujen sem.«
Sama misel na to me plaši.
Stvar sama po sebi me ne zanima.
Imam sošolca, ki je rad obkrožen z ljudmi.
Grem s svojim starejšim bratom.
Vsak dan sem doma.
Če bi obstajala rešitev, jo najdem.
Počutim se krivega.
Počutim se krivo.
Počutim se odgovornega za to.
"""

OTHERS = """
B Utrujen/a sem.
B Delal/a sem ves dan.
B Delal(a) sem ves dan.
B Utrujen ali utrujena sem.
I Delal*a sem ves dan.
X Kupil sem obleko, vendar sem jo najprej oprala.
U
U I am tired and I have been working all day.
F JOKALA SEM VSO NOČ.
F Zelela sem oditi.
M Nisem vedel kaj storiti. Doma sem.
F Nikoli se nisem bala. Moj brat se je bal.
F Rada gledam Sasho Grey.
"""

# The same sentence of a man and of a woman: adverbs and insertions between auxiliary and
# participle, clitic chains, words that are nouns as well, predicates.
MIRRORED = """
Jaz sem zaradi pomanjkanja postelj v vseh delih stare hiše na koncu celo dolgo noč [čakal|čakala].
Jaz sem medtem [pospravil|pospravila].
Jaz sem seveda spet vse [pospravil|pospravila].
Sem kot otrok veliko [jokal|jokala].
Kot [utrujen|utrujena] ne delam.
Sem neustrašno in odločno [veslal|veslala] naprej.
[Navajen|Navajena] sem trdega dela.
Lahko bi [dvignil|dvignila] ta avto.
Ne bi [zdržal|zdržala] takšnega pritiska.
Jaz sem, kot vedno, [pozabil|pozabila] ključe.
Jaz sem, seveda, [ponosen|ponosna].
Jaz sem, mislim, [pripravljen|pripravljena].
Želodec tega ni prenesel in sem kar [bruhal|bruhala].
Ali sem kdaj [lagal|lagala]?
Nisem ti je [dal|dala].
[Kupil|Kupila] sem si ga.
Nisem tega [pozabil|pozabila].
Če bi me vprašal, bi [povedal|povedala].
Zakaj bi nekaj [rekel|rekla], če to vodi v prepir.
To je avto, ki bi ga [kupil|kupila].
To je hiša, v kateri bi [živel|živela].
[Popel|Popela] sem se na goro.
[Metal|Metala] sem disk.
[Sovražil|Sovražila] sem zamisel o tem.
Toliko perila sem [moral|morala] oprati.
Svojega velikega pitbula sem [moral|morala] držati.
Nikoli nisem [obstajal|obstajala] zanj.
Na vsak sestanek grem lepo [oblečen|oblečena].
Na tekmah vedno končam [prvi|prva].
Težko mi je biti [nov|nova] v mestu.
Dolgčas mi je biti [sam|sama] doma.
[Zvest|Zvesta] sem svojim idealom.
To me dela [ponosnega|ponosno].
Imajo me za [neumnega|neumno].
Imam se za [pametnega|pametno].
[Črn|Črna] sem od sonca.
Nisem [popoln|popolna].
Mislim, da bi [šel|šla].
"""

SOMEBODY_ELSE = """
Sem kul.
Iščem rešitev, ki bi temeljila na dejstvih.
Želim si odnos, ki bi temeljil na zaupanju.
Iščem moža, ki bi kuhal.
Želim žensko, katera bi me imela rada.
Nihče me ne bi prepričal.
Nikoli ne dovolim, da bi me prevzela čustva.
Grem ven s prijatelji.
Jaz sem Emil.
Jaz sem Ivana.
Jaz sem Nela.
Jaz sem Pavel Novak.
Imajo me za dobro mamo.
Kot dobra mati ne kričim.
Kot dober oče ne kričim.
Vozim se za malo denarja.
Želim, da bi bila hiša polna.
Mama je rekla, da bi šla sama.
Oče je rekel, da bi prišel sam.
Sestra ni vedela, ali bi ostala doma.
Sestra je mislila, da bi rada odšla.
Doma sem in sestra je utrujena.
"""


def test_the_conditional_is_read_only_where_nothing_else_shows():
    signal = LANGUAGE.signal("Bila sem tam, da bi videl.")
    assert [witness.text for witness in signal.witnesses] == ["Bila"]


def test_a_quotation_is_read_for_its_own_cue():
    text = "Rekla je: »Bila sem utrujena.«"
    assert LANGUAGE.signal(text).cls is GenderClass.NONE
    assert LANGUAGE.signal(text, Cue.QUOTED).cls is GenderClass.FEMININE


def test_offsets():
    text = "Danes, 😀, sem\u200b jokala."
    witness = LANGUAGE.signal(text).witnesses[0]
    assert (witness.text, text[witness.start : witness.end]) == ("jokala", "jokala")
    assert witness.gender is Gender.FEMININE


def test_nouns_are_an_option():
    with_nouns = dataclasses.replace(LANGUAGE, nouns=True)
    assert LANGUAGE.signal("Sem zdravnik.").cls is GenderClass.NONE
    assert with_nouns.signal("Sem zdravnik.").cls is GenderClass.MASCULINE
    assert with_nouns.signal("Sem zdravnica.").cls is GenderClass.FEMININE
