import numpy as np
import pytest

from monitor.stats.resampling import DrawnItems, generator, ratio_draws, recentre_draws


def items(*lists):
    """Items of lists given as [(person or -1, hit)]."""
    rows = [(n, person, hit) for n, one in enumerate(lists) for person, hit in one]
    return DrawnItems(*np.array(rows, np.int64).reshape(-1, 3).T)


def draws(given, number=400, seed=1):
    return ratio_draws(given, number, generator(seed))


def test_lists_without_shared_people_never_move():
    found = draws(items([(-1, 1), (-1, 0)], [(-1, 0)] * 3))
    assert found.shape == (400, 2)
    assert (found == [0.5, 0.0]).all()


def test_a_shared_person_moves_all_lists_by_the_same_weight():
    found = draws(items([(0, 1), (-1, 0)], [(0, 0), (-1, 1), (-1, 1)]), 4000)
    weight = found[:, 0] / (1 - found[:, 0])
    assert weight == pytest.approx(np.round(weight))
    assert found[:, 1] == pytest.approx(2 / (2 + weight))
    assert weight.mean() == pytest.approx(1, abs=0.05)
    assert weight.var() == pytest.approx(1, abs=0.1)


def test_every_item_counts_in_its_own_list():
    found = draws(items([(0, 1), (-1, 0)], [(1, 1), (-1, 0)], [(0, 1), (1, 0), (-1, 1), (-1, 0)]))
    zero, one = (found[:, n] / (1 - found[:, n]) for n in (0, 1))
    assert abs(np.corrcoef(zero, one)[0, 1]) < 0.2
    assert found[:, 2] == pytest.approx((zero + 1) / (zero + one + 2))


def test_nobody_left_is_undefined():
    found = draws(items([(0, 1)], [(0, 0), (-1, 0)]))
    undefined = np.isnan(found[:, 0])
    assert 0.3 < undefined.mean() < 0.45
    assert (found[~undefined, 0] == 1).all()
    assert (found[:, 1] == 0).all()


def test_draws_are_those_of_the_seed_alone():
    given = items([(0, 1), (-1, 0)], [(0, 0), (1, 1)], [(1, 1), (-1, 0)])
    assert np.array_equal(draws(given, 130), draws(given, 130), equal_nan=True)
    assert np.array_equal(draws(given, 130)[:100], draws(given, 100), equal_nan=True)
    assert not np.array_equal(draws(given), draws(given, seed=2), equal_nan=True)


def test_no_draws_and_no_lists():
    assert draws(items([(0, 1)]), 0).shape == (0, 1)
    assert draws(items()).shape == (400, 0)


def test_recentred_draws_keep_their_width():
    drawn, plain = np.array([3.0, 5.0, np.nan, 7.0]), np.array([1.0, 2.0, 3.0, 3.0])
    assert recentre_draws(drawn, plain, 0, 9) == pytest.approx([0.0, 2.0, np.nan, 4.0], nan_ok=True)
    assert (recentre_draws(plain, plain, 0, 9) == plain).all()
    nothing = np.full(3, np.nan)
    assert np.isnan(recentre_draws(nothing, plain[:3], 0, 9)).all()
    assert recentre_draws(drawn[:0], plain[:0], 0, 9).shape == (0,)
    assert recentre_draws(drawn, plain, 1, 3) == pytest.approx([1.0, 2.0, np.nan, 3.0], nan_ok=True)
