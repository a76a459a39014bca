"""What changed: all findings in force, by event."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from monitor.change import Cause, ChangeKind, Role, Status
from monitor.input_files import is_plausible
from monitor.roles import Permission
from monitor.stages import as_declared, claim_words
from monitor.stages.as_declared import Because
from monitor.stages.change_events import (
    ChangeEvent,
    EventChange,
    describe_event,
    group_findings,
)
from monitor.stages.engine_titles import known_engines
from monitor.stages.weekly import changed, names
from monitor.store.changes import findings as stored_changes
from monitor.store.changes.findings import ChangeFilter, Finding, ListedChange, list_choices
from monitor.store.changes.findings import find_changes as findings
from monitor.store.changes.series import as_row
from monitor.store.database import Connection
from monitor.text.quantity_values import say_value
from monitor.web.site._errors import Refused
from monitor.web.site._inputs import Moment, PageNumber, Text
from monitor.web.site._kept import Kept
from monitor.web.site._routes import page, pages
from monitor.web.site._site import Site, TheSite
from monitor.web.site._unsaid import Unsaid
from monitor.web.site._visitor import Visitor, Who

router = pages("changes")

#: Entries on a page, and findings of one of them where there are several entries.
_ON_A_PAGE = 20
_SHOWN = 8
#: Findings that are shown of one entry by itself.
_MOST = 500

_kept = Kept(most=64)

StatusWanted = Literal["", "candidate", "confirmed", "refuted", "unconfirmed", "retrospective"]
CauseWanted = Literal["", "engine", "parser", "language", "lexicon", "measure", "list", "target",
                      "labels", "instrument", "open"]  # fmt: skip


class Asked(BaseModel):
    """What was looked for; empty stands for anything, null for any tick or time."""

    model_config = ConfigDict(frozen=True)

    job: str
    status: str
    cause: str
    engine: str
    measure: str
    target: str
    scope: str
    at: datetime | None
    after: datetime | None
    until: datetime | None


class Choices(BaseModel):
    """What may be looked for."""

    job: Sequence[str]
    engine: Sequence[str]
    measure: Sequence[str]
    target: Sequence[str]


class Moved(BaseModel):
    """One quantity that changed, with the 95 % interval of its effect.

    Confirmatory is what was declared before the first run and asked as declared; of all else
    `exploratory_because` says why it is not. `label`, `effect_said`, `before_said` and `after_said`
    are for people, in percent and points. `sentence` is empty where it would tell of numbers that
    are not public.
    """

    number: int
    series: int
    title: str
    label: str
    quantity: str
    measure: str
    scope: str
    scope_title: str
    source_lang: str
    target: str
    kind: ChangeKind
    role: Role
    status: Status
    status_said: str
    changed_at: datetime
    before: float | None
    after: float | None
    effect: float | None
    low: float | None
    high: float | None
    q: float | None
    before_said: str
    after_said: str
    effect_said: str
    sentence: str
    is_confirmatory: bool
    exploratory_because: str


class Attribution(BaseModel):
    """What findings are attributed to, and why; `of` are their quantities."""

    of: Sequence[str]
    cause: Cause
    said: str
    because: str


class Entry(BaseModel):
    """An event: what moved in one engine since one day, the leading finding first.

    `number`, `source_lang`, `target` and `detected_at` are those of the leading finding; `n` are
    all findings of the event.
    """

    number: int
    headline: str
    job: str
    changed_at: datetime
    detected_at: datetime
    status: Status
    system: str
    asked_in: str
    engine: str
    source_lang: str
    target: str
    n: int
    moved: Sequence[Moved]
    causes: Sequence[Attribution]


class ChangeList(BaseModel):
    """Change events in force, confirmed or not, the newest first, one page of them."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    asked: Asked
    choices: Choices
    page: int
    n_pages: int
    n_entries: int
    n_findings: int
    n_tested: int
    """Ticks at which it was tested whether anything changed."""
    entries: Sequence[Entry]


@page(router, "/changes", "changes.html", Permission.NUMBERS)
def changes(
    site: TheSite, who: Who, *, job: Text = "", status: StatusWanted = "", cause: CauseWanted = "",
    engine: Text = "", measure: Text = "", target: Text = "",
    scope: Literal["all", ""] = "all", at: Moment | None = None,
    after: Moment | None = None, until: Moment | None = None,
    page: PageNumber = 1,
) -> ChangeList:  # fmt: skip
    """What was found to have changed. `scope` is `all`, or empty for parts of the questions too.

    `engine` and `measure` are a label or its beginning, `at` is the tick; or it is after one time,
    and until another.
    """
    at, after, until = (_tick(one, site) for one in (at, after, until))
    asked = Asked(job=job, status=status, cause=cause, engine=engine, measure=measure,
                  target=target, scope=scope, at=at, after=after, until=until)  # fmt: skip
    with site.database.read() as connection:
        return _kept.get(
            connection, who, (asked, page), lambda: _read(connection, who, asked, page)
        )


