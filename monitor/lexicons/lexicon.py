"""A lexicon: words with their genderedness, as one compact file that is read in milliseconds.

The file: a line with name and version of the format, a line with the SHA-256 of all that follows,
a line of JSON, then two zlib streams: the words in the order of their UTF-8 bytes, joined by line
feeds, and the scores as little-endian float64, all first bytes before all second bytes (that packs
better). Scores lie on multiples of 2^-40, which is finer than any vectors are: so sums of theirs
are exact on every machine. A lexicon that is made again of the same vectors on another processor
is alike, not equal: some scores lie one step of the grid apart. The digest tells files apart; to
compare numbers between machines, copy the file.

The words lie in one run of bytes and are found by a hash, without a dictionary. The bytes are
compared as well, so that no word is taken for another.
"""

import hashlib
import math
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from monitor.input_files import load_json
from monitor.model import Floats, Ints, InvalidInput, Json, canonical_json

Hashes: TypeAlias = NDArray[np.uint64]

#: No word holds it: readers of vectors end a word or a row there.
SEPARATOR = b"\n"

#: Bytes that are hashed and compared at once.
_STEP = 8

#: Masks of the first 0, 1, ... 8 bytes of a little-endian number.
_MASKS = np.array([2 ** (8 * n) - 1 for n in range(_STEP + 1)], np.uint64)

# constants of splitmix64 (Steele, Lea, Flood 2014)
_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)


def _mix_hash(values: Hashes) -> Hashes:
    values = (values ^ (values >> np.uint64(30))) * _FIRST
    values = (values ^ (values >> np.uint64(27))) * _SECOND
    return values ^ (values >> np.uint64(31))


@dataclass(frozen=True, slots=True)
class _Spelled:
    """Words as bytes: word i has `lengths[i]` of them from `starts[i]` on."""

    eights: Hashes  # the eight bytes from each byte on
    starts: Ints
    lengths: Ints

    @classmethod
    def of(cls, words: Sequence[str]) -> "_Spelled":
        joined = "\n".join(words)
        if joined.count("\n") >= len(words):
            # no table has words with an end of line in them, nor an empty one
            joined = "\n".join("" if "\n" in word else word for word in words)
        # half a surrogate pair is no character, and equals no word that is kept
        return cls.joined(joined.encode("utf-8", "surrogatepass"), empty=not words)

    @classmethod
    def joined(cls, body: bytes, *, empty: bool) -> "_Spelled":
        """Words as they stand one behind the other."""
        padded = body + bytes(_STEP)
        eights: Hashes = np.ndarray((len(body) + 1,), "<u8", padded, strides=(1,))
        if empty:
            return cls(eights, np.empty(0, np.int64), np.empty(0, np.int64))
        breaks = np.flatnonzero(np.frombuffer(body, np.uint8) == SEPARATOR[0])
        starts = np.concatenate([[0], breaks + 1])
        return cls(eights, starts, np.concatenate([breaks, [len(body)]]) - starts)

    def steps(self, which: Ints) -> Iterator[tuple[Ints, Hashes]]:
        """Of these words, eight bytes after the other: (places in `which`, values).

        Words that have ended are left out.
        """
        places = np.arange(len(which))
        remaining, starts = self.lengths[which], self.starts[which]
        while len(places):
            values = self.eights[starts] & _MASKS[np.minimum(remaining, _STEP)]
            yield places, values
            on = np.flatnonzero(remaining > _STEP)
            places, remaining, starts = places[on], remaining[on] - _STEP, starts[on] + _STEP

    def hashes(self) -> Hashes:
        """(words,) a number of each, from all its bytes and its length."""
        hashes = self.lengths.astype(np.uint64) * _GAMMA
        for places, values in self.steps(np.arange(len(self.lengths))):
            hashes[places] = _mix_hash((hashes[places] + _GAMMA) ^ values)
        return hashes


