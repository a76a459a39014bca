"""Russian: the gender a text gives to its first person.

The past tense in -л/-ла and of consonant stems (мог, привык), short adjectives and participles
(рад/рада, удивлён/удивлена), full adjectives as predicates, instrumentals after the copular verbs,
сам/сама and один/одна: see :mod:`monitor.languages._east_slavic` for when they are the speaker's.
"""

from monitor.languages import _east_subject as e
from monitor.languages import _ru_words as lists
from monitor.languages import _slavic as s
from monitor.languages._east_slavic import RULES
from monitor.languages._east_subject import follow, is_stem, pairs
from monitor.languages._ru_people import PEOPLE
from monitor.languages._slavic import Slavic, longest_ending, table

_SHORTEST = 2  # no ending can be told from so little
_SHORT_M, _SHORT_F = pairs(lists.SHORT_PAIRS)
_GLAD_M, _GLAD_F = pairs(lists.GLAD_PAIRS)
_CONSONANT = lists.CONSONANT.split()

WORDS = table(
    (s.NOMINATIVE, "я"),
    (s.BE, lists.BE),
    (s.FEEL, lists.FEEL),
    (s.VERB, lists.VERB),
    (e.SURE, lists.SURE),
    (s.VERB, "хочу могу смогу люблю умею предпочитаю желаю мечтаю обожаю ненавижу планирую"),
    (
        s.VERB,
        "стараюсь пытаюсь стремлюсь боюсь надеюсь пробую попробую постараюсь предпочту захочу",
    ),
    (s.VERB, "начинаю"),
    (s.PAST_M, "привык решил научился"),
    (s.PAST_F, "привыкла решила научилась"),
    (s.SHORT_M, "способен"),
    (s.SHORT_F, "способна"),
    (s.OTHER, lists.OTHER),
    (s.ME, lists.ME),
    (s.CUT, lists.CUT),
    (e.PURPOSE, "чтобы чтоб дабы"),
    (s.AND, lists.AND),
    (s.OR, lists.OR),
    (s.SAY, lists.SAY),
    (s.PAST_M, "сказал ответил спросил воскликнул"),
    (s.PAST_F, "сказала ответила спросила воскликнула"),
    (s.PREP, lists.PREP),
    (s.DET, lists.DET),
    (s.CLITIC, lists.CLITIC),
    (s.ADV, lists.ADV),
    (e.JUST, "только раз"),
    (s.ADV, "раз"),
    (
        e.RELATIVE,
        "который которая которое которые которого которой которому которым котором которую",
    ),
    (s.PAST_M, "ел пел пил мыл шёл шел вёл вел сел"),
    (s.PAST_F, "ела пела"),
    (e.LESS, lists.LESS + " номер"),
    (e.OUT_OF, "из"),
    (e.LIKE, "чем как словно будто точно"),
    (e.SELF, "себя"),
    (e.THEIRS, "никому кому-то каждому всем ему ей им тебе вам нам другим людям"),
    (s.INF | s.BE_INF, lists.BE_INF),
    (
        s.INF,
        "есть сесть класть упасть пропасть украсть красть прочесть идти нести вести расти найти",
    ),
    (
        s.INF,
        "пойти прийти уйти выйти зайти пройти перейти войти подойти провести привести мочь смочь",
    ),
    (s.INF, "помочь беречь сберечь лечь печь стричь течь достичь привлечь увлечь отвлечь спасти"),
    (s.PAST_M | s.BE_PAST, "был бывал"),
    (s.PAST_F | s.BE_PAST, "была бывала"),
    (s.PAST_M, _CONSONANT),
    (e.DOUBTFUL, "пас лез рос гас"),  # nouns too
    (s.GLAD_M, _GLAD_M),
    (s.GLAD_F, _GLAD_F),
    (s.SHORT_M, _SHORT_M),
    (s.SHORT_F, _SHORT_F),
    (s.SHORT_M, lists.SHORT_IV),
    (s.SHORT_F, [f"{form}а" for form in lists.SHORT_IV.split()]),
    (s.GLAD_M, "счастлив"),
    (s.GLAD_F, "счастлива"),
    (s.ADJ_M, lists.STRESSED),
    (s.INS_F, lists.STRESSED),
    (s.ADJ_M, "единственный первый последний настоящий который-то"),
    (s.ADJ_F, "такая другая никакая"),
    (s.SELF_M, "сам"),
    (s.SELF_F, "сама"),
    (e.ALONE_M, "один"),
    (e.ALONE_F, "одна"),
    (e.THAT_M, "тот"),
    (e.THAT_F, "та"),
    (s.NOUN_M, lists.NOUN_M),
    (s.NOUN_F, lists.NOUN_F),
    (0, lists.NOUNS_L + lists.NOUNS_LA + lists.NO_SHORT + lists.NOUNS_NA),
    (0, "сил школ скал зал акул пчёл пчел кукол чисел дел тел зеркал крыл масел кресел стрел вилл"),
    (0, "если мысли цели роли недели земли боли модели соли сотни ноль"),
    (0, "дело тело зеркало масло число правило мыло крыло одеяло село зло стекло кресло горло"),
    (0, "гений сценарий комментарий санитарий критерий алюминий кабинет совет ответ бюджет"),
    (0, "мать часть смерть память область ночь речь дочь дети пути почти гости части честь власть"),
    (0, "опять десять девять пять шесть кровать площадь"),
    (
        0,
        "задачу удачу передачу встречу душу кашу крышу ношу кожу дачу землю неделю семью волю стаю",
    ),
    (0, "аппетит кредит бандит визит лимит маршрут институт салют ребят опят"),
)

