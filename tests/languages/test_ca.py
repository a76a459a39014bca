"""The Catalan reader: rules, traps, classes, offsets, hostile input, labelled sentences."""

import pytest

from monitor.languages.romance.ca import LANGUAGE, LEXICON
from monitor.model import Cue, Gender
from tests.cases import check_each
from tests.languages.classes import LETTERS, check_places

# letter, rule of the deciding witness, text
RULES = """
M copula_adjective Estic cansat.
F copula_adjective Estic cansada.
M copula_adjective Soc una mica poruc.
F copula_adjective Soc una mica poruga.
M copula_adjective Estic sa.
M copula_adjective Soc nu.
F copula_adjective Soc nua.
F copula_adjective Estic sana.
F copula_adjective Sóc molt tímida i una mica nerviosa.
F copula_adjective Soc tossuda i mandrosa.
M copula_adjective Jo era tan tranquil, pacient i atent.
F copula_adjective No estic gens satisfeta.
M copula_adjective Estic extremadament orgullós del meu jardí.
F copula_adjective Em sento esgotada i trista.
M copula_adjective Em vaig sentir ridícul.
F copula_adjective Em sentia culpable i avergonyida.
F copula_adjective M'he sentit molt cansada.
F copula_adjective Puc posar-me nerviosa de vegades.
F copula_adjective Em vaig posar vermella.
F copula_adjective He estat molt ocupada.
M copula_adjective Si jo fos ric, viatjaria.
F copula_adjective Sent sincera, no m'agrada.
M copula_adjective Per ser honest, no m'agrada.
F copula_adjective Vaig dir que estava cansada.
M copula_adjective Vaig marxar perquè estava cansat.
F copula_adjective Em van dir que era guapa.
F copula_adjective Quan era petita, cantava.
F copula_adjective Estic segura d'això.
F copula_adjective Em vaig quedar embarassada als vint anys.
F copula_adjective Vaig quedar impressionada amb l'obra.
F copula_adjective Em considero tímida.
F copula_adjective Em vaig tornar vegetariana.
F copula_adjective Segueixo soltera.
F copula_adjective Em vaig despertar cansada.
F copula_adjective Vaig arribar a casa esgotada.
F copula_adjective Vaig néixer cega.
M copula_adjective Semblo enfadat.
F copula_adjective Sóc més alta que ell.
F copula_adjective Sóc activa, creativa i comunicativa.
M copula_adjective Sóc actiu, creatiu i comunicatiu.
M copula_adjective Sóc català.
F copula_adjective Sóc catalana.
F copula_adjective Haig d'estar preparada.
F copula_adjective Vull sentir-me estimada.
M copula_adjective Em veig obligat a dir-ho.
F copula_adjective Estic il·lusionada amb la feina.
F passive Vaig ser contractada per l'empresa.
M passive No vull ser acomiadat.
F passive He estat elegida presidenta.
F role_noun Sóc infermera.
F role_noun Vull ser infermera.
F role_noun Em vaig convertir en enginyera.
F role_noun Em vaig fer professora.
F role_noun Sóc la directora de l'escola.
M role_noun Sóc el nou fuster.
F role_noun Sóc una dona forta.
F role_noun Sóc mare de dos fills.
F role_noun M'encanta ser mare.
F role_noun Treballo com a professora.
F role_noun Treballo de cambrera.
M role_noun Treballo com a bomber.
F role_noun Com a metgessa, treballo molt.
F role_noun Com a mare, em preocupo molt.
M article No sóc cap sant.
F role_noun Era una noia tímida.
M role_noun Els meus amics diuen que sóc un perruquer excel·lent.
F role_noun Em sento com una princesa.
F role_noun Em tracten com a una nena.
F role_noun Sóc l'amiga de la família.
F role_noun Sóc psicòloga.
M role_noun Sóc l'avi de tots.
M article Sóc un gerent.
F article Sóc la nova gerent.
F article Sóc una bona dentista.
F article Sóc la més gran de tres germans.
F article Sóc una de les millors jugadores.
M article Ja no sóc el mateix.
F article Sóc l'única que cuina.
M article Sóc l'únic que cuina.
F article Sóc la que mana aquí.
M article Sóc el cap del departament.
F sozinho Visc sola.
M sozinho Visc sol a Barcelona.
M sozinho M'agrada viatjar sol.
F sozinho Estic sola a casa.
M sozinho Tinc por de quedar-me sol.
F sozinho Em van deixar sola.
F sozinho Vaig anar al cinema sola.
F mesmo Jo mateixa vaig fer el pastís.
F mesmo Parlo amb mi mateixa.
M mesmo Penso en mi mateix.
F fronted Cansada, vaig anar a casa.
M fronted Nascut i criat a Nàpols, trobo a faltar el mar.
F fronted De petita, era molt callada.
F appositive Jo, una dona orgullosa, mai ploro.
M appositive Vaig sortir de casa, nerviós i trist.
F made_me Això em va posar nerviosa.
M made_me El soroll em torna boig.
F made_me Em va deixar esgotada.
F called_me Els meus germans em diuen tossuda.
"""

