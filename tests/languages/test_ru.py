"""The Russian reader: a sentence for every rule, and for every trap."""

from monitor.languages.slavic.ru import LANGUAGE
from monitor.model import Cue, Gender, GenderClass
from tests.cases import check_each
from tests.languages.classes import both_genders, none_shown

LETTERS = {
    "M": GenderClass.MASCULINE,
    "F": GenderClass.FEMININE,
    "N": GenderClass.NONE,
    "B": GenderClass.BOTH,
    "I": GenderClass.INCLUSIVE,
    "X": GenderClass.MIXED,
    "U": GenderClass.UNIDENTIFIED,
}

# letter, rule of the deciding witness, text
RULES = """
M pronoun_past Я плакал весь день.
F pronoun_past Я плакала весь день.
M pronoun_past Вчера я наконец помог соседу.
F pronoun_past Я бы никогда туда не пошла.
M pronoun_past Я шёл домой пешком.
M pronoun_past Я нёс тяжёлую сумку.
M pronoun_past Я вырос в деревне.
M pronoun_past Я привык к тишине.
M pronoun_past Я не мог уснуть.
M pronoun_past Я ошибся адресом.
M pronoun_past Я увлёкся чтением.
M pronoun_past Я испёк пирог.
M pronoun_past Я замёрз на остановке.
M pronoun_past Я побоялся спросить.
F pronoun_past Я растерялась и промолчала.
F pronoun_past Книгу я прочла за ночь.
F pronoun_past Если бы я знала, я бы пришла.
M pronoun_past Они хотят, чтобы я уехал.
F pronoun_past Ела я мало.
F pronoun_past Я только что проснулась.
F pronoun_past Я как раз гладила бельё.
F pronoun_past Письмо, которое я только что получила, меня тронуло.
M pronoun_past Я, честно говоря, устал.
F pronoun_past Я, как и все, испугалась.
M pronoun_past Я купил LEGO.
M pronoun_past Я мыл посуду.
F pronoun_past Я мыла посуду.
M pronoun_past Я мыла не нашёл.
F pronoun_past Куда я дела ключи?
F pronoun_past Я открыла ему свои чувства.
F kept_past Я сижу дома и никогда не выходила одна.
M kept_past Я знаю, что ошибся.
F kept_past Я жалею, что не поступила в театральный.
M kept_past Я пришёл и сел у окна.
F opening Никогда не думала, что стану врачом.
M opening Записался на курсы вождения.
F opening Уверена, что всё получится.
M opening Рад помочь.
F predicate Я красивая.
M predicate Я очень сильный и независимый.
F predicate Я должна идти.
M predicate Я уверен в себе.
F predicate Я рада вас видеть.
M predicate Я согласен.
F predicate Я слишком доверчива.
M predicate Я ни в чём не виноват.
F predicate Готова ли я к этому?
F predicate Я не создана для офиса.
M predicate Я — лучший.
F predicate Они говорят, что я бесчувственная.
M predicate Я единственный, кто убирает.
F predicate Уверена я только в одном.
F predicate Я полная энергии.
M predicate Я красив.
M copula_adjective Я был счастлив.
F copula_adjective Я была очень уставшей.
M predicate Завтра я буду рад вас видеть.
F copula_adjective Буду рада вас видеть.
F instrumental Я чувствую себя уставшей.
M instrumental Я считаю себя умным.
F instrumental Чувствую себя одинокой.
M instrumental Я становлюсь раздражительным.
F instrumental Я останусь верной себе.
F infinitive Мне важно быть сильной.
M infinitive Я хочу быть первым.
F infinitive Я тренируюсь, чтобы быть сильной.
M self Я всё решаю сам.
F self Я делаю это сама.
F alone Я живу одна.
M alone Я не люблю ходить в кино один.
F alone Я одна из лучших в классе.
F demonstrative Я та, кто платит за всё.
M kept_predicate Я молчу, потому что слишком горд.
F kept_predicate Я знаю, что должна уйти.
B pronoun_past Я устал(а).
B predicate Я рад/рада вас видеть.
B predicate Я готов или готова.
I predicate Я готов*а.
X copula_adjective Я был уверена.
"""

# Nothing of the speaker's gender, though the words look like it; or another language.
TRAPS = """
N Мне нравится готовить.
N Я люблю футбол.
N Я люблю школу и знаю все правила.
N Я не асексуал.
N У меня была большая семья.
N Мне пришлось уйти.
N Мама плакала.
N Он сказал, что устал.
N Она сказала: «Я устала».
N «Я устала», — сказала она.
N Ты был прав.
N Ты уверена, что готова?
N Вы уверены?
N Я лидер.
N Я не такой красивый парень.
N Я сильнее, чем предыдущий.
N Я хороший друг.
N Я сильная женщина.
N Я прекрасный учёный.
N Я думаю, мама устала.
N Я знаю, что ты плакал.
N Я вижу, как плачет ребёнок, который упал.
N Я люблю, когда готовит мама.
N Мой друг и я пошли домой.
N Я дела закончу.
N Я не понимаю, почему она ушла.
N Я сильнее, чем он был.
N Быть сильным важно.
N Я знаю, что главное — быть сильным.
N Я не позволяю никому быть грубым.
N Когда ты в последний раз плакал?
N Плакал в детстве?
N Пришёл новый сосед.
N Упала ваза.
N Я буду помогать другим.
N Я в хорошей форме.
N Я с больной мамой.
N Я один раз в год езжу на море.
N Ни один из них мне не нравится.
N Сама идея мне нравится.
N Я понимаю: сама идея хорошая.
N Я, зная это, молчу.
N Я работаю, получив разрешение.
N Меня зовут Анна.
N Человек из отношений со мной ушёл.
U I was tired.
U Я втомлена, бо не мала часу на відпочинок і сон.
U Я быў вельмі стомлены.
U ...
U 12345
"""


