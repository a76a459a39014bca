"""The Ukrainian reader: a sentence for every rule, and for every trap."""

import pytest

from monitor.languages.slavic.uk import LANGUAGE
from monitor.model import Cue, Gender, GenderClass

# letter, rule of the deciding witness, text
RULES = """
M pronoun_past Я плакав увесь день.
F pronoun_past Я плакала увесь день.
M pronoun_past Учора я нарешті допоміг сусідові.
F pronoun_past Я б ніколи туди не пішла.
M pronoun_past Я йшов додому пішки.
M pronoun_past Я пішов на ризик.
M pronoun_past Я ніс важку валізу.
M pronoun_past Я виріс у селі.
M pronoun_past Я звик до тиші.
M pronoun_past Я не міг заснути.
M pronoun_past Я ненавидів понеділки.
M pronoun_past Я зрозумів, у чому річ.
M pronoun_past Я хотів спати.
M pronoun_past Я їв яблуко.
M pronoun_past Я з'їв яблуко.
M pronoun_past Я об’єднав людей.
M pronoun_past Я замерз на зупинці.
M pronoun_past Я боявся спитати.
F pronoun_past Я розгубилася й промовчала.
F pronoun_past Я посміхалась усім.
F pronoun_past Книжку я прочитала за ніч.
F pronoun_past Якби я знала, я б прийшла.
M pronoun_past Вони хочуть, щоб я поїхав.
M pronoun_past Я, чесно кажучи, втомився.
M pronoun_past Я купив LEGO.
F pronoun_past Я щодня мила підлогу.
M pronoun_past Я сів біля вікна.
F kept_past Я думаю, що впоралася.
M kept_past Я шкодую, що не поїхав.
F kept_past Я шию вдома і ніколи не працювала в офісі.
F opening Ніколи не думала, що стану лікаркою.
M opening Записався до спортзалу.
F opening Впевнена, що все вийде.
M opening Радий допомогти.
F predicate Я красива.
M predicate Я дуже сильний і незалежний.
F predicate Я повинна йти.
M predicate Я впевнений у собі.
F predicate Я рада вас бачити.
M predicate Я згоден.
F predicate Я занадто довірлива.
F predicate Я спокійна і зосереджена.
F predicate Я сильніша за них.
M predicate Я вищий за брата.
M predicate Я сором'язливий.
F predicate Я зайнята.
M predicate Я — найкращий.
M predicate Я єдиний, хто прибирає.
F predicate Вони кажуть, що я байдужа.
F predicate Я терпляча.
F predicate Я не домашня.
M copula_adjective Я був щасливий.
F copula_adjective Я була дуже втомленою.
M copula_adjective Буду радий зустрітися.
F instrumental Я почуваюся втомленою.
M instrumental Я вважаю себе розумним.
F instrumental Відчуваю себе самотньою.
M instrumental Я стаю дратівливим.
F infinitive Мені важливо бути сильною.
M infinitive Я хочу бути першим.
F infinitive Я тренуюся, щоб бути сильною.
M self Я все вирішую сам.
F self Я роблю це сама.
F alone Я живу одна.
M alone Я не ходжу в кіно один.
M demonstrative Я той, хто платить.
M kept_predicate Я мовчу, бо надто гордий.
F kept_predicate Я знаю, що повинна піти.
B pronoun_past Я втомився(лася).
B predicate Я готовий/а.
B predicate Я радий або рада.
X copula_adjective Я був упевнена.
"""

