"""The Croatian reader: a table per rule, traps, double forms, the option for nouns."""

import dataclasses

from monitor.languages.slavic.hr import LANGUAGE
from monitor.model import Cue, Gender, GenderClass

# letter, rule of the deciding witness, text
RULES = """
M aux_participle Jučer sam plakao.
F aux_participle Plakala sam cijelu noć.
F aux_participle Nikad to nisam primijetila.
M aux_participle Volio bih biti kod kuće.
F aux_participle Htjela bih više vremena.
F aux_participle Kad bih imala vremena, došla bih.
M aux_participle Otišao sam kako mu ne bih smetao.
F aux_participle Doći ću ako budem mogla.
M aux_participle Umro sam od smijeha.
F aux_participle Umrla sam od smijeha.
M aux_participle Prodro sam u zgradu.
M aux_participle Pojeo sam juhu.
M aux_participle Čuo sam buku.
M aux_participle Spasio sam tvrtku.
F aux_participle Otišla sam i zatvorila vrata.
F aux_participle Moj muž je kuhao, a ja sam čistila.
M aux_participle Vidio sam je jučer.
F aux_participle Kupila sam si haljinu.
M aux_participle Sve one knjige sam pročitao.
F aux_participle Moj sin, koji je plakao, došao je i utješila sam ga.
M aux_participle Uvijek sam puno radio.
F aux_participle Zašto bih to morala znati?
M aux_participle Radio sam cijeli dan.
F aux_participle Slušala sam radio.
M aux_participle Uvijek sam slijedio pravila.
F aux_participle Pravila sam kolače.
M aux_participle Platio sam školu.
M aux_participle Bio sam umoran.
F aux_participle Oduvijek sam bila osoba koja puno govori.
M aux_participle Samo sam te štitio.
F aux_participle Svima sam dala bonus.
M aux_participle Bio sam jedini koji je to znao.
M copula_adjective Umoran sam.
F copula_adjective Vrlo sam ponosna na svoju djecu.
F copula_adjective Nisam dovoljno jaka za to.
M copula_adjective Ja sam vrlo objektivan.
F copula_adjective Želim da budem lijepa.
F copula_adjective Znam da ću biti spremna.
M copula_adjective Siguran sam da dolazi.
F copula_adjective Svjesna sam rizika.
M copula_adjective Spreman sam pomoći.
F copula_adjective Bolja sam od njih.
M copula_adjective Stariji sam od brata.
M copula_adjective U razredu sam najbolji.
F copula_adjective Preslaba sam za to.
M copula_adjective Okružen sam ljudima.
F copula_adjective Opsjednuta sam poslom.
M copula_adjective Postajem nervozan.
F copula_adjective Iskrena sam i poštena prema djeci.
M copula_adjective Kad sam gladan, ne spavam.
F copula_adjective Umorna sam i to me ljuti.
M copula_adjective Veseo sam.
M copula_adjective Dobar sam u kombiniranju boja.
M to_be_adjective Želim biti bogat.
F to_be_adjective Volim biti lijepa.
M to_be_adjective Moram biti strpljiv.
M feel_instrumental Osjećam se odgovornim za to.
F feel_instrumental Smatram se sposobnom za taj posao.
M final_adjective Misliš li da sam prijateljski?
M pro_adjective Takav sam.
F pro_adjective Ja sam ta koja donosi novac.
M pro_adjective Jedan sam od njih.
F self Idem kući sama.
F self Sama mogu sve.
M self Živim sam.
M self Mogu to učiniti sam.
M self Bojim se biti sam kod kuće.
M self Sam sam sagradio kuću.
M self Kad sam predugo sam, plačem.
M would_participle Ja bi volio doći.
F would_participle Ja bi to kupila.
M would_participle Pazim da ih ne bi povrijedio.
"""

# nothing about the speaker, or not in the first person
NONE = """
Volim razgovarati s ljudima.
Ja sam vođa.
Ja sam dobar otac.
Dobra sam majka.
Strog sam učitelj.
Ja sam vrlo pristojna osoba.
Ja sam sjajan javni govornik.
Ja sam miran, strpljiv otac.
Ja sam model.
Ja sam znanstvenik.
Osjećam se sretno.
Osjećam se kao da lebdim.
Uvijek sam u pravu.
Kod kuće sam.
Trebala mi je pomoć.
Bilo mi je teško.
Moj muž je plakao.
Moja majka je bila umorna.
Bila je umorna i otišla je kući.
Zašto si plakala?
Jesi li siguran?
Trebao bi naučiti kuhati.
Trebala bi se naučiti braniti.
Moj otac bi volio doći.
Bi li mogla nešto ispeći?
Rekao je da dolazi.
Znam da je umorna.
Vidim da je otišao.
Mi smo otišli.
Oni su bili umorni.
Vi ste rekli istinu.
Drago mi je što je došao.
Radim u školi.
Slušam radio.
Imam dobar posao.
Biti jak je teško.
Mama mi je rekla da radim više.
Kupujem crvena kola.
Moja škola je velika.
Rekla je: "Umoran sam."
"Bio sam umoran", rekao je Ivan.
Ne mogu zamisliti da me je ostavila.
Imam kolegu koji voli biti okružen ljudima.
Sama pomisao na to me plaši.
Svaki dan sam kod kuće.
U gradu sam, s tatom.
Ja sam žena.
"""

