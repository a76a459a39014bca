"""From files of vectors to lexicons and vectors for rankers."""

import gzip
import json

import numpy as np
import pytest

from monitor.lexicons import lexicon, ranker_vectors
from monitor.lexicons.build import LexiconOrder, read_pairs, write_lexicon
from monitor.lexicons.direction import PAIRS, VectorChange, unit_rows
from monitor.lexicons.ranker_vectors import VectorWriter, load_vectors
from monitor.lexicons.vectors import open_vectors
from monitor.model import InvalidInput
from monitor.whole_files import write_whole
from tests.lexicons.small import DIMENSIONS, binary, kinds, space, text

LOWER = {word for word in space() if word == word.lower()}


def quiet(*_):
    pass


def made(folder, content, order=None, changes=(), name="v"):
    """A lexicon of a file, and {change: vectors}."""
    path = folder / name
    path.write_bytes(content)
    order = order or LexiconOrder("small", changes=tuple(changes))
    paths = {change: folder / f"{change}.vectors" for change in changes}
    with write_lexicon(open_vectors(path), order, paths, quiet) as book:
        assert not any(path.exists() for path in paths.values())
    return book, {change: load_vectors(path) for change, path in paths.items()}


@pytest.mark.parametrize("part", [2**23, 64])
@pytest.mark.parametrize(("name", "form"), kinds(space()))
def test_every_format_gives_the_same_lexicon(tmp_path, monkeypatch, name, form, part):
    monkeypatch.setattr("monitor.lexicons.vectors.PART_BYTES", part)
    monkeypatch.setattr("monitor.lexicons.vectors.PART_BYTES", part)
    rows = space()
    book, _ = made(tmp_path, kinds(rows)[name, form], name=name)
    assert set(book.words) == LOWER
    matrix = np.stack([rows[word] for word in book.words])
    expected = unit_rows(matrix) @ np.array(book.meta["direction"])
    np.testing.assert_allclose(book.values, expected, rtol=0, atol=1e-9)
    assert book.score("she") > 0.3 > -0.3 > book.score("he")
    meta = book.meta
    assert (meta["source"], meta["format"], meta["dimensions"]) == (name, form, DIMENSIONS)
    assert (meta["rows"], meta["words"], meta["cased"]) == (28, 26, True)
    assert meta["left_out"] == {"unusable": 2, "duplicate": 0, "zero": 0, "undecodable": 0}
    assert meta["pairs"] == [list(pair) for pair in PAIRS]
    assert list(meta["files"]) == [name]
    assert meta["explained_variance"][0] > 0.9


def test_a_vocabulary_in_lower_case_says_so(tmp_path):
    book, _ = made(tmp_path, text(space(cased=False)))
    assert (book.meta["cased"], book.meta["lowered"]) == (False, [["mary", "john"]])


def test_only_what_a_text_can_ask_for_is_kept(tmp_path):
    odd = [
        "Nurse",
        "new_york",
        "covid19",
        "x",
        "don't",
        "U.S.",
        "été2",
        "Été",
        "NASA",
        "nasa",
        "ß",
        "ßß",
    ]
    rows = space(others=["nurse", *odd])
    book, _ = made(tmp_path, text(rows))
    pairs = {word for pair in PAIRS for word in pair} - {"Mary", "John"}
    # NASA is a word of a permutation test
    assert set(book.words) == pairs | {"nurse", "nasa", "NASA", "ßß"}
    assert book.meta["left_out"]["unusable"] == len(odd) - 3 + 2
    every, _ = made(tmp_path, text(rows), LexiconOrder("all", every_word=True))
    assert set(every.words) == set(rows)


def test_zero_vectors_and_words_that_come_again_are_counted(tmp_path):
    rows = space()
    lines = text(rows, header=False).splitlines()
    zeros = b" 0.0" * DIMENSIONS
    again = [b"zero" + zeros, b"nurse" + lines[0].removeprefix(b"she"), b"she" + zeros]
    book, _ = made(tmp_path, b"\n".join([b"late" + zeros, *lines, *again, b"t\xff" + zeros]))
    assert book.meta["left_out"] == {"unusable": 2, "duplicate": 1, "zero": 3, "undecodable": 1}
    assert book.meta["rows"] == len(rows) + 5
    plain, _ = made(tmp_path, text(rows))
    assert book.score("nurse") == plain.score("nurse")
    assert book.score("zero") is None
    assert book.digest == plain.digest