_ENDINGS = table(
    (s.PAST_M, "л лся гся кся бся рся сся зся"),
    (s.PAST_F, "ла лась"),
    (0, "уал сексуал канал сериал журнал"),  # loans, also as the second half of compounds
    (s.OTHER | e.PLURAL_PAST, "ли лись"),
    (s.OTHER, "ло лось шь шься ется ются ится ятся утся атся ает яет ует еет ют ут ит"),
    # Nouns: agents in -тель have no -л; loans in -нал, -бол, -мобил.
    (s.ADJ_M, "ый кий гий хий жий ший чий щий ний вшийся щийся"),
    (s.ADJ_F | e.GERUND, "ая яя"),
    (s.ADJ_F, "вшаяся щаяся нная ьная стная"),
    (s.INS_M, "ым ким гим хим жим шим чим щим ним вшимся щимся"),
    (s.ADJ_M | e.GENITIVE, "полный достойный лишённый"),
    (s.ADJ_F | e.GENITIVE, "полная достойная лишённая"),
    (s.INS_F, "вшейся щейся вшей ущей ющей ащей ящей учшей йшей рошей ольшей едней жней шней"),
    (s.VERB, "жу шу чу щу лю ею ую"),
    (s.VERB | e.SURE, "юсь усь аю яю"),
    (0, "ывая ений аний яний"),  # gerunds; genitives of nouns
    (s.INF, "ать ять еть ить оть уть ыть аться яться еться иться оться уться ыться"),
    (0, "сть"),
    (s.ADV, "о ски цки енно"),
)
_ADJECTIVES = tuple("нн н ив ск чив".split())
_PRIMARY = frozenset(lists.PRIMARY.split())
_NOUN_STEMS = tuple(lists.NOUN_STEMS.split())
_SHORT_ENDINGS = ("ен", "ён", "ан", "ян", "нут", "ыт")
_NO_SHORT = ("мен", "ман", "тив", "стан")


def ending(key: str) -> int:
    """Tags of an unlisted word by its ending."""
    if len(key) <= _SHORTEST:
        return 0
    tags = longest_ending(key, _ENDINGS)
    if tags:
        return tags
    if key.endswith(_SHORT_ENDINGS):
        return 0 if key.endswith(_NO_SHORT) else s.SHORT_M
    if key.endswith("а") and is_stem(key[:-1], ("н", "нут", "ыт"), frozenset(), _NOUN_STEMS):
        return s.SHORT_F
    if key.endswith(("ой", "ою")) and is_stem(key[:-2], _ADJECTIVES, _PRIMARY, _NOUN_STEMS):
        return s.INS_F
    return 0


LANGUAGE = Slavic(
    code="ru",
    name="Russian",
    words=WORDS,
    ending=ending,
    rules=RULES,
    letters="абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
    follow=follow,
    people=PEOPLE,
    version=2,
)
