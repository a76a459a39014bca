"""Spanish nouns for people and adjectives said of them, read by :mod:`monitor.languages.es`.

Written without accents, in the masculine; feminine forms are derived where no pair is given.
"""

from monitor.languages._romance_tags import folded as _set

# The gender of these says nothing about the person; neither do the adjectives that go with them.
FIXED_NOUNS = _set("""
persona victima criatura genio bebe individuo ejemplo estrella angel miembro idolo monstruo
gente figura alma celebridad presa blanco sujeto especie mezcla parte personaje talento exito
fracaso desastre problema libro robot misterio caso lio animal familia fiera maquina leyenda
inspiracion potencia presencia compañia influencia prioridad autoridad personalidad ejemplar pilar
fuente fuerza bicho leon perro gato gata rata oveja zorra lobo oso mono pajaro mariposa esponja
roca iman carga peso estorbo pez flor mente cabeza mano voz cara rostro cuerpo corazon espiritu
modo manera cosa tesoro secreto grupo equipo pareja amor desgracia verguenza orgullo decepcion
excepcion amenaza prueba cerdo burro vaca gallina serpiente sombra extremo
molestia perla joya ayuda sorpresa lumbrera eminencia rehen encanto sol cielo cabeza
""")

# One form for both genders: the article or an attribute tells.
COMMON_NOUNS = _set("""
soprano tenor baritono contable lider gerente estudiante colega amante fan joven adolescente policia
modelo guia guardia asistente agente paciente representante superviviente oyente docente dirigente
integrante inmigrante testigo viajante principiante aspirante atleta poeta profeta idiota cineasta
pediatra psiquiatra acrobata burocrata diplomata democrata aristocrata camarada terapeuta
fisioterapeuta psicoterapeuta interprete hereje rebelde cobarde martir complice profesional
intelectual militar oficial general industrial soldado piloto sargento cabo teniente comandante
ayudante salvaje creyente nerd hippie freelance manager coach suicida hipocrita autodidacta homicida
patriota entusiasta virgen gigante contribuyente rival visitante participante concursante residente
pariente descendiente asaltante habitante gestante debutante titular consul reporter portavoz
conyuge cantante comediante comerciante fabricante vigilante protagonista militante nomada canguro
chef sumiller forense detective conserje recluta albañil profesional capataz colono menor mayor
votante hablante amante negociante informante delincuente ocupante remitente vidente bachiller dj
guru pirata astronauta cosmonauta gay bisexual heterosexual homosexual hincha barman croupier
influencer youtuber gamer hacker freelancer auxiliar jinete practicante edil fiscal canciller
""")

