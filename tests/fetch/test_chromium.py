"""Which browser is taken, and what is said where there is none."""

import json

import pytest

from monitor.fetch import browser
from monitor.fetch.browser import BrowserWay, find_executables
from monitor.model import InvalidInput, MissingPart, PageRequest, Region
from tests.cases import check_each

AUSTIN = Region(
    "us", "US", "en", "en-US", "America/Chicago", "en-US,en;q=0.9", 30.27, -97.74
)  # fmt: skip
HEADLESS = PageRequest("http://127.0.0.1/", AUSTIN)
HEADED = PageRequest("http://127.0.0.1/", AUSTIN, headed=True)


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """A machine without any browser; returns how to put programs there."""
    for folder in ("bin", "own", "elsewhere"):
        (tmp_path / folder).mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "own"))

    def put(name, mode=0o755):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n")
        path.chmod(mode)
        return path

    return put


def revision(name):
    import playwright

    folder = browser.Path(playwright.__file__).parent / "driver" / "package"
    builds = json.loads((folder / "browsers.json").read_text())["browsers"]
    return next(build["revision"] for build in builds if build["name"] == name)


def test_without_any_it_says_how_to_get_one(machine):
    with pytest.raises(MissingPart, match="apt-get install chromium-headless-shell"):
        browser.find_chromium()
    with pytest.raises(MissingPart, match=r"a full Chromium.*apt-get install chromium xvfb"):
        browser.find_chromium(headed=True)


def test_the_systems_in_their_order(machine):
    for name in ("google-chrome", "chromium-browser", "chromium", "chromium-headless-shell"):
        path = machine(f"bin/{name}")
        assert browser.find_chromium() == path
    assert browser.find_chromium(headed=True).name == "chromium"


def test_a_headless_shell_has_no_window(machine):
    machine("bin/chromium-headless-shell")
    with pytest.raises(MissingPart, match="a full Chromium"):
        browser.find_chromium(headed=True)


def test_playwrights_own_goes_before_the_systems(machine):
    machine("bin/chromium-headless-shell")
    full = f"own/chromium-{revision('chromium')}/chrome-linux64/chrome"
    path = machine(full)
    assert browser.find_chromium() == browser.find_chromium(headed=True) == path
    shell = "chromium-headless-shell"
    folder = f"own/chromium_headless_shell-{revision(shell)}/chrome-headless-shell-linux64"
    shell = machine(f"{folder}/chrome-headless-shell")
    assert browser.find_chromium() == shell
    assert browser.find_chromium(headed=True) == path


def test_playwrights_of_another_revision_is_not_taken(machine):
    machine("own/chromium-1/chrome-linux/chrome")
    with pytest.raises(MissingPart):
        browser.find_chromium()


def test_what_cannot_be_started_is_not_taken(machine):
    machine(f"own/chromium-{revision('chromium')}/chrome-linux/chrome", mode=0o644)
    machine("bin/chromium", mode=0o644)
    with pytest.raises(MissingPart):
        browser.find_chromium()


def test_the_setting_goes_first(machine):
    machine("bin/chromium-headless-shell")
    path = machine("elsewhere/browser")
    assert browser.find_chromium(str(path)) == path
    assert browser.find_chromium(str(path), headed=True) == path


def test_a_setting_that_leads_nowhere(machine):
    machine("bin/chromium")
    with pytest.raises(MissingPart, match="MONITOR_CHROMIUM='/nope/chromium'"):
        browser.find_chromium("/nope/chromium")


def test_a_setting_without_a_window(machine):
    path = machine("elsewhere/chrome-headless-shell")
    with pytest.raises(MissingPart, match="a browser without a window"):
        browser.find_chromium(str(path), headed=True)
    link = path.with_name("chromium")
    link.symlink_to(path)
    with pytest.raises(MissingPart, match="a browser without a window"):
        browser.find_chromium(str(link), headed=True)


def test_what_a_request_needs(machine):
    path = machine("elsewhere/chromium")
    find_executables(str(path), headed=False)
    with pytest.raises(MissingPart, match="apt-get install xvfb"):
        find_executables(str(path), headed=True)
    machine("bin/Xvfb")
    find_executables(str(path), headed=True)
    with pytest.raises(MissingPart, match="there is none"):
        find_executables("", headed=False)


def test_lists_of_revisions_that_say_something_else(tmp_path):
    path = tmp_path / "browsers.json"
    for content in (b"", b"[]", b'{"browsers": [{}]}', b'{"browsers": 1}', b"\xff"):
        path.write_bytes(content)
        assert browser._read_revisions(path) == {}


@check_each(
    ("url", "settings"),
    [
        ("", None),
        ("http://proxy.test:3128", {"server": "http://proxy.test:3128"}),
        ("socks5://[::1]:1080", {"server": "socks5://[::1]:1080"}),
        (
            "https://me:a%2Fb@proxy.test:1",
            {"server": "https://proxy.test:1", "username": "me", "password": "a/b"},
        ),
    ],
)
def test_proxies(url, settings):
    assert BrowserWay(proxy=url).proxy_settings == settings


@check_each(
    "url",
    ["proxy", "http://proxy.test", "ftp://p.test:1", "http://me:word@p.test:x", "http://[",
     "socks5://me:word@p.test:1"],
)  # fmt: skip
def test_proxies_that_cannot_be_used(url):
    with pytest.raises(InvalidInput, match="MONITOR_PROXY") as told:
        _ = BrowserWay(proxy=url).proxy_settings
    assert "word@" not in str(told.value)
