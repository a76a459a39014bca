"""The Portuguese reader: rules, traps, classes, offsets, hostile input, labelled sentences."""

from monitor.languages.romance.pt import LANGUAGE, LEXICON
from monitor.model import Cue, Gender, GenderClass
from tests.cases import check_each
from tests.languages.classes import check_places

# letter, rule of the deciding witness, text
RULES = """
M copula_adjective Estou cansado.
F copula_adjective Estou cansada.
M copula_adjective Serei nu.
F copula_adjective Serei nua.
F copula_adjective Eu sou muito tímida e um pouco nervosa.
M copula_adjective Eu era tão calmo, paciente e atencioso.
F copula_adjective Não estou nada satisfeita.
M copula_adjective Estou extremamente orgulhoso do meu jardim.
F copula_adjective Eu me sinto exausta e triste.
F copula_adjective Sinto-me cansada.
M copula_adjective Senti-me ridículo.
F copula_adjective Eu me sentia culpada.
F copula_adjective Posso ficar nervosa às vezes.
F copula_adjective Eu estava ficando nervosa.
F copula_adjective Estou a ficar cansada.
F copula_adjective Tenho estado muito ocupada.
M copula_adjective Se eu fosse rico, viajaria.
F copula_adjective Se eu não tivesse sido teimosa, teria perdido.
F copula_adjective Sendo honesta, eu não gosto disso.
M copula_adjective Para ser sincero, não gosto disso.
F copula_adjective Eu disse que estava cansada.
M copula_adjective Eu fui embora porque estava cansado.
F copula_adjective Disseram que eu era bonita.
F copula_adjective Quando eu era pequena, eu cantava.
F copula_adjective Estou certa disso.
M copula_adjective Estou pronto.
F copula_adjective Fiquei toda molhada.
F copula_adjective Sou casada há dez anos.
F copula_adjective Me considero tímida.
F copula_adjective Me acho bonita.
F copula_adjective Me tornei vegetariana.
F copula_adjective Eu ando preocupada.
F copula_adjective Eu vivo ocupada.
F copula_adjective Continuo solteira.
F copula_adjective Permaneci sentada.
F copula_adjective Acordei cansada.
F copula_adjective Cheguei em casa exausta.
F copula_adjective Nasci cega.
F copula_adjective Cresci cercada por livros.
M article Não quero ser aquele que conta.
M copula_adjective Eu pareço bravo.
F copula_adjective Sou mais alta do que ele.
F copula_adjective Eu que sou teimosa faria o mesmo.
F copula_adjective Minha mãe me ensinou a ser corajosa.
F copula_adjective Me pediram para ser mais educada.
M copula_adjective Eu, como sempre, estava cansado.
F passive Fui contratada pela empresa.
M passive Vou ser promovido no próximo mês.
F passive Fui eleita presidente.
M passive Eu não quero ser demitido.
F role_noun Sou enfermeira.
F role_noun Quero ser enfermeira.
F role_noun Me tornei engenheira.
F role_noun Virei professora.
F role_noun Sou a diretora da escola.
M role_noun Sou o novo carpinteiro aqui.
F role_noun Sou uma mulher forte.
F role_noun Sou mãe de dois filhos.
F role_noun Adoro ser mãe.
F role_noun Sou filha única.
F role_noun Trabalho como professora.
M role_noun Eu trabalho como um bombeiro.
F role_noun Consegui um emprego como cozinheira.
F role_noun Como médica, eu trabalho muito.
F role_noun Como mãe, eu me preocupo muito.
M role_noun Não sou nenhum santo.
F role_noun Eu sou uma avó feliz.
M role_noun Eu sou um avô feliz.
M role_noun Meus amigos dizem que sou um excelente cabeleireiro.
M article Sou um gerente.
F article Sou a nova gerente.
F article Sou uma boa dentista.
M article Sou o único motorista da família.
M article Trabalho como um eletricista.
F article Sou boa ouvinte.
M article Sou meu próprio chefe.
F article Sou a mais velha da família.
F article Sou uma das melhores jogadoras.
M article Eu nunca mais serei o mesmo.
M article Me vejo como um líder.
F article Sou uma grande fã de futebol.
M article Eu sou um cara simples.
F obrigado Obrigada!
M obrigado Muito obrigado pela ajuda.
F sozinho Moro sozinha.
M sozinho Gosto de viajar sozinho.
M sozinho Eu tinha medo de ficar sozinho.
F sozinho Me deixaram sozinha.
F mesmo Eu mesma fiz o bolo.
F mesmo Falo comigo mesma.
M mesmo Penso em mim mesmo.
F mesmo Eu própria não sei.
F fronted Cansada, eu fui para casa.
M fronted Nascido e criado em Nápoles, sinto falta do mar.
F fronted Quando pequena, eu cantava.
F fronted Desde menina, gosto de cantar.
F appositive Eu, uma mulher orgulhosa, nunca choro.
F appositive Eu, cansada, fui dormir.
M appositive Saí de casa, nervoso e triste.
F made_me Isso me deixou nervosa.
M made_me Meu trabalho me torna orgulhoso.
F called_me Meus irmãos me chamam de teimosa.
M article Eu, o dentista, escrevi esta carta.
F article Eu, a gerente, escrevi esta carta.
M article Eu, o policial de plantão, escrevi esta carta.
F article Eu, a CEO da empresa, assinei.
M fronted Cansado como eu estava, eu li o capítulo.
F fronted Cansada como eu estava, eu li o capítulo.
F fronted Cansada de esperar, logo os estava dando.
F fronted Contratada na mina, mantive meus irmãos na escola.
M fronted Eu não conseguia comer, tão perturbado eu estava.
F fronted Tão nervosa eu estava que não dormi.
F appositive Minha irmã me abraçou e eu fiquei chorando, completamente perdida.
M appositive Eu fiquei chorando, completamente perdido.
F appositive Fico em silêncio, sempre submissa.
M copula_adjective Sou dependente da família e muito acostumado a isso.
F copula_adjective Sou dependente da família e muito acostumada a isso.
F copula_adjective Sou hábil em negociar e discreta depois.
"""

