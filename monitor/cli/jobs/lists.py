"""Commands about probe lists: list, show, rate; fetch them, or make them of pairs."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Annotated, Literal

import typer

from monitor import datasets, resources, settings
from monitor.cli import names
from monitor.cli.console import AsJson, agreement_text, emit_json, err, note, out, say, visible
from monitor.cli.files import in_existing_folder, new_file, refuse_existing
from monitor.cli.names import known
from monitor.cli.progress import counter
from monitor.data import read_table
from monitor.datasets import DATASETS, GEST, SUMS, DataFile, Dataset, make_lists
from monitor.input_files import open_table, read_text
from monitor.jobs import find_list, known_lists
from monitor.lists import VERSION, ProbeList, load_list
from monitor.model import InvalidInput, StoreProblem
from monitor.text.cells import RowWriter, make_inert
from monitor.text.counted_nouns import several
from monitor.text.sentence_pairs import Refusal, make_pair
from monitor.whole_files import write_whole
from monitor.wikidata.occupations import FLOOR, LIST_NAME, Source, as_list, known_nouns, page_query
from monitor.wikidata.requests import sparql_request

lists_commands = typer.Typer()
#: The folder of job files, and how many values and items of a list are shown.
_JOBS = Path("jobs")
_SHOWN = 5
_VERSION = re.compile(rf"{LIST_NAME}@([0-9]+)\.(?:csv|toml)")
_COLUMNS = ("key", "masculine", "feminine")
_TWICE = "the same pair stands in an earlier row"
_FORMULA = "spreadsheet programs would run one of its cells as a formula"
Contents = Sequence[tuple[DataFile, bytes]]


@lists_commands.command("list")
def list_lists(as_json: AsJson = False) -> None:
    """List every probe list in jobs/lists and among the shipped ones."""
    lists = [load_list(find_list(label, _JOBS)) for label in known_lists(_JOBS)]
    if as_json:
        emit_json([_facts(one) for one in lists])
        return
    for one in lists:
        say(f"{one.label}: {visible(one.title)}")
        facts = (several(len(one.items), "item"), one.source_lang, one.status, one.licence)
        say(f"    {', '.join(filter(None, facts))}")
    out.print("more about one: monitor lists show NAME@VERSION", markup=False)


@lists_commands.command("show")
def show_list(
    name: Annotated[
        str,
        typer.Argument(
            help="List with version, for example stereotypes@1; all if left out.",
            autocompletion=names.lists,
        ),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Show a probe list: what it asks, its tags with their values, and its first items."""
    if not name:
        list_lists(as_json=as_json)
        return
    one = _list(name)
    if as_json:
        items = [
            {"key": item.key, "text": item.text, "source_lang": item.source_lang, **item.tags}
            for item in one.items
        ]
        emit_json(_facts(one) | {"description": one.description, "items": items})
        return
    about = f"{several(len(one.items), 'item')}, {one.status}, licence {one.licence}"
    say(f"{one.label}: {one.title}; {about}")
    for tag in one.items[0].tags:
        values = list(dict.fromkeys(item.tags[tag] for item in one.items if item.tags.get(tag)))
        more = f" and {len(values) - _SHOWN:,} more" if len(values) > _SHOWN else ""
        listed = ", ".join(map(visible, values[:_SHOWN]))
        say(f"tag {tag}: {listed}{more}")
    for item in one.items[:_SHOWN]:
        say(f"  {visible(item.key)}: {visible(item.text)}")
    if len(one.items) > _SHOWN:
        out.print(f"  and {len(one.items) - _SHOWN:,} more")
    if one.description:
        out.print(one.description, markup=False)


def _list(name: str) -> ProbeList:
    """The list of this name in jobs/lists, or that is shipped. Raises InvalidInput."""
    known("list", name, known_lists(_JOBS))
    return load_list(find_list(name, _JOBS))


def _facts(one: ProbeList) -> dict[str, object]:
    return {
        "list": one.label,
        "items": len(one.items),
        "source_lang": one.source_lang,
        "status": one.status,
        "licence": one.licence,
        "content_hash": one.content_hash,
        "title": one.title,
    }


# --- fetching -------------------------------------------------------------------------------------


