import math

import pytest
from scipy import stats

from monitor.stats.chance import chi_squared_tail, t95
from tests.cases import check_each


@check_each("degrees", range(1, 10))
@check_each("statistic", [0.0, 0.01, 1.0, 7.5, 60.0, 900.0])
def test_the_tail_of_chi_squared_is_that_of_scipy(statistic, degrees):
    expected = stats.chi2.sf(statistic, degrees)
    assert chi_squared_tail(statistic, degrees) == pytest.approx(expected, rel=1e-12)


@check_each("degrees", [1, 2, 3, 4, 10, 11, 79, 80, 199, 200, 201, 400, 5000])
def test_the_quantile_of_t_is_that_of_scipy(degrees):
    assert t95(degrees) == pytest.approx(stats.t.ppf(0.975, degrees), abs=3e-8)


def test_what_no_law_has_is_refused():
    for statistic, degrees in ((-1.0, 1), (math.nan, 1), (1.0, 0)):
        with pytest.raises(ValueError, match="degrees"):
            chi_squared_tail(statistic, degrees)
    with pytest.raises(ValueError, match="degree"):
        t95(0)
