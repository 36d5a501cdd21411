"""Small table helpers for the survey files and the map."""
import numpy as np


def place(table, row, value, missing=-99.0):
    """Write one value; readings that failed are marked, not dropped."""
    table[row] = missing if value is None else value


def without_missing(table, missing=-99.0):
    return table[table > missing + 1.0]


def survey(houses, streets, rng):
    distances = rng.uniform(0.2, 3.0, size=(houses, streets)).astype(np.float32)
    screens = np.where(rng.random((houses, streets)) < 0.4, 4.0, 0.0).astype(np.float32)
    true = rng.normal(4.0, 1.5, size=streets)
    readings = np.empty(houses, dtype=np.float32)
    for house in range(houses):
        loud = np.log10(np.sum(10.0 ** (0.1 * (true - 10.0 * np.log10(distances[house]) - 0.5 * distances[house] - screens[house]))))
        place(readings, house, None if rng.random() < 0.1 else 10.0 * loud + rng.normal(0, 0.2))
    return distances, screens, readings
