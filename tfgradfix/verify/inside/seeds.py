"""Seeds every generator of the process alike, and tells how far NumPy's have got."""

from __future__ import annotations

import functools
import pickle
import random
import zlib
from typing import Any

#: Generators that a program makes whose states are looked at.
GENERATORS = 16


class Seeds:
    """The generators of random numbers of a process."""

    def __init__(self, tensorflow: Any, numpy: Any) -> None:
        self.tf, self.np = tensorflow, numpy
        self.made: list[Any] = []
        self.unseeded = 0

    def seed_all(self, seed: int) -> None:
        """Seed all; generators made later without a seed get one, too."""
        random.seed(seed)
        self.np.random.seed(seed)
        self.tf.random.set_seed(seed)
        default_rng = self.np.random.default_rng

        @functools.wraps(default_rng)
        def seeded(given: Any = None) -> Any:
            if given is None:
                self.unseeded += 1
                given = [seed, self.unseeded]
            generator = default_rng(given)
            if len(self.made) < GENERATORS:
                self.made.append(generator)
            return generator

        self.np.random.default_rng = seeded

    def drawn(self) -> int:
        """A number for the states of NumPy's generators: another one once something more has been drawn."""
        states = [self.np.random.get_state(), *(each.bit_generator.state for each in self.made)]
        return zlib.crc32(pickle.dumps(states))
