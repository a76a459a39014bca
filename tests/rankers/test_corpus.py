"""Collections in every form, whole and damaged."""

import csv
import gzip
import html
import json
import re
import time
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.model import InvalidInput
from monitor.rankers import corpus
from monitor.rankers.corpus import CollectionForm, CorpusEntry, form_of, read_entries
from tests.cases import check_each
from tests.patience import HANGS

THREE = [("d1", "One", "She reads."), ("d2", "", ""), ("x/d3", "Drei", "Zwei\nZeilen: ä, «»")]
TREC = """<?xml version="1.0"?>
<DOC>
<DOCNO> d1 </DOCNO>
<HEADLINE>One</HEADLINE>
<DATE>1990</DATE>
<TEXT>
<P>She
reads.</P>
</TEXT>
</DOC>
<doc><docno>d2</docno></doc><DOC><DOCNO>d3</DOCNO>
<TEXT>R&amp;D &lt;b&gt;</TEXT><TEXT>more</TEXT></DOC>
"""


def found(source, form=None):
    return [(entry.key, entry.title, entry.text) for entry in read_entries(source, form)]


def write_jsonl(path, rows):
    path.write_text("\n".join(map(json.dumps, rows)) + "\n\n", encoding="utf-8")
    return path


def write_csv(path, rows):
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def test_json_lines(tmp_path):
    rows = [{"id": key, "title": title, "text": text} for key, title, text in THREE]
    path = write_jsonl(tmp_path / "news.jsonl", rows)
    assert found(path) == THREE
    assert next(read_entries(path)) == CorpusEntry("d1", "One", "She reads.", f"{path}:1")


@pytest.mark.parametrize("key", ["id", "docno", "docid", "_id"])
@pytest.mark.parametrize("text", ["text", "contents"])
def test_names_of_other_programs_are_read(tmp_path, key, text):
    path = write_jsonl(tmp_path / "news.json", [{key: 7, text: "She reads.", "other": [1]}])
    assert found(path) == [("7", "", "She reads.")]


def test_csv_with_a_byte_order_mark_and_a_long_cell(tmp_path):
    long = "word " * 100_000
    rows = [("title", "id", "text"), ("T", "a", long), ("", "b", "two\nlines"), ("", "c", "")]
    path = write_csv(tmp_path / "news.csv", rows)
    assert found(path) == [("a", "T", long), ("b", "", "two\nlines"), ("c", "", "")]
    usual = csv.field_size_limit()
    assert usual == 131_072


def test_trec(tmp_path):
    path = tmp_path / "docs.sgml"
    path.write_text(TREC, encoding="utf-8")
    assert found(path, CollectionForm.TREC) == [
        ("d1", "One", "She\nreads."),
        ("d2", "", ""),
        ("d3", "", "R&D <b>\nmore"),
    ]


def test_a_folder(tmp_path):
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "d3.txt").write_text("Zwei", encoding="utf-8")
    (tmp_path / "d2.txt").write_text("", encoding="utf-8")
    (tmp_path / "d1.HTML").write_text(
        "<html><head><title> One\n page</title><style>p{}</style></head><body><script>x</script>"
        "<p>She<b>s</b> &amp; he</p><p>read</body></html>",
        encoding="utf-8",
    )
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    (tmp_path / ".hidden.txt").write_text("no", encoding="utf-8")
    expected = [("d1", "One page", "Shes & he read"), ("d2", "", ""), ("x/d3", "", "Zwei")]
    assert found(tmp_path) == expected


def test_a_folder_of_files_in_another_form(tmp_path):
    for name in ("b", "a"):
        write_jsonl(tmp_path / f"{name}.jsonl", [{"id": name, "text": name}])
    assert found(tmp_path, CollectionForm.JSONL) == [("a", "", "a"), ("b", "", "b")]


def test_packed_with_gzip(tmp_path):
    path = tmp_path / "news.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"id": "a", "text": "She"}\n', mtime=0))
    assert found(path) == [("a", "", "She")]
    path.write_bytes(path.read_bytes()[:-6])
    with pytest.raises(InvalidInput, match="not a whole gzip file"):
        found(path)
    path.write_bytes(b'{"id": "a", "text": "She"}\n')
    with pytest.raises(InvalidInput, match="not a whole gzip file"):
        found(path)


@pytest.mark.parametrize(
    ("name", "content", "form"),
    [
        ("a.JSONL", b"", CollectionForm.JSONL),
        ("a.csv.gz", gzip.compress(b"", mtime=0), CollectionForm.CSV),
        ("a", b'\xef\xbb\xbf\n {"id"', CollectionForm.JSONL),
        ("a.trec", b"\n<doc>\n", CollectionForm.TREC),
    ],
)
def test_the_form_is_found_by_name_or_beginning(tmp_path, name, content, form):
    (tmp_path / name).write_bytes(content)
    assert form_of(tmp_path / name) is form
    assert form_of(tmp_path) is CollectionForm.FOLDER


