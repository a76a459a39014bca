"""Portuguese word lists read by :mod:`monitor.languages.pt`.

Every word is written without accents unless the accent tells two words apart; look-ups fold
accents away, because machine translations and web pages lose them. The lists hold what the
morphology of a word cannot tell: closed classes, irregular verbs, nouns whose gender says nothing
about the person, and adjectives that are said of people. They follow the usual school grammars
of Portuguese (Cunha and Cintra, "Nova gramatica do portugues contemporaneo"; Bechara,
"Moderna gramatica portuguesa").
"""

from collections.abc import Mapping

from monitor.languages import _romance_tags as lex


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# --- Function words -----------------------------------------------------------------------------

# Words that may stand between a copula and its predicate, or between "eu" and its verb.
ADVERBS = _set("""
muito tao bem bastante mais menos sempre nunca ja ainda meio demais quase so somente apenas tambem
nao mal pouco algo super mega ultra hiper extra jamais agora hoje ontem amanha aqui ali la ca assim
ai entao realmente logo depois antes recem auto semi cada ate mesmo talvez inclusive enfim
afinal nem tampouco cedo tarde novamente quao totalmente ora outrora porventura igualmente
certamente anti multi pouquinho simplesmente deveras pra alias portanto contudo entretanto todavia
porem aparentemente pro demasiado
""")

# "um pouco cansada": an article that belongs to a quantity, not to a noun.
QUANTITIES = _set("pouco tanto bocado pouquinho bocadinho tantinho cadinho")

PREPOSITIONS = _set("""
de do da dos das em no na nos nas num numa nuns numas dum duma por pelo pela pelos pelas para pra
pro com sem sob sobre entre contra desde ate perante apos durante conforme segundo ao aos as neste
nesta nesse nessa naquele naquela deste desta desse dessa daquele daquela disso disto daquilo nisso
nisto naquilo dele dela deles delas nele nela neles nelas a comigo contigo consigo conosco
""")

# Words that open a new clause; the subject of the clause before it may carry over.
SUBORDINATORS = _set("""
que porque se quando enquanto embora pois caso onde porquanto conquanto pq aonde quanto
""")
COORDINATORS = _set("e ou mas nem porem contudo todavia portanto entretanto entao")

# Before "que": a conjunction or a verb of saying, so that "que" is not a relative pronoun.
BEFORE_QUE = _set("""
para mesmo ja ainda antes depois assim sempre sem desde vez tal certeza visto dado medo do mais
posto acho disse diz digo falei sei sabia pensei penso senti sinto percebi achei achava pensava
decidi espero queria quero tenho tive tinha vi soube acredito acreditava admito notei confesso
descobri entendi lembro prometi jurei parece parecia garanto neguei nego fingi finjo contei
""")

OTHER_PRONOUNS = _set("""
ele ela voce vc tu eles elas voces isso isto aquilo alguem ninguem quem tudo nada senhor senhora
""")
OTHER_PEOPLE = _set("""
ele ela voce tu irma irmao mae pai filho filha amigo amiga marido esposa mulher homem namorado
namorada chefe vizinho vizinha menino menina professor professora colega tia tio primo prima mulher
parceiro parceira avo sobrinho sobrinha sogra sogro cunhado cunhada paciente lo la lhe
""")

MASCULINE_DETERMINERS = _set("""
o um meu seu teu nosso este esse aquele algum nenhum outro certo todo vosso cujo
""")
FEMININE_DETERMINERS = _set("""
a uma minha sua tua nossa esta essa aquela alguma nenhuma outra certa toda vossa cuja
""")
OTHER_DETERMINERS = _set("""
os as uns umas meus minhas seus suas teus tuas nossos nossas estes estas esses essas aqueles
aquelas alguns algumas muitos muitas todos todas cada qualquer poucos poucas varios varias outros
outras dois duas tres ambos ambas
""")

# "Um dia", "toda vez", "esta noite": noun phrases that tell the time and are no subject.
TIME_NOUNS = _set("""
dia vez noite semana mes ano manha tarde momento tempo hora minuto segundo verao inverno outono
primavera instante fim dias vezes anos epoca infancia sexta sabado domingo segunda terca quarta
quinta ultima proxima
""")

# --- Verbs --------------------------------------------------------------------------------------

