import numpy as np

AISLES, ITEMS = 5, 8


def order_book(orders, rng):
    """Which items each order asks for, and how far the aisles are from the door."""
    popularity = rng.dirichlet(np.full(ITEMS, 0.7))
    wanted = np.zeros((orders, ITEMS), dtype=np.float32)
    for row in range(orders):
        picks = rng.choice(ITEMS, size=3, replace=False, p=popularity)
        wanted[row, picks] = 1.0
    distance = 1.0 + 0.5 * np.arange(AISLES, dtype=np.float32)
    return wanted, distance
