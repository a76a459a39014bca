"""What was found to have changed: all findings in force, what moved together standing together."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from monitor.change import Cause, ChangeKind, Role, Status
from monitor.input_files import is_plausible
from monitor.roles import Permission
from monitor.stages import as_declared, claim_words
from monitor.stages.as_declared import Because
from monitor.stages.engine_titles import KnownEngines, known_engines
from monitor.stages.weekly import changed, names
from monitor.store import changes_shown
from monitor.store.changes_shown import Finding
from monitor.store.changes_together import Wanted, choices, together
from monitor.store.database import Connection
from monitor.store.series import ALL, as_row
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

#: Further away a time may have no date in another zone.

#: What the findings of an entry have in common, beside their tick.
_ENTRY = ("job", "engine", "source_lang", "target")

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

    Confirmatory is what was declared before the first tick and asked as declared; of all else
    `exploratory_because` says why it is not. `sentence` is empty where it would tell of numbers
    that are not public.
    """

    number: int
    series: int
    title: str
    quantity: str
    measure: str
    scope: str
    scope_title: str
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
    """What moved in one system at one tick, primary quantities first. `n` are all of them."""

    job: str
    detected_at: datetime
    system: str
    engine: str
    source_lang: str
    target: str
    n: int
    moved: Sequence[Moved]
    causes: Sequence[Attribution]


class ChangeList(BaseModel):
    """Changes in force, confirmed or not, the newest tick first, one page of them."""

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
    found = together(
        connection, who.hidden, Wanted(**asked.model_dump()), _ENTRY, page=page, size=_ON_A_PAGE
    )
    names_of = list(Choices.model_fields)
    known = _kept.get(connection, who, "choices", lambda: choices(connection, who.hidden, names_of))
    return ChangeList(
        asked=asked,
        choices=Choices(
            **{name: sorted({getattr(one, name) for one in known}) for name in names_of}
        ),
        page=page,
        n_pages=max(1, -(-found.n_entries // _ON_A_PAGE)),
        n_entries=found.n_entries,
        n_findings=found.n_findings,
        n_tested=changes_shown.tested(connection, who.hidden, asked.job),
        entries=_entries(connection, who, found.entries, _SHOWN if found.n_entries > 1 else _MOST),
    )


def _entries(
    connection: Connection, who: Visitor, groups: Sequence[Sequence[int]], most: int
) -> list[Entry]:
    numbers = [number for some in groups for number in some]
    known = {one.listed.change_id: one for one in changes_shown.findings(connection, numbers)}
    engines = known_engines(connection)
    shown = [
        sorted((known[number] for number in some), key=lambda one: _rank(one, engines))[:most]
        for some in groups
    ]
    because = as_declared.of_findings(connection, [one.listed for some in shown for one in some])
    unsaid = Unsaid(connection, who)
    return [
        _entry(own, len(of), engines, because, unsaid)
        for of, own in zip(groups, shown, strict=True)
    ]


def _rank(one: Finding, engines: KnownEngines) -> tuple[object, ...]:
    """Where a change stands in its entry: confirmed before others, primary before secondary."""
    it = one.listed
    firsts = names.primaries(it.measure, engines[it.engine].kind)
    at = firsts.index(it.quantity) if it.quantity in firsts else len(firsts)
    is_signal = it.status != Status.CONFIRMED
    return (
        is_signal,
        it.scope != ALL,
        it.role != Role.PRIMARY,
        it.list,
        it.measure,
        at,
        it.change_id,
    )


def _entry(
    some: Sequence[Finding],
    n: int,
    engines: KnownEngines,
    because: Mapping[int, Because | None],
    unsaid: Unsaid,
) -> Entry:
    first = some[0].listed
    known = engines[first.engine]
    causes: dict[tuple[str, str], list[str]] = {}
    for one in some:
        key = one.listed.cause, unsaid.because(one.because)
        causes.setdefault(key, []).append(names.title(as_row(one.listed)))
    return Entry(
        job=first.job, detected_at=first.detected_at,
        system=names.system(
            as_row(first) | {"kind": known.kind, "engine_title": known.title}
        ), engine=first.engine,
        source_lang=first.source_lang, target=first.target, n=n,
        moved=[_moved(one, because[one.listed.change_id], unsaid) for one in some],
        causes=[
            Attribution(of=list(dict.fromkeys(of)), cause=Cause(cause), because=words,
                        said=changed.CAUSE[Cause(cause)])
            for (cause, words), of in causes.items()
        ],
    )  # fmt: skip


def _moved(one: Finding, why: Because | None, unsaid: Unsaid) -> Moved:
    it = one.listed
    named: dict[str, Any] = {
        name: getattr(it, name)
        for name in ("quantity", "measure", "scope", "changed_at", "effect", "low", "high", "q")
    }
    return Moved(
        **named, number=it.change_id, series=it.series_id, title=names.title(as_row(it)),
        scope_title=one.scope_title, kind=ChangeKind(it.kind), role=Role(it.role),
        status=Status(it.status), status_said=claim_words.STATUS[Status(it.status)],
        before=one.before, after=one.after,
        sentence=unsaid.sentence(it.sentence, one.engine_id, it.target),
        is_confirmatory=why is None, exploratory_because=declared(why),
    )  # fmt: skip


def declared(why: Because | None) -> str:
    """Why a finding is exploratory; empty where it is confirmatory."""
    if why is None:
        return ""
    if why is Because.NOT_AS_DECLARED:
        return "not asked as declared"
    return changed.EXPLORATORY[why]
