"""Installed lexicons and vectors: the built-in ones, then those of MONITOR_HOME/lexicons."""

import re
from functools import cache
from importlib.resources import files
from pathlib import Path

from monitor.lexicons import lexicon, ranker_vectors
from monitor.lexicons.lexicon import Lexicon
from monitor.lexicons.ranker_vectors import StoredVectors
from monitor.model import InvalidInput
from monitor.text.near_names import hint

FOLDER = "lexicons"

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")
_BUILT_IN = Path(str(files("monitor.data"))) / "lexicons"


def checked_name(name: str) -> str:
    """A name that a lexicon can have. Raises InvalidInput."""
    if not _NAME.fullmatch(name) or name.endswith((lexicon.SUFFIX, ranker_vectors.SUFFIX)):
        raise InvalidInput(
            f"lexicon {name!r}: a name has lower-case letters, digits, '.', '_' and '-', and "
            "begins with a letter or digit"
        )
    return name


def built_in() -> list[str]:
    """Names of the lexicons that come with the program."""
    return _names_in(_BUILT_IN, lexicon.SUFFIX)


def installed_lexicons(home: Path | None) -> list[str]:
    """Names of all lexicons, the built-in ones first."""
    own_names = _names_in(home / FOLDER, lexicon.SUFFIX) if home else []
    return [*built_in(), *(name for name in own_names if name not in built_in())]


def find(name: str, home: Path | None) -> Lexicon:
    """The lexicon of this name. Raises InvalidInput naming those that there are."""
    if checked_name(name) in built_in():
        return _of_program(name)
    if home is None or name not in _names_in(home / FOLDER, lexicon.SUFFIX):
        raise InvalidInput(
            f"lexicon {name!r} is not installed (make one with: monitor lexicon build --vectors "
            f"FILE --name {name}); {hint(name, installed_lexicons(home))}"
        )
    return lexicon.load_lexicon(lexicon_path(name, home))


def find_vectors(name: str, home: Path | None) -> StoredVectors:
    """The vectors of this name. Raises InvalidInput naming those that there are."""
    known_installed_vectors = installed_vectors(home)
    if checked_name(name) not in known_installed_vectors or home is None:
        raise InvalidInput(
            f"vectors {name!r} are not installed (make some with: monitor lexicon build --vectors "
            "FILE --name NAME --keep-vectors, or --debias hard for NAME-hard); "
            f"{hint(name, known_installed_vectors)}"
        )
    return ranker_vectors.load_vectors(vectors_path(name, home))


def installed_vectors(home: Path | None) -> list[str]:
    """Names of all vectors for rankers."""
    return _names_in(home / FOLDER, ranker_vectors.SUFFIX) if home else []


def lexicon_path(name: str, home: Path) -> Path:
    """Return the file of the lexicon of this name."""
    return home / FOLDER / f"{name}{lexicon.SUFFIX}"


def vectors_path(name: str, home: Path) -> Path:
    """Return the file of the vectors of this name."""
    return home / FOLDER / f"{name}{ranker_vectors.SUFFIX}"


def _names_in(folder: Path, suffix: str) -> list[str]:
    names = (path.name.removesuffix(suffix) for path in folder.glob(f"*{suffix}"))
    return sorted(name for name in names if _NAME.fullmatch(name))


@cache
def _of_program(name: str) -> Lexicon:
    return lexicon.load_lexicon(_BUILT_IN / f"{name}{lexicon.SUFFIX}")
