"""Makes probe lists of published data sets, from a download or from local copies."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from monitor.cli._console import err
from monitor.cli._files import new_file
from monitor.datasets import Dataset, Edition, as_list
from monitor.lists import load_list
from monitor.model import InvalidInput
from monitor.text.counted_nouns import several


def local_copies(dataset: Dataset, paths: Iterable[Path]) -> list[tuple[Edition, bytes]]:
    """The editions that local files are, known by their content. Raises InvalidInput."""
    found = []
    for path in paths:
        try:
            content = path.read_bytes()
        except (FileNotFoundError, IsADirectoryError):
            names = " or ".join(Path(edition.path).name for edition in dataset.editions)
            raise InvalidInput(f"{path}: no such file; name a copy of {names}") from None
        found.append((dataset.edition_of(content, str(path)), content))
    return found


def write_lists(
    dataset: Dataset, found: Sequence[tuple[Edition, bytes]], folder: Path
) -> list[Path]:
    """Write each edition as a probe list and read it back. Returns the paths of the lists.

    A list that is there already stays, and must be the same. Raises InvalidInput.
    """
    written = []
    for edition, content in found:
        files = as_list(dataset, edition, content)
        for name, text in files.items():
            path = folder / name
            if not path.exists():
                with new_file(path, force=False) as file:
                    file.write(text)
            elif path.read_text(encoding="utf-8") != text:
                raise InvalidInput(
                    f"{path}: is there already with other content; move it away to fetch it anew"
                )
        probe_list = load_list(folder / next(iter(files)))
        err.print(f"{probe_list.label}: {several(len(probe_list.items), 'sentence')} in {folder}")
        written.append(folder / f"{probe_list.label}.csv")
    return written
