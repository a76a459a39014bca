"""Words that stand for women and men, pairs of them, and occupations with women's shares in them.

The lists that ship are those of Rekabsaz et al. 2021 (ICWSM); the shares are those of WinoBias and
of the US census 2015, as they take them. Correlations of biases with shares keep their sign: above
0 where words for occupations of many women stand nearer to words for women. (The code that the
authors published prints absolute values.)
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from monitor.data import read_table
from monitor.input_files import open_table
from monitor.model import InvalidInput, digest
from monitor.stats.correlation import fisher_interval, pearson, spearman
from monitor.text.tokens import strip_marks, tokens

#: What a signature names the shipped lists by.
NAME = "rekabsaz2021"

_COLUMNS = ("list", "group", "word", "partner")
_NEUTRAL = "neutral"
_GROUPS = {"concept": ("women", "men"), "pair": ("women",), "occupation": ()}


@dataclass(frozen=True, slots=True)
class Concepts:
    """Words for women and for men, pairs (women's word, men's word), and words to measure."""

    women: tuple[str, ...]
    men: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    occupations: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        women: Iterable[str],
        men: Iterable[str],
        pairs: Iterable[tuple[str, str]] = (),
        occupations: Iterable[str] = (),
    ) -> "Concepts":
        """Checked lists, each word once. Raises InvalidInput."""
        sides = tuple(dict.fromkeys(women)), tuple(dict.fromkeys(men))
        unique_pairs = tuple(dict.fromkeys(pairs))
        for name, words in zip(("women", "men"), sides, strict=True):
            if not words:
                raise InvalidInput(f"concept words: none for {name}; name at least one")
        for word in (*sides[0], *sides[1], *(word for pair in unique_pairs for word in pair)):
            if tokens(word) != [word]:
                raise InvalidInput(
                    f"concept words: {word!r} is not one word of letters and digits in lower case"
                )
        if shared := sorted(set(sides[0]) & set(sides[1])):
            raise InvalidInput(f"concept words: {shared[0]!r} stands for women and for men")
        if same := [first for first, second in unique_pairs if first == second]:
            raise InvalidInput(f"concept words: {same[0]!r} is paired with itself")
        return cls(*sides, unique_pairs, tuple(dict.fromkeys(occupations)))

    @property
    def digest(self) -> str:
        """SHA-256 of all lists."""
        return digest([self.women, self.men, self.pairs, self.occupations])

    @property
    def swapped(self) -> "Concepts":
        """Women and men exchanged: every bias changes its sign."""
        pairs = tuple((man, woman) for woman, man in self.pairs)
        return Concepts(self.men, self.women, pairs, self.occupations)

    def spelt(self, known: Callable[[Iterable[str]], list[str]]) -> "Concepts":
        """The lists as a representation spells them; `known` gives those of some words it knows.

        A corpus in plain ASCII has "fiancee" where the list has "fiancée". An accented word that is
        not known stands for its form without accents if that one is.
        """
        listed = (*self.women, *self.men, *(word for pair in self.pairs for word in pair))
        plain = {word: strip_marks(word) for word in listed if not word.isascii()}
        spellings_known = set(known([*plain, *plain.values()])) if plain else set()
        spelling = {
            word: to
            for word, to in plain.items()
            if word not in spellings_known and to in spellings_known
        }
        if not spelling:
            return self
        women, men = (
            tuple(dict.fromkeys(spelling.get(word, word) for word in side))
            for side in (self.women, self.men)
        )
        pairs = ((spelling.get(first, first), spelling.get(two, two)) for first, two in self.pairs)
        return Concepts.of(women, men, pairs, self.occupations)


@cache
def default_concepts() -> Concepts:
    """The shipped lists. Their 28 pairs have `daughter` twice, as in the source."""
    return concepts_of(read_table("first_order_words"))


@cache
def occupation_groups() -> Mapping[str, str]:
    """Of each shipped occupation whether the word itself means women, men or neither (neutral)."""
    rows = read_table("first_order_words")
    return {row["word"]: row["group"] for row in rows if row["list"] == "occupation"}


def neutral_words(words: Iterable[str]) -> list[str]:
    """Those of the words that mean neither women nor men themselves, as far as the list knows."""
    groups = occupation_groups()
    return [word for word in words if groups.get(word, _NEUTRAL) == _NEUTRAL]


def read_concepts(path: Path) -> Concepts:
    """Lists of one's own: a CSV file with the columns of the shipped table. Raises InvalidInput."""
    with open_table(path, fill=True) as table:
        if missing := [name for name in _COLUMNS if name not in table.columns]:
            raise InvalidInput(
                f"{path}: column {missing[0]} is missing; needed are {', '.join(_COLUMNS)}"
            )
        rows = [{name: row[name].strip() for name in _COLUMNS} for _, row in table.records()]
    _check_rows(rows, path)
    try:
        return concepts_of(rows)
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error}") from error


