"""Three classifiers, one loss each, computed one by one inside the tape: nothing to mend."""

import tensorflow as tf

tf.keras.utils.set_random_seed(7)


class MyModel(tf.keras.Model):
    def __init__(self):
        super(MyModel, self).__init__()
        self._l1 = tf.keras.Sequential(
            [
                tf.keras.layers.Conv2D(filters=64, kernel_size=3),
                tf.keras.layers.GlobalAveragePooling2D(keepdims=False),
                tf.keras.layers.Dense(units=10)
            ]
        )
        self._l2 = tf.keras.Sequential(
            [
                tf.keras.layers.Conv2D(filters=64, kernel_size=3),
                tf.keras.layers.GlobalAveragePooling2D(keepdims=False),
                tf.keras.layers.Dense(units=10)
            ]
        )
        self._l3 = tf.keras.Sequential(
            [
                tf.keras.layers.Conv2D(filters=64, kernel_size=3),
                tf.keras.layers.GlobalAveragePooling2D(keepdims=False),
                tf.keras.layers.Dense(units=10)
            ]
        )

    def call(self, inputs, training=None, mask=None):
        y1 = self._l1(inputs)
        y2 = self._l2(inputs)
        y3 = self._l3(inputs)
        out = tf.stack([y1, y2, y3])
        # shape of the output: (3, batch_size, 10)
        return out


model = MyModel()
optimizer = tf.keras.optimizers.SGD(learning_rate=0.1)


def get_dataset():
    """Random pictures with random labels."""
    db = tf.data.Dataset.range(15)
    db = db.map(
        lambda x: (tf.random.uniform(shape=(32, 32, 3), dtype=tf.float32),
                   tf.one_hot(tf.random.uniform(shape=(), minval=0, maxval=9, dtype=tf.int64), depth=10)
                   )
    )
    db = db.batch(5)
    return db


dataset = get_dataset()


def train_step(images, labels):
    with tf.GradientTape(persistent=True) as tape:
        logits = model(images, training=True)
        # the loss of each of the three branches
        loss_0 = tf.reduce_mean(tf.keras.losses.categorical_crossentropy(
            y_true=labels, y_pred=logits[0], from_logits=True
        ))
        loss_1 = tf.reduce_mean(tf.keras.losses.categorical_crossentropy(
            y_true=labels, y_pred=logits[1], from_logits=True
        ))
        loss_2 = tf.reduce_mean(tf.keras.losses.categorical_crossentropy(
            y_true=labels, y_pred=logits[2], from_logits=True
        ))
        loss_val = tf.stack([loss_0, loss_1, loss_2])
        print(loss_val)

    # the targets are the very tensors made under the tape
    grads_0 = tape.gradient(loss_0, model.trainable_variables)
    grads_1 = tape.gradient(loss_1, model.trainable_variables)
    grads_2 = tape.gradient(loss_2, model.trainable_variables)
    grads = [grads_0, grads_1, grads_2]

    print("missing gradients:", [sum(grad is None for grad in branch) for branch in grads])
    if any(grad is None for branch in grads for grad in branch):
        print("nothing to apply")
    else:
        for branch in grads:
            optimizer.apply_gradients(zip(branch, model.trainable_variables))
    # lets go of the persistent tape
    del tape


for data in dataset:
    images, labels = data
    train_step(images, labels)
