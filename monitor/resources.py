"""Files that come with the package, the version of its source, and the time zones that it knows."""

import hashlib
import re
from functools import cache
from pathlib import Path
from zoneinfo import available_timezones

_PACKAGE = Path(__file__).parent
#: What is beside the source, or made of it: in a wheel, and where it was run.
_APART = ("_data", "__pycache__")
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


def find_folder(name: str) -> Path:
    """Folder `migrations`, `jobs`, `docs` or `requirements`: in a wheel or beside the package."""
    installed = _PACKAGE / "_data" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name


@cache
def _list_time_zones() -> frozenset[str]:
    """Return the names of IANA time zones. Their files are looked through once."""
    return frozenset(available_timezones())


def check_time_zone(name: str) -> str:
    """Return the name of a time zone. Raises ValueError where there is none of this name."""
    if name not in _list_time_zones():
        raise ValueError(f"{name!r} is not an IANA time zone such as Europe/Vienna or UTC")
    return name


@cache
def source_digest() -> str:
    """SHA-256 over names and contents of all files of the package, as in wheel and checkout."""
    files = (
        path
        for path in _PACKAGE.rglob("*")
        if not set(_APART) & set(path.relative_to(_PACKAGE).parts) and path.is_file()
    )
    total = hashlib.sha256()
    for name, path in sorted(
        (source_path.relative_to(_PACKAGE).as_posix(), source_path) for source_path in files
    ):
        total.update(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {name}\n".encode())
    return total.hexdigest()


def read_commit() -> str:
    """The commit that a checkout is at; empty for a wheel. Changes since it are not seen."""
    git = _PACKAGE.parent / ".git"
    try:
        if git.is_file():  # another working tree of a repository
            git = (git.parent / git.read_text().partition(":")[2].strip()).resolve()
        head = (git / "HEAD").read_text().strip()
        commit_hash = (
            head if _COMMIT.fullmatch(head) else _of_ref(git, head.partition(":")[2].strip())
        )
    except OSError:
        return ""
    return commit_hash if _COMMIT.fullmatch(commit_hash) else ""


def _of_ref(git: Path, ref: str) -> str:
    """The commit that a branch is at; refs of other working trees are with the repository."""
    common = git / "commondir"
    home = (git / common.read_text().strip()).resolve() if common.is_file() else git
    for folder in (git, home):
        if (folder / ref).is_file():
            return (folder / ref).read_text().strip()
    for line in (home / "packed-refs").read_text().splitlines():
        if line.endswith(f" {ref}"):
            return line.partition(" ")[0]
    return ""
