"""Ten kills (-9) of a run on each database: no answer is lost, none is there twice, all ends well.

Two hundred are in `make soak`. The rows that are expected are `killing.EXPECTED`.
"""

from collections import Counter

import pytest

from tests.conftest import copy_sqlite
from tests.faults import killing
from tests.faults.doomed import DERIVING, PLANNING, STORING
from tests.faults.killing import EXPECTED, Installation, strokes, struck, wrong

KILLS = 10
WORKERS = {"sqlite": ("daemon",), "postgresql": ("daemon", "worker-1", "worker-2")}


@pytest.fixture(scope="module")
def addresses():
    with killing.services() as found:
        yield found


@pytest.fixture(scope="module")
def undisturbed(addresses, sqlite_template, tmp_path_factory):
    """The points of a run that nobody disturbs."""
    home = tmp_path_factory.mktemp("undisturbed")
    copy_sqlite(sqlite_template, home / "monitor.db")
    here = Installation(f"sqlite:///{home / 'monitor.db'}", home, addresses)
    try:
        assert struck(here, []) == []
        assert here.left() == EXPECTED
        assert here.times_asked() == killing.QUESTIONS
        points = here.points()
        assert len(points) == 2 * (16 + 2) * 3 + 8
        return points
    finally:
        here.close()


@pytest.mark.both_databases
def test_ten_kills_lose_nothing_and_double_nothing(
    dialect, database_url, tmp_path, addresses, undisturbed
):
    roles = WORKERS[dialect]
    here = Installation(database_url, tmp_path, addresses, roles)
    try:
        kills = struck(here, strokes(f"{dialect} 1", KILLS, roles))
        assert wrong(here, kills, undisturbed) == []
    finally:
        here.close()
    assert len(kills) == KILLS
    phases = Counter(one.phase for one in kills)
    assert min(phases[PLANNING], phases["asking"], phases[STORING], phases[DERIVING]) >= 1
