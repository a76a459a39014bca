"""`monitor evidence export`: a WARC that other programs read, the same bytes for the same run."""

import base64
import gzip
import hashlib
import json
import tracemalloc
from io import BytesIO

import pytest
import sqlalchemy as sa
from warcio.archiveiterator import ArchiveIterator

from monitor.model import canonical_json
from monitor.stages.publish import warc
from monitor.store.collect import bodies
from monitor.store.publish import run_exchanges
from tests import kept, saved
from tests.command import program
from tests.factories import DUE
from tests.kept import kept_database, kept_folder, kept_postgres  # noqa: F401 - fixtures


@pytest.fixture
def audited(kept_database):  # noqa: F811
    return kept_database


@pytest.fixture
def monitor(audited, tmp_path, monkeypatch, capsys):
    with program(tmp_path, monkeypatch, capsys) as command:
        yield command


def exported(database, run=1, packed=True, probes=None):
    out = BytesIO()
    with database.read() as connection:
        warc.write_archive(
            out,
            run_exchanges.read_run(connection, run, probes),
            run_exchanges.read_exchanges(connection, run, probes),
            lambda number: bodies.read_body(connection, database, number),
            packed=packed,
        )
    return out.getvalue()


def read_back(content):
    """[(record headers, HTTP headers, content)] with every digest checked by warcio."""
    found = []
    for record in ArchiveIterator(BytesIO(content), check_digests="raise"):
        body = record.content_stream().read()
        assert record.digest_checker.passed is not False
        found.append((record.rec_headers, record.http_headers, body))
    return found


def of_kind(records, kind):
    return [one for one in records if one[0].get_header("WARC-Type") == kind]


def digest(content):
    return f"sha256:{base64.b32encode(hashlib.sha256(content).digest()).decode()}"


@pytest.fixture
def records(audited):
    return read_back(exported(audited))


def test_why_and_by_whom_it_was_collected_stands_at_the_beginning(records):
    [(_, _, about)] = of_kind(records, "warcinfo")
    lines = about.decode().split("\r\n")
    assert "governance-purpose: A test of this program" in lines
    assert "governance-controller: Whoever runs the tests" in lines
    assert "governance-reviews: google_web 2025-01-06; brave 2025-01-06" in lines
    assert "governance-contact: tests@monitor.test" in lines
    assert any(line.startswith("governance-retention: answer for ever; ") for line in lines)


def test_governance_does_not_add_lines_of_its_own():
    said = {"purpose": "a\r\nWARC-Type: response\n\nb"}
    out = BytesIO()
    facts = run_exchanges.ArchivedRun(
        id=1, job="x", job_hash="0", kind="manual", due_at=DUE, created_at=DUE, code_version="1",
        exchanges=0, removed=0, content={"governance": said, "engines": [{"name": "brave"}]},
    )  # fmt: skip
    warc.write_archive(out, facts, [], lambda _: b"", packed=False)
    assert b"governance-purpose: a WARC-Type: response b\r\n" in out.getvalue()


def test_what_is_in_it(records):
    kinds = [headers.get_header("WARC-Type") for headers, _, _ in records]
    page = ["resource", "resource", "metadata"]
    again = ["revisit", "revisit", "metadata"]
    http = ["request", "response", "metadata"]
    assert kinds == ["warcinfo", *page, *again, *page, *http, *http, "request", "metadata"]
    assert {headers.protocol for headers, _, _ in records} == {"WARC/1.1"}
    ids = [headers.get_header("WARC-Record-ID") for headers, _, _ in records]
    assert len(set(ids)) == len(ids)
    assert all(one.startswith("<urn:uuid:") for one in ids)


def test_every_payload_has_the_digest_of_the_database(records, audited):
    with audited.read() as connection:
        answers = sa.select(bodies.bodies.c.sha256).where(bodies.bodies.c.retention != "job")
        known = set(connection.execute(answers).scalars())
    stored = {f"sha256:{base64.b32encode(bytes.fromhex(one)).decode()}" for one in known}
    written = set()
    for headers, _, body in of_kind(records, "response") + of_kind(records, "resource"):
        assert headers.get_header("WARC-Payload-Digest") == digest(body)
        written.add(digest(body))
    assert written == stored


