"""Seeds every generator of the process alike."""

from __future__ import annotations

import functools
import random
from typing import Any


def seed_all(seed: int, tensorflow: Any, numpy: Any) -> None:
    """Seed every generator of the process alike; generators made later without a seed get one, too."""
    random.seed(seed)
    numpy.random.seed(seed)
    tensorflow.random.set_seed(seed)
    default_rng = numpy.random.default_rng
    made: list[None] = []

    @functools.wraps(default_rng)
    def seeded(given: Any = None) -> Any:
        if given is None:
            made.append(None)
            given = [seed, len(made)]
        return default_rng(given)

    numpy.random.default_rng = seeded
