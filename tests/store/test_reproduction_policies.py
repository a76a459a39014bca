"""What of every table is in a reproducibility package."""

from monitor.store.publish.reproduction import POLICIES, CopiedRows, OmittedRows, list_packed_tables
from monitor.store.schema import PEOPLE, metadata


def test_every_table_has_a_policy():
    assert POLICIES.keys() == metadata.tables.keys()


def test_columns_of_policies_are_those_of_their_tables():
    for name, policy in POLICIES.items():
        if isinstance(policy, CopiedRows):
            columns = {*policy.instead, *policy.fixed, *policy.withheld}
            assert columns <= set(metadata.tables[name].c.keys()), name


def test_nothing_about_people_is_packed_but_the_labels_that_are_asked_for():
    apart = [name for name in POLICIES if name.startswith(f"{PEOPLE}.")]
    assert apart
    assert all(isinstance(POLICIES[name], OmittedRows) for name in apart)


def test_what_a_row_names_is_in_a_table_before_it():
    packed = [table.name for table in list_packed_tables()]
    for n, table in enumerate(list_packed_tables()):
        named = {key.column.table.name for key in table.foreign_keys} - {table.name}
        assert not named & set(packed[n:]), table.name
