"""Names that are looked up: a fault that suggests near ones."""

from collections.abc import Iterable, Mapping

from monitor.model import InvalidInput
from monitor.text.near_names import hint


def known(
    noun: str, name: str, names: Iterable[str], titles: Mapping[str, str] | None = None
) -> None:
    """Raise InvalidInput, with near names, for a name that is not among those known."""
    listed = sorted(names)
    if name not in listed:
        raise InvalidInput(f"no {noun} {name!r}; {hint(name, listed, titles)}")