def _check_rows(rows: Sequence[Mapping[str, str]], path: Path) -> None:
    """Raise InvalidInput for a row that no list takes, naming its line."""
    for line, row in enumerate(rows, start=2):
        if row["list"] not in _GROUPS:
            raise InvalidInput(
                f"{path}: line {line}: list is {row['list']!r}; known: {', '.join(_GROUPS)}"
            )
        groups = _GROUPS[row["list"]]
        if groups and row["group"] not in groups:
            raise InvalidInput(
                f"{path}: line {line}: group is {row['group']!r}; for the list {row['list']} "
                f"known: {', '.join(groups)}"
            )
        if not row["word"] or (row["list"] == "pair" and not row["partner"]):
            raise InvalidInput(f"{path}: line {line}: a word is missing")


def concepts_of(rows: Iterable[Mapping[str, str]]) -> Concepts:
    """The lists of a table's rows. Raises InvalidInput."""
    lists_by_side: dict[tuple[str, str], list[str]] = {}
    pairs, occupations = [], []
    for row in rows:
        if row["list"] == "pair":
            pairs.append((row["word"], row["partner"]))
        elif row["list"] == "occupation":
            occupations.append(row["word"])
        else:
            lists_by_side.setdefault((row["list"], row["group"]), []).append(row["word"])
    women, men = (lists_by_side.get(("concept", group), []) for group in ("women", "men"))
    return Concepts.of(women, men, pairs, occupations)


#: Name of a target, and its source in `monitor/data/sources.toml`.
TARGETS = {"winobias": "cps_winobias", "census": "census2015_garg"}

#: What people call them.
TITLES = {"census": "US census 2015", "winobias": "US labour force (WinoBias, 2018)"}

_TOO_FEW = "fewer than 3 words have a bias and a share, or one of the columns is constant"


@dataclass(frozen=True, slots=True)
class LabourCorrelation:
    """One coefficient over the `n` of `n_total` words of a target that have a bias.

    The interval is Fisher's: words are taken for a sample, the corpus as given.
    """

    name: str  # spearman, pearson
    value: float | None
    low: float | None
    high: float | None
    n: int
    n_total: int
    missing: tuple[str, ...]
    reason: str = ""


@cache
def target_shares(name: str) -> Mapping[str, float]:
    """Women's share by the word of a source that ships: a name of `TARGETS`."""
    rows = (*read_table("us_labour"), *read_table("us_labour_words"))
    source = TARGETS[name]
    return {row["word"]: float(row["share"]) for row in rows if row["source"] == source}


def correlate_shares(
    biases: Mapping[str, float], shares: Mapping[str, float]
) -> tuple[LabourCorrelation, ...]:
    """Spearman's and Pearson's correlation over the words that have both."""
    words = [word for word in shares if word in biases]
    missing = tuple(word for word in shares if word not in biases)
    x, y = [biases[word] for word in words], [shares[word] for word in words]
    results = []
    for name, coefficient in (("spearman", spearman), ("pearson", pearson)):
        value = coefficient(x, y)
        limits = None if value is None else fisher_interval(value, len(x), ranks=name == "spearman")
        low, high = (None, None) if limits is None else (limits.low, limits.high)
        reason = _TOO_FEW if value is None else ""
        results.append(
            LabourCorrelation(name, value, low, high, len(words), len(shares), missing, reason)
        )
    return tuple(results)