def _tick(given: datetime | None, site: Site) -> datetime | None:
    """A time that can be a tick's. Raises Refused."""
    if given is None:
        return None
    if not is_plausible(given):
        raise Refused(f"the year {given.year} is no tick's")
    return given if given.tzinfo else given.replace(tzinfo=site.zone)


def _read(connection: Connection, who: Visitor, asked: Asked, page: int) -> ChangeList:
    listed = findings(connection, who.hidden, ChangeFilter(**asked.model_dump()))
    groups = group_findings(listed)
    on_page = groups[(page - 1) * _ON_A_PAGE : page * _ON_A_PAGE]
    names_of = list(Choices.model_fields)
    offered = _kept.get(
        connection, who, "choices", lambda: list_choices(connection, who.hidden, names_of)
    )
    return ChangeList(
        asked=asked,
        choices=Choices(
            **{name: sorted({getattr(row, name) for row in offered}) for name in names_of}
        ),
        page=page,
        n_pages=max(1, -(-len(groups) // _ON_A_PAGE)),
        n_entries=len(groups),
        n_findings=len(listed),
        n_tested=stored_changes.count_visible_tests(connection, who.hidden, asked.job),
        entries=_entries(connection, who, on_page, _SHOWN if len(groups) > 1 else _MOST),
    )


def _entries(
    connection: Connection, who: Visitor, groups: Sequence[Sequence[ListedChange]], most: int
) -> list[Entry]:
    numbers = [finding.change_id for group in groups for finding in group]
    stored = {
        one.listed.change_id: one for one in stored_changes.read_findings(connection, numbers)
    }
    values = {number: (one.before, one.after) for number, one in stored.items()}
    engines = known_engines(connection)
    events = [describe_event(group, values, engines) for group in groups]
    shown = [change.number for event in events for change in event.changes[:most]]
    because = as_declared.of_findings(connection, [stored[number].listed for number in shown])
    unsaid = Unsaid(connection, who)
    return [_entry(event, most, stored, because, unsaid) for event in events]


def _entry(
    event: ChangeEvent,
    most: int,
    stored: Mapping[int, Finding],
    because: Mapping[int, Because | None],
    unsaid: Unsaid,
) -> Entry:
    causes: dict[tuple[str, str], list[str]] = {}
    for change in event.changes[:most]:
        finding = stored[change.number]
        key = finding.listed.cause, unsaid.because(finding.because)
        causes.setdefault(key, []).append(change.label)
    leading = event.leading
    return Entry(
        number=event.number, headline=event.headline, job=event.job, changed_at=event.changed_at,
        detected_at=event.detected_at, status=event.status, system=event.system,
        asked_in=event.asked_in, engine=event.engine, source_lang=leading.source_lang,
        target=leading.target, n=len(event.changes),
        moved=[
            _moved(change, stored[change.number], because[change.number], unsaid)
            for change in event.changes[:most]
        ],
        causes=[
            Attribution(of=list(dict.fromkeys(of)), cause=Cause(cause), because=words,
                        said=changed.CAUSE[Cause(cause)])
            for (cause, words), of in causes.items()
        ],
    )  # fmt: skip


def _moved(change: EventChange, finding: Finding, why: Because | None, unsaid: Unsaid) -> Moved:
    listed = finding.listed
    same: dict[str, Any] = {
        name: getattr(change, name)
        for name in ("number", "series", "label", "quantity", "measure", "scope", "source_lang",
                     "target", "kind", "role", "status", "before", "after", "effect", "low", "high")
    }  # fmt: skip
    ends: dict[str, Any] = {
        f"{side}_said": "" if value is None else say_value(change.unit, value)
        for side, value in (("before", change.before), ("after", change.after))
    }
    return Moved(
        **same, **ends, title=names.title(as_row(listed)), scope_title=finding.scope_title,
        status_said=claim_words.STATUS[change.status], changed_at=listed.changed_at, q=listed.q,
        effect_said=change.said_effect,
        sentence=unsaid.sentence(listed.sentence, finding.engine_id, listed.target),
        is_confirmatory=why is None, exploratory_because=declared(why),
    )  # fmt: skip


def declared(why: Because | None) -> str:
    """Why a finding is exploratory; empty where it is confirmatory."""
    if why is None:
        return ""
    if why is Because.NOT_AS_DECLARED:
        return "not asked as declared"
    return changed.EXPLORATORY[why]