TRAPS = """
N Ela estava cansada.
N Minha irmã ficou orgulhosa de mim.
N Minha mãe disse que estava cansada.
N Ela me disse que era enfermeira.
N Tenho um amigo que era enfermeiro.
N Estou em casa, a comida está pronta.
N Meu quarto está limpo.
N Foi difícil.
N É perigoso.
N Eu gostei de fazê-lo, porque era perigoso.
N Eu comprei um carro e era caro.
N A casa que eu comprei estava suja.
N Tudo que eu fiz foi errado.
N Ele disse: "Estou cansado."
N Ele disse: «Estou cansado.»
N Ela gritou: “Sou médica!”
N Ele disse: Estou cansado.
N Estou cansada, disse ela.
N "Estou cansada", disse ela.
N Ela disse obrigada.
N Eu, o motor, escrevi esta carta.
N Eu, o armário, escrevi esta carta.
N Eu, o gerente e a Maria fomos embora.
N Eu, o médico e a enfermeira fomos embora.
N Eu, o dentista, a secretária e o João saímos.
N Eu, o chefe mandou embora, e fiquei em casa.
N Cansado como ele estava, eu fui embora.
N Cansado de esperar, meu chefe foi embora.
N Nascido em Roma, era famoso em todo o mundo.
N Era tão difícil eu estar em casa.
N Comprei um gato, muito curioso.
N Fiquei olhando a rua, completamente escura.
N Ela ficou chorando, completamente perdida.
N Sou fã de um cantor tímido e calado.
N Sou feliz com um menino feliz e cansado.
N Sou fã de cinema mudo e cansado.
N Sou gerente.
N Sou dentista.
N Sou piloto e soldado.
N Sou fã de futebol.
N Sou feliz, forte e capaz.
N Sou uma pessoa calma.
N Sou boa pessoa.
N Sou vítima de fraude.
N Sou uma das vítimas.
N Eu era uma criança nervosa.
N Sou um gênio.
N Sou um anjo.
N Sou um ser humano.
N Sou um bom exemplo.
N Sou um desastre.
N Sou testemunha.
N Estamos cansados.
N Você está cansada.
N Meu marido e eu estávamos cansados.
N Tenho cansado muito.
N Eu tinha preparado tudo.
N Estou com medo.
N Tenho orgulho dela.
N Sou do tipo calmo.
N Fico o tempo todo em casa.
N Fico junto da família.
N Estou na loja.
N Estou fora.
N Estou longe de casa.
N Estou de volta.
N Estou de novo aqui.
N Estou trabalhando muito.
N Estou a caminho.
N Sou o que sou.
N Sou contra isso.
N Sou a favor disso.
N Pronto, eu fui embora.
N Virei a página.
N Cheguei cedo.
N Ser mãe é difícil.
N Como médica, ela trabalha muito.
N Eu danço como minha mãe.
N Eu ajudei meu filho a ser corajoso.
N Meu pai me ensinou a ser forte.
N Eu a vi cansada.
N Deixei meu filho sozinho.
N Eu não gosto de deixar o cão sozinho.
N O médico me deixou uma carta.
N Isso me fez companhia.
N Me parece estranho.
N Me era difícil.
N Eu fiz um acordo.
N Eu mesmo assim fui.
N Paguei com meu próprio dinheiro.
N Ele é mais alto do que eu.
N Vivo em casa.
N Fui à escola ontem.
N Eu me concentrei no bem-estar financeiro da família.
"""

