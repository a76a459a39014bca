"""`python -m tests.example.pictures FOLDER OUTPUT`: pages of the example for README.md.

The weekly report of the week of the change as well, beside the folder of pictures.
"""

import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from zoneinfo import ZoneInfo

from playwright.sync_api import sync_playwright

from monitor.fetch import browser as chromium
from monitor.store.database import connect
from monitor.store.reports import run_report
from monitor.web.site.site_state import Access, EntryRule, Site
from tests.example.__main__ import say
from tests.web.site.conftest import HOSTS
from tests.web.site.opened import serving

SIZE = {"width": 1200, "height": 720}
#: The weekly report in README.md, and its picture.
WEEK = "2026-03-31"
REPORT, REPORT_SIZE = "weekly-report.png", {"width": 1000, "height": 820}
_MOVED = "FROM changes_current WHERE quantity = 'f_s' AND status = 'confirmed' AND cause = 'engine'"
#: {picture: (address, what finds its number)}.
PAGES = {
    "overview": ("/", "SELECT 0 AS n"),
    "series": ("/series/{}", f"SELECT MAX(series_id) AS n {_MOVED}"),
    "changes": ("/changes?status=confirmed", "SELECT 0 AS n"),
    "evidence": (
        "/evidence/{}",
        "SELECT MIN(attempt_id) AS n FROM answers WHERE class = 'feminine' AND target = 'cs'",
    ),
}


def weekly(folder: Path, place: Path) -> Path:
    """Return the weekly report, made as README.md says."""
    command = ["report", "weekly", "--until", WEEK, "--formats", "html", "--folder", str(place)]
    subprocess.run(
        [sys.executable, "-m", "monitor.cli", *command], check=True,
        env=os.environ | {"MONITOR_HOME": str(folder.resolve())},
    )  # fmt: skip
    [page] = place.glob("*.html")
    return page


def main(folder: Path, output: Path) -> None:
    """Take a picture of each page."""
    database = connect(f"sqlite:///{folder / 'monitor.db'}", folder / "bodies")
    with database.read() as connection:
        pages = {
            name: address.format(run_report.read_rows(connection, sql)[0]["n"])
            for name, (address, sql) in PAGES.items()
        }
    access = Access(EntryRule.LOCAL, HOSTS)
    site = Site(database, ZoneInfo("UTC"), access, lambda: datetime.now(UTC), folder)
    output.mkdir(parents=True, exist_ok=True)
    with serving(site) as address, sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=str(chromium.find_chromium()), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport=SIZE, color_scheme="light")
        for name, path in pages.items():
            page.goto(address + path)
            picture = page.screenshot(path=output / f"{name}.png")
            say(f"{output / name}.png: {len(picture) / 1e3:.0f} kB")
        with TemporaryDirectory() as place:
            page.set_viewport_size(REPORT_SIZE)
            page.goto(weekly(folder, Path(place)).as_uri())
            picture = page.screenshot(path=output.parent / REPORT)
        say(f"{output.parent / REPORT}: {len(picture) / 1e3:.0f} kB")
        browser.close()
    database.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