class WordTable:
    """Different words in some order."""

    def __init__(self, body: bytes) -> None:
        self.body = body  # joined by SEPARATOR

    @classmethod
    def of(cls, words: Sequence[str]) -> "WordTable":
        """The table of words that are different and not empty. Raises ValueError."""
        encoded = [word.encode("utf-8") for word in words]
        if any(not word or SEPARATOR in word for word in encoded):
            raise ValueError("a word is empty or holds the end of a line")
        return cls(SEPARATOR.join(encoded))

    def __reduce__(self) -> tuple[type["WordTable"], tuple[bytes]]:
        # the index is made anew, which is quicker than sending it to another process
        return WordTable, (self.body,)

    def __len__(self) -> int:
        return len(self._spelled.lengths)

    def __iter__(self) -> Iterator[str]:
        return iter(self.body.decode("utf-8").split("\n") if self.body else [])

    @cached_property
    def _spelled(self) -> _Spelled:
        return _Spelled.joined(self.body, empty=not self.body)

    @cached_property
    def _index(self) -> tuple[Hashes, Ints, int]:
        """Hashes in ascending order, the word of each, and how many words share one at most."""
        hashes = self._spelled.hashes()
        order = np.argsort(hashes)
        hashes = hashes[order]
        new = np.flatnonzero(np.concatenate([[True], hashes[1:] != hashes[:-1], [True]]))
        return hashes, order, int(np.diff(new).max(initial=0)) if len(hashes) else 0

    def find(self, words: Sequence[str]) -> Ints:
        """(words,) the place of each in this table; -1 for those that it lacks."""
        places = np.full(len(words), -1, np.int64)
        hashes, order, most = self._index
        if not most or not len(words):
            return places
        words_asked = _Spelled.of(words)
        wanted_hashes = words_asked.hashes()
        first = np.searchsorted(hashes, wanted_hashes)
        for step in range(most):
            positions = np.minimum(first + step, len(hashes) - 1)
            open_ = np.flatnonzero((places < 0) & (hashes[positions] == wanted_hashes))
            candidates = order[positions[open_]]
            same = self._same(words_asked, open_, candidates)
            places[open_[same]] = candidates[same]
        return places

    def _same(self, asked: _Spelled, which: Ints, candidates: Ints) -> NDArray[np.bool_]:
        """Return which of the words asked for are their candidate, byte for byte."""
        own_words = self._spelled
        same: NDArray[np.bool_] = asked.lengths[which] == own_words.lengths[candidates]
        equal = np.flatnonzero(same)
        pairs = zip(asked.steps(which[equal]), own_words.steps(candidates[equal]), strict=True)
        for (places, own_step), (_, right) in pairs:
            same[equal[places[own_step != right]]] = False
        return same


MAGIC = b"monitor-lexicon 1\n"
SUFFIX = ".lexicon"

#: Scores are multiples of one over this.
GRID = 2.0**40

#: A table of every word of every language is smaller; what claims more is not unpacked.
_MOST_BYTES = 2**31

_SHA_DIGITS = 64
_FLOAT = 8


def on_grid(scores: Floats) -> Floats:
    """Scores rounded to the grid, within [-1, 1]; NaN stays."""
    rounded: Floats = np.rint(np.clip(scores, -1.0, 1.0) * GRID) / GRID
    return rounded


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """Genderedness g(w) = cos(w, d) of words, positive towards women.

    `meta` says where it comes from: source files with their SHA-256, pairs, explained variance,
    dimensions, what was left out.
    """

    name: str
    digest: str  # SHA-256 of words and scores, as 64 hexadecimal digits
    language: str  # BCP 47
    words: WordTable = field(repr=False)
    values: Floats = field(repr=False)  # (words,)
    meta: Mapping[str, Json] = field(repr=False, default_factory=dict)

    @staticmethod
    def of(
        name: str,
        scores: Mapping[str, float],
        language: str = "en",
        meta: Mapping[str, Json] | None = None,
    ) -> "Lexicon":
        """A lexicon of these scores. Raises InvalidInput for one that is not within [-1, 1]."""
        for word, score in scores.items():
            if not -1.0 <= score <= 1.0:  # NaN is not either
                raise InvalidInput(f"lexicon {name}: {word!r} has {score!r}; -1 to 1 is possible")
        values = np.fromiter(scores.values(), np.float64, len(scores))
        return assemble_lexicon(name, language, list(scores), values, meta or {})

    @property
    def low(self) -> float:
        """The lowest score of any word."""
        return float(self.values.min())

    @property
    def high(self) -> float:
        """The highest score of any word."""
        return float(self.values.max())

    def __len__(self) -> int:
        return len(self.values)

    def __contains__(self, word: str) -> bool:
        return bool(self.words.find([word])[0] >= 0)

    def scores(self, words: Sequence[str]) -> Floats:
        """(words,) g(w); NaN for a word that the lexicon lacks. Words are looked up as they are."""
        places = self.words.find(words)
        return np.where(places < 0, np.nan, self.values[places])

    def score(self, word: str) -> float | None:
        """g(w), or None where the lexicon lacks the word."""
        value = float(self.scores([word])[0])
        return None if math.isnan(value) else value

    def pack(self) -> bytes:
        """The whole file."""
        packed_words = zlib.compress(self.words.body, 9)
        planes = self.values.astype("<f8").view(np.uint8).reshape(-1, _FLOAT).T.tobytes()
        packed_scores = zlib.compress(planes, 9)
        header = {
            "language": self.language,
            "n": len(self),
            "digest": self.digest,
            "words": [len(packed_words), len(self.words.body)],
            "scores": [len(packed_scores), len(planes)],
            "meta": self.meta,
        }
        content = canonical_json(header).encode() + b"\n" + packed_words + packed_scores
        return MAGIC + hashlib.sha256(content).hexdigest().encode() + b"\n" + content