# person: 1 first person only; A first or third; I infinitive or future subjunctive; G gerund;
# P participle; 3 somebody else. Irregular copulas are written out, regular ones are conjugated.
IRREGULAR_COPULAS: dict[str, dict[str, str]] = {
    "ser": {
        "1": "sou fui serei",
        "A": "era seria seja fosse",
        "I": "ser for",
        "G": "sendo",
        "P": "sido",
        "3": "é foi sera sao foram eram somos fomos eramos es seremos serao sejam sejamos fossem",
    },
    "estar": {
        "1": "estou estive estarei tou tô",
        "A": "estava estaria esteja estivesse tava",
        "I": "estar estiver",
        "G": "estando",
        "P": "estado",
        "3": "está esteve estara estao estavam estiveram estamos estavamos estaremos estejam tá",
    },
    "ficar": {"1": "fiquei", "A": "fique", "3": "fiquem fiquemos"},
    "parecer": {"1": "pareco", "A": "pareca", "3": "parecam"},
    "permanecer": {"1": "permaneco", "A": "permaneca"},
    "continuar": {},
    "andar": {},
    "viver": {},
    "virar": {},
    "acabar": {},
    "acordar": {},
    "chegar": {"1": "cheguei", "A": "chegue"},
    "voltar": {},
    "crescer": {"1": "cresco"},
    "nascer": {"1": "nasco"},
    "terminar": {},
    "sair": {"1": "saio saí", "A": "saia", "3": "saiu", "I": "sair", "G": "saindo"},
    "dormir": {"1": "durmo dormi", "A": "dormia", "I": "dormir", "G": "dormindo"},
    "envelhecer": {"1": "envelheco"},
    "morrer": {},
    "vir": {"1": "vim"},
    "deitar": {},
    "morar": {},
    "trabalhar": {},
    "atuar": {},
}

# With these a predicate must be a word known as an adjective: "cheguei cedo", "ando rapido".
DEPICTIVE = _set("""
andar viver acabar acordar chegar voltar crescer nascer terminar sair dormir envelhecer morrer
deitar vir
""")
# With these only "como ..." or "de ..." opens a predicate: "trabalho como enfermeira".
WORKING = _set("morar trabalhar atuar")

# Verbs that say something of "me": reflexive or not, whoever is their subject.
IRREGULAR_ME_VERBS: dict[str, str] = {
    "sentir": "sinto sente senti sentiu sentia sentirei sentiria sentisse sinta sentir sentindo "
    "sentido sentem sentiram sentiam sentira",
    "fazer": "faz fez fazem fizeram fazia faziam fara faria fizesse faca fazer fazendo feito farao",
    "ver": "vejo vi viu ve veem via viam viram vendo visto ver vendo veria vir visse",
    "manter": "mantenho mantem mantive manteve mantinha manter mantendo mantido manteria",
    "descrever": "descrevo descreve descrevi descreveu descrevia descrever descrevendo "
    "descreveria descrevem descreveram descreveriam",
    "eleger": "elegeu elegeram elege elegem eleger",
    "ter": "tem tinham teve tinha",
    "vestir": "visto vesti vestia veste vestir vestindo",
    "reconhecer": "reconheco reconhecem reconheceu reconheceram",
    "dizer": "dizem",
}
REGULAR_ME_VERBS = _set("""
tornar considerar achar deixar julgar imaginar declarar mostrar revelar chamar rotular transformar
nomear encontrar apresentar tratar retratar classificar identificar contratar formar criar
""")
# What introduces the predicate of "me": nothing, "de", "como".
ME_BARE = _set("""
sentir fazer manter tornar considerar achar deixar julgar imaginar declarar mostrar revelar
encontrar nomear eleger ver chamar
""")
ME_DE = _set("chamar rotular")
ME_COMO = _set("""
sentir ver descrever considerar reconhecer imaginar mostrar apresentar tratar retratar
classificar identificar contratar rotular ter formar
""")
# After these an unknown word in -o or -a is more often an object: "me fez companhia".
ME_STRICT = _set("fazer ver nomear eleger mostrar revelar deixar encontrar manter chamar")

# "Eu ajudei meu filho a ser forte": the infinitive belongs to the object.
OBJECT_CONTROL: tuple[str, ...] = (
    "ajud", "ensin", "mand", "obrig", "convenc", "encoraj", "incentiv", "permit", "forc",
    "aconselh", "motiv", "inspir", "pedi", "peco", "deix", "impe",
)  # fmt: skip

FIRST_VERBS = _set("""
tenho tive terei vou vim venho posso pude faco fiz farei digo direi dou dei sei quero vejo vi ponho
pus trago ouco peco perco sinto minto sirvo prefiro sigo consigo leio creio caio ouvi senti perdi
recebi escrevi bebi comi corri vivi aprendi decidi conheci consegui abri parti pedi preferi servi
segui subi desci vendi entendi percebi respondi escolhi esqueci prometi desisti discuti dividi
assisti cumpri descobri produzi construi contribui acho gosto trabalho espero amo adoro odeio penso
preciso tento acredito sonho lembro moro estudo falo uso costumo comeco passo deixo levo
compro cuido jogo ajudo canto danco entro encontro mostro imagino considero admito aceito
evito procuro choro dirijo cozinho devo entendo percebo aprendo escrevo bebo como corro vendo
visto durmo dedico explico pratico critico indico publico modifico identifico preocupo sonhei
planejo pretendo desejo odiei dependo mereco conheco esqueco agradeco ofereco reconheco pago chego
olho fui sou estou fico vivo continuo ando pareco permaneco confio duvido recuso tomo treino luto
ganho peguei pego cubro sofro sorrio rio brinco brigo
mantive mantenho obtive obtenho retive detive contive propus compus supus dispus expus intervim
reuni fugi cedi exigi insisti resisti permiti transmiti admiti cresci bati debati combati
permaneci mereci ofereci agradeci reconheci adoeci corrigi reagi fingi atingi proibi exibi medi
adquiri sugeri transferi conferi inseri vesti repeti refleti traduzi reduzi conduzi introduzi
invadi aplaudi rendi ergui acendi bebi colhi recolhi torci venci convenci temi sorri dormi
""")