def test_the_run_is_described(records):
    [(headers, _, body)] = of_kind(records, "warcinfo")
    fields = dict(line.split(": ", 1) for line in body.decode().splitlines())
    assert fields["software"].startswith("gbmonitor/")
    assert (fields["run"], fields["job"], fields["exchanges"]) == ("1", "mini", "6")
    assert len(fields["job-sha256"]) == 64
    assert fields["due-at"] == "2025-01-06T05:00:00Z"
    assert headers.get_header("WARC-Date").endswith("Z")


def test_a_page_is_a_resource_with_its_picture_and_what_was_observed(records):
    pages = of_kind(records, "resource")
    assert pages[0][0].get_header("WARC-Target-URI") == kept.URL
    assert pages[0][0].get_header("Content-Type") == "text/html; charset=utf-8"
    assert pages[0][0].get_header("WARC-Date") == "2025-01-06T05:00:00Z"
    assert pages[0][2] == kept.LARGE
    assert pages[1][0].get_header("Content-Type") == "image/png"
    assert pages[1][0].get_header("WARC-Target-URI") == f"urn:view:{kept.URL}"
    assert pages[1][2] == kept.PNG
    assert pages[2][0].get_header("WARC-Date") == "2025-01-06T05:02:00.000005Z"
    about = of_kind(records, "metadata")[0]
    assert about[0].get_header("WARC-Concurrent-To") == pages[0][0].get_header("WARC-Record-ID")
    said = json.loads(about[2])
    assert said["observed"] == dict(kept.OBSERVED)
    assert said["request"]["region"]["name"] == "us-en"
    assert said["request"]["consent"]
    assert said["body_sha256"] == hashlib.sha256(kept.LARGE).hexdigest()
    assert [one["text"] for one in said["questions"]] == ["list of chess players"]
    assert [list(pair) for pair in kept.HEADERS] == said["headers"]
    assert json.loads(of_kind(records, "metadata")[2][2])["reason"] == "captcha"


def test_a_repeated_body_is_a_revisit(records):
    body, shot = of_kind(records, "revisit")
    first = of_kind(records, "resource")
    for again, original in ((body, first[0]), (shot, first[1])):
        headers = again[0]
        assert headers.get_header("WARC-Profile").endswith("/1.1/revisit/identical-payload-digest")
        assert headers.get_header("WARC-Refers-To") == original[0].get_header("WARC-Record-ID")
        assert headers.get_header("WARC-Payload-Digest") == digest(original[2])
        assert headers.get_header("WARC-Refers-To-Date") == "2025-01-06T05:00:00Z"
        uri = original[0].get_header("WARC-Target-URI")
        assert headers.get_header("WARC-Refers-To-Target-URI") == uri
        assert headers.get_header("Content-Length") == "0"
    assert len(of_kind(records, "revisit")) == 2


def test_http_exchanges_as_requests_and_responses(records):
    asked = of_kind(records, "request")
    assert len(asked) == 3
    headers, http, body = asked[0]
    assert http.protocol == "GET"
    assert http.statusline.endswith("HTTP/1.1")
    assert http.get_header("X-Subscription-Token") == "secret:BRAVE_API_KEY"
    assert http.get_header("X-Monitor-Left-Out") == "query_secrets: token = secret:BRAVE_API_KEY"
    assert http.get_header("Host").startswith("127.0.0.1")
    assert body == b""
    response, http, body = of_kind(records, "response")[0]
    assert http.get_statuscode() == "200"
    assert http.get_header("Content-Length") == str(len(body))
    assert json.loads(body)["asked"]
    uri = response.get_header("WARC-Target-URI")
    assert uri.startswith("http://127.0.0.1")
    assert headers.get_header("WARC-Concurrent-To") == response.get_header("WARC-Record-ID")
    failed = json.loads(of_kind(records, "metadata")[-1][2])
    assert (failed["outcome"], failed["reason"], failed["status"]) == (
        "failed", "unreachable", None,
    )  # fmt: skip


def with_headers(database, **columns):
    """Change what is kept of the first HTTP exchange."""
    with database.begin() as connection:
        number = connection.execute(
            sa.text(
                "SELECT MIN(id) FROM exchanges WHERE status IS NOT NULL AND url LIKE 'http://127%'"
            )
        ).scalar_one()
        changes = ", ".join(f"{name} = :{name}" for name in columns)
        connection.execute(
            sa.text(f"UPDATE exchanges SET {changes} WHERE id = :id"), columns | {"id": number}
        )


