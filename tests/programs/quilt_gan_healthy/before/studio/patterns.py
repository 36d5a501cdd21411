import numpy as np

SIZE = 6


def patches(count, rng):
    """Two-colour quilt patches: stripes or checks, with a little noise."""
    yy, xx = np.mgrid[:SIZE, :SIZE]
    out = np.zeros((count, SIZE * SIZE))
    for k in range(count):
        stripes = (xx if rng.random() < 0.5 else yy) % 2
        out[k] = np.where(rng.random() < 0.3, (xx + yy) % 2, stripes).ravel()
    out += rng.normal(0, 0.05, out.shape)
    return np.clip(out, 0.0, 1.0).astype(np.float32)