OTHER_VERBS = _set("""
tem teve vai pode fez deu quer sabe deve ha houve veio vem faz diz acha pensa gosta parece precisa
pos viu leva deixa fica continua disseram dizem acham pensam vao podem devem querem sabem vamos
temos podemos devemos faziam existe existem acontece sente sentem torna chama chamam
""")

SAYING_VERBS = _set("""
disse diz falou fala gritou perguntou respondeu pensou escreveu exclamou sussurrou afirmou
declarou contou murmurou dizia
""")

# --- Nouns --------------------------------------------------------------------------------------

# The gender of these says nothing about the person; neither do the adjectives that go with them.
FIXED_NOUNS = _set("""
pessoa vitima crianca genio bebe individuo ser exemplo testemunha estrela anjo membro idolo
monstro tipo gente figura alma celebridade criatura presa alvo sujeito especie mistura parte
personagem talento sucesso fracasso desastre problema livro robo misterio caso bagunca peca animal
familia fera maquina lenda inspiracao potencia presenca companhia influencia prioridade autoridade
personalidade exemplar pilar fonte forca bicho leao cao gato gata rato ovelha raposa lobo urso
macaco cachorro pessoinha prova excecao ameaca decepcao vergonha orgulho cobra borboleta passaro
esponja rocha muralha ima bola fardo peso estorvo peixe flor mente cabeca mao voz face rosto corpo
coracao espirito jeito forma maneira coisa tesouro segredo grupo equipe time casal dupla
""")

# One form for both genders: the article or an attribute tells.
COMMON_NOUNS = _set("""
lider chefe gerente estudante colega amante fa jovem adolescente policial modelo guia guarda
assistente agente cliente paciente presidente atendente comerciante representante sobrevivente
ouvinte docente dirigente integrante imigrante viajante iniciante aspirante atleta poeta profeta
idiota cara cineasta pediatra psiquiatra geriatra acrobata burocrata diplomata democrata
aristocrata camarada terapeuta fisioterapeuta psicoterapeuta interprete herege rebelde covarde
refem martir cumplice profissional intelectual militar oficial general industrial mestre aprendiz
chef barman soldado piloto sargento cabo tenente comandante ajudante servente selvagem doente
crente cientista consorte nerd geek hipster hippie workaholic expert freelancer designer manager
babysitter youtuber blogger influencer coach fotojornalista suicida hipocrita alcoolatra
autodidata homicida patriota entusiasta perfeccionista feminista judoca especialista capitalista
vigia xerife conjuge pirata astronauta gay bissexual heterossexual homossexual virgem gigante
contribuinte rival visitante participante concorrente residente parente descendente assaltante
habitante pedinte gestante debutante bacharel titular consul reporter ala craque caixa pm dj ceo
mc capataz musicista lojista socialite eletricista detetive palestrante ginasta baba linguista
nutricionista obstetra socorrista traficante almirante recepcionista balconista fiscal hospede
pianista desenhista estilista roteirista cronista voz motorista economista projetista contabilista
fabricante contabilhante auxiliar barista maquinista optometrista paralegal flebotomista vigilante
dietista quiropraxista dentista jornalista higienista conservacionista telhadista tipista
millwright bookbinder typesetter stonemason governante protagonista militante aeronauta internauta
nomada campista ciclista surfista alpinista futebolista esportista tenista analista turista
vigarista jurista florista motociclista taxista seguranca dealer hacker gamer streamer soprano tenor
""")

