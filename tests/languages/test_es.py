"""The Spanish reader: rules, traps, classes, offsets, hostile input, labelled sentences."""

import pytest

from monitor.languages.romance.es import LANGUAGE, LEXICON
from monitor.model import Cue, Gender
from tests.cases import check_each
from tests.languages.classes import LETTERS, check_places

# letter, rule of the deciding witness, text
RULES = """
M copula_adjective Estoy cansado.
F copula_adjective Estoy cansada.
M copula_adjective Siempre he sido juguetón.
F copula_adjective Siempre he sido juguetona.
M copula_adjective Soy muy holgazán.
F copula_adjective Soy muy holgazana.
F copula_adjective Soy muy tímida y un poco nerviosa.
M copula_adjective Yo era tan tranquilo, paciente y atento.
F copula_adjective No estoy nada satisfecha.
M copula_adjective Estoy extremadamente orgulloso de mi jardín.
F copula_adjective Me siento agotada y triste.
M copula_adjective Me sentí ridículo.
F copula_adjective Me sentía culpable y avergonzada.
F sozinho Me he sentido muy sola y cansada.
F copula_adjective Puedo ponerme nerviosa a veces.
F made_me Me estaba poniendo nerviosa.
F copula_adjective Me voy a volver loca.
F copula_adjective Me puse roja.
F copula_adjective He estado muy ocupada.
M copula_adjective Si yo fuera rico, viajaría.
F copula_adjective Si no hubiera sido testaruda, habría perdido.
F copula_adjective Siendo sincera, no me gusta.
M copula_adjective Para ser sincero, no me gusta.
F copula_adjective Dije que estaba cansada.
M copula_adjective Me fui porque estaba cansado.
F copula_adjective Me dijeron que era guapa.
F copula_adjective Cuando era pequeña, cantaba.
F copula_adjective Estoy segura de eso.
F copula_adjective Me quedé embarazada a los veinte.
F copula_adjective Quedé impresionada con la obra.
F copula_adjective Me considero tímida.
F copula_adjective Me volví vegetariana.
F copula_adjective Sigo soltera.
F copula_adjective Permanecí sentada.
F copula_adjective Me desperté cansada.
F copula_adjective Llegué a casa agotada.
F copula_adjective Nací ciega.
F copula_adjective Crecí rodeada de libros.
M copula_adjective Parezco enfadado.
F copula_adjective Soy más alta que él.
F copula_adjective Me hice rica.
F copula_adjective No me veo preparada.
F copula_adjective Tengo que estar preparada.
F copula_adjective Quiero sentirme querida.
F copula_adjective Mi madre me enseñó a ser valiente y honesta.
F copula_adjective Como siempre, estaba cansada.
F passive Fui contratada por la empresa.
M passive Voy a ser despedido el mes que viene.
M passive No quiero ser despedido.
F passive He sido elegida presidenta.
F role_noun Soy enfermera.
F role_noun Quiero ser enfermera.
F role_noun Me convertí en ingeniera.
F role_noun Me hice profesora.
F role_noun Soy la directora de la escuela.
M role_noun Soy el nuevo carpintero.
F role_noun Soy una mujer fuerte.
F role_noun Soy madre de dos hijos.
F role_noun Me encanta ser madre.
F role_noun Trabajo como profesora.
F role_noun Trabajo de camarera.
M role_noun Trabajo como bombero.
F role_noun Conseguí un trabajo como cocinera.
F role_noun Como médica, trabajo mucho.
F role_noun Como madre, me preocupo mucho.
M role_noun No soy ningún santo.
F role_noun Soy la jefa.
F role_noun Era una chica tímida.
M role_noun Mis amigos dicen que soy un excelente peluquero.
F role_noun Me siento como una princesa.
F role_noun Me tratan como a una niña.
M article Soy un gerente.
F article Soy la nueva gerente.
F article Soy una buena dentista.
M article Soy el único electricista de la familia.
F article Soy la mayor de tres hermanos.
F article Soy una de las mejores jugadoras.
M article Ya no soy el mismo.
F article Soy la única que cocina.
F article Soy la que manda aquí.
F article Soy una gran fan del fútbol.
F sozinho Vivo sola.
M sozinho Vivo solo.
M sozinho Vivo solo en Madrid.
M sozinho Me gusta viajar solo.
M sozinho Estoy solo en casa.
M sozinho Tengo miedo de quedarme solo.
F sozinho Me dejaron sola.
F sozinho Fui al cine sola.
F sozinho Lo hice yo sola.
F mesmo Yo misma hice la tarta.
F mesmo Hablo conmigo misma.
M mesmo Pienso en mí mismo.
F fronted Cansada, me fui a casa.
M fronted Nacido y criado en Nápoles, echo de menos el mar.
F fronted De niña, era muy callada.
F appositive Yo, una mujer orgullosa, nunca lloro.
M appositive Salí de casa, nervioso y triste.
F made_me Eso me puso nerviosa.
F copula_adjective Mi trabajo me hace sentir orgullosa.
M made_me Ese ruido me vuelve loco.
F made_me Me dejó agotada.
F called_me Mis hermanos me llaman terca.
M article Soy uno de los fundadores.
"""