def cases(table: str, fields: int) -> list[list[str]]:
    return [line.split(maxsplit=fields - 1) for line in table.strip().splitlines()]


@check_each(("letter", "rule", "text"), cases(RULES, 3))
def test_rules(letter, rule, text):
    signal = LANGUAGE.signal(text)
    assert signal.cls is LETTERS[letter], signal
    assert rule in {w.rule for w in signal.witnesses}


@check_each(("letter", "text"), cases(TRAPS, 2))
def test_traps(letter, text):
    signal = LANGUAGE.signal(text)
    assert signal.cls is LETTERS[letter], signal


@check_each("text", [text for _, _, text in cases(RULES, 3)])
def test_witnesses_stand_where_they_say(text):
    for witness in LANGUAGE.signal(text).witnesses:
        assert text[witness.start : witness.end] == witness.text


@check_each(("letter", "rule", "text"), cases(RULES, 3))
def test_capitals_change_nothing(letter, rule, text):
    assert LANGUAGE.signal(text.upper()).cls is LETTERS[letter]


def test_quotations_have_a_cue_of_their_own():
    text = "Она сказала: «Я устала»."
    assert LANGUAGE.signal(text).cls is GenderClass.NONE
    assert LANGUAGE.signal(text, Cue.QUOTED).cls is GenderClass.FEMININE


def test_several_sentences():
    signal = LANGUAGE.signal("Сегодня холодно. Мама ушла. Я осталась дома.")
    assert [w.text for w in signal.witnesses] == ["осталась"]


def test_stress_marks_and_invisible_characters():
    signal = LANGUAGE.signal("Я уста\u0301ла\u200b.")
    assert signal.witnesses[0].gender is Gender.FEMININE
    assert signal.witnesses[0].text.startswith("уста\u0301ла")


def test_yo_may_be_written_without_dots():
    for text in ("Я пришёл.", "Я пришел.", "Я замёрз.", "Я замерз."):
        assert LANGUAGE.signal(text).cls is GenderClass.MASCULINE


# Each line is a class of words: what it gives in the masculine and in the feminine, where another
# word may stand for X.
PAIRS = """
Мне тяжело жить X.: одному/одной самому/самой
Мне пора решать это X.: самому/самой
После бега я возвращаюсь домой X.: голодным/голодной уставшим/уставшей
Я X.: молодой/молодая больной/больная чужой/чужая злой/злая смешной/смешная пожилой/пожилая
Я X.: пойман/поймана обманут/обманута скромен/скромна достоин/достойна избит/избита одержим/одержима
Я буду X.: молодым/молодой больным/больной чужим/чужой живым/живой глухим/глухой первым/первой
Я чувствую себя X.: больным/больной плохим/плохой слепым/слепой старшим/старшей уставшим/уставшей
Завтра я стану X.: седым/седой скупым/скупой хорошим/хорошей маленьким/маленькой последним/последней
Я хочу казаться X.: крутым/крутой дорогим/дорогой открытым/открытой любимым/любимой нужным/нужной
Мне страшно остаться X.: немым/немой одиноким/одинокой забытым/забытой бедным/бедной
Это делает меня X.: сильным/сильной злым/злой счастливым/счастливой
Меня все считают X.: умным/умной чужим/чужой глупым/глупой
Будучи X, я молчу.: слабым/слабой чужим/чужой
Мне нравится шутить, а не быть X.: серьёзным/серьёзной
Я X.: уродлив/уродлива шутлив/шутлива
Я вчера X шапку.: надел/надела сжёг/сжгла уволок/уволокла пронёс/пронесла загрыз/загрызла
Если бы я X, было бы лучше.: осел/осела пополз/поползла умел/умела замок/замокла напрягся/напряглась
Я X это.: правил/правила шил/шила покрывал/покрывала точил/точила раздел/раздела испек/испекла
Я часто сижу дома и никогда не X.: умел/умела шил/шила лез/лезла
С самого начала я X это.: знал/знала видел/видела
Я с самого начала всё X.: знал/знала
Я покрывала X.: купил/купила
Я X новую шапку на вечеринку.: надел/надела
Я X.: второй/вторая шестой/шестая остальной/остальная остр/остра
"""
NEITHER = """
Мне надо помочь одной женщине.
Я хожу старой тропой к реке.
Я прихожу первым автобусом.
Я иду с больной ногой.
Будучи слабой, мама молчит, и я молчу.
Я буду мамой. Я стану королевой. Я хочу быть звездой.
Я стану основой и проблемой. Я буду минутой и защитой.
Меня считают хорошей матерью.
Меня называют их сильной стороной.
Я люблю раздел о спорте и замок на горе.
Я вижу надел.
Я правила не нарушаю.
Я второй раз иду туда. Я первый раз здесь. Я второй год живу тут.
"""


def test_a_class_of_words_is_read_in_both_genders():
    failures = both_genders(LANGUAGE, PAIRS)
    assert not failures, "\n".join(failures)


def test_what_only_looks_like_a_gender_is_none():
    failures = none_shown(LANGUAGE, NEITHER)
    assert not failures, "\n".join(failures)
