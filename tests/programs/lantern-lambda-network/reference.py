"""Brightness of paper lanterns from folds, gap and height: a functional model full of NumPy callables."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import initializers, layers

FOLDS = 5


def lanterns(count, seed):
    rng = np.random.default_rng(seed)
    folds = rng.uniform(0.1, 1.0, size=(count, FOLDS))
    gap = np.exp(rng.normal(-1.0, 0.3, size=(count, 1)))
    light = np.sum(np.log1p(folds / gap), axis=1) * (1.0 - 0.3 * np.max(folds, axis=1))
    x = np.concatenate([folds, gap], axis=1)
    return x.astype("float32"), (light + 0.05 * rng.normal(size=count)).astype("float32")[:, None]


def leaky(x):
    return tf.maximum(x, 0.1 * x)


def sparse(kernel):
    """Regulariser: a smooth count of the weights in use."""
    return 0.01 * tf.reduce_sum(tf.abs(kernel) / (1.0 + tf.abs(kernel)))


def orthogonal_rows(shape, dtype=None):
    """Initialiser; runs once, on shapes."""
    rng = np.random.default_rng(int(np.prod(shape)))
    q, _ = np.linalg.qr(rng.normal(size=(max(shape), max(shape))))
    return tf.constant(q[:shape[0], :shape[1]], dtype=dtype or tf.float32)


class MaxColumn(keras.constraints.Constraint):
    """Columns no longer than two; applied after the update, outside any gradient."""

    def __call__(self, w):
        length = keras.ops.sqrt(keras.ops.sum(keras.ops.square(w), axis=0, keepdims=True))
        return w * keras.ops.minimum(1.0, 2.0 / (length + 1e-7))


class Brightest(layers.Layer):
    """Adds the brightest fold as a feature and keeps the spread small by add_loss."""

    def call(self, inputs):
        folds, gap = inputs[:, :FOLDS], inputs[:, FOLDS:]
        ratio = tf.math.log1p(folds / gap)
        self.add_loss(0.001 * tf.reduce_mean(tf.square(ratio)))
        return tf.concat([ratio, tf.reduce_max(ratio, axis=1, keepdims=True)], axis=1)


def build():
    inputs = keras.Input((FOLDS + 1,))
    x = Brightest()(inputs)
    x = layers.Dense(8, activation=leaky, kernel_regularizer=sparse, kernel_initializer=orthogonal_rows,
                     kernel_constraint=MaxColumn())(x)
    x = layers.Lambda(lambda h: h * tf.tanh(h), output_shape=(8,))(x)
    x = layers.Dense(1, kernel_initializer=initializers.Constant(np.sqrt(0.04)))(x)
    model = keras.Model(inputs, layers.Lambda(lambda y: tf.exp(tf.clip_by_value(y, -3.0, 3.0)), output_shape=(1,))(x))
    model.compile(optimizer=keras.optimizers.SGD(0.005), loss="mse")
    return model


def main():
    x, light = lanterns(64, seed=4)
    model = build()
    curve = model.fit(x, light, batch_size=16, epochs=3, shuffle=False, verbose=0).history["loss"]
    guess = model.predict(x, verbose=0)
    print("loss", np.round(curve, 4).tolist(), "r2", np.round(1 - np.var(guess - light) / np.var(light), 3))
    print("share of unused weights", np.mean(np.abs(model.layers[2].get_weights()[0]) < 0.01).round(3))


if __name__ == "__main__":
    main()
