"""Elastic constants of a crystal from strained cells: tensors in the physical sense, contracted with NumPy."""
import itertools

import numpy as np
import tensorflow as tf

PAIRS = [(0, 0), (1, 1), (2, 2), (1, 2), (0, 2), (0, 1)]
TRUE = {"c11": 1.6, "c12": 0.6, "c44": 0.8}


def stiffness_basis():
    """Basis (3, 3, 3, 3, 3) of cubic symmetry: one fourth-order tensor for each of c11, c12, c44."""
    basis = np.zeros((3, 3, 3, 3, 3), dtype=np.float32)
    for i, j in itertools.product(range(3), repeat=2):
        basis[0 if i == j else 1, i, i, j, j] = 1.0
        if i != j:
            basis[2, i, j, i, j] = basis[2, i, j, j, i] = 1.0
    return basis


BASIS = stiffness_basis()


def cells(count, rng):
    """Deformation gradients near the identity and the energy that a reference code gave."""
    F = np.eye(3) + 0.08 * rng.standard_normal((count, 3, 3))
    E = 0.5 * (np.swapaxes(F, 1, 2) @ F - np.eye(3))
    C = np.tensordot(list(TRUE.values()), BASIS, axes=1)
    energy = 0.5 * np.einsum("nij,ijkl,nkl->n", E, C, E) * np.linalg.det(F)
    return F.astype(np.float32), (energy + 1e-4 * rng.standard_normal(count)).astype(np.float32)


class Crystal(tf.Module):
    def __init__(self):
        super().__init__(name="crystal")
        self.constants = tf.Variable([1.2, 0.4, 0.5], name="constants")
        self.misfit = tf.Variable([[0.01, 0.0, 0.0], [0.0, 0.0, 0.02], [0.0, 0.02, -0.01]], name="misfit")

    def energy(self, F):
        """Strain energy of each cell; the lattice itself may carry a small misfit strain."""
        relaxed = tf.matmul(F, tf.linalg.inv(np.eye(3, dtype=np.float32) + self.misfit))
        E = 0.5 * (tf.matmul(relaxed, relaxed, transpose_a=True) - np.eye(3, dtype=np.float32))
        C = tf.tensordot(self.constants, BASIS, axes=1)
        density = 0.5 * tf.einsum("nij,ijkl,nkl->n", E, C, E)
        return density * tf.linalg.det(relaxed)

    def stability(self):
        """Born criterion c11 - c12 > 0, softly; and the misfit should have no trace and no volume."""
        born = self.constants[1] - self.constants[0]
        trace = tf.linalg.trace(self.misfit)
        shear = tf.norm(self.misfit - tf.linalg.band_part(self.misfit, 0, -1))
        volume = tf.linalg.slogdet(np.eye(3, dtype=np.float32) + self.misfit)[1]
        return tf.exp(8.0 * born) + trace ** 2 + shear ** 2 + volume ** 2


def main():
    rng = np.random.default_rng(44)
    F, energy = cells(30, rng)
    crystal = Crystal()
    optimizer = tf.keras.optimizers.Adam(0.02)
    for epoch in range(3):
        errors = []
        for rows in np.split(rng.permutation(30), 3):
            with tf.GradientTape() as tape:
                gap = crystal.energy(F[rows]) - energy[rows]
                loss = tf.reduce_mean(1e3 * gap ** 2) + 0.1 * crystal.stability()
            grads = tape.gradient(loss, [crystal.constants, crystal.misfit])
            optimizer.apply_gradients(zip(grads, [crystal.constants, crystal.misfit]))
            errors.append(loss.numpy())
        print(f"epoch {epoch}: loss {np.mean(errors):.5f} constants {crystal.constants.numpy().round(4)}")
    voigt = np.array([[np.tensordot(crystal.constants.numpy(), BASIS, axes=1)[a + b] for b in PAIRS] for a in PAIRS])
    print("eigenvalues of the Voigt matrix", np.linalg.eigvalsh(voigt).round(3))


if __name__ == "__main__":
    main()
