"""Compare what two versions of the code show of the same archive.

    python bench/outputs.py take ARCHIVE FOLDER      write every output of this code into FOLDER
    python bench/outputs.py compare BEFORE AFTER     print what differs between two such folders

ARCHIVE is a folder with `monitor.db` (`python -m tests.example DIR` makes one); it is copied.
The outputs: each SQL view as CSV; commands with their `--json`, if they have one; every page of the
site that links reach, as text; what the API answers; run, weekly and claim reports; a release; and
what `monitor reproduce` says of a package. Times of writing, digests of code and versions of the
package are masked. `compare` ends with exit code 1 where a value of a view, a CSV file or JSON
differs; texts of pages and terminals are listed as changed, for somebody to read.
"""

import argparse
import csv
import difflib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import datetime
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin, urlsplit
from zoneinfo import ZoneInfo

import httpx

sys.path.insert(0, str(Path(__file__).parent.parent))

from monitor.store.database import connect
from monitor.web.site.site_state import Access, EntryRule, Site
from tests.web.site.opened import serving

HOSTS = frozenset({"localhost", "127.0.0.1"})
MOST_PAGES, SHOWN = 250, 3
#: Keys of JSON whose values differ from one minute, machine or version to the next.
VOLATILE = re.compile(
    r"version|generated|written|made_at|digest|sha256|code|platform|seconds|commit|created|pid|host"
)
TIMES = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)?|[0-9a-f]{40,64}")
COMMANDS = {
    "status": "status --json", "runs": "runs list --json", "series": "series list --json",
    "changes": "series changes --json", "engines": "engines list", "measures": "measures list",
    "languages": "languages list", "references": "references list", "lists": "lists list",
    "audits": "audit list", "verify": "evidence verify",
}  # fmt: skip


# --- taking ---------------------------------------------------------------------------------------


