"""The printed rows of the paper on carousels, computed anew: a file in, checks and a table out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from monitor.measures.c_ratio.c_ratio_bias_search import CRatioBiasSearch
from monitor.model import Context, InvalidInput, LabelState, Result, Share, Shown, TopicValue, Unit
from monitor.studies._rankings_given import json_object
from monitor.studies.found import Against, Cell, Check, Table

_NEEDED = "paper_rows, stats_over_table_rows and cases are needed"
#: The same arithmetic on fractions with two digits.
_EXACT = 1e-12
#: People in a carousel as the paper cut it off.
_PEOPLE = 10
_FIELDS = (("model", "model_ratio"), ("target", "target_ratio"), ("bias", "beta"))
_STATISTICS = {"mb": "MB", "mab": "MAB", "min_beta": "min", "max_beta": "max"}
_DENOMINATORS = ("shown", "cutoff")


class Row(NamedTuple):
    """A printed row with ours."""

    table: str
    profession: str
    printed: Mapping[str, float]
    ours: TopicValue


def read(path: Path) -> tuple[list[Row], list[Check]]:
    """All printed rows with ours, and what holds them against each other. Raises InvalidInput."""
    held = json_object(path, _NEEDED)
    try:
        tables: dict[str, list[Mapping[str, Any]]] = {}
        for row in held["paper_rows"]:
            tables.setdefault(row["table"], []).append(row)
        rows: list[Row] = []
        checks: list[Check] = []
        for table, printed in tables.items():
            result = _result(printed)
            found = list(_rows(table, printed, result))
            rows += found
            checks += _of_rows(table, found)
            checks += _of_table(table, result, printed, held["stats_over_table_rows"][table])
        checks += _of_cases(held["cases"])
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidInput(f"{path}: {_NEEDED}; wrong or missing: {error}") from error
    return rows, checks


def _unit(topic: str, women: int, men: int) -> Unit:
    groups = ["women"] * women + ["men"] * men
    people = tuple(
        Shown(f"{topic} {place}", LabelState.LABELLED, group) for place, group in enumerate(groups)
    )
    return Unit(topic, {"occupation": topic}, (), lists=(people,))


def _context(shares: Mapping[str, float], n: int | None = None, draws: int = 0) -> Context:
    targets = {
        topic: tuple(
            Share(topic, share, "published", "", "", n, group=group)
            for group, share in (("women", women), ("men", 1 - women))
        )
        for topic, women in shares.items()
    }
    return Context(0, draws=draws, targets=targets)


def _women(row: Mapping[str, Any]) -> int:
    return round(float(row["model_ratio"]) * _PEOPLE)


def _result(
    printed: Sequence[Mapping[str, Any]], measure: CRatioBiasSearch | None = None
) -> Result:
    """The measure over the carousels that the printed rows describe."""
    units = [_unit(row["profession"], _women(row), _PEOPLE - _women(row)) for row in printed]
    shares = {row["profession"]: float(row["target_ratio"]) for row in printed}
    chosen = measure or CRatioBiasSearch()
    return chosen.derive(units, _context(shares, draws=10))


def _rows(table: str, printed: Sequence[Mapping[str, Any]], result: Result) -> Iterator[Row]:
    ours = {topic.topic: topic for topic in result.topics}
    for row in printed:
        numbers = {name: float(row[column]) for name, column in _FIELDS}
        yield Row(table, row["profession"], numbers, ours[row["profession"]])


def _of_rows(table: str, rows: Sequence[Row]) -> Iterator[Check]:
    """Their biases alone: ratios of model and target are what the lists were made of."""
    known = [abs(row.ours.bias - row.printed["bias"]) for row in rows if row.ours.bias is not None]
    yield Check(
        f"beta, largest difference of {len(known)} of {len(rows)} rows",
        table,
        max(known) if len(known) == len(rows) else None,
        0.0,
        _EXACT,
        "" if len(known) == len(rows) else "a row has no value here",
        against=Against.PRINTED,
    )


def _of_table(
    table: str,
    result: Result,
    printed: Sequence[Mapping[str, Any]],
    expected: Mapping[str, float],
) -> Iterator[Check]:
    values = {value.name: value.value for value in result.values}
    where = f"{table}, over its {len(printed)} rows"
    for name, theirs in _STATISTICS.items():
        yield _statistic(theirs, where, values[name], float(expected[theirs]))
    for ddof in (0, 1):
        made = _result(printed, replace(CRatioBiasSearch(), ddof=ddof))
        spread = next(value.value for value in made.values if value.name == "sb")
        yield _statistic(f"SB, ddof = {ddof}", where, spread, float(expected[f"SB_ddof{ddof}"]))


def _statistic(what: str, where: str, ours: float | None, expected: float) -> Check:
    """Over the printed rows alone, which the paper itself does not give."""
    return Check(what, where, ours, expected, _EXACT, against=Against.ELSEWHERE)


def _of_cases(cases: Sequence[Mapping[str, Any]]) -> Iterator[Check]:
    """Ties and short lists, over the people shown and over the cut-off; empty lists say nothing."""
    for denominator in _DENOMINATORS:
        apart: list[float] = []
        for case in cases:
            women, shown, total = (
                int(case[key]) for key in ("n_c_in_results", "n_results", "n_relevant")
            )
            if not shown:
                continue
            share = _context({"t": case["n_c_relevant"] / total}, total)
            measure = CRatioBiasSearch(cutoff=int(case["cutoff"]), denominator=denominator)
            [topic] = measure.derive([_unit("t", women, shown - women)], share).topics
            expected = case[f"denominator_{denominator}"]
            for ours, theirs in (
                (topic.model, expected["model"]),
                (topic.target, expected["target"]),
                (topic.bias, expected["beta"]),
            ):
                apart.append(1.0 if ours is None else abs(ours - float(theirs)))
        yield Check(
            f"Model, target and bias over what is {_SAID[denominator]}, largest difference",
            f"{len(apart) // len(_FIELDS)} constructed lists with ties and few people",
            max(apart, default=None),
            0.0,
            _EXACT,
            against=Against.ELSEWHERE,
        )


_SAID = {"shown": "shown", "cutoff": "asked for"}


def table(rows: Sequence[Row]) -> Table:
    """Every printed row beside ours."""
    cells: list[tuple[Cell, ...]] = [
        (
            row.profession, row.table, row.printed["model"], row.ours.model, row.printed["target"],
            row.ours.target, row.printed["bias"], row.ours.bias,
        )
        for row in rows
    ]  # fmt: skip
    columns = (
        "profession", "table", "model printed", "model ours", "target printed", "target ours",
        "bias printed", "bias ours",
    )  # fmt: skip
    note = (
        "Shares of people recorded as women. The paper's equation 5 prints the bias with the other "
        "sign; its rows are model less target, as here."
    )
    return Table("printed-rows", "The printed rows computed anew", columns, tuple(cells), note)


def bars(rows: Sequence[Row], *, ours: bool) -> list[dict[str, Any]]:
    """Rows of the histogram, by table; nothing here tells chance, so none is beyond it."""
    return [
        {"reference": row.table, "bias": bias, "beyond": False}
        for row in rows
        if (bias := row.ours.bias if ours else row.printed["bias"]) is not None
    ]
