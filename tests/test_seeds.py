import itertools

from langmarl.seeds import derive_seed


def test_seeds_follow_from_their_place_alone():
    assert derive_seed(3, "episode", 1, 2) == derive_seed(3, "episode", 1, 2)


def test_no_two_places_share_a_seed():
    places = itertools.product(range(3), ("tasks", "episode"), range(20), range(20))
    seeds = {derive_seed(*place) for place in places}
    assert len(seeds) == 3 * 2 * 20 * 20
    assert all(0 <= seed < 2**63 for seed in seeds)


def test_digits_cannot_slide_between_places():
    assert derive_seed(1, "episode", 11, 1) != derive_seed(1, "episode", 1, 11)
