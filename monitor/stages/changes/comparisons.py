"""Compare answers to the same questions: two runs, and the systems of one run.

Every pair, target and quantity over all questions is one test; Benjamini and Hochberg's adjusted p
covers all tests of the run together, so that showing fewer of them changes none.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from monitor import __version__
from monitor.change import Contrast, Paired
from monitor.model import Context, Measure, Unit, digest
from monitor.stages.derive.measurement import (
    Instrument,
    inputs_of,
    seed_of,
    shares_of_women,
    targets_of,
)
from monitor.stages.document import notation
from monitor.stages.document.notation import format_day
from monitor.stages.document.records import Block, Cell, Column, Document, Group, Table, Words
from monitor.stages.reports import names
from monitor.stages.reports.cells import write_cell, write_missing
from monitor.stages.reports.names import KnownEngines
from monitor.stats.chance import benjamini_hochberg
from monitor.store.changes.comparisons import EngineComparison
from monitor.store.collect.runs import Run

# --- two sets of answers --------------------------------------------------------------------------

#: Of the method: goes up whenever a delta, an interval or a p can come out differently.
VERSION = 4

#: Contrasts that are kept of every scope; of the others only what is over all probes.
_OF_ALL_SCOPES = (Contrast.STEP, Contrast.CONFIRM)


def _measure(instrument: Instrument, what: Contrast) -> Measure:
    """The measure; without its floor where a part of the questions shows how much answers differ.

    A floor keeps values off that rest on too little. A difference while nothing changes is no
    value, and how many questions it rests on is in the noise floor.
    """
    measure = instrument.measure
    if what is not Contrast.DAYS or "floor" not in measure.parameters:
        return measure
    return measure.configure({**measure.parameters, "floor": 1})


def contrast_answers(
    instrument: Instrument,
    what: Contrast,
    before: Sequence[Unit],
    after: Sequence[Unit],
    series: str,
    due_at: datetime,
) -> tuple[tuple[Paired, ...], str]:
    """(changes, digest of the inputs), with the reference shares of after for both.

    A change of the reference is none of the system, so both are held against the same shares.
    """
    targets = targets_of(instrument, after)
    context = Context(
        seed=seed_of(series, due_at.isoformat(), instrument.signature),
        shares=shares_of_women(targets),
        targets=targets,
        lexicons=instrument.lexicons,
        over_all=what not in _OF_ALL_SCOPES,
    )
    result = _measure(instrument, what).paired(before, after, context)
    if context.over_all:
        result = tuple(paired for paired in result if paired.scope == "all")
    stored = [[k, [[s.group, s.value, s.n] for s in group]] for k, group in sorted(targets.items())]
    inputs = [[sorted(inputs_of(unit) for unit in units) for units in (before, after)], stored]
    return result, digest([VERSION, instrument.measure.version, inputs])


# --- systems of one run ---------------------------------------------------------------------------

Row = dict[str, Any]
#: Of the adjusted p: what is called a difference.
LEVEL = 0.05
_COLUMNS = (
    Column("systems", width=2), Column("first", is_number=True), Column("second", is_number=True),
    Column("difference (second - first) [95 %]", is_number=True, width=1.6),
    Column("p", is_number=True),
    Column("adjusted p", is_number=True), Column("questions", is_number=True, width=1.3),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class AdjustedComparison:
    """Two engines in one quantity, with the p adjusted for all tests of the run."""

    comparison: EngineComparison
    q: float | None

    @property
    def differ(self) -> bool:
        """Return whether it is called a difference."""
        return self.q is not None and self.q <= LEVEL

    def row(self) -> Row:
        """For programs."""
        return asdict(self.comparison) | {"q": self.q, "differ": self.differ}


def adjust_together(comparisons: Iterable[EngineComparison]) -> list[AdjustedComparison]:
    """Return the comparisons of a run with their adjusted p."""
    engine_comparisons = list(comparisons)
    q = adjust_p_values(
        {
            engine_comparison.comparison_id: engine_comparison.p
            for engine_comparison in engine_comparisons
        }
    )
    return [
        AdjustedComparison(engine_comparison, q.get(engine_comparison.comparison_id))
        for engine_comparison in engine_comparisons
    ]


def adjust_p_values(p: Mapping[int, float | None]) -> dict[int, float]:
    """Return {comparison: adjusted p} from the p of all comparisons that are tested together."""
    tested = {number: value for number, value in p.items() if value is not None}
    q = benjamini_hochberg(list(tested.values()))
    return dict(zip(tested, map(float, q), strict=True))


def write_comparison_table(
    caption: str, rows: Sequence[Row], engine_title: Callable[[str], str], zone: ZoneInfo
) -> Table:
    """Return comparisons of two systems, `other` being the first, one group for each quantity.

    A row has `label`, `measure`, `kind`, `list`, `source_lang`, `target`, `due_at`, `other`,
    `engine`, the values `before` (of the first) and `after`, `delta`, `low`, `high`, `p`, `q`, `n`,
    `changed` and `reason`.
    """
    groups: dict[str, list[list[Cell]]] = {}
    for row in rows:
        pair = names.pair_words(row["source_lang"], row["target"], row["kind"])
        of = names.bracket_parameters(row["measure"])
        heading = (
            f"{row['label']}{of}, {pair}, list {row['list']}, {format_day(row['due_at'], zone)}"
        )
        systems = f"{engine_title(row['other'])}, {engine_title(row['engine'])}"
        groups.setdefault(heading, []).append([Cell(systems), *_write_cells(row)])
    return Table(caption, _COLUMNS, [Group(heading, group) for heading, group in groups.items()])


def _write_cells(row: Row) -> list[Cell]:
    if row["delta"] is None:
        return [write_missing(row["reason"]), *(Cell("none", is_missing=True) for _ in range(5))]
    ends = [write_cell({"value": row[name], "low": None, "high": None, "reason": ""})
            for name in ("before", "after")]  # fmt: skip
    return [
        *(Cell(end.text, "on these questions") for end in ends),
        write_cell(row, sign=True, name="delta"),
        Cell(notation.chances(row["p"])),
        Cell(notation.chances(row["q"])),
        Cell(f"{row['n']:,}", f"{row['changed']:,} answered otherwise"),
    ]


def write_comparison_document(
    run: Run,
    some: Sequence[AdjustedComparison],
    n_tests: int,
    zone: ZoneInfo,
    engines: KnownEngines,
    banner: str,
) -> Document:
    """Return the comparisons of a run as a document; `banner` stands above all."""
    n_differ = sum(adjusted_comparison.differ for adjusted_comparison in some)
    blocks: list[Block] = [
        Words("Each two systems on the questions that both answered usably in this run."),
        Words(
            f"{n_differ} of the differences below hold at {LEVEL} after the correction for all "
            f"{n_tests} tests of the run (Benjamini and Hochberg 1995). The correction does not "
            "depend on what is shown."
        ),
    ]
    rows = [_describe_row(adjusted_comparison) for adjusted_comparison in some]
    if rows:
        blocks.append(
            write_comparison_table(
                "Differences between systems", rows, lambda label: engines[label].title, zone
            )
        )
    else:
        blocks.append(Words("No two systems of one kind were asked the same questions."))
    kicker = f"Job {run.job}, run {run.id}, due {notation.when(run.due_at, zone)}"
    return Document("Compare systems", kicker, banner, blocks, [], f"monitor {__version__}")


def _describe_row(one: AdjustedComparison) -> Row:
    comparison = one.comparison
    about = {name: getattr(comparison, name) for name in (
        "list", "source_lang", "target", "measure", "quantity", "reference", "due_at", "delta",
        "low", "high", "p", "n", "changed", "reason",
    )} | {"kind": names.kind_of(comparison.first)}  # fmt: skip
    return about | {
        "label": names.write_label(about), "other": comparison.first,
        "engine": comparison.second,
        "q": one.q,
        "before": comparison.value_first, "after": comparison.value_second,
    }  # fmt: skip