# Longer sentences; the rule does not matter.
SENTENCES = """
F Me siento muy afortunada de tener una familia así.
F Siempre he sido la más callada de la clase.
F No me gusta que me llamen mandona.
F Soy la primera de mi familia en ir a la universidad.
F Cuando me enfado, me pongo roja y nerviosa.
M Soy un padre orgulloso.
F Fui educada por mi abuela.
F Me han dicho muchas veces que soy demasiado emotiva.
N Mi jefe es muy exigente y nunca está contento.
N La película fue aburrida, pero me quedé hasta el final.
F Aunque estoy agotada, sigo trabajando.
M Creo que soy bueno en mi trabajo.
F Estoy convencida de que puedo hacerlo sola.
N Ayer compré una mesa nueva y está rota.
M Era tan tímido que no hablaba con nadie.
N Era muy tarde y hacía frío.
N Todo era nuevo y extraño.
N Mi casa está vacía, y me gusta.
F Me da miedo quedarme embarazada.
N La gente está cansada de esperar.
M Nunca estuve casado.
F He vuelto cansada del trabajo.
F Voy vestida de rojo.
F Quisiera ser más organizada.
N Tengo una hermana casada y un hermano soltero.
N Me duele la cabeza y la espalda está tensa.
F Nunca me he considerado guapa.
F Estoy orgullosa de ser mujer.
N Ella es enfermera y yo la admiro.
N Mis padres están orgullosos de mí.
F Soy buena cocinera.
F Soy buena escuchando.
M Soy bueno con los números.
F De pequeña era muy traviesa.
N Si estás cansado, descansa.
F Fui la única en llegar tarde.
N Compré un vestido rojo porque era bonito.
F Me quedé sola en la oficina.
N Estaba lloviendo y la calle estaba mojada.
F Estaba enamorada de él.
F Yo estaba sentada junto a la ventana.
N Estaba oscuro.
M Estoy acostumbrado a trabajar bajo presión.
N He escrito un libro largo.
F Me siento orgullosa y agradecida por todo.
M Soy el encargado de la limpieza.
F Me nombraron directora del hospital.
N Solo trabajo los lunes.
N Vivo solo para mis hijos.
N Como solo verduras.
M Trabajo solo.
M Lo hice solo.
F Me gusta cenar sola.
N No me gusta la comida fría.
N Dejé la puerta abierta.
N Tengo el pelo largo y rubio.
F Me hice la dormida.
F Soy rubia y delgada.
M Seré honesto contigo.
N Me parece una persona honesta.
F Podría haber sido bailarina.
F Me despidieron estando embarazada.
N Es una mujer fuerte.
N Quiero una casa propia.
F Soy dueña de mi vida.
F Me eligieron presidenta.
F Sería mejor jefa que él.
M Soy abogado, como mi padre.
N Mi padre, cansado, se durmió.
N Hablé con el médico, un hombre serio.
F Hoy me he levantado contenta.
F Estoy algo preocupada por mi hijo.
N Estoy de pie todo el día.
"""

TRAPS = """
N Ella estaba cansada.
N Mi hermana estaba orgullosa de mí.
N Mi madre dijo que estaba cansada.
N Ella me dijo que era enfermera.
N Tengo un amigo que era enfermero.
N Estoy en casa, la comida está lista.
N Mi cuarto está limpio.
N Fue difícil.
N Es peligroso.
N Me gustó hacerlo porque era peligroso.
N Compré un coche y era caro.
N La casa que compré estaba sucia.
N Todo lo que hice estuvo mal.
N Él dijo: "Estoy cansado."
N Él dijo: «Estoy cansado.»
N Ella gritó: “¡Soy médica!”
N "Estoy cansada", dijo ella.
N Estoy cansada, dijo ella.
N Soy gerente.
N Soy dentista.
N Soy piloto y soldado.
N Soy feliz, fuerte y capaz.
N Soy una persona tranquila.
N Soy buena persona.
N Fui víctima de un fraude.
N Soy una de las víctimas.
N Soy un genio.
N Soy un ser humano.
N Soy un desastre.
N Estamos cansados.
N Nosotras estamos cansadas.
N Usted está cansada.
N Mi marido y yo estábamos cansados.
N He cansado a todos.
N Había preparado todo.
N Tengo miedo.
N Solo quiero agua.
N Yo solo quería ayudar.
N Sólo tomo café.
N No estoy solo triste.
N Leí una página sola.
N Estoy en la tienda.
N Estoy fuera.
N Estoy de acuerdo.
N Estoy trabajando mucho.
N Soy lo que soy.
N Estoy en contra de eso.
N Fui a la tienda.
N Llegué temprano.
N Ser madre es difícil.
N Como médica, ella trabaja mucho.
N Bailo como mi madre.
N Ayudé a mi hijo a ser valiente y honesto.
N La vi cansada.
N Dejé a mi hijo solo.
N El médico me dejó una nota.
N Eso me hizo compañía.
N Me parece extraño.
N Me resulta raro.
N Hice un acuerdo.
N Compré el mismo libro.
N Lo haré ahora mismo.
N Pagué con mi propio dinero.
N Él es más alto que yo.
N Ayer fui a la escuela.
N Me puse el vestido rojo.
N Me gusta el vino tinto.
N Como pan y queso.
N Siento frío.
N Me encontré un perro perdido.
N Hablo con mi vecina, que está sola.
N Mi hija se siente cansada.
N El libro me pareció aburrido.
N Le dije que era perezoso.
N Me comí una manzana roja.
N Me quedé en la cama.
N Volví a casa tarde.
N Creo que ella está enamorada.
N Tengo una amiga sola.
N Trabajo mucho y duermo poco.
N No quiero estar sólo.
N Vivo sólo aquí.
"""