def test_headers_of_the_wire_are_renamed_because_bodies_are_unpacked(audited):
    wire = [
        ["content-encoding", "gzip"], ["Transfer-Encoding", "chunked"], ["content-length", "7"],
        ["x-other", "a"], ["x-other", "b"],
    ]  # fmt: skip
    with_headers(audited, headers=canonical_json(wire))
    _, http, body = of_kind(read_back(exported(audited)), "response")[0]
    assert http.headers == [
        ("X-Orig-content-encoding", "gzip"),
        ("X-Orig-Transfer-Encoding", "chunked"),
        ("X-Orig-content-length", "7"),
        ("x-other", "a"),
        ("x-other", "b"),
        ("Content-Length", str(len(body))),
    ]


def test_hostile_headers_and_addresses_stay_within_their_record(audited):
    wire = [["x-a\r\nX-Injected", "1\r\n\r\nWARC/1.1\r\nWARC-Type: response"], ["x-b", "\x00é🙂"]]
    url = "http://127.0.0.1/a b\r\nWARC-Type: x\u00e9?q=\x00"
    before = len(read_back(exported(audited)))
    with_headers(audited, headers=canonical_json(wire), url=url.replace("\x00", "%00"))
    records = read_back(exported(audited))
    assert len(records) == before
    headers, http, _ = of_kind(records, "response")[0]
    assert [name for name, _ in http.headers] == ["x-a--X-Injected", "x-b", "Content-Length"]
    assert headers.get_header("WARC-Target-URI").startswith("http://127.0.0.1/a%20b%0D%0AWARC-Type")


def test_no_secret_and_nothing_about_people(audited, monkeypatch):
    content = gzip.decompress(exported(audited))
    for secret in (kept.KEY, kept.SECRET_OF_LOOKUP, "Q4711", "Q6581072", "women"):
        assert secret.encode() not in content
        assert base64.b64encode(secret.encode()).rstrip(b"=") not in content
    assert b"secret:BRAVE_API_KEY" in content


@pytest.mark.parametrize("packed", [True, False])
def test_the_same_run_gives_the_same_bytes(kept_database, packed):  # noqa: F811
    first = exported(kept_database, packed=packed)
    assert exported(kept_database, packed=packed) == first
    assert first.startswith(b"\x1f\x8b" if packed else b"WARC/1.1\r\n")
    assert len(read_back(first)) == 18


def test_one_question_alone(audited):

    with audited.read() as connection:
        chosen = run_exchanges.find_probes(connection, 1, "list-of-nurses")
    records = read_back(exported(audited, probes=chosen))
    questions = [json.loads(body)["questions"] for _, _, body in of_kind(records, "metadata")]
    assert [one["text"] for some in questions for one in some] == ["list of nurses"] * 2
    assert not of_kind(records, "revisit")  # the page is whole in it


def test_translations_are_resources(database, tmp_path):
    from tests.factories import Scripted, make_audit, mini_items, portuguese, run_audit

    run_audit(database, make_audit(tmp_path), Scripted(portuguese(mini_items())))
    records = read_back(exported(database))
    resources = of_kind(records, "resource")
    assert [one[0].get_header("WARC-Target-URI") for one in resources] == [
        "urn:monitor:run:1:exchange:1",
        "urn:monitor:run:1:exchange:2",
    ]
    assert {one[0].get_header("Content-Type") for one in resources} == {"application/json"}
    assert json.loads(resources[0][2])["translations"]
    assert len(json.loads(of_kind(records, "metadata")[0][2])["questions"]) == 16


def test_memory_does_not_grow_with_the_number_of_exchanges(audited):
    with audited.read() as connection:
        [one] = list(run_exchanges.read_exchanges(connection, 1))[:1]
        facts = run_exchanges.read_run(connection, 1)

    class Nowhere:
        def write(self, some):
            return len(some)

        def flush(self):
            pass

    def peak(n):
        body = b"x" * 200_000
        many = (
            run_exchanges.ArchivedExchange(
                **{name: getattr(one, name) for name in one.__slots__}
                | {
                    "id": i,
                    "body": run_exchanges.ArchivedContent(i, f"{i:064x}", len(body)),
                    "screenshot": None,
                }
            )
            for i in range(n)
        )
        tracemalloc.start()
        warc.write_archive(Nowhere(), facts, many, lambda _: bytes(body), packed=True)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(5)
    assert peak(200) < peak(20) + 1_000_000


def test_exchanges_come_in_portions(audited, monkeypatch):
    whole = exported(audited)
    monkeypatch.setattr(run_exchanges, "_AT_ONCE", 2)
    assert exported(audited) == whole


# --- the command ----------------------------------------------------------------------------------