# Masculine and feminine forms of what people are: occupations, kin, states of life. A hyphen
# stands for a masculine that is not read because it serves both (poeta).
ROLE_PAIRS = """
enfermeiro/enfermeira professor/professora medico/medica doutor/doutora engenheiro/engenheira
advogado/advogada cozinheiro/cozinheira carpinteiro/carpinteira cabeleireiro/cabeleireira
soldador/soldadora secretario/secretaria diretor/diretora ator/atriz autor/autora
escritor/escritora pintor/pintora cantor/cantora dancarino/dancarina bailarino/bailarina
musico/musica fotografo/fotografa arquiteto/arquiteta contador/contadora padeiro/padeira
banqueiro/banqueira bancario/bancaria barbeiro/barbeira construtor/construtora
acougueiro/acougueira marceneiro/marceneira pedreiro/pedreira faxineiro/faxineira lixeiro/lixeira
zelador/zeladora empregado/empregada funcionario/funcionaria trabalhador/trabalhadora
operario/operaria operador/operadora agricultor/agricultora fazendeiro/fazendeira
pescador/pescadora jardineiro/jardineira juiz/juiza bibliotecario/bibliotecaria mecanico/mecanica
parteiro/parteira ministro/ministra senador/senadora deputado/deputada vereador/vereadora
prefeito/prefeita governador/governadora farmaceutico/farmaceutica filosofo/filosofa
psicologo/psicologa sociologo/sociologa encanador/encanadora bombeiro/bombeira politico/politica
padre/freira sacerdote/sacerdotisa pastor/pastora prisioneiro/prisioneira programador/programadora
pesquisador/pesquisadora investigador/investigadora marinheiro/marinheira vendedor/vendedora
supervisor/supervisora coordenador/coordenadora administrador/administradora cirurgiao/cirurgia
alfaiate/costureira costureiro/costureira tecnico/tecnica tradutor/tradutora
veterinario/veterinaria garcom/garconete garcon/garconete guerreiro/guerreira heroi/heroina
aluno/aluna treinador/treinadora conselheiro/conselheira orientador/orientadora
consultor/consultora editor/editora produtor/produtora apresentador/apresentadora locutor/locutora
inspetor/inspetora auditor/auditora analisador/analisadora estagiario/estagiaria
empresario/empresaria empreendedor/empreendedora fundador/fundadora dono/dona
proprietario/proprietaria patrao/patroa socio/socia parceiro/parceira companheiro/companheira
amigo/amiga namorado/namorada noivo/noiva marido/esposa esposo/esposa homem/mulher menino/menina
garoto/garota rapaz/moca moco/moca senhor/senhora cavalheiro/dama pai/mae filho/filha irmao/irma
avô/avó tio/tia primo/prima sobrinho/sobrinha neto/neta padrinho/madrinha padrasto/madrasta
sogro/sogra genro/nora cunhado/cunhada viuvo/viuva papai/mamae rei/rainha principe/princesa
duque/duquesa conde/condessa barao/baronesa deus/deusa bruxo/bruxa feiticeiro/feiticeira
santo/santa imperador/imperatriz embaixador/embaixadora campeao/campea jogador/jogadora
nadador/nadadora corredor/corredora lutador/lutadora boxeador/boxeadora arbitro/arbitra
torcedor/torcedora vencedor/vencedora perdedor/perdedora ganhador/ganhadora lavador/lavadora
camareiro/camareira mordomo/governanta porteiro/porteira copeiro/copeira cuidador/cuidadora
educador/educadora pedagogo/pedagoga instrutor/instrutora tutor/tutora mentor/mentora
reitor/reitora decano/decana academico/academica matematico/matematica fisico/fisica
quimico/quimica biologo/biologa geologo/geologa historiador/historiadora arqueologo/arqueologa
antropologo/antropologa astronomo/astronoma bioquimico/bioquimica inventor/inventora
explorador/exploradora aventureiro/aventureira mineiro/mineira ferreiro/ferreira
sapateiro/sapateira caminhoneiro/caminhoneira motoqueiro/motoqueira carteiro/carteira
leiteiro/leiteira maquiador/maquiadora depilador/depiladora manicuro/manicure
ginecologo/ginecologa cardiologo/cardiologa oncologo/oncologa radiologo/radiologa
fonoaudiologo/fonoaudiologa paramedico/paramedica prostituto/prostituta ladrao/ladra
assassino/assassina criminoso/criminosa bandido/bandida mafioso/mafiosa espiao/espia
detento/detenta presidiario/presidiaria refugiado/refugiada capitao/capita coronel/coronela
comissario/comissaria aeromoco/aeromoca caixeiro/caixeira corretor/corretora leiloeiro/leiloeira
cobrador/cobradora promotor/promotora procurador/procuradora defensor/defensora delegado/delegada
escrivao/escriva tabeliao/tabelia notario/notaria magistrado/magistrada eleitor/eleitora
cidadao/cidada estrangeiro/estrangeira morador/moradora vizinho/vizinha convidado/convidada
anfitriao/anfitria compositor/compositora maestro/maestrina escultor/escultora
ilustrador/ilustradora desenhador/desenhadora decorador/decoradora cenografo/cenografa
coreografo/coreografa critico/critica redator/redatora revisor/revisora leitor/leitora
bilionario/bilionaria milionario/milionaria herdeiro/herdeira lorde/lady mendigo/mendiga
escravo/escrava servo/serva criado/criada solteirao/solteirona divorciado/divorciada
aposentado/aposentada desempregado/desempregada candidato/candidata novato/novata
veterano/veterana calouro/caloura universitario/universitaria doutorando/doutoranda
mestrando/mestranda formando/formanda graduado/graduada bebedor/bebedora fumador/fumadora
sonhador/sonhadora pensador/pensadora lenhador/lenhadora cacador/cacadora domador/domadora
criador/criadora inimigo/inimiga adversario/adversaria aliado/aliada seguidor/seguidora
discipulo/discipula catolico/catolica cristao/crista judeu/judia muculmano/muculmana ateu/ateia
monge/monja bispo/bispa adulto/adulta idoso/idosa gurizinho/guria guri/guria donzelo/donzela
voluntario/voluntaria doador/doadora benfeitor/benfeitora protetor/protetora salvador/salvadora
mensageiro/mensageira entregador/entregadora passageiro/passageira peregrino/peregrina turco/turca
cigano/cigana indio/india mediador/mediadora negociador/negociadora comprador/compradora
investidor/investidora gestor/gestora executivo/executiva controlador/controladora
regulador/reguladora desenvolvedor/desenvolvedora topografo/topografa cartografo/cartografa
geografo/geografa demografo/demografa biografo/biografa bacteriologo/bacteriologa
metalurgico/metalurgica estivador/estivadora montador/montadora torneiro/torneira moleiro/moleira
tecelao/tecela lavadeiro/lavadeira passadeiro/passadeira vaqueiro/vaqueira peao/peoa
encadernador/encadernadora caldeireiro/caldeireira joalheiro/joalheira limpador/limpadora
quiropratico/quiropratica escriturario/escrituraria canalizador/canalizadora
carregador/carregadora condutor/condutora estofador/estofadora gesseiro/gesseira
telhador/telhadora telhadeiro/telhadeira datilografo/datilografa tipografo/tipografa
agrimensor/agrimensora ferramenteiro/ferramenteira inspector/inspectora animador/animadora
estatistico/estatistica madeireiro/madeireira canteiro/canteira digitador/digitadora
estucador/estucadora estudioso/estudiosa chefao/chefona gajo/gaja gurizao/gurizona
cirurgiao/cirurgioa tecelao/teceloa vovô/vovó monge/freira varredor/varredora campones/camponesa
arrumador/arrumadora -/poetisa sr/sra dr/dra prof/profa
"""

