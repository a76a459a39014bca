"""Slavic text: tokens with their offsets, uniform spelling, and the words of each language.

One compiled expression finds words and the punctuation that cuts clauses. A word keeps combining
marks, zero-width characters and the tail of a double form ("unavený/á", "mógł(a)bym", "rád*a");
:func:`clean` makes its spelling uniform, so that look-ups see lower case, composed letters and no
invisible characters, while offsets stay those of the text as it was given.
"""

import re
import unicodedata
from functools import cache

from monitor.languages._pairs import ONE_FORM
from monitor.languages._plain_text import shorten
from monitor.languages._speech import MARK, SIGNS

# In Cyrillic an apostrophe and a hyphen between letters belong to the word: об'єднав, что-то.
_WORD = rf"[^\W\d_]+(?:(?:[{MARK}\d]|['’\-](?=[\u0400-\u052f]))[^\W_{MARK}]*)*"
# What may follow the stroke or stand in the brackets of a double form.
# Longest first.
_TAIL = "łabym|abym|лась|лася|ého|łam|ась|am|ka|la|na|ná|ną|ou|ov|ła|ая|ла|на|ой|ою|ся|a|i|á|ą|а|я"
# The text may hold accents as marks of their own.
_TAILS = sorted({*_TAIL.split("|"), *unicodedata.normalize("NFD", _TAIL).split("|")}, key=len)
_ANY = "(?i:" + "|".join(reversed(_TAILS)) + ")"
TOKEN = re.compile(
    rf"{_WORD}(?:(?=[(\[/{ONE_FORM}])(?!:я)"  # :я is the next clause
    rf"(?:[(\[]-?{_ANY}[)\]](?:[^\W\d_]+)?|[/{ONE_FORM}]-?{_ANY}(?!\w)))?"
    rf"|{SIGNS}"
)
_INVISIBLE = re.compile(r"[\u200b-\u200f\u2060\ufeff\u00ad]")
_STRESS = re.compile("(?<=[аеёиоуыэюяєіїАЕЁИОУЫЭЮЯЄІЇ])\u0301")  # dictionaries mark it in Cyrillic
_STROKES = str.maketrans("łŁđĐ", "lLdD")  # these have no decomposition
DOUBLE = re.compile(
    rf"^(?P<stem>[^/(\[{ONE_FORM}]+)(?P<sign>[/(\[{ONE_FORM}])-?"
    rf"(?P<tail>{_TAIL})[)\]]?(?P<rest>\w*)$"
)


def clean(surface: str) -> str:
    """Lower case, composed, without invisible characters, stress marks and drawn-out letters."""
    if surface.isalpha():  # neither marks nor invisible characters
        low = shorten(surface.casefold())
        return low if low.isascii() else unicodedata.normalize("NFC", low)
    low = _STRESS.sub("", _INVISIBLE.sub("", surface).casefold())
    return shorten(unicodedata.normalize("NFC", low))


