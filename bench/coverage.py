"""How often 95 % intervals of levels hold the truth: `python bench/coverage.py [SECTION] [N]`.

Sections: rates, occupations, lists, slopes; all by default, with N replicates of each setting.
Answers are drawn from a law whose values are known, and the intervals are those of the measures
themselves. `sigma` is the standard deviation, on the logit, of what the sentences of a
sub-stereotype (the queries of a topic) have in common. The Monte-Carlo error is printed; that of
a coverage of 95 % over 600 replicates is .009.

Leaves with 1 where a coverage is outside .93 to .97 by more than two Monte-Carlo errors, at sigma
up to 1. `--quick` is a tenth of the replicates, without a bar.
"""

import math
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np

from bench._size import SHORT, size
from monitor.lexicons.lexicon import Lexicon
from monitor.lists import load_list
from monitor.measures import parse
from monitor.measures.c_ratio.c_ratio_bias import CRatioBias
from monitor.measures.gest.masculine_rate import MasculineRate
from monitor.measures.gsr.gsr import Gsr
from monitor.model import Context, Document, GenderClass, Share, Unit
from monitor.references.us_labour import REFERENCE
from monitor.resources import find_folder

REPLICATES, SEED = size(600, 3), 20_261_127
SIGMAS, LOWEST, HIGHEST, BARRED = (0.0, 0.5, 1.0, 1.5), 0.93, 0.97, 1.0
MASCULINE, FEMININE, NONE = (
    (one,) for one in (GenderClass.MASCULINE, GenderClass.FEMININE, GenderClass.NONE)
)
#: p_f and p_m, with how far the stereotypes of either lie apart on the logit.
RATES = ((0.5, 0.5, 0.0), (0.6, 0.75, 0.8), (0.5, 0.95, 0.0), (0.9, 0.97, 0.0), (0.95, 0.95, 0.0))
MARKED = 0.85
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(80)


def expit(x):
    return 1 / (1 + np.exp(-x))


def logit(p):
    return np.log(p) - np.log1p(-p)


def mean_share(centre, spread):
    """Expectation of a share whose logit is normal."""
    values = expit(np.asarray(centre)[..., None] + spread * _NODES)
    return values @ _WEIGHTS / _WEIGHTS.sum()


def centre_of(share, sigma):
    """Centre of the logit at which the expected share is `share`."""
    low, high = -20.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if mean_share(middle, sigma) < share else (low, middle)
    return low


def _list(name):
    """A shipped list."""
    return load_list(find_folder("jobs") / "lists" / f"{name}@1.csv")


class Table:
    """Counts of intervals that hold, by quantity and setting."""

    def __init__(self):
        self.cells = defaultdict(list)
        self.columns = {}

    def add(self, quantity, setting, values, truth):
        """Count a value, or several of one kind with a truth each."""
        for value, true in zip(values, truth, strict=True):
            held = value.low - 1e-12 <= true <= value.high + 1e-12
            self.cells[quantity, setting].append((held, value.high - value.low))
        self.columns[setting] = None

    def print(self, title, replicates, barred):
        """Print coverage and mean width, and return the cells beyond the bars."""
        error = math.sqrt(0.95 * 0.05 / replicates)
        print(f"\n{title}: {replicates} replicates, Monte-Carlo error {error:.3f}")
        print(f"{'':23}" + "".join(f"{setting:>22}" for setting in self.columns))
        beyond = []
        for quantity in dict.fromkeys(name for name, _ in self.cells):
            line = f"{quantity:23}"
            for setting in self.columns:
                rows = np.array(self.cells[quantity, setting], float)
                held, width = rows.mean(axis=0)
                line += f"{f'{held:.3f} ({width:.3f})':>22}"
                if not LOWEST - 2 * error <= held <= HIGHEST + 2 * error and setting in barred:
                    beyond.append(f"{title}: {quantity} at {setting}: {held:.3f}")
            print(line, flush=True)
        return beyond


# --- rates of stereotypes -------------------------------------------------------------------------


