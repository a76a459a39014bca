"""Finding model files and saying which ones they are."""

import hashlib
import importlib.util
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from monitor.model import MissingPart

EXTRA_HINT = "install it with: pip install 'gbmonitor[local]'"


def package_folder(package: str, hint: str = EXTRA_HINT) -> Path:
    """Folder of an installed package, without importing it. Raises MissingPart."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise MissingPart(f"the library {package!r} is not installed; {hint}")
    return Path(next(iter(spec.submodule_search_locations)))


#: What a back end's `run` is: (texts, options) -> content of the answer's body.
Run = Callable[[Sequence[str], Mapping[str, str]], dict[str, Any]]


def one_by_one(translate: Callable[[str], str]) -> Run:
    """Run a translator of single sentences over the texts; an empty text stays empty."""

    def run(texts: Sequence[str], _options: Mapping[str, str]) -> dict[str, Any]:
        return {"translations": [translate(text) if text.strip() else "" for text in texts]}

    return run


def _sha256(path: Path) -> str:
    with path.open("rb") as handle:  # weights may be larger than the memory
        return hashlib.file_digest(handle, "sha256").hexdigest()


def identity(library: str, model: str, files: dict[str, Path]) -> tuple[tuple[str, str], ...]:
    """Library version, model and SHA-256 of each of its files: what answers, as evidence."""
    hashes = {f"sha256:{name}": _sha256(path) for name, path in sorted(files.items())}
    facts = {"library": library, "library_version": version(library), "model": model} | hashes
    return tuple(sorted(facts.items()))