# Nothing of the speaker's gender, though the words look like it; or another language.
TRAPS = """
N Мені подобається готувати.
N Я люблю біг.
N Я п'ю сік.
N Я люблю школу та всі правила.
N Я маю багато друзів.
N Я знаю багатьох хлопців.
N У мене була велика сім'я.
N Мені довелося піти.
N Мама плакала.
N Він сказав, що втомився.
N Вона сказала: «Я втомилася».
N «Я втомилася», — сказала вона.
N Ти мав рацію.
N Ти впевнена, що готова?
N Ви впевнені?
N Я лідер.
N Я людина.
N Я жінка.
N Я лікарка.
N Я люблю своє волосся.
N Я бачу джентльмена.
N Я гарна людина.
N Я хороший друг.
N Я сильна жінка.
N Я думаю, мама втомилася.
N Я знаю, що ти плакав.
N Я люблю, коли готує мама.
N Я не розумію, чому вона пішла.
N Бути сильним є важливо.
N Бути сильним важливо.
N Я не дозволяю нікому бути грубим.
N Коли ти востаннє плакав?
N Плакав у дитинстві?
N Прийшов новий сусід.
N Злив зламався.
N Впала ваза.
N Я буду допомагати іншим.
N Я в гарній формі.
N Один раз на рік я їжджу на море.
N Я ношу один і той самий одяг.
N Сама ідея мені подобається.
N Моє мислення інше.
N Минулого тижня я хворію.
N Мене звати Ганна.
U I was tired.
U Я был очень уставшим, когда это случилось.
U Я ещё не решила, что делать.
U !!!
"""


def test_quotations_have_a_cue_of_their_own():
    text = "Вона сказала: «Я втомилася»."
    assert LANGUAGE.signal(text).cls is GenderClass.NONE
    assert LANGUAGE.signal(text, Cue.QUOTED).cls is GenderClass.FEMININE


@pytest.mark.parametrize("sign", ["'", "’", "ʼ"])
def test_any_apostrophe(sign):
    signal = LANGUAGE.signal(f"Я з{sign}ясувала це.")
    assert [(w.text, w.gender) for w in signal.witnesses] == [(f"з{sign}ясувала", Gender.FEMININE)]


def test_genitives_in_iv_are_no_verbs():
    for noun in ("батьків", "років", "днів", "хлопців", "музеїв"):
        assert LANGUAGE.signal(f"Я люблю цих {noun}.").cls is GenderClass.NONE


# Each line is a class of words: what it gives in the masculine and in the feminine, where another
# word may stand for X.
PAIRS = """
Мені важко жити X.: самому/самій одному/одній
Після бігу я повертаюся додому X.: голодним/голодною втомленим/втомленою
Я X.: слабкий/слабка злий/зла важкий/важка голий/гола одержимий/одержима хороший/хороша
Я X.: тонкий/тонка щирий/щира дешевший/дешевша діловий/ділова маленький/маленька терплячий/терпляча
Я дуже X.: самотній/самотня справжній/справжня давній/давня мужній/мужня застарий/застара
Я буду X.: слабким/слабкою самотнім/самотньою щирим/щирою новеньким/новенькою відкритим/відкритою
Я почуваюся X.: могутнім/могутньою найслабшим/найслабшою одиноким/одинокою зайвим/зайвою
Це робить мене X.: сильним/сильною чужим/чужою
Мене вважають X.: розумним/розумною слабким/слабкою
Будучи X, я мовчу.: слабким/слабкою
Я X друга.: зустрів/зустріла пережив/пережила розгледів/розгледіла підвіз/підвезла
Я X це.: уколов/уколола загорнув/загорнула правив/правила прав/прала надів/наділа зберіг/зберегла
Якби я X, було б краще.: пробіг/пробігла замерз/замерзла застряг/застрягла збожеволів/збожеволіла
Я ніколи не X так.: замок/замокла вирив/вирила старів/старіла шарів/шаріла
Я X.: повз/повзла стис/стисла уник/уникла ледачий/ледача
Я X його.: стрів/стріла дів/діла
"""
NEITHER = """
Мені треба допомогти одній жінці.
Я приходжу першим автобусом.
Я синів люблю.
Я 10 років у шлюбі.
Я правила не порушую.
Я другий раз іду туди. Я перший раз тут.
Я люблю слова і зла не бажаю.
Я голова родини.
Я завжди за друзів.
Мене вважають доброю матір'ю.
"""
