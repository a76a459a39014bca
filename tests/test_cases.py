"""A table of cases fails when any of its cases does, and names all that did."""

import pytest

from tests.cases import CasesFailed, check_each


def test_every_case_runs_and_all_that_fail_are_named():
    seen = []

    @check_each("left", [1, 2])
    @check_each(("right", "text"), [(10, "a"), pytest.param(20, "b", id="second"), (30, "c")])
    def table(left, right, text):
        seen.append((left, right, text))
        assert right != 20
        if right == 30:
            pytest.fail("thirty")

    with pytest.raises(CasesFailed) as failed:
        table()
    assert seen == [(n, *row) for n in (1, 2) for row in ((10, "a"), (20, "b"), (30, "c"))]
    assert "2 of 2 cases failed" in str(failed.value)
    assert isinstance(failed.value.__cause__, CasesFailed)
    told = str(failed.value.__cause__)
    assert "2 of 3 cases failed" in told
    assert "right=20, text='b'" in told
    assert "thirty" in told


def test_a_skipped_case_hides_no_failure():
    def table(value):
        if value == 1:
            pytest.skip("not here")
        assert value != 3

    with pytest.raises(CasesFailed, match="value=3"):
        check_each("value", [1, 2, 3])(table)()
    with pytest.raises(pytest.skip.Exception, match="1 of 2 cases: not here"):
        check_each("value", [1, 2])(table)()


def test_a_table_without_cases_is_refused():
    with pytest.raises(AssertionError, match="without cases"):
        check_each("value", [])
