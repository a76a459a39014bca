import numpy as np
import pytest

from monitor.stats.clustered import (
    INDEPENDENT,
    ClusterEffect,
    Crossed,
    cluster_effect,
    effective_size,
    mean_limits,
)
from monitor.stats.intervals import Z95
from tests.cases import check_each


def test_clusters_of_equal_answers_are_one_answer_each():
    """Four clusters of three in each of two strata, unanimous: correlation by hand."""
    cluster = np.repeat(np.arange(8), 3)
    strata = np.repeat([0, 1], 12)
    y = np.repeat([0.0, 1, 0, 1, 1, 1, 0, 1], 3)
    # first stratum: p = 1/2, cluster sums of residuals +-1.5: 4/3 * 9/144; independent 3/11/12
    # second: p = 3/4, sums .75, .75, -2.25, .75: 4/3 * 6.75/144; independent 2.25/11/12
    robust, alone = 4 / 3 * (9 + 6.75) / 144, (3 + 2.25) / 132
    effect = cluster_effect(y, strata, cluster)
    assert effect.degrees == 6
    assert effect.correlation == pytest.approx((robust - alone) / (alone * 2))
    # Student's t of 6 degrees
    expected = (2.446912 / Z95) ** 2 * (1 + 2 * effect.correlation)
    assert effect.inflation(cluster[:12]) == pytest.approx(expected, rel=1e-6)


@check_each("values", [[0.0, 1.0], [1.0, 1.0, 1.0], [0.0, 0.5, 1.0, 1.0]])
def test_units_that_are_clusters_of_their_own_are_independent(values):
    n = len(values)
    effect = cluster_effect(np.array(values), np.zeros(n, np.int64), np.arange(n))
    assert effect == INDEPENDENT
    assert effect.inflation(np.arange(n)) == 1.0


def test_clusters_never_make_an_interval_narrower():
    cluster = np.repeat(np.arange(10), 2)
    effect = cluster_effect(np.tile([0.0, 1.0], 10), np.zeros(20, np.int64), cluster)
    assert effect.correlation < 0
    assert effect.inflation(cluster) == 1.0


def test_one_cluster_tells_no_correlation():
    zeros = np.zeros(6, np.int64)
    assert cluster_effect(np.arange(6.0), zeros, zeros) == INDEPENDENT
    assert cluster_effect(np.zeros(0), zeros[:0], zeros[:0]) == INDEPENDENT
    assert ClusterEffect(0.5, 9).inflation(zeros[:0]) == 1.0


def test_the_correlation_is_found_again():
    """Beta-binomial clusters have one intraclass correlation, here .2."""
    rng = np.random.default_rng(1)
    cluster = np.repeat(np.arange(4000), 8)
    y = (rng.random(32_000) < rng.beta(2, 2, 4000)[cluster]).astype(float)
    effect = cluster_effect(y, np.repeat(np.arange(800), 40), cluster)
    assert effect.correlation == pytest.approx(0.2, abs=0.02)


def test_effective_size():
    c, n, one = np.full(4, 1 / 4), np.full(4, 11.0), np.ones(4)
    # equal shares: variance p (1 - p)/(4 * 10)
    assert effective_size(c, np.full(4, 0.3), n, one) == pytest.approx(40)
    assert effective_size(c, np.full(4, 0.3), n, 2 * one) == pytest.approx(20)
    # strata that differ tell more than one sample does
    assert effective_size(c, np.array([0.1, 0.1, 0.5, 0.5]), n, one) > 40
    # unanimous: as one sample, or half a trial the other way round in each
    assert effective_size(c, np.ones(4), n, one) == pytest.approx(44)
    half = 0.5 / 12
    expected = 0.25 / (half * (1 - half) / 11 / 4)
    assert effective_size(c, np.array([0.0, 0, 1, 1]), n, one) == pytest.approx(expected)


