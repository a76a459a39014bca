"""Tables of cases in one test: every case runs, and all that fail are named together."""

import functools
import inspect
from collections.abc import Iterable, Sequence

import pytest


class CasesFailed(AssertionError):
    """Cases of a table that failed, each with its values and what was wrong."""


def _names(names: str | Sequence[str]) -> tuple[str, ...]:
    if isinstance(names, str):
        return tuple(name.strip() for name in names.split(","))
    return tuple(names)


def _rows(names: tuple[str, ...], cases: Iterable) -> list[tuple]:
    rows = []
    for case in cases:
        if hasattr(case, "marks"):
            assert not case.marks, f"a case of a table has no marks of its own: {case}"
            rows.append(tuple(case.values))
        else:
            rows.append((case,) if len(names) == 1 else tuple(case))
    assert rows, "a table without cases tests nothing"
    for row in rows:
        assert len(row) == len(names), f"{names}: {row}"
    return rows


def check_each(names: str | Sequence[str], cases: Iterable):
    """Call the test once for each case, as `pytest.mark.parametrize` does, but in one node.

    Fixtures are set up once for all cases. Use it where a case costs less than a node, and where
    no case changes what the next one gets.
    """
    names = _names(names)
    rows = _rows(names, cases)

    def decorate(test):
        signature = inspect.signature(test)
        assert set(names) <= set(signature.parameters), f"{test.__name__} does not take {names}"

        @functools.wraps(test)
        def run_all(*args, **fixtures):
            failures, skipped = [], []
            for row in rows:
                values = dict(zip(names, row, strict=True))
                try:
                    test(*args, **fixtures, **values)
                except pytest.skip.Exception as skip:
                    skipped.append(str(skip))
                except (Exception, pytest.fail.Exception) as failure:  # noqa: BLE001 - all are told
                    failures.append((values, failure))
            if failures:
                raise _told(failures, len(rows)) from failures[0][1]
            if skipped:
                pytest.skip(f"{len(skipped)} of {len(rows)} cases: {skipped[0]}")

        run_all.__signature__ = signature.replace(
            parameters=[p for name, p in signature.parameters.items() if name not in names]
        )
        return run_all

    return decorate


def _told(failures: list[tuple[dict, BaseException]], total: int) -> CasesFailed:
    lines = [f"{len(failures)} of {total} cases failed; the traceback is that of the first"]
    for values, failure in failures:
        shown = ", ".join(f"{name}={value!r}" for name, value in values.items())
        reason = str(failure).strip().splitlines()[:3]
        lines.append(f"- {shown[:300]}: {type(failure).__name__}: {' / '.join(reason)[:300]}")
    return CasesFailed("\n".join(lines))