# Masculine and feminine forms of what people are: occupations, kin, states of life. A hyphen
# stands for a masculine that is not read because it serves both (poeta).
ROLE_PAIRS = """
hombre/mujer tipo/tipa padre/madre papa/mama marido/mujer marido/esposa yerno/nuera actor/actriz
emperador/emperatriz rey/reina principe/princesa duque/duquesa conde/condesa baron/baronesa
heroe/heroina alcalde/alcaldesa abad/abadesa sacerdote/sacerdotisa monje/monja fraile/monja
caballero/dama padrino/madrina padrastro/madrastra varon/hembra jefe/jefa presidente/presidenta
cliente/clienta dependiente/dependienta sirviente/sirvienta infante/infanta
gobernante/gobernanta -/institutriz -/poetisa -/comadrona matron/matrona -/ama -/azafata
tigre/tigresa dios/diosa bailarin/bailarina campeon/campeona anfitrion/anfitriona patron/patrona
peon/peona capitan/capitana guardian/guardiana aleman/alemana ladron/ladrona juez/jueza
concejal/concejala aprendiz/aprendiza huesped/huespeda
cirujano/cirujana gallego/gallega ingles/inglesa frances/francesa danes/danesa nene/nena
crio/cria chaval/chavala zagal/zagala mozo/moza don/doña lesbiano/lesbiana
 sr/sra dr/dra tio/tia hermanastro/hermanastra mayordomo/gobernanta
español/española andaluz/andaluza rapaz/rapaza colegial/colegiala cantaor/cantaora payes/payesa
burgues/burguesa marques/marquesa feligres/feligresa varon/mujer solteron/solterona
"""
ROLE_MASCULINES = _set("""
enfermero profesor maestro medico doctor ingeniero abogado cocinero carpintero peluquero soldador
secretario director autor escritor pintor compositor musico fotografo arquitecto contador
panadero banquero barbero constructor carnicero basurero limpiador empleado funcionario
trabajador obrero operario operador agricultor granjero pescador jardinero bibliotecario mecanico
partero ministro senador diputado gobernador farmaceutico boticario filosofo psicologo sociologo
fontanero plomero bombero politico pastor prisionero programador investigador marinero
vendedor supervisor coordinador administrador costurero tecnico traductor veterinario
camarero mesero guerrero alumno entrenador consejero orientador consultor editor productor
presentador locutor inspector auditor becario empresario emprendedor fundador dueño propietario
socio compañero amigo novio esposo niño chico muchacho señor señorito hijo hermano abuelo primo
sobrino nieto suegro cuñado viudo hijastro brujo hechicero santo embajador jugador nadador corredor
luchador boxeador arbitro seguidor ganador vencedor perdedor portero cuidador educador pedagogo
instructor tutor mentor rector decano academico matematico fisico quimico biologo geologo
historiador arqueologo antropologo astronomo bioquimico inventor explorador aventurero minero
herrero zapatero camionero cartero lechero maquillador ginecologo cardiologo oncologo radiologo
 paramedico prostituto asesino bandido mafioso detenido presidiario
refugiado comisario cajero corredor subastador procurador defensor notario magistrado elector
ciudadano extranjero vecino invitado convidado escultor ilustrador diseñador decorador escenografo
coreografo critico redactor revisor lector multimillonario millonario heredero mendigo esclavo
siervo criado candidato novato veterano universitario doctorando licenciado graduado bebedor
fumador soñador pensador leñador cazador domador creador enemigo adversario aliado discipulo
catolico cristiano judio ateo adulto anciano voluntario benefactor
protector salvador mensajero repartidor pasajero peregrino gitano indio mediador negociador
comprador inversor gestor ejecutivo controlador desarrollador topografo cartografo geografo
biografo metalurgico estibador montador molinero tejedor lavandero planchador vaquero joyero
relojero conductor tapicero techador mecanografo agrimensor herramentero animador estadistico
barrendero labrador campesino ganadero hortelano librero
tendero verdulero frutero pescadero pastelero repostero chocolatero cervecero tabernero posadero
hostelero niñero astrologo podologo dermatologo neurologo urologo
odontologo zoologo botanico ecologo meteorologo teologo cajero banderillero
torero futbolero portador narrador orador predicador rescatador restaurador cobrador
recaudador interventor asesor evaluador examinador formador monitor animador aviador
 interno externo pensionado jubilado desempleado
 huerfano gemelo mellizo primogenito solterito hermanito chiquillo muchachito viejecito
abuelito amiguito pequeñito monaguillo misionero templario escudero mosquetero
pistolero carcelero cerrajero calderero tornero fresador
instalador celador psicopedagogo sexologo tio
emigrado exiliado divorciado acreedor deudor amo
delegado abanderado encargado subdirector exdirector
""")

# Nouns in suffixes of agents or participles that name things.
THINGS = _set("""
factor valor motor terror horror ordenador ascensor elevador sector amor humor calor sabor olor
favor dinero salario horario escenario aniversario diario presente ambiente instante accidente
estado resultado lado mercado pecado cuidado significado sentido partido vestido periodo oido
pedido motivo objetivo publico transito recado dictado ganado teclado tejado sabado feriado helado
asado refrigerante restaurante volante continente incidente oriente occidente diente mente gente
corriente frente enero febrero carrera manera fila nevera madera cadera bandera frontera tarea
hoguera orilla verdad casa vuelta lugar paso punto suelo cuerpo peso brazo dado tanto monte
camino fondo mundo control mando trabajo empleo cargo mesa cama sala escuela iglesia tienda calle
agua comida fiesta vida hora cuenta lista pista marca prueba linea frase pregunta respuesta idea
historia culpa rabia duda certeza gana miedo hambre sed sueño prisa salud razon espera busca causa
base dieta moda huelga vacaciones domingo interior exterior arriba abajo fuera dentro contra
puerta cerca lejos atras detras alerta boca pie dia ojo coche carro pelicula juego texto curso
barco vuelo avion autobus telefono pelo sangre sudor placer tiempo todo toda nada rumbo grado
canto paseo cine teatro pesadilla paraiso infierno nube uno una gracia luz sombra charla llamada
visita viaje lluvia nieve caida compra cuanto tal esto eso aquello algo ahora hoy ayer mañana
aqui ahi alli ayuda para era otra otro demas cada bordo belleza alegria tristeza paz foto cero
acuerdo desacuerdo contacto adelante menos salvo armario cuarto baño pulso vista tipo color naranja
gris mitad noche tarde semana oficina ciudad pueblo playa campo cocina jardin hospital centro
derecha izquierda lado serie ropa zapato camisa falda verano otoño invierno primavera estilo nombre
manos silencio secreto equipo grupo cambio ojala medio media traves huelga medida ida subida
bebida salida entrada llegada mirada jornada temporada parada carta obra punta mal bien poco mucho
demasiado bastante poca mucha pena falta cabo broma manada cabeza cara rostro aire bolsillo
techo pecho libro vaso plato taza botella ventana mar rio montaña desierto bosque isla
""")