def rates(replicates, rng):
    """p_i, p_f, p_m, f_s, f_m, s_or and marked_share on the shipped list of 640 sentences."""
    items = _list("stereotypes").items
    stereotype = np.array([int(item.tags["stereotype"]) - 1 for item in items])
    names = {}
    cluster = np.array(
        [
            names.setdefault((item.tags["stereotype"], item.tags["sub_stereotype"]), len(names))
            for item in items
        ]
    )
    measure, beyond = MasculineRate(), []
    for p_f, p_m, apart in RATES:
        table = Table()
        offsets = apart * np.concatenate([np.linspace(-1, 1, 7), np.linspace(-1, 1, 9)])
        truth = expit(logit(np.repeat([p_f, p_m], [7, 9])) + offsets)
        women, men = truth[:7].mean(), truth[7:].mean()
        known = {
            "p_i": truth, "p_f": [women], "p_m": [men], "f_s": [men - women],
            "f_m": [(men + women) / 2], "s_or": [logit(men) - logit(women)],
            "marked_share": [MARKED],
        }  # fmt: skip
        for sigma in SIGMAS:
            centres = np.array([centre_of(p, sigma) for p in truth])
            marked_centre = centre_of(MARKED, sigma)
            for _ in range(replicates):
                of_cluster = sigma * rng.standard_normal((2, len(names)))
                draws = rng.random((2, len(items)))
                masculine = draws[0] < expit(centres[stereotype] + of_cluster[0][cluster])
                marked = draws[1] < expit(marked_centre + of_cluster[1][cluster])
                answers = np.where(marked, np.where(masculine, 0, 1), 2).tolist()
                units = [
                    Unit(item.key, item.tags, (MASCULINE, FEMININE, NONE)[answer])
                    for item, answer in zip(items, answers, strict=True)
                ]
                values = measure.derive(units, Context(0, draws=0)).values
                for name, true in known.items():
                    own = [
                        value
                        for value in values
                        if value.name == name and (name == "p_i" or value.scope == "all")
                    ]
                    table.add(name, f"sigma {sigma:g}", own, true)
        barred = {f"sigma {sigma:g}" for sigma in SIGMAS if sigma <= BARRED}
        spread = f", stereotypes {apart} apart on the logit" if apart else ""
        beyond += table.print(f"p_f {p_f}, p_m {p_m}{spread}", replicates, barred)
    return beyond


# --- occupations in templates ---------------------------------------------------------------------

#: Spread on the logit of occupations and of templates, and whether answers follow the reference.
OCCUPATIONS = {
    "no bias": (0.0, 0.0, True),
    "occ .5, templ 0": (0.5, 0.0, False),
    "occ .5, templ .3": (0.5, 0.3, False),
    "occ .5, templ 1": (0.5, 1.0, False),
}
TOPICS, TEMPLATES = 112, 10


def occupations(replicates, rng):
    """mb, excess_mab, excess_sb and occupation_marked_share over occupations times templates.

    The truth of an excess without bias is 0, else the mean over all replicates.
    """
    topics = {item.tags["occupation"] for item in _list("professions").items}
    shares = np.array([share.value for share in REFERENCE.shares(sorted(topics)).values()])
    measure, table = CRatioBias(), Table()
    for setting, (of_topic, of_template, unbiased) in OCCUPATIONS.items():
        drawn = []
        for _ in range(replicates):
            share = rng.choice(shares, TOPICS)
            effects = of_topic * rng.standard_normal((TOPICS, 1))
            effects = effects + of_template * rng.standard_normal(TEMPLATES)
            centre = logit(share)[:, None] if unbiased else (0.8 * logit(share) - 1)[:, None]
            women = rng.random((TOPICS, TEMPLATES)) < expit(centre + effects)
            hides = expit(3 + of_topic * rng.standard_normal((TOPICS, 1))
                          + of_template * rng.standard_normal(TEMPLATES))  # fmt: skip
            marked = rng.random((TOPICS, TEMPLATES)) < hides
            units = [
                Unit(
                    f"{topic:03}-{template}",
                    {"occupation": f"{topic:03}", "template": f"t{template}"},
                    (FEMININE if women[topic, template] else MASCULINE)
                    if marked[topic, template]
                    else NONE,
                )
                for topic in range(TOPICS)
                for template in range(TEMPLATES)
            ]
            known = {
                f"{topic:03}": Share(f"{topic:03}", float(value), "", "US", "2019")
                for topic, value in enumerate(share)
            }
            values = measure.derive(units, Context(0, known, draws=0)).values
            drawn.append({value.name: value for value in values})
        spread = math.hypot(of_topic, of_template)
        truth = {
            "mb": 0.0
            if unbiased
            else (mean_share(0.8 * logit(shares) - 1, spread) - shares).mean(),
            "occupation_marked_share": mean_share(3.0, spread),
        }
        for name in ("excess_mab", "excess_sb"):
            truth[name] = 0.0 if unbiased else np.mean([one[name].value for one in drawn])
        for name, true in truth.items():
            table.add(name, setting, [one[name] for one in drawn], [float(true)] * len(drawn))
    # Ten templates do not show how skewed templates are that lie so far apart.
    barred = [setting for setting, (_, apart, _) in OCCUPATIONS.items() if apart < BARRED]
    return table.print(f"{TOPICS} occupations in {TEMPLATES} templates", replicates, barred)


# --- ranked lists by their words ------------------------------------------------------------------

