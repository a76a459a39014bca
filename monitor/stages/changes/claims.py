"""A published number with all that it rests on: what its claim card says, in each of its forms.

Made by `stages.reports.claim_content`; `dataclasses.asdict` gives the JSON form. Values are
fractions, as they are stored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from markupsafe import Markup

from monitor.model import Meaning, Quantity
from monitor.stages.changes.due_times import DueTimes
from monitor.stages.changes.later_moves import LaterMove
from monitor.stages.jobs.preregistration import Because
from monitor.stages.reports.names import find_quantity
from monitor.store.reports.claim_facts import ClaimRun, Component


@dataclass(frozen=True, slots=True)
class ClaimSeries:
    """The series that a number is of."""

    series_id: int
    series_key: str
    engine: str
    surface: str
    list: str
    source_lang: str
    target: str
    measure: str
    quantity: str
    reference: str
    scope: str
    scope_title: str | None
    engine_kind: str
    engine_title: str

    @property
    def meaning(self) -> Meaning:
        """Return the meaning of the quantity for people."""
        return self.find_quantity().meaning

    def find_quantity(self, name: str = "") -> Quantity:
        """Return the quantity of the series, or another one of its measure."""
        return find_quantity(self.measure, name or self.quantity, self.engine_kind)


@dataclass(frozen=True, slots=True)
class Value:
    """A value with its 95 % interval; null where there is none."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Again:
    """The change when it was asked again, and the run that it was compared with."""

    delta: float | None
    low: float | None
    high: float | None
    p: float | None
    n: int
    changed: int
    before_run_id: int
    after_run_id: int
    due_at: datetime


@dataclass(frozen=True, slots=True)
class AskedTwice:
    """Counts of answers that differed where the same was asked twice, so that none should."""

    ticks: int
    changed: int
    asked: int
    largest: float


@dataclass(frozen=True, slots=True)
class Noise:
    """The movement of a series while nothing changes; `contrasts` by how far apart it was asked."""

    sd_of_runs: float | None
    statistic: float | None
    contrasts: Mapping[str, AskedTwice]


@dataclass(frozen=True, slots=True)
class Declared:
    """The declaration of a number before the first run, and whether it was asked so."""

    confirmatory: bool
    because: Because | None
    said: str
    hash: str
    departures: Sequence[Mapping[str, Any]]
    departures_said: Sequence[str]


@dataclass(frozen=True, slots=True)
class InstrumentAudit:
    """The known accuracy of the reading of the answers behind a number.

    `audit` is the audit that speaks of these answers, None without one; `correction` the value
    that it corrects, else `reason` says why there is none. `said` has all of it in sentences.
    """

    said: Sequence[str]
    in_doubt: Sequence[str] = ()
    audit: Mapping[str, Any] | None = None
    correction: Mapping[str, Any] | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class FlippedAnswer:
    """One answer, how it was read, and the words that decided that."""

    attempt: int
    said: Sequence[Any]
    text: str
    sha256: str
    witnesses: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Flip:
    """A question with other answers, before and after."""

    key: str
    stereotype: str
    probe: str
    before: Sequence[FlippedAnswer]
    after: Sequence[FlippedAnswer]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Claim:
    """The content that cards of changes and of points have in common.

    `bounds` hold whatever the missing answers are. `chart` is drawn where a card shows it.
    """

    kind: str
    number: int
    series: ClaimSeries
    title: str
    pair: str
    config: Mapping[str, Any]
    runs: Sequence[ClaimRun]
    signature: str
    parts: Mapping[str, Any]
    validity: Mapping[str, str]
    citation: str
    claim: str
    is_current: bool
    replaced_said: str
    effect: Value
    bounds: tuple[float | None, float | None]
    n: int | None
    left_out: Mapping[str, int | None]
    noise: Noise
    declared: Declared
    dates: Sequence[datetime]
    invented: str
    instrument_audit: InstrumentAudit | None
    chart: Markup = field(default=Markup(""), repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PointClaim(_Claim):
    """A value of one run."""

    state: str
    reason: str
    flags: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeClaim(_Claim):
    """A change as it was tested, and what became of it.

    `missing_suspect` says whether it may be due to missing answers, None where that was not
    computed; `missing` says it in words. `due_times` are those of the runs that `facts` counts.
    `moved_again` is a later finding in which values moved again, if they did. `flips` are the first
    of `n_flips`.
    """

    changed_at: datetime
    before: float | None
    after: float | None
    components: Sequence[Component]
    missing_suspect: bool | None
    missing: str
    missing_counts: tuple[float, float]
    changed: int | None
    test: str | None
    p: float | None
    q: float | None
    alpha: float | None
    order_said: str
    p_beyond: float | None
    alpha_beyond: float | None
    holds_beyond: bool
    beyond_said: str
    size_said: str
    change_kind: str
    facts: Mapping[str, float]
    due_times: DueTimes
    status: str
    status_said: str
    cause: str
    because: str
    again: Again | None
    moved_again: LaterMove | None
    n_flips: int
    flips: Sequence[Flip]


Claim = ChangeClaim | PointClaim