# Nouns in suffixes of agents or participles that name things.
THINGS = _set("""
fator valor motor terror horror computador cobertor elevador setor amor humor calor sabor odor
favor dinheiro banheiro salario horario cenario aniversario diario presente ambiente instante
acidente estado resultado lado mercado pecado cuidado significado sentido partido vestido periodo
ouvido pedido motivo objetivo publico transito recado ditado gado teclado telhado sabado feriado
namorico gelado assado ensopado refrigerante restaurante volante continente incidente oriente
ocidente dente mente gente corrente frente cheiro roteiro travesseiro chuveiro isqueiro tabuleiro
tempero janeiro fevereiro cabeleira carreira maneira fila geladeira madeira cadeira bandeira
poeira fronteira besteira brincadeira feira lareira fogueira beira verdade casa volta lugar passo
ponto lixo chao corpo peso braco dado tanto monte caminho destaque fundo topo mundo controle
comando trabalho emprego cargo mesa cama sala escola igreja loja rua agua comida festa vida hora
conta lista pista marca prova linha frase pergunta resposta ideia historia culpa raiva duvida
certeza vontade medo fome sede sono pressa saudade razao espera procura busca causa base dieta
moda greve ferias domingo interior exterior cima baixo fora dentro contra embora porta perto longe
atras tras alerta boca pe dia olho carro filme jogo texto curso barco voo aviao onibus telefone
modo cabelo sangue suor prazer tempo todo toda nada tudo rumo grau canto passeio cinema teatro
pesadelo sonho paraiso inferno nuvem uma um logo cerca companhia graca luz sombra conversa chamada
visita viagem chuva neve queda compra quanto tal isso isto aquilo algo agora hoje ontem amanha
daqui dali sobra ajuda para era outra outro demais cada bordo beleza alegria tristeza paz jeito
sucesso foto zero acordo desacordo contato acima abaixo adiante diante apesar menos exceto salvo
armario livro quarto banho pulso toa vista mato junto junta tipo verde rosa laranja cinza
""")

# --- Adjectives ---------------------------------------------------------------------------------

