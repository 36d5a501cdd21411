"""Glacier mass balance by elevation band: a Keras loss class written with NumPy."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import Input, callbacks, layers, losses, models

BANDS = 6
AREA = np.array([0.8, 1.6, 2.4, 2.0, 1.1, 0.4], dtype="float32")


def climate(years, gen):
    """Summer temperature, winter snow and a trend; balance of each band in metres water equivalent."""
    year = np.arange(years)
    summer = 0.02 * year + gen.normal(0.0, 0.6, size=years)
    snow = gen.gamma(6.0, 0.3, size=years)
    height = np.linspace(-1.5, 1.2, BANDS)
    balance = height[None, :] * 1.4 - 0.7 * summer[:, None] + 0.4 * (snow - snow.mean())[:, None]
    x = np.stack([summer, snow, year / years], axis=1)
    return x.astype("float32"), (balance + gen.normal(0.0, 0.1, size=balance.shape)).astype("float32")


class BalanceLoss(losses.Loss):
    """Band errors weighted by area, the error of the whole glacier, and a monotone profile."""

    def __init__(self, total_weight=0.5, order_weight=0.2, name="balance"):
        super().__init__(name=name)
        self.share = AREA / np.sum(AREA)
        self.total_weight = total_weight
        self.order_weight = order_weight

    def call(self, y_true, y_pred):
        gap = y_pred - y_true
        bands = tf.reduce_sum(self.share * tf.square(gap), axis=-1)
        whole = tf.abs(tf.matmul(gap, self.share[:, np.newaxis]))
        steps = y_pred[:, 1:] - y_pred[:, :-1]
        order = tf.reduce_mean(tf.maximum(-steps, 0.0), axis=1)
        return bands + self.total_weight * tf.squeeze(whole, axis=-1) + self.order_weight * order


class Inspector(callbacks.Callback):
    """Prints the balance of the whole glacier after every epoch."""

    def __init__(self, x, y):
        super().__init__()
        self.x, self.truth = x, np.dot(y, AREA) / AREA.sum()

    def on_epoch_end(self, epoch, logs=None):
        modelled = np.dot(self.model.predict(self.x, verbose=0), AREA) / np.sum(AREA)
        bias = np.mean(modelled - self.truth)
        print(f"epoch {epoch}: loss {logs['loss']:.4f} bias {bias:+.4f} worst year {np.abs(modelled - self.truth).argmax()}")


def make_model(rate):
    inputs = Input((3,))
    hidden = layers.Dense(10, activation="tanh")(inputs)
    outputs = layers.Dense(BANDS)(hidden)
    model = models.Model(inputs, outputs)
    model.compile(optimizer=tf.keras.optimizers.Adam(rate), loss=BalanceLoss())
    return model


def main():
    x, y = climate(48, np.random.default_rng(3))
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    model = make_model(0.02)
    model.fit(x, y, batch_size=12, epochs=3, shuffle=False, verbose=0, callbacks=[Inspector(x, y)])
    ela = [np.interp(0.0, row, np.linspace(2600, 3400, BANDS)) for row in np.sort(model.predict(x[:5], verbose=0), axis=1)]
    print("equilibrium line", np.round(ela, 0).tolist())


if __name__ == "__main__":
    main()
