"""What leaves the archive in which everybody attacks, by other ways than pages, is inert too.

The weekly report on paper, a release, messages, what Datasette is told, and what a terminal shows.
"""

import asyncio
import csv
import io
import json
import re
import zlib
from dataclasses import replace
from datetime import timedelta
from xml.etree import ElementTree as ET

import pyarrow.parquet as pq
import pytest
import sqlalchemy as sa
from datasette.app import Datasette
from selectolax.lexbor import LexborHTMLParser

from monitor.change import Status
from monitor.notify import Message
from monitor.notify.sender import AppriseSender
from monitor.pipeline import notices as telling
from monitor.stages.notices import NoticeRules, of_changes
from monitor.stages.publish import release
from monitor.stages.publish.datasette_metadata import make_metadata
from monitor.store.jobs.declarations import Invented
from monitor.store.journal import notifications
from monitor.store.publish import release as store
from monitor.store.publish.release import ReleaseSelection, read_lists
from monitor.store.schema import items
from monitor.text.cells import plain
from monitor.web.site.site_state import EntryRule
from tests.command import program
from tests.standins.mailbox import Hook, MailServer, serving
from tests.web.site.hostile import NOW, TEXTS
from tests.web.site.test_hostile import FORMULA, UNSEEN

#: What makes a PDF do something, hold a file, or lead somewhere.
ACTIVE = re.compile(
    rb"/(JavaScript|JS|Launch|EmbeddedFiles?|Filespec|URI|AA|OpenAction|RichMedia|SubmitForm|"
    rb"GoToR|GoToE|Annots?|XFA|AcroForm|Movie|Sound)\b"
)
#: Letters of glyphs: of a font's own, and of those that it does not have.
_LETTERS = re.compile(
    rb"^<[0-9A-Fa-f]+> <([0-9A-Fa-f]+)>|/ActualText<FEFF([0-9A-F]+)>", re.MULTILINE
)
_STREAM = re.compile(rb"(?<!end)stream\r?\n")


@pytest.fixture(scope="module")
def site(poisoned, archive_folder):
    """The archive with a folder of its own, as commands look for it."""
    site = poisoned(EntryRule.LOCAL)
    bodies = site.home / "bodies"
    if not bodies.exists():
        bodies.symlink_to(archive_folder / "bodies")
    return site


# --- paper ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def paper(site):
    """Objects of the weekly report as PDF, and its streams as they are before they are packed."""
    [path] = (site.home / "out").glob("*.pdf")
    whole = path.read_bytes()
    return whole, [_unpacked(whole[found.end() :]) for found in _STREAM.finditer(whole)]


def _unpacked(stream):
    try:
        return zlib.decompressobj().decompress(stream)
    except zlib.error:  # metadata stand as they are
        return b""


def test_paper_does_nothing_and_leads_nowhere(paper):
    whole, streams = paper
    outside = re.sub(rb"stream\r?\n.*?endstream", b"", whole, flags=re.DOTALL)  # packed bytes
    for part in (outside, *streams):
        assert not ACTIVE.search(part)
    assert sum(map(len, streams)) > len(whole)


def test_paper_has_no_letter_that_is_not_seen(paper):
    """By what says which letters the glyphs are: what is copied or looked for is made of these."""
    _, streams = paper
    letters = {
        bytes.fromhex(target.decode()).decode("utf-16-be")
        for one in streams
        for targets in _LETTERS.findall(one)
        for target in targets
    }
    assert letters >= set("<script>alert(1)")
    assert not UNSEEN.search("".join(letters))


# --- a release ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def released(site, tmp_path_factory):
    """The tables of a release with all texts."""
    folder = tmp_path_factory.mktemp("release") / "all"
    with site.database.read() as connection:
        release.write_release(
            connection, folder, ReleaseSelection(full=True), "1", "1", lambda _: None
        )
    return folder / "data"


def test_no_cell_of_a_release_is_a_formula_wherever_a_program_parts_cells(released):
    for path in released.glob("*.csv"):
        text = path.read_text("utf-8")
        for delimiter in ",;\t":
            for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
                for cell in row:
                    is_number = re.fullmatch(r"-[0-9.]+(e[+-]?[0-9]+)?([,;].*)?", cell, re.DOTALL)
                    assert not cell.startswith(FORMULA) or is_number, (path.name, cell)


