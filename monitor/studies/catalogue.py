"""Studies: records of what they are given and what comes out, how they are found and run."""

import importlib
import math
import pkgutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, partial
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from markupsafe import Markup

from monitor import __version__, studies
from monitor.model import InvalidInput
from monitor.stages.document.records import Svg

#: Modules that every study uses; all others are one.
_SHARED = frozenset({"catalogue", "labelled", "pages"})

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


#: Checks by what they are held against.
check_printed = partial(StudyCheck, against=Against.PRINTED)
check_elsewhere = partial(StudyCheck, against=Against.ELSEWHERE)
check_must = partial(StudyCheck, against=Against.MUST)


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


@dataclass(frozen=True, slots=True)
class ReferenceInputs:
    """The options under which docs/validation.md runs a study.

    `paths` are below the reference data, `needs` patterns of further files that must be there.
    """

    paths: Mapping[str, str | Sequence[str]]
    options: Mapping[str, Any] = field(default_factory=dict)
    needs: Sequence[str] = ()


class Study:
    """One experiment of a paper."""

    name: ClassVar[str]
    title: ClassVar[str]
    #: The citation, with the sections, tables and figures.
    paper: ClassVar[str]
    #: In one or two sentences.
    question: ClassVar[str]
    #: The arguments of an example call, without `monitor study`.
    example: ClassVar[str]
    options: ClassVar[tuple[Option, ...]]
    reference: ClassVar[ReferenceInputs]

    def validation(self, data: Path) -> Mapping[str, Any] | None:
        """The options under which docs/validation.md runs it, with the reference data there.

        None where it needs what is not there; the page then says so.
        """
        given: dict[str, Any] = dict(self.reference.options)
        patterns = list(self.reference.needs)
        for name, path in self.reference.paths.items():
            patterns += [path] if isinstance(path, str) else path
            given[name] = data / path if isinstance(path, str) else [data / one for one in path]
        return given if all(any(data.glob(pattern)) for pattern in patterns) else None

    def run(self, given: Mapping[str, Any], tell: ReportStep) -> StudyResult:
        """Run it. Raises InvalidInput for what cannot be used, MissingPart for what is missing."""
        raise NotImplementedError


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


@cache
def list_studies() -> dict[str, Study]:
    """Every study by its name. Raises TypeError for a module without one, or of another name."""
    studies_by_name: dict[str, Study] = {}
    for info in pkgutil.iter_modules(studies.__path__):
        if info.name.startswith("_") or info.name in _SHARED:
            continue
        study = getattr(importlib.import_module(f"monitor.studies.{info.name}"), "STUDY", None)
        if study is None:
            raise TypeError(f"monitor/studies/{info.name}.py defines no STUDY")
        if study.name.replace("-", "_") != info.name:
            raise TypeError(f"monitor/studies/{info.name}.py calls itself {study.name!r}")
        studies_by_name[study.name] = study
    return dict(sorted(studies_by_name.items()))


def complete_options(study: Study, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a study with defaults. Raises InvalidInput naming what is wrong."""
    options = {option.name: option for option in study.options}
    for name in given:
        if name not in options:
            raise InvalidInput(
                f"study {study.name}: unknown option {name!r}; known: {', '.join(options)}"
            )
    options_given = {name: given.get(name, option.default) for name, option in options.items()}
    for name, option in options.items():
        if option.required and options_given[name] in (None, ()):
            raise InvalidInput(f"study {study.name}: give --{name}: {option.help}")
    return options_given


def run_study(study: Study, given: Mapping[str, Any], tell: ReportStep) -> Finished:
    """Run a study. Raises InvalidInput, MissingPart."""
    options = complete_options(study, given)
    begun = time.monotonic()
    result = study.run(options, tell)
    described = {
        name: _format_option(value)
        for name, value in options.items()
        if value not in (None, (), "")
    }
    return Finished(study, described, result, __version__, time.monotonic() - begun)


def _format_option(value: object) -> str:
    """A value of an option as text; of a path its name alone."""
    if isinstance(value, list | tuple):
        return ", ".join(map(_format_option, value))
    return getattr(value, "name", "") or str(value)
