"""When an archive has last seen engines live, and what is not called live."""

from datetime import timedelta

import pytest
import sqlalchemy as sa

from monitor import live_record
from monitor.live_record import NEVER, SeenLive, is_own_address, say_seen_live
from monitor.model import Outcome, Reason
from monitor.store import schema
from monitor.store.collect.run_progress import find_live_answers
from tests.looked_after import AT, ask, new_run

DAY = timedelta(days=1)
SERVICE = "https://api.example.org/v2"


def answered(database, engine, day=0, n=3, url=SERVICE, outcome=Outcome.OK, surface="api"):
    """Answers of an engine in a run of their own."""
    at = AT + day * DAY
    run = new_run(database, f"{engine}-{day}".replace(":", "-"), at)
    read = [(Outcome.OK, Reason.NONE)] * 2  # by versions 1 and 2 of the parser
    ask(database, run, engine, outcome, n=n, at=at, read=read)
    with database.begin() as connection:
        of_run = schema.exchanges.c.run_id == run
        connection.execute(sa.update(schema.exchanges).where(of_run).values(url=url))
        named = schema.engines.c.name == engine
        connection.execute(sa.update(schema.engines).where(named).values(surface=surface))


def seen(database, until=None):
    with database.read() as connection:
        return find_live_answers(connection, until)


def test_the_newest_answers_of_each_engine_count_with_those_of_their_run(database):
    assert seen(database) == {}
    answered(database, "deepl", 0, n=5)
    answered(database, "deepl", 7, n=3)
    answered(database, "deepl", 8, outcome=Outcome.FAILED)
    answered(database, "chat:gpt-x", 1, n=2)
    answered(database, "gone", 1)  # no engine of this version
    assert seen(database) == {
        "deepl": SeenLive("2026-11-28", 3, "2"),
        "chat": SeenLive("2026-11-22", 2, "2"),
        "gone": SeenLive("2026-11-22", 3, "2"),
    }
    assert seen(database, AT + DAY)["deepl"] == SeenLive("2026-11-21", 5, "2")


@pytest.mark.parametrize("surface", ["local", "recorded"])
def test_what_nobody_asked_over_the_network_is_not_live(database, surface):
    answered(database, "deepl", surface=surface)
    assert seen(database) == {}
    assert say_seen_live("deepl", seen(database)) == NEVER


def test_an_address_of_ones_own_is_said_and_is_not_live(database):
    answered(database, "libretranslate", url="http://127.0.0.1:5000/translate")
    words = say_seen_live("libretranslate", seen(database))
    assert words == "asked at an address of one's own 2026-11-21 (3 answers, version 2)"
    answered(database, "libretranslate:other", -7)
    assert say_seen_live("libretranslate", seen(database)).startswith("seen live 2026-11-14")


@pytest.mark.parametrize(
    ("address", "is_own"),
    [
        ("http://localhost:5000/", True),
        ("http://192.168.3.4/translate", True),
        ("http://[::1]:80/", True),
        ("http://translator:5000/", True),
        ("", True),
        ("http://[broken", True),
        ("https://api.deepl.com/v2/translate", False),
        ("https://[2001:db8::1]/", False),
    ],
)
def test_addresses_of_ones_own(address, is_own):
    assert is_own_address(address) is is_own


def test_release_and_archive_are_told_together(monkeypatch):
    shipped = {"deepl": SeenLive("2026-01-31", 10, "1.2")}
    monkeypatch.setattr(live_record, "read_seen_live", lambda: shipped)
    here = SeenLive("2026-11-21", 1, "")
    assert say_seen_live("deepl", {"deepl": here}) == "seen live 2026-11-21 (1 answer)"
    own = {"deepl": here._replace(is_own=True)}
    assert say_seen_live("deepl", own) == (
        "seen live 2026-01-31 (10 answers, version 1.2); "
        "asked at an address of one's own 2026-11-21 (1 answer)"
    )
    assert say_seen_live("brave", own) == NEVER
