"""Result pages that a person saved: HTML, MHTML, WARC, WACZ, HAR or zip files beside the job.

A job names the folder, `config = { folder = "saved/2026-11" }`; `fetch/saved_pages.py` finds the
page of a question and of a date in it. A question without a page has no answer, and never an empty
list.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from monitor.engines import _search
from monitor.engines._engine import RecordedEngine, unrecorded_reading
from monitor.model import (
    Answer,
    Json,
    Kind,
    Needs,
    Outcome,
    Parameter,
    Probe,
    Reading,
    SavedRequest,
)
from monitor.pages._page_owner import read_page

SYSTEMS = ("bing", "brave", "duckduckgo", "google", "google_ai_mode", "mojeek", "wikipedia")
_PARAMETERS = (
    Parameter("folder", "a folder of saved pages beside the job file", required=True, place=True),
    Parameter(
        "system",
        "whose pages of that folder are meant; left out, all, and each is looked at",
        choices=SYSTEMS,
    ),
)
_FIRST_ERROR = 400
#: What a reader says of a page that is no result page at all.
_NO_RESULTS = (Outcome.BLOCKED, Outcome.UNREADABLE)


@dataclass(frozen=True, slots=True)
class SavedPages(RecordedEngine):
    """The engine. Its runs are due at the days on which pages were saved."""

    name: str = "saved_pages"
    title: str = "Result pages that a person saved"
    version: int = 3
    kind: Kind = Kind.SEARCH
    parameters: tuple[Parameter, ...] = _PARAMETERS
    needs: Needs = Needs(
        independence="as when they were saved: a browser of one's own knows whose it is, so save "
        "pages signed out, in a private window",
        limits="none; asks nobody",
        notes="ticks are the days on which pages were saved. index.csv in the folder (file, query; "
        "captured_at, engine, region) says what is what, else the pages do: the question from the "
        "saved address or the search box, the date from WARC, HAR, MHTML or the file's name",
    )

    def refusal(self, source_lang: str, target_lang: str, config: Mapping[str, Json]) -> str:
        """Refuse a folder that is not beside the job."""
        folder = PurePosixPath(str(config["folder"]).replace("\\", "/"))
        if folder.is_absolute() or ".." in folder.parts or ":" in str(folder):
            return f"config: folder = {str(config['folder'])!r}: must be beside the job file"
        return ""

    def request(self, probes: Sequence[Probe], config: Mapping[str, Json]) -> SavedRequest:
        """The page of one question in one region."""
        [probe] = probes
        return SavedRequest(str(config["folder"]), probe.text, probe.region)

    def parse(self, answer: Answer, probes: Sequence[Probe]) -> list[Reading]:
        """Read the page by the reader that is surest of it; without a page nothing was recorded."""
        if not answer.body:
            detail = answer.detail or "no page of it was saved"
            return _search.single_reading(probes, unrecorded_reading(detail))
        return _search.single_reading(probes, _read_saved(answer))


def _read_saved(answer: Answer) -> Reading:
    """Return the reading of a page; of one that came with an error only that it is a wall."""
    name, reading = read_page(answer.body, answer.url)
    items = tuple(replace(item, url=_spell_address(item.url)) for item in reading.items)
    reading = replace(reading, items=items)
    if name and reading.outcome in _NO_RESULTS:
        reading = replace(reading, detail=f"{reading.detail} (read as a page of {name})")
    if (answer.status or 0) < _FIRST_ERROR or reading.outcome in _NO_RESULTS:
        return reading
    return _search.unreadable_reading(f"HTTP {answer.status}: {reading.outcome}, {reading.detail}")


def _spell_address(url: str) -> str:
    """Return an address as browsers write it, so that it is the same in every format."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    if parts.scheme not in ("http", "https"):
        return url
    query = parts.query.replace("'", "%27")
    return parts._replace(path=parts.path or "/", query=query).geturl()


ENGINE = SavedPages()