@pytest.mark.parametrize("late", [False, True])
def test_names_in_upper_case_count_wherever_they_stand(tmp_path, monkeypatch, late):
    monkeypatch.setattr("monitor.lexicons.vectors.PART_BYTES", 64)
    rows = space()
    names = {word: rows.pop(word) for word in ("Mary", "John")}
    rows |= {"mary": -names["Mary"], "john": -names["John"]}
    rows = {**rows, **names} if late else {**names, **rows}
    book, found = made(tmp_path, text(rows), changes=[VectorChange.REGULAR])
    assert ["Mary", "John"] in book.meta["pairs"]
    assert book.meta["rows"] == len(rows)
    assert len(found[VectorChange.REGULAR]) == len(book)
    found[VectorChange.REGULAR].check()


def test_few_pairs_are_refused_and_nothing_is_left_behind(tmp_path):
    rows = {word: row for word, row in space().items() if word not in dict(PAIRS[:6])}
    with pytest.raises(InvalidInput, match="only 4 of 10 pairs"):
        made(tmp_path, text(rows), changes=[VectorChange.HARD])
    assert [path.name for path in tmp_path.iterdir()] == ["v"]


def test_damage_at_the_end_leaves_nothing_behind(tmp_path):
    content = binary(space())[:-9]
    with pytest.raises(InvalidInput, match="ends in row 28 of 28"):
        made(tmp_path, content, changes=[VectorChange.HARD, VectorChange.STRONG])
    with pytest.raises(InvalidInput, match="gzip file is damaged"):
        made(tmp_path, gzip.compress(binary(space()))[:-9], changes=[VectorChange.HARD])
    assert [path.name for path in tmp_path.iterdir()] == ["v"]


def test_other_pairs(tmp_path):
    others = ["ela", "ele", "mulher", "homem", "mae", "pai", "filha", "filho", "menina", "menino"]
    rows = space(others=others)
    table = tmp_path / "pairs.csv"
    lines = [f"{f},{m}" for f, m in zip(others[::2], others[1::2], strict=True)]
    table.write_text("\n".join(["female,male", *lines]), encoding="utf-8")
    order = LexiconOrder("pt", "pt", read_pairs(table))
    book, _ = made(tmp_path, text(rows), order)
    assert book.language == "pt"
    assert book.meta["pairs"] == [line.split(",") for line in lines]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"she,he\n", "columns female and male"),
        (b"female,male\nshe\n", "line 2: .* is no pair of two words"),
        (b"female,male\nshe, \n", "line 2: .* is no pair of two words"),
        (b"female,male\nshe,he\nhe,He\n", "line 3: .* is no pair of two words"),
        (b"female,male\n\xff,he\n", "not UTF-8"),
    ],
)
def test_bad_tables_of_pairs(tmp_path, content, words):
    path = tmp_path / "pairs.csv"
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match=words):
        read_pairs(path)


def test_steps_are_told(tmp_path):
    (tmp_path / "v").write_bytes(text(space()))
    seen = []
    with write_lexicon(
        open_vectors(tmp_path / "v"), LexiconOrder("s"), {}, lambda *step: seen.append(step)
    ):
        pass
    assert seen == [
        ("looking for the pairs", 28, 28), ("computing scores", 28, 28), ("writing", 28, 28)
    ]  # fmt: skip


# --- vectors for rankers ------------------------------------------------------------------------


def test_vectors_of_every_change(tmp_path):
    rows = space()
    book, found = made(tmp_path, binary(rows), changes=list(VectorChange))
    direction = np.array(book.meta["direction"])
    words = [word for word in rows if word in LOWER]
    for change, vectors in found.items():
        assert list(vectors.words) == words
        assert vectors.matrix.dtype == np.float32
        assert vectors.matrix.shape == (len(words), DIMENSIONS)
        assert (vectors.name, vectors.language, len(vectors)) == (str(change), "en", len(words))
        assert vectors.meta["change"] == change
        assert vectors.rows(["nurse", "nobody", "she"]).tolist() == [
            words.index("nurse"), -1, words.index("she")
        ]  # fmt: skip
        np.testing.assert_allclose(np.linalg.norm(vectors.matrix, axis=1), 1, atol=1e-6)
        vectors.check()
    regular, hard, strong = (vectors.matrix @ direction for vectors in found.values())
    np.testing.assert_allclose(regular, book.scores(words), atol=1e-6)
    np.testing.assert_allclose(strong, 0, atol=1e-6)
    neutral = [words.index(word) for word in ("nurse", "engineer", "table")]
    np.testing.assert_allclose(hard[neutral], 0, atol=1e-6)
    assert hard[words.index("she")] > 0.3
    assert len({vectors.digest for vectors in found.values()}) == 3


