"""What a config may hold."""

import math

import pytest

from monitor import parameters
from monitor.model import Parameter

DECLARED = (
    Parameter("free", "any number", float),
    Parameter("bound", "a share", float, low=0, high=1),
    Parameter("count", "how many", int, low=1),
    Parameter("flag", "whether", bool),
    Parameter("word", "a text", choices=("a", "b")),
)


@pytest.mark.parametrize("name", ["free", "bound"])
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, True, "1", None])
def test_what_is_no_number_is_refused(name, value):
    assert parameters.fault(DECLARED, {name: value}).startswith(f"config: {name} = {value!r}")


@pytest.mark.parametrize(
    "config", [{"free": -2.5}, {"free": 10**400}, {"bound": 1}, {"count": 10**400}, {"flag": False}]
)
def test_what_fits_is_taken(config):
    assert parameters.fault(DECLARED, config) == ""


@pytest.mark.parametrize("config", [{"count": 0}, {"count": True}, {"flag": 1}, {"word": "c"}])
def test_what_does_not_fit_is_named(config):
    [name] = config
    assert f"config: {name} = " in parameters.fault(DECLARED, config)
