"""Portuguese."""

import re
from collections.abc import Iterable

from monitor.entities._iberian import AGENT, INCLUSIVE, IberianReader, gender_of_ending
from monitor.entities._nouns import NounGender
from monitor.entities._romance_grammar import Grammar, words_of
from monitor.languages.romance._romance_tags import Word
from monitor.languages.romance.pt import LANGUAGE, LEXICON

_GRAMMAR = Grammar(
    masculine_determiners=words_of(
        """
        o os um uns do dos ao aos no nos num nuns pelo pelos este estes esse esses aquele aqueles
        deste destes desse desses daquele daqueles neste nesse naquele meu meus teu teus seu seus
        nosso nossos vosso vossos algum alguns nenhum outro outros certo certos todo todos muitos
        poucos varios ambos quantos tantos mesmo mesmos primeiro unico unicos dois cujo dum
        """
    ),
    feminine_determiners=words_of(
        """
        a as uma umas da das à na nas numa numas pela pelas esta estas essa essas aquela aquelas
        desta destas dessa dessas daquela daquelas nesta nessa naquela minha minhas tua tuas sua
        suas nossa nossas vossa vossas alguma algumas nenhuma outra outras certa certas toda todas
        muitas poucas varias ambas quantas tantas mesma mesmas primeira unica unicas duas cuja
        duma
        """
    ),
    other_determiners=words_of(
        "cada qualquer tres quatro cinco seis grande grandes demais melhor melhores pior piores"
    ),
    inclusive_determiners=words_of("ume umes todes les elu"),
    masculine_pronouns=words_of("ele eles dele deles nele neles"),
    feminine_pronouns=words_of("ela elas dela delas nela nelas"),
    weak_masculine_pronouns=words_of("algum nenhum"),
    weak_feminine_pronouns=words_of("alguma nenhuma"),
    masculine_clitics=words_of("o os"),
    feminine_clitics=words_of("a as"),
    clitics=words_of("o a os as lhe lhes se me te nos vos"),
    articles=words_of(
        """
        o a os as um uma uns umas do da dos das ao à aos no na nos nas num numa pelo pela pelos
        pelas meu minha meus minhas teu tua seu sua seus suas nosso nossa
        """
    ),
    datives=words_of(""),
    copulas=words_of(
        """
        é são era eram foi foram sera serao seria seriam seja sejam fosse fossem ser sendo sido
        sou somos fui fomos eramos serei for forem está estao estava estavam esteve estiveram
        estara estaria esteja estejam estar estando estado estou estamos eras serias foste serás
        sejas estavas estiveste ficas fica ficam ficou ficaram ficava ficavam ficar ficando fique
        ficado fiquei parece parecem parecia pareciam pareceu parecer permanece permaneceu
        permanecia torna tornou tornava tornaram tornar tornado sente sentia sentiu sentir
        sentindo continua continuou continuava encontra encontrou encontrava mostra mostrou
        mostrava nasceu morreu considera considerava considerou vive vivia viu ve
        """
    ),
    auxiliaries=words_of("tem tinha tinham teve havia ter tendo tenha tivesse teria haviam"),
    negations=words_of(
        """
        mais tao bastante demasiado nao cada vez quase sempre nunca jamais ja tambem so muito pouco
        certo claro
        """
    ),
    prepositions=words_of(
        """
        de do da dos das em no na nos nas num numa por pelo pela pelos pelas para com sem sob
        sobre entre contra desde ate perante apos durante conforme segundo ao aos à disso disto
        nisso nisto dele dela deles delas nele nela pelo
        """
    ),
    conjunctions=words_of("e nem mas porque pois quando enquanto embora se como onde"),
    relatives=words_of("que quem"),
    gender_of_ending=gender_of_ending,
    neuter_subjects=words_of("isto isso aquilo tudo"),
    agent=AGENT,
    plural=re.compile(r"s$"),
    adverb=re.compile(r".mente$"),
    infinitive=re.compile(r".[aeio]r(?:-se)?$"),
    abstract=re.compile(
        r"(?:cao|coes|sao|soes|dade|tude|mento|ismo|agem|agens|ura|anca|encia|ancia|eza)s?$"
    ),
    plural_form=re.compile(r"..s$"),
    plural_verb=re.compile(r"(?:m|ao)$"),
    selves=words_of("mesmo mesma mesmos mesmas proprio propria"),
    reflexives=words_of("si se"),
    ones=words_of("um uma"),
    alternatives=words_of("ou"),
    function_words=words_of(
        """
        o a os as um uma que de em e é não se do da no na com por para ao sua seu mais foi ele ela
        eu você são está
        """
    ),
    ambiguous=words_of(
        """
        china argentina india noruega indonesia contato continua produtora baixa baixas primeiro
        universitario universitaria interno interna visita morte musica quimica fisica matematica
        politica tecnica mecanica pratica critica clinica informatica estatistica publica logica
        grafica botanica segunda segundo medio media medias policia policias camara guarda guardas
        guia guias capital parte partes gente defesa banda cabo general maior menor cura bateria
        secretaria corretora bolsa banco caixa caixas cara caras chefe chave radio modelo modelos
        turista local locais publico principal original superior membro membros sargento
        calculadora impressora prima copia portaria perito capitao cartomante motor motores trator
        tratores fator fatores setor setores valor americano americana americanos americanas
        ingles inglesa frances francesa italiano italiana alemao alema espanhol espanhola grego
        grega romano romana russo russa britanico britanica europeu europeia europeus chines
        chinesa japones japonesa indiano indiana africano africana cristao crista catolico
        catolica latino latina portugues portuguesa brasileiro brasileira liberal social branco
        branca brancos brancas negro negra preto morto mortos civil militar militares profissional
        jovem nativo nativa nobre nobres radical historico historica solitario conhecido conhecida
        rival rivais humano humana humanos frente marinha pequeno pequena velho velha curador
        cozinha patroa sao seu lanterninha sexo tipo banheiro servente tio alta querida santos
        santo santa dom
        """
    ),
    tails="o|a|os|as|ra|ras|esa|ã|eira|triz",
    verb=re.compile(
        r"..(?:ou|aram|eram|iram|ava|avam|iam|rá|rão|ria|riam|asse|esse)$|..[iae]u$|"
        r"^(?:tem|tinha|há|pode|quer|deve|faz|diz|disse|fez|trouxe|chamam|chama|conhece|ajuda|"
        r"convida|obriga|leva|deixa|pôs|viu|via)$"
    ),
    enclitic=re.compile(r"..-(?:me-|te-|lhe-|se-)?[ln]?(?P<vowel>[oa])s?$"),
    feminine_thing=re.compile(
        r"(?:cao|coes|sao|soes|dade|dades|tude|agem|agens|eza|ez|anca|encia|ancia|ura|eria|ia|ica|"
        r"ista|ada)s?$"
    ),
    masculine_thing=re.compile(r"(?:mento|mentos|ismo|or|ores|o|os|ema|oma|al|el)$"),
    participle=re.compile(r"(?:[aiu]d|rt|st|it|nt|eit|ost)[oa]s?$"),
    inclusive=INCLUSIVE,
    accented=words_of(
        "é está estás são à às avô avó avôs avós bisavô bisavó vovô vovó tetravô tetravó"
    ),
)


class Portuguese(IberianReader):
    """Reader of Portuguese translations."""

    code = "pt"
    name = "Portuguese"
    version = 1
    grammar = _GRAMMAR
    language = LANGUAGE

    def lexicon_lookup(self, surface: str) -> Word:
        """Return what the first-person reader knows of a word."""
        return LEXICON.lookup(surface)

    def plurals(self, lemma: str, gender: NounGender) -> Iterable[str]:
        """Yield "clientes", "leitores", "capitães", "fiéis", "jovens"."""
        del gender
        if lemma.endswith("ão"):
            yield from (f"{lemma[:-2]}{ending}" for ending in ("ãos", "ões", "ães"))
        elif lemma.endswith("m"):
            yield f"{lemma[:-1]}ns"
        elif lemma.endswith("l"):
            yield f"{lemma[:-1]}is"
        elif lemma[-1] in "rzn" or lemma.endswith("ês"):
            yield f"{lemma}es"
        elif lemma[-1] in "sx":
            yield lemma
        else:
            yield f"{lemma}s"


ENTITY_READER = Portuguese()