def vectors_file(folder):
    path = folder / "a.vectors"
    with write_whole(path) as file:
        writer = VectorWriter(file, 2)
        writer.write(["a", "b"], np.eye(2))
        writer.restart()
        writer.write(["one", "two"], np.eye(2))
        writer.write(["three"], np.array([[0.6, 0.8]]))
        writer.close("en", {"source": "x"})
    return path


def test_a_file_gives_back_what_was_written(tmp_path):
    path = vectors_file(tmp_path)
    found = load_vectors(path)
    assert list(found.words) == ["one", "two", "three"]
    np.testing.assert_allclose(found.matrix, [[1, 0], [0, 1], [0.6, 0.8]])
    assert found.meta == {"source": "x"}
    found.check()


def test_damage_of_rows_is_found_by_a_check_and_all_other_damage_at_once(tmp_path):
    path = vectors_file(tmp_path)
    whole = path.read_bytes()
    in_rows = range(128, 128 + 3 * 2 * 4)
    for place in range(len(whole)):
        content = bytearray(whole)
        content[place] ^= 0x55
        path.write_bytes(content)
        if place in in_rows:
            with pytest.raises(InvalidInput, match="vectors a: the file is damaged"):
                load_vectors(path).check()
        elif place < 104 or place >= in_rows.stop:  # between them there is nothing
            with pytest.raises(InvalidInput, match=r"is damaged|no vectors of this program"):
                load_vectors(path)


def test_cut_and_foreign_files_of_vectors(tmp_path):
    path = vectors_file(tmp_path)
    whole = path.read_bytes()
    for content in (whole[:-1], whole[:130], whole[:20], b"", whole + b"x", b"the 0.1 0.2\n"):
        path.write_bytes(content)
        with pytest.raises(InvalidInput, match=r"is damaged|no vectors of this program"):
            load_vectors(path)
    with pytest.raises(InvalidInput, match="cannot be read"):
        load_vectors(tmp_path / "b.vectors")


def test_a_tail_that_lies(tmp_path):
    path = vectors_file(tmp_path)
    whole = path.read_bytes()
    begin = 128 + 24
    line, packed = whole[begin:].split(b"\n", 1)
    for change in ({"n": 4}, {"dimensions": 3}, {"digest": "0"}, {"words": [1, 5]}, {"n": -3}):
        header = json.dumps({**json.loads(line), **change}).encode()
        tail = header + b"\n" + packed
        sha = ranker_vectors.hashlib.sha256(tail).hexdigest().encode()
        start = whole[:39] + sha + b"\n"
        path.write_bytes(start.ljust(128, b"\0") + whole[128:begin] + tail)
        with pytest.raises(InvalidInput, match="is damaged"):
            load_vectors(path)


def test_a_file_appears_whole_or_not_at_all(tmp_path):
    path = tmp_path / "new" / "a"
    with pytest.raises(ZeroDivisionError), write_whole(path) as file:
        file.write(b"half" * (1 // 0))
    assert list(path.parent.iterdir()) == []
    with write_whole(path) as file:
        file.write(b"whole")
        assert not path.exists()
    plain = path.with_name("plain")
    plain.touch()
    assert path.read_bytes() == b"whole"
    assert path.stat().st_mode == plain.stat().st_mode


def test_the_same_vectors_give_the_same_file(tmp_path):
    first, _ = made(tmp_path, binary(space()))
    again, _ = made(tmp_path, binary(space()))
    assert first.pack() == again.pack()
    other, _ = made(tmp_path, text(space()))
    assert other.digest == first.digest
    assert lexicon.unpack_lexicon(first.pack(), "small", "p").digest == first.digest
