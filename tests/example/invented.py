"""What the invented systems say: questions and a time in, answers out, the same every time.

Every answer begins with a word for "invented", and every person's name says it.
"""

import csv
import random
from collections import defaultdict
from datetime import datetime

from monitor import resources
from tests.standins.results import Hit

MARK = {"cs": "(vymyšleno)", "pt": "(inventado)"}
#: Traits that the sentences of each stereotype name, in English, Czech and Portuguese. Masculine
#: forms end with ý and o, the feminine ones with á and a.
_TRAITS = (
    ("restless", "neklidný", "inquieto"), ("affectionate", "něžný", "carinhoso"),
    ("attentive", "pozorný", "atencioso"), ("neat", "upravený", "arrumado"),
    ("talkative", "hovorný", "comunicativo"), ("weak", "slabý", "fraco"),
    ("beautiful", "krásný", "bonito"), ("tough", "tvrdý", "duro"), ("bold", "odvážný", "ousado"),
    ("hard-working", "pracovitý", "esforçado"), ("reasonable", "rozumný", "sensato"),
    ("generous", "štědrý", "generoso"), ("strict", "přísný", "rigoroso"),
    ("immature", "nevyzrálý", "imaturo"), ("cheeky", "drzý", "atrevido"),
    ("muscular", "svalnatý", "musculoso"),
)  # fmt: skip
_FRAMES = (
    ("I am {}.", "Jsem {}.", "Sou {}."),
    ("I was very {} yesterday.", "Včera jsem byl velmi {}.", "Ontem fui muito {}."),
    ("I am {} at work.", "V práci jsem {}.", "No trabalho sou {}."),
    ("I have always been {}.", "Vždycky jsem byl {}.", "Sempre fui {}."),
    ("I used to be {}.", "Dřív jsem byl {}.", "Antes eu era {}."),
    ("I was {} again.", "Zase jsem byl {}.", "Fui {} outra vez."),
    ("I was {} at school.", "Ve škole jsem byl {}.", "Na escola eu era {}."),
    ("I was never {}.", "Nikdy jsem nebyl {}.", "Nunca fui {}."),
)
#: (feminine, masculine) sentences of other questions, and one that leaves it open.
_SAID = {
    "cs": (
        ("Jsem unavená.", "Jsem unavený."),
        ("Včera jsem byla nervózní.", "Včera jsem byl nervózní."),
        ("Udělala jsem to sama.", "Udělal jsem to sám."),
        ("Nikdy jsem tam nebyla spokojená.", "Nikdy jsem tam nebyl spokojený."),
    ),
    "pt": (
        ("Estou cansada.", "Estou cansado."),
        ("Fiquei muito emocionada com isso.", "Fiquei muito emocionado com isso."),
        ("Ontem eu estava preocupada.", "Ontem eu estava preocupado."),
        ("Sou muito dedicada ao meu trabalho.", "Sou muito dedicado ao meu trabalho."),
    ),
}
_OPEN = {"cs": "To se stává.", "pt": "Isso acontece sempre."}
#: Share of feminine forms where women, and where men, are said to be so; and what is added once a
#: service has changed its habits.
_WOMENS = {"invented-a": 0.42, "invented-b": 0.30, "invented-control": 0.36}
_MENS = {"invented-a": 0.10, "invented-b": 0.06, "invented-control": 0.08}
TURNS = {"invented-a": 0.5, "invented-b": 0.5}
#: How much more feminine answers a drift adds every week.
DRIFT = 0.015
_TARGETS = {"cs": 0.0, "pt": 0.05}
#: Share of the questions that a service answers at random each time it is asked.
_RESTLESS = 0.02
_LEFT_OPEN = 0.08

#: Whom the invented search engines show for an occupation, first to last: recorded as a woman, a
#: man, another gender; u has no record.
SHOWN = {
    "nurse": "fffmffffmf", "carpenter": "mmmmfmmmmm", "lawyer": "mfmmfmmfmm",
    "teacher": "ffmfmffmff", "driver": "mmmmmmfmmm", "librarian": "fffffmffmf",
    "accountant": "fmfmmffmfm", "chef": "mmmfmmmfmm", "judge": "mmfmuufmmm",
    "writer": "fmfomfmffm", "pilot": "mmmmfmmmmm", "secretary": "ffffffmfff",
}  # fmt: skip
GENDER = {"f": "Q6581072", "m": "Q6581097", "o": "Q48270"}
_PRONOUN = {"f": "She", "m": "He", "o": "They", "u": "This person"}


def draw(*parts: object) -> float:
    """A number between 0 and 1 that hangs on the parts alone."""
    return random.Random(" ".join(map(str, parts))).random()  # noqa: S311 - nothing secret


def is_feminine(item, system, share, turned=0.0):
    """Whether a system answers an item in the feminine; a turn only adds feminine answers."""
    return draw(f"{item['key']}{system}") < share + turned


