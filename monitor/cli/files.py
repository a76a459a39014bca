"""Files that commands write: all or nothing, and never over what is there unless told to."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

from monitor.cli.console import visible_json
from monitor.model import InvalidInput, StoreProblem
from monitor.whole_files import PRIVATE, write_whole

if TYPE_CHECKING:
    from monitor.stages.document.records import Document

#: Folder of what commands write where no other is named; it is made.
_DEFAULT = "out"
#: What `write_document` makes of a file.
FORMS = "File to write: HTML, or PDF, text, CSV or JSON by how its name ends."
_ENDINGS = (".html", ".htm", ".pdf", ".txt", ".csv", ".json")
#: The name that stands for standard input or output.
STANDARD = Path("-")


def in_existing_folder(path: Path | None) -> Path | None:
    """Return the path of a file or folder to write, if the folder that it is in is there.

    A folder that is made for a mistyped path, or for a disk that is not mounted, is found by
    nobody. Only `out`, the folder of what is written by default, is made. Raises InvalidInput.
    """
    if path is None or path.parts[:1] == (_DEFAULT,) or path.parent.is_dir():
        return path
    if path.parent.exists():
        raise InvalidInput(f"{path}: {path.parent} is a file; name a folder")
    raise InvalidInput(f"{path}: there is no folder {path.parent}; make it first")


def document_file(path: Path | None) -> Path | None:
    """Return the path of a document to write, in an existing folder and with a known ending.

    Raises InvalidInput.
    """
    in_existing_folder(path)
    if path is not None and path != STANDARD and path.suffix.lower() not in _ENDINGS:
        raise InvalidInput(f"{path}: name a file that ends in {', '.join(_ENDINGS)}")
    return path


def refuse_existing(path: Path, *, force: bool) -> None:
    """Raise InvalidInput for a file that is there already, unless it may be written over."""
    if path.is_dir():
        raise InvalidInput(f"{path}: is a folder; name a file")
    if path.exists() and not force:
        raise InvalidInput(f"{path}: is there already; --force writes over it")


@contextmanager
def new_file(path: Path, *, force: bool, private: bool = False) -> Iterator[TextIO]:
    """A text file that appears whole when the block ends, and not at all where it fails.

    A private one is its owner's only.

    `-` is standard output. Raises InvalidInput, also for a file that came to be meanwhile.
    """
    if path == STANDARD:
        yield sys.stdout
        return
    mode = PRIVATE if private else None
    with new_binary_file(path, force=force, mode=mode) as content:
        file = TextIOWrapper(content, encoding="utf-8", newline="")
        yield file
        file.detach()


def write_document(
    path: Path,
    document: "Document",
    at: datetime,
    *,
    numbers: Any = None,  # noqa: ANN401 - whatever JSON can hold
    force: bool,
) -> None:
    """Write a document in the form that the file name ends in.

    `at` is the date of a PDF. JSON is `numbers`, where there are any.
    """
    from monitor.stages.document import data, terminal
    from monitor.stages.document.html import html
    from monitor.stages.document.pdf import pdf

    suffix = path.suffix.lower()
    if suffix == ".pdf":
        with new_binary_file(path, force=force) as paper:
            paper.write(pdf(document, at))
        return
    with new_file(path, force=force) as file:
        if suffix == ".csv":
            data.write_csv(file, data.list_cells(document))
        elif suffix == ".json":
            file.write(visible_json(numbers or data.make_json(document)) + "\n")
        else:
            file.write(terminal.write_text(document) if suffix == ".txt" else html(document))


@contextmanager
def new_binary_file(
    path: Path, *, force: bool = False, mode: int | None = None
) -> Iterator[BinaryIO]:
    """The same for bytes; nothing is written over without `force`."""
    refuse_existing(path, force=force)
    with ExitStack() as stack:
        try:
            file = stack.enter_context(write_whole(path, mode))
        except OSError as error:
            raise StoreProblem(
                f"{path}: cannot be written: {error.strerror or error}; name a file in another "
                "folder"
            ) from error
        yield file
        refuse_existing(path, force=force)