def test_the_limits_of_a_symmetric_mean_are_those_of_student():
    values, alone = np.array([1.0, 2, 3, 4, 5]), np.arange(5)
    half = 2.776445 * np.sqrt(2.5 / 5)
    limits = mean_limits(values, alone, -np.inf, np.inf)
    assert tuple(limits) == pytest.approx((3 - half, 3 + half), rel=1e-6)
    # copies of a cluster say nothing new
    copies = mean_limits(np.repeat(values, 3), np.repeat(alone, 3), -np.inf, np.inf)
    assert tuple(copies) == pytest.approx(tuple(limits))
    assert mean_limits(values, alone, 2.5, np.inf).low == 2.5


def test_a_skewed_mean_has_a_longer_limit_on_the_side_of_its_tail():
    values, alone = np.array([0.4, 0.9, 1, 1, 1, 1, 1, 1, 1, 1]), np.arange(10)
    limits = mean_limits(values, alone, 0.0, 1.0)
    mirrored = mean_limits(1 - values, alone, 0.0, 1.0)
    assert values.mean() - limits.low > 2 * (limits.high - values.mean()) > 0
    assert (1 - mirrored.high, 1 - mirrored.low) == pytest.approx(tuple(limits))


def test_equal_values_have_limits_where_something_bounds_them():
    ones, alone = np.ones(40), np.arange(40)
    limits = mean_limits(ones, alone, 0.0, 1.0)
    assert tuple(limits) == (pytest.approx(0.025 ** (1 / 40)), 1.0)
    assert tuple(mean_limits(ones, alone, -np.inf, np.inf)) == (1.0, 1.0)
    assert mean_limits(ones, np.zeros(40, np.int64), 0.0, 1.0) is None


def test_topics_and_templates_add_up():
    """Three topics in four templates: the variance of both sums less that of units, by hand."""
    topic, template = np.repeat(np.arange(3), 4), np.tile(np.arange(4), 3)
    y = np.array([1.0, 1, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0])
    model = y.reshape(3, 4).mean(axis=1)
    parts, terms = (model - y.mean()) / 3, (y - model[topic]) / 12
    topics = 3 / 2 * (parts**2).sum()
    templates = 4 / 3 * (terms.reshape(3, 4).sum(axis=0) ** 2).sum()
    alone = 4 / 3 * (terms**2).sum()
    assert templates > alone
    variance = topics + templates - alone
    assert int(variance**2 / (topics**2 / 2 + (templates - alone) ** 2 / 3)) >= 2
    limits = Crossed(topic, template).limits(0.5, parts, terms, 0.0)
    assert limits.high - 0.5 == pytest.approx(4.302653 * np.sqrt(variance), rel=1e-6)
    assert limits.low + limits.high == pytest.approx(1)
    wide = Crossed(topic, template).limits(0.5, parts, terms, 1.0)
    assert wide.high - 0.5 == pytest.approx(4.302653, rel=1e-6)
    # without templates, or with all of them different, topics alone count
    apart = Crossed(topic, np.arange(12)).limits(0.5, parts, terms, 0.0)
    assert apart.high - 0.5 == pytest.approx(4.302653 * np.sqrt(topics), rel=1e-6)


def test_two_templates_leave_one_degree_of_freedom():
    topic, template = np.repeat(np.arange(9), 2), np.tile(np.arange(2), 9)
    parts, terms = np.full(9, 0.001), np.where(template == 0, 0.1, -0.1)
    sums = 9 * 0.1
    variance = 9 / 8 * 9 * 0.001**2 + 2 * 2 * sums**2 - 18 * 0.1**2 * 2
    limits = Crossed(topic, template).limits(0.0, parts, terms, 0.0)
    assert limits.high == pytest.approx(12.7062 * np.sqrt(variance), rel=1e-4)


def test_the_inflation_of_topics_and_templates():
    topic, template = np.repeat(np.arange(6), 5), np.tile(np.arange(5), 6)
    assert Crossed(topic, template).inflation(np.ones(30)) == 1.0
    by_topic = Crossed(topic, template).inflation((topic % 2).astype(float))
    by_template = Crossed(topic, template).inflation((template % 2).astype(float))
    assert by_topic > 5
    assert by_template > 6
    mixed = np.tile([0.0, 1, 0, 1, 0, 1, 0, 1, 0, 1], 3)
    assert Crossed(topic, template).inflation(mixed) < 1.5
