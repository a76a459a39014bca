"""TREC files: what is read, in which order, what is refused with its line, and the way back."""

import gzip
import io
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor import trec
from monitor.model import InvalidInput
from monitor.trec import Note, Ranking, RunEntry
from tests.cases import check_each

RUN = """301 Q0 a 1 3.5 bm25
301\tQ0\tb  2 2 bm25
302 Q0 a 1 -1e-3 bm25
"""


def write(tmp_path, content, name="x.run"):
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def run(tmp_path, content):
    return list(trec.read_run(write(tmp_path, content)))


def documents(ranking):
    return [entry.document for entry in ranking.entries]


def lines(*rows, query="1"):
    return "".join(f"{query} Q0 {d} {r} {s} t\n" for d, r, s in rows)


# --- runs ---------------------------------------------------------------------------------------


def test_a_run_is_one_ranking_a_query(tmp_path):
    assert run(tmp_path, RUN) == [
        Ranking("301", "bm25", [RunEntry("a", 1, 3.5), RunEntry("b", 2, 2.0)]),
        Ranking("302", "bm25", [RunEntry("a", 1, -0.001)]),
    ]


@pytest.mark.parametrize(
    "content",
    [
        gzip.compress(RUN.encode(), mtime=0),
        b"\xef\xbb\xbf" + RUN.encode(),
        RUN.replace("\n", "\r\n").encode(),
        RUN.rstrip("\n").encode(),
        RUN.replace("\n", "\n\n \n").encode(),
    ],
    ids=["gzip", "mark", "crlf", "no end", "empty lines"],
)
def test_the_same_run_in_other_clothes(tmp_path, content):
    assert run(tmp_path, content) == run(tmp_path, RUN)


@pytest.mark.parametrize("block", [1, 7, 40, 10_000])
def test_where_blocks_are_cut_does_not_matter(tmp_path, monkeypatch, block):
    expected = run(tmp_path, RUN)
    monkeypatch.setattr(trec, "_BLOCK", block)
    assert run(tmp_path, RUN) == expected


@pytest.mark.parametrize(
    ("rows", "order", "notes"),
    [
        ([("a", 1, 2), ("b", 2, 1)], "ab", ()),
        ([("a", 0, 2), ("b", 1, 1)], "ab", ()),
        ([("a", 2, 1), ("b", 1, 2)], "ba", (Note.UNSORTED,)),
        ([("a", 1, 1), ("b", 2, 1)], "ab", (Note.TIED_SCORES,)),
        ([("a", 2, 1), ("b", 1, 1)], "ba", (Note.UNSORTED, Note.TIED_SCORES)),
        ([("b", 1, 1), ("a", 1, 1)], "ba", (Note.TIED_SCORES, Note.TIED_RANKS)),
        ([("a", 0, 2), ("b", 0, 1)], "ab", (Note.TIED_RANKS,)),
        ([("a", 1, 1), ("b", 2, 2)], "ba", (Note.UNSORTED, Note.RANKS_DIFFER)),
        ([("a", 2, 2), ("b", 1, 1)], "ab", (Note.RANKS_DIFFER,)),
    ],
)
def test_scores_decide_then_ranks_then_lines(tmp_path, rows, order, notes):
    [ranking] = run(tmp_path, lines(*rows))
    assert "".join(documents(ranking)) == order
    assert ranking.notes == notes


