"""Encoded corpora: records of a corpus as numbers, made of texts in one pass, and kept in folders.

Texts come one by one and are not kept. Their tokens get ids as they come, and go to a file; when
all were seen, words are put in order, rare ones are left out, and the file is renumbered.

A folder has arrays of numpy, words as a table, the rest as JSON. `corpus.json` holds the version of
the format, the rules, what was read, and the SHA-256 of every other file; reading compares all of
them. Corpora are the folders of MONITOR_HOME/corpora.
"""

import hashlib
import json
import os
import re
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from hashlib import blake2b
from itertools import count as counter
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory, mkdtemp
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from monitor.input_files import load_json
from monitor.model import Floats, Ints, InvalidInput, Json, digest, make_storable
from monitor.text.counted_nouns import several
from monitor.text.near_names import hint
from monitor.text.tokens import tokens


@dataclass(frozen=True, slots=True)
class CorpusVocabulary:
    """Words by falling number of occurrences; of equally many the first in the alphabet first.

    `counts` has shape (words,), occurrences in the whole corpus. The id of a word is its position.
    """

    words: tuple[str, ...]
    counts: Ints
    ids: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "ids", {word: i for i, word in enumerate(self.words)})

    def __len__(self) -> int:
        return len(self.words)

    def known(self, words: Iterable[str]) -> list[str]:
        """Those of the words that are in it, each once, in the order given."""
        return [word for word in dict.fromkeys(words) if word in self.ids]

    def missing(self, words: Iterable[str]) -> list[str]:
        """Those of the words that are not in it, each once, in the order given."""
        return [word for word in dict.fromkeys(words) if word not in self.ids]


if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, slots=True)
class Cooccurrences:
    """Counts of words within `window` tokens of each other, in the same document.

    `matrix` has shape (words, words), symmetric, in the order of the vocabulary: every pair of
    places counts once for each of its two words, so that a word beside itself counts twice. Its
    sum is `total`, and `row_totals`, shape (words,), are the sums of its rows.
    """

    vocabulary: CorpusVocabulary
    matrix: "csr_array"
    row_totals: Floats
    total: float
    window: int
    documents: int
    tokens: int


TokenIds: TypeAlias = NDArray[np.int32]


class Tokens(StrEnum):
    """The definition of a token."""

    TEXT = "text"  # runs of letters and digits in lower case, as everywhere in this program
    BLANKS = "blanks"  # what stands between blanks, as it is: for texts that are tokenised already


@dataclass(frozen=True, slots=True)
class EncodingRules:
    """Rules by which texts become a corpus. Raises InvalidInput for an impossible rule."""

    tokens: Tokens = Tokens.TEXT
    min_count: int = 1  # of occurrences; rarer words are left out
    most: int | None = None  # words; only the most frequent ones are kept
    unique: bool = True  # a document with the same tokens as an earlier one is left out
    subsample: float | None = None  # t: words of a larger share of all tokens are thinned out
    seed: int = 0  # of the thinning

    def __post_init__(self) -> None:
        if self.min_count < 1:
            raise InvalidInput(f"minimum count {self.min_count}: it must be 1 or more")
        if self.most is not None and self.most < 1:
            raise InvalidInput(f"largest vocabulary {self.most}: it must be 1 or more words")
        if self.subsample is not None and not 0 < self.subsample < 1:
            raise InvalidInput(
                f"subsampling threshold {self.subsample}: it is a share of all tokens, between 0 "
                "and 1; 0.00001 is usual"
            )


@dataclass(frozen=True, slots=True)
class ReadRecord:
    """The input from which a corpus was made."""

    texts: int
    empty: int  # texts without any token: no documents
    repeats: int  # documents left out, because an earlier one has the same tokens
    tokens: int  # of the documents that were kept, rare words among them
    words: int  # different ones, rare words among them


class NumberedText(Protocol):
    """Tokens in which pairs are counted: document d is `tokens[offsets[d]:offsets[d + 1]]`."""

    @property
    def vocabulary(self) -> CorpusVocabulary:
        """The words, whose places are the numbers."""

    @property
    def tokens(self) -> NDArray[np.integer]:
        """(tokens,) numbers of words."""

    @property
    def offsets(self) -> Ints:
        """(documents + 1,) where each begins."""

    @property
    def documents(self) -> int:
        """Return the number of documents."""