@lists_commands.command()
def fetch(
    name: Annotated[
        Literal["gest", "eurogest", "winomt", "mtgeneval", "gate", "professions"],
        typer.Argument(help="Which data set."),
    ],
    copies: Annotated[
        list[Path] | None,
        typer.Option(
            "--from",
            "--file",
            help="all but professions: local copy, a file or a folder, to use instead of a "
            "download; may be given more than once.",
        ),
    ] = None,
    sha256: Annotated[
        list[str] | None,
        typer.Option(
            help="eurogest, gate: expected digest of a file, FILE=DIGEST; may be given more than "
            "once."
        ),
    ] = None,
    server: Annotated[
        str,
        typer.Option(help="all but professions: mirror to ask, not the published address."),
    ] = "",
    endpoint: Annotated[
        str, typer.Option(help="professions: SPARQL service, if not MONITOR_WIKIDATA_SPARQL.")
    ] = "",
    least_sitelinks: Annotated[
        int,
        typer.Option(
            min=0, help="professions: articles on Wikimedia sites that one needs at least."
        ),
    ] = FLOOR,
) -> None:
    """Fetch published data sets and probes that are not shipped.

    gest: the GEST sentences from their public repository. Both versions, 1.0 (which the published
    figures use) and 1.1, are checked by their SHA-256 and become the lists gest@1.0 and gest@1.1
    in jobs/lists. The sentences are their authors' and no part of this program: keep to their
    licence and cite them.

    eurogest: the files of EuroGEST from Hugging Face (utter-project/EuroGEST, Apache-2.0), into
    MONITOR_HOME/datasets/eurogest. They validate how languages are read and are not asked: the
    questions in English are those of gest@1.1. The SHA-256 of each file is printed and recorded in
    SHA256SUMS at the first download; a later download with another digest is refused. A digest that
    is known beforehand can be given with --sha256. Without network, download the files elsewhere
    and name them with --from.

    winomt, mtgeneval, gate: benchmarks of named persons in translation, from their public
    repositories. Their files are put into MONITOR_HOME/datasets, for the studies of the same names,
    and become the lists winomt@1, mtgeneval@1 and gate@1 in jobs/lists. MT-GenEval is CC BY-SA 3.0:
    what is made from it stays under that licence.

    professions: the occupations of Wikidata as searches, "list of philosophers" and thousands
    more, into jobs/lists; each time the next version of professions-wikidata. Wikidata changes
    every day: the list says when it was asked. Needs MONITOR_CONTACT. If the service fails on the
    way, the list holds what came until then and says so.
    """
    folder = Path("jobs/lists")
    if name == "professions":
        if copies or server:
            raise InvalidInput(
                "--from and --server are for data sets; occupations come from a SPARQL service"
            )
        if sha256:
            raise InvalidInput("--sha256 is for data sets without pinned digests: eurogest, gate")
        _fetch_occupations(endpoint or settings.load().wikidata_sparql, least_sitelinks, folder)
        return
    if endpoint or least_sitelinks != FLOOR:
        raise InvalidInput("--endpoint and --least-sitelinks are for professions")
    _fetch_dataset(name, copies or [], sha256 or [], server, folder)


def _fetch_dataset(
    name: str, copies: list[Path], sha256: list[str], server: str, folder: Path
) -> None:
    dataset = DATASETS[name]
    if any(file.sha256 for file in dataset.files) and sha256:
        raise InvalidInput(f"--sha256: the digests of {name} are pinned; leave it out")
    say(f"licence: {dataset.licence} ({dataset.home})")
    say(f"use: {dataset.use}")
    say(f"cite: {dataset.citation}")
    if copies:
        contents = _find_copies(dataset, copies)
    else:
        from monitor.fetch import downloads

        if not server and name == GEST.name:
            server = settings.load().gest_source
        contents = list(downloads.fetch_dataset(dataset, server))
    if dataset.makes_lists:
        _write_lists(dataset, contents, folder)
    if dataset.stays or not dataset.makes_lists:
        home = settings.load().home / "datasets" / name
        _put_files(dataset, contents, sha256, home, is_whole=not copies)


