"""A real Chromium for tests: without one they are skipped, or fail where it is required."""

import os

import pytest

from monitor.fetch import browser
from monitor.model import MissingPart


def required(*, headed=False):
    """Path of the browser that tests open pages in; with a window its display has to be here."""
    try:
        if headed:
            browser.find_xvfb()
        return browser.find_chromium(headed=headed)
    except MissingPart as missing:
        if os.environ.get("MONITOR_REQUIRE_BROWSER"):
            pytest.fail(str(missing))
        pytest.skip(str(missing))
