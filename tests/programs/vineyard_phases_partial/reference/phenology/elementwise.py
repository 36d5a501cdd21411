"""@elementwise lets a response function take a scalar, a list or an array."""
import functools

import numpy as np
import tensorflow as tf

CALLS = {}


def elementwise(minimum=None):
    def decorate(fn):
        @functools.wraps(fn)
        def wrapper(temperature, *args, **kwargs):
            CALLS[fn.__name__] = CALLS.get(fn.__name__, 0) + 1
            if not tf.is_tensor(temperature):
                temperature = np.atleast_1d(np.asarray(temperature, dtype=np.float32))
            response = fn(temperature, *args, **kwargs)
            if minimum is not None:
                response = tf.maximum(response, np.float32(minimum))
            return response
        return wrapper
    return decorate
