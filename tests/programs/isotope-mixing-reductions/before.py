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
    per_bird = np.sum(gap ** 2, axis=1, where=measured) / np.sum(measured, axis=1)
    typical = np.mean(per_bird, dtype=np.float64)
    worst = np.max(per_bird, initial=0.5)
    least = np.amin(np.abs(gap), axis=0, where=measured, initial=10.0)
    return typical + 0.1 * worst + 0.1 * np.sum(least, dtype=np.float32)


def diet_prior(diet):
    """Not all on one source; mean diet near even; the product of the shares not tiny."""
    centre = np.mean(diet, axis=0, keepdims=True)
    away = np.linalg.norm(diet - centre, ord=2, axis=1, keepdims=True)
    shape = np.prod(diet, axis=(1,), keepdims=False)
    even = np.linalg.norm(centre - 1.0 / len(SOURCES), ord=1, axis=-1)
    entropy = -np.sum(diet * np.log(diet + 1e-9), axis=-1, keepdims=True).squeeze(axis=-1)
    spread = np.std(diet, axis=0, ddof=1, keepdims=True).sum() + np.var(diet, axis=(0, 1))
    return np.mean(away) + even[0] - 0.1 * entropy.mean(dtype="float32") - np.mean(shape) + 0.05 * spread


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