# Adjectives and participles said of people, masculine form; feminine forms are derived.
HUMAN_ADJECTIVES = _set("""
preparado decidido pronto fraco equilibrado aborrecido sensato insensato
sortudo amistoso beijado despreocupado despreparado desapegado
arrepiado tremulo palido corado enamorado envaidecido revigorado renovado farto
cansado exausto nervoso preocupado apaixonado bebado embriagado zangado furioso orgulhoso ansioso
irritado chateado assustado envergonhado decepcionado desapontado frustrado entediado animado
empolgado entusiasmado excitado curioso confuso ciumento invejoso teimoso timido corajoso medroso
preguicoso ambicioso carinhoso afetuoso amoroso generoso bondoso atencioso cuidadoso ganancioso
vaidoso religioso supersticioso talentoso estudioso desconfiado magro gordo gordinho baixinho
magrinho loiro moreno ruivo casado solteiro divorciado separado noivo viuvo gravido adotado orfao
aposentado desempregado empregado ocupado atarefado doentio enjoado tonto ferido machucado
desmaiado morto ferrado falido endividado rico bilionario milionario educado calmo relaxado
descansado sossegado quieto calado falador extrovertido introvertido simpatico antipatico
engracado honesto sincero desonesto mentiroso dedicado esforcado aplicado trabalhador determinado
motivado indeciso inseguro convencido metido agradecido grato ingrato comprometido empenhado
disposto qualificado capacitado habilidoso ingenuo esperto astuto sabio estupido burro bobo tolo
louco maluco doido insano obcecado viciado fascinado encantado impressionado surpreso surpreendido
chocado aterrorizado apavorado horrorizado traumatizado deprimido estressado esgotado
sobrecarregado abalado arrasado devastado desesperado desolado solitario sozinho magoado ofendido
humilhado insultado traido abandonado rejeitado ignorado julgado amado odiado respeitado admirado
valorizado apreciado querido protegido culpado arrependido perdoado desorganizado bagunceiro
desastrado atrapalhado distraido atento concentrado focado acordado adormecido sentado deitado
ajoelhado vestido pelado nu despido descalco bronzeado maquiado arrumado penteado atraido
interessado desinteressado envolvido acostumado habituado inclinado tentado forcado obrigado
pressionado autorizado convidado demitido contratado promovido despedido selecionado eleito
nomeado indicado reprovado formado graduado treinado nascido mimado acanhado retraido reservado
controlador mandao briguento encrenqueiro agressivo passivo impulsivo compulsivo possessivo
emotivo criativo intuitivo competitivo comunicativo cooperativo assertivo reflexivo pensativo
romantico sonhador metodico cetico ironico sarcastico cinico autocritico carismatico melodramatico
histerico energico apatico melancolico nostalgico psicotico neurotico paranoico alcoolico
diabetico asmatico alergico vegano vegetariano brasileiro portugues frances ingles americano
italiano alemao espanhol estrangeiro cristao catolico judeu ateu agnostico muculmano conservador
cuidador sedutor encantador acolhedor protetor provocador sucedido realizado satisfeito
insatisfeito aliviado comovido emocionado sensibilizado empatico compreensivo prestativo solidario
voluntario amigo inimigo imaturo crescido idoso adulto velhinho mocinho lindo musculoso atletico
sedentario desajeitado refinado culto inculto erudito instruido informado atualizado antenado
hipnotizado paralisado petrificado incomodado perturbado atormentado ameacado intimidado
perseguido observado vigiado preso detido condenado acusado processado multado roubado assaltado
atacado atropelado sequestrado espancado violentado assediado abusado enganado iludido manipulado
influenciado encorajado incentivado apoiado compreendido incompreendido humorado estourado bravo
irado enfurecido enraivecido rancoroso vingativo amargurado ressentido enciumado inquieto
hiperativo obstinado sortudo azarado abencoado privilegiado rabugento resmungao chorao brincalhao
comilao guloso faminto sedento saciado empanturrado resfriado gripado infectado vacinado curado
recuperado hospitalizado internado operado cego surdo mudo manco aleijado apressado caprichoso
meticuloso minucioso cauteloso precavido ousado destemido audacioso aventureiro heroico vitorioso
derrotado invicto esquecido desmemoriado desatento observador questionador fofoqueiro intrometido
bisbilhoteiro discreto indiscreto tarado safado promiscuo mulherengo tatuado barbudo cabeludo
sardento vesgo mascarado fantasiado desarmado fardado uniformizado apto inapto incapacitado
cativado deslumbrado maravilhado extasiado euforico chateadissimo desanimado desmotivado
desiludido desencorajado abatido aflito angustiado apreensivo receoso temeroso grosseiro maldoso
malvado perverso sadico impiedoso piedoso misericordioso caridoso abnegado devoto batizado
comportado malcomportado indisciplinado disciplinado revoltado indignado inconformado conformado
resignado adaptado integrado excluido marginalizado discriminado oprimido subestimado
superestimado desvalorizado desprezado ridicularizado zombado criticado elogiado parabenizado
premiado recompensado remunerado subjugado dominado dominador submisso subordinado superprotetor
autoritario emancipado empoderado politizado engajado caseiro festeiro baladeiro viajado namorador
galanteador cavalheiro feminino masculino efeminado afeminado depilado barbeado perfumado esbelto
esguio corpulento robusto franzino raquitico desnutrido subnutrido obeso anorexico bulimico
depressivo dislexico gago fanho suado encharcado ensopado despenteado desarrumado desleixado
relaxadao enrolado encrencado sedado anestesiado drogado chapado entorpecido sobrio lucido
alucinado destinado predestinado fadado condicionado acomodado hospedado alojado encarregado
incumbido lisonjeado honrado desonrado vindo expulso absorto aceito notado reconhecido considerado
rotulado subornado torturado mordido picado arranhado afogado engasgado sufocado desidratado
intoxicado envenenado baleado esfaqueado contrariado repreendido punido castigado desafiado
""")

