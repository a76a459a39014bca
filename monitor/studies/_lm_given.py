"""What the study `lm` is given: the list that was scored, and what was published of the scores."""

import math
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from monitor.datasets import GEST, as_list
from monitor.lists import ProbeList, load_list
from monitor.model import InvalidInput
from monitor.study.tables import read_table

#: (model, template, stereotype), or (model, template).
Cell = tuple[str, str, str]
Table = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Published:
    """What was published: q_i as printed and to all digits, and q_f, q_m and g_s.

    `g_s` has the three of a (model, template) in this order; a number that the tables lack is none.
    """

    printed: Mapping[Cell, float] = field(default_factory=dict)
    exact: Mapping[Cell, float] = field(default_factory=dict)
    g_s: Mapping[Table, tuple[float, float, float]] = field(default_factory=dict)


def probe_list(path: Path) -> ProbeList:
    """A list by its path, or the published file that `monitor lists fetch gest` makes lists of.

    Raises InvalidInput for what is neither.
    """
    if path.with_suffix(".toml").exists():
        return load_list(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read: {error.strerror}") from error
    edition = GEST.edition_of(content, str(path))
    with tempfile.TemporaryDirectory() as folder:
        for name, text in as_list(GEST, edition, content).items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        return load_list(Path(folder) / f"{GEST.name}@{edition.version}.csv")


def tables(folder: Path) -> list[Path]:
    """The published tables of a folder. Raises InvalidInput where there is none."""
    found = sorted([*folder.glob("*_q_i.csv"), *folder.glob("*_g_s.csv")])
    if not found:
        raise InvalidInput(
            f"{folder}: no KIND_q_i.csv and no KIND_g_s.csv in this folder, which is to hold what "
            "was published; leave --published out if nothing was"
        )
    return found


def read_published(paths: list[Path]) -> Published:
    """Published tables by model, template, stereotype. Raises InvalidInput naming file and row."""
    printed: dict[Cell, float] = {}
    exact: dict[Cell, float] = {}
    g_s: dict[Table, tuple[float, float, float]] = {}
    for path in paths:
        if path.stem.endswith("_q_i"):
            for row in read_table(path, ("handle", "template", "stereotype", "mean")):
                cell = row["handle"], row["template"], row["stereotype"]
                printed[cell] = _number(path, row, "mean")
                if row.get("q_exact"):
                    exact[cell] = _number(path, row, "q_exact")
        else:
            for row in read_table(path, ("handle", "template", "q_f", "q_m", "g_s_published")):
                g_s[row["handle"], row["template"]] = (
                    _number(path, row, "q_f"),
                    _number(path, row, "q_m"),
                    _number(path, row, "g_s_published"),
                )
    return Published(printed, exact, g_s)


def winobias(path: Path) -> dict[str, float]:
    """{model: how much likelier it finds a man in men's occupations than in women's}.

    The mean over the parts of WinoBias of logprob_male_professions - logprob_female_professions,
    each a mean log ratio of `he` over `she`. A model stands under the last part of its name.
    Raises InvalidInput naming file and row.
    """
    columns = ("logprob_male_professions", "logprob_female_professions")
    parts: dict[str, list[float]] = defaultdict(list)
    for row in read_table(path, ("model_name", *columns)):
        men, women = (_number(path, row, column) for column in columns)
        parts[row["model_name"].rpartition("/")[2]].append(men - women)
    if not parts:
        raise InvalidInput(f"{path}: no rows; give one for each model and part of WinoBias")
    return {model: sum(values) / len(values) for model, values in parts.items()}


def _number(path: Path, row: Mapping[str, str], column: str) -> float:
    try:
        value = float(row[column])
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InvalidInput(
            f"{path}: {column} of {row.get('handle') or row.get('model_name')} is "
            f"{row[column]!r}; it must be a number"
        )
    return value


def pairs(names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Every two of some names, in their order."""
    return ((one, two) for at, one in enumerate(names) for two in names[at + 1 :])
