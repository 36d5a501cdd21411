import numpy as np


class Replay:
    """Prioritised ring buffer in NumPy; priorities come back from the learner as absolute errors."""

    def __init__(self, size, width):
        self.rows = {"state": np.zeros((size, width), np.float32), "after": np.zeros((size, width), np.float32),
                     "action": np.zeros(size, np.int32), "reward": np.zeros(size, np.float32), "final": np.zeros(size, np.float32)}
        self.priority = np.zeros(size)
        self.size, self.count = size, 0

    def add(self, **row):
        slot = self.count % self.size
        for name, value in row.items():
            self.rows[name][slot] = value
        self.priority[slot] = self.priority.max() or 1.0
        self.count += 1

    def draw(self, batch, rng):
        known = min(self.count, self.size)
        chance = self.priority[:known] / self.priority[:known].sum()
        picked = rng.choice(known, size=batch, p=chance)
        weight = (known * chance[picked]) ** -0.5
        return picked, {name: values[picked] for name, values in self.rows.items()}, (weight / weight.max()).astype(np.float32)

    def rate(self, picked, error):
        self.priority[picked] = np.abs(error) + 1e-3


def summarise(values):
    """Mean and spread of whatever is handed over: arrays, lists of floats, tensors."""
    values = np.asarray(values, dtype=np.float64)
    return float(np.mean(values)), float(np.std(values))
