"""Answers from result pages that a person saved or donated; no request leaves.

A folder of files gives pages by question, region and day. What a page answers is said by
`index.csv` in the folder, or else by the page itself. Columns of the index: file (of a WARC or HAR
with the number of the record, pages.warc.gz:12) and query; and, where the files do not say it
themselves, captured_at, engine and region. Others are ignored.
"""

import tempfile
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import IO

from monitor import registry
from monitor.fetch.page_formats import KINDS, MANY, file_form, read_pages
from monitor.fetch.page_formats.page import (
    Marks,
    SavedPage,
    date_of_name,
    is_later_page,
    is_page_piece,
    parse_moment,
    read_marks,
)
from monitor.fetch.recorded import (
    Library,
    LookupFetcher,
    RecordedFetcher,
    find_day,
    yield_after_pauses,
)
from monitor.input_files import decode_lines, hash_file, read_table, refuse_doubles
from monitor.model import (
    Answer,
    DonatedRequest,
    Fetcher,
    InvalidInput,
    Outcome,
    Pause,
    Probe,
    RecordedRequest,
    Request,
    SavedRequest,
    StoredPage,
    make_storable,
)
from monitor.pages._page_owner import SURE, find_owner, reader_of

NAME = "index.csv"
_NEEDED = ("file", "query")


@dataclass(frozen=True, slots=True)
class SavedPageEntry:
    """One row. `record` is 0 for a file that is one page."""

    location: str  # file and line, for messages
    file: str
    record: int
    query: str
    captured_at: datetime | None
    engine: str
    region: str


def read_index(path: Path) -> list[SavedPageEntry]:
    """The rows of an index. Raises InvalidInput naming the line and the value."""
    entries: list[SavedPageEntry] = []
    seen: dict[tuple[str, int], str] = {}
    for location, row in _read_rows(path):
        entry = _parse_entry(location, row)
        before = seen.setdefault((entry.file, entry.record), location)
        if before != location:
            raise InvalidInput(f"{location}: {row['file']!r} stands in {before} already; keep one")
        entries.append(entry)
    if not entries:
        raise InvalidInput(f"{path}: names no page; fill it in, or take it out of the folder")
    return entries