def assemble_lexicon(
    name: str, language: str, words: Sequence[str], values: Floats, meta: Mapping[str, Json]
) -> Lexicon:
    """The lexicon of different words and their scores, in any order. Raises InvalidInput."""
    if not words:
        raise InvalidInput(f"lexicon {name}: there is no word in it")
    encoded = [word.encode("utf-8") for word in words]
    order = sorted(range(len(words)), key=encoded.__getitem__)
    try:
        table = WordTable.of([words[index] for index in order])
    except ValueError as error:
        raise InvalidInput(f"lexicon {name}: {error}") from error
    return _make_lexicon(name, language, table, on_grid(values[order]), meta)


def _make_lexicon(
    name: str, language: str, words: WordTable, values: Floats, meta: Mapping[str, Json]
) -> Lexicon:
    values.flags.writeable = False
    digest = hashlib.sha256(words.body + b"\n\n" + values.astype("<f8").tobytes()).hexdigest()
    return Lexicon(name, digest, language, words, values, meta)


def is_alike(one: Lexicon, other: Lexicon) -> bool:
    """Return whether both have the same words, and scores at most a step of the grid apart.

    What is made again on another processor differs by that: it adds up in another order.
    """
    if one.words.body != other.words.body:
        return False
    return np.allclose(one.values, other.values, rtol=0.0, atol=1.0 / GRID, equal_nan=True)


def load_lexicon(path: Path) -> Lexicon:
    """The lexicon of a file, named after it. Raises InvalidInput for a damaged or foreign one."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read: {error.strerror or error}") from error
    return unpack_lexicon(content, path.name.removesuffix(SUFFIX), str(path))


def unpack_lexicon(content: bytes, name: str, place: str) -> Lexicon:
    """The lexicon that `pack` made these bytes of. Raises InvalidInput."""
    if not content.startswith(MAGIC):
        kind = content[: content.find(b"\n")][:40]
        raise InvalidInput(
            f"{place}: is no lexicon of this program: it begins with {kind!r}, not with "
            f"{MAGIC.strip()!r}; make one with: monitor lexicon build"
        )
    begin = len(MAGIC) + _SHA_DIGITS + 1
    payload = memoryview(content)[begin:]
    stated = content[len(MAGIC) : begin]
    if hashlib.sha256(payload).hexdigest().encode() + b"\n" != stated:
        raise _damaged_file(place, "its checksum does not fit its content")
    try:
        return _unpack_content(bytes(payload), name)
    except (ValueError, KeyError, TypeError, AttributeError, zlib.error) as error:
        raise _damaged_file(place, str(error)) from error


def _damaged_file(place: str, why: str) -> InvalidInput:
    return InvalidInput(
        f"{place}: is damaged ({why}); copy it anew, or make it anew with: monitor lexicon build"
    )


def _unpack_content(content: bytes, name: str) -> Lexicon:
    end = content.index(b"\n")
    header: dict[str, Any] = load_json(content[:end])
    n_words, n_scores = int(header["words"][0]), int(header["scores"][0])
    middle = end + 1 + n_words
    if middle + n_scores != len(content):
        raise ValueError("its parts are longer or shorter than its header says")
    body = inflate_bytes(content[end + 1 : middle], int(header["words"][1]))
    planes = inflate_bytes(content[middle:], int(header["scores"][1]))
    n = int(header["n"])
    if n < 1 or body.count(b"\n") + 1 != n or len(planes) != n * _FLOAT:
        raise ValueError(f"its header says {n:,} words, and it holds others")
    values = np.frombuffer(planes, np.uint8).reshape(_FLOAT, n).T.copy().view("<f8")[:, 0]
    values = np.ascontiguousarray(values, np.float64)
    if not (np.abs(values) <= 1.0).all():
        raise ValueError("a score is not within [-1, 1]")
    if not isinstance(header["meta"], dict):
        raise TypeError("its description is no table")
    body.decode("utf-8")
    lexicon = _make_lexicon(name, str(header["language"]), WordTable(body), values, header["meta"])
    if lexicon.digest != header["digest"]:
        raise ValueError("its words and scores are not those that it was made of")
    return lexicon


def inflate_bytes(packed: bytes, size: int) -> bytes:
    """Return what zlib packed, of exactly this size. Raises ValueError, or zlib.error."""
    if not 0 <= size <= _MOST_BYTES:
        raise ValueError(f"a part of {size:,} bytes")
    stream = zlib.decompressobj()
    raw = stream.decompress(packed, size + 1)
    if len(raw) != size or not stream.eof or stream.unused_data:
        raise ValueError("a part cannot be unpacked")
    return raw
