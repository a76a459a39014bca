"""Finds the Chromium that pages are opened in: a setting, Playwright's own, or the system's."""

import importlib.util
import json
import os
import shutil
from pathlib import Path

from monitor.model import MissingPart

_HEADLESS_ONLY = ("chromium-headless-shell",)
_FULL = ("chromium", "chromium-browser", "google-chrome")
#: Playwright's name of a build, and what its executable is called there.
_OWN_HEADLESS = ("chromium-headless-shell", ("headless_shell", "chrome-headless-shell"))
_OWN_FULL = ("chromium", ("chrome", "Chromium", "Google Chrome for Testing"))


def find(setting: str = "", *, headed: bool = False) -> Path:
    """The executable to start. `setting` is what MONITOR_CHROMIUM says, or empty.

    A headless shell has no window, so that only a full browser will do for `headed`. Raises
    MissingPart.
    """
    if setting:
        return _named(setting, headed=headed)
    found = _playwrights(headed=headed) or _systems(headed=headed)
    if found is None:
        what, package = (
            ("a full Chromium", "chromium xvfb")
            if headed
            else ("Chromium", "chromium-headless-shell")
        )
        raise MissingPart(
            f"result pages need {what}, and there is none: apt-get install {package}, or name one "
            "in MONITOR_CHROMIUM"
        )
    return found


def find_xvfb() -> Path:
    """The X server without a screen that browsers with a window run in. Raises MissingPart."""
    found = shutil.which("Xvfb")
    if found is None:
        raise MissingPart("a browser with a window needs Xvfb: apt-get install xvfb")
    return Path(found)


def _named(setting: str, *, headed: bool) -> Path:
    path = shutil.which(setting)  # a path with a slash is taken as it is
    if path is None:
        raise MissingPart(f"MONITOR_CHROMIUM={setting!r} is no program that can be started")
    if headed and any("headless" in name for name in (Path(path).name, Path(path).resolve().name)):
        raise MissingPart(
            f"MONITOR_CHROMIUM={setting!r} is a browser without a window, and this engine needs "
            "one with: apt-get install chromium xvfb, and name that"
        )
    return Path(path)


def _systems(*, headed: bool) -> Path | None:
    names = _FULL if headed else _HEADLESS_ONLY + _FULL
    found = next(filter(None, map(shutil.which, names)), None)
    return Path(found) if found else None


def _playwrights(*, headed: bool) -> Path | None:
    """The build that `playwright install` has put here, of the revision that Playwright wants.

    Asking Playwright itself would mean to start its driver.
    """
    spec = importlib.util.find_spec("playwright")
    if spec is None or spec.origin is None:
        return None
    package = Path(spec.origin).parent / "driver" / "package"
    folder = _folder(package)
    if not folder.is_dir():
        return None
    revisions = _revisions(package / "browsers.json")
    for build, executables in (_OWN_FULL,) if headed else (_OWN_HEADLESS, _OWN_FULL):
        place = folder / f"{build.replace('-', '_')}-{revisions.get(build, '')}"
        for name in executables:
            for path in sorted(place.glob(f"**/{name}")):
                if path.is_file() and os.access(path, os.X_OK):
                    return path
    return None


def _folder(package: Path) -> Path:
    chosen = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", "")
    if chosen == "0":  # beside the driver
        return package / ".local-browsers"
    if chosen:
        return Path(chosen)
    cache = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(cache) if cache else Path.home() / ".cache") / "ms-playwright"


def _revisions(path: Path) -> dict[str, str]:
    """{build: revision}; empty where Playwright no longer says so there."""
    try:
        builds = json.loads(path.read_bytes())["browsers"]
        return {str(build["name"]): str(build["revision"]) for build in builds}
    except (OSError, ValueError, KeyError, TypeError):
        return {}
