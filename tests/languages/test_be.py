"""The Belarusian reader: a sentence for every rule, and for every trap."""

import pytest

from monitor.languages.slavic.be import LANGUAGE
from monitor.model import Cue, Gender, GenderClass

# letter, rule of the deciding witness, text
RULES = """
M pronoun_past Я плакаў увесь дзень.
F pronoun_past Я плакала ўвесь дзень.
M pronoun_past Учора я нарэшце дапамог суседу.
F pronoun_past Я б ніколі туды не пайшла.
M pronoun_past Я ішоў дадому пешшу.
M pronoun_past Я пайшоў на рызыку.
M pronoun_past Я нёс цяжкую валізку.
M pronoun_past Я вырас у вёсцы.
M pronoun_past Я прывык да цішыні.
M pronoun_past Я не мог заснуць.
M pronoun_past Я не змог адказаць.
M pronoun_past Я ненавідзеў панядзелкі.
M pronoun_past Я правёў там лета.
M pronoun_past Я распавёў жарт.
M pronoun_past Я еў яблык.
M pronoun_past Я раз'юшыўся.
M pronoun_past Я аб’яднаў людзей.
M pronoun_past Я замёрз на прыпынку.
M pronoun_past Я баяўся спытаць.
M pronoun_past Я згаджаўся з усімі.
F pronoun_past Я разгубілася і прамаўчала.
F pronoun_past Кнігу я прачытала за ноч.
F pronoun_past Калі б я ведала, я б прыйшла.
M pronoun_past Яны хочуць, каб я паехаў.
M pronoun_past Я, шчыра кажучы, стаміўся.
M pronoun_past Я купіў LEGO.
F pronoun_past Я штодня мыла падлогу.
M pronoun_past Я сеў каля акна.
F pronoun_past Я толькі што прачнулася.
F kept_past Я думаю, што справілася.
M kept_past Я бачу, што набраў вагу.
F kept_past Я шыю дома і ніколі не працавала ў офісе.
M opening Адчуваў упэўненасць у сваёй працы.
F opening Ніколі не думала, што стану лекарам.
F opening Упэўненая, што ўсё атрымаецца.
F predicate Я прыгожая.
M predicate Я вельмі моцны і незалежны.
F predicate Я павінна ісці.
M predicate Я павінен ісці.
M predicate Я ўпэўнены ў сабе.
F predicate Я рада вас бачыць.
M predicate Я згодны.
F predicate Я занадта даверлівая.
F predicate Я дарослая.
M predicate Я дарослы.
F predicate Я адважная.
M predicate Я сарамлівы.
M predicate Я высокі.
M predicate Я паспяховы.
M predicate Я — найлепшы.
M predicate Я адзіны, хто прыбірае.
F predicate Яны кажуць, што я абыякавая.
M copula_adjective Я быў шчаслівы.
M copula_adjective Я быў дурным.
F copula_adjective Я была вельмі стомленай.
M copula_adjective Буду рады сустрэцца.
F instrumental Я адчуваю сябе стомленай.
F instrumental Я адчуваю сябе шчасліваю.
M instrumental Я лічу сябе разумным.
M instrumental Я станаўлюся раздражняльным.
F infinitive Мне важна быць моцнай.
M infinitive Я хачу быць першым.
F infinitive Я трэніруюся, каб быць моцнай.
M self Я ўсё вырашаю сам.
F self Я раблю гэта сама.
F alone Я жыву адна.
M alone Я не хаджу ў кіно адзін.
F alone Я адна з тых, хто не спіць.
F demonstrative Я тая, хто плаціць.
M demonstrative Я той, хто плаціць.
F kept_predicate Я ведаю, што павінна пайсці.
B pronoun_past Я стаміўся(лася).
B predicate Я гатовы/ая.
X copula_adjective Я быў упэўненая.
"""

