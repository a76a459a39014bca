"""Small collections beside the jobs: indexed by themselves when they are first asked.

`NAME.jsonl` in jobs/collections of MONITOR_HOME, or among those that ship. Its index is kept by the
digest of the file, so that a changed collection is never answered out of an old index, and by the
program that built it, which may cut words otherwise.
"""

import hashlib
import tempfile
from pathlib import Path

from monitor import resources
from monitor.model import MissingPart
from monitor.rankers.build import build
from monitor.rankers.corpus import read
from monitor.rankers.index import FORMAT, META, Index, find_index, is_name
from monitor.text.swap import swap

#: A larger one is to be indexed by a person, who sees how far it has come.
_LARGEST = 20 * 2**20


def find(name: str, home: Path, version: str) -> Index:
    """The index called `name`, else that of the small collection of this name.

    `version` is that of the program. Raises MissingPart naming the remedy.
    """
    try:
        return find_index(name, home)
    except MissingPart:
        file = _file(name, home)
        if file is None:
            raise
    digest = hashlib.sha256(file.read_bytes()).hexdigest()[:16]
    goal = home / "indexes" / ".collections" / f"{name}-{digest}-{version}-{FORMAT}"
    if not (goal / META).is_file():
        _build(file, goal, version)
    return Index(goal)


def _file(name: str, home: Path) -> Path | None:
    places = (home / "jobs", resources.shipped("jobs"))
    files = [place / "collections" / f"{name}.jsonl" for place in places if is_name(name)]
    return next((f for f in files if f.is_file() and f.stat().st_size <= _LARGEST), None)


def _build(file: Path, goal: Path, version: str) -> None:
    """Build it beside its place and move it there; whoever else built it first is as good."""
    goal.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=goal.parent, prefix=".new-") as temporary:
        folder = Path(temporary) / "index"
        build(read(file), folder, lambda _: None, version=version, swap=swap)
        try:
            folder.rename(goal)
        except OSError:
            if not (goal / META).is_file():
                raise
