"""Russian: the form of the noun; of nouns of one form, attributes and the past tense.

A masculine name of a profession is masculine, whatever pronoun follows ("кассиру ..., потому что
она"), unless its own verb or attribute is feminine ("врач сказала", "наша врач").
"""

from collections.abc import Iterable

from monitor.entities._east_slavic import EastSlavicReader, SlavicWords, gendered
from monitor.entities._nouns import NounGender
from monitor.model import Gender

_M, _F = Gender.MASCULINE, Gender.FEMININE

_WORDS = SlavicWords(
    pronouns=gendered("он его него ему нему нем", "она ее нее ей ней ею нею"),
    attributes=gendered("ый ого ого его ому ему", "ая яя ую юю ой ою"),
    determiners=gendered(
        """
        мой твой свой наш ваш этот тот один сам каждый всякий какой-то некий моего твоего своего
        нашего вашего этого того одного самого каждого некоего моему твоему своему нашему этому тому
        одному самому моим твоим своим нашим этим тем одним самим моем своем нашем этом том одном
        """,
        """
        моя твоя своя наша ваша эта та одна сама каждая всякая какая-то некая мою твою свою нашу
        вашу эту ту одну саму каждую моей твоей своей нашей вашей этой той одной самой каждой
        """,
    ),
    ambiguous=("ой", "ей", "у", "ю"),
    feminine_attribute=("нная", "льная", "тная", "вная", "чная", "жная", "кая", "овая"),
    no_person=frozenset("глава главы главе главу главой папа тип типа члена член членом".split()),
    becoming=frozenset(
        """
        была стала работала служила являлась оказалась осталась назначена избрана трудилась
        выступала считалась называлась родилась избиралась назначалась становилась
        """.split()
    ),
    instrumental=("ом", "ем", "ым", "им"),
    adjectival=("ый", "ий", "ой", "ая", "яя", "ого", "его", "ому", "ему", "ым", "им", "ую", "юю"),
    adjectives=(("женск", _F), ("мужск", _M), ("материнск", _F), ("отцовск", _M)),
    past=(("лась", _F), ("лся", _M), ("ла", _F), ("л", _M)),
    no_verb=frozenset(
        """
        школа сила скала игла смола зола стрела пчела мгла пила юла дела тела числа масла кресла зла
        зеркала одеяла правила крыла предела отдела раздела стола пола бала металла журнала материала
        канала финала генерала капитала идеала сериала вокала персонала профессионала сигнала
        интервала квартала вокзала зала мемориала оригинала потенциала арсенала филиала капрала
        адмирала контр-адмирала либерала интеллектуала терминала криминала журнал материал канал финал генерал
        капитал идеал сериал вокал персонал профессионал сигнал интервал квартал вокзал зал мемориал
        оригинал потенциал арсенал филиал капрал адмирал либерал терминал криминал стол пол отдел
        раздел предел бал металл стул угол узел стиль стиля факел орел осел козел котел посол посла
        футбол баскетбол волейбол гандбол протокол протокола футбола баскетбола волейбола гандбола
        чел мел тыл фестивал автомобил крокодил профил полуфинал полуфинала мюзикл мюзикла цикл цикла
        титул титула артикул караул каникул формул формула акула фасоль бутыл клуб кабала капелла
        вилла новелла модел параллел похвала хвала жила могила мебел кукла скул скула свекла метла
        искал ритуал ритуала бокал бокала скандал скандала диагонал идол идола символ символа дол
        апостол апостола престол престола монополь вандал вандала провал провала подвал подвала
        обвал привал интеграл интеграла пенал пенала трибунал трибунала карнавал карнавала перевал
        перевала штурвал штурвала лихорадка дракула тула села сел бабла ствол ствола пятибал балл
        балла колл холл холла зрел светл тепла тепл начала начал свобода весла стекла число тело дело
        интернационал интернационала гол гола рояла вал вала овал овала мал мала стала-то глагол
        глагола анатол ателье игл скал школ сил стрел пчел дел тел чисел кресел зеркал правил крыльев
        """.split()
    )
    - frozenset("искал села сел".split()),
    verbs=gendered(
        """
        умер смог помог погиб исчез достиг вырос лег принес привез вез нес перенес привык возник
        проник постиг избег отверг подверг воздвиг замерз должен рад готов согласен известен рожден
        назначен избран награжден женат способен обязан занят похоронен уволен арестован убит ранен
        """,
        """
        должна рада готова согласна рождена назначена избрана награждена замужем обязана занята
        похоронена уволена арестована убита ранена вынуждена
        """,
    ),
    adverbs=frozenset(
        """
        не уже также тоже всегда часто никогда иногда снова потом затем сначала только сразу еще
        даже быстро очень недавно теперь тогда наконец вдруг внезапно больше обычно просто тщательно
        долго лично сам сама
        """.split()
    ),
    function_words=frozenset(
        """
        и в во не на что с со как а по но из у за от о об он она они его ее их ему ей был была были
        это для к ко до или если когда чтобы потому который которая которые бы же все так уже после
        при этот эта году года также я мы вы мне меня свой своей своего
        """.split()
    ),
    foreign_words=frozenset(
        "та що він вона й або було його її їх як із під від зі щоб коли".split()
    ),
    foreign_letters=frozenset("іїєґўјђћљњџ"),
    joiners=frozenset("или и либо".split()),
    prepositions=frozenset("с со у от для к ко о об за на в над под перед при".split()),
    fold_letters={ord("ё"): "е"},
)

