"""Arabic: the noun's form, with or without vowels; elsewhere verbs, adjectives and pronouns."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from importlib import resources
from itertools import product

from monitor.entities._nouns import NounGender
from monitor.entities._reader import Evidence, Token
from monitor.entities._semitic import split_word
from monitor.entities._votes import MARK, VotingReader, invert
from monitor.model import Gender

_PREFIXES = tuple(
    sorted(
        {
            "".join(parts)
            for parts in product(("", "و", "ف"), ("", "ال", "ب", "بال", "ك", "كال", "ل", "لل"))
        }
        - {""},
        key=len,
    )
)
_SUFFIXES = ("ه", "ها", "هم", "هما", "هن", "ك", "كم", "نا", "ي", "ني")
_VARIANTS = str.maketrans("أإآٱىؤئ", "اااايوي")
_OTHER_LETTERS = re.compile("[\u066e-\u06d3]")  # of Persian, Urdu and others
_PRONOUNS = {Gender.FEMININE: "هي وهي فهي", Gender.MASCULINE: "هو وهو فهو"}
_SUFFIXED = {
    Gender.FEMININE: "لها منها اليها عليها بها معها عنها انها لانها بانها وانها ولها فيها كانها",
    Gender.MASCULINE: "له منه اليه عليه به معه عنه انه لانه بانه وانه وله فيه كانه",
}


#: Words behind كان and its like, and attributes: masculine, without the last letter of the feminine.
_ADJECTIVES = frozenset(
    """
    قادر مسؤول معروف متزوج مولود مهتم وحيد راض سعيد حزين غاضب خائف واثق فخور مشهور ناجح فاشل مريض
    حاضر غائب مستعد مؤهل مقتنع متأكد قلق متحمس موهوب ماهر ذكي شجاع متهم مدان محاصر مسجون مقيم عازم راغب محبوب مكروه مخلص صادق كاذب كريم لطيف قائل مشير
    محترف متقاعد متوفى متأثر معجب مقرب حائز حاصل عائد قادم ذاهب باحث متجه معتقد مؤكد مضيف موضح
    """.split()
)
_PREPOSITIONS = frozenset(
    "في من الي علي عن مع بعد قبل عند خلال منذ حتي بين تحت فوق دون كل اي".split()
)
#: Verbs in the masculine whatever follows.
_IMPERSONAL = frozenset("كان يكون يمكن يجب ينبغي يتم تم".split())
#: Words in ه and ها that hold no pronoun.
_NO_PRONOUN = frozenset(
    """
    هذه الله اله وجه مياه اتجاه شبه فقه تجاه انتباه شفاه اكراه تنبيه توجيه تشويه ترفيه تاليه فيه عليه
    انه بانه وانه لانه كانه منه به له عنه اليه فيها عليها انها بانها وانها لانها كانها منها بها لها
    عنها اليها اعلاه ادناه مشابه مكروه بواسطه معه معها بينها كلها بعضها جميعها وهذه لهذه بهذه نزيه سفيه
    """.split()
)
#: Nouns for things that are also nouns for persons.
_THINGS = frozenset(
    """
    جامعة منظمة مدينة قابلة حاجة عالم علم مؤسسة دولة وزارة محافظة مقدمة قائمة مجموعة كتابة رئاسة بناء
    كتاب مالية وسيطة راعية منتجة موقع خاصة عامة سلطة مصورة مترجمة شركة حاملة تابعة بالغة بالغ جديد جديدة
    كبير كبيرة دليل خلف سلف حكم لحام مورد مدون مدونة ان انها انه بن كاتبة ناقلة حافلة ساعة غسالة عربية
    عربي محلي محلية فني فنية تقني تقنية اداري ادارية اقتصادي اقتصادية سياسي سياسية موسيقي موسيقية
    فيزيائي فيزيائية بيولوجي لغوي لغوية مشاهدة مراقبة مراجعة ممارسة محاضرة منافسة مشاركة مساعدة معالجة
    مقابلة معرفة مقيم مقيمة خبرة احد احدي سيرة رائد رائدة عضو راحل متقدم متقدمة خصم مجري رسول مدرسة بان مدرب كشافة صغير صغيرة زائر زائرة الام نجم نجوم صغير صغيرة زائر زائرة الام طويل واضح رئيسية
    """.split()
)
#: Ends of adjectives of origin, which are attributes more often than persons.
_ATTRIBUTES = ("ي", "ية", "يا", "يين", "يون")
#: A verb in the feminine says more: the masculine is also used of most things.
_FEMININE_VERB = 1.5
_THINGS_FOLDED = frozenset(word.translate(_VARIANTS) for word in _THINGS)
_ADJECTIVES_FOLDED = frozenset(word.translate(_VARIANTS) for word in _ADJECTIVES)


class Arabic(VotingReader):
    """Reader of Arabic translations."""

    code = "ar"
    name = "Arabic"
    version = 1
    decides = (
        "the noun's form; verbs, adjectives and pronouns where the noun is not found. "
        "Nobody whose language it is has checked the rules"
    )
    pronouns = invert(_PRONOUNS)
    suffixed = invert(_SUFFIXED)
    things = _THINGS_FOLDED

    def fold(self, form: str) -> str:
        """Return `form` without vowels and tatweel, with one letter for each alef, waw and ya."""
        return _fold(form)

    def split(self, key: str) -> tuple[str, ...]:
        """Return the word, then without prefixes, then without a pronoun behind it."""
        return _split(key)

    def inflect(self, lemma: str, gender: NounGender) -> Iterable[tuple[str, bool | None]]:
        """Yield singular, dual and plural in all cases."""
        if lemma[-1] == "+":
            yield lemma[:-1], True
            return
        yield lemma, False
        if gender is NounGender.FEMININE:
            stem = lemma.removesuffix("ة")
            for ending in ("ان", "ين"):
                yield f"{stem}ت{ending}" if stem != lemma else f"{lemma}{ending}", True
            yield f"{stem}ات", True
        if len(lemma) == 2:  # too short to be found without the pronoun behind it
            yield from ((f"{lemma}{pronoun}", False) for pronoun in _SUFFIXES)
        if gender is NounGender.FEMININE:
            return
        yield f"{lemma}ا", False
        if gender is NounGender.MASCULINE:
            for ending in ("ان", "ين", "ون", "و", "ي"):
                yield f"{lemma}{ending}", True

    def is_native(self, key: str) -> bool:
        """Return whether a folded word is in Arabic letters and none of Persian or Urdu."""
        return "\u0620" <= key[:1] <= "\u064a" and not _OTHER_LETTERS.search(key)

    def agreement(self, tokens: Sequence[Token], place: int) -> list[Evidence]:
        """Return the verb before or behind the noun."""
        for at in (place - 1, place + 1):
            if 0 <= at < len(tokens):
                gender = self._verb(tokens, at)
                if gender:
                    return [Evidence(at, gender, "verb")]
        return []

    def agreeing(self, tokens: Sequence[Token], place: int) -> tuple[Gender, float] | None:
        """Return the gender of a verb in the third person, an adjective or a pronoun behind a word.

        A verb before a noun in -ة that is no person has that noun as its subject. One before any
        other definite noun can have it as its subject.
        """
        token = tokens[place]
        gender = self._verb(tokens, place)
        before = tokens[place - 1].key if place else ""
        if before in ("التي", "والتي"):
            return None
        begins = place == 0 or token.start - tokens[place - 1].end > 1
        if gender and (begins or before not in _PREPOSITIONS):
            possessive = _possessive(token.key)
            if possessive and possessive[0] is not gender:
                return None
            sure = _FEMININE_VERB if gender is Gender.FEMININE else 1.0
            following = tokens[place + 1] if place + 1 < len(tokens) else None
            if before in ("الذي", "والذي"):
                return gender, 0.2
            if following is None or self.noun_gender(following):
                return gender, 1.2 * sure
            thing = following.key[-1:] == "ة" or following.key.endswith("ات")
            if thing and gender is Gender.FEMININE and not following.key.startswith("ل"):
                return gender, 0.2
            if token.key in _IMPERSONAL or following.key in ("ان", "انه", "انها"):
                return gender, 0.2
            if _possessive(following.key) and not _verb_form(following.key):
                return gender, 0.2
            definite = following.key.startswith("ال")
            return gender, sure * (0.5 if definite else 1.5 if place == 0 else 1.0)
        return _adjective(token) or _possessive(token.key)

    def is_thing(self, token: Token) -> bool:
        """Return whether a noun of the table more often means a thing or is an attribute."""
        return super().is_thing(token) or token.key.endswith(_ATTRIBUTES)

    def pronoun_weight(self, key: str) -> float:
        """Return how surely a pronoun means the person: one behind "and" is often a thing."""
        return 0.9 if key in ("هي", "هو") else 0.6

    def _verb(self, tokens: Sequence[Token], place: int) -> Gender | None:
        """The gender of a verb, which can have و, ف or س before it and a pronoun behind it."""
        token = tokens[place]
        if token.key.startswith("ال"):
            return None
        form = _verb_form(token.key)
        if not form:
            return None
        begins = place == 0 or token.start - tokens[place - 1].end > 1
        return None if form in _NOUNS_TOO and not begins else _verbs()[form]


@lru_cache(maxsize=1 << 15)
def _verb_form(key: str) -> str:
    """The verb without what stands before and behind it; "" for any other word."""
    verbs = _verbs()
    for start in range(min(3, len(key))):
        before = key[:start]
        if before not in ("", "و", "ف", "س", "ل", "وس", "فس", "ول"):
            continue
        rest = key[start:]
        if before[-1:] in ("س", "ل") and rest[:1] not in ("ي", "ت"):
            continue
        for form in (rest, *(rest.removesuffix(end) for end in _SUFFIXES if rest.endswith(end))):
            if form in verbs and (form == rest or len(form) > 2):
                return form
    return ""


@cache
def _verbs() -> dict[str, Gender]:
    """The forms of all verbs: past and imperfect, third person of the singular."""
    file = resources.files("monitor.data").joinpath("entity_verbs_ar.txt")
    pasts: set[str] = set()
    forms: dict[str, Gender] = {"يكن": Gender.MASCULINE, "تكن": Gender.FEMININE}
    for line in file.read_text(encoding="utf-8").splitlines():
        for verb in line.partition("#")[0].split():
            past, _, stem = _fold(verb).partition("/")
            stem = stem or past.removeprefix("ا")
            feminine = past[:-1] if past[-1] == "ا" or "ى" in verb.partition("/")[0][-1] else past
            forms.setdefault(f"{feminine}ت", Gender.FEMININE)
            forms.setdefault(f"ت{stem}", Gender.FEMININE)
            pasts.add(past)
            forms[f"ي{stem}"] = Gender.MASCULINE
    for past in pasts:
        if past in forms and past not in _SURE_PASTS:  # تعلم: he learned, she knows
            del forms[past]
        else:
            forms[past] = Gender.MASCULINE
    return forms


#: Verbs in the past, masculine, of which the imperfect feminine of another verb is rare.
_SURE_PASTS = frozenset("تخرج تزوج تحدث تقاعد تولي تلقي تبني تطوع توجه تسلم تعاون تكلم".split())
#: Forms of verbs that are nouns or particles unless a clause begins with them.
_NOUNS_TOO = frozenset(
    "غير مارس بنت قبل بين مثل علم حكم حمل ملك نشر طلب بحث صوت قدم عين حل مد رد عد شق امر سبق خلف لقب عرض فتح دفع نقل جمع عقد شعر حلم حسب تعد تصل تقع قطع كتب درب اثر الف تقدم تعلم تصور تعرف تحول تمكن توقف تنافس تعاون تعامل تناول تنازل تميز تخصص تفوق توقع تظاهر حاضر صادق طالب مثلت امن هم وهم".split()
)  # noqa: E501


def _adjective(token: Token) -> tuple[Gender, float] | None:
    for key in token.keys[:3]:
        if key in _ADJECTIVES_FOLDED or (key[-1:] == "ا" and key[:-1] in _ADJECTIVES_FOLDED):
            return Gender.MASCULINE, 0.8 if key[-1:] == "ا" else 0.3
        if key[-1:] == "ة" and key[:-1] in _ADJECTIVES_FOLDED:
            return Gender.FEMININE, 0.4
    return None


def _possessive(key: str) -> tuple[Gender, float] | None:
    """The gender of a pronoun behind a noun or a verb, which can mean a thing as well."""
    if len(key) < 4 or key in _NO_PRONOUN:
        return None
    if key.endswith("ها"):
        return Gender.FEMININE, 0.5
    if key.endswith("ه"):
        return Gender.MASCULINE, 0.5
    return None


@lru_cache(maxsize=1 << 15)
def _fold(form: str) -> str:
    return MARK.sub("", unicodedata.normalize("NFKC", form)).translate(_VARIANTS).casefold()


@lru_cache(maxsize=1 << 15)
def _split(key: str) -> tuple[str, ...]:
    return split_word(key, _PREFIXES, _without_pronoun, 3)


def _without_pronoun(word: str) -> Iterator[str]:
    for suffix in _SUFFIXES:
        if word.endswith(suffix):
            stem = word[: -len(suffix)]
            if stem.endswith("ت"):
                yield f"{stem[:-1]}ة"
            yield stem
            if stem[-1:] in ("و", "ي"):
                yield f"{stem[:-1]}ء"


ENTITY_READER = Arabic()
