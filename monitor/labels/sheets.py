"""Sheets on which people say who somebody is: entities in, rows out, and filled rows back.

A sheet is blind to the engine, to ranks, and to what others and Wikidata say. Links go to the
article, not to Wikidata's own page, which would show the record.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypedDict, TypeVar

from monitor.labels.resolve import is_word
from monitor.labels.settle import Rating
from monitor.labels.shown_entities import ShownEntity, public_link
from monitor.model import InvalidInput, digest
from monitor.stats.agreement import AgreedPair, agreed_pair, alpha_limits, krippendorff_alpha
from monitor.stats.intervals import Limits
from monitor.text.cells import make_inert, plain

COLUMNS = ("key", "name", "profession", "link", "annotation", "group", "comment")
#: What has to stand in a filled sheet.
NEEDED = frozenset({"key", "group"})
#: Characters of a comment.
MOST_COMMENT = 2_000
_WORD = re.compile(r"[^\W\d_]+")
_GROUP = re.compile(r"[a-z][a-z0-9_]{0,31}")


@dataclass(frozen=True, slots=True)
class Case:
    """One entity that a person shall look at."""

    shown: ShownEntity
    profession: str = ""
    item: str = ""


def checked_groups(groups: Iterable[str]) -> tuple[str, ...]:
    """Groups of one's own. Raises InvalidInput."""
    for group in groups:
        if not _GROUP.fullmatch(group):
            raise InvalidInput(
                f"--group {group!r}: up to 32 small letters, digits and underscores, a letter first"
            )
    return tuple(groups)


def blind_key(entity: str) -> str:
    """The key on sheets; the same for every rater, and it tells nothing of the engine."""
    return digest(["person", entity])[:16]


def blind_annotation(annotation: str) -> str:
    """The line beneath a name without the words that name a gender."""
    return _WORD.sub(lambda found: "[...]" if is_word(found[0]) else found[0], annotation)


def make_sheet(cases: Iterable[Case], rater: str, sample: int) -> list[tuple[str, ...]]:
    """The rows of a rater's sheet, in an order that is random but always the same.

    A sample is the same for all raters, so that their agreement can be computed.
    """
    selected = sorted(cases, key=lambda case: digest(["sample", case.shown.entity]))
    selected = selected[:sample] if sample else selected
    selected.sort(key=lambda case: digest([rater, case.shown.entity]))
    return [
        (
            blind_key(case.shown.entity),
            make_inert(case.shown.name),
            make_inert(case.profession),
            public_link(case.shown, case.item),
            make_inert(blind_annotation(case.shown.annotation)),
            "",
            "",
        )
        for case in selected
    ]


@dataclass(frozen=True, slots=True)
class FilledSheet:
    """The statement of a rater about one entity, and its place."""

    entity: str
    group: str
    comment: str


def read_row(
    row: Mapping[str, str | None], place: str, values: Sequence[str], entities: Mapping[str, str]
) -> FilledSheet | None:
    """Return the statement of one row; None where the rater left it out. Raises InvalidInput.

    `entities` are {blind key: entity} of all that are known here.
    """
    key = (row.get("key") or "").strip()
    group = plain((row.get("group") or "").strip()).strip().casefold()
    comment = plain((row.get("comment") or "").strip())
    if key not in entities:
        raise InvalidInput(
            f"{place}: key {key[:40]!r} is no entity of this database; leave the column key as "
            "it was exported, and import into the database that it was exported from"
        )
    if group and group not in values:
        raise InvalidInput(
            f"{place}: group {group[:40]!r}; write one of {', '.join(values)}, or nothing "
            "(a group of your own needs --group)"
        )
    if len(comment) > MOST_COMMENT:
        raise InvalidInput(
            f"{place}: comment of {len(comment):,} characters; at most {MOST_COMMENT:,}"
        )
    return FilledSheet(entities[key], group, comment) if group else None


class Disagreement(TypedDict):
    """Statements of raters about one entity where they differ."""

    key: str
    entity: str
    groups: dict[str, str]


class LabelAgreement(TypedDict):
    """Agreement of raters; `raters` are {rater: how many entities}.

    `pairs` and `alpha` are of what each said first; `alpha_newest` is of what counts now, and
    `n_changed` how many ratings are another now.
    """

    raters: dict[str, int]
    pairs: list[AgreedPair]
    alpha: float | None
    alpha_limits: Limits | None
    alpha_newest: float | None
    n_changed: int
    disagreements: list[Disagreement]


_Found = TypeVar("_Found")
_Said = Mapping[str, Mapping[str, str]]  # {entity: {rater: group}}


def compare_raters(
    first: Mapping[str, Sequence[Rating]], newest: Mapping[str, Sequence[Rating]]
) -> LabelAgreement:
    """Agreement of all raters over {entity: first, and newest, rating of each rater}.

    `pairs` holds raw agreement and Cohen's kappa of every two raters over what both rated,
    `alpha` Krippendorff's over all, each with its 95 % limits: of first ratings, since reliability
    is that of people who work independently (Krippendorff 2004, Human Communication Research
    30(3), 411-433), and whoever is asked again knows that somebody differed. `disagreements` holds
    who differs now.
    """
    before, after = _ratings_by_entity(first), _ratings_by_entity(newest)
    columns = _rater_columns(before)
    return {
        "raters": {
            rater: sum(group is not None for group in groups) for rater, groups in columns.items()
        },
        "pairs": [agreed_pair(*two) for two in combinations(columns.items(), 2)],
        "alpha": _of_all(krippendorff_alpha, columns),
        "alpha_limits": _of_all(alpha_limits, columns),
        "alpha_newest": _of_all(krippendorff_alpha, _rater_columns(after)),
        "n_changed": sum(
            after[entity][rater] != group
            for entity, groups in before.items()
            for rater, group in groups.items()
        ),
        "disagreements": [
            {"key": blind_key(entity), "entity": entity, "groups": dict(groups)}
            for entity, groups in after.items()
            if len(set(groups.values())) > 1
        ],
    }


def _ratings_by_entity(ratings: Mapping[str, Sequence[Rating]]) -> _Said:
    return {
        entity: {rating.by: rating.group for rating in ratings_given}
        for entity, ratings_given in sorted(ratings.items())
    }


def _rater_columns(said: _Said) -> dict[str, list[str | None]]:
    """{rater: what they said of each entity in turn, None where they said nothing}."""
    raters = sorted({rater for groups in said.values() for rater in groups})
    return {rater: [groups.get(rater) for groups in said.values()] for rater in raters}


def _of_all(
    statistic: Callable[[Sequence[Sequence[str | None]]], _Found | None],
    columns: Mapping[str, list[str | None]],
) -> _Found | None:
    """None where there are no two raters."""
    return statistic(list(columns.values())) if len(columns) > 1 else None