# Nothing of the speaker's gender, though the words look like it; or another language.
TRAPS = """
N Мне падабаецца гатаваць.
N Мне спадабалася кіно.
N Гэта была праблема.
N Гэта ўразіла мяне.
N Я люблю бег.
N Я люблю сваіх супрацоўнікаў.
N Я маю шмат сяброў і ворагаў.
N Я люблю катоў і сабакаў.
N У мяне была вялікая сям'я.
N Мне давялося пайсці.
N Мама плакала.
N Ён сказаў, што стаміўся.
N Яна сказала: «Я стамілася».
N «Я стамілася», — сказала яна.
N Ты меў рацыю.
N Ты ўпэўненая, што гатовая?
N Вы ўпэўненыя?
N Я лідар.
N Я чалавек.
N Я бос.
N Я жанчына.
N Я добры сябар.
N Я моцная жанчына.
N Я думаю, мама стамілася.
N Я ведаю, што ты плакаў.
N Я люблю, калі гатуе мама.
N Я не разумею, чаму яна пайшла.
N Быць моцным важна.
N Я не дазваляю нікому быць грубым.
N Калі ты апошні раз плакаў?
N Плакаў у дзяцінстве?
N Прыйшоў новы сусед.
N Скончылася мая праца.
N Упала ваза.
N Я буду дапамагаць іншым.
N Я ў добрай форме.
N Адзін раз на год я езджу на мора.
N Сама ідэя мне падабаецца.
N На мінулым тыдні я хварэю.
N Усе ведаюць, што павінны рабіць.
N Мяне завуць Ганна.
U I was tired.
U Я был очень уставшим, когда это случилось.
U Я втомлена, бо не мала часу на відпочинок і сон.
U !!!
"""


def test_quotations_have_a_cue_of_their_own():
    text = "Яна сказала: «Я стамілася»."
    assert LANGUAGE.signal(text).cls is GenderClass.NONE
    assert LANGUAGE.signal(text, Cue.QUOTED).cls is GenderClass.FEMININE


@pytest.mark.parametrize("sign", ["'", "’", "ʼ"])
def test_any_apostrophe(sign):
    signal = LANGUAGE.signal(f"Я з{sign}ездзіла туды.")
    assert [(w.text, w.gender) for w in signal.witnesses] == [(f"з{sign}ездзіла", Gender.FEMININE)]


def test_neuter_past_needs_the_pronoun():
    assert LANGUAGE.signal("Дрэва ўпала, і стала ціха.").cls is GenderClass.NONE
    assert LANGUAGE.signal("Я ўпала.").cls is GenderClass.FEMININE


# Each line is a class of words: what it gives in the masculine and in the feminine, where another
# word may stand for X.
PAIRS = """
Мне цяжка жыць X.: аднаму/адной самому/самой
Пасля бегу я вяртаюся дадому X.: галодным/галоднай стомленым/стомленай
Я X.: таленавіты/таленавітая малады/маладая вялікі/вялікая апошні/апошняя дзікі/дзікая
Я X.: працавіты/працавітая закаханы/закаханая ласкавы/ласкавая цвёрды/цвёрдая маленькі/маленькая
Я адчуваю сябе X.: маладым/маладой моцным/моцнай апошнім/апошняй маленькім/маленькай хворым/хворай
Я хачу быць X.: вялікім/вялікай таленавітым/таленавітай першым/першай добрым/добрай
Гэта робіць мяне X.: моцным/моцнай злым/злой
Мяне лічаць X.: разумным/разумнай чужым/чужой
Будучы X, я маўчу.: слабым/слабай
Я X.: захварэў/захварэла пагарэў/пагарэла спацеў/спацела здаваўся/здавалася
Я X да акна.: падышоў/падышла выпаўз/выпаўзла падбег/падбегла прынёс/прынесла
X я рана.: прачынаўся/прачыналася спаў/спала прыходзіў/прыходзіла
Я часта сяджу дома і ніколі не X.: спяваў/спявала гуляў/гуляла
Калі б я X, было б лепш.: замёрз/замерзла правіў/правіла шыў/шыла асіп/асіпла
Я смела X праўду.: сказаў/сказала
Я не X гаварыць.: смеў/смела
Я X дадатковую працу.: прыняў/прыняла трымаў/трымала
Я X маю кнігу.: трымаў/трымала
"""
NEITHER = """
Хацелася б адпачыць. Даводзілася чакаць доўга. Здавалася, што ўсё добра.
Я ўпэўнена іду наперад. Я весела спяваю. Я ўпэўнена гавару. Я смела кажу праўду.
Я мала ем. Я нямала чытаю.
Я не маю братоў і сясцёр.
Я люблю братоў, сяброў, сваякоў.
Я, як правіла, п'ю чай.
Яны хварэлі, а я чытаю.
Я выдатны публічны прамоўца.
"""