def test_parquet_has_what_was_captured_and_csv_the_same(site, released):
    with site.database.read() as connection:
        captured = set(connection.execute(sa.select(items.c.text)).scalars())
    kept = set(pq.read_table(released / "answers.parquet", columns=["text"])["text"].to_pylist())
    assert {text for text in TEXTS if text in captured} <= kept
    assert len(kept & set(TEXTS)) > len(TEXTS) / 2
    for resource in store.list_resources(full=True):
        names = [one.name for one in resource.columns if one.type == "text"]
        table = pq.read_table(released / f"{resource.name}.parquet", columns=names)
        with (released / f"{resource.name}.csv").open(encoding="utf-8", newline="") as file:
            lines = list(csv.DictReader(file))
        for name in names:
            cells = [one or "" for one in table[name].to_pylist()]
            assert [plain(line[name]) for line in lines] == cells, (resource.name, name)


# --- messages -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def told(site):
    """What is to be told of alarms, changes and reports."""
    now = NOW + timedelta(hours=1)
    with site.database.read() as connection:
        found = telling._found(connection, ["findings", "operations"], NoticeRules(), now)
        changes = notifications.list_changes_since(connection, NOW - timedelta(days=99), ())
    confirmed = [replace(one, status=Status.CONFIRMED) for one in changes]
    return [*found, *of_changes(confirmed, {}, NoticeRules(), now)]


def test_messages_are_short_and_call_nobody(told):
    assert {one.kind for one in told} >= {"raised", "digest", "finding"}
    for one in told:
        assert len(one.title) <= 140
        assert "\n" not in one.title
        assert len(one.body) <= 1_900
        for text in (one.title, one.body):
            assert not UNSEEN.search(text)
            assert not re.search(r"[<>`*~|]|\]\(|://|__|@[A-Za-z]", text), text


def test_messages_arrive_as_they_are_wherever_they_go(told):
    """A hook, an XML one, a chat that reads marks, and letters of text, HTML and Markdown."""
    new = next(one for one in told if one.kind == "raised")
    with serving(Hook()) as hook, serving(MailServer()) as mail:
        port = hook.server_address[1]
        addresses = [
            hook.url(), f"xml://127.0.0.1:{port}/x", f"mmost://127.0.0.1:{port}/{'t' * 26}",
            *(mail.url(form=form) for form in ("text", "html", "markdown")),
        ]  # fmt: skip
        assert (
            AppriseSender({"all": addresses}).send("all", Message(new.title, new.body)).is_complete
        )
    said = dict(hook.posts)
    assert json.loads(said["/hook"])["message"] == new.body
    texts = [one.text for one in ET.fromstring(said["/x"]).iter()]  # noqa: S314 - our own
    assert new.body in texts
    [chat] = [json.loads(body)["text"] for path, body in said.items() if path.startswith("/hooks/")]
    assert new.body in chat
    assert len(mail.letters) == 3
    for letter in mail.letters:
        assert letter["Subject"] == new.title
        if html := letter.get_body(("html",)):
            tags = {node.tag for node in LexborHTMLParser(html.get_content()).css("*")}
            assert tags <= {"html", "head", "body", "title", "p", "br", "b", "h1", "h2", "div"}


# --- Datasette ------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_public", [False, True])
def test_datasette_is_told_nothing_that_acts(site, is_public):
    with site.database.read() as connection:
        lists = read_lists(connection, ReleaseSelection())
    described = make_metadata("monitor", public=is_public, lists=lists, invented=Invented())
    assert "alert(1)" in described["source"]
    assert not [text for text in _texts(described) if UNSEEN.search(text.replace("\n", ""))]
    assert not [key for key in _keys(described) if key.endswith(("_html", "_url"))]
    shown = asyncio.run(_shown(described))
    assert "&lt;script&gt;alert(1)" in shown
    assert "<script>alert" not in shown
    assert "<img src=x" not in shown


async def _shown(described):
    """The first page, which says where the data come from."""
    served = Datasette(memory=True, metadata=described)
    answer = await served.client.get("/")
    return answer.text


def _texts(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from _texts(one)
    elif isinstance(value, str):
        yield value


def _keys(value):
    if isinstance(value, dict):
        for key, one in value.items():
            yield key
            yield from _keys(one)


# --- a terminal -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        ["status"],
        ["status", "--json"],
        ["series", "list"],
        ["series", "show", "1"],
        ["series", "show", "1", "--json"],
        ["series", "changes"],
        ["evidence", "show", "1"],
        ["evidence", "show", "1", "--json"],
    ],
    ids=" ".join,
)
def test_a_terminal_is_shown_codes(site, words, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MONITOR_HOME", str(site.home))
    with program(tmp_path, monkeypatch, capsys) as command:
        _, shown, err = command(*words)
    assert shown, err
    assert not UNSEEN.search(shown + err)
