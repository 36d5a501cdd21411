"""Blister-blight detector for tea leaves, with class activation maps that show where the network looks."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

SIZE = 12
CLASSES = ["healthy", "blister", "rust"]


def leaves(count, rng):
    """Green patches; a bright round spot for blister, a red stripe for rust."""
    images = rng.normal(0.4, 0.05, size=(count, SIZE, SIZE, 3))
    images[..., 1] += 0.3
    labels = np.arange(count) % len(CLASSES)
    yy, xx = np.mgrid[:SIZE, :SIZE]
    for k in np.flatnonzero(labels == 1):
        cy, cx = rng.integers(3, SIZE - 3, 2)
        images[k][(yy - cy) ** 2 + (xx - cx) ** 2 < 5] += 0.5
    for k in np.flatnonzero(labels == 2):
        images[k, :, rng.integers(2, SIZE - 2), 0] += 0.6
    return images.clip(0, 1.5).astype("float32"), labels.astype("int32")


def build():
    leaf = keras.Input((SIZE, SIZE, 3))
    x = layers.Conv2D(8, 3, activation="relu", name="conv1")(leaf)
    x = layers.Conv2D(8, 3, activation="relu", name="last_conv")(x)
    x = layers.GlobalAveragePooling2D()(x)
    return keras.Model(leaf, layers.Dense(len(CLASSES))(x), name="leafnet")


def train(model, images, labels, epochs):
    opt = keras.optimizers.Adam(0.02)
    cross = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    for epoch in range(epochs):
        for rows in np.array_split(np.random.permutation(len(images)), 3):
            with tf.GradientTape() as tape:
                loss = cross(labels[rows], model(images[rows], training=True))
            opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        print(f"epoch {epoch}: {float(loss):.4f}")


class ActivationMap:
    def __init__(self, model, layer_name):
        self.model = model
        self.extractor = keras.Model(model.inputs, model.get_layer(layer_name).output)

    def heatmap(self, image, class_index=None):
        batch = tf.constant(image[None])
        with tf.GradientTape() as tape:
            maps = self.extractor(batch)
            tape.watch(maps)
            logits = self.model(batch)
            if class_index is None:
                class_index = int(tf.argmax(logits[0]))
            score = logits[:, class_index]
        slopes = tape.gradient(score, maps)
        weight = tf.reduce_mean(slopes, axis=(1, 2), keepdims=True)
        heat = tf.nn.relu(tf.reduce_sum(weight * maps, axis=-1))[0].numpy()
        return heat / max(heat.max(), 1e-8), CLASSES[class_index]


def centre_of(heat):
    yy, xx = np.mgrid[:heat.shape[0], :heat.shape[1]]
    total = heat.sum() + 1e-8
    return round(float((yy * heat).sum() / total), 2), round(float((xx * heat).sum() / total), 2)


def main():
    rng = np.random.default_rng(6)
    images, labels = leaves(36, rng)
    model = build()
    train(model, images, labels, epochs=3)
    explain = ActivationMap(model, "last_conv")
    for k in range(3):
        heat, guess = explain.heatmap(images[k])
        print(f"leaf {k}: {CLASSES[labels[k]]}, taken for {guess}, looks at {centre_of(heat)}, share lit {np.mean(heat > 0.5):.2f}")
    heat, _ = explain.heatmap(images[1], class_index=2)
    print("why not rust:", centre_of(heat))


if __name__ == "__main__":
    main()