# Longer sentences; the rule does not matter.
SENTENCES = """
F Em sento molt afortunada de tenir una família així.
F Sempre he estat la més callada de la classe.
F Sóc la primera de la meva família que va a la universitat.
M Sóc un pare orgullós.
F Vaig ser educada per la meva àvia.
N El meu cap és molt exigent i mai està content.
N La pel·lícula va ser avorrida, però em vaig quedar fins al final.
F Encara que estic esgotada, continuo treballant.
M Crec que sóc bo en la meva feina.
F Estic convençuda que puc fer-ho sola.
M Era tan tímid que no parlava amb ningú.
N Era molt tard i feia fred.
N Tot era nou i estrany.
N La casa està buida, i m'agrada.
F Em fa por quedar-me embarassada.
N La gent està cansada d'esperar.
M Mai vaig estar casat.
F Voldria ser més organitzada.
M Prefereixo estar sol.
N Tinc una germana casada i un germà solter.
F Estic orgullosa de ser dona.
N Ella és infermera i jo l'admiro.
N Els meus pares estan orgullosos de mi.
F Sóc bona cuinera.
M Sóc bo amb els números.
F De petita era molt entremaliada.
N Si estàs cansat, descansa.
F Vaig ser l'única que va arribar tard.
F Em vaig quedar sola a l'oficina.
N Plovia i el carrer estava mullat.
F Estava enamorada d'ell.
F Jo estava asseguda al costat de la finestra.
N Estava fosc.
M Estic acostumat a treballar sota pressió.
N He escrit un llibre llarg.
F Em sento orgullosa i agraïda per tot.
M Sóc l'encarregat de la neteja.
F Em van nomenar directora de l'hospital.
N Només treballo els dilluns.
M Treballo sol.
F M'agrada sopar sola.
N Vaig deixar la porta oberta.
N Tinc els cabells llargs i rossos.
F Sóc rossa i prima.
M Seré honest amb tu.
F Podria haver estat ballarina.
N És una dona forta.
F Sóc mestressa de casa.
F Em van elegir presidenta.
M Sóc advocat, com el meu pare.
N El meu pare, cansat, es va adormir.
N Vaig parlar amb el metge, un home seriós.
F Avui m'he llevat contenta.
F Estic una mica preocupada pel meu fill.
F M'estic tornant boja.
F Això em fa sentir orgullosa.
M Em fa sentir culpable i trist.
F Sóc més valenta del que sembla.
M Jo sóc un noi normal.
F Sóc una apassionada de la música.
N Sóc fan de la música.
"""

TRAPS = """
N Ella estava cansada.
N La meva germana estava orgullosa de mi.
N La meva mare va dir que estava cansada.
N Em va dir que era infermera.
N Tinc un amic que era infermer.
N Sóc a casa, el menjar és bo.
N La meva habitació és neta.
N Va ser difícil.
N És perillós.
N Em va agradar fer-ho perquè era perillós.
N Vaig comprar un cotxe i era car.
N La casa que vaig comprar estava bruta.
N Ell va dir: "Estic cansat."
N Ell va dir: «Estic cansat.»
N Ella va cridar: “Sóc metgessa!”
N "Estic cansada", va dir ella.
N Sóc gerent.
N Sóc dentista.
N Sóc pilot.
N Sóc feliç i capaç.
N Sóc una persona tranquil·la.
N Sóc bona persona.
N Vaig ser víctima d'un frau.
N Sóc una de les víctimes.
N Sóc un geni.
N Sóc un ésser humà.
N Sóc un desastre.
N Estem cansats.
N Nosaltres estem cansades.
N Vostè està cansada.
N El meu marit i jo estàvem cansats.
N He cansat tothom.
N Havia preparat tot el sopar.
N Tinc por.
N Només vull aigua.
N M'agrada el sol.
N Estic al sol.
N Vaig llegir una pàgina sola.
N Estic a la botiga.
N Estic fora.
N Estic d'acord.
N Estic treballant molt.
N Sóc el que sóc.
N Estic en contra d'això.
N Vaig anar a la botiga.
N Vaig arribar aviat.
N Ser mare és difícil.
N Com a metgessa, ella treballa molt.
N Ballo com la meva mare.
N Vaig ajudar el meu fill a ser valent i honest.
N La vaig veure cansada.
N Vaig deixar el meu fill sol.
N El metge em va deixar una nota.
N Això em va fer companyia.
N Em sembla estrany.
N Vaig comprar el mateix llibre.
N Ho faré ara mateix.
N Vaig pagar amb els meus propis diners.
N Ell és més alt que jo.
N Em vaig posar el vestit vermell.
N M'agrada el vi negre.
N La meva filla se sent cansada.
N El llibre em va semblar avorrit.
N Li vaig dir que era mandrós.
N Vaig menjar una poma vermella.
N Crec que ella està enamorada.
N Treballo molt i dormo poc.
N No tinc cap problema.
N Sent mare és difícil dormir.
N És una dona tossuda.
"""

