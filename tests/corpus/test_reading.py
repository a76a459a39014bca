"""Documents from files: what is one, what leads back to it, and what cannot be read."""

import gzip

import pytest
import zstandard

from monitor.corpus import reading
from monitor.corpus.reading import TextForm, read_documents
from monitor.model import InvalidInput
from tests.cases import check_each


def packed_zst(content):
    return zstandard.ZstdCompressor().compress(content)


PACKINGS = {"": bytes, ".gz": gzip.compress, ".zst": packed_zst}


def written(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def read(path, form=None):
    return list(read_documents([path], form or TextForm()))


@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize("part", [1, 3, 2**20])
def test_lines_of_text_whatever_the_packing(tmp_path, monkeypatch, packing, part):
    monkeypatch.setattr(reading, "_PART", part)
    monkeypatch.setattr(reading, "_PACKED_PART", part)
    content = "\ufeffeins\r\nzwölf\n\ndrei".encode()
    path = written(tmp_path / f"some.txt{packing}", PACKINGS[packing](content))
    assert read(path) == [
        (f"{path}:1", "eins"),
        (f"{path}:2", "zwölf"),
        (f"{path}:3", ""),
        (f"{path}:4", "drei"),
    ]
    assert read(path, TextForm(lines=False)) == [(str(path), "eins\r\nzwölf\n\ndrei")]


def test_frames_one_behind_the_other_are_one_file(tmp_path):
    path = written(tmp_path / "a.txt.zst", packed_zst(b"one\ntw") + packed_zst(b"o\n"))
    assert [text for _, text in read(path)] == ["one", "two"]
    assert read(written(tmp_path / "none.txt.zst", b"")) == []


def test_json_lines_of_a_field(tmp_path):
    path = written(tmp_path / "a.jsonl", b'{"text": "x", "body": "one"}\n\n{"body": "two"}\n')
    assert read(path, TextForm(field="body")) == [(f"{path}:1", "one"), (f"{path}:3", "two")]


def test_a_folder_is_read_in_the_order_of_names_without_hidden_files(tmp_path):
    for name in ("b.txt", "a/c.jsonl", "a/.d.txt", ".e/f.txt", "readme.md"):
        written(tmp_path / name, b'{"text": "x"}')
    keys = [key for key, _ in read(tmp_path)]
    assert keys == [f"{tmp_path}/a/c.jsonl:1", f"{tmp_path}/b.txt:1"]


@check_each(
    ("name", "content", "message"),
    [
        ("a.txt", b"good\nb\xffad", r"a.txt:2: not UTF-8 \(invalid start byte\); save the file"),
        ("a.csv", b"", "a.csv: is none of .txt, .txt.gz"),
        ("a.jsonl", b'{"text": "x"}\n{', "a.jsonl:2: not JSON"),
        ("a.jsonl", b"[" * 100_000, "a.jsonl:1: not JSON"),
        ("a.jsonl", b"[1]", "a.jsonl:1: is no object"),
        ("a.jsonl", b'{"body": "x", "n": 1}', "no text in the field 'text'; its fields are 'body'"),
        ("a.jsonl", b'{"text": null}', "no text in the field 'text'"),
        ("a.txt.gz", gzip.compress(b"some text", mtime=0)[:-9], "not a whole packed file"),
        ("a.txt.gz", b"plain", "not a whole packed file"),
        (
            "a.txt.zst",
            packed_zst(b"some text" * 99)[:-3],
            "not a whole packed file: its last frame",
        ),
        ("a.txt.zst", b"plain text", "not a whole packed file"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path, name, content, message):
    with pytest.raises(InvalidInput, match=message):
        read(written(tmp_path / name, content))


def test_a_whole_file_that_is_no_utf8_is_named_with_its_line(tmp_path):
    path = written(tmp_path / "a.txt", b"one\ntwo\n\xff")
    with pytest.raises(InvalidInput, match=r"a.txt:3: not UTF-8"):
        read(path, TextForm(lines=False))


def test_files_that_are_not_there_and_folders_without_any_are_named(tmp_path):
    with pytest.raises(InvalidInput, match=r"a.txt: no such file"):
        read(tmp_path / "a.txt")
    with pytest.raises(InvalidInput, match=r"holds no file of .txt"):
        read(tmp_path)
    written(tmp_path / "a.txt" / "inner", b"")
    with pytest.raises(InvalidInput, match=r"holds no file of .txt"):
        read(tmp_path / "a.txt")


@pytest.mark.parametrize("lines", [True, False])
def test_a_document_without_end_does_not_fill_the_memory(tmp_path, monkeypatch, lines):
    monkeypatch.setattr(reading, "_LONGEST", 1000)
    path = written(tmp_path / "a.txt.gz", gzip.compress(b"short\n" + bytes(10**7), mtime=0))
    place = "a.txt.gz:2" if lines else "a.txt.gz"
    with pytest.raises(InvalidInput, match=f"{place}: a document of more than 1,000 bytes"):
        read(path, TextForm(lines=lines))
