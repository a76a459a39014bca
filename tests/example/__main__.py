"""`python -m tests.example FOLDER`: make the example archive, and say what to look at."""

import argparse
import shutil
import sys
import time
from dataclasses import replace
from pathlib import Path

from monitor.fetch import browser
from monitor.model import MissingPart
from tests.example import make
from tests.example.files import FULL


def say(line: str) -> None:
    """Tell a person who waits."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main(folder: Path) -> None:
    """Make the archive anew; what an earlier call made is taken away."""
    if folder.exists() and not (folder / "EXAMPLE").exists() and any(folder.iterdir()):
        raise SystemExit(f"{folder}: holds something else than an example; name another folder")
    shutil.rmtree(folder, ignore_errors=True)
    began = time.monotonic()
    size = FULL
    try:
        browser.find_chromium()
    except MissingPart as missing:
        say(f"pages are asked without a browser, and have no pictures: {missing}")
        size = replace(FULL, browser=False)
    make(folder, size, say)
    total = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    say(f"{folder}: {total / 1e6:.0f} MB in {time.monotonic() - began:.0f} s; all of it invented")
    say(f"look around: export MONITOR_HOME={folder}; monitor series list (see README.md)")


if __name__ == "__main__":
    parser = argparse.ArgumentParser("python -m tests.example", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("out/example"))
    main(parser.parse_args().folder)
