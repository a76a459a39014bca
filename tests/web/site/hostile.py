"""An archive in which everybody attacks: services, people's names, pages, files of jobs, raters.

Whatever is text of others, or was written by a person, gets something that does harm where it is
not kept apart from the page, the table or the terminal that it is shown in.
"""

from datetime import timedelta
from itertools import count, cycle
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from monitor.pipeline import reports
from monitor.store.access import users
from monitor.store.collect import bodies, pauses
from monitor.store.journal import events
from monitor.store.reports import run_list
from monitor.store.schema import exchanges, item_overviews, items, metadata
from tests.demo import WEEKS

TEXTS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)' autofocus onfocus='alert(1)",
    "</title></textarea></style></script><svg onload=alert(1)><script>alert(1)</script>",
    "<svg><animate onbegin=alert(1) attributeName=x><a xlink:href='javascript:alert(1)'>x",
    "<a href='javascript:alert(1)' hx-get='//evil.test' hx-on:click='alert(1)'>x</a>",
    "<iframe srcdoc='<script>alert(1)</script>' src='//evil.test'></iframe>",
    "<form action='//evil.test'><input name=mark><button formaction='//evil.test'>x",
    "<meta http-equiv=refresh content='0;url=//evil.test'><base href='//evil.test/'>",
    "<link rel=stylesheet href='//evil.test'><style>@import '//evil.test';</style>",
    "<object data='//evil.test'></object><embed src='//evil.test'><math><mi xlink:href='x'>",
    "--><script>alert(1)</script>]]><script>alert(1)</script>",
    "&lt;script&gt;alert(1)&lt;/script&gt;&#60;script&#62;",
    "{{ 7*7 }}{% include 'base.html' %}${7*7}#{7*7}<%= 7*7 %>",
    '=HYPERLINK("http://evil.test";"x")',
    "+1+cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    '\t=1+1,"\n=1+1\r=1+1',
    "＝1+1 ＋1 ＠x",
    "\x1b[31mred\x1b]0;title\x07\x9b31m\x08\x7f",
    "\u202egnp.exe\u202c \u2066x\u2069 \u200b\u200e\ufeff\u2028\u2029",
    "<b>plain</b> \"quoted\" 'quoted' `quoted` \\\\ \\\" \\u003cscript\\u003e",
    "W" * 3_000,
)  # fmt: skip
ADDRESSES = (
    "javascript:alert(1)",
    " JaVaScRiPt:alert(1)",
    "java\tscript:alert(1)",
    "\x01javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:msgbox(1)",
    "//evil.test/x",
    "/\\evil.test/x",
    "file:///etc/passwd",
    'http://evil.test/"onmouseover="alert(1)',
    "https://evil.test/<script>alert(1)</script>?a=b&c='d'",
    "https://user:word@evil.test/",
    "http://[evil/",
)
#: {table: columns} of what others wrote. A text keeps its beginning, so that it is found as before.
WRITTEN = {
    "lists": "title licence description", "probes": "text", "list_items": "text",
    "engines": "name", "scopes": "title", "items": "text title",
    "exchanges": "detail", "readings": "detail", "labels": "reason",
    "events": "subject detail", "alarms": "subject detail", "suspensions": "reason detail",
    "pauses": "reason", "points": "reason", "changes": "because sentence",
    "comparisons": "reason", "ticks": "reason", "topic_values": "topic source",
    "reference_shares": "source", "point_facts": "key", "processes": "name detail",
    "watched_jobs": "trouble", "notices": "title body trouble", "documents": "detail",
    "lookups": "detail", "egresses": "detail", "erasures": "reason",
    "people.people_entities": "name annotation reason", "people.people_lookups": "detail",
    "people.people_ratings": "comment",
}  # fmt: skip
PLACES = {
    "items": "url", "exchanges": "url", "lookups": "url", "people.people_entities": "link",
    "people.people_lookups": "url",
}  # fmt: skip
#: JSON of others: one more key with one more value.
FILLED = {"agents": "identity", "exchanges": "headers observed"}
#: How many answers apart are those whose picture is a page.
_APART = 7
PAGE = "".join(TEXTS).encode()
PICTURE = b"\x89PNG\r\n\x1a\n" + PAGE
NOW = WEEKS[-1]