def _find_copies(dataset: Dataset, paths: Iterable[Path]) -> Contents:
    """Return the files of a data set that local files, or those of a folder, are.

    Files with a pinned digest are told by their content, others by their names. Raises
    InvalidInput.
    """
    copies: list[tuple[DataFile, bytes]] = []
    for path in paths:
        for file in _list_data_files(dataset, path) if path.is_dir() else [path]:
            name = file.relative_to(path).as_posix() if path.is_dir() else file.name
            copies.append(_read_copy(dataset, file, name))
    return copies


def _list_data_files(dataset: Dataset, folder: Path) -> list[Path]:
    names = {Path(file.path).name for file in dataset.files}
    files = sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and (path.name in names if names else datasets.is_data(path.name))
    )
    if not files:
        raise InvalidInput(f"{folder}: holds no file of {dataset.name}")
    return files


def _read_copy(dataset: Dataset, path: Path, name: str) -> tuple[DataFile, bytes]:
    try:
        content = path.read_bytes()
    except OSError as error:
        names = " or ".join(Path(file.path).name for file in dataset.files)
        remedy = f"name a copy of {names}" if names else f"download it from {dataset.home}"
        reason = "no such file" if isinstance(error, FileNotFoundError) else error.strerror
        raise InvalidInput(f"{path}: {reason}; {remedy}") from None
    if any(file.sha256 for file in dataset.files):
        return dataset.file_of(content, str(path)), content
    datasets.check_content(content, str(path))
    for file in dataset.files:
        if PurePosixPath(file.path).name == path.name:
            return file, content
    return DataFile(datasets.check_path(name, str(path)), commit=""), content


def _put_files(
    dataset: Dataset, contents: Contents, given: list[str], folder: Path, *, is_whole: bool
) -> None:
    """Write the files of a data set into a folder, once all of their digests are right.

    The first download records the digests in SHA256SUMS; later ones are compared with them.
    `given` are the digests of `--sha256`. A recorded file that is missing is a fault where the data
    set `is_whole`. Raises InvalidInput before anything is written.
    """
    seen = {file.path: datasets.digest_of(content) for file, content in contents}
    sums = folder / SUMS
    recorded = datasets.parse_sums(read_text(sums), str(sums)) if sums.exists() else {}
    digests = datasets.parse_digests(given, sorted(seen))
    expected = (
        recorded if is_whole else {path: recorded[path] for path in seen.keys() & recorded.keys()}
    )
    datasets.compare_digests(seen, expected, digests, str(folder))
    for file, content in contents:
        with write_whole(folder / file.path) as part:
            part.write(content)
        checked = file.sha256 or file.path in recorded or file.path in digests
        state = "as expected" if checked else "recorded, first download"
        say(f"{file.path}: SHA-256 {seen[file.path]} ({state})")
    with new_file(sums, force=True) as listing:
        listing.write(datasets.write_sums(dataset, recorded | seen))
    err.print(f"{dataset.name}: {several(len(seen), 'file')} in {folder}", markup=False)


def _write_lists(dataset: Dataset, contents: Contents, folder: Path) -> None:
    """Write the probe lists of a data set and read them back.

    A list that is there already stays, and must be the same. Raises InvalidInput.
    """
    for texts in make_lists(dataset, contents):
        for name, text in texts.items():
            path = folder / name
            if not path.exists():
                with new_file(path, force=False) as listing:
                    listing.write(text)
            elif path.read_text(encoding="utf-8") != text:
                raise InvalidInput(
                    f"{path}: is there already with other content; move it away to fetch it anew"
                )
        probe_list = load_list(folder / next(iter(texts)))
        err.print(f"{probe_list.label}: {several(len(probe_list.items), 'sentence')} in {folder}")


