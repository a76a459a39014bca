"""An archive with history for people who want to look around: `make example`.

Runs of the real pipeline over 24 weeks, under a clock that is set: real job files, HTTP, pages
in a Chromium, parsers, comparisons, findings and reports. What the systems answer is invented, and
says so in every label and every answer.
"""

import os
from unittest.mock import patch

from monitor import settings

WORDS = """\
This archive is an example. All systems, answers, people and dates in it are invented, by the
program in tests/example of monitor; no number of it says anything about a real system.
"""


def make(folder, size, say=lambda _line: None):
    """Make the archive in an empty folder."""
    from tests.example import overviews, systems, weeks

    folder.mkdir(parents=True)
    (folder / "EXAMPLE").write_text(WORDS, encoding="utf-8")
    home = {"MONITOR_HOME": str(folder.resolve()), "SERPAPI_KEY": overviews.KEY}
    # stand-ins of Wikidata need no rest between questions
    at_once = patch("monitor.pipeline.collect.lookups._PACE", 1000.0)
    with patch.dict(os.environ, home), at_once, systems.opened() as (world, url):
        settings.load.cache_clear()
        made = weeks.Weeks(folder.resolve(), size, world, url)
        try:
            made.make(say)
        finally:
            made.close()
            settings.load.cache_clear()
