"""Synthetic heating-demand curves: a small WGAN with gradient penalty."""
import numpy as np
import tensorflow as tf
from tensorflow import keras

HOURS, LATENT, PENALTY = 12, 3, 5.0


def demand_curves(count, rng):
    hour = np.arange(HOURS)
    base = rng.uniform(0.3, 0.7, size=(count, 1))
    morning = rng.uniform(0.2, 0.6, size=(count, 1)) * np.exp(-0.5 * ((hour - 3.5) / 1.2) ** 2)
    evening = rng.uniform(0.1, 0.5, size=(count, 1)) * np.exp(-0.5 * ((hour - 9.0) / 1.5) ** 2)
    curves = base + morning + evening
    return (curves / curves.max()).astype(np.float32)


def mlp(inputs, widths, outputs, name):
    net = keras.Sequential(name=name)
    net.add(keras.layers.Input((inputs,)))
    for width in widths:
        net.add(keras.layers.Dense(width, activation="softplus"))
    net.add(keras.layers.Dense(outputs))
    return net


class CurveGan:
    def __init__(self):
        self.maker = mlp(LATENT, (12,), HOURS, "maker")
        self.critic = mlp(HOURS, (12, 6), 1, "critic")
        self.maker_opt = keras.optimizers.Adam(2e-3, beta_1=0.5)
        self.critic_opt = keras.optimizers.Adam(2e-3, beta_1=0.5)

    def between(self, real, fake):
        share = tf.random.uniform([tf.shape(real)[0], 1])
        return share * real + (1.0 - share) * fake

    def critic_step(self, real):
        noise = tf.random.normal([len(real), LATENT])
        fake = self.maker(noise)
        mixed = self.between(real, fake)
        with tf.GradientTape() as slope_tape:
            slope_tape.watch(mixed)
            verdict = self.critic(mixed, training=True)
        slope = slope_tape.gradient(verdict, mixed)
        steepness = tf.sqrt(tf.reduce_sum(tf.square(slope), axis=1) + 1e-12)

        with tf.GradientTape() as tape:
            on_real = self.critic(real, training=True)
            on_fake = self.critic(fake, training=True)
            distance = tf.reduce_mean(on_fake) - tf.reduce_mean(on_real)
            penalty = tf.reduce_mean(tf.square(steepness - 1.0))
            loss = distance + PENALTY * penalty
        pull = tape.gradient(loss, self.critic.trainable_variables)
        self.critic_opt.apply_gradients(zip(pull, self.critic.trainable_variables))
        return -float(distance), float(penalty)

    def maker_step(self, count):
        noise = tf.random.normal([count, LATENT])
        with tf.GradientTape() as tape:
            loss = -tf.reduce_mean(self.critic(self.maker(noise, training=True)))
        pull = tape.gradient(loss, self.maker.trainable_variables)
        self.maker_opt.apply_gradients(zip(pull, self.maker.trainable_variables))
        return loss.numpy()


def summary(curves):
    peak = np.argmax(curves, axis=1)
    return {"mean": curves.mean().round(3), "peak hour": float(np.median(peak)), "rough": np.abs(np.diff(curves)).mean().round(3)}


def main(rounds=4, critic_turns=2, batch=16):
    rng = np.random.default_rng(90)
    curves = demand_curves(96, rng)
    gan = CurveGan()
    for n in range(rounds):
        board = [gan.critic_step(tf.constant(curves[rng.choice(len(curves), batch)])) for _ in range(critic_turns)]
        maker_loss = gan.maker_step(batch)
        distance, penalty = np.mean(board, axis=0)
        print(f"round {n}: distance {distance:+.4f} penalty {penalty:.4f} maker {maker_loss:+.4f}")
    made = gan.maker(tf.random.normal([32, LATENT])).numpy()
    print("real", summary(curves), "made", summary(made))


main()
