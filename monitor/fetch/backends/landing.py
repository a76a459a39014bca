"""Finds the main text of web pages, so that a page which takes for ever can be given up."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from monitor.fetch.backends._model_files import LoadedModel
from monitor.text import main_text


def check(_model: str, _models: Path) -> None:
    """Raise MissingPart unless the library is here."""
    main_text.check_library()


def load(_model: str, _models: Path) -> LoadedModel:
    """(run, what answers). A text is the bytes of a page, each one character (Latin-1)."""
    main_text.check_library()

    def read(texts: Sequence[str], options: Mapping[str, str]) -> dict[str, object]:
        url, content_type = options["url"], options["content_type"]
        pages = [
            main_text.extract_text(text.encode("latin-1"), url, content_type) for text in texts
        ]
        return {"pages": [asdict(page) for page in pages]}

    return read, ()