@dataclass(frozen=True, slots=True, eq=False)
class EncodedCorpus:
    """The tokens of D documents that are words of the vocabulary, in their order.

    Document d is `tokens[offsets[d]:offsets[d + 1]]`; one whose words are all rare is empty, and
    still a document. Counts of the vocabulary are those before subsampling.
    """

    vocabulary: CorpusVocabulary
    tokens: TokenIds  # (tokens,), in memory or mapped from a file
    offsets: Ints  # (documents + 1,)
    rules: EncodingRules
    read: ReadRecord
    digests: Mapping[str, str]  # SHA-256 of each of the files that it is kept in
    digest: str  # of words, tokens and documents; the same wherever it is kept
    keys: bytes = field(repr=False)  # those of the documents, in UTF-8, a line each

    @property
    def documents(self) -> int:
        """Return the number of documents."""
        return len(self.offsets) - 1

    def document_keys(self) -> list[str]:
        """(documents,) what leads back to each document."""
        return self.keys.decode("utf-8").split("\n")[:-1]


#: (documents kept so far, tokens in them)
Progress = Callable[[int, int], None]

#: Bytes of ids that are written, and renumbered, at once.
_BLOCK = 2**23
_ID = 4
_DIGEST = 16


def encode_documents(documents: Iterable[tuple[str, str]], rules: EncodingRules) -> EncodedCorpus:
    """The corpus of some documents (key, text) in memory. Raises InvalidInput."""
    with TemporaryDirectory() as temporary:
        _write_corpus(documents, rules, Path(temporary), _report_nothing)
        return read_corpus(Path(temporary), mapped=False)


def build_corpus(
    documents: Iterable[tuple[str, str]],
    rules: EncodingRules,
    folder: Path,
    progress: Progress | None = None,
    *,
    replace: bool = False,
) -> EncodedCorpus:
    """The corpus of some documents (key, text) in a folder, which appears whole or not at all.

    Raises InvalidInput, also for a folder that is there and not to be replaced.
    """
    with write_folder(folder, replace=replace) as temporary:
        _write_corpus(documents, rules, temporary, progress or _report_nothing)
    return read_corpus(folder)


def _report_nothing(_documents: int, _tokens: int) -> None:
    pass


def _split_at_blanks(text: str) -> list[str]:
    return make_storable(text).split()


_SPLIT: dict[Tokens, Callable[[str], list[str]]] = {
    Tokens.TEXT: tokens,
    Tokens.BLANKS: _split_at_blanks,
}


def _write_corpus(
    documents: Iterable[tuple[str, str]], rules: EncodingRules, folder: Path, progress: Progress
) -> None:
    ids = folder / "ids"
    with ids.open("wb") as file, (folder / KEYS).open("wb") as keys:
        passed = _Passed(rules, file, keys, progress)
        for key, text in documents:
            passed.take(key, text)
        passed.flush()
    passed.check()
    vocabulary, new = _select_vocabulary(passed.words, passed.counts, rules)
    ends = np.cumsum(np.frombuffer(passed.lengths, np.int64))
    thinned = _Thinned(vocabulary, new, rules)
    with token_file(folder) as file:
        offsets = _write_renumbered(ids, ends, thinned, file)
    ids.unlink()
    write_rest(folder, vocabulary, offsets, rules, passed.read())


