"""Records of studies: options, checks against a paper, tables, figures, limits."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from markupsafe import Markup

from monitor.stages.document.records import Svg

Cell: TypeAlias = str | int | float | None
#: Is told what is being done now, in a few words.
ReportStep: TypeAlias = Callable[[str], None]


class Verdict(StrEnum):
    """The result of comparing a number with a published or required one."""

    EQUAL = "equal"  # within the tolerance
    DIFFERS = "differs"
    NOT_COMPARED = "not compared"  # one of both is not there; `note` says why


class Against(StrEnum):
    """The kind of reference of a check."""

    PRINTED = "printed"  # stands in the paper
    ELSEWHERE = "computed elsewhere"  # by other programs, of the same input
    MUST = "must hold"  # of any input: ours against ours, which says nothing of the paper


@dataclass(frozen=True, slots=True)
class StudyCheck:
    """One claim: our number, the expected one, and how far apart they may be.

    `where` is the table or figure of the paper, or the property that has to hold.
    """

    what: str
    where: str
    ours: float | None
    published: float | None
    tolerance: float
    note: str = ""
    against: Against = field(kw_only=True)

    @property
    def verdict(self) -> Verdict:
        """Equal only where both are numbers and no further apart than the tolerance."""
        if self.ours is None or self.published is None:
            return Verdict.NOT_COMPARED
        if not (math.isfinite(self.ours) and math.isfinite(self.published)):
            return Verdict.NOT_COMPARED
        near = abs(self.ours - self.published) <= self.tolerance
        return Verdict.EQUAL if near else Verdict.DIFFERS


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns; None is a number that there is none of. `name` becomes a file's name."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""

    @property
    def numeric(self) -> tuple[bool, ...]:
        """Return for each column whether it holds numbers, which are aligned."""
        return tuple(
            any(isinstance(cell, int | float) for cell in column)
            for column in zip(*self.rows, strict=True)
        ) or (False,) * len(self.columns)


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawn chart with what it shows. `published` is the paper's, drawn anew from its numbers."""

    name: str
    title: str
    ours: Svg
    published: Markup | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Limit:
    """A result of the paper that cannot be reproduced here, and the reason."""

    what: str
    why: str


@dataclass(frozen=True, slots=True)
class StudyResult:
    """All results of a study. `ran` describes the inputs: {input: what it was, with its size}."""

    ran: Mapping[str, str]
    checks: Sequence[StudyCheck] = ()
    tables: Sequence[Table] = ()
    figures: Sequence[Figure] = ()
    limits: Sequence[Limit] = ()
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Option:
    """Something that a study is given: `kind` is what a command line makes of it.

    An option without a default must be given.
    """

    name: str
    help: str
    kind: type[str] | type[int] | type[float] | type[bool] | type[Path] = str
    default: Any = None
    required: bool = False
    several: bool = False


class Study(Protocol):
    """One experiment of a paper."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def paper(self) -> str:
        """The citation, with the sections, tables and figures."""
        ...

    @property
    def question(self) -> str:
        """The question of the study, in one or two sentences."""
        ...

    @property
    def example(self) -> str:
        """The arguments of an example call, without `monitor study`."""
        ...

    @property
    def options(self) -> tuple[Option, ...]: ...

    def validation(self, data: Path) -> Mapping[str, Any] | None:
        """The options under which docs/validation.md runs it, with the reference data there.

        None where it needs what is not there; the page then says so.
        """
        ...

    def run(self, given: Mapping[str, Any], tell: ReportStep) -> StudyResult:
        """Run it. Raises InvalidInput for what cannot be used, MissingPart for what is missing."""
        ...


@dataclass(frozen=True, slots=True)
class Finished:
    """A study that was run, as pages show it."""

    study: Study
    given: Mapping[str, str]
    found: StudyResult
    code_version: str
    took: float = field(compare=False)

    def count(self, verdict: Verdict) -> int:
        """Return the number of checks with this verdict."""
        return sum(check.verdict is verdict for check in self.found.checks)

    def equal(self, against: Against) -> int:
        """Return the number of values equal to references of one kind."""
        return sum(
            check.verdict is Verdict.EQUAL and check.against is against
            for check in self.found.checks
        )
