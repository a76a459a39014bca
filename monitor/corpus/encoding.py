"""From texts to an encoded corpus, in one pass over the texts.

Texts come one by one and are not kept. Their tokens get ids as they come, and go to a file; when
all were seen, words are put in order, rare ones are left out, and the file is renumbered.
"""

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import count as counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

import numpy as np

from monitor.corpus import folder as folders
from monitor.corpus.encoded import (
    CorpusVocabulary,
    EncodedCorpus,
    EncodingRules,
    ReadRecord,
    TokenIds,
    Tokens,
)
from monitor.model import Floats, Ints, InvalidInput, make_storable
from monitor.text.counted_nouns import several
from monitor.text.tokens import tokens

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
        return folders.read_corpus(Path(temporary), mapped=False)


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
    with folders.write_whole(folder, replace=replace) as temporary:
        _write_corpus(documents, rules, temporary, progress or _report_nothing)
    return folders.read_corpus(folder)


def number_texts(texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Texts without keys of their own: the first is 1."""
    return ((str(number), text) for number, text in enumerate(texts, start=1))


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
    with ids.open("wb") as file, (folder / folders.KEYS).open("wb") as keys:
        passed = _Passed(rules, file, keys, progress)
        for key, text in documents:
            passed.take(key, text)
        passed.flush()
    passed.check()
    vocabulary, new = _select_vocabulary(passed.words, passed.counts, rules)
    ends = np.cumsum(np.frombuffer(passed.lengths, np.int64))
    thinned = _Thinned(vocabulary, new, rules)
    with folders.token_file(folder) as file:
        offsets = _write_renumbered(ids, ends, thinned, file)
    ids.unlink()
    folders.write_rest(folder, vocabulary, offsets, rules, passed.read())


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
    for old in _id_blocks(ids):
        new = thinned.of(old)
        stays = new >= 0
        before = np.concatenate([[0], np.cumsum(stays)])
        last = int(np.searchsorted(ends, begin + len(old), "right"))
        offsets[first + 1 : last + 1] = tokens_kept + before[ends[first:last] - begin]
        file.write(new[stays].astype("<i4").tobytes())
        begin, tokens_kept, first = begin + len(old), tokens_kept + int(before[-1]), last
    return offsets


def _id_blocks(ids: Path) -> Iterator[TokenIds]:
    with ids.open("rb") as file:
        while block := file.read(_BLOCK):
            yield np.frombuffer(block, np.int32)
