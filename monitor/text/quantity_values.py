"""Values of quantities and days as people read them: shares in percent, differences in points.

JSON, CSV and SQL keep plain fractions; these are for sentences, charts and tiles.
"""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from monitor.model import Meaning, QuantityUnit

_MINUS = "\N{MINUS SIGN}"
_NARROW = "\N{NO-BREAK SPACE}"
#: A percentage below this has one decimal place, as has a change of so few points.
_FINE = 10.0
_HALF = 0.5
#: Percentages that differ by no more are the same.
_SAME = 1e-6
#: Units that are said in percent, or in points of them, and drawn on one scale.
PERCENT = (QuantityUnit.SHARE, QuantityUnit.DIFFERENCE)
_SIZES = (QuantityUnit.DIFFERENCE, QuantityUnit.RATIO, QuantityUnit.LOG_ODDS)
_DIGITS = {QuantityUnit.RANK: 1, QuantityUnit.RATIO: 2}


def say_question(meaning: Meaning, system: str) -> str:
    """Return the question that a quantity answers of a system."""
    if meaning.question:
        return meaning.question.replace("{system}", system)
    if meaning.unit is QuantityUnit.SHARE:
        return f"How common are {meaning.label} with {system}?"
    comma = "," if "," in meaning.label else ""
    what = "How large" if meaning.unit in _SIZES else "What"
    return f"{what} is the {meaning.label}{comma} of {system}?"


def say_value(unit: QuantityUnit, value: float, digits: int | None = None) -> str:
    """Return `44 %`, `+41 points`, `+1.23` or `0.843`, whichever the unit asks for.

    `digits`: decimal places of a percentage; without it, those that its size asks for.
    """
    if unit is QuantityUnit.SHARE:
        return f"{_write_percent(value, digits=digits)}{_NARROW}%"
    if unit is QuantityUnit.DIFFERENCE:
        percent = _write_percent(value, sign=True, digits=digits)
        return f"{percent}{_NARROW}{_write_points(value)}"
    return write_number(value, _DIGITS.get(unit, 3), sign=unit is QuantityUnit.LOG_ODDS)


#: A unit with values before and after, and at other times.
FigureRow = tuple[QuantityUnit, *tuple[float | None, ...]]


def say_values(unit: QuantityUnit, before: float | None, after: float | None) -> tuple[str, ...]:
    """Return two values with so many digits that they agree with their difference as printed."""
    return say_figures([(unit, before, after)], has_change=True)[0]


def say_figures(rows: Sequence[FigureRow], *, has_change: bool) -> list[tuple[str, ...]]:
    """Return a table of values before, after and at other times; empty text for None.

    Percents have so many digits that the last row agrees with the two rows above it as a reader
    computes it, and with its change where that is printed beside it (`has_change`). The rows above
    the last one may have one digit more than it.
    """
    for last, others in ((0, 0), (0, 1), (1, 1), (1, 2)):
        digits = [*[others] * (len(rows) - 1), last]
        if _is_consistent(rows, digits, has_change=has_change):
            break
    return [
        tuple("" if value is None else say_value(unit, value, n) for value in values)
        for (unit, *values), n in zip(rows, digits, strict=True)
    ]


def _is_consistent(rows: Sequence[FigureRow], digits: Sequence[int], *, has_change: bool) -> bool:
    """Return whether printed values give the differences that are printed beside them."""
    columns: list[list[tuple[float, int]]] = [[] for _ in rows[0][1:]]
    ends = None
    for (unit, *values), n in zip(rows, digits, strict=True):
        if unit not in PERCENT:
            continue
        percents = [None if value is None else 100 * value for value in values]
        before, after = percents[:2]
        ends = None if before is None or after is None else (before, after)
        changes = [] if ends is None else [ends[1] - ends[0]]
        printed = [percent for percent in percents if percent is not None]
        smallest = min((abs(x) for x in (*printed, *changes) if round(x, 1)), default=_FINE)
        if n < _find_digits(smallest):
            return False
        for column, percent in zip(columns, percents, strict=True):
            if percent is not None:
                column.append((percent, n))
    if ends and has_change:
        change = ends[1] - ends[0]
        if not _is_difference(ends, digits[-1], change, _find_digits(change)):
            return False
    return all(
        len(column) != 3  # noqa: PLR2004 - two parts and their difference
        or abs(abs(column[1][0] - column[0][0]) - abs(column[2][0])) > _SAME
        or _is_difference((column[0][0], column[1][0]), digits[0], *column[2])
        for column in columns
    )