QUERIES_OF_TOPIC, DEPTH = 3, 10
LISTS = {"NFaiRR": "nfairr", "TExFAIR": "texfair", "ARB": "arb", "AWRF": "awrf"}
#: Topics, and the share of documents with a gendered word.
SETTINGS = ((79, 0.1), (79, 0.5), (30, 0.3))


def _lists(topics, gendered, sigma, rng):
    """Queries about topics in different words, whose documents have words for women or men."""
    made = []
    alike = sigma * rng.standard_normal((2, topics))
    often = expit(logit(gendered) + alike[0])
    female = expit(-0.5 + alike[1])
    for topic in range(topics):
        for query in range(QUERIES_OF_TOPIC):
            some = rng.random(DEPTH) < often[topic]
            women = rng.random((DEPTH, 3)) < female[topic]
            texts = tuple(
                Document(
                    f"{topic}-{query}-{rank}",
                    " ".join(["she" if one else "he" for one in women[rank]] * int(some[rank]))
                    + " word" * 20,
                )
                for rank in range(DEPTH)
            )
            key = f"{topic:04}-{query}"
            made.append(Unit(key, {"trait": str(topic)}, (), documents=(texts,), query=key))
    return made


def lists(replicates, rng):
    """Means over queries; the truth is the mean over all replicates."""
    beyond, measures = [], {label: parse(name) for label, name in LISTS.items()}
    for topics, gendered in SETTINGS:
        table = Table()
        for sigma in SIGMAS[:3]:
            drawn = {label: [] for label in measures}
            for _ in range(replicates):
                units = _lists(topics, gendered, sigma, rng)
                for label, measure in measures.items():
                    drawn[label].append(measure.derive(units, Context(0, draws=0)).values[0])
            for label, values in drawn.items():
                truth = float(np.mean([value.value for value in values]))
                table.add(label, f"sigma {sigma:g}", values, [truth] * len(values))
        title = f"{topics} topics in {QUERIES_OF_TOPIC} wordings, {gendered:.0%} gendered documents"
        beyond += table.print(title, replicates, table.columns)
    return beyond


# --- GSR ------------------------------------------------------------------------------------------

SLOPE, GRID = 0.4, np.linspace(-1, 1, 2001)
_LETTERS = "abcdefghij"


def _word(kind, score):
    """The word of a grid of scores that is nearest to one."""
    place = int(np.clip(np.rint((score + 1) * 1000), 0, 2000))
    return kind + "".join(_LETTERS[int(digit)] for digit in f"{place:04}")


def slopes(replicates, rng):
    """GSR over topics that are asked in two wordings, with other words and other documents."""
    scores = {_word(kind, score): float(score) for kind in ("zq", "zd") for score in GRID}
    context = Context(0, draws=0, lexicons=(Lexicon.of("grid", scores),))
    measure, table = Gsr(), Table()
    for topics in (30, 79):
        for sigma in (0.0, 1.0):
            for heavy in (False, True):
                for _ in range(replicates):
                    x = 0.1 * (rng.standard_t(4, topics) if heavy else rng.standard_normal(topics))
                    common = 0.1 * sigma * rng.standard_normal(topics)
                    units = []
                    for topic in range(topics):
                        for wording in range(2):
                            of_query = x[topic] + 0.02 * rng.standard_normal()
                            query = _word("zq", of_query)
                            asked = float(np.rint(of_query * 1000) / 1000)
                            noise = 0.1 * rng.standard_normal()
                            text = _word("zd", SLOPE * asked + common[topic] + noise)
                            key = f"{topic:03}-{wording}"
                            shown = (Document(key, text),)
                            tags = {"trait": str(topic)}
                            units.append(Unit(key, tags, (), documents=(shown,), query=query))
                    values = measure.derive(units, context).values
                    value = next(value for value in values if value.name.startswith("gsr"))
                    tail = "t4" if heavy else "normal"
                    setting = f"{topics}, sigma {sigma:g}, {tail}"
                    table.add("GSR", setting, [value], [SLOPE])
    return table.print("GSR: topics in two wordings, genderedness", replicates, table.columns)


SECTIONS = {"rates": rates, "occupations": occupations, "lists": lists, "slopes": slopes}


def main(arguments):
    quick = "--quick" in arguments
    numbers = [int(word) for word in arguments if word.isdigit()]
    replicates = numbers[0] if numbers else max(REPLICATES // 10, 3) if quick else REPLICATES
    beyond = []
    for name in [word for word in arguments if word in SECTIONS] or SECTIONS:
        beyond += SECTIONS[name](
            replicates, np.random.default_rng([SEED, list(SECTIONS).index(name)])
        )
    print("\n" + ("\n".join(beyond) or f"all within {LOWEST} to {HIGHEST}"))
    return int(bool(beyond) and not quick and not SHORT)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
