"""An encoded corpus in a folder: arrays of numpy, words as a table, the rest as JSON.

`corpus.json` holds the version of the format, the rules, what was read, and the SHA-256 of every
other file; reading compares all of them. Corpora are the folders of MONITOR_HOME/corpora.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any, BinaryIO

import numpy as np

from monitor.corpus.encoded import (
    CorpusVocabulary,
    EncodedCorpus,
    EncodingRules,
    ReadRecord,
    TokenIds,
    Tokens,
)
from monitor.input_files import load_json
from monitor.model import Ints, InvalidInput, Json, digest
from monitor.text.near_names import hint

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
def write_whole(folder: Path, *, replace: bool = False) -> Iterator[Path]:
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
        "rules": rules.described(),
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
