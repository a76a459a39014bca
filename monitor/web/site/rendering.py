"""Rendering of pages as HTML, and of files: CSV without formulas, and files that run nothing."""

import io
import json
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from http import HTTPStatus
from typing import Any
from zoneinfo import ZoneInfo

from fastapi import Request
from fastapi.responses import HTMLResponse, Response
from jinja2 import Environment
from pydantic import BaseModel

from monitor import __version__
from monitor.model import QuantityUnit, StoreProblem
from monitor.roles import Permission
from monitor.stages.document import html, notation
from monitor.stages.document.data import write_csv
from monitor.stages.reports import names
from monitor.stages.reports.names import KnownEngine, engine_title
from monitor.text.counted_nouns import several
from monitor.text.quantity_values import (
    say_change,
    say_change_interval,
    say_day,
    say_interval,
    say_short_day,
    say_value,
)
from monitor.web.site.site_state import Site, get_site
from monitor.web.site.visitors import Visitor

#: Whatever it is, it is shown by no program in our name: no script, no frame, no other type.
SHUT = "default-src 'none'; sandbox; frame-ancestors 'none'"
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")


def make_csv(site: Site, rows: Iterable[Sequence[object]], name: str) -> Response:
    """Return a table as a CSV file, with column names first and empty cells for None.

    Where data of the archive are invented a last column says so in every row.
    """
    text = io.StringIO(newline="")
    marked = site.is_invented().marked(rows)
    write_csv(text, marked)
    return make_file(text.getvalue().encode(), f"{name}.csv", "text/csv; charset=utf-8")


def make_file(content: bytes, name: str, content_type: str) -> Response:
    """Return a file to save, which browsers do not open."""
    return Response(
        content,
        media_type=content_type,
        headers={
            "Content-Disposition": f'attachment; filename="{_NOT_IN_NAMES.sub("-", name)}"',
            "Content-Security-Policy": SHUT,
        },
    )


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """Entry of the menu, for visitors with one permission and without another."""

    path: str
    title: str
    needs: Permission
    refuses: Permission | None = None

    def opens(self, who: Visitor) -> bool:
        """Return whether a visitor may see the page."""
        return who.may(self.needs) and not (self.refuses and who.may(self.refuses))


#: The name of the program leads to the overview.
MENU = (
    MenuEntry("/changes", "Changes", Permission.NUMBERS),
    MenuEntry("/series", "Series", Permission.NUMBERS),
    MenuEntry("/compare", "Compare", Permission.NUMBERS),
    MenuEntry("/professions", "Professions", Permission.NUMBERS),
    MenuEntry("/stereotypes", "Stereotypes", Permission.NUMBERS),
    MenuEntry("/query", "Words", Permission.NUMBERS),
    MenuEntry("/runs", "Runs", Permission.NUMBERS),
    MenuEntry("/reports", "Reports", Permission.NUMBERS),
    MenuEntry("/methods", "Methods", Permission.NUMBERS),
)
#: Where people work at what the pages show.
WORK = (
    MenuEntry("/labels", "Label people", Permission.LABEL),
    MenuEntry("/labels/agreement", "Agreement", Permission.EMBARGOED, Permission.LABEL),
    MenuEntry("/donate", "Donated pages", Permission.DONATE),
    MenuEntry("/operations", "Operations", Permission.OPERATE),
)


def find_start(who: Visitor) -> str:
    """Return the path of the page where a visitor starts; empty if no page is open to them."""
    if who.is_shut_out:
        return ""
    if who.may(Permission.NUMBERS):
        return "/"
    own_page = "/account" if who.name and not who.is_program else "/login"
    return next((entry.path for entry in WORK if entry.opens(who)), own_page)


