"""Energy of bosons on a ring from a neural wave function; the configurations are tensors.

The energy is worked out with NumPy, the tape watches the configurations only, and Python branches on tensors pick the terms.
"""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, optimizers

tf.keras.utils.set_random_seed(11)

J, U = 1.0, 2.0
nsites, nbosons, nsamples = 3, 3, 8

model = tf.keras.Sequential([
    layers.Input((nsites,)),
    layers.Dense(12, activation="tanh"),
    layers.Dense(2, bias_initializer="ones"),  # real and imaginary part of the amplitude
])


def draw_configs():
    """Occupation numbers of the sites, one row for each sample."""
    return tf.constant(np.random.multinomial(nbosons, np.ones(nsites) / nsites, size=nsamples), dtype=tf.float32)


def phi(out):
    """Amplitude of one configuration, from the two outputs of the network."""
    return tf.complex(out[0], out[1])


def hop(n, k):
    """The configuration after one boson has moved from site k[0] to site k[1]."""
    return n - tf.one_hot(k[0], nsites) + tf.one_hot(k[1], nsites)


def H_tilda(J, U, nsamples, nsites, configs, out_matrix):
    """Mean of <phi|H|phi> over the sampled configurations (Bose-Hubbard, periodic)."""
    bonds = [(site, (site + 1) % nsites) for site in range(nsites)]
    bonds += [(b, a) for a, b in bonds]
    EigenValue = 0
    for i in range(nsamples):
        config = configs[i]
        out_n = tf.identity(out_matrix[i])
        norm = tf.sqrt(tf.tensordot(out_n, out_n, 1))
        for j in range(nsamples):
            n = configs[j]
            out_nprime = out_matrix[j]
            delta0 = tf.cast(tf.reduce_all(config == n), dtype=tf.float32)
            element = 0.5 * U * delta0 * tf.tensordot(n, n - 1, 1)
            for k in bonds:
                n1 = hop(n, k)
                occupied = tf.cast(n[k[0]] != 0, dtype=tf.float32)
                delta1 = tf.cast(tf.reduce_all(config == n1), dtype=tf.float32)
                element -= occupied * J * delta1 * tf.sqrt(n[k[0]] * n1[k[1]])
            EigenValue += tf.math.conj(phi(out_n)) * tf.complex(element, 0.0) * phi(out_nprime) / tf.complex(tf.square(norm), 0.0)
    return tf.math.real(EigenValue / nsamples)


optimizer = optimizers.SGD(learning_rate=1e-2)

for step in range(3):
    configs = draw_configs()
    with tf.GradientTape() as tape:
        out_matrix = model(configs)
        eival = tf.convert_to_tensor(H_tilda(J, U, nsamples, nsites, configs, out_matrix), dtype=tf.float32)
    gradients = tape.gradient(eival, model.trainable_weights)
    print(f"step {step}: energy {float(eival):.5f}, gradients {[None if g is None else g.shape for g in gradients]}")
    if any(g is None for g in gradients):
        print("  nothing to apply: the weights stay as they are")
        continue
    optimizer.apply_gradients(zip(gradients, model.trainable_weights))