JSONL, CSV, SGML = "a.jsonl", "a.csv", "a.trec"


@check_each(
    ("name", "content", "words"),
    [
        (JSONL, b'{"id": "a", "text": "x"}\n{"id": "a", "text": "y"}', r":2: document id 'a' st"),
        (JSONL, b'{"id": "a", "text": "x"}\n{"id": "a ", "text": "y"}', r":2: document id 'a' st"),
        (JSONL, b'{"text": "x"}', r":1: no 'id'"),
        (JSONL, b'{"id": "", "text": "x"}', r":1: a document without an id"),
        (JSONL, b'{"id": null, "text": "x"}', r":1: no 'id'"),
        (JSONL, b'{"id": true, "text": "x"}', r":1: id is a bool"),
        (JSONL, b'{"id": "a\\u0007b", "text": "x"}', r":1: has a control character \(U\+0007\)"),
        (JSONL, b'{"id": "' + b"a" * 501 + b'", "text": "x"}', r":1: .* is no document id"),
        (JSONL, b'{"id": "a"}', r":1: no 'text'"),
        (JSONL, b'{"id": "a", "text": null}', r":1: no 'text'"),
        (JSONL, b'{"id": "a", "text": ["x"]}', r":1: text is a list"),
        (JSONL, b'\n{"id": "a", "text"', r":2: not JSON"),
        (JSONL, b"[" * 100_000, r":1: not JSON"),
        (JSONL, b"[1]", r":1: list where an object"),
        (JSONL, b'{"id": "a", "text": "x"}\n{"id": "b", "text": "\xff"}', r":2: not UTF-8"),
        (JSONL, b"", r"holds no document"),
        (CSV, b"", r"no column 'id'; it has none"),
        (CSV, b"id,title\na,b\n", r"no column 'text'; it has id, title"),
        (CSV, b"id,text\na,b\nc\n", r":3: has 1 columns, the header 2"),
        (CSV, b"id,text\n,b\n", r":2: a document without an id"),
        (CSV, b'id,text\na,"b\n', r"not a CSV file"),
        (CSV, b"id,text\na,\xe4\n", r":2: not UTF-8"),
        (SGML, b"<DOC>\n<DOCNO>a</DOCNO>\n", r":1: <DOC> without </DOC>"),
        (SGML, b"<DOC>\n<DOCNO>a</DOCNO>\n<DOC><DOCNO>b</DOCNO></DOC>", r":1: <DOC> without"),
        (SGML, b"<DOC>\n<TEXT>x</TEXT></DOC>", r":1: a document without <DOCNO>"),
        (SGML, b"<DOC><DOCNO> </DOCNO></DOC>", r":1: a document without an id"),
        ("a.bin", b"\x00\x01", r"nobody can tell what it is; say --format"),
    ],
)  # fmt: skip
def test_a_damaged_collection_is_refused_with_its_place(tmp_path, name, content, words):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InvalidInput, match=words) as caught:
        found(tmp_path / name)
    assert str(caught.value).startswith(str(tmp_path / name))


def test_what_is_not_there_or_not_a_folder_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match="no such file"):
        found(tmp_path / "nothing")
    with pytest.raises(InvalidInput, match="holds no document"):
        found(tmp_path)
    (tmp_path / "a.txt").write_text("She", encoding="utf-8")
    with pytest.raises(InvalidInput, match="takes a folder"):
        found(tmp_path / "a.txt", CollectionForm.FOLDER)
    (tmp_path / "a.html").write_text("She", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"a\.txt: document id 'a' stands twice"):
        found(tmp_path)


def test_halves_of_characters_are_refused(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "a", "text": "x\\ud800\\u0000"}', encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"a\.jsonl:1: has half of a surrogate pair"):
        found(path)


@given(page=st.text(alphabet="<>/!-&;ab script title='\" ", max_size=60))
def test_any_page_has_a_text(page):
    title, text = corpus.title_and_text(page)
    assert title == " ".join(title.split())
    assert text == " ".join(text.split())


@pytest.mark.parametrize("form", [CollectionForm.JSONL, CollectionForm.CSV, CollectionForm.TREC])
@given(content=st.binary(max_size=120))
def test_any_bytes_are_documents_or_refused(form, content, tmp_path_factory):
    path = tmp_path_factory.mktemp("c") / "a"
    path.write_bytes(content)
    keys, refused = [], ""
    try:
        keys += [entry.key for entry in read_entries(path, form)]
    except InvalidInput as error:
        refused = str(error)
    assert str(path) in refused if refused else keys
    assert len(set(keys)) == len(keys)


