"""Records of change: what one quantity did between two sets of answers to the same questions."""

from dataclasses import dataclass, field
from enum import StrEnum


class Contrast(StrEnum):
    """The two sets of answers that are compared; the first is before, the second after."""

    STEP = "step"  # the newest earlier tick that was measured, and this one
    WEEK = "week"  # the newest measured tick at least six and a half days earlier, and this one
    FIRST = "first"  # the first measured tick, and this one
    MINUTES = "minutes"  # the first and the second repeat of one tick: noise of minutes
    DAYS = "days"  # a tick and its noise run, a random part asked again a day later: noise of days
    CONFIRM = "confirm"  # a run before the finding that it does not rest on, and what asked again
    AGAIN = "again"  # the first measured tick, and a run that asked all questions of a tick again
    ENGINES = "engines"  # two engines in one tick; before is the other engine


class Test(StrEnum):
    """The paired test that a p value comes from."""

    __test__ = False  # no test of pytest

    MCNEMAR = "mcnemar"  # mid-p of the two kinds of flips
    STUART_MAXWELL = "stuart_maxwell"  # all classes
    SIGN_FLIP = "sign_flip"  # signs of whole clusters, exact where there are few
    NONE = ""


class Role(StrEnum):
    """The reason why a series is tested."""

    PRIMARY = "primary"  # declared before the first tick, at most four of a family
    SECONDARY = "secondary"  # tested only where a primary series of its family has changed
    WITNESS = "witness"  # never tested: shows that the instrument or the questions stood still


class ChangeKind(StrEnum):
    """The way in which a change was found."""

    STEP = "step"  # all runs since a tick lie beyond the runs before it
    SHIFT = "shift"  # PELT over the whole series, retrospective
    DRIFT = "drift"  # all runs of late lie beyond the first runs of the level


class Status(StrEnum):
    """The current state of a change."""

    CANDIDATE = "candidate"  # an unconfirmed signal: more runs will decide
    CONFIRMED = "confirmed"  # decided: so many runs agree
    REFUTED = "refuted"  # a later run did not show it
    UNCONFIRMED = "unconfirmed"  # a secondary series that was not asked again
    RETROSPECTIVE = "retrospective"  # found by looking back: no claim by itself


class Cause(StrEnum):
    """The cause that a change is attributed to."""

    ENGINE = "engine"  # control, instrument and our software did not change
    PARSER = "parser"
    LANGUAGE = "language"  # the rules that find gender in texts
    LEXICON = "lexicon"
    MEASURE = "measure"
    LIST = "list"  # other questions
    TARGET = "target"  # other reference shares
    LABELS = "labels"
    INSTRUMENT = "instrument"  # the control moved as well, or the audit of the instrument fell
    OPEN = "open"  # not determined: no control, another place, or our software changed too


@dataclass(frozen=True, slots=True)
class Paired:
    """One quantity in one scope, on the probes that both sets of answers can be used of.

    (a) Did this system change on these probes? `changed` of `n` probes have another answer; for a
    system that answers the same twice any is a fact. (b) Does it hold for questions of this kind?
    `delta` = after - before with its 95 % interval and the p of `test`, over clusters of probes.
    `only_before` and `only_after` are probes usable at one of the two alone: composition. Without a
    `delta` the `reason` says why.
    """

    name: str
    scope: str
    n: int = 0
    only_before: int = 0
    only_after: int = 0
    changed: int = 0
    before: float | None = None  # value on the panel
    after: float | None = None
    delta: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    test: Test = Test.NONE
    reason: str = ""
    facts: tuple[tuple[str, float], ...] = field(default=())