def _fetch_occupations(endpoint: str, floor: int, folder: Path) -> None:
    """Write the list of today into the folder.

    Raises StoreProblem where the service failed; what came until then has been written by then.
    """
    from monitor.fetch import occupations
    from monitor.work.outside import open_fetcher

    example = sparql_request(endpoint, page_query(0, floor))
    with open_fetcher([example], "") as fetcher, counter("occupations") as progress:
        fetched = occupations.fetch_occupations(fetcher, endpoint, floor, progress=progress)
    if not fetched.occupations or fetched.asked_at is None:
        raise StoreProblem(f"{endpoint}: no occupations came: {fetched.fault or 'no answer'}")
    source = Source(endpoint, fetched.asked_at, floor, fetched.fault)
    nouns = known_nouns(read_table("occupations"), read_table("occupation_synonyms"))
    version = _next_version(folder)
    for name, text in as_list(fetched.occupations, source, version, nouns).items():
        with new_file(folder / name, force=False) as file:
            file.write(text)
    written = load_list(folder / f"{LIST_NAME}@{version}.csv")
    doubtful = sum(1 for item in written.items if item.tags["doubt"])
    note(
        f"{written.label}: {several(len(written.items), 'occupation')} in {folder}; "
        f"{doubtful:,} with a doubtful plural (tag doubt)"
    )
    if fetched.fault:
        raise StoreProblem(f"{written.label} is incomplete, and says so: {fetched.fault}")
    say(f"licence: {written.licence} (Wikidata)")


def _next_version(folder: Path) -> int:
    """The version after the last one, here or among the shipped lists."""
    paths = [*folder.glob("*"), *(resources.find_folder("jobs") / "lists").glob("*")]
    matches = (_VERSION.fullmatch(path.name) for path in paths)
    return max((int(match[1]) for match in matches if match), default=0) + 1


# --- rating ---------------------------------------------------------------------------------------


@lists_commands.command()
def rate(
    name: Annotated[str, typer.Argument(help="List with version, for example stereotypes@1.")],
    rater: Annotated[str, typer.Option(help="Who rates: initials or a code name.")],
    output: Annotated[Path, typer.Option(help="CSV file to write.", callback=in_existing_folder)],
    tag: Annotated[str, typer.Option(help="What raters guess: a tag of the list.")] = "stereotype",
    sample: Annotated[int, typer.Option(min=0, help="Rate so many items; 0 means all.")] = 0,
) -> None:
    """Write a rating sheet: the sentences in an order of the rater's own, the tags left out.

    The rater fills the column `rating` with one of the allowed values (listed in the sheet's
    companion file) and may write into `comment`. Afterwards: monitor lists agreement.
    """
    from monitor.rating import write_sheet

    probe_list = _list(name)
    written = write_sheet(probe_list, tag, rater, output, sample)
    err.print(f"{several(written, 'item')} to rate: {output}; allowed ratings: {output}.values.csv")


@lists_commands.command()
def agreement(
    sheets: Annotated[list[Path], typer.Argument(help="Filled sheets, one per rater.")],
    name: Annotated[str, typer.Option("--list", help="The list, for example stereotypes@1.")],
    tag: Annotated[str, typer.Option(help="The tag that was rated.")] = "stereotype",
    as_json: AsJson = False,
) -> None:
    """Compute how far raters agree with each other and with the list.

    Prints raw agreement, Cohen's kappa for each pair, Krippendorff's alpha over all, and the
    items on which most raters chose another value than the list.
    """
    from monitor.rating import compare_sheets

    result = compare_sheets(_list(name), tag, sheets)
    if as_json:
        emit_json(result)
        return
    out.print(f"{result['items']:,} items rated by {several(len(sheets), 'rater')}")
    for line in result["pairs"]:
        raw = agreement_text(line["agreement"], line["agreement_limits"])
        kappa = agreement_text(line["kappa"], line["kappa_limits"])
        say(f"  {line['first']} and {line['second']}: {raw} raw, kappa {kappa}, n = {line['n']:,}")
    alpha = agreement_text(result["alpha"], result["alpha_limits"])
    out.print(f"Krippendorff's alpha: {alpha}", markup=False)
    for line in result["disputed"]:
        out.print(
            f"  {line['key']}: list says {line['list']}, raters say {', '.join(line['ratings'])}",
            markup=False,
        )


# --- pairs ----------------------------------------------------------------------------------------


