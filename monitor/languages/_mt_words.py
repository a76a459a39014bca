"""Maltese word lists read by :mod:`monitor.languages.mt`, as they are spelt in full.

After Borg and Azzopardi-Alexander, "Maltese", and Aquilina, "Maltese-English Dictionary".
"""

#: Masculine/feminine of adjectives and participles whose feminine no ending makes.
ADJECTIVES = """
serju/serja ċar/ċara falz/falza divers/diversa sigur/sigura brav/brava bravu/brava devot/devota
kalm/kalma kburi/kburija fidil/fidila ħanin/ħanina nieqes/nieqsa iebes/iebsa dritt/dritta
għaqli/għaqlija ċass/ċassa mħejji/mħejjija imħejji/imħejjija umoristiku/umoristika
għajjien/għajjiena marid/marida sabiħ/sabiħa kbir/kbira żgħir/żgħira twil/twila qasir/qasira
ġdid/ġdida qadim/qadima fqir/fqira għani/għanja tqil/tqila ħafif/ħafifa smin/smina irqiq/rqiqa
rqiq/rqiqa ħażin/ħażina tajjeb/tajba qawwi/qawwija dgħajjef/dgħajfa ħelu/ħelwa mimli/mimlija
lest/lesta żgur/żgura ċert/ċerta kuntent/kuntenta kwiet/kwieta attent/attenta konvint/konvinta
imdejjaq/imdejqa mdejjaq/mdejqa mistieden/mistiedna mistenni/mistennija sieket/siekta rieqed/rieqda
liebes/liebsa wieqaf/wieqfa miexi/miexja ħiereġ/ħierġa dieħel/dieħla nieżel/nieżla tiela'/tielgħa
sejjer/sejra qiegħed/qiegħda ġej/ġejja riesaq/riesqa mħawwad/mħawda imħawwad/imħawda mkisser/mkissra
imkisser/imkissra mgħaġġel/mgħaġġla imgħaġġel/imgħaġġla mħasseb/mħassba imħasseb/imħassba
imqareb/imqarba mqareb/mqarba mitħassar/mitħassra mdorri/mdorrija imdorri/imdorrija mweġġa'/mweġġgħa
imweġġa'/imweġġgħa mbeżża'/mbeżżgħa imbeżża'/imbeżżgħa ċkejken/ċkejkna għaref/għarfa bieżel/bieżla
għażżien/għażżiena nadif/nadifa maħmuġ/maħmuġa kiesaħ/kiesħa sħun/sħuna aħdar/ħadra iswed/sewda
abjad/bajda agħma/għamja trux/truxa mutu/muta ħieles/ħielsa ħaj/ħajja mejjet/mejta bierad/bierda
mgħarraf/mgħarrfa infurmat/infurmata mislut/misluta ġeddied/ġeddieda qarrieqi/qarrieqija
mignun/mignuna ferħan/ferħana ħerqan/ħerqana ġuħan/ġuħana bil-għatx/bil-għatxa dubjuż/dubjuża
rrabjat/rrabjata irrabjat/irrabjata ixxukkjat/ixxukkjata ssorprendut/ssorprenduta
determinat/determinata prim/prima uniku/unika solitarju/solitarja waħdieni/waħdanija mistħi/mistħija
mibdul/mibdula imsaħħan/imsaħħna mżewweġ/miżżewġa miżżewweġ/miżżewġa imtarraf/imtarrfa
għarwien/għarwiena għeri/għerja mgħannaq/mgħannqa mħallat/mħallta mfixkel/mfixkla imfixkel/imfixkla
mferraħ/mferrħa mqanqal/mqanqla imqanqal/imqanqla mħajjar/mħajra mħarreġ/mħarrġa imħarreġ/imħarrġa
mrobbi/mrobbija imrobbi/imrobbija mwieled/mwielda imwieled/imwielda mtella'/mtellgħa mdawwar/mdawra
imdawwar/imdawra mgħobbi/mgħobbija mħallas/mħallsa imħallas/imħallsa mħolli/mħollija
mitwieled/mitwielda ffissat/ffissata sodisfatt/sodisfatta perfett/perfetta dirett/diretta
onest/onesta ġust/ġusta inġust/inġusta modest/modesta robust/robusta tost/tosta trist/trista
stramb/stramba dipress/dipressa promoss/promossa kompromess/kompromessa oppress/oppressa
sikur/sikura matur/matura immatur/immatura sinċier/sinċiera fier/fiera sever/severa libru/libra
liberu/libera pur/pura dur/dura skur/skura sod/soda timidu/timida stupidu/stupida rikk/rikka
frisk/friska antik/antika suspettuż/suspettuża
"""
#: Nouns for persons.
NOUNS = """
raġel/mara missier/omm tifel/tifla ħu/oħt iben/bint nannu/nanna ziju/zija kuġin/kuġina
neputi/neputija armel/armla għarus/għarusa sultan/reġina prinċep/prinċipessa ħabib/ħabiba
sieħeb/sieħba ġar/ġara għalliem/għalliema tabib/tabiba kittieb/kittieba mexxej/mexxejja
student/studenta avukat/avukata kok/koka kantant/kantanta negozjant/negozjanta ballerin/ballerina
president/presidenta spiżjar/spiżjara furnar/furnara segretarju/segretarja malti/maltija
barrani/barranija għawdxi/għawdxija għaref/għarfa ħaddiem/ħaddiema bidwi/bidwija ġuvni/xebba
pazjent/pazjenta dilettant/dilettanta kommerċjant/kommerċjanta assistent/assistenta eroj/eroina
professur/professoressa dottor/dottoressa poeta/poetessa attur/attriċi
"""
#: Masculine/feminine endings that make adjectives and nouns for persons.
ENDINGS = """
at/ata it/ita ut/uta uż/uża iv/iva ien/iena ej/ejja arju/arja erju/erja orju/orja iku/ika ist/ista
ologu/ologa ografu/ografa ier/iera tur/triċi an/ana iż/iża ant/anta oż/oża inu/ina
"""
#: Words with one of these endings that are no such words.
NOT_FEMININE = """
ġurnata passiġġata parata data strata vita viżita partita dgħajsa mużika politika fabbrika loġika
prattika kritika tattika etika fiżika matematika repubblika karriera bandiera manjiera frontiera
barriera lista vista rivista intervista konkwista inizjattiva alternattiva perspettiva settimana
fontana kampana sottana fiduċja storja vittorja memorja teorija kategorija serata entrata faxxikla
medjana bolletta minuta valuta kaduta rotta skużata qtajta kejka ċina rutina mediċina dottrina
vetrina kċina marina magna sata fata rata dana kwalita kantina benzina
"""
NOT_MASCULINE = """
stat mandat kuntrat formaggat kandat żvilupp kredit limit spirtu profit debit benefiċċju kont tribut
istitut minut kostum attribut motiv archiv arkiv obbjettiv negattiv plan pjan dan din qabel korp
bniedem persuna lat bilat ħalat skat sat fit tlit żmien dawk mewt mument kan pan ċan żban għan xan
titjan uragan organ vulkan divan sultan kostanti diamant elefant ristorant quddiem mitqal mist test
list għarbiel wieħed ħin magħżin magazin inkariku lussu pubbliku traffiku topiku metru mariku bieb
ħajt wiċċ raj sodod futur kultur natur mentur motur fattur settur vettur
"""
#: Words that make the next adjective the speaker's.
COPULAS = """
jien jiena kont kontx inkun nkun inkunx nkunx sirt sirtx insir nsir bqajt bqajtx nibqa' nibqax
ħassejtni ħassejtnix inħossni nħossni inħossnix nħossnix nidher nidhirx dhert dehert noqgħod
noqgħodx qgħadt għadni għadnix m'iniex miniex m'inhix ġejt niġi ġejtx spiċċajt nispiċċa ninħass
nħass sibtni ninsab insibni nsibni dhertx nidherx
"""
ADVERBS = """
dejjem ħafna wisq tant iktar aktar ftit pjuttost qatt illum ilbieraħ daqsxejn hekk ferm kemm mhux
xorta diġà issa verament tassew spiss kultant xi xejn u ukoll anke anki biss qed sew iżjed anqas
inqas mhix wkoll daqshekk
"""
OWN = """
jien jiena li ta' tal tal- u ma mhux kont kien kienet għal għall minn mill fil fuq dejjem qatt biex
meta għax imma jekk dan din dik dak tiegħi tiegħu tagħha tagħna lil lill bil għandi kelli hemm huwa
hija aħna intom huma int inti ħafna kollox xi kif għaliex xejn kull ukoll wara qabel bejn mingħajr
bħala dwar iżda jew naf rrid nista' nixtieq qed se sa sabiex għandu kollha
"""
THEIRS = """
hu huwa hi hija int inti aħna intom huma kien kienet kienu missieri ommi ħija oħti binti ibni sieħbi
ħabibi
"""