# --- tags without an end --------------------------------------------------------------------------

PIECES = ["<TEXT>", "<text >", "</TEXT>", "</text\n>", "</TEXTS>", "<TITLE>", "</HEADLINE>", "<!--",
          "-->", "-", "->", "<", ">", "<p>", "</p", "a", " ", "&amp;", "\n", "<DOCNO>", "</DOCNO>",
          "<T\u0131TLE>", "<!-", "<a b='>"]  # fmt: skip
MARKED = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)
HUGE = 2**20


def by_pattern(name, content):
    return re.findall(rf"<{name}\s*>(.*?)</{name}\s*>", content, re.IGNORECASE | re.DOTALL)


@given(content=MARKED)
def test_sections_are_those_between_a_tag_and_the_next_end(content):
    assert list(corpus._TEXT.within(content)) == by_pattern("TEXT", content)
    assert list(corpus._KEY.within(content)) == by_pattern("DOCNO", content)
    assert list(corpus._TITLE.within(content)) == by_pattern("(?:TITLE|HEADLINE)", content)


@given(content=MARKED)
def test_tags_and_comments_are_blanks(content):
    blank = re.sub(r"</?[A-Za-z][^<>]*>|<!--.*?-->", " ", content, flags=re.DOTALL)
    assert corpus._plain_text(content) == html.unescape(blank).strip()


@check_each(
    "content",
    ["<TEXT>", "<TEXT><!--", "<TITLE>", "<DOCNO>", "<TEXT></TEXT", "<TEXT>x</TEXT>", "<p ",
     "<!---->", "</TEXT "],
)  # fmt: skip
def test_a_long_document_of_tags_without_an_end_takes_no_time(content):
    whole = f"<DOC><DOCNO>a</DOCNO><TEXT>{content * (HUGE // len(content))}</TEXT></DOC>"
    began = time.process_time()
    assert [found.key for found in corpus.marked_documents([whole], "x")] == ["a"]
    cut = whole.replace("</TEXT></DOC>", "</DOC>")
    assert [found.key for found in corpus.marked_documents([cut], "x")] == ["a"]
    assert time.process_time() - began < HANGS


def test_many_documents_in_one_line_take_no_time():
    line = "".join(f"<DOC><DOCNO>{n}</DOCNO></DOC>" for n in range(100_000))
    began = time.process_time()
    assert sum(1 for _ in corpus.marked_documents([line], "x")) == 100_000
    assert time.process_time() - began < HANGS


@check_each(
    "content",
    ["<!--", "<a ", "</a ", "<a b='", '<a b="<', "<a =", "<!", "<?", "<![CDATA[", "<![x[", "</",
     "<", "<script></script ", "&#9", "<!doctype "],
)  # fmt: skip
def test_a_long_page_of_tags_without_an_end_takes_no_time(content):
    began = time.process_time()
    title, text = corpus.title_and_text("<p>She</p>" + content * (HUGE // len(content)))
    assert time.process_time() - began < HANGS
    assert title == ""
    assert text.startswith("She")


class Plain(corpus._PageWords):
    """As the standard library reads a page."""

    def read(self, page):
        self.feed(page)
        HTMLParser.close(self)


HTML_PIECES = ["<", ">", "<p>", "</p>", "<b", "</b", " x='", "'", '"', "a", " ", "&amp", "&", ";",
               "<!--", "-->", "<script>", "</script>", "</script", "<title>", "</title>", "<?",
               "<!", "<![if x]>", "<![CDATA[", "<![x[", "]]>", "/"]  # fmt: skip


@given(pieces=st.lists(st.sampled_from(HTML_PIECES), max_size=12))
def test_a_page_with_few_missing_ends_is_read_as_the_standard_library_reads_it(pieces):
    content = "".join(pieces)
    plain, ours = Plain(), corpus._PageWords()
    plain.read(content)
    ours.read(content)
    assert "".join(ours.title) == "".join(plain.title)
    if content.count("<") <= 8:
        assert "".join(ours.text) == "".join(plain.text)


def test_numbers_that_are_no_characters():
    huge = f"&#{'9' * 5000};"
    assert corpus.title_and_text(f"<a title='{huge}'>a {huge} b") == ("", "a \ufffd b")
    line = f"<DOC><DOCNO>a</DOCNO><TEXT>x {huge} &#65;</TEXT></DOC>"
    assert next(corpus.marked_documents([line], "x")).text == "x \ufffd A"
    assert corpus.title_and_text("<![x[a]]>b") == ("", "b")
