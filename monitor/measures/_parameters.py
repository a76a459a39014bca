"""Base class of measures, whose parameters are declared with the check of their values.

A measure is a frozen dataclass; its fields are its parameters: `floor: int = whole(10, 1)`.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import field, fields, replace
from typing import Any, ClassVar, Self

from monitor.model import Cue, InvalidInput, Json, Kind

#: From the names of a measure and a parameter and a value to the value that is kept.
Check = Callable[[str, str, object], object]


def checked(default: object, check: Check) -> Any:  # noqa: ANN401 - what dataclasses take as default
    """Return the field of a parameter whose values `check` accepts, or InvalidInput is raised."""
    return field(default=default, metadata={"check": check})


def whole(default: int | None, least: int, most: int | None = None) -> Any:  # noqa: ANN401
    """Return the field of a whole number in a range; None is a value where it is the default."""

    def check(measure: str, name: str, value: object) -> object:
        if value is None and default is None:
            return None
        fits = isinstance(value, int) and not isinstance(value, bool) and value >= least
        if not fits or (most is not None and isinstance(value, int) and value > most):
            allowed = f">= {least}" if most is None else f"from {least} to {most}"
            raise InvalidInput(
                f"{measure}: {name} is {value!r}; it must be a whole number {allowed}"
            )
        return value

    return checked(default, check)


def choice(default: str, choices: Collection[str]) -> Any:  # noqa: ANN401
    """Return the field of one of some names."""

    def check(measure: str, name: str, value: object) -> object:
        check_choice(measure, name, value, choices)
        return value

    return checked(default, check)


def check_choice(measure: str, name: str, value: object, choices: Collection[str]) -> None:
    """Raise InvalidInput unless `value` is one of `choices`."""
    if not isinstance(value, str) or value not in choices:
        raise InvalidInput(f"{measure}: {name} is {value!r}; it must be {' or '.join(choices)}")


def flag(*, default: bool) -> Any:  # noqa: ANN401
    """Return the field of a parameter that is true or false."""
    return checked(default, _check_flag)


def _check_flag(measure: str, name: str, value: object) -> object:
    if not isinstance(value, bool):
        raise InvalidInput(f"{measure}: {name} is {value!r}; it must be true or false")
    return value


def share(default: float) -> Any:  # noqa: ANN401
    """Return the field of a number from 0 to 1; 1 and 1.0 are one name."""
    return checked(default, lambda *given: float(check_share(*given)))


def check_share(measure: str, name: str, value: object) -> float:
    """Return a number from 0 to 1. Raises InvalidInput."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidInput(f"{measure}: {name} is {value!r}; it must be a number from 0 to 1")
    return value


class BaseMeasure:
    """Base of all measures: their parameters, and what most of them declare."""

    __slots__ = ()

    name: ClassVar[str]
    needs_reference: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Check every parameter. Raises InvalidInput."""
        measure: Any = self  # a dataclass
        for parameter in fields(measure):
            if check := parameter.metadata.get("check"):
                value = check(self.name, parameter.name, getattr(self, parameter.name))
                object.__setattr__(self, parameter.name, value)

    @property
    def parameters(self) -> Mapping[str, Json]:
        """Every parameter with its value."""
        measure: Any = self  # a dataclass
        values = {parameter.name: getattr(self, parameter.name) for parameter in fields(measure)}
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in values.items()
        }

    def configure(self, parameters: Mapping[str, Json]) -> Self:
        """Return a copy with these parameters. Raises InvalidInput."""
        known_parameters = self.parameters
        for name in parameters:
            if name not in known_parameters:
                known = ", ".join(known_parameters)
                raise InvalidInput(f"{self.name}: unknown parameter {name!r}; known: {known}")
        copy: Any = self
        changed: Self = replace(copy, **parameters)
        return changed


class SearchMeasure(BaseMeasure):
    """Base of measures of what ranked lists say."""

    __slots__ = ()

    kind: ClassVar[Kind] = Kind.SEARCH
    cues: ClassVar[frozenset[Cue]] = frozenset({Cue.TERMS, Cue.PEOPLE})
    tag: ClassVar[str] = ""
    resampling: ClassVar[str] = "queries"