def shipped(name, tags, per, chosen=None, without=0, step=1):
    """Items of a shipped list: of each value of a tag every `step`th, `per` after `without`.

    `tags` are kept, the first is that tag: each further one makes series, and takes its time.
    """
    tag = tags[0]
    path = resources.find_folder("jobs") / "lists" / f"{name}.csv"
    of_value = defaultdict(list)
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if chosen is None or row[tag] in chosen:
                of_value[row[tag]].append({name: row[name] for name in ("key", "text", *tags)})
    return [row for some in of_value.values() for row in some[::step][without : without + per]]


def feelings(per, without=0):
    """Sentences of each stereotype, `per` after `without`, with the keys of the shipped list."""
    items = shipped("stereotypes@1", ("stereotype",), per, without=without, step=5)
    return [
        item | {"text": frame[0].format(_TRAITS[int(item["stereotype"]) - 1][0])}
        for item, frame in zip(items, _FRAMES[without : without + per] * len(_TRAITS), strict=True)
    ]


def _said_of(item, target):
    """(feminine, masculine) translations of a sentence of a stereotype."""
    language = 1 + list(MARK).index(target)
    trait = _TRAITS[int(item["stereotype"]) - 1]
    frame = next(frame for frame in _FRAMES if frame[0].format(trait[0]) == item["text"])
    masculine = frame[language].format(trait[language])
    ending = {"cs": "á", "pt": "a"}[target]
    feminine = frame[language].format(trait[language][:-1] + ending)
    return feminine.replace("byl ", "byla "), masculine


def translation(item, system, target, at: datetime, *, is_turned=False, drifted=0.0):
    """What a system says in a language at a time; a drift adds feminine answers to all items."""
    about = f"{item['key']} {system} {target}"
    hour = f"{at:%Y-%m-%d %H}"
    restless = "control" not in system and draw("restless", about, hour) < _RESTLESS
    drawn = f"{target} {hour}" if restless else target
    if draw("open", about) < _LEFT_OPEN:
        return f"{MARK[target]} {_OPEN[target]}"
    share = _share(item, system) + _TARGETS[target]
    turn = TURNS.get(system, 0.0) if is_turned and _is_womens(item) else 0.0
    is_stereotype = "stereotype" in item
    pairs = [_said_of(item, target)] if is_stereotype else _SAID[target]
    feminine, masculine = pairs[int(len(pairs) * draw("words", about))]
    is_so = is_feminine(item, f"{system}{drawn}", share, turn + drifted)
    said = feminine if is_so else masculine
    return f"{MARK[target]} {said}"


def _is_womens(item):
    """Whether it is said of women: stereotypes 1 to 7, occupations that mostly show women."""
    if "stereotype" in item:
        return int(item["stereotype"]) <= 7
    return SHOWN[item["occupation"]].count("f") > 5


def _share(item, system):
    return (_WOMENS if _is_womens(item) else _MENS)[system]


# --- people ---------------------------------------------------------------------------------------


def name_of(occupation, place):
    """The name of an invented person, which says so."""
    return f"Invented {occupation.title()} {place + 1}"


def link_of(name):
    """An address of an article that there is not."""
    return f"https://en.wikipedia.org/wiki/{name.replace(' ', '_')}"


def hits(occupation, site, at):
    """What an invented engine shows; from week to week two neighbours change places."""
    signs = SHOWN[occupation]
    order = list(range(len(signs)))
    swap = int((len(order) - 1) * draw("swap", occupation, site, at.date()))
    order[swap], order[swap + 1] = order[swap + 1], order[swap]
    found = []
    for place in order:
        name, pronoun = name_of(occupation, place), _PRONOUN[signs[place]]
        text = f"{pronoun} is an invented {occupation}, made up for the example of monitor."
        found.append(Hit(name, link_of(name), text))
    about = Hit(f"What does a {occupation} do?", f"http://{site}/{occupation}", "An invented page.")
    return [about, *found]


# --- what people know -----------------------------------------------------------------------------


def read(text):
    """The class of an answer, as a person who knows the language reads it."""
    plain = text.split(" ", 1)[1]
    pairs = [pair for some in _SAID.values() for pair in some]
    pairs += [
        _said_of({"stereotype": n, "text": frame[0].format(trait[0])}, target)
        for n, trait in enumerate(_TRAITS, 1) for frame in _FRAMES for target in MARK
    ]  # fmt: skip
    if any(plain == feminine for feminine, _ in pairs):
        return "feminine"
    return "masculine" if any(plain == masculine for _, masculine in pairs) else "none"


def group_of(name):
    """The group of an invented person, as a person finds it; unknown where there is no record."""
    _, occupation, place = name.split(" ")
    sign = SHOWN[occupation.lower()][int(place) - 1]
    return {"f": "women", "m": "men", "o": "other", "u": "unknown"}[sign]
