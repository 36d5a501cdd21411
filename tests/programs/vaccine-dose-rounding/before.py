"""Distribute vaccine doses over districts: a network proposes shares, whole boxes are shipped, the loss counts who is missed."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, models

BOX = 10.0
DISTRICTS = 6


def weeks(count, rng):
    people = rng.lognormal(3.5, 0.4, size=(count, DISTRICTS))
    spread = rng.beta(2, 8, size=(count, DISTRICTS))
    stock = rng.uniform(80, 160, size=(count, 1))
    x = np.concatenate([np.log(people), spread, stock / 100.0], axis=1)
    return x.astype(np.float32), people.astype(np.float32), spread.astype(np.float32), stock.astype(np.float32)


def build(width=12):
    return models.Sequential([
        layers.Input((2 * DISTRICTS + 1,)),
        layers.Dense(width, activation="relu"),
        layers.Dense(DISTRICTS, activation="softmax"),
    ])


def boxes(share, stock):
    """Only full boxes leave the store."""
    wanted = share * stock / BOX
    return tf.floor(wanted + 0.5)


def missed(shipped, people, spread):
    """Expected infections among those who got no dose."""
    doses = shipped * BOX
    left = tf.nn.relu(people - doses)
    return tf.reduce_mean(tf.reduce_sum(left * spread, axis=1)) / BOX


def train(net, data, epochs=2):
    opt = tf.keras.optimizers.Adam(0.01)
    curve = []
    for epoch in range(epochs):
        for x, people, spread, stock in data:
            with tf.GradientTape() as tape:
                share = net(x, training=True)
                shipped = boxes(share, stock)
                loss = missed(shipped, people, spread)
            grads = tape.gradient(loss, net.trainable_variables)
            opt.apply_gradients(zip(grads, net.trainable_variables))
            curve.append(float(loss))
        unused = np.mean(stock.numpy() - BOX * shipped.numpy().sum(axis=1, keepdims=True))
        print(f"epoch {epoch}: missed {np.mean(curve[-3:]):.4f}, doses left over {unused:.1f}")
    return curve


if __name__ == "__main__":
    rng = np.random.default_rng(9)
    batches = tf.data.Dataset.from_tensor_slices(weeks(48, rng)).batch(16)
    network = build()
    history = train(network, batches)
    print("best", min(history), "parcels of the last week", boxes(network(weeks(1, rng)[0]), 120.0).numpy().astype(int).tolist())