def take(archive: Path, folder: Path) -> None:
    """Write the outputs of this code about a copy of `archive` into `folder`."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as place:
        home = Path(place) / "archive"
        shutil.copytree(archive, home)
        monitor(home, folder / "upgrade.txt", "db upgrade")
        take_views(home, folder)
        take_commands(home, folder)
        take_pages(home, folder)


def take_views(home: Path, folder: Path) -> None:
    """Write each view as CSV, its rows in order."""
    connection = sqlite3.connect(home / "monitor.db")
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'view' ORDER BY name")
    for (name,) in names.fetchall():
        cursor = connection.execute(f'SELECT * FROM "{name}"')  # noqa: S608 - its own name
        with (folder / f"view_{name}.csv").open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(column[0] for column in cursor.description)
            writer.writerows(sorted([repr(value) for value in row] for row in cursor))
    connection.close()


def take_commands(home: Path, folder: Path) -> None:
    """Run the commands that read; reports and packages are written beside their outputs."""
    for name, words in COMMANDS.items():
        monitor(home, folder / f"command_{name}.txt", words)
    connection = sqlite3.connect(home / "monitor.db")
    runs = [run for (run,) in connection.execute("SELECT MAX(id) FROM runs GROUP BY job_id")]
    days = [
        day for (day,) in connection.execute("SELECT DISTINCT date(due_at) FROM runs ORDER BY 1")
    ]
    changes = connection.execute("SELECT change_id, series_id FROM changes_current").fetchall()
    connection.close()
    for run in runs:
        words = f"report --run {run} --json --output {folder}/run_{run}.html"
        monitor(home, folder / f"run_{run}.json", words)
    for day in days[-10::3]:
        words = f"report weekly --until {day} --formats html,json --folder {folder}/weekly_{day}"
        monitor(home, folder / f"weekly_{day}.txt", words)
    for change, _series in changes[:12]:
        monitor(home, folder / f"claim_{change}.txt", f"series claim {change}")
    for series in sorted({series for _change, series in changes})[:12]:
        monitor(home, folder / f"series_{series}.json", f"series show {series} --json")
    monitor(home, folder / "release.txt", f"export release --csv-only {folder}/release")
    package = home.parent / "package"
    monitor(home, folder / "package.txt", f"export reproduction --full --until {days[3]} {package}")
    monitor(home, folder / "reproduce.txt", f"reproduce {package}")


def monitor(home: Path, output: Path, words: str) -> None:
    """Run a command about the archive at `home`; keep its output and its exit code."""
    environment = {
        **os.environ, "MONITOR_HOME": str(home), "COLUMNS": "100",
        "MONITOR_DATABASE": f"sqlite:///{home / 'monitor.db'}",
        "PYTHONPATH": str(Path(__file__).parent.parent),
    }  # fmt: skip
    command = [sys.executable, "-m", "monitor.cli", *words.split()]
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, cwd=home, check=False
    )
    trouble = "" if output.suffix == ".json" else done.stderr + f"\nexit code {done.returncode}\n"
    said = done.stdout + trouble
    output.write_text(said.replace(str(home.parent), "PLACE").replace(str(output.parent), "OUT"))


def take_pages(home: Path, folder: Path) -> None:
    """Write each page that links of the site reach, as text, and what the API says of it."""
    database = connect(f"sqlite:///{home / 'monitor.db'}", home / "bodies")
    with database.read() as connection:
        now = datetime.fromisoformat(
            str(connection.exec_driver_sql("SELECT MAX(due_at) FROM runs").scalar())
        ).replace(tzinfo=ZoneInfo("UTC"))
    site = Site(database, ZoneInfo("UTC"), Access(EntryRule.LOCAL, HOSTS), lambda: now, home)
    (folder / "pages").mkdir()
    with serving(site) as address:
        open_, shapes, at = ["/"], {}, 0
        while at < len(open_) and at < MOST_PAGES:
            path = open_[at]
            at += 1
            status, kind, body = get(address + path)
            name = re.sub(r"[^\w=&.-]+", "_", path).strip("_")[:150] or "overview"
            if "html" not in kind:
                continue
            page = Page()
            page.feed(body)
            (folder / "pages" / f"{name}.txt").write_text(f"{status}\n" + page.text())
            _status, kind, body = get(f"{address}/api/v1{path}")
            if "json" in kind:
                (folder / "pages" / f"{name}.json").write_text(body)
            for link in page.links:
                target = urlsplit(urljoin(address + path, link))
                wanted = target.path + (f"?{target.query}" if target.query else "")
                shape = re.sub(r"\d+", "N", wanted)
                if target.netloc != urlsplit(address).netloc or wanted in open_:
                    continue
                shapes[shape] = shapes.get(shape, 0) + 1
                if shapes[shape] <= SHOWN:
                    open_.append(wanted)
    database.close()


def get(url: str) -> tuple[int, str, str]:
    """Return (status, content type, text) of an address."""
    answer = httpx.get(url, timeout=60, follow_redirects=True)
    return answer.status_code, answer.headers.get("Content-Type", ""), answer.text


class Page(HTMLParser):
    """The text and the links of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self._words: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Keep a link; leave out what is not read."""
        self._hidden += tag in ("script", "style")
        for name, value in attributes:
            if tag == "a" and name == "href" and value:
                self.links.append(value)

    def handle_endtag(self, tag: str) -> None:
        """Read on after a script."""
        self._hidden -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        """Keep the words."""
        if not self._hidden and data.strip():
            self._words.append(" ".join(data.split()))

    def text(self) -> str:
        """Return a line for each piece of text."""
        return "\n".join(self._words)


# --- comparing ------------------------------------------------------------------------------------


def compare(before: Path, after: Path) -> int:
    """Print what differs; return how many files have other values."""
    names = sorted({
        path.relative_to(folder).as_posix()
        for folder in (before, after) for path in folder.rglob("*") if path.is_file()
    })  # fmt: skip
    other, read = 0, 0
    for name in names:
        old, new = before / name, after / name
        if not old.exists() or not new.exists():
            print(f"{name}: only {'after' if new.exists() else 'before'}")
            other += Path(name).suffix in (".json", ".csv")
            continue
        differences = list(differing(old, new))
        if not differences:
            continue
        if Path(name).suffix in (".json", ".csv"):
            other += 1
        else:
            read += 1
        print(f"{name}: {len(differences)} differences")
        for line in differences[:SHOWN]:
            print(f"    {line[:300]}")
    print(f"{len(names)} files; {other} with other values; {read} with other texts")
    return other


def differing(old: Path, new: Path) -> Iterator[str]:
    """Yield the differences of two files."""
    if old.suffix in (".png", ".parquet", ".pdf", ".html", ".gz", ".zip"):
        return
    if old.suffix == ".json":
        try:
            pair = [json.loads(path.read_text()) for path in (old, new)]
        except ValueError:
            pair = None
        if pair is not None:
            yield from differing_values("", *pair)
            return
    lines = [TIMES.sub("*", path.read_text(errors="replace")).splitlines() for path in (old, new)]
    for line in difflib.unified_diff(*lines, lineterm="", n=0):
        if line[:1] in "+-" and line[:3] not in ("+++", "---"):
            yield line


def differing_values(place: str, old: object, new: object) -> Iterator[str]:
    """Yield where two values of JSON differ, without what differs from one minute to the next."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(key for key in new if key not in old)]:
            if VOLATILE.search(str(key)):
                continue
            if key not in old or key not in new:
                yield f"{place}.{key}: only {'after' if key in new else 'before'}"
            else:
                yield from differing_values(f"{place}.{key}", old[key], new[key])
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for at, pair in enumerate(zip(old, new, strict=True)):
            yield from differing_values(f"{place}[{at}]", *pair)
    elif TIMES.sub("*", json.dumps(old)) != TIMES.sub("*", json.dumps(new)):
        yield f"{place}: {json.dumps(old)[:120]} -> {json.dumps(new)[:120]}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("action", choices=["take", "compare"])
    parser.add_argument("first", type=Path)
    parser.add_argument("second", type=Path)
    given = parser.parse_args()
    if given.action == "take":
        take(given.first, given.second)
    else:
        sys.exit(bool(compare(given.first, given.second)))