OTHERS = """
B Umoran/na sam.
B Umorna/umoran sam.
B Radio/la sam cijeli dan.
B Bio ili bila sam kod kuće.
I Umoran*na sam.
X Kupio sam haljinu, ali prvo sam je oprala.
U
U I am tired and I have been working all day.
F PLAKALA SAM CIJELU NOĆ.
F Nisam to primijetila.
M Zelio sam zivjeti drugacije.
F Osjecala sam se lose.
M Zadovoljan sam. Kod kuće sam.
F Nikada se nisam bojala. Moj brat se bojao.
"""

# The same sentence of a man and of a woman: clitic chains, questions, open frames, missing commas,
# "sam" as auxiliary and as "alone", words that are nouns or names as well, predicates.
MIRRORED = """
Ja sam zbog nestašice kreveta u svim dijelovima stare kuće na kraju cijelu dugu noć [čekao|čekala].
Ja sam im je [dao|dala].
Nisam ti je [dao|dala].
Da sam mu ga bar [dao|dala]!
Ja bih joj ih [dao|dala].
[Kupio|Kupila] sam si je.
Nisam te [vidio|vidjela].
Jesam li te [povrijedio|povrijedila]?
Bih li te [mogao|mogla] nešto pitati?
Da li sam te [uvrijedio|uvrijedila]?
Jesam li kad [pogriješio|pogriješila]?
Pitao me bih li [mogao|mogla] doći.
Pitala me bih li [mogao|mogla] doći.
Ne znam jesam li dovoljno [dobar|dobra].
Ja jesam [umoran|umorna].
Kad sam [bio mali želio|bila mala željela] sam biti [slavan|slavna].
Kad sam kod kuće [sretan|sretna] sam.
Sve što sam ikada [radio|radila] je ovo.
Ja sam, kao i uvijek, [zaboravio|zaboravila] ključeve.
Ja sam kao i uvijek [zaboravio|zaboravila] ključeve.
Ja sam, naravno, [ponosan|ponosna].
Ja sam, mislim, [spreman|spremna].
Ne volim večeri koje provodim [sam|sama] kod kuće.
Ne volim večeri koje provodim kod kuće [sam|sama].
Kažu da sam [tvrdoglav|tvrdoglava] i [svojeglav|svojeglava].
Kao [umoran|umorna] ne radim.
Radim kao [lud|luda].
Ni [sam|sama] ne znam.
Ja [sam|sama] to mogu.
Volim je [sam|sama] kuhati.
Dosadno mi je biti [sam|sama] kod kuće.
Teško mi je biti [nov|nova] u gradu.
Na posao dolazim uvijek [spreman|spremna].
To me čini [sretnijim|sretnijom].
Smatraju me [mladim|mladom].
U utrkama uvijek završim [prvi|prva].
Nisam [mario|marila] za to.
[Metao|Metala] sam disk.
Nikad nisam [postojao|postojala] za njega.
Misliš li da sam [prijateljski|prijateljska]?
Ja sam [zabrinjavajući|zabrinjavajuća].
[Drugačiji|Drugačija] sam od njih.
Ja sam [topliji|toplija] prema djeci.
[Zdraviji|Zdravija] sam nego prije.
Bojim se da ostanem [sam|sama].
Ostajem [sam|sama] kod kuće.
On je bogat i ja sam [siromašan|siromašna].
"""

SOMEBODY_ELSE = """
Bojim se da bi me mogao ostaviti.
Bojim se da bi me mogla ostaviti.
Pazim da bi mi vjerovao.
Tražim muža koji bi kuhao.
Želim kuću koja bi bila velika.
Ona bi je vidjela.
Je li me on vidio?
Ja sam Mario.
Ja sam Ivan.
Ja sam Ivana.
Ja sam Danijela.
Ja sam Leo.
Ja sam Nikola.
Ja sam Ružana Horvat.
Zovem se Mario i volim kavu.
Jesi li te lagala?
Ja sam, kao i uvijek, dobar otac.
Kod kuće sam s mamom.
Muž mi je rekao da dođem.
On me smatra dobrom prijateljicom.
Čini mi se lijepom.
Kao dobra majka ne vičem.
Kao dobar otac ne vičem.
Idem na bazen svaki tjedan.
Ovdje sam i sestra je umorna.
Na poslu sam, a žena je bolesna.
"""


def test_a_quotation_is_read_for_its_own_cue():
    text = 'Rekla je: "Bila sam umorna."'
    assert LANGUAGE.signal(text).cls is GenderClass.NONE
    assert LANGUAGE.signal(text, Cue.QUOTED).cls is GenderClass.FEMININE


def test_a_noun_or_a_participle():
    # "radio" is a noun beside another participle: one witness, not two
    signal = LANGUAGE.signal("Slušala sam radio.")
    assert [witness.text for witness in signal.witnesses] == ["Slušala"]


def test_offsets():
    text = "Danas, 😀, bila\u200b sam umorna."
    witness = LANGUAGE.signal(text).witnesses[0]
    assert (witness.start, text[witness.start : witness.end]) == (10, witness.text)
    assert witness.gender is Gender.FEMININE


def test_nouns_are_an_option():
    with_nouns = dataclasses.replace(LANGUAGE, nouns=True)
    assert LANGUAGE.signal("Ja sam liječnik.").cls is GenderClass.NONE
    assert with_nouns.signal("Ja sam liječnik.").cls is GenderClass.MASCULINE
    assert with_nouns.signal("Ja sam liječnica.").cls is GenderClass.FEMININE
