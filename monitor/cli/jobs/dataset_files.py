"""Published data sets on disk: checked by digest, and put in their place or made into lists."""

from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath

from monitor import datasets
from monitor.cli.console import err, say
from monitor.cli.files import new_file
from monitor.datasets import SUMS, DataFile, Dataset, make_lists
from monitor.input_files import read_text
from monitor.lists import load_list
from monitor.model import InvalidInput
from monitor.text.counted_nouns import several

Contents = Sequence[tuple[DataFile, bytes]]


def say_terms(dataset: Dataset) -> None:
    """Print licence, use and citation of a data set."""
    say(f"licence: {dataset.licence} ({dataset.home})")
    say(f"use: {dataset.use}")
    say(f"cite: {dataset.citation}")


def local_copies(dataset: Dataset, paths: Iterable[Path]) -> Contents:
    """Return the files of a data set that local files, or those of a folder, are.

    Files with a pinned digest are told by their content, others by their names. Raises
    InvalidInput.
    """
    copies: list[tuple[DataFile, bytes]] = []
    for path in paths:
        inside = _data_files(dataset, path) if path.is_dir() else [path]
        for file in inside:
            name = file.relative_to(path).as_posix() if path.is_dir() else file.name
            copies.append(_local_copy(dataset, file, name))
    return copies


def _data_files(dataset: Dataset, folder: Path) -> list[Path]:
    names = {Path(file.path).name for file in dataset.files}
    files = sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and (path.name in names if names else datasets.is_data(path.name))
    )
    if not files:
        raise InvalidInput(f"{folder}: holds no file of {dataset.name}")
    return files


def _local_copy(dataset: Dataset, path: Path, name: str) -> tuple[DataFile, bytes]:
    try:
        content = path.read_bytes()
    except OSError as error:
        names = " or ".join(Path(file.path).name for file in dataset.files)
        remedy = f"name a copy of {names}" if names else f"download it from {dataset.home}"
        reason = "no such file" if isinstance(error, FileNotFoundError) else error.strerror
        raise InvalidInput(f"{path}: {reason}; {remedy}") from None
    if any(file.sha256 for file in dataset.files):
        return dataset.file_of(content, str(path)), content
    published = [file for file in dataset.files if PurePosixPath(file.path).name == path.name]
    if published:
        datasets.check_content(content, str(path))
        return published[0], content
    datasets.check_content(content, str(path))
    return DataFile(datasets.check_path(name, str(path)), commit=""), content


def put_files(
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
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.part")
        part.write_bytes(content)
        part.replace(path)
        checked = file.sha256 or file.path in recorded or file.path in digests
        state = "as expected" if checked else "recorded, first download"
        say(f"{file.path}: SHA-256 {seen[file.path]} ({state})")
    with new_file(sums, force=True) as listing:
        listing.write(datasets.write_sums(dataset, recorded | seen))
    err.print(f"{dataset.name}: {several(len(seen), 'file')} in {folder}", markup=False)


def write_lists(dataset: Dataset, contents: Contents, folder: Path) -> list[Path]:
    """Write the probe lists of a data set and read them back. Returns their paths.

    A list that is there already stays, and must be the same. Raises InvalidInput.
    """
    written = []
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
        written.append(folder / f"{probe_list.label}.csv")
    return written