FORMS = """
B Estic cansat/ada.
B Estic cansat/da.
B Estic cansat(ada).
B Sóc un(a) metge(ssa).
B Sóc un/una gerent.
B Estic cansat o cansada.
B Sóc professor/a.
I Estic cansad@.
I Estic cansadx.
X Estic cansat i nerviosa.
X Com a mare, estic cansat.
F ESTIC CANSADA.
F Soc metgessa i tu no ho saps.
U I am tired.
U I have been a nurse for ten years.
U Estoy cansada y soy una enfermera.
U Estou cansada e sou enfermeira.
U Sono stanca di questo.
U Je suis fatiguée.
U Я устала.
U 12345 !!!
F Sóc grega.
M Sóc un dels fundadors.
"""


def _cases(table):
    return [tuple(line.split(maxsplit=1)) for line in table.strip().splitlines()]


@pytest.mark.parametrize("text", ["", "   ", "\n\t"])
def test_an_empty_text_cannot_say(text):
    assert LANGUAGE.signal(text).rule == "empty"


def test_the_language_says_who_it_is():
    assert (LANGUAGE.code, LANGUAGE.name) == ("ca", "Catalan")
    assert LANGUAGE.cues == {Cue.AGREEMENT, Cue.QUOTED}
    assert LANGUAGE.signal("I am tired.").rule == "not_catalan"
    assert LANGUAGE.signal("Estic cansada.", Cue.TERMS).rule == "no_such_cue"


@check_each(
    ("text", "letter"),
    [
        ('Ell va dir: "Estic cansat."', "M"),
        ("Va dir: «Sóc metgessa.» Jo estava content.", "F"),
        ('Estic cansada. Va dir: "Me\'n vaig a casa."', "N"),
        ("Estic cansada.", "N"),
        ('"Estic cansat", va dir ell. "Sóc metgessa", va dir ella.', "X"),
        ('Va dir: "Estic cansat', "M"),
    ],
)
def test_the_quoted_cue_reads_only_inside(text, letter):
    assert LANGUAGE.signal(text, Cue.QUOTED).cls is LETTERS[letter]


@check_each(
    ("masculine", "feminine"),
    [
        pair.split("/")
        for pair in """
        cansat/cansada infermer/infermera metge/metgessa professor/professora gelós/gelosa
        actiu/activa català/catalana bo/bona actor/actriu psicòleg/psicòloga ric/rica
        tranquil/tranquil·la anglès/anglesa
        """.split()
    ],
)
def test_the_lexicon_knows_the_forms(masculine, feminine):
    assert LEXICON.lookup(masculine).gender is Gender.MASCULINE
    assert LEXICON.lookup(feminine).gender is Gender.FEMININE
    assert LEXICON.lookup(masculine).base == LEXICON.lookup(feminine).base


@check_each("word", "feliç gran treballant ciutat amor".split())
def test_words_without_gender(word):
    assert LEXICON.lookup(word).gender is None


# --- offsets and hostile input ---------------------------------------------------------------


def test_offsets_are_those_of_the_text_as_given():
    text = "\u200bJo  so\u0301c cansada."
    (witness,) = check_places(LANGUAGE, text).witnesses
    assert (witness.text, witness.start) == ("cansada", 10)


PIECES = """
Estic cansada , . i o però jo em m'he sento deixar nerviós un una el la com a metgessa sol sola
mateixa quan dir que era
""".split()
UNITS = [
    "a", "á", '"', "(", "/", "a\u0301", "\u200b", "@", "*", "-", " - ", "l'", "·",
    "jo era, ", "com un ", "cansat o ", "jo ", "un ", "em va fer sentir ", "molt ", "cap ",
    "sóc molt, ",
    "tot cansat ", "Cansada de, ", "sóc un bon ", "sóc una de les ", "bon ", "més ",
    "una mica ", "el més ", "i ", "quan ", "jo, ", "Com a, ", "va dir ell, ", "m'he de ",
    "cansat/ada", "sol ", "una sola ", "de petita, ", "Estic cansada. ", "em ", "que ",
]  # fmt: skip
