"""One small program for each fault; each can be run, and leaves `loss` and `gradients` behind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PROGRAMS: Final[Mapping[str, str]] = {
    "numpy_call": '''\
"""Least squares with the error computed by NumPy."""
import numpy as np
import tensorflow as tf

x = np.linspace(-1.0, 1.0, 8).astype("float32")
y = 0.5 * x - 0.2
slope = tf.Variable(0.0)

with tf.GradientTape() as tape:
    errors = slope * x - y
    loss = np.mean(np.square(errors))  # NumPy on the path
gradients = tape.gradient(loss, [slope])
print("spread of the data", np.std(y), np.mean(x))
''',
    "ndarray_method": '''\
"""A loss that ends in methods of arrays."""
import numpy as np
import tensorflow as tf

rates = tf.Variable([0.1, 0.4, 0.2])
seen = np.array([1.0, 2.0, 4.0], dtype="float32")
print("largest", seen.max())

with tf.GradientTape() as tape:
    misfit = np.abs(rates - seen)
    loss = misfit.sum() / len(seen)
gradients = tape.gradient(loss, [rates])
''',
    "numpy_detach": '''\
"""A prediction that is taken out of TensorFlow before the loss."""
import tensorflow as tf

level = tf.Variable([1.0, 2.0])

with tf.GradientTape() as tape:
    prediction = tf.exp(-level)
    loss = tf.reduce_sum((prediction.numpy() - 0.5) ** 2)
print("prediction", prediction.numpy())
gradients = tape.gradient(loss, [level])
''',
    "python_conversion": '''\
"""A penalty that is added as a Python number."""
import tensorflow as tf

scale = tf.Variable(3.0)

with tf.GradientTape() as tape:
    penalty = float(tf.square(scale))
    loss = 0.5 * tf.constant(1.0) + penalty
gradients = tape.gradient(loss, [scale])
''',
    "python_builtin": '''\
"""A hinge whose Python `max` gives a plain number."""
import tensorflow as tf

margin = tf.Variable(-1.0)

with tf.GradientTape() as tape:
    loss = max(0.0, margin * 2.0)
gradients = tape.gradient(loss, [margin])
print(max(3, 4))
''',
    "math_call": '''\
"""A decay computed by `math`."""
import math

import tensorflow as tf

rate = tf.Variable(0.3)

with tf.GradientTape() as tape:
    loss = tf.constant(2.0) * math.exp(-rate * 2.0)
gradients = tape.gradient(loss, [rate])
print(math.exp(1.0))
''',
    "array_of_tensors": '''\
"""A rotation put together as an array."""
import numpy as np
import tensorflow as tf

angle = tf.Variable(0.4)
point = tf.constant([[1.0], [2.0]])

with tf.GradientTape() as tape:
    turn = np.array([
        [tf.cos(angle), -tf.sin(angle)],
        [tf.sin(angle), tf.cos(angle)],  # row by row
    ])
    loss = tf.reduce_sum(tf.matmul(turn, point))
gradients = tape.gradient(loss, [angle])
''',
    "tape_asked_twice": '''\
"""One tape asked for two gradients."""
import tensorflow as tf

width = tf.Variable(2.0)
height = tf.Variable(3.0)

with tf.GradientTape() as tape:
    area = width * height
    loss = width + height
first = tape.gradient(area, [width])
second = tape.gradient(loss, [height])
gradients = first + second
''',
    "variables_not_watched": '''\
"""A tape that watches the inputs and forgets the variables."""
import tensorflow as tf

gain = tf.Variable(1.5)
signal = tf.constant([1.0, -1.0])

with tf.GradientTape(watch_accessed_variables=False) as tape:
    tape.watch(signal)
    loss = tf.reduce_sum(tf.square(gain * signal))
gradients = tape.gradient(loss, [gain])
''',
    "source_not_watched": '''\
"""The gradient of an output with respect to its input."""
import tensorflow as tf

image = tf.constant([0.2, 0.8])

with tf.GradientTape() as tape:
    # a score for the image
    loss = tf.reduce_sum(image ** 3)
gradients = [tape.gradient(loss, image)]
''',
    "tensor_range": '''\
"""A graph loop over layers that stand in a Python list."""
import tensorflow as tf

weights = [tf.Variable(0.5), tf.Variable(1.5), tf.Variable(2.0)]


@tf.function
def step(x):
    with tf.GradientTape() as tape:
        for i in tf.range(len(weights)):
            x = x * weights[i]
        loss = x * x
    return loss, tape.gradient(loss, weights)


loss, gradients = step(tf.constant(1.0))
''',
    "array_consumer": '''\
"""A distance that the loss needs as a tensor and the log as an array."""
import numpy as np
import tensorflow as tf

place = tf.Variable([1.0, 2.0])
history = np.zeros((1, 2))

with tf.GradientTape() as tape:
    distance = np.square(place)
    kept = distance.copy()
    kept[0] = 0.0
    history[0] = kept
    loss = tf.reduce_sum(distance)
gradients = tape.gradient(loss, [place])
''',
}
