"""Two ticks of a series side by side: the stored comparison, and the answers that are others.

Nothing is tested here that was not tested when the ticks were computed: a difference between any
two ticks, chosen after looking, would find something somewhere.
"""

from collections.abc import Sequence
from datetime import datetime

from pydantic import BaseModel, ConfigDict

from monitor.change import Contrast, Test
from monitor.model import Kind, State
from monitor.roles import Permission
from monitor.stages._report_text import capped
from monitor.stages.change_wording import missing_words
from monitor.store.changes import changed_answers, tick_answers
from monitor.store.changes.changed_answers import AnswerSide, ChangedAnswer, DifferingQuestion
from monitor.store.changes.series import Comparison, GridTick, Series
from monitor.store.changes.tick_answers import AnswerScope
from monitor.store.database import Connection
from monitor.web.site._errors import Missing, Refused
from monitor.web.site._kept import Kept
from monitor.web.site._series_history import SeriesHistory
from monitor.web.site._visitor import Visitor

_ON_A_PAGE = 50
_LINKED = 12
#: Comparisons of two ticks that may be shown, the first that there is.
_SHOWN = (Contrast.STEP, Contrast.WEEK, Contrast.FIRST)

_kept = Kept(most=16)


class Difference(BaseModel):
    """What was computed of two ticks on the questions that both can be used of.

    `delta` is after - before with its 95 % interval, null unless `state` is `measured`. Whatever
    the missing answers are, it lies from `bound_low` to `bound_high`, null where nothing bounds it;
    `missing` says so, and whether it may be due to them.
    """

    contrast: Contrast
    state: State
    reason: str
    n: int
    only_before: int
    only_after: int
    changed: int
    before: float | None
    after: float | None
    delta: float | None
    low: float | None
    high: float | None
    p: float | None
    test: Test
    bound_low: float | None
    bound_high: float | None
    missing: str


class Step(BaseModel):
    """Two ticks that were compared when the later one was computed."""

    before: int
    after: int
    before_due_at: datetime
    after_due_at: datetime
    delta: float | None


class Answer(BaseModel):
    """One answer: what it was taken for, its beginning, and the number of its evidence."""

    attempt: int
    said: str
    text: str


class Flip(BaseModel):
    """A question with another answer: those of each repeat before, and after."""

    key: str
    question: str
    before: Sequence[Answer]
    after: Sequence[Answer]


class Pair(BaseModel):
    """Two ticks of a series, the earlier one first."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    before: int
    after: int
    before_due_at: datetime
    after_due_at: datetime
    before_value: float | None
    before_low: float | None
    before_high: float | None
    after_value: float | None
    after_low: float | None
    after_high: float | None
    difference: Difference | None
    steps: Sequence[Step]
    """Where the two were not compared: the ticks between them that were."""
    n_flips: int | None
    """Questions with another answer; null where the visitor may not see the answers."""
    page: int
    n_pages: int
    flips: Sequence[Flip]
    is_partial: bool
    """Whether the words of the answers are left out because they show captured pages."""


def pair(
    connection: Connection, who: Visitor, history: SeriesHistory, runs: tuple[int, int], page: int
) -> Pair:
    """The two ticks of these runs. Raises Missing for another run, Refused for the same twice."""
    by_run = {tick.run_id: tick for tick in history.ticks if tick.run_id is not None}
    for run in runs:
        if run not in by_run:
            raise Missing(f"series {history.series.id} has no tick of run {run}")
    if runs[0] == runs[1]:
        raise Refused("choose two different runs")
    before, after = sorted((by_run[run] for run in runs), key=lambda tick: tick.due_at)
    difference = _difference(history.comparisons, before, after)
    of = tick_answers.find_scope(connection, history.series.id)
    found = _flips(connection, who, history.series, of, (before, after))
    some = (found or [])[(page - 1) * _ON_A_PAGE : page * _ON_A_PAGE]
    is_partial = of.kind is Kind.SEARCH and not who.may(Permission.CAPTURED)
    return Pair(
        before=before.run_id or 0, after=after.run_id or 0, before_due_at=before.due_at,
        after_due_at=after.due_at, before_value=before.value, before_low=before.low,
        before_high=before.high, after_value=after.value, after_low=after.low,
        after_high=after.high,
        difference=difference,
        steps=[] if difference else _between(history.comparisons, before, after),
        n_flips=None if found is None else len(found), page=page,
        n_pages=max(1, -(-len(found or ()) // _ON_A_PAGE)),
        flips=[
            _flip(one, of.kind, is_partial=is_partial)
            for one in changed_answers.add_words(connection, some)
        ],
        is_partial=is_partial,
    )  # fmt: skip


def _difference(some: Sequence[Comparison], before: GridTick, after: GridTick) -> Difference | None:
    for contrast in _SHOWN:
        for one in some:
            runs = one.before_run_id, one.after_run_id
            if one.contrast is contrast and runs == (before.run_id, after.run_id):
                names = Difference.model_fields.keys() - {"bound_low", "bound_high", "missing"}
                return Difference.model_validate(
                    {name: getattr(one, name) for name in names}
                    | {name: one.facts.get(name) for name in ("bound_low", "bound_high")}
                    | {"missing": missing_words(one.facts)}
                )
    return None


def _between(some: Sequence[Comparison], before: GridTick, after: GridTick) -> list[Step]:
    found = [
        Step(before=one.before_run_id, after=one.after_run_id, before_due_at=one.before_due_at,
             after_due_at=one.due_at, delta=one.delta)
        for one in some
        if one.contrast is Contrast.STEP
        and before.due_at <= one.before_due_at and one.due_at <= after.due_at
    ]  # fmt: skip
    return found[-_LINKED:]


def _flips(
    connection: Connection,
    who: Visitor,
    one: Series,
    of: AnswerScope,
    ticks: tuple[GridTick, GridTick],
) -> list[DifferingQuestion] | None:
    """None where the answers are under embargo: those of another series would be told with them."""
    if not who.hidden.shows_answers(of.engine_id, of.target):
        return None
    runs = [tick.run_id or 0 for tick in ticks]
    asked = {name: getattr(one, name) for name in ("list", "source_lang", "target", "scope")} | {
        "engine_id": of.engine_id,
        "engine_kind": of.kind,
    }
    return _kept.get(
        connection,
        who,
        (one.id, *runs),
        lambda: changed_answers.find_differing(connection, asked, *runs),
    )


def _flip(one: ChangedAnswer, kind: Kind, *, is_partial: bool) -> Flip:
    return Flip(
        key=one.key,
        question=one.probe,
        before=[_answer(side, kind, is_partial=is_partial) for side in one.before],
        after=[_answer(side, kind, is_partial=is_partial) for side in one.after],
    )


def _answer(side: AnswerSide, kind: Kind, *, is_partial: bool) -> Answer:
    """Of translations the classes; of the rest what was said stands in the text already."""
    said = ", ".join(str(part) for part in side.said if part) if kind is Kind.MT else ""
    if kind is Kind.LM:
        said = ", ".join(
            f"template {template}: {ratio:+.3f}"
            for template, ratio in (part for part in side.said if isinstance(part, tuple))
            if ratio is not None
        )
    return Answer(attempt=side.attempt_id, said=said, text="" if is_partial else capped(side.text))