def test_the_command_writes_a_file_and_never_over_one(monitor, tmp_path, audited):
    code, out, err = monitor("evidence", "export", "1")
    assert (code, out) == (0, "")
    assert "6 exchanges of run 1: out/run-1.warc.gz" in err
    written = tmp_path / "out" / "run-1.warc.gz"
    assert written.read_bytes() == exported(audited)
    code, _, err = monitor("evidence", "export", "1")
    assert code == 2
    assert "is there already" in err
    assert [path.name for path in written.parent.iterdir()] == ["run-1.warc.gz"]
    assert (
        monitor("evidence", "export", "1", "--output", "x.warc", "--probe", "list-of-nurses")[0]
        == 0
    )
    assert (tmp_path / "x.warc").read_bytes().startswith(b"WARC/1.1")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("9",), "no run 9"),
        (("1", "--output", "x.zip"), "ends in .warc.gz or .warc"),
        (("1", "--probe", "nobody"), "has no question 'nobody'"),
        (("1", "--output", "a.warc"), "is a folder"),
    ],
)
def test_what_cannot_be_exported(monitor, tmp_path, arguments, words):
    (tmp_path / "a.warc").mkdir()
    code, _, err = monitor("evidence", "export", *arguments)
    assert code == 2
    assert words in err
    assert not list(tmp_path.glob("out/*"))


def test_damaged_evidence_is_not_exported(monitor, tmp_path, audited):
    sha256 = hashlib.sha256(kept.PNG).hexdigest()
    bodies.find_body_file(audited, sha256).write_bytes(b"x")
    code, _, err = monitor("evidence", "export", "1")
    assert code == 4
    assert sha256 in err
    assert not list(tmp_path.glob("out/*"))


def test_an_export_is_read_back_as_saved_pages(audited, tmp_path):
    """What a run kept can be asked again, with the engine saved_pages."""
    from contextlib import closing

    from monitor.fetch.saved_pages import Shelves

    saved.write(tmp_path / "pages", "run-1.warc.gz", exported(audited))
    with closing(Shelves(tmp_path)) as shelves:
        shelf = shelves.open_folder("pages", "google")
        assert sorted(one.query for one in shelf.pages.values()) == sorted(kept.QUESTIONS)
        found, body = shelf.find_page("list of chess players", "us-en", kept.DUE)
        again, same = shelf.find_page("list of nurses", "us-en", kept.DUE)
    assert (found.captured_at, found.url) == (kept.DUE, kept.URL)
    assert again.captured_at == kept.DUE.replace(minute=1)  # a revisit
    assert body == same == kept.LARGE


def test_a_request_with_a_body_and_an_answer_without(audited):
    request = {
        "method": "POST",
        "url": "https://user@api.test",
        "headers": [["Content-Type", "application/json"]],
        "body": '{"q": "é"}',
        "body_secrets": {"key": "secret:DEEPL_AUTH_KEY"},
    }
    with_headers(audited, request=canonical_json(request), body_id=None)
    records = read_back(exported(audited))
    _, http, body = of_kind(records, "request")[0]
    assert http.protocol == "POST"
    assert http.statusline == "/ HTTP/1.1"
    assert http.get_header("Host") == "api.test"
    assert http.get_header("Content-Length") == str(len(body))
    assert http.get_header("X-Monitor-Left-Out") == "body_secrets: key = secret:DEEPL_AUTH_KEY"
    assert body.decode() == '{"q": "é"}'
    _, http, body = of_kind(records, "response")[0]
    assert (http.get_header("Content-Length"), body) == ("0", b"")


def test_saved_pages_declare_their_own_letters(audited):
    with_headers(audited, request=canonical_json({"folder": "pages", "text": "a", "region": "b"}))
    headers, _, _ = of_kind(read_back(exported(audited)), "resource")[-1]
    assert headers.get_header("Content-Type") == "text/html"


def test_a_body_whose_row_is_gone_ends_the_export(audited):
    from monitor.model import StoreProblem

    with audited.writer.connect() as connection:
        first = connection.execute(sa.text("SELECT min(body_id) FROM exchanges")).scalar_one()
        connection.execute(sa.text("COMMIT"))
        connection.execute(sa.text("PRAGMA foreign_keys = OFF"))
        connection.execute(sa.text("DELETE FROM bodies WHERE id = :id"), {"id": first})
        connection.execute(sa.text("BEGIN"))
    with pytest.raises(StoreProblem, match=f"row {first} of bodies is gone"):
        exported(audited)
