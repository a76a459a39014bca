"""Names that are looked up: a fault that suggests near ones."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from monitor.model import InvalidInput
from monitor.text.near_names import hint

if TYPE_CHECKING:
    from monitor.store.database import Connection


def known(
    noun: str, name: str, names: Iterable[str], titles: Mapping[str, str] | None = None
) -> None:
    """Raise InvalidInput, with near names, for a name that is not among those known."""
    listed = sorted(names)
    if name not in listed:
        raise InvalidInput(f"no {noun} {name!r}; {hint(name, listed, titles)}")


def known_job(connection: "Connection", name: str | None) -> None:
    """Raise InvalidInput, with near names, for a job that has neither runs nor ticks."""
    from monitor.store.schedule import ticks

    names = ticks.list_jobs(connection) if name else []
    if name and names:  # without any job, the command says what makes one
        known("job", name, names)
