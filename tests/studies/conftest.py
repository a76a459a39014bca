"""A language whose answers are plain to see, and small tables."""

import pytest

from tests.studies import small_gest


@pytest.fixture
def plain():
    return small_gest.language


@pytest.fixture
def write():
    return small_gest.write
