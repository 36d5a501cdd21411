import numpy as np
import tensorflow as tf
from tensorflow.keras import Sequential, layers, optimizers

from .features import moments, moments_np
from .patterns import SIZE

LATENT = 4


class Maker:
    def __init__(self):
        self.net = Sequential([layers.Input((LATENT,)), layers.Dense(16, activation="elu"), layers.Dense(SIZE * SIZE, activation="sigmoid")])
        self.opt = optimizers.Adam(5e-3, beta_1=0.5)
        self.shadow = [v.numpy() for v in self.net.variables]

    def draw(self, count):
        return self.net(tf.random.normal([count, LATENT]))

    def learn(self, critic, count, wanted):
        with tf.GradientTape() as tape:
            images = self.draw(count)
            fooled = -tf.reduce_mean(tf.math.log_sigmoid(critic.judge(images)))
            match = tf.reduce_mean(tf.square(tf.reduce_mean(moments(images), axis=0) - wanted))
            loss = fooled + match
            drift = np.abs(moments_np(images).mean(axis=0) - wanted).max()
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))
        self.shadow = [0.9 * old + 0.1 * v.numpy() for old, v in zip(self.shadow, self.net.variables)]
        return float(loss), float(drift)


class Critic:
    def __init__(self):
        self.net = Sequential([layers.Input((SIZE * SIZE + 3,)), layers.Dense(12, activation="relu"), layers.Dense(1)])
        self.opt = optimizers.Adam(5e-3, beta_1=0.5)
        self.hits = []

    def judge(self, images):
        return self.net(tf.concat([images, moments(images)], axis=1))

    def learn(self, real, maker):
        with tf.GradientTape() as tape:
            fake = maker.draw(len(real)).numpy()
            fake = np.where(np.isfinite(fake), fake, 0.0).astype(np.float32)
            on_real = self.judge(tf.constant(real))
            on_fake = self.net(np.concatenate([fake, moments_np(fake)], axis=1))
            loss = tf.reduce_mean(tf.nn.softplus(-on_real)) + tf.reduce_mean(tf.nn.softplus(on_fake))
            self.hits.append(np.mean(np.concatenate([on_real.numpy() > 0, on_fake.numpy() < 0])))
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))
        return loss.numpy()
