"""Run the tests on each mutant of the sample and say which of them nobody noticed.

    python -m tests.mutants.run                     all, on this tree
    python -m tests.mutants.run --every 2           every second one
    python -m tests.mutants.run --tree ../other     the tests and modules of another tree

The tree is copied first; the copy is what is changed. A mutant is noticed when a test fails, or
when its tests take more than two minutes of processor time.
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
import tomllib
from collections import Counter
from pathlib import Path

from tests.mutants.draw import Mutant, functions
from tests.mutants.groups import HERE, ROOT, groups

LIMIT = 120
LEFT_OUT = shutil.ignore_patterns(".venv", ".git", "__pycache__", ".*_cache", "out", ".hypothesis")
KILLED, SURVIVED, GONE = "killed", "survived", "line gone"
#: What pytest returns when all passed, and when a test failed or a module could not be imported.
PASSED, NOTICED = 0, (1, 2)


def apply(mutant: Mutant, source: str) -> str | None:
    """Return the module with the fault; None where its line is gone."""
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
    return None


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))


def outcome(tree: Path, mutant: Mutant, tests: list[str]) -> str:
    """Return what the tests say of a mutant: killed, survived or line gone."""
    module = tree / mutant.file
    if not module.exists():
        return GONE
    source = module.read_text("utf-8")
    changed = apply(mutant, source)
    if changed is None:
        return GONE
    files = [name.format(stem=module.stem) for name in tests]
    files = [name for name in files if not name.endswith(".py") or (tree / name).exists()]
    assert any(name.endswith(".py") for name in files), f"no tests for {mutant.file}"
    module.write_text(changed, "utf-8")
    try:
        ended = subprocess.run(
            [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider",
             "--hypothesis-seed=1", *files],
            cwd=tree,
            env={**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": ""},
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=_limited,
        )  # fmt: skip
    finally:
        module.write_text(source, "utf-8")
    if ended.returncode == PASSED:
        return SURVIVED
    if ended.returncode in NOTICED or ended.returncode < 0:
        return KILLED
    raise RuntimeError(f"pytest ended with {ended.returncode}: {ended.stdout}{ended.stderr}")


def _sample() -> list[Mutant]:
    table = tomllib.loads((HERE / "sample.toml").read_text("utf-8"))
    return [Mutant(**row) for row in table["mutant"]]


def say(text: str) -> None:
    """Print at once: a run takes long."""
    print(text, flush=True)  # noqa: T201 - a command


def main() -> None:
    """Run the sample and print what survived and the share that was killed in each group."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tree", type=Path, default=ROOT)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--output", type=Path, help="a file for one line of JSON for each mutant")
    options = parser.parse_args()
    by_name = {group.name: group for group in groups()}
    counts: Counter[tuple[str, str]] = Counter()
    with tempfile.TemporaryDirectory() as place:
        tree = Path(place) / "tree"
        shutil.copytree(options.tree, tree, ignore=LEFT_OUT, symlinks=True)
        for number, mutant in enumerate(_sample()[:: options.every]):
            before = time.monotonic()
            result = outcome(tree, mutant, by_name[mutant.group].tests_of(mutant.file))
            counts[mutant.group, result] += 1
            row = {
                "number": number, "result": result, "file": mutant.file,
                "function": mutant.function, "old": mutant.old, "new": mutant.new,
                "seconds": round(time.monotonic() - before, 1),
            }  # fmt: skip
            if options.output:
                with options.output.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")
            if result != KILLED:
                say(f"{result}: {mutant.file} {mutant.function}")
                say(f"    - {mutant.old}\n    + {mutant.new}")
    for group in by_name:
        killed, survived = counts[group, KILLED], counts[group, SURVIVED]
        if killed + survived:
            share = killed / (killed + survived)
            say(f"{group}: {killed} of {killed + survived} killed ({share:.0%})")
    killed = sum(n for (_, result), n in counts.items() if result == KILLED)
    total = killed + sum(n for (_, result), n in counts.items() if result == SURVIVED)
    gone = sum(n for (_, result), n in counts.items() if result == GONE)
    say(f"all: {killed} of {total} killed ({killed / total:.1%}); lines gone: {gone}")


if __name__ == "__main__":
    main()