FORMS = """
B Estou cansado(a).
B Estou cansado/a.
B Sou um(a) médico(a).
B Sou um(a) gerente.
B Sou um/uma gerente.
B Estou cansado ou cansada.
B Estou cansado/cansada.
B Sou médico ou médica.
B Obrigado(a)!
I Estou cansade.
I Estou cansad@.
I Estou cansadx.
I Estou cansad*.
I Obrigade!
I Sou enfermeire.
X Estou cansado e nervosa.
X Eu estava envergonhada de mim mesmo.
X Sou uma mulher ciumento.
F ESTOU CANSADA.
F Eu nao estava cansada.
F Eu sou medica e voce sabe.
U I am tired.
U I have been a nurse for ten years.
U Estoy cansada y soy una enfermera.
U Sono stanca di questo.
U Je suis fatiguée.
U Я устала.
U 我很累。
U 12345 !!!
"""


def _cases(table):
    return [tuple(line.split(maxsplit=1)) for line in table.strip().splitlines()]


@check_each("text", ["", "   ", "\n\t", "\u200b \ufeff"])
def test_an_empty_text_cannot_say(text):
    assert LANGUAGE.signal(text).cls is GenderClass.UNIDENTIFIED


def test_no_cue_differs_from_cannot_say():
    assert LANGUAGE.signal("").rule == "empty"
    assert LANGUAGE.signal("I am tired.").rule == "not_portuguese"
    assert LANGUAGE.signal("Eu comi.").rule == "no_cue"


@check_each(
    ("text", "cls"),
    [
        ('Ele disse: "Estou cansado."', GenderClass.MASCULINE),
        ("Ele disse: “Estou cansado.” Eu estava feliz.", GenderClass.MASCULINE),
        ('Estou cansada. Ele disse: "Vou para casa."', GenderClass.NONE),
        ("Estou cansada.", GenderClass.NONE),
        ('"Estou cansado", disse ele. "Sou médica", disse ela.', GenderClass.MIXED),
        ('Ele disse: "Estou cansado', GenderClass.MASCULINE),
    ],
)
def test_the_quoted_cue_reads_only_inside(text, cls):
    assert LANGUAGE.signal(text, Cue.QUOTED).cls is cls


def test_a_quotation_does_not_hide_what_follows():
    signal = LANGUAGE.signal('Ele disse "vou embora" e eu fiquei nervosa.')
    assert [w.text for w in signal.witnesses] == ["nervosa"]


def test_an_unknown_cue_cannot_say():
    assert LANGUAGE.cues == {Cue.AGREEMENT, Cue.QUOTED}
    signal = LANGUAGE.signal("Estou cansada.", Cue.TERMS)
    assert signal.cls is GenderClass.UNIDENTIFIED


@check_each(
    ("masculine", "feminine", "inclusive"),
    [
        ("cansado", "cansada", "cansade"),
        ("enfermeiro", "enfermeira", "enfermeire"),
        ("médico", "médica", None),
        ("avô", "avó", None),
        ("chorão", "chorona", None),
        ("professor", "professora", None),
        ("bom", "boa", None),
    ],
)
def test_the_lexicon_knows_the_forms(masculine, feminine, inclusive):
    assert LEXICON.lookup(masculine).gender is Gender.MASCULINE
    assert LEXICON.lookup(feminine).gender is Gender.FEMININE
    assert LEXICON.lookup(masculine).base == LEXICON.lookup(feminine).base
    if inclusive:
        assert LEXICON.lookup(inclusive).gender is Gender.INCLUSIVE


@check_each("word", ["morte", "idade", "longe", "trabalhando", "feliz", "grande"])
def test_words_without_gender(word):
    assert LEXICON.lookup(word).gender is None


# --- offsets and hostile input ---------------------------------------------------------------


def test_offsets_are_those_of_the_text_as_given():
    text = "\u200bEu  sou me\u0301dica."
    (witness,) = check_places(LANGUAGE, text).witnesses
    assert (witness.text, witness.start) == ("me\u0301dica", 9)
    assert witness.gender is Gender.FEMININE


def test_several_sentences_and_scripts():
    signal = check_places(
        LANGUAGE, "Привет. Eu não sei. 你好! Ela é alta.\nEu estou cansada e você não está."
    )
    assert [w.text for w in signal.witnesses] == ["cansada"]


def test_signals_repeat():
    for text in ("Estou cansada.", "Estou cansad@.", "Sou um(a) gerente."):
        assert LANGUAGE.signal(text) == LANGUAGE.signal(text)


PIECES = """
Estou cansada , . e ou mas eu me sinto deixou nervoso um uma o a como médica
""".split()
UNITS = [
    "a", "á", "eu era, ", "como um ", '"', "cansado ou ", "eu ", "um ", "me fez sentir ",
    "muito ",
    "(", "/", "sou muito, ", "todo cansado ", "Cansada de, ", "sou um bom ", "sou uma dos ",
    "bom ", "mais ", "um pouco ", "o mais ", "e ", "quando ", "eu, ", "Como, ", "disse ele, ",
    "a\u0301", "\u200b", "cansado(a)", "@", "*", "-", " - ", "Estou cansada. ",
]  # fmt: skip
