"""Positions in rotor diameters, and which turbines stand in whose wake when nothing is steered."""
import numpy as np

from .wakes import deficit, overlap, rotate


def pairs(positions, wind):
    along, across = rotate(positions[:, None, :] - positions[None, :, :], wind)
    return along, across


def load_farm(count, wind, seed=4):
    rng = np.random.default_rng(seed)
    grid = np.stack(np.meshgrid(np.arange(3), np.arange(3)), axis=-1).reshape(-1, 2)[:count] * np.array([4.0, 2.0])
    positions = grid + rng.normal(0.0, 0.2, size=grid.shape)
    along, across = pairs(positions, wind)
    unsteered = deficit(along, across)
    unsteered[unsteered < 0.005] = 0.0                    # too far to matter
    shaded = overlap(unsteered)
    shaded[shaded < 2e-4] = 0.0
    order = np.argsort(positions @ np.array([np.cos(wind), np.sin(wind)]))
    return along, across, shaded, order
