"""The Serbian reader: both scripts, a table per rule, traps, double forms, the option for nouns."""

import dataclasses

from monitor.languages.slavic.sr import LANGUAGE, to_latin
from monitor.model import Cue, GenderClass
from tests.cases import check_each
from tests.languages.classes import LETTERS

# letter, rule of a witness, text
RULES = """
M aux_participle Јуче сам плакао.
F aux_participle Плакала сам целу ноћ.
F aux_participle Никада то нисам приметила.
M aux_participle Волео бих да будем код куће.
F aux_participle Хтела бих више времена.
F aux_participle Када бих имала времена, дошла бих.
M aux_participle Отишао сам да му не бих сметао.
F aux_participle Доћи ћу ако будем могла.
M aux_participle Умро сам од смеха.
F aux_participle Умрла сам од смеха.
M aux_participle Појео сам супу.
M aux_participle Донео сам одлуку.
F aux_participle Донела сам одлуку.
M aux_participle Видео сам је јуче.
F aux_participle Гледала сам видео.
F aux_participle Слушала сам радио.
M aux_participle Радио сам цео дан.
F aux_participle Купила сам себи хаљину.
M aux_participle Све те књиге сам прочитао.
F aux_participle Мој муж је кувао, а ја сам чистила.
M aux_participle Лако бих те могао победити.
M aux_participle Svima sam dao bonus.
F aux_participle Uvek sam lepo stavljala odeću.
F aux_participle Mrzela sam taj posao.
M aux_participle Želeo sam da pomognem.
F aux_participle Živela sam u Beogradu.
M aux_participle Otišao sam na posao.
F aux_participle Kada sam ušla, zastala sam.
M aux_participle Oduvek sam bio osoba koja mnogo govori.
F aux_participle Верујем да сам се љутила.
M copula_adjective Уморан сам.
F copula_adjective Веома сам поносна на своју децу.
F copula_adjective Нисам довољно јака за то.
M copula_adjective Ја сам једноставно најбољи.
F copula_adjective Кажу да сам скромна.
M copula_adjective Трудим се да будем љубазан.
F copula_adjective Желим да будем лепа.
M copula_adjective Сигуран сам да долази.
F copula_adjective Свесна сам ризика.
M copula_adjective Спреман сам да помогнем.
F copula_adjective Боља сам од њих.
M copula_adjective Старији сам од брата.
F copula_adjective Преслаба сам за то.
M copula_adjective Окружен сам људима.
M copula_adjective Postajem nervozan.
F copula_adjective Rekli su da sam dobra i to me raduje.
M copula_adjective Biću srećan ako dođeš.
F copula_adjective Srećna sam što si tu.
M copula_adjective Весео сам.
M to_be_adjective Морам бити стрпљив.
F to_be_adjective Желим бити лепа.
M feel_instrumental Осећам се одговорним за то.
F feel_instrumental Сматрам се способном за тај посао.
M pro_adjective Такав сам.
F pro_adjective Ја сам та која доноси новац.
F self Идем кући сама.
M self Живим сам.
M self Mogu to da uradim sam.
M self Сам сам саградио кућу.
F self Волим да перем судове сама.
M self Nisam mogao sam da pomerim krevet.
M would_participle Пазим да их не би повредио.
F would_participle Ја би то купила.
"""

NONE = """
Волим да разговарам са људима.
Ја сам вођа.
Ја сам добар отац.
Добра сам мајка.
Ја сам веома љубазна особа.
Ја сам сјајан јавни говорник.
Ја сам миран, стрпљив отац.
Ја сам модел.
Осећам се срећно.
Осећам се као да лебдим.
Увек сам у праву.
Код куће сам.
Требала ми је помоћ.
Било ми је тешко.
Мој муж је плакао.
Моја мајка је била уморна.
Зашто си плакала?
Да ли би могла нешто да испечеш?
Требало би да научиш да куваш.
Мој отац би волео да дође.
Рекао је да долази.
Знам да је уморна.
Ми смо отишли.
Они су били уморни.
Ви сте рекли истину.
Драго ми је што је дошао.
Слушам радио.
Имам добар посао.
Гледам видео.
Ово је део посла.
Моја школа је велика.
Рекла је: „Уморан сам.“
Имам колегу који воли да буде окружен људима.
Сама помисао на то ме плаши.
Сваки дан сам код куће.
Ja sam žena.
Trebao bi da naučiš da kuvaš.
Da li si siguran?
Kao i uvek, kod kuće sam.
Ona je otišla, a ja ostajem.
"""