# Adjectives and participles said of people.
HUMAN_ADJECTIVES = _set("""
cansado exhausto agotado nervioso preocupado enamorado apasionado borracho ebrio bebido furioso
orgulloso ansioso irritado enfadado enojado molesto asustado avergonzado decepcionado defraudado
desilusionado frustrado aburrido animado emocionado entusiasmado excitado curioso confuso confundido
celoso envidioso testarudo terco tozudo timido valeroso miedoso temeroso perezoso vago
ambicioso cariñoso afectuoso amoroso generoso bondadoso atento cuidadoso codicioso tacaño avaro
vanidoso religioso supersticioso talentoso estudioso desconfiado delgado gordo gordito flaco
rubio moreno pelirrojo casado soltero divorciado separado prometido comprometido viudo embarazado
adoptado huerfano jubilado retirado desempleado empleado ocupado atareado enfermo enfermizo mareado
herido lesionado desmayado muerto arruinado endeudado rico millonario educado maleducado calmado
relajado descansado sosegado quieto callado hablador charlatan parlanchin extrovertido
introvertido simpatico antipatico gracioso honesto sincero deshonesto mentiroso franco
esforzado aplicado trabajador determinado motivado indeciso inseguro convencido engreido
agradecido desagradecido ingrato empeñado dispuesto cualificado capacitado habilidoso ingenuo listo
astuto sabio estupido tonto bobo loco chiflado chalado maniatico obsesionado adicto fascinado
encantado impresionado sorprendido conmocionado aterrorizado aterrado horrorizado espantado
traumatizado deprimido estresado agobiado abrumado sobrecargado afectado destrozado
devastado desesperado desolado solitario solo ofendido humillado insultado traicionado abandonado
rechazado ignorado juzgado amado querido odiado respetado admirado valorado apreciado protegido
arrepentido perdonado desorganizado despistado distraido concentrado despierto dormido
adormecido sentado acostado tumbado arrodillado vestido desnudo descalzo bronceado maquillado
peinado atraido interesado desinteresado involucrado implicado acostumbrado habituado tentado
forzado obligado presionado autorizado invitado contratado ascendido promovido despedido
seleccionado elegido electo nombrado formado graduado entrenado nacido criado mimado
guason fanfarron bravucon tontorron santurron socarron zumbon bobalicon gordinflon grandullon
chillon griton copion empollon miron temblon falton sesenton setenton ochenton noventon truhan
patan musulman pequeñin retraido reservado mandon peleon agresivo pasivo impulsivo compulsivo
posesivo emotivo
creativo intuitivo competitivo comunicativo cooperativo asertivo reflexivo pensativo romantico
soñador metodico esceptico ironico sarcastico cinico autocritico carismatico melodramatico
dramatico histerico energico apatico melancolico nostalgico psicotico neurotico paranoico alcoholico
diabetico asmatico alergico vegano vegetariano brasileño portugues frances ingles americano
italiano aleman español extranjero cristiano catolico judio ateo agnostico musulman conservador
cuidador seductor encantador acogedor protector provocador satisfecho insatisfecho aliviado
conmovido sensibilizado empatico comprensivo solidario voluntario amigo enemigo inmaduro
crecido adulto viejito guapo hermoso musculoso atletico sedentario desgarbado refinado culto
inculto erudito instruido informado actualizado hipnotizado paralizado petrificado incomodo
perturbado atormentado amenazado intimidado perseguido observado vigilado preso detenido condenado
acusado procesado multado robado atracado asaltado atacado atropellado secuestrado golpeado
violado acosado abusado engañado manipulado influenciado influido animado apoyado comprendido
incomprendido humorado bravo enfurecido rencoroso vengativo amargado resentido inquieto hiperactivo
obstinado afortunado desafortunado desdichado bendecido privilegiado gruñon lloron
comilon gloton hambriento sediento saciado resfriado acatarrado infectado vacunado curado
recuperado hospitalizado ingresado operado ciego sordo mudo cojo apresurado caprichoso meticuloso
minucioso cauteloso precavido osado intrepido aventurero heroico victorioso derrotado invicto
olvidadizo observador chismoso entrometido discreto indiscreto promiscuo mujeriego tatuado
barbudo pecoso enmascarado disfrazado desarmado uniformado apto inepto incapacitado cautivado
deslumbrado maravillado extasiado euforico desanimado desmotivado desalentado abatido afligido
angustiado aprensivo receloso grosero malvado perverso sadico despiadado piadoso misericordioso
caritativo abnegado devoto bautizado indisciplinado disciplinado rebelado indignado conformado
resignado adaptado integrado excluido marginado discriminado oprimido subestimado sobreestimado
infravalorado despreciado ridiculizado criticado elogiado felicitado premiado recompensado
dominado dominador sumiso sobreprotector autoritario emancipado empoderado casero fiestero viajero
masculino femenino afeminado depilado afeitado perfumado esbelto corpulento robusto raquitico
desnutrido obeso anorexico bulimico depresivo dislexico tartamudo sudado empapado despeinado
desaliñado liado sedado anestesiado drogado colocado sobrio lucido alucinado destinado
predestinado acomodado alojado encargado halagado honrado deshonrado expulsado absorto aceptado
considerado etiquetado torturado mordido picado arañado ahogado asfixiado deshidratado intoxicado
envenenado apuñalado contrariado regañado castigado desafiado avergonzado sonrojado ruborizado
tranquilo pequeño pequeñito bajito gordito flaquito delgadito calladito solito contento descontento
harto mayorcito pillo travieso payaso patoso perdido famelico inspirado
despreocupado desapegado decidido hundido dolido lastimado malherido feo bello precioso
majo amistoso coqueto presumido vanidoso hipocondriaco maniaco culto lanzado espabilado
avispado vivaracho energetico dinamico polifacetico ordenado desordenado organizado
dedicado entregado implicado empoderado escandalizado asqueado repugnado hastiado fastidiado
cabreado mosqueado alterado agitado estremecido tembloroso palido sudoroso afonico ronco moribundo
invalido minusvalido discapacitado sano curtido experimentado preparado formado entrenado novato
nombrado designado destituido recordado olvidado reconocido escuchado entendido mirado
extrañado desconcertado atonito estupefacto boquiabierto patidifuso anonadado pasmado
alarmado sobresaltado desesperanzado esperanzado ilusionado entristecido apenado
compungido afectado contrito desmoralizado compasivo bondadoso dadivoso
desprendido austero ahorrador derrochador gastador malgastador adelgazado engordado
invencido temido envidiado deseado esperado adorado idolatrado venerado repudiado expatriado
exiliado refugiado deportado desterrado encarcelado encerrado liberado absuelto indultado
arrestado interrogado fichado investigado denunciado demandado sancionado jodido
 fastidiado cachondo cansadisimo contentisimo nerviosisimo
exitoso estricto orgullosisimo preocupadisimo guapisimo listisimo
""")

