"""Grammatical gender of many texts: a list, a pandas Series or the lines of a CSV in, signals out.

No database and no download. Everything streams: memory does not grow with the number of texts.
pandas is never imported here; a Series can only come from someone who did.
"""

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Protocol, overload

from monitor import registry
from monitor.input_files import read_table
from monitor.model import (
    Cue,
    EntityLanguage,
    EntityText,
    GenderClass,
    InvalidInput,
    Language,
    Signal,
)
from monitor.text.cells import make_inert
from monitor.text.near_names import hint

if TYPE_CHECKING:
    import pandas as pd

#: The columns that are added to a table.
COLUMNS = ("gender", "witness", "rule")

#: What stands for a text that is not there (None, NaN): nothing can be said of it.
MISSING = Signal(GenderClass.UNIDENTIFIED, rule="missing")


def find_reader(language: str, cue: str, *, nouns: bool | None = None) -> tuple[Language, Cue]:
    """The language and the cue by their names. Raises InvalidInput listing what is known."""
    language_reader = registry.known_language(language, nouns=nouns)
    if cue not in language_reader.cues:
        near = hint(cue, sorted(language_reader.cues))
        raise InvalidInput(f"cue {cue!r} is not read in {language_reader.name}; {near}")
    return language_reader, Cue(cue)


def as_cells(signal: Signal) -> tuple[str, str, str]:
    """Class, the words that decided joined by "; ", and the rule, as they stand in a table."""
    rule = signal.rule or "; ".join(dict.fromkeys(w.rule for w in signal.witnesses))
    return str(signal.cls), make_inert("; ".join(w.text for w in signal.witnesses)), rule


class PandasSeries(Protocol):
    """Protocol of a pandas Series, which tells it from other iterables without pandas."""

    @property
    def index(self) -> Any: ...  # noqa: ANN401
    @property
    def iloc(self) -> Any: ...  # noqa: ANN401
    def __iter__(self) -> Iterator[Any]: ...


@overload
def gender(texts: PandasSeries, language: str, cue: str = "agreement") -> "pd.DataFrame": ...
@overload
def gender(
    texts: Iterable[str | None], language: str, cue: str = "agreement"
) -> Iterator[Signal]: ...
def gender(
    texts: PandasSeries | Iterable[str | None], language: str, cue: str = "agreement"
) -> "pd.DataFrame | Iterator[Signal]":
    """Find the grammatical gender of the first person in each of `texts`.

    From a list or any other iterable comes an iterator of signals in the same order; from a pandas
    Series comes a DataFrame with the same index and the columns gender, witness and rule. A text
    that is missing (None, NaN) is `unidentified` with the rule "missing". `language` is a BCP 47
    tag, `cue` "agreement" or "quoted" (inside quotation marks). Raises InvalidInput.

    >>> [signal.cls for signal in monitor.gender(["Estou cansada."], language="pt")]
    [<GenderClass.FEMININE: 'feminine'>]
    """
    if isinstance(texts, str | bytes):
        raise InvalidInput("texts is a single text; give a list of texts")
    text_language, text_cue = find_reader(language, cue)
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(texts, pandas.Series):
        return _make_table(texts, text_language, text_cue)
    return _yield_signals(texts, text_language, text_cue)


def _yield_signals(texts: Iterable[object], language: Language, cue: Cue) -> Iterator[Signal]:
    for number, text in enumerate(texts):
        if isinstance(text, str):
            yield language.signal(text, cue)
        elif _is_missing(text):
            yield MISSING
        else:
            raise InvalidInput(f"texts[{number}] is {text!r}; it must be a text, or None")


def _is_missing(value: object) -> bool:
    """None, NaN of any library, and pandas.NA, whose comparisons are neither true nor false."""
    return value is None or type(value).__name__ == "NAType" or bool(value != value)  # noqa: PLR0124


def _make_table(texts: PandasSeries, language: Language, cue: Cue) -> "pd.DataFrame":
    import pandas as pd  # noqa: PLC0415 - the caller has imported it already

    rows = [as_cells(signal) for signal in _yield_signals(texts, language, cue)]
    return pd.DataFrame(rows, index=texts.index, columns=list(COLUMNS), dtype=object)


def annotate_rows(
    lines: Iterable[str], place: str, language: Language, cue: Cue, column: str
) -> Iterator[list[str]]:
    """The header and the rows of a CSV, every cell as it was, with COLUMNS added.

    Raises InvalidInput naming the file, and the line or column.
    """
    table = read_table(lines, place)
    column_index = _find_position(table.columns, place, column)
    yield [*table.columns, *COLUMNS]
    for _, row in table.rows:
        yield [*row, *as_cells(language.signal(row[column_index], cue))]


def annotated_entities(
    lines: Iterable[str], place: str, language: EntityLanguage, column: str
) -> Iterator[list[str]]:
    """The header and the rows of a CSV with the gender of the person named in `entity` added.

    The columns are `source`, `entity`, `index` (may be left out, or empty) and `column`, the
    translation. An index that is no whole number is a fault of its row: UNIDENTIFIED with the rule
    "index_out_of_range". Raises InvalidInput naming the file, and the line or column.
    """
    table = read_table(lines, place)
    source, entity, translation = (
        _find_position(table.columns, place, name) for name in ("source", "entity", column)
    )
    index = table.columns.index("index") if "index" in table.columns else None
    yield [*table.columns, *COLUMNS]
    for _, row in table.rows:
        number = row[index].strip() if index is not None else ""
        text = EntityText(row[source], row[entity], row[translation], _whole(number))
        yield [*row, *as_cells(language.signal(text))]


def _whole(number: str) -> int | None:
    """The number, None for an empty cell, -1 (a place that no text has) for anything else."""
    if not number:
        return None
    return int(number) if number.isascii() and number.isdigit() and len(number) < 10 else -1  # noqa: PLR2004


def _find_position(header: list[str], place: str, column: str) -> int:
    if not header:
        raise InvalidInput(f"{place}: is empty; its first line must name the columns")
    if column not in header:
        raise InvalidInput(
            f"{place}: no column {column!r}; it has {', '.join(header)}; columns are separated by "
            "commas, and --column names another one"
        )
    for name in COLUMNS:
        if name in header:
            raise InvalidInput(f"{place}: has a column {name!r} already; rename it first")
    return header.index(column)
