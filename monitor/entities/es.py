"""Spanish."""

import re
from collections.abc import Iterable

from monitor.entities._iberian import AGENT, INCLUSIVE, IberianReader, gender_of_ending
from monitor.entities._nouns import NounGender
from monitor.entities._romance_grammar import Grammar, words_of
from monitor.languages.romance._romance_tags import Word
from monitor.languages.romance.es import LANGUAGE, LEXICON

_GRAMMAR = Grammar(
    masculine_determiners=words_of(
        """
        el los un uno unos al del este ese aquel estos esos aquellos nuestro nuestros vuestro
        vuestros algun alguno algunos ningun ninguno otro otros todo todos muchos pocos varios
        ambos cuantos tantos mismo mismos primer unico unicos cuyo ciertos demasiados
        """
    ),
    feminine_determiners=words_of(
        """
        la las una unas esta esa aquella estas esas aquellas nuestra nuestras vuestra vuestras
        alguna algunas ninguna otra otras toda todas muchas pocas varias ambas cuantas tantas
        misma mismas unica unicas cuya ciertas demasiadas
        """
    ),
    other_determiners=words_of(
        """
        mi mis tu tus su sus cada cualquier dos tres cuatro cinco seis diez gran grandes demas buen
        mal
        mejor mejores peor peores mas futuros futuras
        """
    ),
    inclusive_determiners=words_of("le les une unes lxs elle todes todxs unxs algunes"),
    masculine_pronouns=words_of("él ellos nosotros vosotros"),
    feminine_pronouns=words_of("ella ellas nosotras vosotras"),
    weak_masculine_pronouns=words_of("alguno ninguno"),
    weak_feminine_pronouns=words_of("alguna ninguna"),
    masculine_clitics=words_of("lo los"),
    feminine_clitics=words_of("la las"),
    clitics=words_of("lo los la las le les se me te nos os"),
    articles=words_of("el los la las un una unos unas al del"),
    datives=words_of(""),
    copulas=words_of(
        """
        sois estaremos estareis seremos sereis suenas quedaste es son era eran fue fueron sera
        seran seria serian sea sean fuera fueran fuese fuesen ser
        siendo sido sé seas eras serias soy somos eres fui fuimos eramos seremos seras está estan
        estaba estaban estuvo estuvieron estara estaran estaria esté esten estuviera estuvieran
        estar estando estado estoy estamos estabas estuviste estás estéis queda quedan quedo
        quedaba quedaron quedar quedarse quedado quede parece parecen parecia parecian parecio
        parecer resulta resulto resultaron resultar resultado siente sienten sentia sentian sintio
        sintieron sentirse sentir siento sienta permanece permanecio permanecieron permanecia
        permanecer vuelve volvio volvieron volver volverse hizo hacerse hace encuentra encuentran
        encontraba encontraban ve vio veia vieron verse ven sigue seguia siguio mantuvo mantiene
        nacio murio considera consideraba consideran muestra mostro mostraba llego salio andaba
        iba va vivia vive viven
        """
    ),
    auxiliaries=frozenset(),
    negations=words_of(
        """
        mas tan muy bastante demasiado no nunca jamas cada vez casi siempre aun ya tampoco solo
        todo mucho poco cierto claro
        """
    ),
    prepositions=words_of(
        """
        a ante bajo con contra de desde durante en entre hacia hasta para por segun sin sobre tras
        al del mediante
        """
    ),
    conjunctions=words_of("y e ni pero sino porque pues mientras cuando aunque si como donde"),
    relatives=words_of("que quien quienes"),
    gender_of_ending=gender_of_ending,
    neuter_subjects=words_of("esto eso ello aquello lo"),
    agent=AGENT,
    plural=re.compile(r"s$"),
    adverb=re.compile(r".mente$"),
    infinitive=re.compile(r".[aei]r(?:se|me|te)?$"),
    abstract=re.compile(
        r"(?:cion|sion|dad|tad|tud|miento|ismo|aje|ura|anza|encia|ancia|ez|eza)(?:e?s)?$"
    ),
    plural_form=re.compile(r"..s$"),
    plural_verb=re.compile(r"n$"),
    selves=words_of("mismo misma mismos mismas"),
    reflexives=words_of("si sí"),
    ones=words_of("uno una unas"),
    alternatives=words_of("o u"),
    function_words=words_of(
        """
        el la los las un una que de en y a no se lo le con por para al del su es está son fue ha
        han qué quién muy más pero como yo tú
        """
    ),
    ambiguous=words_of(
        """
        lista listas jurado mando china argentina indico productora baja bajas primer primero
        primera universitario
        universitaria interno interna visita físico colombiana musica quimica fisica matematica
        politica tecnica mecanica practica critica clinica informatica estadistica publica logica
        grafica botanica pintura guardia guardias guia guias policia policias camara segunda medio
        segundo secretaria camarera marina cura compania portero banca cartera carteras capital
        parte partes gente defensa banda cabo general mayor menor cuarto quimico fisico segundos
        deportiva corredor bolsa maquina ama amas amo santo santa esposas papas crio noruega
        indonesia ladron frutera cabeza miembro miembros humano humanos conocido conocidos
        conocida superior moneda radio modelo modelos turista local locales publico media medias
        trompeta bateria batería original soldador jardinera cocina
        """
    ),
    tails="o|a|os|as|e|ra|ora|esa|iz|triz",
    verb=re.compile(
        r"..(?:ó|aron|ieron|aba|aban|ía|ían|ará|erá|irá|arán|erán|irán|aría|ería|emos|amos)$|"
        r"^(?:ha|han|había|habían|hubo|puso|hizo|dijo|tuvo|pudo|quiso|vio|dio|trajo|condujo|"
        r"puede|pueden|quiere|tiene|hace|dice|dejan|deja|llaman|llama|conoce|conocen|ayuda|"
        r"ayudan|invita|invitan|hicieron|dijeron|obligan|obliga|convierte|convirtió|lleva)$"
    ),
    enclitic=re.compile(r"..(?:r|ndo)(?:se|me|te)?l(?P<vowel>[oa])s?$"),
    feminine_thing=re.compile(
        r"(?:cion|sion|xion|dad|tad|tud|umbre|ez|eza|anza|encia|ancia|ura|"
        r"eria|ia|ica|ista|ada)(?:es|s)?$"
    ),
    masculine_thing=re.compile(r"(?:aje|miento|ismo|or|on|an|o|ema|oma)(?:s|es)?$"),
    participle=re.compile(r"(?:[aiu]d|ert|est|rit|uert|ech|ich)[oa]s?$"),
    accented=words_of("está estás esté él"),
    inclusive=INCLUSIVE,
)


class Spanish(IberianReader):
    """Reader of Spanish translations."""

    code = "es"
    name = "Spanish"
    version = 1
    grammar = _GRAMMAR
    language = LANGUAGE

    def lexicon_lookup(self, surface: str) -> Word:
        """Return what the first-person reader knows of a word."""
        return LEXICON.lookup(surface)

    def plurals(self, lemma: str, gender: NounGender) -> Iterable[str]:
        """Yield "lápices", "clientes", "directores"."""
        del gender
        if lemma[-1] in "aeiouáéíóú":
            yield f"{lemma}s"
            if lemma[-1] in "íú":
                yield f"{lemma}es"
        elif lemma[-1] == "z":
            yield f"{lemma[:-1]}ces"
        elif lemma[-1] in "sx" and lemma[-2] not in "éíáó":
            yield lemma
        else:
            yield f"{lemma}es"


ENTITY_READER = Spanish()