def fold(text: str) -> str:
    """`text` without accents and strokes."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFD", text.translate(_STROKES))
    return "".join(c for c in decomposed if not unicodedata.combining(c))


# --- languages by their function words ------------------------------------------------------------


def words(text: str) -> frozenset[str]:
    """The words of a block of text."""
    return frozenset(text.split())


_FUNCTION_WORDS = {
    "cs": words("""
        jsem jsi je jsme jste jsou nejsem není bych bys by bychom abych aby kdybych kdyby byl byla
        bylo se si že který která které když jako jak ale nebo také už jen ještě protože co kdo
        pro při před můj moje svůj své svou jeho její mě mně mi já ty vy být mít mám měl měla
        nikdy vždy vždycky velmi všechny všichni všechno někdo něco proč kde než až tak proto
        jejich s v z k na do od po o i a to ten ta byli lidé nikdo s sebe sobě při přes bez
        nic můžu musím ráda rád chci chtěl chtěla proti jeden celý den
        """),
    "sk": words("""
        som si je sme ste sú nie nebol by aby keby bol bola bolo sa že ktorý ktorá ktoré keď ako
        ale alebo tiež už len ešte pretože čo kto pre pri pred môj moja moje svoj svoje svoju jeho
        jej ma mňa mi ja ty vy byť mať mám mal mala nikdy vždy veľmi všetky všetci všetko niekto
        niečo prečo kde než až tak preto ich s v z k na do od po o i a to ten tá boli ľudia nikto
        seba sebe cez bez nič môžem musím rada rád chcem chcel chcela proti jeden celý deň tým
        toho lebo hoci
        """),
    "pl": words("""
        jestem jesteś jest jesteśmy są nie nigdy zawsze bardzo się że który która które kiedy gdy
        jak ale albo też już tylko jeszcze ponieważ co kto dla przy przed mój moja moje swój swoje
        swoją jego jej mnie mi ja ty wy być mieć mam miał miała wszystkie wszyscy wszystko ktoś
        coś dlaczego gdzie niż aż tak więc ich z w ze we do od po o i a to ten ta byli ludzie nikt
        siebie sobie przez bez nic mogę muszę chcę chciałem przeciwko jeden cały dzień byłem byłam
        jako żeby aby czy lub za na ja moim mojej swojej swoim ma
        """),
    "hr": words("""
        boli znam
        sam si je smo ste su nisam nije bih bi bismo bio bila bilo se da koji koja koje kad kada
        kao ali ili također već samo još jer što šta tko ko za pri pred moj moja moje svoj svoje
        svoju njegov njen me meni mi ja ti vi biti imati imam imao imala nikad nikada uvijek uvek
        vrlo veoma svi sve netko nešto zašto gdje gde nego tako zato ih s sa u iz k na do od po o i
        a to taj ta ljudi ljude nitko niko sebe sebi bez ništa mogu moram volim htio želim kako
        ako biti bila prema
        """),
    "sl": words("""
        boli vem
        sem si je smo ste so nisem ni bi bom bil bila bilo se da ki kateri katera ko kot kako ampak
        ali tudi že samo še ker kaj kdo za pri pred moj moja moje svoj svoje svojo njegov njen me
        meni mi jaz ti vi biti imeti imam imel imela nikoli vedno zelo vsi vse nekdo nekaj zakaj
        kjer kot tako zato jih s z v iz k na do od po o in a to ta ljudje ljudi nihče sebe sebi
        brez nič lahko moram rad rada želim če bolj pa saj sva
        """),
    "ru": words("""
        я не что и в на с как но или тоже уже только ещё еще потому когда который которая которые
        чтобы бы был была было были быть мой моя мое моё мои свой свою своё своего моей моего его
        её ее меня мне мной это этот эта никогда всегда очень все всё всех кто где чем так поэтому
        их к из от по о у до для без за при над они он она мы вы ты если хочу могу люди никто себя
        себе ничего мог могла даже раз есть нет со
        """),
    "uk": words("""
        я не що і й та в у на з із як але або теж також вже лише ще тому коли який яка які щоб би б
        був була було були бути мій моя моє мої свій свою своє свого моєї мого його її мене мені
        мною це цей ця ніколи завжди дуже всі все усі хто де ніж так їх їхні до від по о для без за
        при над вони він вона ми ви ти якщо хочу можу люди ніхто себе собі нічого міг могла навіть
        є немає зі під про щось раз тебе тобі хоча усе
        """),
    "be": words("""
        я не што і ў у на з як але або таксама ужо толькі яшчэ таму калі які якая якія каб бы б быў
        была было былі быць мой мая маё мае свой сваю сваё свайго маёй майго яго яе мяне мне мной
        гэта гэты гэтая ніколі заўсёды вельмі усе ўсе ўсё хто дзе чым так іх да ад па аб для без за
        пры над яны ён яна мы вы ты калі хачу магу людзі ніхто сябе сабе нічога мог магла нават
        ёсць няма са пра
        """),
    "bg": words("""
        аз съм е си сме сте са не няма нямам и в във на с със като но или също вече само още защото
        какво кой който която което които кога когато да ще бих би беше бях бяха бил била мой моят
        моята моето моите ми ме мен мене твой ти той тя то те ние вие никога винаги много всички
        всичко някой нещо защо къде където така затова от до по за при над под пред след през без
        към около ако мога искам имам имах исках трябва хората себе бъда бъде този тази това тези
        един една едно съм ги го му й ни тях него нея как къде повече дори обаче може
        """),
    "en": words("""
        the i am was is are were been be my me you your we they he she it of and not have has had
        with that this at for but when because if would could should by from about what i'm i've
        don't didn't an on as his her their who how why never always very do did will can like love
        feel people really know think want good time work get got make made than more our out go
        one some could couldn't can't wasn't everyone someone something things him them its
        """),
}  # fmt: skip
#: Letters that only one of the languages has.
TELLING = {
    code: frozenset(letters)
    for code, letters in {
        "cs": "ěřů", "sk": "ľĺŕ", "pl": "ąęłńśźż", "uk": "їєґ", "be": "ў", "ru": "ъ",
    }.items()
}  # fmt: skip
# Serbian is Croatian with other vowels: one list serves both.
_FUNCTION_WORDS["sr"] = _FUNCTION_WORDS["hr"]
# Frequent words of English and of its neighbours that are spelt like Slavic words.
_COMMON = words("i a an on me do to my we by as of is at be are he she it her his so can be had")


# Ordinary words of a language that are a function word of another one: work, sea, team, hurts.
_HOMOGRAPHS = {
    "hr": words("rad rada rade one time more bol boli love most him go can do to"),
    "cs": words("tým ni rad rada samo bol make my to more on"),
    "sk": words("rad more make bol boli my ten rada one"),
    "pl": words("boli sa rad rada samo my time most go"),
    "sl": words("more kad nego bol rada one most time love"),
    "ru": words("ад от"),
    "uk": words("от он ад"),
    "be": words("від"),
    "bg": words("от он"),
}
_HOMOGRAPHS["sr"] = _HOMOGRAPHS["hr"]


#: Spellings of chats and of the spoken language: {spelling: word}.
CHAT: dict[str, dict[str, str]] = {
    code: dict(pair.split("/") for pair in pairs.split())
    for code, pairs in {
        "cs": "bejt/být neni/není sme/jsme dyž/když kerej/který kerá/která páč/protože",
        "sk": "velmi/veľmi neni/nie",
        "pl": "jezdem/jestem jestę/jestem jezdę/jestem bende/będę bd/będę wogle/ogólnie",
        "hr": "sm/sam",
        "sl": "sm/sem nism/nisem js/jaz jst/jaz jest/jaz jz/jaz bla/bila biu/bil nebi/bi",
        "ru": "оч/очень щас/сейчас ща/сейчас счас/сейчас ваще/вообще чё/что чо/что када/когда",
        "uk": "щас/зараз шо/що чо/чого ваще/взагалі",
        "be": "шчас/зараз чо/чаго",
    }.items()
}
CHAT["sr"] = CHAT["hr"]
#: Endings of the spoken language: {ending: that of the written one}, for words without any reading.
#: Czech "unavenej", whose feminine is as in writing.
SPOKEN = {"cs": ("ej", "ý")}


#: Bulgarian words that no other language has; most are spelt as in the East.
_BULGARIAN_ALONE = words("""
    съм със във също вече защото който която което които когато беше бях бяха моят моята моето
    моите някой нещо къде където през към този тази тези аз сме всички трябва
    """)


@cache
def own_and_foreign(code: str, *, bare: bool = False) -> tuple[frozenset[str], frozenset[str]]:
    """Words that only `code` has among the lists, and words that only other languages have.

    With `bare` as they are spelt without diacritics.
    """
    own_words = _FUNCTION_WORDS[code]
    other_lists = [
        listed for other, listed in _FUNCTION_WORDS.items()
        if listed is not own_words and other not in (code, "bg")
    ]  # fmt: skip
    foreign_words = frozenset().union(*other_lists)
    if code != "bg":
        foreign_words |= _BULGARIAN_ALONE - foreign_words - own_words
    if bare:
        own_words, foreign_words = (
            frozenset(map(fold, listed)) | listed for listed in (own_words, foreign_words)
        )
    return own_words - foreign_words, foreign_words - own_words - _COMMON - _HOMOGRAPHS[code]
