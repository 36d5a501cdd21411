"""Ships queue at a pier with a few berths; the controller opens and closes berths."""
import numpy as np


class Pier:
    actions = (-1, 0, 1)

    def __init__(self, berths=4, seed=0):
        self.berths = berths
        self.rng = np.random.default_rng(seed)

    def reset(self):
        self.open, self.queue, self.hour = 2, self.rng.poisson(2.0), 0
        return self.state()

    def state(self):
        angle = 2 * np.pi * self.hour / 24.0
        return np.array([self.open / self.berths, min(self.queue, 10) / 10.0, np.sin(angle), np.cos(angle)], dtype=np.float32)

    def step(self, action):
        self.open = int(np.clip(self.open + self.actions[action], 1, self.berths))
        served = min(self.queue, self.rng.binomial(self.open, 0.8))
        self.queue = self.queue - served + self.rng.poisson(1.0 + 0.5 * np.sin(2 * np.pi * self.hour / 24.0))
        self.hour += 1
        return self.state(), float(served - 0.2 * self.queue - 0.3 * self.open), self.hour == 15