@lists_commands.command()
def pairs(
    table: Annotated[
        Path,
        typer.Argument(
            metavar="FILE.csv",
            help="Columns key, masculine, feminine (the two translations), and the tags.",
        ),
    ],
    language: Annotated[
        str,
        typer.Option(
            help="Language of the translations, for example cs.", autocompletion=names.languages
        ),
    ],
    name: Annotated[str, typer.Option("--list", help="List to write, for example gest-cs@1.")],
    title: Annotated[str, typer.Option(help="Title of the list.")] = "Sentence pairs",
    licence: Annotated[str, typer.Option(help="Licence of the sentences.")] = "not stated",
) -> None:
    """Make a list of sentence pairs, `Jsem [unavený|unavená].`, for masked language models.

    The translations are those of `He said: "S"` and `She said: "S"` by any translator. The
    quotations are cut out; a pair is kept when the two differ in exactly one word whose variants
    begin with the same letter. What is left out is counted by reason.
    """
    if not re.fullmatch(rf"[a-z][a-z0-9-]*@{VERSION}", name):
        raise InvalidInput(f"--list {name!r}: write it as NAME@VERSION, for example gest-cs@1")
    path = Path("jobs/lists") / f"{name}.csv"
    for file in (path, path.with_suffix(".toml")):
        refuse_existing(file, force=False)
    columns, rows = _read_pairs(table)
    tags = [column for column in columns if column not in _COLUMNS]
    if formulas := [tag for tag in tags if _is_formula(tag)]:
        raise InvalidInput(
            f"{table}: column {formulas[0]!r}: spreadsheet programs would run it as a formula; "
            "give it another name"
        )
    refused: Counter[str] = Counter()
    kept = list(_kept(rows, tags, refused))
    for reason, n in refused.most_common():
        note(f"left out {n:,}: {reason}")
    if not kept:
        raise InvalidInput(f"{table}: none of its {several(len(rows), 'row')} makes a pair")
    written = _write_pairs(
        path, [("key", "text", *tags), *kept], _header(name, language, title, licence)
    )
    err.print(f"{written.label}: {len(written.items):,} of {several(len(rows), 'pair')} in {path}")


def _read_pairs(path: Path) -> tuple[list[str], list[dict[str, str]]]:
    """Return (columns, rows) of the file. Raises InvalidInput."""
    with open_table(path, _COLUMNS) as table:
        return table.columns, [row for _, row in table.records()]


def _kept(
    rows: list[dict[str, str]], tags: list[str], refused: Counter[str]
) -> Iterator[tuple[str, ...]]:
    """The rows of the list; what is left out is counted in `refused`."""
    seen: set[str] = set()
    for row in rows:
        pair = make_pair(row["masculine"], row["feminine"])
        if isinstance(pair, Refusal):
            refused[pair] += 1
        elif pair.text in seen:
            refused[_TWICE] += 1
        elif any(_is_formula(cell) for cell in (row["key"], pair.text, *(row[t] for t in tags))):
            refused[_FORMULA] += 1
        else:
            seen.add(pair.text)
            yield (row["key"], pair.text, *(row[tag] for tag in tags))


def _is_formula(cell: str) -> bool:
    """Return whether a cell would have to be changed to be safe, and with it the question.

    A word that begins with an apostrophe, as `'s ochtends`, is none.
    """
    return make_inert(cell) != cell and not cell.startswith("'")


def _write_pairs(path: Path, rows: list[tuple[str, ...]], header: str) -> ProbeList:
    """Write the two files of a list, once they can be read as one. Raises InvalidInput."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=path.parent, prefix=f".{path.stem}.") as temporary:
        part = Path(temporary) / path.name
        with part.open("w", encoding="utf-8", newline="") as file:
            RowWriter(file).rows(rows)
        part.with_suffix(".toml").write_text(header, encoding="utf-8")
        probe_list = load_list(part)
        for one in (part, part.with_suffix(".toml")):
            one.rename(path.parent / one.name)
    return probe_list


def _header(name: str, language: str, title: str, licence: str) -> str:
    label, _, version = name.partition("@")
    content = {
        "name": label,
        "version": version,
        "source_lang": language,
        "title": title,
        "status": "unvalidated",
        "licence": licence,
        "description": "Pairs out of translations of two prompts, the quotation cut out",
    }
    return "".join(f"{k} = {json.dumps(v, ensure_ascii=False)}\n" for k, v in content.items())
