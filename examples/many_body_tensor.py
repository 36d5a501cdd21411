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
    return out[0] + 1j * out[1]


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
        out_n = np.copy(out_matrix[i])
        norm = np.sqrt(np.dot(out_n, out_n))
        for j in range(nsamples):
            n = configs[j]
            out_nprime = out_matrix[j]
            if np.all(config == n):
                delta0 = 1
            else:
                delta0 = 0
            element = 0.5 * U * delta0 * np.dot(n, n - 1)
            for k in bonds:
                if n[k[0]] != 0:
                    n1 = hop(n, k)
                    if tf.reduce_all(config == n1):
                        delta1 = 1
                    else:
                        delta1 = 0
                    element -= J * delta1 * np.sqrt(n[k[0]] * n1[k[1]])
            EigenValue += np.conj(phi(out_n)) * element * phi(out_nprime.numpy()) / np.square(norm)
    return np.real(EigenValue / nsamples)


optimizer = optimizers.SGD(learning_rate=1e-2)

for step in range(3):
    configs = draw_configs()
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(configs)
        out_matrix = model(configs)
        eival = tf.convert_to_tensor(H_tilda(J, U, nsamples, nsites, configs, out_matrix), dtype=tf.float32)
    gradients = tape.gradient(eival, model.trainable_weights)
    print(f"step {step}: energy {float(eival):.5f}, gradients {[None if g is None else g.shape for g in gradients]}")
    if any(g is None for g in gradients):
        print("  nothing to apply: the weights stay as they are")
        continue
    optimizer.apply_gradients(zip(gradients, model.trainable_weights))