def _read_rows(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    with path.open("rb") as file:
        table = read_table(decode_lines(file, str(path)), str(path))
        names = [name.strip() for name in table.columns]
        refuse_doubles(names, str(path))
        missing = [name for name in _NEEDED if name not in names]
        if missing:
            raise InvalidInput(
                f"{path}: no column {missing[0]!r}; it has {', '.join(names) or 'none'}, and "
                f"needs {' and '.join(_NEEDED)}"
            )
        for line, cells in table.rows:
            yield f"{path}:{line}", {n: c.strip() for n, c in zip(names, cells, strict=True)}


def _parse_entry(place: str, row: Mapping[str, str]) -> SavedPageEntry:
    for name in _NEEDED:
        if not row[name]:
            raise InvalidInput(f"{place}: {name} is empty")
    file, record = _parse_file(place, row["file"])
    written = row.get("captured_at", "")
    captured_at = parse_moment(written)
    if written and captured_at is None:
        raise InvalidInput(
            f"{place}: captured_at {written!r} cannot be read; write it as 2023-05-31, or with a "
            "time as 2023-05-31T12:00:00Z"
        )
    named = row.get("engine", "")  # of a reader or of an engine: google, or google_web
    engine = reader_of(named)
    if named and not engine:
        known = ", ".join(registry.discover("pages"))
        raise InvalidInput(f"{place}: engine {named!r}; known: {known}")
    region = row.get("region", "")
    return SavedPageEntry(place, file, record, row["query"], captured_at, engine, region)


def _parse_file(place: str, written: str) -> tuple[str, int]:
    """(file, number of the record) of a cell. Raises InvalidInput."""
    name, colon, number = written.rpartition(":")
    if colon and number.isascii() and number.isdigit():
        file, record = name, int(number)
    else:
        file, record = written, 0
    form = file_form(file)
    if not form:
        raise InvalidInput(f"{place}: file {written!r}: pages are {KINDS}")
    if (form in MANY) != bool(record):
        how = f"name the record, {file}:1" if form in MANY else f"leave out :{record}"
        raise InvalidInput(f"{place}: file {written!r}: {how}")
    return file, record


_DATE_REMEDY = (
    f"name it in {NAME} (columns file, query, captured_at), or put the date into the file's name, "
    "2026-11-21_question.html"
)


def fold_question(text: str) -> str:
    """A question as engines see it: blanks, capitals and ways of writing accents do not matter."""
    return " ".join(unicodedata.normalize("NFC", text).split()).casefold()


@dataclass(frozen=True, slots=True)
class SavedFile:
    """A saved page: its file and all that is known of it but its content."""

    name: str  # file, with the record's number where it has many
    form: str
    sha256: str  # of the file
    captured_at: datetime
    url: str
    status: int | None
    headers: tuple[tuple[str, str], ...]
    region: str
    query: str
    start: int  # of its content in the shelf
    size: int

    def __str__(self) -> str:
        return self.name


@dataclass
class Shelf:
    """The pages of one folder. Their contents lie in a file that vanishes with the shelf."""

    folder: Path
    system: str
    content: IO[bytes]
    pages: dict[tuple[str, str, datetime], SavedFile] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)

    @property
    def dates(self) -> set[datetime]:
        """The days on which pages were saved."""
        return {captured_at for _, _, captured_at in self.pages}

    def find_page(self, text: str, region: str, at: datetime) -> tuple[SavedFile, bytes] | None:
        """The page of a question in a region on a day; of one that names no region, in any."""
        question, when = fold_question(text), find_day(at)
        saved = self.pages.get((question, region, when)) or self.pages.get((question, "", when))
        return None if saved is None else (saved, self._read(saved))

    def add_page(self, found: "_FoundPage", query: str, captured_at: datetime, region: str) -> None:
        """Add a page. Raises InvalidInput for a second one of a question, region and day."""
        page = found.page
        saved = SavedFile(
            name=make_storable(f"{found.file}:{found.record}" if found.record else found.file),
            form=file_form(found.file),
            sha256=found.sha256,
            captured_at=captured_at,
            url=make_storable(found.marks.url),
            status=page.status,
            headers=page.headers,
            region=region,
            query=query,
            start=self.content.seek(0, 2),
            size=len(page.body),
        )
        self.content.write(page.body)
        key = (fold_question(saved.query), saved.region, find_day(saved.captured_at))
        earlier_page = self.pages.setdefault(key, saved)
        if earlier_page is not saved and self._read(earlier_page) != page.body:
            raise InvalidInput(
                f"{self.folder}: {earlier_page} and {saved} are both pages of {saved.query!r} of "
                f"{saved.captured_at:%Y-%m-%d}; keep one of them, or say in {NAME} which pages "
                "count. Pages of several engines: one folder each, or `system` in the config"
            )

    def _read(self, saved: SavedFile) -> bytes:
        self.content.seek(saved.start)
        return self.content.read(saved.size)


