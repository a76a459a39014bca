"""Change events: the page of all findings in force, and the Atom feed (RFC 4287)."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal
from xml.etree import ElementTree as ET
from zoneinfo import ZoneInfo

from fastapi import Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from monitor.change import Cause, ChangeKind, Role, Status
from monitor.input_files import is_plausible
from monitor.model import as_row
from monitor.roles import Permission
from monitor.stages.changes import statements
from monitor.stages.changes.events import (
    ChangeEvent,
    EventChange,
    describe_event,
    describe_events,
    group_findings,
)
from monitor.stages.changes.later_moves import group_standing
from monitor.stages.document.notation import capitalize_first, visible
from monitor.stages.jobs import preregistration
from monitor.stages.jobs.preregistration import EXPLORATORY, Because
from monitor.stages.reports import names
from monitor.stages.reports.names import KnownEngines, known_engines
from monitor.store.changes import findings as stored_changes
from monitor.store.changes.findings import Finding, FindingFilter, ListedChange
from monitor.store.changes.findings import list_changes as findings
from monitor.store.database import Connection
from monitor.text.quantity_values import say_value
from monitor.web.site.errors import Refused
from monitor.web.site.records import (
    ChoiceLabels,
    Described,
    copy_record,
    count_pages,
    label_choices,
    list_choices,
    slice_page,
)
from monitor.web.site.response_cache import ResponseCache
from monitor.web.site.routes import Moment, PageNumber, Text, make_router, serve_file, serve_page
from monitor.web.site.site_state import Site, TheSite
from monitor.web.site.visitors import Redaction, Visitor, Who

router = make_router("changes")

#: Entries on a page, and findings of one of them where there are several entries.
_ON_A_PAGE = 20
_SHOWN_OF_MANY = 8
#: Findings that are shown of one entry by itself.
_SHOWN_OF_ONE = 500

_cache = ResponseCache(most=64)

StatusWanted = Literal["", "candidate", "confirmed", "refuted", "unconfirmed", "retrospective"]
CauseWanted = Literal["", "engine", "parser", "language", "lexicon", "measure", "list", "target",
                      "labels", "instrument", "open"]  # fmt: skip
FEED_PATH = "/changes.atom"
_NAMESPACE = "http://www.w3.org/2005/Atom"
_MOST_ENTRIES = 50


class ChangeChoices(BaseModel):
    """Values to filter by."""

    job: Sequence[str]
    engine: Sequence[str]
    measure: Sequence[str]
    target: Sequence[str]


class ChangedQuantity(BaseModel):
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
    is_mean: bool
    sentence: str
    is_confirmatory: bool
    exploratory_because: str


class Attribution(BaseModel):
    """Cause of findings, with its reason; `of` are their quantities."""

    of: Sequence[str]
    cause: Cause
    said: str
    because: str


class LaterChange(BaseModel):
    """A later finding in which values moved again, or a signal of it, in words."""

    number: int
    changed_at: datetime
    is_decided: bool
    said: str


def list_later(event: ChangeEvent) -> list[LaterChange]:
    """Return the later findings in which values of an event moved again, each once."""
    return [copy_record(LaterChange, later, said=said) for later, said in event.said_later]


class EventSummary(Described):
    """A change event: what moved in one system since one day, the leading finding first."""

    number: int
    """That of the leading finding, as are `target` and `detected_at`."""
    headline: str
    system: str
    engine: str
    asked_in: str
    target: str
    changed_at: datetime
    began: str
    """The words before that time: since, or those of a slow drift."""
    detected_at: datetime
    status: Status
    later: Sequence[LaterChange]
    """The later findings in which what the headline is about moved again."""


class ChangeEntry(EventSummary):
    """A change event with its findings: `n` are all of them, `moved` those that are shown."""

    job: str
    source_lang: str
    n: int
    moved: Sequence[ChangedQuantity]
    causes: Sequence[Attribution]


class ChangeList(Described):
    """Change events in force, confirmed or not, the newest first, one page of them."""

    asked: FindingFilter
    choices: ChangeChoices
    page: int
    n_pages: int
    n_entries: int
    n_findings: int
    n_tested: int
    """Ticks at which it was tested whether anything changed."""
    entries: Sequence[ChangeEntry]
    labels: ChoiceLabels = Field(exclude=True)

    @property
    def times(self) -> Mapping[str, datetime]:
        """Return the times that are asked for, by parameter."""
        asked = {"at": self.asked.at, "after": self.asked.after, "until": self.asked.until}
        return {name: moment for name, moment in asked.items() if moment is not None}

    @property
    def cause_words(self) -> Mapping[Cause, str]:
        """Return the causes to filter by, in words."""
        return statements.CAUSE


@serve_page(router, "/changes", "changes.html", Permission.NUMBERS)
def changes(
    site: TheSite, who: Who, *, job: Text = "", status: StatusWanted = "", cause: CauseWanted = "",
    engine: Text = "", measure: Text = "", target: Text = "",
    scope: Literal["all", ""] = "all", at: Moment | None = None,
    after: Moment | None = None, until: Moment | None = None,
    page: PageNumber = 1,
) -> ChangeList:  # fmt: skip
    """Return changes in force. `scope` is `all`, or empty to include parts of the questions.

    `engine` and `measure` are a label or its beginning, `at` is the tick; or it is after one time,
    and until another.
    """
    at, after, until = (_check_tick(moment, site) for moment in (at, after, until))
    asked = FindingFilter(job=job, status=status, cause=cause, engine=engine, measure=measure,
                  target=target, scope=scope, at=at, after=after, until=until)  # fmt: skip
    with site.database.read() as connection:
        return _cache.get(
            connection,
            who,
            (asked, page),
            lambda: _read_page(connection, who, asked, page, site.zone),
        )


def _check_tick(moment: datetime | None, site: Site) -> datetime | None:
    """Return a time with its zone. Raise Refused if no tick can have it."""
    if moment is None:
        return None
    if not is_plausible(moment):
        raise Refused(f"the year {moment.year} is no tick's")
    return moment if moment.tzinfo else moment.replace(tzinfo=site.zone)


def _read_page(
    connection: Connection, who: Visitor, asked: FindingFilter, page: int, zone: ZoneInfo
) -> ChangeList:
    listed = findings(connection, asked, who.hidden)
    groups = group_findings(listed)
    groups_on_page = slice_page(groups, page, _ON_A_PAGE)
    engines = known_engines(connection)
    choices, labels = _cache.get(
        connection, who, "choices", lambda: _read_choices(connection, who, engines)
    )
    return ChangeList(
        asked=asked,
        choices=choices,
        labels=labels,
        page=page,
        n_pages=count_pages(len(groups), _ON_A_PAGE),
        n_entries=len(groups),
        n_findings=len(listed),
        n_tested=stored_changes.count_visible_tests(connection, who.hidden, asked.job),
        entries=_list_entries(
            connection,
            who,
            groups_on_page,
            _SHOWN_OF_MANY if len(groups) > 1 else _SHOWN_OF_ONE,
            engines,
            zone,
        ),
    )


def _read_choices(
    connection: Connection, who: Visitor, engines: KnownEngines
) -> tuple[ChangeChoices, ChoiceLabels]:
    offered = stored_changes.list_choices(connection, who.hidden, list(ChangeChoices.model_fields))
    labels = label_choices(((row.engine, row) for row in offered), engines)
    return list_choices(ChangeChoices, offered), labels


def _list_entries(
    connection: Connection,
    who: Visitor,
    groups: Sequence[Sequence[ListedChange]],
    most: int,
    engines: KnownEngines,
    zone: ZoneInfo,
) -> list[ChangeEntry]:
    numbers = [finding.change_id for group in groups for finding in group]
    stored = {
        detailed.listed.change_id: detailed
        for detailed in stored_changes.read_findings(connection, numbers)
    }
    values = {number: (detailed.before, detailed.after) for number, detailed in stored.items()}
    standing = group_standing(findings(connection, hidden=who.hidden))
    events = [describe_event(group, values, engines, zone, standing) for group in groups]
    numbers_shown = [change.number for event in events for change in event.changes[:most]]
    because = preregistration.of_findings(
        connection, [stored[number].listed for number in numbers_shown]
    )
    unsaid = Redaction(connection, who)
    return [_make_entry(event, most, stored, because, unsaid) for event in events]


def _make_entry(
    event: ChangeEvent,
    most: int,
    stored: Mapping[int, Finding],
    because: Mapping[int, Because | None],
    unsaid: Redaction,
) -> ChangeEntry:
    causes: dict[tuple[str, str], list[str]] = {}
    for change in event.changes[:most]:
        finding = stored[change.number]
        key = finding.listed.cause, unsaid.because(finding.listed.because)
        causes.setdefault(key, []).append(change.label)
    leading = event.leading
    return copy_record(
        ChangeEntry,
        event,
        source_lang=leading.source_lang,
        target=leading.target,
        n=len(event.changes),
        later=list_later(event),
        moved=[
            _make_quantity(change, stored[change.number], because[change.number], unsaid)
            for change in event.changes[:most]
        ],
        causes=[
            Attribution(of=list(dict.fromkeys(of)), cause=Cause(cause),
                        because=statements.explain_cause(cause, words),
                        said=statements.CAUSE[Cause(cause)])
            for (cause, words), of in causes.items()
        ],
    )  # fmt: skip


def _make_quantity(
    change: EventChange, finding: Finding, why: Because | None, unsaid: Redaction
) -> ChangedQuantity:
    listed = finding.listed
    ends: dict[str, Any] = {
        f"{side}_said": "" if value is None else say_value(change.unit, value)
        for side, value in (("before", change.before), ("after", change.after))
    }
    return copy_record(
        ChangedQuantity,
        change,
        **ends,
        title=names.write_title(as_row(listed)),
        scope_title=finding.scope_title,
        status_said=statements.STATUS[change.status],
        changed_at=listed.changed_at,
        q=listed.q,
        effect_said=change.said_effect,
        sentence=unsaid.sentence(listed.sentence, finding.engine_id, listed.target),
        is_confirmatory=why is None,
        exploratory_because=EXPLORATORY[why] if why else "",
    )


def read_events(
    connection: Connection, who: Visitor, engines: KnownEngines, zone: ZoneInfo, job: str = ""
) -> list[ChangeEvent]:
    """Return the events of a job or of all that a visitor may see, the newest first."""
    listed = findings(connection, FindingFilter(job=job), who.hidden)
    values = stored_changes.read_end_values(connection, [finding.change_id for finding in listed])
    return describe_events(listed, values, engines, zone)


@serve_file(router, FEED_PATH)
def feed(request: Request, site: TheSite, who: Who) -> Response:
    """Return the Atom feed of confirmed events, the newest first."""
    with site.database.read() as connection:
        events = read_events(connection, who, known_engines(connection), site.zone)
    confirmed = [event for event in events if event.status is Status.CONFIRMED][:_MOST_ENTRIES]
    address = str(request.base_url).rstrip("/")
    invented = site.is_invented().sentence(names_jobs=False)
    content = _write_atom(address, confirmed, site.now(), invented)
    return Response(content, media_type="application/atom+xml; charset=utf-8")


def _write_atom(address: str, events: Iterable[ChangeEvent], now: datetime, invented: str) -> bytes:
    """Return the feed; `invented` stands in every entry where data are made up."""
    root = ET.Element("feed", {"xmlns": _NAMESPACE})
    entries = list(events)
    _add_element(root, "title", "monitor: confirmed changes")
    _add_element(root, "id", f"{address}{FEED_PATH}")
    _add_element(
        root,
        "updated",
        _format_moment(max((confirmed.detected_at for confirmed in entries), default=now)),
    )
    _add_element(_add_element(root, "author"), "name", "monitor")
    _add_element(root, "link", rel="self", href=f"{address}{FEED_PATH}")
    _add_element(root, "link", rel="alternate", href=f"{address}/changes")
    for event in entries:
        entry = _add_element(root, "entry")
        event_address = f"{address}/changes/{event.number}"
        sentences = (
            event.leading.said,
            event.leading.said_effect,
            capitalize_first(event.cause_said),
            invented,
        )
        _add_element(entry, "title", f"{event.headline} ({event.asked_in})")
        _add_element(entry, "id", event_address)
        _add_element(entry, "link", rel="alternate", href=event_address)
        _add_element(entry, "published", _format_moment(event.detected_at))
        _add_element(entry, "updated", _format_moment(event.detected_at))
        _add_element(entry, "summary", ". ".join(filter(None, sentences)))
    return bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True))


def _add_element(parent: ET.Element, name: str, words: str = "", **attributes: str) -> ET.Element:
    element = ET.SubElement(parent, name, attributes)
    element.text = visible(words) or None
    return element


def _format_moment(at: datetime) -> str:
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")
