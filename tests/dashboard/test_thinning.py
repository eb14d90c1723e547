import numpy as np

from dashboard.charts.thinning import POINTS, thin


def noise(length, seed=0):
    return np.random.default_rng(seed).normal(size=length)


def test_a_short_line_stays_as_it_is():
    assert thin([noise(POINTS)]).tolist() == list(range(POINTS))


def test_an_empty_line_stays_empty():
    assert thin([np.array([])]).size == 0


def test_a_long_line_comes_down_to_the_limit_and_keeps_its_ends():
    kept = thin([noise(100_000)])
    assert len(kept) <= POINTS
    assert (kept[0], kept[-1]) == (0, 99_999)
    assert (np.diff(kept) > 0).all()


def test_single_peaks_and_valleys_survive():
    line = np.zeros(50_000)
    line[[123, 30_001]] = 5.0
    line[[7_777, 49_998]] = -5.0
    assert {123, 7_777, 30_001, 49_998} <= set(thin([line], 200).tolist())


def test_lines_that_share_their_places_keep_the_extremes_of_each():
    flat, spiky = np.zeros(10_000), np.zeros(10_000)
    spiky[4_321] = 1.0
    flat[8_765] = -1.0
    kept = set(thin([flat, spiky], 100).tolist())
    assert {4_321, 8_765} <= kept
    assert len(kept) <= 100


def test_a_gap_stays_a_gap():
    line = noise(10_000)
    line[5_000] = np.nan
    assert 5_000 in thin([line], 300)


def test_a_line_of_nothing_but_gaps_is_thinned_as_well():
    kept = thin([np.full(10_000, np.nan)], 300)
    assert 0 < len(kept) <= 300
