"""Values of quantities as people read them: shares in percent, differences of shares in points.

JSON, CSV and SQL keep plain fractions; these are for sentences, charts and tiles.
"""

from monitor.model import Meaning, QuantityUnit

_MINUS = "\N{MINUS SIGN}"
_NARROW = "\N{NO-BREAK SPACE}"
#: A percentage below this has one decimal place, as has a change of so few points.
_FINE = 10.0
_HALF = 0.5
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


def say_value(unit: QuantityUnit, value: float) -> str:
    """Return `44 %`, `+41 points`, `+1.23` or `0.843`, whichever the unit asks for."""
    return _write_value(unit, value)


def _write_value(unit: QuantityUnit, value: float, *, is_fine: bool = False) -> str:
    if unit is QuantityUnit.SHARE:
        return f"{_write_percent(value, is_fine=is_fine)}{_NARROW}%"
    if unit is QuantityUnit.DIFFERENCE:
        percent = _write_percent(value, sign=True, is_fine=is_fine)
        return f"{percent}{_NARROW}{_write_points(value)}"
    return _write_fixed(value, _DIGITS.get(unit, 3), sign=unit is QuantityUnit.LOG_ODDS)


def say_values(unit: QuantityUnit, before: float | None, after: float | None) -> tuple[str, str]:
    """Return two values with as many digits as their difference has; empty for None."""
    if before is None or after is None or unit not in PERCENT:
        first, second = ("" if end is None else say_value(unit, end) for end in (before, after))
        return first, second
    is_fine = 0 < abs(round(100 * (after - before), 1)) < _FINE
    first, second = (_write_value(unit, end, is_fine=is_fine) for end in (before, after))
    return first, second


def say_change(unit: QuantityUnit, change: float) -> str:
    """Return a difference of two values, always with its sign: `+47 points`, `-0.120`."""
    if unit in PERCENT:
        return f"{_write_percent(change, sign=True)}{_NARROW}{_write_points(change)}"
    return _write_fixed(change, _DIGITS.get(unit, 3), sign=True)


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


def _write_percent(value: float, *, sign: bool = False, is_fine: bool = False) -> str:
    hundredfold = 100 * value
    is_fine = is_fine or 0 < abs(round(hundredfold, 1)) < _FINE
    return _write_fixed(hundredfold, 1 if is_fine else 0, sign=sign).removesuffix(".0")


def _write_points(value: float) -> str:
    return "point" if abs(round(100 * value, 1)) == 1 else "points"


def _write_fixed(value: float, digits: int, *, sign: bool = False) -> str:
    rounded = round(value, digits) + 0.0
    text = f"{abs(rounded):.{digits}f}"
    if rounded < 0:
        return _MINUS + text
    return f"+{text}" if sign and rounded > 0 else text
