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
#: (feminine, masculine) sentences of each language, and one that leaves it open.
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
    feminine, masculine = _SAID[target][int(4 * draw("words", about))]
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
    if any(plain == feminine for feminine, _ in pairs):
        return "feminine"
    return "masculine" if any(plain == masculine for _, masculine in pairs) else "none"


def group_of(name):
    """The group of an invented person, as a person finds it; unknown where there is no record."""
    _, occupation, place = name.split(" ")
    sign = SHOWN[occupation.lower()][int(place) - 1]
    return {"f": "women", "m": "men", "o": "other", "u": "unknown"}[sign]