FORMS = """
B Estoy cansado/a.
B Estoy cansado(a).
B Soy un(a) médico(a).
B Soy un/una gerente.
B Estoy cansado o cansada.
B Soy profesor/a.
B Soy médico o médica.
I Estoy cansade.
I Estoy cansad@.
I Estoy cansadx.
I Soy enfermere.
X Estoy cansado y nerviosa.
X Como madre, estoy cansado.
F ESTOY CANSADA.
U I am tired.
U I have been a nurse for ten years.
U Estou cansada e sou enfermeira.
U Sóc una infermera i estic cansada.
U Sono stanca di questo.
U Je suis fatiguée.
U Я устала.
U 12345 !!!
M Me sentía poderoso.
"""


def _cases(table):
    return [tuple(line.split(maxsplit=1)) for line in table.strip().splitlines()]


@pytest.mark.parametrize("text", ["", "   ", "\n\t"])
def test_an_empty_text_cannot_say(text):
    assert LANGUAGE.signal(text).rule == "empty"


def test_the_language_says_who_it_is():
    assert (LANGUAGE.code, LANGUAGE.name) == ("es", "Spanish")
    assert LANGUAGE.cues == {Cue.AGREEMENT, Cue.QUOTED}
    assert LANGUAGE.signal("I am tired.").rule == "not_spanish"
    assert LANGUAGE.signal("Estoy cansada.", Cue.TERMS).rule == "no_such_cue"


@check_each(
    ("text", "letter"),
    [
        ('Él dijo: "Estoy cansado."', "M"),
        ("Dijo: «Soy médica.» Yo estaba contento.", "F"),
        ('Estoy cansada. Dijo: "Me voy a casa."', "N"),
        ("Estoy cansada.", "N"),
        ('"Estoy cansado", dijo él. "Soy médica", dijo ella.', "X"),
        ('Dijo: "Estoy cansado', "M"),
    ],
)
def test_the_quoted_cue_reads_only_inside(text, letter):
    assert LANGUAGE.signal(text, Cue.QUOTED).cls is LETTERS[letter]


@check_each(
    ("masculine", "feminine"),
    [
        pair.split("/")
        for pair in """
        cansado/cansada enfermero/enfermera médico/médica profesor/profesora llorón/llorona
        bueno/buena inglés/inglesa actor/actriz niño/niña español/española
        """.split()
    ],
)
def test_the_lexicon_knows_the_forms(masculine, feminine):
    assert LEXICON.lookup(masculine).gender is Gender.MASCULINE
    assert LEXICON.lookup(feminine).gender is Gender.FEMININE
    assert LEXICON.lookup(masculine).base == LEXICON.lookup(feminine).base


@check_each("word", "muerte sólo feliz grande trabajando ciudad".split())
def test_words_without_gender(word):
    assert LEXICON.lookup(word).gender is None


# --- offsets and hostile input ---------------------------------------------------------------


def test_offsets_are_those_of_the_text_as_given():
    text = "\u200bYo  soy me\u0301dica."
    (witness,) = check_places(LANGUAGE, text).witnesses
    assert (witness.text, witness.start) == ("me\u0301dica", 9)


PIECES = """
Estoy cansada , . y o pero yo me siento dejó nervioso un una el la como médica solo sola misma
cuando dijo que era
""".split()
UNITS = [
    "a", "á", '"', "(", "/", "a\u0301", "\u200b", "@", "*", "-", " - ", "l'", "·",
    "yo era, ", "como un ", "cansado o ", "yo ", "un ", "me hizo sentir ", "muy ", "soy muy, ",
    "todo cansado ", "Cansada de, ", "soy un buen ", "soy una de las ", "buen ", "más ",
    "un poco ", "el más ", "y ", "cuando ", "yo, ", "Como, ", "dijo él, ", "me he de ",
    "cansado(a)", "solo ", "una sola ", "de niña, ", "Estoy cansada. ", "me ", "que ",
]  # fmt: skip