def poison(database, home):
    """Write all of it into every row there is; a weekly report that tells of it is below `home`."""
    texts, addresses = cycle(TEXTS), cycle(ADDRESSES)
    with database.begin() as connection:
        _add_rows(connection)
        _add_pictures(connection, database)
        for table, columns in WRITTEN.items():
            for column in columns.split():
                _fill(connection, table, column, lambda old: f"{old or ''} {next(texts)}")
                _fill(connection, table, column, _only(table, column, texts), every=3)
        # so that there is an attack in whatever document or terminal is looked at
        _fill(connection, "engines", "name", lambda old: f"{old} {TEXTS[0]}\x1b[31m\u202e")
        for table, column in PLACES.items():
            _fill(connection, table, column, lambda _old: next(addresses))
        for table, columns in FILLED.items():
            for column in columns.split():
                _fill(connection, table, column, lambda old: _more(old, next(texts)))
    _report(database, home)


def _only(table, column, texts):
    """An attack alone, for what looks at the beginning; names stay different from each other."""
    numbers = count()
    is_name = (table, column) in {
        ("engines", "name"), ("processes", "name"), ("topic_values", "topic"),
        ("point_facts", "key"), ("probes", "text"), ("alarms", "subject"),
    }  # fmt: skip
    return lambda _old: f"{next(texts)} {next(numbers)}" if is_name else next(texts)


def _more(old, attack):
    if isinstance(old, dict):
        return {**old, attack: attack}
    return [*old, [attack, attack]] if isinstance(old, list) else old


def _fill(connection, name, column, change, every=1):
    table = metadata.tables[name]
    rows = connection.execute(
        sa.select(table.c.id, table.c[column]).order_by(table.c.id)
        if "id" in table.c
        else sa.select(*table.primary_key.columns, table.c[column])
    ).all()
    keys = [table.c.id] if "id" in table.c else list(table.primary_key.columns)
    changed = [
        {f"own_{place}": value for place, value in enumerate(row[:-1])} | {"new": change(row[-1])}
        for row in rows[::every]
        if row[-1]
    ]
    mine = [key == sa.bindparam(f"own_{place}") for place, key in enumerate(keys)]
    if changed:
        statement = sa.update(table).where(*mine).values({column: sa.bindparam("new")})
        connection.execute(statement, changed)


def _add_rows(connection):
    """What the archive has none of: things that are stuck, and what people did."""
    events.raise_alarm(connection, "blocked", "mt-weekly: one", "a wall", NOW)
    events.add_event(connection, "paused", "engine one", "because", now=NOW)
    pauses.add_pause(connection, "engine", "libretranslate", "a reason", NOW)
    cited = [[text, address, text] for text, address in zip(TEXTS, cycle(ADDRESSES), strict=False)]
    results = connection.scalars(sa.select(items.c.id).where(items.c.block == "organic")).all()
    overviews = [{"item_id": item, "state": "shown", "sources": cited} for item in results]
    connection.execute(sa.insert(item_overviews), overviews)


def _add_pictures(connection, database):
    """Screenshots: most begin as pictures do, some are pages and nothing else."""
    for content, chosen in ((PICTURE, sa.true()), (PAGE, exchanges.c.id % _APART == 0)):
        shot = bodies.store_body(connection, database, content, "screenshot", NOW)
        connection.execute(sa.update(exchanges).where(chosen).values(screenshot_id=shot))


def _report(database, home):
    """The weekly report that is due, made of what stands there now."""
    with database.read() as connection:
        [due] = run_list.find_unmade(connection, "mt-weekly")
    made = reports.make_report(database, [due.job], None, ZoneInfo("UTC"), home / "out")
    with database.begin() as connection:
        run_list.mark_made(connection, due.id, made.digest, NOW)


def add_user(site, name, roles):
    """Somebody with these roles, who has a token that is called by an attack."""
    with site.database.begin() as connection:
        users.add_user(connection, name, roles, "", site.now())
        user = users.get_user(connection, name)
        until = site.now() + timedelta(days=9)
        users.add_token(connection, user, TEXTS[1], until, site.now())
    return user
