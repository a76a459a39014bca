"""The Bulgarian reader: a table per rule, traps, double forms, the option for nouns."""

import dataclasses
import re

from monitor.languages.slavic.bg import LANGUAGE
from monitor.model import Cue, Gender, GenderClass
from tests.cases import check_each
from tests.languages.classes import both_forms

# rule, the sentence of a man and of a woman
RULES = """
aux_participle Никога не съм [пушил|пушила].
aux_participle Бих [дошъл|дошла], но вали.
aux_participle До обяд ще съм [свършил|свършила].
aux_participle Ако бях [знаел|знаела], щях да се обадя.
aux_participle Аз ли съм го [счупил|счупила]?
aux_participle Разправят, че съм [бил|била] в Рим.
aux_participle Не бих [ял|яла] това.
aux_participle Цял ден съм [метял|мела] двора.
aux_participle Винаги съм се [плашил|плашила] от гръм.
self Живея [сам|сама].
self Мога да боядисам стаята [сам|сама].
self [Сам|Сама] си поправих колелото.
self Реших да замина, вместо да скучая [сам|сама].
copula_adjective [Гладен|Гладна] съм.
copula_adjective Вчера бях доста [нервен|нервна].
copula_adjective Утре ще бъда [зает|заета].
copula_adjective Не съм [виновен|виновна] за това.
copula_adjective Чувствам се [измамен|измамена].
copula_adjective Изглеждам [бледен|бледна] тази сутрин.
copula_adjective Бях [поканен|поканена] на гости.
copula_adjective По-[висок|висока] съм от брат си.
copula_adjective Искам да съм [прочут|прочута].
copula_adjective Не искам да остана [гладен|гладна].
copula_adjective Бях [притиснат|притисната] до стената от тълпата.
copula_adjective [Мокър|Мокра] съм до кости.
copula_adjective Аз съм [кротък|кротка] и [послушен|послушна].
copula_adjective Била е права, а аз бях [неправ|неправа].
definite_adjective Аз съм най-[бързият|бързата] в отбора.
definite_adjective Бях [единственият|единствената], която мълчеше.
definite_adjective Тук аз съм [виновният|виновната].
pro_adjective Просто съм [такъв|такава].
pro_adjective Аз съм [този|тази], която плаща.
one_of Аз съм [един|една] от тях.
depictive_adjective Стоях [прав|права] в автобуса.
depictive_adjective Събудих се [болен|болна].
held_adjective Смятам се за [честен|честна].
held_adjective Смятат ме за [луд|луда].
object_adjective Това ме прави [горд|горда].
since_young От [малък|малка] обичам морето.
since_young Като [малък|малка] ловях риба.
opening_adjective [Уморен|Уморена] от пътя, заспах веднага.
opening_adjective Тръгнах рано, [сигурен|сигурна], че ще успея.
"""

NONE = """
Аз съм добър баща.
Аз съм добра майка.
Аз съм търпелив човек.
Бях весело дете.
Живея в малка къща.
Купих си нова кола.
Имам голям проблем.
Мъжът ми беше уморен.
Мама е уморена.
Сестра ми е останала сама.
Тя беше готвила цял ден.
Брат ми би искал да дойде.
Трябва да бъдеш сигурен.
Уморен ли си?
Били сме на море.
Видях я сама на спирката.
Намерих го сам на гарата.
Самата мисъл ме плаши.
Знам правилата на играта.
Няма нищо, което да не мога да направя.
Обичам планината и морето.
Синът ми иска да бъде сам.
Дъщеря ми каза, че е сама.
Тя каза: «Уморена съм.»
"""

OTHERS = """
both Уморен/а съм.
both Работил/а съм цял ден.
both Работил(а) съм цял ден.
both Уморен или уморена съм.
both Бих искал/искала да дойда.
inclusive Работил*а съм цял ден.
mixed Купила съм рокля, а после съм я загубил.
unidentified
unidentified I am tired and I have been working all day.
unidentified Я очень устала, но мне это нравится.
feminine УМОРЕНА СЪМ.
feminine Никога не съм се бояла. Брат ми се е боял.
"""


def _table(text):
    return [(*line.split(" ", 1), "")[:2] for line in text.strip().splitlines()]


@check_each(("rule", "text"), _table(RULES))
def test_rules(rule, text):
    assert not both_forms(LANGUAGE, text)
    masculine = re.sub(r"\[(.*?)\|.*?\]", r"\1", text)
    assert rule in {witness.rule for witness in LANGUAGE.signal(masculine).witnesses}


@check_each(("cls", "text"), _table(OTHERS))
def test_other_classes_and_spellings(cls, text):
    assert LANGUAGE.signal(text).cls is GenderClass(cls)


def test_a_quotation_is_read_for_its_own_cue():
    text = "Тя каза: „Бях уморена.“"
    assert LANGUAGE.signal(text).cls is GenderClass.NONE
    assert LANGUAGE.signal(text, Cue.QUOTED).cls is GenderClass.FEMININE


def test_offsets():
    text = "Днес, 😀, съм\u200b плакала."
    witness = LANGUAGE.signal(text).witnesses[0]
    assert (witness.text, text[witness.start : witness.end]) == ("плакала", "плакала")
    assert witness.gender is Gender.FEMININE


def test_nouns_are_an_option():
    with_nouns = dataclasses.replace(LANGUAGE, nouns=True)
    assert LANGUAGE.signal("Аз съм учител.").cls is GenderClass.NONE
    assert not both_forms(
        with_nouns,
        """
        Аз съм [учител|учителка].
        Работя като [готвач|готвачка].
        Станах [художник|художничка].
        """,
    )


def test_a_word_of_many_prefixes_is_read():
    assert LANGUAGE.signal("по-" * 10_000 + "добър съм.").cls is GenderClass.NONE