OTHERS = """
B Уморан/на сам.
B Umoran/na sam.
B Радио/ла сам цео дан.
I Уморан*на сам.
X Купио сам хаљину, али прво сам је опрала.
U
U I am tired and I have been working all day.
U Я не знаю, что это такое, и мне очень нравится работать.
F ПЛАКАЛА САМ ЦЕЛУ НОЋ.
F Plakala sam целу ноћ.
M Zeleo sam da zivim drugacije.
M Задовољан сам. Код куће сам.
"""

# The same sentence of a man and of a woman, in Cyrillic script.
MIRRORED = """
Ја сам им је [дао|дала].
Нисам ти је [дао|дала].
Нисам те [видео|видела].
Јесам ли те [повредио|повредила]?
Да ли сам те [повредио|повредила]?
Да ли бих те [могао|могла] нешто питати?
Кад сам [био мали желео|била мала желела] сам да будем [срећан|срећна].
Све што сам икада [радио|радила] је ово.
Ја сам, као и увек, [заборавио|заборавила] кључеве.
Ја сам, наравно, [поносан|поносна].
Нисам [марио|марила] за то.
Не верујем да сам те [чуо|чула].
Ни [сам|сама] не знам.
Не волим вечери које проводим [сам|сама].
Тешко ми је да будем [нов|нова] у граду.
Тешко ми је бити [нов|нова] у граду.
На посао долазим увек [спреман|спремна].
То ме чини [срећним|срећном].
Урадићу то [сам|сама].
[Другачији|Другачија] сам од њих.
Bojim se da ostanem [sam|sama].
"""

SOMEBODY_ELSE = """
Бојим се да би ме могао оставити.
Бојим се да би ме могла оставити.
Тражим мужа који би кувао.
Она би је видела.
Ја сам Марио.
Ја сам Јелена.
Ја сам Горан.
Да ли ме је он видео?
Код куће сам са мамом.
Ovde sam i sestra je umorna.
"""


@check_each(("letter", "rule", "text"), [line.split(" ", 2) for line in RULES.strip().splitlines()])
def test_rules_in_both_scripts(letter, rule, text):
    for written in (text, to_latin(text.lower())):
        signal = LANGUAGE.signal(written)
        assert signal.cls is LETTERS[letter], signal
        assert rule in {witness.rule for witness in signal.witnesses}


@check_each("text", NONE.strip().splitlines())
def test_what_shows_nothing(text):
    assert LANGUAGE.signal(text).cls is GenderClass.NONE
    assert LANGUAGE.signal(to_latin(text.lower())).cls is GenderClass.NONE


def test_letters():
    assert to_latin("љубав џемпер њива ђак ћутање чаша шума жаба") == (
        "ljubav džemper njiva đak ćutanje čaša šuma žaba"
    )


def test_witnesses_keep_their_script_and_offsets():
    text = "Ужасно се љутим јер сам изгубила кључеве."
    witness = LANGUAGE.signal(text).witnesses[0]
    assert (witness.text, text[witness.start : witness.end]) == ("изгубила", "изгубила")


def test_a_quotation_is_read_for_its_own_cue():
    text = "Рекла је: „Била сам уморна.“"
    assert LANGUAGE.signal(text).cls is GenderClass.NONE
    assert LANGUAGE.signal(text, Cue.QUOTED).cls is GenderClass.FEMININE


def test_nouns_are_an_option():
    with_nouns = dataclasses.replace(LANGUAGE, nouns=True)
    assert LANGUAGE.signal("Ја сам лекар.").cls is GenderClass.NONE
    assert with_nouns.signal("Ја сам лекар.").cls is GenderClass.MASCULINE
