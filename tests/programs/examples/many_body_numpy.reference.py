"""Energy of bosons on a ring from a neural wave function; the configurations are NumPy integers.

The branches look at whole numbers that no weight reaches: they are data and stay. The amplitudes are what NumPy must not touch.
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
    return np.random.multinomial(nbosons, np.ones(nsites) / nsites, size=nsamples)


def phi(out):
    """Amplitude of one configuration, from the two outputs of the network."""
    return tf.complex(out[0], out[1])


def hamiltonian_element(J, U, nsites, config, n):
    """<config|H|n> of the Bose-Hubbard model on a ring."""
    bonds = [(site, (site + 1) % nsites) for site in range(nsites)]
    bonds += [(b, a) for a, b in bonds]
    if (config == n).all():
        delta0 = 1
    else:
        delta0 = 0
    element = 0.5 * U * delta0 * np.dot(n, n - 1)
    for k in bonds:
        if n[k[0]] != 0:
            n1 = np.copy(n)
            n1[k[0]] -= 1
            n1[k[1]] += 1
            if (config == n1).all():
                delta1 = 1
            else:
                delta1 = 0
            element -= J * delta1 * np.sqrt(n[k[0]] * n1[k[1]])
    return element


def H_tilda(J, U, nsamples, nsites, configs, out_matrix):
    """Mean of <phi|H|phi> over the sampled configurations."""
    EigenValue = 0
    for i in range(nsamples):
        out_n = tf.identity(out_matrix[i])
        norm = tf.sqrt(tf.tensordot(out_n, out_n, 1))
        for j in range(nsamples):
            out_nprime = out_matrix[j]
            element = hamiltonian_element(J, U, nsites, configs[i], configs[j])
            if element != 0:
                EigenValue += tf.math.conj(phi(out_n)) * element * phi(out_nprime) / tf.complex(tf.square(norm), 0.0)
    return tf.math.real(EigenValue / nsamples)


def exact_energy():
    """Ground state energy from the full matrix, to compare with."""
    basis = [n for n in np.ndindex(*[nbosons + 1] * nsites) if np.sum(n) == nbosons]
    rows = [[hamiltonian_element(J, U, nsites, np.array(a), np.array(b)) for b in basis] for a in basis]
    return np.linalg.eigvalsh(np.array(rows))[0]


optimizer = optimizers.SGD(learning_rate=1e-2)

for step in range(3):
    configs = draw_configs()
    inputs = tf.constant(configs, dtype=tf.float32)
    with tf.GradientTape() as tape:
        out_matrix = model(inputs)
        eival = tf.convert_to_tensor(H_tilda(J, U, nsamples, nsites, configs, out_matrix), dtype=tf.float32)
    gradients = tape.gradient(eival, model.trainable_weights)
    print(f"step {step}: energy {float(eival):.5f}, gradients {[None if g is None else g.shape for g in gradients]}")
    if any(g is None for g in gradients):
        print("  nothing to apply: the weights stay as they are")
        continue
    optimizer.apply_gradients(zip(gradients, model.trainable_weights))

print(f"exact ground state energy {exact_energy():.5f}")