# Adjectives said of things as often as of people; they count after a first person only.
OTHER_ADJECTIVES = _set("""
alto bajo famoso conocido divertido serio seguro modesto escogido aprobado productivo activo
atractivo practico logico analitico critico autentico tocado maduro sofisticado congelado usado
oido explosivo atrasado retrasado adelantado riguroso armado tenso aislado pagado suelto quebrado
liso instalado suspenso inmerso visto llamado quemado peligroso caro limpio sucio oscuro claro
cerrado abierto lleno vacio nuevo viejo cierto extraño raro necesario obvio barato maravilloso
fantastico horroroso ridiculo grandioso poderoso duro rapido lento profundo unico primero ultimo
segundo tercero propio mismo verdadero falso perfecto imperfecto optimo pesimo completo incompleto
entero expuesto oculto escondido ligado conectado desconectado seco rodeado cubierto rigido
innecesario valioso misterioso corto largo ancho estrecho grueso fino magnifico esplendido
intimidador pesado digno indigno merecedor sujeto proximo contrario opuesto antiguo moderno publico
privado artistico cientifico economico politico basico nato puro limitado ilimitado incluido
extraordinario virtuoso milagroso glorioso vergonzoso desastroso armonioso hecho dicho puesto
compuesto impuesto diplomado certificado licenciado acreditado afiliado asociado vinculado lanzado
llevado traido mantenido movido empujado parado vivo santo ruidoso
correcto incorrecto exacto directo directivo inmediato concreto justo injusto bonito lindo roto rojo
blanco negro agudo complicado sencillo tonificado cualificado arriesgado
equivocado acertado distinto tardio temprano guardado nominado recto derecho sospechoso
centrado enfocado orientado dirigido criticon notado enseñado basado interno externo
directo abierto equilibrado satisfactorio sensato insensato sombrio
""")

