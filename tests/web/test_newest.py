"""The newest report as a page: made once, anew when there is news, and inert."""

from datetime import timedelta
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest

from monitor import pipeline
from monitor.model import RunKind
from monitor.stages import report as stage
from monitor.web.newest import NewestReport
from tests.factories import DUE, Scripted, make_audit, mini_items, portuguese, quiet
from tests.looked_after import AT, end_run, measure, new_run

ZONE = ZoneInfo("UTC")
HOUR = timedelta(hours=1)
HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def counted():
    """Makes reports of their number."""
    made = []

    def make(_connection, run_id, _zone):
        made.append(run_id)
        return SimpleNamespace(html=f"<p>{len(made)}</p>")

    make.made = made
    return make


def test_without_a_run_there_is_a_sentence(database):
    reply = NewestReport(database, ZONE).page("")
    assert b"There is no run in this database yet" in reply.body
    assert (reply.status, reply.content_type) == (200, "text/html; charset=utf-8")


def test_a_report_is_made_again_only_when_there_is_news(database, counted):
    page = NewestReport(database, ZONE, counted).page
    first = new_run(database, "j", AT)
    assert page("").body == page("").body == b"<p>1</p>"
    measure(database, first, "a", "r", 0.5)
    assert page("").body == page("").body == b"<p>2</p>"
    end_run(database, first, AT)
    assert page("").body == page("").body == b"<p>3</p>"
    second = new_run(database, "j", AT + HOUR)
    assert page("").body == b"<p>4</p>"
    assert counted.made == [first, first, first, second]


def test_it_is_the_report_of_the_command_and_inert(database, tmp_path):
    items = mini_items()
    audit = make_audit(tmp_path, items, description=HOSTILE)
    tick = pipeline.start(database, audit, RunKind.SCHEDULED, DUE)
    pipeline.run(database, audit, tick, Scripted(portuguese(items)), quiet)
    reply = NewestReport(database, ZONE).page("")
    with database.read() as connection:
        assert reply.body.decode() == stage.report(connection, tick.id, ZONE).html
    assert b"<script" not in reply.body
    for part in ("default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"):
        assert part in reply.policy
    assert "script-src" not in reply.policy
