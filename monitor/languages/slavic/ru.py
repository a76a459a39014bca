"""Russian: the gender a text gives to its first person.

The past tense in -л/-ла and of consonant stems (мог, привык), short adjectives and participles
(рад/рада, удивлён/удивлена), full adjectives as predicates, instrumentals after the copular verbs,
сам/сама and один/одна: see :mod:`._east_slavic` for when they are the speaker's.
"""

from monitor.languages.slavic import _east_slavic as e
from monitor.languages.slavic import _ru_words as lists
from monitor.languages.slavic import _slavic as s
from monitor.languages.slavic._east_slavic import RULES, follow, is_stem, pairs, prefixed
from monitor.languages.slavic._slavic import Slavic, longest_ending, table
from monitor.languages.slavic._slavic_people import person_nouns

_SHORTEST = 2  # no ending can be told from so little
_SHORT_M, _SHORT_F = pairs(lists.SHORT_PAIRS)
_GLAD_M, _GLAD_F = pairs(lists.GLAD_PAIRS)
_CONSONANT = {
    spelling
    for form in lists.CONSONANT.split()
    for spelling in (form, form.replace("ё", "е"))
    if spelling not in lists.NO_CONSONANT.split()
}
_NOUN_OR_M, _NOUN_OR_F = pairs(lists.PAST_OR_NOUN)
_STRESSED = lists.STRESSED.split()

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
    (s.VERB, "начинаю закончу завершу решу брошу отложу поручу получу"),
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
    (e.DATIVE_M, "самому одному"),
    (e.DATIVE_F, "самой одной"),
    (e.STATE | s.VERB, lists.STATE),
    (e.SURE, [verb for verb in lists.STATE.split() if verb.endswith(("сь", "ся", "аю"))]),
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
    (s.PAST_M, "ел пел пил шёл шел вёл вел сел"),
    (s.PAST_F, "ела пела"),
    (e.LESS, lists.LESS + " номер"),
    (e.OUT_OF, "из"),
    (e.LIKE, "чем как словно будто точно"),
    (e.SELF, "себя"),
    (e.THEIRS, "никому кому-то каждому всем ему ей им тебе вам нам другим людям"),
    (s.INF | s.BE_INF, lists.BE_INF),
    (s.BE_INF, "будучи бывши"),
    (s.OTHER | e.MAKE, lists.MAKE),
    (s.PAST_M | e.MAKE, lists.MADE_M),
    (s.PAST_F | e.MAKE, lists.MADE_F),
    (s.OTHER | e.PLURAL_PAST | e.MAKE, lists.MADE),
    (s.INF | e.MAKE, lists.TO_MAKE),
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
    (
        s.PAST_M,
        prefixed(lists.PREFIXES, lists.CONSONANT_ROOTS, lists.NO_CONSONANT + lists.NEXT_PAST),
    ),
    (e.NEXT_M, lists.NEXT_PAST),
    (s.PAST_M | e.DOUBTFUL, _NOUN_OR_M),
    (s.PAST_F | e.DOUBTFUL, _NOUN_OR_F),
    (s.PAST_M, "умел смел зрел"),
    (s.PAST_F, "умела смела зрела"),
    (s.GLAD_M, _GLAD_M),
    (s.GLAD_F, _GLAD_F),
    (s.SHORT_M, _SHORT_M),
    (s.SHORT_F, _SHORT_F),
    (s.SHORT_M, lists.SHORT_IV),
    (s.SHORT_F, [f"{form}а" for form in lists.SHORT_IV.split()]),
    (s.GLAD_M, "счастлив"),
    (s.GLAD_F, "счастлива"),
    (s.ADJ_M | s.INS_F, [f"{stem}ой" for stem in _STRESSED]),
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
    (s.INS_M, "вшимся щимся"),
    (s.ADJ_M | e.GENITIVE, "полный достойный лишённый"),
    (s.ADJ_F | e.GENITIVE, "полная достойная лишённая"),
    (s.INS_F, "вшейся щейся"),
    (s.VERB, "жу шу чу щу лю ею ую"),
    (s.VERB | e.SURE, "юсь усь аю яю"),
    (0, "ывая ений аний яний"),  # gerunds; genitives of nouns
    (s.INF, "ать ять еть ить оть уть ыть аться яться еться иться оться уться ыться"),
    (0, "сть"),
    (s.ADV, "о ски цки енно"),
)
_ADJECTIVES = tuple("нн н ив ск чив".split())
_HARD = tuple(lists.HARD_SUFFIXES.split())
_SOFT = tuple(lists.SOFT_SUFFIXES.split())
_SUFFIX_NOUNS = frozenset(lists.SUFFIX_NOUNS.split())
_PRIMARY = frozenset(lists.PRIMARY.split() + _STRESSED)
_NOUN_STEMS = tuple(lists.NOUN_STEMS.split())
# What adjectives in the instrumental end with, and the suffixes before it: a masculine and the
# feminine of the same stems, so that neither gender is known alone.
_INSTRUMENTAL = {
    "ым": (s.INS_M, _HARD),
    "им": (s.INS_M, (*_SOFT, "ск", "цк", "еньк", "оньк", "ешеньк")),
    "ой": (s.INS_F, _HARD),
    "ою": (s.INS_F, _HARD),
    "ей": (s.INS_F, _SOFT),
    "ею": (s.INS_F, _SOFT),
}
_SOFTENED = frozenset("нжшчщ")  # before -ей in an adjective
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
    return _instrumental(key)


def _instrumental(key: str) -> int:
    """Tags of an adjective in the instrumental."""
    stem = key[:-2]
    tag, suffixes = _INSTRUMENTAL.get(key[-2:], (0, ()))
    if not tag or stem in _SUFFIX_NOUNS or (key[-2] == "е" and stem[-1] not in _SOFTENED):
        return 0
    return tag if is_stem(stem, suffixes, _PRIMARY, _NOUN_STEMS) else 0


LANGUAGE = Slavic(
    code="ru",
    name="Russian",
    words=WORDS,
    ending=ending,
    rules=RULES,
    letters="абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
    follow=follow,
    people=person_nouns("person_nouns_ru"),
    version=7,
)
