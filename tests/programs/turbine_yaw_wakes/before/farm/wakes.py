"""Wake formulas. The layout study works on arrays; the yaw plan feeds in its deflection."""
import numpy as np

GROWTH = 0.05
CENTRE_LOSS = 0.4


def rotate(points, angle):
    """Coordinates along and across the wind."""
    c, s = np.cos(angle), np.sin(angle)
    return points[..., 0] * c + points[..., 1] * s, points[..., 1] * c - points[..., 0] * s


def deficit(along, across, deflection=0.0):
    """Share of the wind speed lost at each pair (behind, in front); nothing is lost upstream."""
    width = 0.25 + GROWTH * np.maximum(along, 0.0)
    shape = np.exp(-0.5 * np.square((across - deflection) / width))
    lost = CENTRE_LOSS * shape / np.square(1.0 + np.maximum(along, 0.0))
    return np.where(along > 0.1, lost, 0.0)


def overlap(lost):
    """Several wakes on one rotor: root of the summed squares."""
    return np.sqrt(np.sum(np.square(lost), axis=-1) + 1e-8)