class Shelves:
    """The folders of saved pages that a job names, each read once; `folder` is the job file's.

    Close it to give back what it keeps on disk meanwhile.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._shelves: dict[str, Shelf] = {}

    def list_dates(self, uses: Iterable[tuple[str, str, Sequence[str]]]) -> list[datetime]:
        """The days of (folder, system, regions), in order. Raises InvalidInput.

        A page that names no region cannot answer a question that is asked in several.
        """
        all_dates: set[datetime] = set()
        for folder, system, regions in uses:
            shelf = self.open_folder(folder, system)
            unplaced = [saved for saved in shelf.pages.values() if not saved.region]
            if unplaced and len(regions) > 1:
                raise InvalidInput(
                    f"{shelf.folder}: {unplaced[0]}: in which of the regions {', '.join(regions)} "
                    f"it was saved is not known; add a column region to {NAME}"
                )
            all_dates |= shelf.dates
        return sorted(all_dates)

    def open_folder(self, folder: str, system: str = "") -> Shelf:
        """The pages of a system in a folder, of all systems where none is named."""
        shelf = self._shelves.get(folder)
        if shelf is None:
            shelf = self._shelves[folder] = self._read_folder(folder, system)
        elif system != shelf.system:
            systems = " and for ".join(name or "all engines" for name in (shelf.system, system))
            raise InvalidInput(
                f"{shelf.folder}: is used for {systems}; give each a folder of its own"
            )
        return shelf

    def get_shelf(self, folder: str) -> Shelf:
        """The shelf of a folder that was opened before, or else all of its pages."""
        return self._shelves.get(folder) or self.open_folder(folder)

    @property
    def left_out(self) -> list[str]:
        """Return a sentence for each file in the folders that is no answer."""
        return [sentence for shelf in self._shelves.values() for sentence in shelf.left_out]

    def close(self) -> None:
        """Give back what is kept on disk."""
        for shelf in self._shelves.values():
            shelf.content.close()
        self._shelves.clear()

    def _read_folder(self, folder: str, system: str) -> Shelf:
        path = _path_inside(self._folder, folder)
        if not path.is_dir():
            raise InvalidInput(f"{path}: no such folder of saved pages")
        shelf = Shelf(path, system, tempfile.TemporaryFile())  # noqa: SIM115 - closed by `close`
        try:
            _fill_shelf(shelf)
        except BaseException:
            shelf.content.close()
            raise
        return shelf


def _path_inside(folder: Path, name: str) -> Path:
    """A path below a folder. Raises InvalidInput for one that leaves it, links followed."""
    path = folder / name
    if PurePosixPath(name).is_absolute() or not path.resolve().is_relative_to(folder.resolve()):
        raise InvalidInput(f"{path}: leaves the folder {folder}; copy it there")
    return path


# --- filling a shelf ------------------------------------------------------------------------------


def _fill_shelf(shelf: Shelf) -> None:
    index = shelf.folder / NAME
    if index.is_file():
        entries_by_file: dict[str, dict[int, SavedPageEntry]] = {}
        for entry in read_index(index):
            entries_by_file.setdefault(entry.file, {})[entry.record] = entry
        for name, entries in entries_by_file.items():
            _add_named(shelf, name, entries)
    else:
        names = sorted(path.name for path in shelf.folder.iterdir() if path.is_file())
        for name in filter(file_form, names):
            _add_by_itself(shelf, name)
    if not shelf.pages:
        whose_pages = f" of {shelf.system}" if shelf.system else ""
        raise InvalidInput(
            f"{shelf.folder}: no saved pages{whose_pages} in it; they are {KINDS} files"
        )


@dataclass(frozen=True, slots=True)
class _FoundPage:
    """A page of a file in the folder, with what file and page say of it."""

    file: str
    sha256: str
    record: int
    page: SavedPage
    marks: Marks

    @property
    def captured_at(self) -> datetime | None:
        dates = (self.page.captured_at, self.marks.captured_at)
        return next(filter(None, dates), None) or date_of_name(PurePosixPath(self.file).name)

    @property
    def engine(self) -> str:
        """Return the engine of the page; empty for what may be anybody's, as a wall may."""
        owner = find_owner(self.page.body, self.page.url)
        return owner.name if owner.sure >= SURE else ""


def _read_file(
    shelf: Shelf, name: str, wanted: Container[int] | None = None
) -> Iterator[_FoundPage]:
    """Yield the pages of a file, or those of the `wanted` records."""
    path = _path_inside(shelf.folder, name)
    sha256 = hash_file(path)
    for read in read_pages(path, str(path)):
        if wanted is None or read.record in wanted:
            marks = read_marks(read.page.body, read.page.url)
            yield _FoundPage(name, sha256, read.record, read.page, marks)


def _add_named(shelf: Shelf, name: str, entries: Mapping[int, SavedPageEntry]) -> None:
    """Add the pages of a file that the index names."""
    path = _path_inside(shelf.folder, name)
    if not path.is_file():
        raise InvalidInput(f"{next(iter(entries.values())).location}: no file {path}")
    seen = set()
    for found in _read_file(shelf, name, entries):
        entry = entries[found.record]
        seen.add(found.record)
        captured_at = entry.captured_at or found.captured_at
        if captured_at is None:
            raise InvalidInput(f"{entry.location}: when {name} was saved is not known: captured_at")
        if not shelf.system or (entry.engine or found.engine) in ("", shelf.system):
            shelf.add_page(found, entry.query, captured_at, entry.region)
    for record in set(entries) - seen:
        raise InvalidInput(f"{entries[record].location}: {path} has no page as record {record}")


def _add_by_itself(shelf: Shelf, name: str) -> None:
    """Add the pages of a file that say themselves what they answer."""
    path, seen = _path_inside(shelf.folder, name), False
    for found in _read_file(shelf, name):
        location = f"{path}:{found.record}" if found.record else str(path)
        if not found.marks.question:
            if not found.record:
                raise InvalidInput(
                    f"{location}: which question it answers is not known; {_DATE_REMEDY}"
                )
            continue  # an archive holds all that a browser asked for
        if is_page_piece(found.marks.url):
            continue
        seen = True
        if is_later_page(found.marks.url):
            shelf.left_out.append(f"{location}: left out, a later page of results")
            continue
        system = found.engine if shelf.system else ""
        if system not in ("", shelf.system):
            shelf.left_out.append(f"{location}: left out, a page of {system}")
            continue
        captured_at = found.captured_at
        if captured_at is None:
            raise InvalidInput(f"{location}: when it was saved is not known; {_DATE_REMEDY}")
        shelf.add_page(found, found.marks.question, captured_at, "")
    if not seen:
        shelf.left_out.append(f"{path}: left out, no page of results in it")


