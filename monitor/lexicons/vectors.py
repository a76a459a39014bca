"""Opens word vectors of any known format; the format is told by the content, or named."""

import codecs
from pathlib import Path

from monitor.lexicons import packaged_vectors
from monitor.lexicons.binary_vectors import LONGEST_HEADER, BinaryVectors
from monitor.lexicons.packaged_vectors import PackagedVectors
from monitor.lexicons.source import Header, VectorSource, header_of, reading
from monitor.lexicons.text_vectors import TextVectors, is_row
from monitor.model import InvalidInput

#: What can be named: the binary format of word2vec, text with and without a header line.
FORMATS = ("word2vec", "text", "glove", "fasttext")

#: Bytes that are looked at to tell a format.
_HEAD = 2**20

_FOREIGN = {
    b"PK\x03\x04": "a zip file: unpack it and name the file inside",
    b"\x80\x02": "a pickle, which can run code when it is read: save it as word2vec instead",
    b"\x80\x03": "a pickle, which can run code when it is read: save it as word2vec instead",
    b"\x80\x04": "a pickle, which can run code when it is read: save it as word2vec instead",
    b"\x80\x05": "a pickle, which can run code when it is read: save it as word2vec instead",
    b"\xfd7zXZ": "an xz file: unpack it first",
    b"BZh": "a bzip2 file: unpack it first",
    b"\x28\xb5\x2f\xfd": "a zstandard file: unpack it first",
    b"\xba\x16\x4f\x2f": "a fastText model (.bin): take the .vec file of the same release",
}


def open_vectors(where: str | Path, form: str = "") -> VectorSource:
    """The vectors of a file, or the installed ones called glove-6b-50d.

    Raises InvalidInput, or MissingPart.
    """
    path = Path(where)
    if str(where) == packaged_vectors.NAME and not path.exists():
        return PackagedVectors.opened()
    if not path.is_file():
        raise InvalidInput(
            f"{where}: no such file; name a file of word2vec, GloVe or fastText vectors, or "
            f"{packaged_vectors.NAME}"
        )
    if form and form not in FORMATS:
        raise InvalidInput(f"--format {form}: unknown; known are {', '.join(FORMATS)}")
    chosen = form or _told(path)
    if chosen == "word2vec":
        return BinaryVectors.opened(path)
    return TextVectors.opened(path, "glove" if chosen == "glove" else "text")


def _told(path: Path) -> str:
    """The format that the first bytes show. Raises InvalidInput for what is none."""
    with reading(path) as file:
        head = file.read(_HEAD)
    for mark, remedy in _FOREIGN.items():
        if head.startswith(mark):
            raise InvalidInput(f"{path}: is {remedy}")
    if not head.strip():
        raise InvalidInput(f"{path}: is empty; fetch it anew")
    line, feed, rest = head.removeprefix(b"\xef\xbb\xbf").partition(b"\n")
    header = header_of(line) if feed and len(line) < LONGEST_HEADER else None
    if header is None:
        return "glove"
    return "word2vec" if _is_binary(rest, header) else "text"


def _is_binary(rest: bytes, header: Header) -> bool:
    """Whether float32s follow the first word: their bytes are no text, a good row settles it."""
    line = rest.partition(b"\n")[0]
    if is_row(line, header.dimensions):
        return False
    numbers = rest.partition(b" ")[2][: 4 * header.dimensions]
    if any(byte < ord(" ") and byte not in b"\t\r\n" for byte in numbers):
        return True
    try:
        codecs.getincrementaldecoder("utf-8")().decode(numbers)  # may end inside a character
    except UnicodeDecodeError:
        return True
    return False
