"""Published rows of a reproducibility package, a run or a job at a time.

In go portions of rows in their order, out come those of one group by key.
"""

from collections.abc import Iterator

from monitor.model import InvalidInput
from monitor.stages._reproduction_files import Row
from monitor.stages.reproduction_compare import Published, published


class Groups:
    """Published rows by what their key begins with: a run or a job, in their order."""

    def __init__(self, portions: Iterator[list[Row]], kind: str) -> None:
        self._rows = (published(row) for some in portions for row in some)
        self._kind = kind
        self._next: Published | None = next(self._rows, None)

    def take(self, group: str) -> dict[tuple[str, ...], Published]:
        """The rows of a group, by key. Raises InvalidInput for one that is there twice."""
        found: dict[tuple[str, ...], Published] = {}
        while self._next is not None and self._next.key[0] == group:
            one = self._next
            if one.name in found or one.kind != self._kind:
                raise InvalidInput(f"published/{self._kind}: a row that is there twice")
            found[one.name] = one
            self._next = next(self._rows, None)
        return found

    def end(self) -> None:
        """Raise InvalidInput for rows of a run or job that the package does not have."""
        if self._next is not None:
            raise InvalidInput(
                f"published/{self._kind}: rows of something that is not in the package, or not in "
                "order"
            )
