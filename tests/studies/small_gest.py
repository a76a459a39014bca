"""A language whose answers are plain to see, and a GEST small enough to be done by hand."""

import csv

from monitor.model import Cue, Gender, GenderClass, Signal, Witness
from monitor.stats.intervals import agresti_coull

MASCULINE, FEMININE = GenderClass.MASCULINE, GenderClass.FEMININE
_CLASSES = {"m": MASCULINE, "f": FEMININE, "x": GenderClass.MIXED}
PER = 12
#: How many of the twelve sentences of a stereotype are masculine.
MEN = {stereotype: 3 if stereotype <= 7 else 9 for stereotype in range(1, 17)}


class Plain:
    """Reads the first letter of a text: m, f, x (both), anything else is unmarked."""

    code, name, version = "xx", "Plain", 1
    cues = frozenset({Cue.AGREEMENT})

    def signal(self, text, _cue=Cue.AGREEMENT):
        cls = _CLASSES.get(text[:1], GenderClass.NONE)
        gender = {MASCULINE: Gender.MASCULINE, FEMININE: Gender.FEMININE}.get(cls)
        words = (Witness(text[0], 0, 1, gender, "first_letter"),) if gender else ()
        return Signal(cls, words)


def language(tag):
    """The language of the tag xx, None for every other."""
    return Plain() if tag == "xx" else None


def write(path, header, rows):
    """A CSV file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(rows)
    return path


def gest(folder):
    """A folder as studies want it: 16 stereotypes, each 3 (or 9) of 12 masculine."""
    sentences, translations = [], []
    for stereotype, men in MEN.items():
        for n in range(PER):
            sentences.append((f"I am {stereotype} {n}.", stereotype))
            translations.append((f"I am {stereotype} {n}.", f"{'m' if n < men else 'f'} {n}"))
    write(folder / "gest.csv", ("sentence", "stereotype"), sentences)
    write(folder / "t" / "deepl" / "xx.csv", ("source", "translation"), translations)
    limits = {s: agresti_coull(men, PER) for s, men in MEN.items()}
    centre = {s: (one.low + one.high) / 2 for s, one in limits.items()}
    rates = [
        ("deepl", "xx", s, limits[s].low, centre[s], limits[s].high, PER) for s in MEN
    ]  # fmt: skip
    header = ("system", "language", "stereotype", "lower", "mean", "upper", "n")
    write(folder / "p" / "mt_p_i.csv", header, rates)
    f_s, f_m = centre[8] - centre[1], (centre[8] + centre[1]) / 2
    header = ("system", "language", "f_s", "f_m")
    write(folder / "p" / "mt_fs_fm.csv", header, [("deepl", "xx", f_s, f_m)])
    header = ("system", "language", "yield")
    write(folder / "p" / "mt_yields.csv", header, [("deepl", "xx", PER * 16)])
    header = ("system", "language", "stereotype", "feminine_rank")
    write(folder / "p" / "mt_ranks.csv", header, [("deepl", "xx", s, s) for s in MEN])
    return folder
