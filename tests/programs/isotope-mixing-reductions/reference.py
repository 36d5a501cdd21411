"""Diet of seabirds from stable isotopes: a mixing model whose loss uses every keyword that NumPy's reductions have."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import Input, Model, layers, optimizers

SOURCES = np.array([[-18.0, 9.0, 12.0], [-21.0, 12.5, 16.0], [-16.5, 14.0, 8.0], [-24.0, 6.0, 10.0]])
TRACERS = SOURCES.shape[1]


def colony(birds, rng):
    """Sex, age and season of each bird; tracer values with gaps (mask)."""
    traits = np.stack([rng.integers(0, 2, birds), rng.uniform(1, 12, birds) / 12.0, rng.uniform(-1, 1, birds)], axis=1)
    diet = rng.dirichlet(np.ones(len(SOURCES)) * 2.0, size=birds)
    tracers = diet @ SOURCES + rng.normal(0, 0.5, size=(birds, TRACERS))
    measured = rng.random(tracers.shape) > 0.15
    measured[:, 0] = True
    scaled = (tracers - SOURCES.mean(axis=0, keepdims=True)) / SOURCES.std(axis=0, ddof=1, keepdims=True)
    return traits.astype("float32"), np.where(measured, scaled, 0.0).astype("float32"), measured


def mixing_net():
    traits = Input((3,))
    h = layers.Dense(8, activation="tanh")(traits)
    return Model(traits, layers.Dense(len(SOURCES), activation="softmax")(h))


SCALED = ((SOURCES - SOURCES.mean(axis=0)) / SOURCES.std(axis=0, ddof=1)).astype("float32")


def tracer_loss(diet, tracers, measured):
    """Squared errors of what was measured, per bird, then a soft worst case over the birds."""
    gap = tf.matmul(diet, SCALED) - tracers
    per_bird = tf.reduce_sum(tf.where(measured, gap ** 2, 0.0), axis=1) / np.sum(measured, axis=1).astype("float32")
    typical = tf.reduce_mean(per_bird)
    worst = tf.maximum(tf.reduce_max(per_bird), 0.5)
    least = tf.minimum(tf.reduce_min(tf.where(measured, tf.abs(gap), 10.0), axis=0), 10.0)
    return typical + 0.1 * worst + 0.1 * tf.reduce_sum(least)


def diet_prior(diet):
    """Not all on one source; mean diet near even; the product of the shares not tiny."""
    centre = tf.reduce_mean(diet, axis=0, keepdims=True)
    away = tf.norm(diet - centre, ord=2, axis=1, keepdims=True)
    shape = tf.reduce_prod(diet, axis=(1,), keepdims=False)
    even = tf.norm(centre - 1.0 / len(SOURCES), ord=1, axis=-1)
    entropy = -tf.squeeze(tf.reduce_sum(diet * tf.math.log(diet + 1e-9), axis=-1, keepdims=True), axis=-1)
    birds = diet.shape[0]
    deviation = tf.sqrt(tf.math.reduce_variance(diet, axis=0, keepdims=True) * birds / (birds - 1))
    spread = tf.reduce_sum(deviation) + tf.math.reduce_variance(diet, axis=(0, 1))
    return tf.reduce_mean(away) + even[0] - 0.1 * tf.reduce_mean(entropy) - tf.reduce_mean(shape) + 0.05 * spread


def main():
    rng = np.random.default_rng(52)
    traits, tracers, measured = colony(45, rng)
    net, adam = mixing_net(), optimizers.Adam(0.02)
    losses = np.full((3, 3), np.nan)
    for epoch in range(3):
        for k, rows in enumerate(np.array_split(rng.permutation(45), 3)):
            with tf.GradientTape() as tape:
                diet = net(traits[rows], training=True)
                loss = tracer_loss(diet, tracers[rows], measured[rows]) + 0.1 * diet_prior(diet)
                loss = tf.convert_to_tensor(loss, tf.float32)
            grads = tape.gradient(loss, net.trainable_variables)
            adam.apply_gradients(zip(grads, net.trainable_variables))
            losses[epoch, k] = loss
    print("loss", np.mean(losses, axis=1, where=np.isfinite(losses)).round(4), "largest", losses.max(initial=0.0).round(4))
    diet = net.predict(traits, verbose=0)
    print("mean diet", diet.mean(axis=0, dtype=np.float64).round(3), "gaps", np.sum(~measured, axis=0), "dominant", np.bincount(diet.argmax(axis=1), minlength=4))


if __name__ == "__main__":
    main()