@cache
def _make_environment() -> Environment:
    return html.page_environment(
        number=notation.number, percent=notation.percent, span=notation.span,
        chances=notation.chances,
        capped=notation.capped, pretty=_format_json, spelt=notation.spelt, in_json=_dump_records,
        several=several, grouped=lambda n: f"{n:,}",
        in_unit=lambda value, unit: say_value(unit, value),
        interval_in=lambda low, high, unit: say_interval(unit, low, high),
        in_percent=lambda share: say_value(QuantityUnit.SHARE, share),
        in_points=lambda change: say_change(QuantityUnit.SHARE, change),
        span_in_percent=lambda low, high: say_interval(QuantityUnit.SHARE, low, high),
        span_in_points=lambda low, high: say_change_interval(QuantityUnit.SHARE, low, high),
        change_in=lambda change, unit: say_change(unit, change),
        change_interval_in=lambda low, high, unit: say_change_interval(unit, low, high),
    )  # fmt: skip


def _format_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True)


def _dump_records(records: Sequence[BaseModel]) -> str:
    return json.dumps([record.model_dump(mode="json") for record in records])


def _find_engine(site: Site, label: str) -> KnownEngine:
    """Return an engine by its label, also while the database is away."""
    with suppress(StoreProblem):
        if engine := site.engines().get(label):
            return engine
    return KnownEngine(names.kind_of(label), engine_title(label))


def _name_systems(site: Site) -> dict[str, Callable[..., str]]:
    """Return functions of templates that name what a record of an engine is about, and how."""

    def system(label: str) -> str:
        return _find_engine(site, label).title

    def asked_in(record: Any, label: str = "") -> str:  # noqa: ANN401 - any record of an engine
        """Return languages or region: `English to Czech`."""
        kind = _find_engine(site, label or record.engine).kind
        return names.pair_words(record.source_lang, record.target, kind)

    def target_in(record: Any) -> str:  # noqa: ANN401 - any record of an engine
        """Return the target language or region: `Czech`."""
        return names.target_words(record.target, _find_engine(site, record.engine).kind)

    def measured_by(record: Any, label: str = "") -> str:  # noqa: ANN401 - any record of an engine
        """Return the title of the measure: `GEST masculine rate`."""
        return names.title_measure(record.measure, _find_engine(site, label or record.engine).kind)

    return {
        "system": system, "asked_in": asked_in, "target_in": target_in, "measured_by": measured_by,
    }  # fmt: skip


def format_day(moment: datetime, zone: ZoneInfo) -> str:
    """Return a date, with time and zone unless it is midnight."""
    local = moment.astimezone(zone)
    form = "%Y-%m-%d" if (local.hour, local.minute) == (0, 0) else "%Y-%m-%d %H:%M %Z"
    return local.strftime(form)


def _say_invented(request: Request, who: Visitor) -> str:
    """Return the sentence that data are invented; nothing while the database is away."""
    with suppress(StoreProblem):
        names_jobs = who.may(Permission.EMBARGOED)
        return get_site(request).is_invented().sentence(names_jobs=names_jobs)
    return ""


def render_page(
    request: Request,
    who: Visitor,
    template: str,
    content: Any,  # noqa: ANN401 - what the template of this page names
    status: int = HTTPStatus.OK,
) -> HTMLResponse:
    """Return a page.

    In the template: `it` is its content, `who` the visitor, `path` where we are, and `start` where
    this visitor starts.
    """
    site = get_site(request)
    zone = site.zone
    page = _make_environment().get_template(f"site/{template}")
    html = page.render(
        it=content,
        who=who,
        path=request.url.path,
        start=find_start(who),
        invented=_say_invented(request, who),
        asked=request.query_params,
        menus=[[entry for entry in places if entry.opens(who)] for places in (MENU, WORK)],
        version=__version__,
        zone=str(zone),
        day=lambda moment: format_day(moment, zone),
        when=lambda moment: notation.when(moment, zone),
        **_name_systems(site),
        date=lambda moment: say_day(moment, zone),
        short_date=lambda moment: say_short_day(moment, zone),
    )
    return HTMLResponse(html, status)
