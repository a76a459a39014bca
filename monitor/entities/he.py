"""Hebrew: the noun's form, without vowels; of nouns in -ה for both, verbs and adjectives tell."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
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
            for parts in product(
                ("", "ו"), ("", "ש", "כש", "מש", "לכש"), ("", "ב", "כ", "ל", "מ"), ("", "ה")
            )
        }
        - {""},
        key=len,
    )
)
_SUFFIXES = ("ו", "ה", "י", "ך", "ם", "ן", "נו", "יו", "יה", "ייך", "יהם", "יהן", "כם", "כן")
_FINAL = str.maketrans("ךםןףץ", "כמנפצ")
_TO_FINAL = str.maketrans("כמנפצ", "ךםןףץ")
_QUOTES = str.maketrans("״׳’", "\"''")
_PRONOUNS = {Gender.FEMININE: "היא והיא שהיא כשהיא", Gender.MASCULINE: "הוא והוא שהוא כשהוא"}
_SUFFIXED = {
    Gender.FEMININE: "שלה אותה לה ממנה אליה עליה בה איתה אתה+ עמה בעצמה לעצמה עצמה אצלה עבורה "
    "בשבילה לדבריה",
    Gender.MASCULINE: "שלו אותו לו ממנו אליו עליו בו איתו אתו עמו בעצמו לעצמו עצמו אצלו עבורו "
    "בשבילו לדבריו",
}
#: Verbs in the past, third person masculine; the feminine adds ה, or has תה for a last ה.
_PAST = """
    אמר סיפר דיבר שאל ביקש ענה צעק שוחח התקשר הזמין פגש ביקר ראיין הודיע הסביר הציע המליץ הזהיר
    הבטיח הודה התנצל התלונן התווכח הסכים סירב דחה קיבל נתן לקח הביא שלח מסר הושיט העביר החזיר שילם
    קנה מכר הרוויח שכר פיטר העסיק מינה קידם עבד בנה הכין בישל אפה ניקה תיקן תכנן עיצב כתב קרא ערך
    למד לימד הדריך עזר סייע תמך טיפל בדק בחן אבחן רשם ניתח ריפא הציל שמר הגן תפס עצר חקר האשים
    הכה בעט ירה נסע נהג הסיע רץ הלך הגיע בא חזר יצא נכנס עזב נשאר ישב עמד קם נפל חיכה המתין ראה
    ראתה שמע הביט צפה הרגיש חש חשב ידע הבין זכר שכח האמין אהב שנא העריץ העריך רצה קיווה ניסה הצליח
    התחיל החל סיים המשיך הפסיק החליט בחר השתמש עשה היה הפך נולד מת חי גדל התחתן התגרש זכה הפסיד
    שיחק שר רקד צחק בכה חייך כעס התרגז הופתע נבהל פחד דאג הראה גילה מצא איבד חיפש השאיר פתח סגר
    הכניס הוציא העלה הוריד הרים החזיק נתקל התנדב השתתף הצטרף הוביל ניהל ייסד הקים ארגן פרסם הופיע
    השיג דרש כיבד הטריד התגורר גר סבל חלה הבריא נפטר הוכרז נבחר התמודד פרש התפטר גנב רצח שיקר רימה
    שיבח נזף עודד שכנע הכיר אימץ אימן התאמן ויתר הכריז טען הוסיף השיב הציג סיפק יצר הפיק תרגם
    """
#: Verbs in the present, masculine; the feminine adds ת, a last ה has one form for both.
_PRESENT = """
    אומר מספר מדבר שואל מבקש צועק משוחח מתקשר מזמין פוגש מראיין מודיע מסביר מציע ממליץ מזהיר
    מבטיח מודה~ מתנצל מתלונן מתווכח מסכים מסרב דוחה~ מקבל נותן לוקח מביא שולח מושיט מעביר מחזיר
    מרוויח שוכר מפטר מעסיק מקדם עובד מכין מבשל מתקן מתכנן כותב קורא לומד מלמד מדריך עוזר מסייע תומך
    בודק בוחן שומר מגן תופס עוצר נוסע רץ הולך מגיע חוזר יוצא נכנס עוזב נשאר יושב עומד נופל ממתין
    שומע מביט מרגיש חושב יודע מבין זוכר שוכח מאמין אוהב שונא מעריץ מעריך מצליח מתחיל מסיים ממשיך
    מפסיק מחליט בוחר משתמש הופך מתחתן מפסיד משחק רוקד צוחק מחייך כועס פוחד דואג מגלה~ מאבד מחפש
    משאיר סוגר מכניס מוציא מוריד מרים מחזיק מתנדב משתתף מצטרף מוביל מנהל מארגן מפרסם מופיע משיג דורש
    סובל מתמודד גונב משקר מעודד משכנע מכיר יכול צריך עסוק בטוח מודאג מוכשר נחמד מאושר עצוב שמח חכם
    חולה~ צעיר זקן גבוה נמוך יפה~ טוב רע חדש ותיק מנוסה~ מקצועי עצלן אדיב חרוץ ישר מוכן פנוי זקוק
    """
_PAST_GENDERS = {
    form: gender
    for verb in _PAST.split()
    for form, gender in (
        (verb, Gender.MASCULINE),
        (f"{verb[:-1]}תה" if verb[-1] == "ה" else f"{verb.translate(_FINAL)}ה", Gender.FEMININE),
    )
}
_PRESENT_GENDERS = {
    form: gender
    for verb in _PRESENT.split()
    if verb[-1] != "~"
    for form, gender in (
        (verb, Gender.MASCULINE),
        (f"{verb.translate(_FINAL)}ת", Gender.FEMININE),
    )
}
_ADJECTIVES = "עסוק מודאג מוכשר נחמד עצוב שמח חכם צעיר זקן גבוה נמוך טוב רע חדש ותיק אדיב ישר"
_PRESENT_GENDERS |= {f"{word.translate(_FINAL)}ה": Gender.FEMININE for word in _ADJECTIVES.split()}
_PRESENT_GENDERS |= {"יכולה": Gender.FEMININE, "צריכה": Gender.FEMININE, "היתה": Gender.FEMININE}
_PRESENT_GENDERS |= {"הייתה": Gender.FEMININE, "זקוקה": Gender.FEMININE, "מוכנה": Gender.FEMININE}
_AGREEING = {**_PRESENT_GENDERS, **_PAST_GENDERS}
_FURTHEST_VERB = 4  # words behind the noun


class Hebrew(VotingReader):
    """Reader of Hebrew translations."""

    code = "he"
    name = "Hebrew"
    version = 1
    decides = (
        "the noun's form without vowels; verbs and adjectives next to a noun in -ה for both. "
        "Nobody whose language it is has checked the rules"
    )
    pronouns = invert(_PRONOUNS)
    suffixed = invert(_SUFFIXED)

    def fold(self, form: str) -> str:
        """Return `form` without vowels, accents and marks of direction."""
        return _fold(form)

    def split(self, key: str) -> tuple[str, ...]:
        """Return the word, then without prefixes, then without a pronoun behind it."""
        return _split(key)

    def inflect(self, lemma: str, gender: NounGender) -> Iterable[tuple[str, bool | None]]:
        """Yield singular, plural and their forms before another noun."""
        if lemma[-1] == "+":
            yield lemma[:-1], True
            if lemma.endswith("ים+"):
                yield f"{lemma[:-2]}", True
            return
        yield lemma, False
        stem = lemma.translate(_FINAL)
        if gender is NounGender.MASCULINE:
            stem = stem[:-1] if stem[-1] == "ה" else stem
            yield f"{stem}ים", True
            yield f"{stem}י", True
            if stem[-1] == "י":
                yield f"{stem}ם", True
        elif gender is NounGender.FEMININE:
            if lemma[-1] == "ה":
                yield f"{lemma[:-1]}ת", False
            yield _feminine_plural(lemma), True

    def is_native(self, key: str) -> bool:
        """Return whether a folded word is in Hebrew letters."""
        return "\u05d0" <= key[:1] <= "\u05ea"

    def agreement(self, tokens: Sequence[Token], place: int) -> list[Evidence]:
        """Return the adjective or the verb behind the noun."""
        definite = tokens[place].key != tokens[place].keys[-1] and "ה" in tokens[place].key[:3]
        for at in range(place + 1, min(len(tokens), place + 1 + _FURTHEST_VERB)):
            key = tokens[at].key
            if at == place + 1 and definite and len(key) > 4 and key[0] == "ה":
                if key[-1] == "ה" or key.endswith("ית"):
                    return [Evidence(at, Gender.FEMININE, "adjective")]
            shown = self.agreeing(tokens, at)
            if shown:
                return [Evidence(at, shown[0], "verb")]
            if self._forms_at(tokens[at]) or key in self.pronouns:
                break
        return []

    def agreeing(self, tokens: Sequence[Token], place: int) -> tuple[Gender, float] | None:
        """Return the gender of a verb in the third person or of an adjective."""
        for key in tokens[place].keys[:4]:
            if key in _AGREEING:
                return _AGREEING[key], 1.0
        return None


@lru_cache(maxsize=1 << 15)
def _fold(form: str) -> str:
    return MARK.sub("", unicodedata.normalize("NFKC", form)).translate(_QUOTES).casefold()


@lru_cache(maxsize=1 << 15)
def _split(key: str) -> tuple[str, ...]:
    return split_word(key, _PREFIXES, _without_pronoun, 2)


def _without_pronoun(word: str) -> Iterator[str]:
    for suffix in _SUFFIXES:
        if word.endswith(suffix):
            stem = word[: -len(suffix)]
            yield stem
            if stem:
                yield stem[:-1] + stem[-1].translate(_TO_FINAL)


def _feminine_plural(lemma: str) -> str:
    if lemma == "אחות":
        return "אחיות"
    return f"{lemma[:-1]}ות" if lemma[-1] in "הת" else f"{lemma.translate(_FINAL)}ות"


ENTITY_READER = Hebrew()