# Participles whose ending does not show it; after "ser" they make a passive.
IRREGULAR_PARTICIPLES = _set("""
hecho dicho puesto visto electo escrito abierto cubierto descubierto dispuesto compuesto expuesto
impuesto vuelto devuelto muerto roto resuelto absuelto envuelto inscrito descrito frito impreso
""")

# No gender in the ending, though it looks like one.
EPICENE_ADJECTIVES = _set("""
egoista optimista pesimista perfeccionista realista idealista feminista machista hipocrita idiota
suicida gay masoquista altruista materialista minimalista budista racista detallista autista
cosmopolita patriota autodidacta simple mejor peor mayor menor superior inferior anterior posterior
exterior interior quejica cotilla bromista capaz incapaz feliz infeliz imbecil agil fragil joven
comun gris azul cortes descortes torpe alegre triste pobre humilde fuerte debil grande libre
""")

# Words in -e that would be inclusive forms of listed words, but are ordinary words.
NOT_INCLUSIVE = _set("""
muerte ocupe case critique publique practique mecanique base note cure norte prime quite
queme corte parte sobre conde padre madre hombre libre amante este ese bande calle
viste ate lleve toque vague sane tome nombre parate sente suelte llene cierre solde grave
fije sole prive guie santé active monte duque cree cabe cabe mime marque chinche bobine
""")

# Irregular pairs; shortened forms before a noun stand beside the full ones.
ADJECTIVE_PAIRS = """
bueno/buena buen/buena malo/mala primero/primera primer/primera tercero/tercera
tercer/tercera judio/judia ateo/atea europeo/europea feo/fea unico/unica jugueton/juguetona
lloron/llorona gruñon/gruñona dormilon/dormilona comilon/comilona cabezon/cabezona tragon/tragona
mandon/mandona burlon/burlona peleon/peleona regañon/regañona pregunton/preguntona tardon/tardona
gloton/glotona bonachon/bonachona simplon/simplona respondon/respondona besucon/besucona
fisgon/fisgona fortachon/fortachona guapeton/guapetona remolon/remolona
criticon/criticona cuarenton/cuarentona cincuenton/cincuentona
holgazan/holgazana haragan/haragana charlatan/charlatana parlanchin/parlanchina
chiquitin/chiquitina saltarin/saltarina cantarin/cantarina andarin/andarina pillin/pillina
catalan/catalana aleman/alemana
"""

# Adjectives that stand before a noun: the noun decides ("buena persona", "buen amigo").
PRENOMINAL = _set("""
bueno buena buen malo mala gran grande nuevo nueva viejo vieja unico unica primero primera primer
ultimo ultima propio propia verdadero verdadera optimo optima pesimo pesima excelente mejor peor
pequeño pequeña joven simple pobre antiguo antigua futuro futura mero mera maximo maxima mayor menor
famoso famosa segundo segunda tercero tercera tercer eterno eterna fiel digno digna autentico
autentica cierto cierta ex bello bella hermoso hermosa
""")

# Fronted words that are interjections or parts of conjunctions.
NOT_FRONTED = _set("""
cierto claro serio listo dado visto debido perfecto puesto primero segundo primera segunda ultimo
ultima nuevo nueva otro proximo proxima mismo misma bueno buena querido querida amigo amiga
antiguo cierta ligado hecho dicho encantado exacto correcto seguro señor señora hombre mujer
""")
