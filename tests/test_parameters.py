"""What a config may hold."""

import math

from monitor import parameters
from monitor.model import Parameter
from tests.cases import check_each

DECLARED = (
    Parameter("free", "any number", float),
    Parameter("bound", "a share", float, low=0, high=1),
    Parameter("count", "how many", int, low=1),
    Parameter("flag", "whether", bool),
    Parameter("word", "a text", choices=("a", "b")),
)


@check_each("name", ["free", "bound"])
@check_each("value", [math.nan, math.inf, -math.inf, True, "1", None])
def test_what_is_no_number_is_refused(name, value):
    assert parameters.find_fault(DECLARED, {name: value}).startswith(f"config: {name} = {value!r}")


@check_each(
    "config", [{"free": -2.5}, {"free": 10**400}, {"bound": 1}, {"count": 10**400}, {"flag": False}]
)
def test_what_fits_is_taken(config):
    assert parameters.find_fault(DECLARED, config) == ""


@check_each("config", [{"count": 0}, {"count": True}, {"flag": 1}, {"word": "c"}])
def test_what_does_not_fit_is_named(config):
    [name] = config
    assert f"config: {name} = " in parameters.find_fault(DECLARED, config)
