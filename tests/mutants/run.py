"""Run the tests on each mutant of the sample and say which of them nobody noticed.

    python -m tests.mutants.run                     50 mutants of each group, on this tree
    python -m tests.mutants.run --number 10         10 of each group
    python -m tests.mutants.run --tree ../other     the tests and modules of another tree

The tree is copied first; the copy is what is changed. A mutant is noticed when a test fails, or
when its tests take more than five minutes of processor time, or half an hour.
"""

import argparse
import ast
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from tests.mutants.draw import GROUPS, Mutant, draw, functions

ROOT = Path(__file__).parents[2]
#: Seconds of processor time of the tests of a mutant, and the most files that import its module.
LIMIT, FILES = 300, 6
#: Seconds after which tests that wait for something that never comes are ended.
LONGEST = 1800
LEFT_OUT = shutil.ignore_patterns(".venv", ".git", "__pycache__", ".*_cache", "out", ".hypothesis")
KILLED, SURVIVED = "killed", "survived"
#: What pytest returns when all passed, and when a test failed or a module could not be imported.
PASSED, NOTICED = 0, (1, 2)


def apply(mutant: Mutant, source: str) -> str:
    """Return the module with the fault."""
    lines = source.splitlines(keepends=True)
    for name, function in functions(ast.parse(source)):
        if name != mutant.function:
            continue
        at = [
            number
            for number in range(function.lineno - 1, function.end_lineno or 0)
            if lines[number].strip() == mutant.old
        ]
        if len(at) > mutant.nth:
            line = at[mutant.nth]
            lines[line] = lines[line].replace(mutant.old, mutant.new, 1)
            return "".join(lines)
    raise LookupError(mutant)


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))


def find_imports(tree: Path, pattern: str) -> dict[str, list[str]]:
    """Return the files that import each module, short files first, by the module's name."""
    importers: dict[str, list[str]] = defaultdict(list)
    for path in sorted(tree.glob(pattern), key=lambda path: path.stat().st_size):
        names = set()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.ImportFrom(module=str(module)):
                    names |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
                case ast.Import():
                    names |= {alias.name for alias in node.names}
        for name in names:
            importers[name].append(path.relative_to(tree).as_posix())
    return importers


def find_tests(tree: Path) -> Callable[[Mutant], list[str]]:
    """Return a function from a mutant to its tests.

    They are tests that have the name of its module or import it, then those that import a module
    which does, and the tests of its group. Files that name its function come first, then short
    ones.
    """
    tested, used = find_imports(tree, "tests/**/test_*.py"), find_imports(tree, "monitor/**/*.py")

    def tests_of(mutant: Mutant) -> list[str]:
        name = module_name(mutant.file)
        pattern = f"tests/**/test_{name.rpartition('.')[2].strip('_')}*.py"
        named = sorted(path.relative_to(tree).as_posix() for path in tree.glob(pattern))
        by_users = [test for file in used[name] for test in tested[module_name(file)]]
        tests = list(dict.fromkeys(named + tested[name] + by_users))
        function = mutant.function.rpartition(".")[2]
        tests.sort(key=lambda test: function not in (tree / test).read_text("utf-8"))
        return list(dict.fromkeys(tests[:FILES] + GROUPS[mutant.group][1]))

    return tests_of


def module_name(file: str) -> str:
    """Return the name by which the module of a file is imported."""
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def outcome(tree: Path, mutant: Mutant, tests: list[str]) -> str:
    """Return what the tests say of a mutant: killed or survived."""
    module = tree / mutant.file
    source = module.read_text("utf-8")
    changed = apply(mutant, source)
    assert tests, f"no tests for {mutant.file}"
    module.write_text(changed, "utf-8")
    try:
        ended = subprocess.run(
            [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider",
             "--hypothesis-seed=1", *tests],
            cwd=tree,
            env={**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": ""},
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=_limited,
            timeout=LONGEST,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return KILLED
    finally:
        module.write_text(source, "utf-8")
    if ended.returncode == PASSED:
        return SURVIVED
    if ended.returncode in NOTICED or ended.returncode < 0:
        return KILLED
    raise RuntimeError(f"pytest ended with {ended.returncode}: {ended.stdout}{ended.stderr}")


def say(text: str) -> None:
    """Print at once: a run takes long."""
    print(text, flush=True)  # noqa: T201 - a command


def main() -> None:
    """Run the sample and print what survived and the share that was killed in each group."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tree", type=Path, default=ROOT)
    parser.add_argument("--number", type=int, default=50, help="of each group")
    parser.add_argument("--output", type=Path, help="a file for one line of JSON for each mutant")
    options = parser.parse_args()
    counts: Counter[tuple[str, str]] = Counter()
    with tempfile.TemporaryDirectory() as place:
        tree = Path(place) / "tree"
        shutil.copytree(options.tree, tree, ignore=LEFT_OUT, symlinks=True)
        tests_of = find_tests(tree)
        for mutant in [one for group in GROUPS for one in draw(tree, group, options.number)]:
            before = time.monotonic()
            result = outcome(tree, mutant, tests_of(mutant))
            counts[mutant.group, result] += 1
            if options.output:
                seconds = round(time.monotonic() - before, 1)
                row = {**asdict(mutant), "result": result, "seconds": seconds}
                with options.output.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")
            if result != KILLED:
                say(f"{result}: {mutant.file} {mutant.function}")
                say(f"    - {mutant.old}\n    + {mutant.new}")
    for group in (*GROUPS, None):
        killed, survived = (
            sum(n for (of, result), n in counts.items() if result == wanted and group in (of, None))
            for wanted in (KILLED, SURVIVED)
        )
        if killed + survived:
            share = killed / (killed + survived)
            say(f"{group or 'all'}: {killed} of {killed + survived} killed ({share:.1%})")


if __name__ == "__main__":
    main()