# Adjectives said of things as often as of people; they count after a first person only.
OTHER_ADJECTIVES = _set("""
perdido alto baixo famoso conhecido tranquilo divertido chato serio decidido seguro modesto
preparado organizado escolhido aprovado criado estragado produtivo ativo atrativo pratico
logico analitico critico autentico dramatico dinamico inspirador tocado maduro gostoso fofo bonito
feio sofisticado congelado explorado usado inspirado ouvido explosivo agitado atrasado adiantado
rigoroso armado tenso isolado pago rouco molhado largado quebrado liso instalado designado
suspenso imerso submerso visto chamado queimado perigoso caro frio limpo sujo escuro claro fechado
aberto cheio vazio lotado novo velho certo errado estranho necessario obvio barato maravilhoso
fantastico horroroso ridiculo pequeno pequenino grandioso poderoso morno duro rapido lento
profundo raso raro unico primeiro ultimo segundo terceiro proprio mesmo verdadeiro falso perfeito
imperfeito otimo pessimo completo incompleto inteiro exposto oculto escondido solto ligado
desligado conectado desconectado rasgado seco cercado rodeado coberto descoberto rigido
desnecessario valioso precioso misterioso curto longo comprido largo estreito grosso fino
magnifico esplendido medonho assustador intimidador ameacador pesado louvado digno indigno
merecedor farto sujeito proximo contrario oposto antigo moderno publico privado artistico
cientifico economico politico basico nato puro impuro limitado ilimitado incluido
extraordinario virtuoso milagroso glorioso vergonhoso desastroso harmonioso talhado moldado feito
dito posto composto interposto cotado liquidado sacudido ilustrado diplomado certificado
licenciado credenciado afiliado filiado associado vinculado ancorado lancado colocado jogado
deixado levado trazido mantido movido empurrado puxado impulsionado arrastado parado estacionado
vivo sao sadio
""")

# Participles whose ending does not show it; after "ser" they make a passive.
IRREGULAR_PARTICIPLES = _set("""
feito dito posto visto eleito aceito pago preso morto expulso suspenso solto ganho gasto escrito
aberto coberto descoberto disposto composto exposto imposto pego salvo
""")

# No gender in the ending, though it looks like one.
EPICENE_ADJECTIVES = _set("""
egoista otimista pessimista perfeccionista realista idealista feminista machista careca tagarela
sexy hipocrita bacana idiota suicida nerd gay masoquista altruista careta materialista minimalista
budista racista detalhista autista mente cosmopolita patriota autodidata pateta palerma sacana
caipira simples melhor pior maior menor superior inferior anterior posterior exterior interior
""")

# Words in -e that would be inclusive forms of listed words, but are ordinary words.
NOT_INCLUSIVE = _set("""
morte mude cegue serve indie critique aceite prime cale nove vive longe suspense base note cure
dome pratique publique musique
""")

# Irregular pairs.
ADJECTIVE_PAIRS = """
bom/boa mau/má nu/nua cru/crua são/sã europeu/europeia ateu/ateia judeu/judia mandao/mandona
chorao/chorona brincalhao/brincalhona comilao/comilona resmungao/resmungona orfao/orfa
cristao/crista alemao/alema espanhol/espanhola portugues/portuguesa frances/francesa ingles/inglesa
chines/chinesa japones/japonesa valentao/valentona bonitao/bonitona grandao/grandona
solteirao/solteirona chines/chinesa plebeu/plebeia burgues/burguesa escoces/escocesa
irlandes/irlandesa holandes/holandesa
"""

# Adjectives that stand before a noun: the noun decides ("boa pessoa", "bom ouvinte").
PRENOMINAL = _set("""
bom boa mau ma grande novo nova velho velha unico unica primeiro primeira ultimo ultima proprio
propria verdadeiro verdadeira otimo otima pessimo pessima excelente melhor pior pequeno pequena
jovem simples pobre antigo antiga futuro futura mero mera maior menor famoso famosa lindo linda
bela belo segundo segunda terceiro terceira eterno eterna fiel digno digna autentico autentica
certo certa ex
""")

# Fronted words that are interjections or parts of conjunctions.
NOT_FRONTED = _set("""
certo claro serio pronto dado visto devido obrigado obrigada combinado perfeito otimo posto
primeiro segundo primeira segunda ultimo ultima novo nova outro proximo proxima mesmo mesma
legal bom boa suposto querido querida amigo amiga desculpado antigo certa ligado feito dito
""")

# --- Languages ----------------------------------------------------------------------------------

PORTUGUESE_WORDS = _set("""
eu nao um uma em com meu minha meus minhas do dos na nas ou mas muito muita sou estou foi fui voce
ele ela eles elas isso isto aquilo mais quando porque tambem ja ate seu sua pelo pela pelos pelas
ao aos à às é são está tenho vou fazer ser estar sem mim comigo num numa depois sempre nunca
obrigado obrigada tao bem ainda agora hoje ontem mulher homem trabalho gosto minha nos nós
estava senti sinto fiquei fico filho filha meio quem onde
sozinho sozinha mesmo mesma então só lá há você pois tudo nada não também até já tão mãe irmã
""")
FOREIGN_WORDS = _set("""
yo el una muy y pero con soy estoy mi mis en del ella ellos hay fue cuando tambien
siempre hombre mujer hacer tengo estaba siento porqué más hizo ese eso esto usted hoy ayer
donde sin ni su sus nosotros trabajo gusta quiero mío the i am was is and my of it not have has
had you he she they we at for with that this were been but so very i'm feel because when an by on
in from are did je suis et le des une est pas dans moi avec pour qui tres très mon fatigué
fatiguée che il di io ho questo stato stata molto anche perche perché gli della nel ich bin
der die ein eine und nicht war sehr mein ist zu jo amb soc sóc estic molt els meva perquè però
unha non son dunha dun jsem som bych byla byl jestem nie się była był jest nisam sam bila bio ik
ben een het niet sunt și foarte
""")

