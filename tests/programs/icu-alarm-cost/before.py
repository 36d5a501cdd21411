"""Alarm scores for intensive care: missed events cost more than false alarms, in a loss given to compile()."""
import numpy as np
import tensorflow as tf
from tensorflow import keras

FEATURES = ("pulse", "oxygen", "pressure", "breath")
MISS_COST = 4.0


def monitor_log(beds, seed=9):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(beds, len(FEATURES)))
    severity = 0.9 * x[:, 0] - 1.2 * x[:, 1] + 0.4 * np.abs(x[:, 2])
    event = (severity + 0.5 * rng.normal(size=beds) > 1.0).astype("float32")
    if not np.any(event):
        event[int(np.argmax(severity))] = 1.0
    return x.astype("float32"), event[:, None]


def alarm_cost(max_rate=0.4, penalty=0.5, quiet=True):
    """Cost per batch. `quiet` punishes batches in which too many alarms go off."""

    def cost(event, score):
        event = tf.cast(event, score.dtype)
        missed = tf.reduce_sum(event * tf.nn.softplus(-score))
        false = tf.reduce_mean((1.0 - event) * tf.nn.softplus(score))
        events = tf.reduce_sum(event)
        average = missed / events if events > 0 else tf.zeros_like(missed)
        total = MISS_COST * average + false
        rate = tf.reduce_mean(tf.sigmoid(score))
        if quiet and rate > max_rate:
            total += penalty * (rate - max_rate)
        if events == 0 or rate < 0.02:
            weight = 0.5
        elif rate > 0.9:
            weight = 2.0
        else:
            weight = 1.0
        return weight * total

    cost.__name__ = "alarm_cost"
    return cost


def network(units):
    if units < 1:
        raise ValueError("at least one unit")
    inputs = keras.Input((len(FEATURES),))
    x = keras.layers.Dense(units, activation="relu")(inputs)
    return keras.Model(inputs, keras.layers.Dense(1)(x))


def summary(score, event, cut=0.0):
    """Sensitivity and false alarms per bed, on arrays."""
    alarm = score > cut
    sensitivity = alarm[event > 0].mean() if event.sum() > 0 else float("nan")
    return sensitivity, (alarm & (event == 0)).mean()


def main():
    x, event = monitor_log(80)
    order = np.argsort(event[:, 0], kind="stable")  # the first batches hold no event at all
    model = network(8)
    loss = alarm_cost()
    model.compile(optimizer=keras.optimizers.SGD(0.1), loss=loss)
    history = model.fit(x[order], event[order], batch_size=16, epochs=3, shuffle=False, verbose=0).history["loss"]
    with tf.GradientTape() as tape:
        value = loss(event, model(x))
    norm = tf.linalg.global_norm(tape.gradient(value, model.trainable_variables))
    print("cost by epoch", [round(h, 4) for h in history], "gradient norm", round(float(norm), 4))
    sensitivity, false = summary(model.predict(x, verbose=0), event)
    print(f"sensitivity {sensitivity:.3f}, false alarms per bed {false:.3f}" if sensitivity == sensitivity else "no event")


if __name__ == "__main__":
    main()