@check_each(
    ("content", "words"),
    [
        ("", "is empty"),
        ("\n \n", "is empty"),
        ("1 Q0 a 1 2\n", r":1: 5 columns, and 6 .*'1 Q0 a 1 2'"),
        (RUN + "\n1 Q0 a b 1 2 t\n", r":5: 7 columns"),
        (lines(("a", 1, "high")), r":1: score 'high' is no finite number"),
        (lines(("a", 1, 2), ("b", 2, "nan")), r":2: score 'nan' is no finite number"),
        (lines(("a", 1, "-inf")), "score '-inf'"),
        (lines(("a", 1, "1e999")), "score '1e999'"),
        (lines(("a", 1, "1_000")), "score '1_000'"),
        (lines(("a", "1.5", 2)), r":1: rank '1.5' is no whole number"),
        (lines(("a", "9" * 5000, 2)), "is no whole number"),
        (lines(("a", 1, 2), ("b", 2, 1), ("a", 3, 0)), r":3: document 'a' of query '1' .*line 1"),
        (RUN + lines(("z", 3, 1), query="301"), r":4: query '301' .*sort -s -k1,1 x\.run"),
        ("1 Q0 a 1 2 t\n1 Q0 b 2 1 u\n", r":2: tag 'u', but 't' in line 1"),
        (b"1 Q0 a 1 2 t\n1 Q0 \xff 2 1 t\n", r":2: not UTF-8"),
        (b"1 Q0 a\0 1 2 t\n", "NUL"),
        (RUN.encode("utf-16"), "NUL"),
        (gzip.compress(RUN.encode(), mtime=0)[:-9], "not a whole gzip file"),
        (gzip.compress(RUN.encode(), mtime=0)[:12] + b"rubbish", "not a whole gzip file"),
        ("x" * 200 + "\n", r":1: 1 columns.*'x{60}'"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, content, words):
    with pytest.raises(InvalidInput, match=words):
        run(tmp_path, content)


def test_a_file_that_is_none(tmp_path):
    with pytest.raises(InvalidInput, match="no such file"):
        list(trec.read_run(tmp_path / "nowhere"))
    with pytest.raises(InvalidInput, match="is a folder"):
        list(trec.read_run(tmp_path))


def test_a_file_without_line_ends_does_not_fill_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(trec, "_LONGEST_LINE", 100_000)
    with pytest.raises(InvalidInput, match="a line of more than"):
        run(tmp_path, b"x" * 1_000_000)


def test_memory_does_not_grow_with_the_run(tmp_path):
    def peak(queries):
        with (tmp_path / "long.run").open("w") as file:
            for query in range(queries):
                file.write(lines(*((f"d{n}", n, -n) for n in range(100)), query=query))
        tracemalloc.start()
        count = sum(len(r.entries) for r in trec.read_run(tmp_path / "long.run"))
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert count == queries * 100
        return found

    assert peak(600) < 1.3 * peak(100)


@settings(max_examples=100)
@given(st.binary(max_size=300) | st.text("ab1 .\n\t", max_size=80).map(str.encode))
def test_any_bytes_are_a_run_or_invalid(tmp_path_factory, content):
    path = write(tmp_path_factory.mktemp("any"), content)
    for read in (lambda p: list(trec.read_run(p)), trec.read_qrels, trec.read_topics):
        try:
            assert read(path)
        except InvalidInput as error:
            said = str(error)
        else:
            continue
        assert str(path) in said


# --- the way back -------------------------------------------------------------------------------

ids = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)
fields = ids.map(trec.as_field)


@st.composite
def rankings(draw):
    queries = draw(st.lists(fields, unique=True, min_size=1, max_size=4))
    tag, found = draw(fields), []
    for query in queries:
        keys = draw(st.lists(fields, unique=True, min_size=1, max_size=6))
        scores = draw(
            st.lists(
                st.floats(allow_nan=False, allow_infinity=False),
                min_size=len(keys),
                max_size=len(keys),
            )
        )
        scores.sort(reverse=True)
        entries = [RunEntry(k, n, s) for n, (k, s) in enumerate(zip(keys, scores, strict=True), 1)]
        found.append(Ranking(query, tag, entries))
    return found


@settings(max_examples=200)
@given(rankings())
def test_what_is_written_comes_back(tmp_path_factory, some):
    file = io.StringIO(newline="")
    assert trec.write_run(some, file) == sum(len(one.entries) for one in some)
    path = write(tmp_path_factory.mktemp("back"), file.getvalue())
    found = list(trec.read_run(path))
    assert [(r.query, r.tag, r.entries) for r in found] == [
        (r.query, r.tag, r.entries) for r in some
    ]
    raw = [(one, content) for one, content in trec.read_raw(path)]
    assert [one for one, _ in raw] == found
    assert b"".join(content for _, content in raw) == path.read_bytes()
    assert [trec.of_lines(content, "x") for _, content in raw] == found


@check_each(
    ("some", "words"),
    [
        ([Ranking("a b", "t", [RunEntry("d", 1, 1.0)])], "query 'a b' cannot stand"),
        ([Ranking("q", "", [RunEntry("d", 1, 1.0)])], "tag '' cannot stand"),
        ([Ranking("q", "t", [RunEntry("d\n", 1, 1.0)])], "document .* cannot stand"),
        ([Ranking.of("q", "t", ["d", "d"])], "stands twice"),
        ([Ranking.of("q", "t", ["d"])] * 2, "two rankings"),
        ([Ranking("q", "t", [RunEntry("d", 1, float("nan"))])], "no finite number"),
        (
            [Ranking("q", "t", [RunEntry("d", 1, 1.0), RunEntry("e", 2, 2.0)])],
            "order of their scores",
        ),
        (
            [Ranking("q", "t", [RunEntry("d", 2, 1.0), RunEntry("e", 1, 1.0)])],
            "order of their scores",
        ),
    ],
)
def test_what_would_not_come_back_is_not_written(some, words):
    with pytest.raises(InvalidInput, match=words):
        trec.write_run(some, io.StringIO())


def test_a_list_without_scores_keeps_its_order(tmp_path):
    file = io.StringIO()
    trec.write_run([Ranking.of("q", "t", ["z", "a", "m"])], file)
    assert file.getvalue() == "q Q0 z 1 3.0 t\nq Q0 a 2 2.0 t\nq Q0 m 3 1.0 t\n"
    [ranking] = run(tmp_path, file.getvalue())
    assert (documents(ranking), ranking.notes) == (["z", "a", "m"], ())


def test_a_name_with_blanks_is_written_as_in_addresses():
    assert trec.as_field("http://a/b c\td") == "http://a/b%20c%09d"
    assert trec.as_field("http://a/ü%20b") == "http://a/ü%20b"


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"", "is empty"), (b"1 Q0 a 1 2 t\n2 Q0 a 1 2 t\n", "2 queries"), (b"{}", "1 columns")],
)
def test_lines_of_one_query_only(content, words):
    with pytest.raises(InvalidInput, match=words):
        trec.of_lines(content, "here")