OWN_WORDS = PORTUGUESE_WORDS

# Spellings of chats: {spelling: word}.
CHAT: Mapping[str, str] = dict(
    pair.split("/")
    for pair in """
mto/muito mt/muito mui/muito mta/muita mts/muitos mtos/muitos mtas/muitas tbm/também tb/também
tmb/também tbem/também n/não ñ/não nao/não naum/não q/que qe/que vc/você vcs/vocês hj/hoje td/tudo
eh/é soh/só aki/aqui dps/depois qdo/quando qnd/quando qd/quando cmg/comigo estoi/estou estô/estou
fikei/fiquei fiko/fico msm/mesmo dms/demais agr/agora to/tô
""".split()
)

# --- Words the reader asks for by themselves ----------------------------------------------------

EPICENE_ENDINGS = "ezlrms"  # feliz, forte, capaz
SMALL = "pequen"
MAKE = "fazer"
SEEING = "ver"
LEAVING: tuple[str, ...] = ("deix", "encontr")
ONE = _set("um uma")
OR = _set("ou")
WHOLLY = _set("todo toda nada")
SO = _set("tao quao")
IMPERSONAL = _set("ser")
GERUNDS: tuple[str, ...] = ("ando", "endo", "indo")
INTO = _set("em")
SUPERLATIVE = _set("mais menos unico unica")
NOT_ARTICLES = _set("todo toda todos todas certo certa cada")
LIKE_NOUNS = _set("mesmo mesma melhor pior unico unica")
THOSE = _set("aquele aquela")
AMONG = _set("dos das de")
ARTICLES = _set("um uma o a ume umx")
ELIDED = _set("")
MINE = _set("meu minha meus minhas")
ABBREVIATIONS = _set("sr sra dr dra prof profa")
# Listed participles that name something done to the speaker.
ACTS = IRREGULAR_PARTICIPLES | _set("""
contratado promovido demitido convidado escolhido adotado roubado assaltado atacado selecionado
abandonado rejeitado ignorado traido enganado ameacado perseguido detido condenado acusado
""")
BECOMING_NOUNS = _set("virar")
LIKENING = _set("")
PLURAL_SAYING = _set("")
ME_IN = _set("")
MAKING = _set("deixar fazer manter tornar")
JUDGING = _set("considerar achar ver julgar")
FUTURE_SUBJUNCTIVE = _set("for estiver")
NOT_AFTER_SELF = _set("assim que se quando com sem depois em sendo estando")
SUBJUNCTIVES = _set("""
seja fosse esteja estivesse pareça pareca parecesse fique ficasse permaneça permaneca continue
continuasse siga sinta sentisse ande andasse viva acabe termine chegue volte vire torne
""")
SAME_SUBJECT = _set("vez menos medida")
POSTS = _set("emprego trabalho carreira vida papel experiencia trabalhar atuar")
NOT_BEFORE_AS = _set("tao tanto assim o")
SEXES = _set("mulher homem")

TAGGED: tuple[tuple[frozenset[str], int], ...] = (
    (_set("eu"), lex.EU),
    (_set("me"), lex.ME | lex.CLITIC),
    (_set("mim comigo"), lex.TO_ME),
    (OTHER_PRONOUNS, lex.OTHER),
    (MASCULINE_DETERMINERS | FEMININE_DETERMINERS, lex.DETERMINER),
    (OTHER_DETERMINERS, lex.DETERMINER),
    (PREPOSITIONS, lex.PREPOSITION),
    (SUBORDINATORS, lex.SUBORDINATOR),
    (COORDINATORS, lex.COORDINATOR),
    (ADVERBS, lex.ADVERB),
    (OTHER_VERBS, lex.OTHER_VERB),
    (SAYING_VERBS, lex.SAYING),
    (OR, lex.OR),
    (_set("como"), lex.COMO),
    (_set("quando desde"), lex.WHEN),
    (_set("mesmo mesma proprio propria mesme"), lex.SELF),
    (_set("obrigado obrigada obrigade obrigadx agradecido"), lex.OBRIGADO),
    (_set("sozinho sozinha sozinhe sozinhx"), lex.SOZINHO),
    (_set("te se lhe nos lhes lo la los las o a"), lex.CLITIC),
    (TIME_NOUNS, lex.TIME),
    (OTHER_PEOPLE, lex.PEOPLE),
)
BY_ACCENT: Mapping[str, int] = {
    "é": lex.OTHER_VERB, "dá": lex.OTHER_VERB, "pára": lex.OTHER_VERB, "à": lex.PREPOSITION,
    "às": lex.PREPOSITION, "nós": lex.OTHER, "lá": lex.ADVERB, "pôr": lex.KNOWN,
}  # fmt: skip