def _is_difference(
    ends: tuple[float, float], digits: int, difference: float, difference_digits: int
) -> bool:
    printed = round(ends[1], digits) - round(ends[0], digits)
    return abs(round(printed, difference_digits)) == abs(round(difference, difference_digits))


def _find_digits(percent: float) -> int:
    """Return how many decimal places a percentage has; one more where it is small."""
    return 1 if 0 < abs(round(percent, 1)) < _FINE else 0


def say_change(unit: QuantityUnit, change: float) -> str:
    """Return a difference of two values, always with its sign: `+47 points`, `-0.120`."""
    if unit in PERCENT:
        return f"{_write_percent(change, sign=True)}{_NARROW}{_write_points(change)}"
    return write_number(change, _DIGITS.get(unit, 3), sign=True)


def say_size(unit: QuantityUnit, size: float) -> str:
    """Return how large a change is, without a sign: `2.9 points`."""
    return say_change(unit, abs(size)).removeprefix("+")


def say_interval(unit: QuantityUnit, low: float | None, high: float | None) -> str:
    """Return `35 % to 53 %` or `+20 to +38 points`; empty without an interval."""
    if low is None or high is None:
        return ""
    if unit is QuantityUnit.DIFFERENCE:
        ends = (_write_percent(end, sign=True) for end in (low, high))
        return f"{' to '.join(ends)}{_NARROW}points"
    return f"{say_value(unit, low)} to {say_value(unit, high)}"


def say_change_interval(unit: QuantityUnit, low: float | None, high: float | None) -> str:
    """Return `+20 to +38 points`; empty without an interval."""
    if unit in PERCENT:
        return say_interval(QuantityUnit.DIFFERENCE, low, high)
    if low is None or high is None:
        return ""
    return f"{say_change(unit, low)} to {say_change(unit, high)}"


def axis_label(unit: QuantityUnit, value: float) -> str:
    """Return a value as it stands at an axis, where the axis names the unit."""
    number = 100 * value if unit in PERCENT else value
    return f"{round(number, 9) + 0.0:g}".replace("-", _MINUS)


def axis_unit(unit: QuantityUnit) -> str:
    """Return the unit that an axis is marked in: `%`, `points` or nothing."""
    return {QuantityUnit.SHARE: "%", QuantityUnit.DIFFERENCE: "points"}.get(unit, "")


def neutral_words(unit: QuantityUnit, neutral: float) -> str:
    """Return what a quantity that is neutral says: `no difference`, `equally often`."""
    is_half = unit is QuantityUnit.SHARE and neutral == _HALF
    return "equally often" if is_half else "no difference"


def _write_percent(value: float, *, sign: bool = False, digits: int | None = None) -> str:
    if digits is not None:
        return write_number(100 * value, digits, sign=sign)
    return write_number(100 * value, _find_digits(100 * value), sign=sign).removesuffix(".0")


def _write_points(value: float) -> str:
    return "point" if abs(round(100 * value, 1)) == 1 else "points"


def write_number(value: float, digits: int = 3, sign: bool = False) -> str:
    """Return a number with a real minus sign; what rounds to nothing has none."""
    rounded = round(value, digits) + 0.0
    text = f"{abs(rounded):.{digits}f}"
    if rounded < 0:
        return _MINUS + text
    return f"+{text}" if sign and rounded > 0 else text


_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


def say_day(moment: datetime, zone: ZoneInfo) -> str:
    """Return `2 March 2026`, on one line."""
    local = moment.astimezone(zone)
    return f"{local.day}\N{NO-BREAK SPACE}{_MONTHS[local.month - 1]}\N{NO-BREAK SPACE}{local.year}"


def say_short_day(moment: datetime, zone: ZoneInfo) -> str:
    """Return `2 Mar`, on one line."""
    local = moment.astimezone(zone)
    return f"{local.day}\N{NO-BREAK SPACE}{_MONTHS[local.month - 1][:3]}"
