"""Commands that turn a downloaded table of a labour force survey into reference shares."""

import gzip
import io
import re
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from monitor import resources
from monitor.cli._console import err
from monitor.cli._files import STANDARD, in_existing_folder, new_file
from monitor.data import read_table
from monitor.input_files import decoded
from monitor.lists import load_list
from monitor.model import InvalidInput
from monitor.text.counted_nouns import several

if TYPE_CHECKING:
    from monitor.references._labour import Survey

app = typer.Typer(
    help="Shares of women by occupation from a table that was downloaded.", no_args_is_help=True
)
Output = Annotated[
    Path | None,
    typer.Option(
        help="CSV file to write; without it jobs/references/NAME.csv, named for what.",
        callback=in_existing_folder,
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Write over a file that is there.")]
Year = Annotated[int | None, typer.Option(min=1900, max=2099, help="Year (default: latest).")]
_FOLDER = Path("jobs/references")
#: What a job may write after `csv:`.
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")
_SEARCH_LISTS = "professions-search@*.csv"
#: Occupations named for one reason; there may be hundreds.
_SHOWN = 12
_NO_TITLE = "no title stands for it"


@app.callback()
def _group() -> None:
    """Shares of women by occupation from a table that was downloaded.

    Nothing is fetched: save the table yourself, as it is. What comes out is a file for
    jobs/references, which a job names as csv:NAME. An occupation has a share where a title of the
    survey stands for it; many titles cover several occupations, and the file says which title it
    was and what else it covers.
    """


@app.command()
def bls(
    file: Annotated[Path, typer.Argument(help="cpsaat11.xlsx.")],
    year: Annotated[int, typer.Option(min=1900, max=2099, help="Year of the annual averages.")],
    output: Output = None,
    force: Force = False,
) -> None:
    """United States: table 11 of the Current Population Survey (BLS).

    Save https://www.bls.gov/cps/cpsaat11.xlsx with a browser. It is replaced every year; older ones
    are at https://www.bls.gov/cps/aa2024/cpsaat11.xlsx and the like. Occupations with fewer than
    50,000 people have no figure there.
    """
    from monitor.references import _bls

    with _named(file):
        survey = _bls.read(_content(file, _bls.MOST_BYTES), year)
    _write(survey, f"bls-{year}", output, force=force)


@app.command()
def eurostat(
    file: Annotated[Path, typer.Argument(help="JSON of the dataset lfsa_egai2d.")],
    geo: Annotated[str, typer.Option(help="Which country, as Eurostat writes it: DE, EL.")],
    year: Year = None,
    output: Output = None,
    force: Force = False,
) -> None:
    """Europe: employed persons by sex and ISCO-08 at two digits (Eurostat, lfsa_egai2d).

    Save as JSON, for example for Germany:
    https://ec.europa.eu/eurostat/api/dissemination/statistics/1.0/data/lfsa_egai2d?format=JSON&lang=EN&geo=DE&age=Y15-64&sex=F&sex=M
    Groups of two digits are coarse: all lawyers, journalists and musicians are in one. Figures of
    low reliability are kept and say so.
    """
    from monitor.references import _eurostat

    with _named(file):
        content = _content(file, _eurostat.MOST_BYTES)
        survey = _eurostat.read(content, geo, str(year or ""))
    _write(survey, f"eurostat-{geo.lower()}-{survey.year}", output, force=force)


@app.command()
def ilostat(
    file: Annotated[Path, typer.Argument(help="CSV of EMP_TEMP_SEX_OC2_NB_A, or .csv.gz.")],
    area: Annotated[str, typer.Option(help="Which country, three letters: DEU.")],
    year: Year = None,
    output: Output = None,
    force: Force = False,
) -> None:
    """Any country: employment by sex and ISCO-08 (ILOSTAT).

    Save as CSV, for example for Germany:
    https://rplumber.ilo.org/data/indicator/?id=EMP_TEMP_SEX_OC2_NB_A&ref_area=DEU&type=code&format=.csv
    EMP_TEMP_SEX_OC2_NB_A has groups of two digits, which are coarse; where a country has none, take
    EMP_TEMP_SEX_OCU_NB_A with one digit, which is coarser still. Unreliable figures are kept and
    say so.
    """
    from monitor.references import _ilostat

    with _named(file):
        content = io.BytesIO(_content(file, _ilostat.MOST_BYTES))
        lines = decoded(content, "the table")
        survey = _ilostat.read(lines, area, str(year or ""))
    _write(survey, f"ilostat-{area.lower()}-{survey.year}", output, force=force)


@contextmanager
def _named(file: Path) -> Iterator[None]:
    """Put the file's name before what is wrong with it."""
    try:
        yield
    except InvalidInput as error:
        raise InvalidInput(f"{file}: {error}") from error


def _content(file: Path, most: int) -> bytes:
    """The bytes of a file, unpacked, which no file may have more of. Raises InvalidInput."""
    try:
        with file.open("rb") as raw:
            is_packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            with gzip.open(raw) if is_packed else raw as opened:
                content = opened.read(most + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidInput(f"cannot be read: {error}") from error
    if len(content) > most:
        raise InvalidInput(f"has more than {most:,} bytes; download what you need of it")
    return content


def _write(survey: "Survey", name: str, output: Path | None, *, force: bool) -> None:
    """Write the shares and say which occupations have none."""
    from monitor.references._labour import joined
    from monitor.references.csv import REFERENCE

    path = output or _FOLDER / f"{name}.csv"
    if path != STANDARD and (path.suffix != ".csv" or not _NAME.fullmatch(path.stem)):
        raise InvalidInput(
            f"--output {path}: a job could not name it; "
            "use small letters, digits, dots and dashes, and .csv at the end"
        )
    titles = read_table("occupation_titles")
    found = joined(survey, titles, _occupations(titles))
    if not found.rows:
        raise InvalidInput(
            f"none of the occupations has a title in the file: {_told(found.left_out)}"
        )
    REFERENCE.read(found.text, f"csv:{path.stem}")
    with new_file(path, force=force) as file:
        file.write(found.text)
    total = len(found.rows) + len(found.left_out)
    _say(
        f"{path}: {len(found.rows):,} of {several(total, 'occupation')} got a share "
        f"({survey.source}, {survey.country} {survey.year}); a job names it as csv:{path.stem}"
    )
    _say(_told(found.left_out))


def _say(text: str) -> None:
    err.print(text, markup=False, soft_wrap=True)


def _occupations(titles: list[dict[str, str]]) -> set[str]:
    """Every occupation that the tables and shipped lists of searches know."""
    found = {row["occupation"] for row in [*titles, *read_table("occupations")]}
    for path in (resources.shipped("jobs") / "lists").glob(_SEARCH_LISTS):
        found |= {item.tags["occupation"] for item in load_list(path).items}
    return found


def _told(left_out: Mapping[str, str]) -> str:
    """Why occupations have no share, the rarest reasons first."""
    by_reason: dict[str, list[str]] = defaultdict(list)
    for occupation, reason in left_out.items():
        by_reason[reason].append(occupation)
    parts = []
    for reason, some in sorted(by_reason.items(), key=lambda pair: (len(pair[1]), pair[0])):
        shown = "" if reason == _NO_TITLE else f" ({', '.join(some[:_SHOWN])}"
        shown += ", ...)" if shown and len(some) > _SHOWN else ")" if shown else ""
        parts.append(f"{len(some):,}: {reason}{shown}")
    return f"Without a share: {'; '.join(parts) or 'none'}."