# --- judgements ---------------------------------------------------------------------------------


def test_judgements(tmp_path):
    content = "301 0 a 1\n302 0 a 0\n301 0 b -2\n301 0 a 1\n"
    found = trec.read_qrels(write(tmp_path, content))
    assert found == {"301": {"a": 1, "b": -2}, "302": {"a": 0}}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is empty"),
        ("1 0 a\n", r":1: 3 columns, and 4"),
        ("1 0 a 1\n1 0 b yes\n", r":2: grade 'yes' is no whole number"),
        ("1 0 a 1.0\n", "no whole number"),
        ("1 0 a 1\n1 0 a 2\n", r":2: document 'a' has grade 2 for query '1', and 1"),
    ],
)
def test_judgements_that_cannot_be(tmp_path, content, words):
    with pytest.raises(InvalidInput, match=words):
        trec.read_qrels(write(tmp_path, content))


# --- topics -------------------------------------------------------------------------------------

CLASSIC = """
<top>
<num> Number: 301
<title> International
 Organized Crime

<desc> Description:
Identify organizations.
</top>
<top>
<num> Number: 051 <dom> Domain: x
<title> Topic:  Airbus &amp; Subsidies
</top>
"""
WEB = """<?xml version="1.0"?><webtrack2012><topic number="151" type="ambiguous">
<query>403b</query><description>What is a 403b plan?</description></topic>
<topic number='152'><title>angular cheilitis</title></topic></webtrack2012>"""


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (CLASSIC, {"301": "International Organized Crime", "051": "Airbus & Subsidies"}),
        (WEB, {"151": "403b", "152": "angular cheilitis"}),
        ("1\tnurse jobs\r\n\nq2\t a\tb \n", {"1": "nurse jobs", "q2": "a b"}),
        (
            '{"_id": 7, "text": "nurse"}\n\n{"qid": "x", "query": "ceo"}\n',
            {"7": "nurse", "x": "ceo"},
        ),
        (gzip.compress(b"1\ta\n", mtime=0), {"1": "a"}),
        ("1\tsame\n2\tsame\n", {"1": "same", "2": "same"}),
    ],
)
def test_topics(tmp_path, content, expected):
    assert trec.read_topics(write(tmp_path, content)) == expected


@check_each(
    ("content", "words"),
    [
        ("", "is empty"),
        ("1 no tab\n", r":1: no tab"),
        ("1\ta\n1\tb\n", r":2: topic '1' stands twice"),
        ("1\t\n", r":1: a topic without words: '1'"),
        ("\tx\n", "a topic without id"),
        ('{"id": 1}\n', "a topic without words"),
        ('{"id": 1, "text": ["x"]}\n', "a topic without words"),
        ('{"id": 1,\n', r":1: not JSON"),
        ('{"id": 1, "text": "x"}\n[]\n', r":2: not an object"),
        ("<top>\n<title> x\n</top>", r":1: a topic without id: 'x'"),
        ("<a>\n<top>\n<num> 1\n</top>", r":2: a topic without words"),
        ("<html></html>", "holds no topic"),
        (b"1\t\xff\n", r":1: not UTF-8"),
    ],
)
def test_topics_that_cannot_be(tmp_path, content, words):
    with pytest.raises(InvalidInput, match=words):
        trec.read_topics(write(tmp_path, content))
