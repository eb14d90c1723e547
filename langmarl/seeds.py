"""Seeds that follow from where they are used, not from the order in which things finish."""

from __future__ import annotations

import hashlib


def derive_seed(seed: int, *place: object) -> int:
    """A seed in [0, 2**63) for one place of a run.

    The same ``seed`` and ``place`` always give the same value; any other place gives an unrelated one.

    Args:
        seed: The config's ``seed``.
        place: What the seed is for, for example ``("episode", iteration, episode)``.
    """
    text = "/".join(str(part) for part in (seed, *place))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1