_HARD = "а у ом е ы и ов ам ами ах ем я ей".split()
_SINGULAR = frozenset("а у ом е ем".split())
_IRREGULAR_PLURALS = {
    "друг": "друзья друзей друзьям друзьями друзьях",
    "брат": "братья братьев братьям братьями братьях",
    "муж": "мужья мужей мужьям мужьями мужьях",
    "сын": "сыновья сыновей сыновьям сыновьями сыновьях",
    "князь": "князья князей князьям князьями князьях",
    "зять": "зятья зятьев зятьям зятьями зятьях",
    "человек": "люди людей людям людьми людях человек",
    "ребенок": "дети детей детям детьми детях",
    "сосед": "соседи соседей соседям соседями соседях",
    "хозяин": "хозяева хозяев хозяевам хозяевами хозяевах",
    "господин": "господа господ господам господами господах",
    "черт": "черти чертей",
    "мать": "матери матерей матерям матерями матерях",
    "дочь": "дочери дочерей дочерям дочерями дочерьми дочерях",
    "дитя": "дети детей детям детьми детях",
}
_ADJECTIVE_ENDINGS = ("ый", "ий", "ой")
_NO_ADJECTIVES = frozenset("гений викарий герой ковбой пролетарий".split())


class Russian(EastSlavicReader):
    """Reader of Russian translations."""

    code = "ru"
    name = "Russian"
    version = 1
    decides = (
        "the form of the noun; of nouns of one form for both genders (судья, коллега) attributes"
        " and the past tense; a masculine noun with a feminine verb or attribute is feminine;"
        " pronouns where the source names nobody else"
    )
    words = _WORDS

    def inflect(self, lemma: str, gender: NounGender) -> Iterable[tuple[str, bool | None]]:
        """Yield the forms of all cases in both numbers."""
        lemma = self.fold(lemma)
        yield lemma, False
        for form in _IRREGULAR_PLURALS.get(lemma, "").split():
            yield form, True
        if lemma.startswith("кто-") or lemma in ("никто", "некто", "кто"):
            ending = lemma[3:] if lemma.startswith("кто-") else ""
            for form in "кого кому кем ком".split():
                before = "ни" if lemma == "никто" else ""
                yield f"{before}{form}{ending}", False
        elif lemma == "мать" or lemma == "дочь":
            yield f"{lemma[:-1]}ери", False
            yield f"{lemma[:-1]}ерью", False
        elif lemma.endswith(("ая", "яя")):
            yield from _adjective(lemma[:-2], feminine=True)
        elif lemma.endswith(_ADJECTIVE_ENDINGS) and lemma not in _NO_ADJECTIVES:
            yield from _adjective(lemma[:-2], feminine=False)
            if gender is NounGender.COMMON:
                yield f"{lemma[:-2]}ая", False
                yield from _adjective(lemma[:-2], feminine=True)
        elif lemma[-1] in "ая":
            yield from _first_declension(lemma)
        elif gender is NounGender.FEMININE and lemma[-1] == "ь":
            for ending in "и ью".split():
                yield lemma[:-1] + ending, None
            for ending in "ей ям ями ях".split():
                yield lemma[:-1] + ending, True
        elif lemma[-1] not in "оеиуюэ":
            yield from _second_declension(lemma)


def _adjective(stem: str, *, feminine: bool) -> Iterable[tuple[str, bool | None]]:
    singular = "ой ей ую юю ою ею" if feminine else "ого его ому ему ом ем"
    for ending in singular.split():
        yield stem + ending, False
    for ending in "ым им".split():
        yield stem + ending, True if feminine else None
    for ending in "ые ие ых их ыми ими".split():
        yield stem + ending, True


def _first_declension(lemma: str) -> Iterable[tuple[str, bool | None]]:
    stem, soft = lemma[:-1], lemma[-1] == "я"
    for ending in ("е ю ей ею" if soft else "е у ой ою ей ею").split():
        yield stem + ending, False
    for ending in ("и" if soft else "ы и").split():
        yield stem + ending, None
    for ending in ("ям ями ях" if soft else "ам ами ах").split():
        yield stem + ending, True
    if not soft:
        yield stem, True
        if stem[-1] == "к":
            before = stem[:-1].removesuffix("ь").removesuffix("й")
            yield f"{before}ок", True
            yield f"{before}ек", True
    elif stem[-1] == "и":
        yield f"{stem}й", True
    elif stem[-1] == "ь":
        yield f"{stem[:-1]}ий", True
        yield f"{stem[:-1]}ей", True
    else:
        yield f"{stem}ь", True
        yield f"{stem}ей", True


def _second_declension(lemma: str) -> Iterable[tuple[str, bool | None]]:
    if lemma[-1] in "ьй":
        stem = lemma[:-1]
        if lemma.endswith("ень"):  # парень, парня
            stem = f"{lemma[:-3]}н"
        for ending in "я ю ем е".split():
            yield stem + ending, False
        for ending in "и ей ев ям ями ях".split():
            yield stem + ending, True
        return
    stems = [lemma]
    if lemma.endswith("ец"):
        before = lemma[:-2]
        stems = [f"{before}ц", f"{before}ьц"]
        if before[-1] in "оеа":  # боец, бойца; европеец, европейца
            stems.append(f"{before[:-1] if before[-1] == 'е' else before}йц")
        if lemma[-3:] == "рец":  # жрец, жреца
            stems.append(lemma)
    elif lemma.endswith(("ок", "ек")):
        stems.append(f"{lemma[:-2]}к")
    elif lemma.endswith(("анин", "янин")):
        yield f"{lemma[:-2]}е", True
        yield lemma[:-2], True
        for ending in "ам ами ах".split():
            yield lemma[:-2] + ending, True
    for stem in stems:
        for ending in _HARD:
            yield stem + ending, ending not in _SINGULAR if ending != "а" else None


ENTITY_READER = Russian()
