"""Whether the columns of a view hold what the data dictionary says."""

from datetime import datetime
from decimal import Decimal

from monitor.store.publish import data_dictionary
from tests.factories import rows

_PYTHON = {
    "text": str, "integer": int, "number": (int, float), "boolean": (bool, int), "json": object,
}  # fmt: skip


def holds(database, name):
    """Assert that a view has rows, with types and NULL as declared."""
    found = rows(database, f"SELECT * FROM {name}")
    assert found
    for column in data_dictionary.read_views()[name].columns:
        values = [row[column.name] for row in found]
        known = [one for one in values if one is not None]
        assert column.null or len(known) == len(values), column.name
        if column.type == "datetime":
            assert all(isinstance(one, datetime | str) for one in known), column.name
        else:
            kinds = _PYTHON[column.type]
            whole = [int(one) if isinstance(one, Decimal) else one for one in known]
            assert all(isinstance(one, kinds) for one in whole), column.name
