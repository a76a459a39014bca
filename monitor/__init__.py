"""Ask live engines the same questions, keep the evidence, measure gender bias as time series."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from monitor.bulk import gender

__version__ = "0.2.0"
__all__ = ["__version__", "gender", "open"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - what the name stands for
    """`monitor.gender` and `monitor.open`, loaded on first use: `import monitor` stays light."""
    if name == "gender":
        from monitor.bulk import gender  # noqa: PLC0415 - see above

        return gender
    if name == "open":
        # by its name: everything below the archive imports this module
        return import_module("monitor.archive").open
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
