"""Which body measures decide the size a tailor recommends: saliency, integrated gradients and a counterfactual."""
import numpy as np
import tensorflow as tf
from tensorflow import keras

MEASURES = ["chest", "waist", "hip", "height", "arm", "leg", "neck"]
SIZES = 4


def customers(count, rng):
    frame = rng.normal(size=(count, 2))
    mix = rng.normal(size=(2, len(MEASURES)))
    body = frame @ mix + 0.3 * rng.normal(size=(count, len(MEASURES)))
    size = np.digitize(frame[:, 0], [-0.7, 0.0, 0.7])
    return body.astype("float32"), size.astype("int64")


def fit(net, body, size, epochs=4):
    net.compile(optimizer=keras.optimizers.Adam(0.02), loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                metrics=["accuracy"])
    return net.fit(body, size, batch_size=24, epochs=epochs, shuffle=False, verbose=0).history


def saliency(net, body, size):
    """Gradient of the chosen logit; the label only picks the column and needs no gradient."""
    body, size = tf.constant(body), tf.constant(size)
    with tf.GradientTape() as tape:
        tape.watch(body)
        logits = net(body)
        picked = tf.gather(logits, size, axis=1, batch_dims=1)
    certain = tf.reduce_max(tf.nn.softmax(logits), axis=1)
    return tape.gradient(picked, body).numpy(), certain.numpy()


@tf.function
def path_gradients(net, start, body, size, steps):
    """Integrated gradients from `start`; the gradients are collected in a TensorArray, step by step."""
    collected = tf.TensorArray(tf.float32, size=steps)
    for k in tf.range(steps):
        share = (tf.cast(k, tf.float32) + 0.5) / tf.cast(steps, tf.float32)
        point = start + share * (body - start)
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(point)
            picked = tf.gather(net(point), size, axis=1, batch_dims=1)
        collected = collected.write(k, tape.gradient(picked, point))
    return (body - start) * tf.reduce_mean(collected.stack(), axis=0)


def counterfactual(net, person, wanted, turns=15, rate=0.3):
    """Smallest change that makes the net say `wanted`; watched late, but before anything that matters."""
    change = tf.zeros_like(person)
    trace = np.full(turns, np.nan)
    for turn in range(turns):
        with tf.GradientTape(persistent=True) as tape:
            frozen = net(person)
            tape.watch(change)
            logits = net(person + change)
            cost = tf.reduce_mean(keras.losses.sparse_categorical_crossentropy(tf.constant([wanted]), logits, from_logits=True))
            size = 0.05 * tf.reduce_sum(tf.abs(change))
            total = cost + size
        slope = tape.gradient(total, change)
        trace[turn] = total
        change = change - rate * slope
        if int(np.argmax(net(person + change))) == wanted and turn > 2:
            break
    moved = float(tf.reduce_max(tf.abs(net(person + change) - frozen)))
    return change.numpy()[0], trace[~np.isnan(trace)], moved


def main():
    rng = np.random.default_rng(52)
    body, size = customers(96, rng)
    net = keras.Sequential([keras.layers.Input((len(MEASURES),)), keras.layers.Dense(12, activation="tanh"), keras.layers.Dense(SIZES)])
    print("accuracy", np.round(fit(net, body, size)["accuracy"], 3))
    slopes, certain = saliency(net, body[:12], size[:12])
    share = path_gradients(net, tf.zeros([12, len(MEASURES)]), tf.constant(body[:12]), tf.constant(size[:12]), tf.constant(4))
    order = np.argsort(np.abs(share.numpy()).mean(axis=0))[::-1]
    print("by path", [MEASURES[k] for k in order[:3]], "by slope", MEASURES[int(np.abs(slopes).mean(axis=0).argmax())],
          "certain", certain.mean().round(3))
    change, trace, moved = counterfactual(net, tf.constant(body[:1]), wanted=int((size[0] + 1) % SIZES))
    print("change", dict(zip(MEASURES, change.round(2).tolist())), "cost", trace[[0, -1]].round(4), "logits moved", round(moved, 3))


if __name__ == "__main__":
    main()
