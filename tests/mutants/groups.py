"""Groups of modules, and the tests that are to notice a fault in each."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent


@dataclass(frozen=True)
class Group:
    """Modules, and for each pattern of their paths the files of tests that are run."""

    name: str
    patterns: tuple[str, ...]
    tests: dict[str, list[str]]

    def modules(self) -> Iterator[Path]:
        """Yield the modules of this group."""
        for pattern in self.patterns:
            yield from sorted(ROOT.glob(pattern))

    def tests_of(self, file: str) -> list[str]:
        """Return the tests for a module: those of the first pattern that it fits."""
        for pattern, tests in self.tests.items():
            if Path(file).match(pattern):
                return tests
        raise LookupError(f"tests/mutants/tests.toml names no tests for {file}")


def groups() -> list[Group]:
    """Return the groups of `tests.toml`."""
    table = tomllib.loads((HERE / "tests.toml").read_text("utf-8"))
    return [Group(name, tuple(of["modules"]), of["tests"]) for name, of in table.items()]
