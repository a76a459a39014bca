"""Run every bench in its short form: `python bench/short.py [NAME ...]` (make bench-short).

A short bench takes seconds and its figures say nothing. What counts is that it ends: a bench that
nobody runs breaks when the code that it measures changes. Exit code 1 where one fails.
"""

import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).parent
#: Those that take longest, which are begun first.
LONG = ("run", "workers", "web", "detection")
#: The arguments of each bench; {data} is MONITOR_REFERENCE_DATA, {folder} an empty folder.
SHORT = {
    "agreement_coverage": "",
    "browser": "",
    "causes": "",
    "collect": "",
    "corpus": "--tokens 30000 --words 500",
    "corpus_coverage": "2 20",
    "coverage": "",
    "detection": "--years 1",
    "durable": "50",
    "entities": "{data}/winomt",
    "fairness": "--documents 200",
    "generate": "--items 32 --database {archive}",
    "gest_score": "{data}/gest --language sk",
    "gsr": "",
    "idle": "2 1",
    "lexicon": "--rows 3000 --dimensions 10",
    "many_answers": "make --runs 1 --later 1 --data {data}/gest --folder {folder}/many",
    "many_points": "--series 12 --ticks 3 --database {archive}",
    "nightly": "--series 48 --ticks 4 --questions 3 --rounds 1 --own 4 --folder {folder}/nightly",
    "outputs": "compare {folder} {folder}",
    "pages": "",
    "paired": "",
    "plan": "",
    "redo": "--answers 320 --data {data}/gest",
    "run": "",
    "web": "--database {filled} --users 2 --seconds 2 --think 0",
    "workers": "",
}


def archive(folder: Path, *, filled: bool) -> str:
    """Return the URL of a migrated database, with some series in it where `filled`."""
    place = folder / ("filled" if filled else "archive")
    place.mkdir(parents=True)
    url = f"sqlite:///{place / 'monitor.db'}"
    home = {"MONITOR_HOME": str(place), "MONITOR_DATABASE_URL": url}
    command = [sys.executable, "-m", "monitor.cli", "init", str(place)]
    subprocess.run(command, check=True, capture_output=True, env=os.environ | home)
    if filled:
        words = f"--series 12 --ticks 3 --items --comparisons --database {url}".split()
        run([sys.executable, str(HERE / "many_points.py"), *words])
    return url


def run(command: list[str]) -> None:
    """Run a command. Raises CalledProcessError with its output."""
    subprocess.run(
        command,
        check=True,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        env=os.environ | {"MONITOR_BENCH_SHORT": "1"},
    )


def words_of(name: str, folder: Path) -> list[str]:
    """Return the arguments of a bench, with what they name made."""
    words = SHORT[name]
    values = {"folder": str(folder), "data": os.environ.get("MONITOR_REFERENCE_DATA", "")}
    for key in ("archive", "filled"):
        if f"{{{key}}}" in words:
            values[key] = archive(folder, filled=key == "filled")
    return words.format(**values).split()


def ended(name: str) -> bool:
    """Run one bench, print how it ended, and return whether it ended well."""
    if "{data}" in SHORT[name] and not os.environ.get("MONITOR_REFERENCE_DATA"):
        print(f"{name:<20} not run: MONITOR_REFERENCE_DATA is not set", flush=True)
        return True
    started = time.monotonic()
    fault = ""
    with tempfile.TemporaryDirectory() as folder:
        try:
            run([sys.executable, str(HERE / f"{name}.py"), *words_of(name, Path(folder))])
        except subprocess.CalledProcessError as error:
            fault = f"FAILED with {error.returncode}\n{error.stdout}"
    print(f"{name:<20} {time.monotonic() - started:5.1f} s  {fault or 'ended'}", flush=True)
    return not fault


def main(chosen: list[str]) -> int:
    """Run the chosen benches, one a core, all where none is chosen. Return 1 where one fails."""
    benches = {path.stem for path in HERE.glob("[!_]*.py")} - {Path(__file__).stem}
    if unlisted := benches ^ SHORT.keys():
        print(f"bench/short.py and the folder differ: {', '.join(sorted(unlisted))}")
        return 1
    names = sorted(chosen or SHORT, key=lambda name: name not in LONG)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return int(not all(pool.map(ended, names)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