# --- answering ------------------------------------------------------------------------------------


class SavedFetcher(LookupFetcher):
    """Answers the questions of one tick with the pages that were saved on its day.

    The body is the page as it was saved. A question without a page gets an answer without a body,
    which is no list. The agent says which file a page is from, by its SHA-256.
    """

    def __init__(self, shelves: Shelves, due_at: datetime) -> None:
        self._shelves, self._at = shelves, due_at

    def answer_request(self, request: Request) -> Answer:
        if not isinstance(request, SavedRequest):
            raise TypeError(f"not a request for a saved page: {request!r}")
        shelf = self._shelves.get_shelf(request.folder)
        saved_page = shelf.find_page(request.text, request.region, self._at)
        if saved_page is None:
            detail = f"no page of it was saved on {self._at:%Y-%m-%d}"
            return Answer(Outcome.OK, self._at, 0.0, detail=detail)
        saved, body = saved_page
        return Answer(
            Outcome.OK, saved.captured_at, 0.0, status=saved.status, url=saved.url,
            headers=saved.headers, body=body,
            agent=(("file", saved.name), ("form", saved.form), ("sha256", saved.sha256)),
            observed=(("query", saved.query), ("region", saved.region or "not said")),
        )  # fmt: skip


class DonatedWeek:
    """The pages of one week. Of several from one donor for a question the first counts.

    `read` gives the content of a page.
    """

    def __init__(
        self, due_at: datetime, pages: Iterable[StoredPage], read: Callable[[StoredPage], bytes]
    ) -> None:
        self.due_at, self.read = due_at, read
        self._pages: dict[tuple[str, str, str], dict[str, StoredPage]] = defaultdict(dict)
        for page in pages:
            key = page.system, page.region, fold_question(page.query)
            self._pages[key].setdefault(page.donor, page)

    def find_donors(self, system: str, probe: Probe) -> Sequence[str]:
        """Return the donors who gave a page of a question in its region."""
        return sorted(self._find(system, probe.region, probe.text))

    def find_page(self, request: DonatedRequest) -> StoredPage | None:
        """Return the page of a donor."""
        return self._find(request.system, request.region, request.text).get(request.donor)

    def _find(self, system: str, region: str, text: str) -> Mapping[str, StoredPage]:
        return self._pages.get((system, region, fold_question(text)), {})


class DonatedFetcher(LookupFetcher):
    """Answers the questions of one week with its pages, which are in the archive."""

    def __init__(self, week: DonatedWeek) -> None:
        self._week = week

    def answer_request(self, request: Request) -> Answer:
        if not isinstance(request, DonatedRequest):
            raise TypeError(f"not a request for a donated page: {request!r}")
        page = self._week.find_page(request)
        if page is None:
            return Answer(Outcome.OK, self._week.due_at, 0.0, detail="no page is left")
        return Answer(
            Outcome.OK, page.captured_at, 0.0, url=page.url, body=self._week.read(page),
            agent=(("form", "donated"),), observed=(("region", page.region),),
        )  # fmt: skip


class PastFetcher:
    """Gives each engine's requests to what holds their answers.

    `lookups` is who is asked about what answers alone do not say, over the network; `donated` has
    the pages of donors.
    """

    def __init__(
        self,
        library: Library,
        shelves: Shelves,
        due_at: datetime,
        lookups: Fetcher | None = None,
        donated: Fetcher | None = None,
    ) -> None:
        self._recorded = RecordedFetcher(library, due_at)
        self._saved = SavedFetcher(shelves, due_at)
        self._lookups, self._donated = lookups, donated

    def fetch(self, requests: Iterable[Request | Pause]) -> Iterator[tuple[int, Answer]]:
        """Yield (index, answer); the first request says who answers them all."""
        waiting = iter(requests)
        for first in yield_after_pauses(waiting):
            rest: Iterator[Request | Pause] = chain([first], waiting)
            yield from self._fetcher_of(first).fetch(rest)
            return

    def _fetcher_of(self, request: Request) -> Fetcher:
        if isinstance(request, RecordedRequest):
            return self._recorded
        if isinstance(request, SavedRequest):
            return self._saved
        if isinstance(request, DonatedRequest) and self._donated is not None:
            return self._donated
        if self._lookups is None:
            raise TypeError(f"nothing here answers {request!r}")
        return self._lookups
