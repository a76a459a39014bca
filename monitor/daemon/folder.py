"""A folder of job files: which are there, and which have changed since they were looked at."""

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from monitor.model import InvalidInput

#: Not a job: the regions that job files share.
REGIONS = "regions.toml"
_SHARED = ("lists", "references")

#: Time of change, size and place on the disk: a file that is replaced by another of the same size
#: and age lies elsewhere.
Stamp: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Seen:
    """A folder at one moment: its job files, and what they share."""

    jobs: dict[Path, Stamp]
    shared: dict[Path, Stamp]

    def changed(self, before: "Seen | None") -> set[Path]:
        """The job files that have to be read again."""
        if before is None or before.shared != self.shared:
            return set(self.jobs)
        return {path for path, stamp in self.jobs.items() if before.jobs.get(path) != stamp}


def look(folder: Path) -> Seen:
    """The folder as it is now. Raises InvalidInput where it cannot be read."""
    try:
        jobs = {path for path in folder.iterdir() if path.suffix == ".toml"}
        shared = {folder / REGIONS}
        for name in _SHARED:
            if (folder / name).is_dir():
                shared |= set((folder / name).iterdir())
    except OSError as error:
        raise InvalidInput(f"{folder}: the job files cannot be looked at: {error}") from error
    return Seen(_stamped(jobs - shared), _stamped(shared))


def _stamped(paths: set[Path]) -> dict[Path, Stamp]:
    found: dict[Path, Stamp] = {}
    for path in sorted(paths):
        try:
            state = path.stat()
        except OSError:  # gone since the folder was listed, or a link to nowhere
            continue
        found[path] = state.st_mtime_ns, state.st_size, state.st_ino
    return found
