"""The formats in which people save pages: the same pages in each, and files that are bad."""

import csv
import gzip
import io
import json
import tracemalloc
import zipfile
from itertools import zip_longest
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import sync_playwright

from monitor.engines.files.saved_pages import ENGINE
from monitor.fetch.page_formats import read_pages
from monitor.fetch.page_formats.page import read_marks
from monitor.model import Answer, InvalidInput, Outcome, Probe
from tests import browser, saved

_HOSTS = {
    "google": "https://www.google.com/search?q=",
    "google-carousel": "https://www.google.com/search?q=",
    "bing": "https://www.bing.com/search?q=",
    "duckduckgo": "https://html.duckduckgo.com/html/?q=",
}
_MOST = 20


@pytest.fixture(scope="module")
def pages(reference_data):
    """[(address, content)] of 20 captured result pages, of several engines."""
    folder = reference_data / "serps"
    by_engine = {}
    with (folder / "INDEX.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if row["state"] == "ok" and row["engine"] in _HOSTS and row["file"].endswith(".html"):
                url = _HOSTS[row["engine"]] + quote_plus(row["query"])
                by_engine.setdefault(row["engine"], {})[url] = (folder / row["file"]).read_bytes()
    turns = zip_longest(*(found.items() for found in by_engine.values()))
    return [page for turn in turns for page in turn if page][:_MOST]


@pytest.fixture(scope="module")
def files(pages, tmp_path_factory):
    """{format: paths} of these pages, as Chromium, playwright and warcio write them."""
    folder = tmp_path_factory.mktemp("formats")
    contents = dict(pages)
    made = {"har": [folder / "pages.har"], "mhtml": [], "html": [], "single": []}
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser.required())
        context = chromium.new_context(record_har_path=made["har"][0])

        headers = {  # no script runs, so that a page is saved as it came
            "Content-Type": "text/html; charset=utf-8",
            "Content-Security-Policy": "script-src 'none'",
        }

        def answer(route):
            body = contents.get(route.request.url)
            if body is None:
                route.abort()
            else:
                route.fulfill(body=body, headers=headers)

        context.route("**/*", answer)
        for number, (url, _) in enumerate(pages):
            page = context.new_page()
            page.goto(url, wait_until="domcontentloaded")
            shot = context.new_cdp_session(page).send("Page.captureSnapshot", {"format": "mhtml"})
            path = folder / f"{number:02}.mhtml"
            path.write_text(shot["data"], "utf-8", newline="")
            made["mhtml"].append(path)
            page.close()
        context.close()
        chromium.close()
    for number, (url, body) in enumerate(pages):
        path = folder / f"{number:02}.html"
        path.write_bytes(f"<!-- saved from url=({len(url):04}){url} -->\n".encode() + body)
        made["html"].append(path)
        single = folder / f"{number:02}.single.html"
        mark = (
            f"<!--\n Page saved with SingleFile \n url: {url} \n"
            " saved date: Fri Nov 20 2026 10:00:00 GMT+0100 (CET)\n-->"
        )
        single.write_bytes(mark.encode() + body)
        made["single"].append(single)
    records = [(url, body, {}) for url, body in pages]
    made["warc"] = [folder / "pages.warc.gz", folder / "pages.warc"]
    made["warc"][0].write_bytes(saved.warc(records))
    made["warc"][1].write_bytes(saved.warc(records, packed=False))
    made["wacz"] = [folder / "pages.wacz"]
    with zipfile.ZipFile(made["wacz"][0], "w") as archive:
        archive.write(made["warc"][0], "archive/data.warc.gz")
        archive.writestr("datapackage.json", json.dumps({"profile": "data-package"}))
        archive.writestr("pages/pages.jsonl", "{}\n")
        archive.writestr("snapshot.html", b"<p>no page of the archive")
    made["folder"] = [folder / "saved"]
    for path in made["html"]:
        saved.write(folder / "saved", path.name, path.read_bytes())
        saved.write(folder / "saved" / f"{path.stem}_files", "frame.html", b"<p>a piece")
    made["zip"] = [folder / "saved.zip"]
    with zipfile.ZipFile(made["zip"][0], "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted((folder / "saved").rglob("*.html")):
            archive.write(path, path.relative_to(folder))
    return made


def read_all(paths):
    """{address: reading} of the result pages in some files."""
    readings = {}
    for path in paths:
        for numbered in read_pages(path, path.name):
            marks = read_marks(numbered.page.body, numbered.page.url)
            answer = Answer(Outcome.OK, saved.AT, 0.0, url=marks.url, body=numbered.page.body)
            [readings[marks.url]] = ENGINE.parse(answer, [Probe(marks.question, "en")])
    return readings


@pytest.mark.parametrize("form", ["har", "mhtml", "single", "warc", "wacz", "folder", "zip"])
def test_the_same_pages_have_equal_readings(files, pages, form):
    expected = read_all(files["html"])
    assert len(expected) == len(pages) == _MOST
    assert sum(len(reading.items) for reading in expected.values()) > 5 * _MOST
    readings = read_all(files[form])
    assert sorted(readings) == sorted(expected)
    for url, reading in expected.items():
        assert readings[url] == reading, url


# --- bad files ------------------------------------------------------------------------------------


def refused(path):
    with pytest.raises(InvalidInput) as raised:
        list(read_pages(path, path.name))
    return str(raised.value)


def test_a_har_of_500_mb_is_read_entry_by_entry(tmp_path):
    """Memory stays at a few entries; what is too long to be a page is passed over."""
    path = tmp_path / "large.har"
    page = json.dumps(saved.har_entry(saved.address(), saved.page()))
    script = saved.har_entry("https://x.test/a.js", b'\\"x{[' * 400_000, mimeType="text/javascript")
    filler = json.dumps(script).encode()
    video = b'{"request": {"url": "v"}, "response": {"content": {"text": "' + bytes(2**20)
    with path.open("wb") as file:
        file.write(b'{"log": {"pages": [{"entries": [1]}], "entries": [')
        while file.tell() < 250 * 2**20:
            file.write(filler + b",")
        file.write(video.replace(b"\0", b"A"))
        while file.tell() < 500 * 2**20:
            file.write(b"A" * 2**20)
        file.write(b'"}}},' + page.encode() + b"]}}")
    tracemalloc.start()
    try:
        [numbered] = read_pages(path, path.name)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        path.unlink()
    assert numbered.page.body == saved.page()
    assert most < 300 * 2**20


@pytest.mark.parametrize("form", ["har", "warc.gz", "warc", "wacz", "zip"])
def test_a_file_that_is_cut_off_is_refused_wherever_it_was_cut(tmp_path, form):
    records = [(saved.address(), saved.page(), {}), (saved.address("b"), saved.page("b"), {})]
    whole = {
        "har": saved.har([saved.har_entry(url, body) for url, body, _ in records]),
        "warc.gz": saved.warc(records),
        "warc": saved.warc(records, packed=False),
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("archive/a.warc.gz", whole["warc.gz"])
        archive.writestr("datapackage.json", "{}")
    content = whole.get(form) or packed.getvalue()
    path = tmp_path / f"a.{form}"
    path.write_bytes(content)
    assert len(list(read_pages(path, path.name))) == 2
    for share in (0.1, 0.3, 0.5, 0.7, 0.9):
        path.write_bytes(content[: int(share * len(content))])
        assert refused(path).startswith(path.name)


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path):
    path = tmp_path / "bomb.wacz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("datapackage.json", "{}")
        with archive.open("archive/a.warc", "w") as member:
            for _ in range(300):
                member.write(bytes(2**20))
    assert "unpacks to 2 files with" in refused(path)


def test_a_bomb_in_a_warc_is_refused(tmp_path):
    record = b"WARC/1.1\r\nWARC-Type: metadata\r\nContent-Length: %d\r\n\r\n" % (400 * 2**20)
    path = tmp_path / "bomb.warc.gz"
    with gzip.open(path, "wb") as packed:
        packed.write(record)
        for _ in range(400):
            packed.write(bytes(2**20))
    assert "unpacks to more than" in refused(path)


def test_an_archive_of_other_things_holds_no_page(tmp_path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a_files/b.html", "<p>a piece")
        archive.writestr("inner.zip", "x")
    assert refused(path) == "a.zip: no saved page in it"
