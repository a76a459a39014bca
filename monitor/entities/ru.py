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
    women=("женщин", "девушк", "девуше"),
    no_person=frozenset(
        """
        глава главы главе главу главой папа тип типа члена член членом практика практике практики
        практикой практику критика критике критики критикой критику механика механике политика
        политике политики политикой политику техника технике техники техникой технику физика физике
        физики химия статистика статистике статистики оптика магистра магистр бакалавра бакалавр
        комика
        """.split()
    ),
    becoming=frozenset(
        """
        была стала работала служила являлась оказалась осталась назначена избрана трудилась
        выступала считалась называлась родилась избиралась назначалась становилась
        """.split()
    ),
    offices=frozenset(
        """
        должность должности должностью пост поста посту постом роль роли ролью качестве звание
        звания титул титула место кресло обязанности заместителем заместитель степень степени
        квалификацию диплом
        """.split()
    ),
    instrumental=("ом", "ем", "ым", "им"),
    adjectival=("ый", "ий", "ой", "ая", "яя", "ого", "его", "ому", "ему", "ым", "им", "ую", "юю"),
    adjectives=(("женск", _F), ("мужск", _M), ("материнск", _F), ("отцовск", _M)),
    past=(("лась", _F), ("лся", _M), ("ла", _F), ("л", _M)),
    no_verb=frozenset(
        """
        адмирал адмирала апостол апостола арсенал арсенала бал бала балл балла баскетбол баскетбола
        бокал бокала вал вала вандал вандала вице-адмирал вице-адмирала вокал вокала вокзал вокзала
        волейбол волейбола гандбол гандбола генерал генерала глагол глагола гол гола журнал журнала
        зал зала идеал идеала идол идола интеграл интеграла интеллектуал интеллектуала интервал
        интервала интернационал интернационала канал канала капитал капитала капрал капрала караул
        караула карнавал карнавала квартал квартала колокол колокола контр-адмирал контр-адмирала
        криминал криминала либерал либерала материал материала мемориал мемориала металл металла
        мюзикл мюзикла обвал обвала овал овала оригинал оригинала отдел отдела пенал пенала перевал
        перевала персонал персонала подвал подвала пол пола полуфинал полуфинала потенциал
        потенциала предел предела престол престола привал привала провал провала протокол протокола
        профессионал профессионала пьедестал пьедестала раздел раздела ритуал ритуала сериал сериала
        сигнал сигнала символ символа сингл сингла скандал скандала ствол ствола стол стола стул
        стула телесериал телесериала терминал терминала титул титула трибунал трибунала факел факела
        филиал филиала финал финала футбол футбола холл холла цикл цикла штурвал штурвала школа сила
        скала игла смола зола стрела пчела мгла юла дела тела числа масла кресла зла зеркала одеяла
        правила крыла стекла села весла сначала формула акула капелла вилла новелла похвала
        хвала жила могила скула метла бабла школ сил скал игл стрел пчел дел тел чисел кресел зеркал
        правил орел осел котел козел посол посла узел угол угла тыл тыла мел чернил кабала мила мул
        мула
        """.split()
    ),
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

_HARD = "а у ом е ы и ов ев ам ами ах ем я ей".split()
_SINGULAR = frozenset("а у ом е ем".split())
_IRREGULAR_SINGULARS = {
    "кто-то": "кого-то кому-то кем-то ком-то",
    "кто-нибудь": "кого-нибудь кому-нибудь кем-нибудь ком-нибудь",
    "кто-либо": "кого-либо кому-либо кем-либо ком-либо",
    "мать": "матери матерью",
    "дочь": "дочери дочерью",
}
_IRREGULAR_STEMS = {"посол": "посл", "свекор": "свекр"}
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
    "шурин": "шурья шурьев шурьям шурьями шурьях",
    "деверь": "деверья деверей деверьям деверьями деверьях",
    "дядя": "дядья дядьев дядьям дядьями дядьях",
    "сестра": "сестер",
    "медсестра": "медсестер",
    "княжна": "княжон",
    "царевна": "царевен",
    "мать": "матери матерей матерям матерями матерях",
    "дочь": "дочери дочерей дочерям дочерями дочерьми дочерях",
    "дитя": "дети детей детям детьми детях",
}
_ADJECTIVE_ENDINGS = ("ый", "ий", "ой")
_FEMININE_IN_SOFT_SIGN = frozenset("личность знаменитость модель".split())
_NO_ADJECTIVES = frozenset("гений викарий аграрий герой ковбой пролетарий".split())


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
        for form in _IRREGULAR_SINGULARS.get(lemma, "").split():
            yield form, False
        for form in _IRREGULAR_PLURALS.get(lemma, "").split():
            yield form, True
        if lemma in _IRREGULAR_SINGULARS:
            return
        if lemma.endswith(("ая", "яя")):
            yield from _adjective(lemma[:-2], feminine=True)
        elif lemma.endswith(_ADJECTIVE_ENDINGS) and lemma not in _NO_ADJECTIVES:
            yield from _adjective(lemma[:-2], feminine=False)
        elif lemma[-1] in "ая":
            yield from _first_declension(lemma)
        elif gender is NounGender.FEMININE or lemma in _FEMININE_IN_SOFT_SIGN:
            yield from _third_declension(lemma)
        elif lemma[-1] in "ьй":
            yield from _soft_declension(lemma)
        elif lemma[-1] not in "еиуюэ":
            yield from _hard_declension(lemma.removesuffix("о"))


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
    elif stem[-1] in "иея":
        yield f"{stem}й", True
    elif stem[-1] == "ь":
        yield f"{stem[:-1]}ий", True
        yield f"{stem[:-1]}ей", True
    else:
        yield f"{stem}ь", True
        yield f"{stem}ей", True


def _third_declension(lemma: str) -> Iterable[tuple[str, bool | None]]:
    for ending in "и ью".split():
        yield lemma[:-1] + ending, None
    for ending in "ей ям ями ях".split():
        yield lemma[:-1] + ending, True


def _soft_declension(lemma: str) -> Iterable[tuple[str, bool | None]]:
    stem = f"{lemma[:-3]}н" if lemma.endswith("ень") else lemma[:-1]  # парень, парня
    for ending in "я ю ем е".split():
        yield stem + ending, False
    for ending in "и ей ев ям ями ях".split():
        yield stem + ending, True


def _hard_declension(lemma: str) -> Iterable[tuple[str, bool | None]]:
    if lemma.endswith(("анин", "янин", "арин", "ярин")):  # гражданин, граждане; болгарин, болгары
        for ending in ("е", "ы", "", "ам", "ами", "ах"):
            yield lemma[:-2] + ending, True
    for stem in _stems(lemma):
        for ending in _HARD:
            if stem + ending != "после":  # "after", not the ambassador
                yield stem + ending, None if ending == "а" else ending not in _SINGULAR


def _stems(lemma: str) -> list[str]:
    """Return the stems that a noun can have before endings: продавец, продавц-; боец, бойц-."""
    if lemma in _IRREGULAR_STEMS:
        return [_IRREGULAR_STEMS[lemma]]
    before = lemma[:-2]
    if lemma.endswith("ец"):
        return [lemma, f"{before}{'й' if before[-1] in 'оеаи' else ''}ц", f"{before}ьц"]
    if lemma.endswith(("ок", "ек")):
        return [lemma, f"{before}к", f"{before}ьк"]
    return [lemma]


ENTITY_READER = Russian()