@dataclass(slots=True)
class _Passed:
    """The texts that have passed by."""

    rules: EncodingRules
    file: BinaryIO
    key_file: BinaryIO
    progress: Progress
    words: defaultdict[str, int] = field(init=False)
    counts: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    lengths: "array[int]" = field(default_factory=lambda: array("q"))
    texts: int = 0
    empty: int = 0
    repeats: int = 0
    _seen: set[bytes] = field(default_factory=set)
    _waiting: list[bytes] = field(default_factory=list)
    _keys: list[str] = field(default_factory=list)
    _size: int = 0

    def __post_init__(self) -> None:
        self.words = defaultdict(counter().__next__)

    def take(self, key: str, text: str) -> None:
        """Take a document, unless it is empty or a repeat."""
        self.texts += 1
        ids = array("i", map(self.words.__getitem__, _SPLIT[self.rules.tokens](text))).tobytes()
        if not ids:
            self.empty += 1
            return
        if self.rules.unique:
            distinct = len(self._seen)
            self._seen.add(blake2b(ids, digest_size=_DIGEST).digest())
            if len(self._seen) == distinct:
                self.repeats += 1
                return
        self.lengths.append(len(ids) // _ID)
        self._keys.append(make_storable(key).replace("\n", " ") + "\n")
        self._waiting.append(ids)
        self._size += len(ids)
        if self._size >= _BLOCK:
            self.flush()

    def flush(self) -> None:
        """Write and count what waits."""
        block = b"".join(self._waiting)
        self.file.write(block)
        self.key_file.write("".join(self._keys).encode())
        block_counts = np.bincount(np.frombuffer(block, np.int32), minlength=len(self.words))
        block_counts[: len(self.counts)] += self.counts
        self.counts = block_counts
        self._waiting, self._keys, self._size = [], [], 0
        self.progress(len(self.lengths), int(self.counts.sum()))

    def check(self) -> None:
        """Raise InvalidInput where these are no texts to count in."""
        if not self.lengths:
            raise InvalidInput(
                f"the corpus is empty: none of {self.texts:,} texts has a token. Name files or a "
                "query with texts in them"
            )
        if len(self.lengths) == 1:
            raise InvalidInput(
                f"the corpus has one document only, of {self.lengths[0]:,} tokens "
                f"({self.repeats:,} repeats were left out): nothing is known of how its values "
                "vary. Take more documents, or the lines of the file as documents"
            )

    def read(self) -> ReadRecord:
        """Return the record of what was read."""
        words = int(np.count_nonzero(self.counts))
        return ReadRecord(self.texts, self.empty, self.repeats, int(self.counts.sum()), words)


def _select_vocabulary(
    words: Iterable[str], counts: Ints, rules: EncodingRules
) -> tuple[CorpusVocabulary, TokenIds]:
    """The words that count, and the new id of each old one, -1 for those that do not."""
    listed = list(words)
    often = np.flatnonzero(counts >= rules.min_count).tolist()
    if not often:
        top = int(counts.argmax())
        seen = several(int(counts[top]), "time")
        raise InvalidInput(
            f"no word occurs {rules.min_count:,} times: the most frequent of {len(listed):,} "
            f"words, {listed[top]!r}, occurs {seen}. Lower the minimum "
            "count or take more texts"
        )
    often.sort(key=lambda old: (-counts[old], listed[old]))
    selected = often[: rules.most]
    new = np.full(len(listed), -1, np.int32)
    new[selected] = np.arange(len(selected))
    return CorpusVocabulary(tuple(listed[old] for old in selected), counts[selected]), new


class _Thinned:
    """Old ids in, new ids out: without rare words, and with fewer of the most frequent ones.

    A token of a word with the share f of all tokens stays with the probability sqrt(t / f), at
    most 1 [Mikolov et al. 2013, equation 5], before windows are laid.
    """

    def __init__(self, vocabulary: CorpusVocabulary, new: TokenIds, rules: EncodingRules) -> None:
        self._new = new
        self._draw = np.random.default_rng(rules.seed)
        self._stays: Floats | None = None
        if rules.subsample is not None:
            shares = vocabulary.counts / vocabulary.counts.sum()
            self._stays = np.sqrt(rules.subsample / shares)

    def of(self, old: TokenIds) -> TokenIds:
        """(tokens,) the new id of each token; -1 for one that is left out."""
        ids: TokenIds = self._new[old]
        if self._stays is not None:
            positions = np.flatnonzero(ids >= 0)
            gone = self._draw.random(len(positions)) >= self._stays[ids[positions]]
            ids[positions[gone]] = -1
        return ids


def _write_renumbered(ids: Path, ends: Ints, thinned: _Thinned, file: BinaryIO) -> Ints:
    """Write the tokens that stay; return where the documents begin and end among them."""
    offsets = np.zeros(len(ends) + 1, np.int64)
    begin = tokens_kept = first = 0
    with ids.open("rb") as blocks:
        while block := blocks.read(_BLOCK):
            old = np.frombuffer(block, np.int32)
            new = thinned.of(old)
            stays = new >= 0
            before = np.concatenate([[0], np.cumsum(stays)])
            last = int(np.searchsorted(ends, begin + len(old), "right"))
            offsets[first + 1 : last + 1] = tokens_kept + before[ends[first:last] - begin]
            file.write(new[stays].astype("<i4").tobytes())
            begin, tokens_kept, first = begin + len(old), tokens_kept + int(before[-1]), last
    return offsets


FORMAT = 1

TOKENS = "tokens.npy"
OFFSETS = "offsets.npy"
VOCABULARY = "vocabulary.tsv"
KEYS = "keys.txt"
ABOUT = "corpus.json"

#: What decides the counts; the keys of documents do not.
_CONTENT = (TOKENS, OFFSETS, VOCABULARY)

_ANEW = "make it anew with: monitor corpus build"


@contextmanager
def write_folder(folder: Path, *, replace: bool = False) -> Iterator[Path]:
    """A folder that takes its place whole when the block ends, or not at all."""
    if folder.exists() and not replace:
        raise InvalidInput(f"{folder}: is there already; remove it, or choose another name")
    if folder.exists() and not (folder / ABOUT).is_file():
        raise InvalidInput(f"{folder}: is no corpus and is not replaced; choose another name")
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    new, old = temporary / "new", temporary / "old"
    try:
        new.mkdir()
        yield new
        if folder.exists():
            folder.rename(old)
        new.rename(folder)
    finally:
        rmtree(temporary)


@contextmanager
def token_file(folder: Path) -> Iterator[BinaryIO]:
    """A file of ids whose number is known when all are written."""
    with (folder / TOKENS).open("wb") as file:
        _write_header(file, 0)
        begin = file.tell()
        yield file
        tokens = (file.tell() - begin) // np.dtype("<i4").itemsize
        file.seek(0)
        _write_header(file, tokens)
        if file.tell() != begin:
            raise AssertionError("headers of numpy leave room for the number")


def _write_header(file: BinaryIO, tokens: int) -> None:
    about = {"descr": "<i4", "fortran_order": False, "shape": (tokens,)}
    np.lib.format.write_array_header_1_0(file, about)


def write_rest(
    folder: Path,
    vocabulary: CorpusVocabulary,
    offsets: Ints,
    rules: EncodingRules,
    read: ReadRecord,
) -> None:
    """All that stands beside tokens and keys, which are written before."""
    np.save(folder / OFFSETS, offsets.astype("<i8"))
    rows = zip(vocabulary.words, vocabulary.counts.tolist(), strict=True)
    table = "".join(f"{word}\t{count}\n" for word, count in rows)
    (folder / VOCABULARY).write_bytes(table.encode())
    about = {
        "format": FORMAT,
        "rules": asdict(rules),
        "read": asdict(read),
        "documents": len(offsets) - 1,
        "tokens": int(offsets[-1]),
        "words": len(vocabulary),
        "files": _compute_digests(folder),
    }
    (folder / ABOUT).write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")
    for name in (*_CONTENT, KEYS, ABOUT):
        with (folder / name).open("rb") as file:
            os.fsync(file.fileno())


def _compute_digests(folder: Path) -> dict[str, str]:
    digests = {}
    for name in (*_CONTENT, KEYS):
        with (folder / name).open("rb") as file:
            digests[name] = hashlib.file_digest(file, "sha256").hexdigest()
    return digests


def read_corpus(folder: Path, *, mapped: bool = True) -> EncodedCorpus:
    """The corpus of a folder, its tokens mapped or in memory. Raises InvalidInput."""
    if not (folder / ABOUT).is_file():
        raise InvalidInput(f"{folder}: is no corpus, {ABOUT} is missing; {_ANEW}")
    try:
        about = load_json((folder / ABOUT).read_text(encoding="utf-8"))
        if about["format"] != FORMAT:
            raise InvalidInput(
                f"{folder}: is a corpus of format {about['format']!r}, this program reads format "
                f"{FORMAT}; {_ANEW}"
            )
        digests = _check_digests(folder, about["files"])
        return _read_corpus(folder, about, digests, mapped=mapped)
    except OSError as error:
        reason = error.strerror or error
        raise InvalidInput(f"{folder}: cannot be read: {reason}; {_ANEW}") from error
    except (ValueError, KeyError, TypeError, AttributeError, EOFError) as error:
        raise InvalidInput(f"{folder}: is damaged ({error}); {_ANEW}") from error


def _check_digests(folder: Path, said: Mapping[str, str]) -> dict[str, str]:
    digests = _compute_digests(folder)
    for name, computed in digests.items():
        if said[name] != computed:
            raise InvalidInput(f"{folder / name}: is not the file that was written; {_ANEW}")
    return digests


def _read_corpus(
    folder: Path, about: Mapping[str, Any], digests: Mapping[str, str], *, mapped: bool
) -> EncodedCorpus:
    vocabulary = _read_vocabulary((folder / VOCABULARY).read_bytes())
    tokens = np.load(folder / TOKENS, mmap_mode="r" if mapped else None, allow_pickle=False)
    offsets = np.load(folder / OFFSETS, allow_pickle=False)
    _check_arrays(tokens, offsets, len(vocabulary))
    keys = (folder / KEYS).read_bytes()
    if keys.count(b"\n") != len(offsets) - 1:
        raise ValueError(f"{KEYS} has another number of documents than {OFFSETS}")
    rules = {**about["rules"], "tokens": Tokens(about["rules"]["tokens"])}
    content = digest({name: digests[name] for name in _CONTENT})
    read = ReadRecord(**about["read"])
    return EncodedCorpus(
        vocabulary, tokens, offsets, EncodingRules(**rules), read, digests, content, keys
    )


def _read_vocabulary(table: bytes) -> CorpusVocabulary:
    rows = [row.split("\t") for row in table.decode("utf-8").split("\n")[:-1]]
    counts = np.array([int(count) for _, count in rows], np.int64)
    return CorpusVocabulary(tuple(word for word, _ in rows), counts)


def _check_arrays(tokens: TokenIds, offsets: Ints, words: int) -> None:
    """Raise ValueError for arrays that no corpus has, whatever their digests."""
    if tokens.dtype != np.int32 or offsets.dtype != np.int64 or tokens.ndim + offsets.ndim != 2:  # noqa: PLR2004
        raise ValueError("its arrays are not rows of whole numbers")
    if len(offsets) < 2 or offsets[0] or offsets[-1] != len(tokens) or np.diff(offsets).min() < 0:  # noqa: PLR2004
        raise ValueError(f"{OFFSETS} does not fit {TOKENS}")
    if len(tokens) and not (tokens.min() >= 0 and tokens.max() < words):
        raise ValueError(f"{TOKENS} holds ids of no word of {VOCABULARY}")


FOLDER = "corpora"

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")


def checked_name(name: str) -> str:
    """A name that a corpus can have. Raises InvalidInput."""
    if not _NAME.fullmatch(name):
        raise InvalidInput(
            f"corpus {name!r}: a name has lower-case letters, digits, '.', '_' and '-', and begins "
            "with a letter or digit"
        )
    return name


def folder_of(name: str, home: Path) -> Path:
    """Return the folder of the corpus of this name."""
    return home / FOLDER / checked_name(name)


def installed_corpora(home: Path) -> list[str]:
    """Names of all corpora."""
    folders = (path.parent for path in (home / FOLDER).glob(f"*/{ABOUT}"))
    return sorted(path.name for path in folders if _NAME.fullmatch(path.name))


def find_corpus(name: str, home: Path) -> Path:
    """The folder of a corpus, by its name or as it is. Raises InvalidInput naming what there is."""
    if (Path(name) / ABOUT).is_file():
        return Path(name)
    names_installed = installed_corpora(home)
    if name in names_installed:
        return folder_of(name, home)
    raise InvalidInput(
        f"corpus {name!r}: there is none in {home / FOLDER}, and no such folder (make one with: "
        f"monitor corpus build NAME FILE...); {hint(name, names_installed)}"
    )


def read_about(folder: Path) -> Mapping[str, Json]:
    """Return the record of a corpus, without reading its files. Raises InvalidInput."""
    try:
        record = load_json((folder / ABOUT).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{folder / ABOUT}: cannot be read: {error}") from error
    if not isinstance(record, dict):
        raise InvalidInput(f"{folder / ABOUT}: is no table; make the corpus anew")
    return record
