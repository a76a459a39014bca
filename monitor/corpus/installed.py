"""Which corpora there are: the folders of MONITOR_HOME/corpora, each by the name of its folder."""

import re
from collections.abc import Mapping
from pathlib import Path

from monitor.corpus.folder import ABOUT
from monitor.input_files import load_json
from monitor.model import InvalidInput, Json
from monitor.text.near_names import hint

FOLDER = "corpora"

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")


def checked_name(name: str) -> str:
    """A name that a corpus can have. Raises InvalidInput."""
    if not _NAME.fullmatch(name):
        raise InvalidInput(
            f"corpus {name!r}: a name has lower-case letters, digits, '.', '_' and '-', and begins "
            "with a letter or digit"
        )
    return name


def folder_of(name: str, home: Path) -> Path:
    """Where the corpus of this name is."""
    return home / FOLDER / checked_name(name)


def installed(home: Path) -> list[str]:
    """Names of all corpora."""
    found = (path.parent for path in (home / FOLDER).glob(f"*/{ABOUT}"))
    return sorted(path.name for path in found if _NAME.fullmatch(path.name))


def find(name: str, home: Path) -> Path:
    """The folder of a corpus, by its name or as it is. Raises InvalidInput naming what there is."""
    if (Path(name) / ABOUT).is_file():
        return Path(name)
    known = installed(home)
    if name in known:
        return folder_of(name, home)
    raise InvalidInput(
        f"corpus {name!r}: there is none in {home / FOLDER}, and no such folder (make one with: "
        f"monitor corpus build NAME FILE...); {hint(name, known)}"
    )


def about(folder: Path) -> Mapping[str, Json]:
    """What a corpus says of itself, its files unread. Raises InvalidInput."""
    try:
        found = load_json((folder / ABOUT).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{folder / ABOUT}: cannot be read: {error}") from error
    if not isinstance(found, dict):
        raise InvalidInput(f"{folder / ABOUT}: is no table; make the corpus anew")
    return found
