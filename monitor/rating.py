"""Blind rating of probe lists: sheets for people to fill, and how far they agree.

A sheet shows sentences in an order of the rater's own and hides every tag. A filled sheet is a CSV
with the columns key, rating and comment.
"""

import csv
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from monitor.data import read_table
from monitor.input_files import open_table
from monitor.lists import ProbeList
from monitor.model import InvalidInput, digest
from monitor.stats.agreement import agreed_pair, alpha_limits, krippendorff_alpha

_COLUMNS = ("key", "text", "rating", "comment")
#: Raters may say that a sentence fits none of the values, or that it gives the speaker away.
_EXTRA_VALUES = (("none", "fits none of them"), ("gendered", "reveals the speaker's gender"))


def list_allowed(probe_list: ProbeList, tag: str) -> list[tuple[str, str]]:
    """(value, meaning) of every rating that may be given for a tag. Raises InvalidInput."""
    if tag not in probe_list.items[0].tags:
        tag_names = ", ".join(probe_list.items[0].tags)
        raise InvalidInput(f"{probe_list.label} has no tag {tag!r}; it has {tag_names}")
    values = sorted({item.tags[tag] for item in probe_list.items}, key=lambda v: (len(v), v))
    titles = {}
    if tag == "stereotype":
        rows = read_table("gest_stereotypes")
        titles = {row["id"]: f"{row['about']} are {row['name']}" for row in rows}
    return [(value, titles.get(value, value)) for value in values] + list(_EXTRA_VALUES)


def write_sheet(probe_list: ProbeList, tag: str, rater: str, output: Path, sample: int) -> int:
    """Write a rating sheet and, beside it, the allowed values. Returns the number of items.

    The order is random but fixed by list and rater, so that a lost sheet can be made again. The
    keys are replaced by ones that tell nothing. Raises InvalidInput; overwrites nothing.
    """
    values = list_allowed(probe_list, tag)
    if output.exists():
        raise InvalidInput(f"{output} is there already; ratings are never overwritten")
    blind = blind_keys(probe_list)
    order = sorted(probe_list.items, key=lambda item: digest([rater, probe_list.label, item.key]))
    rows_chosen = order[:sample] if sample else order
    output.parent.mkdir(parents=True, exist_ok=True)
    with output.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.writer(handle, lineterminator="\n")
        writer.writerow(_COLUMNS)
        writer.writerows([blind[item.key], item.text, "", ""] for item in rows_chosen)
    with Path(f"{output}.values.csv").open("w", encoding="utf-8", newline="") as handle:
        writer = csv.writer(handle, lineterminator="\n")
        writer.writerow(("rating", "meaning"))
        writer.writerows(values)
    return len(rows_chosen)


def blind_keys(probe_list: ProbeList) -> dict[str, str]:
    """{item key: key that tells nothing of the item's tags}."""
    return {item.key: digest([probe_list.label, item.key])[:10] for item in probe_list.items}


def read_sheet(path: Path, values: Sequence[str]) -> dict[str, str]:
    """{blind key: rating} of a filled sheet; empty ratings are left out. Raises InvalidInput."""
    ratings: dict[str, str] = {}
    with open_table(path, ("key", "rating"), fill=True) as table:
        for location, row in table.records():
            rating = row["rating"].strip()
            if rating and rating not in values:
                raise InvalidInput(f"{location}: rating {rating!r}; allowed: {', '.join(values)}")
            if row["key"] in ratings:
                raise InvalidInput(f"{location}: {row['key']!r} is rated twice")
            if rating:
                ratings[row["key"]] = rating
    return ratings


def compare_sheets(probe_list: ProbeList, tag: str, paths: Sequence[Path]) -> dict[str, Any]:
    """Agreement of two or more filled sheets. Raises InvalidInput.

    `pairs` holds raw agreement and Cohen's kappa of every two raters and of each rater with the
    list, `alpha` is Krippendorff's over the raters alone, each with its 95 % limits (None where
    there are none); `disputed` are the items for which more than half of the raters chose another
    value than the list.
    """
    if len(paths) < 2:  # noqa: PLR2004 - agreement is between two
        raise InvalidInput("agreement needs the sheets of at least two raters")
    values = [value for value, _ in list_allowed(probe_list, tag)]
    sheets = {path.stem: read_sheet(path, values) for path in paths}
    if len(sheets) != len(paths):
        raise InvalidInput("the sheets need different file names")
    blind = blind_keys(probe_list)
    unknown = {key for sheet in sheets.values() for key in sheet} - set(blind.values())
    if unknown:
        raise InvalidInput(f"{min(unknown)!r} is no item of {probe_list.label}")
    items = [
        item for item in probe_list.items if any(blind[item.key] in s for s in sheets.values())
    ]
    by_rater = {
        name: [sheet.get(blind[item.key]) for item in items] for name, sheet in sheets.items()
    }
    rater_columns: dict[str, list[str | None]] = {
        probe_list.label: [item.tags[tag] for item in items]
    }
    disputed = []
    for index, item in enumerate(items):
        ratings_given = [r for row in by_rater.values() if (r := row[index]) is not None]
        other_ratings = Counter(rating for rating in ratings_given if rating != item.tags[tag])
        if other_ratings.total() * 2 > len(ratings_given):
            disputed.append({"key": item.key, "list": item.tags[tag], "ratings": ratings_given})
    return {
        "items": len(items),
        "pairs": [agreed_pair(*two) for two in combinations((by_rater | rater_columns).items(), 2)],
        "alpha": krippendorff_alpha(list(by_rater.values())),
        "alpha_limits": alpha_limits(list(by_rater.values())),
        "disputed": disputed,
    }
