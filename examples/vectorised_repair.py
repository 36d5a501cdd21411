"""Three classifiers, one loss each, the losses as one vectorised expression: the cure that does not cure.

The loop runs over Python integers, yet `loss_val[i]` is still read after the tape has closed.
"""

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


def get_loss_v4(logits, labels):
    # the labels take the shape of the logits: (3, batch_size, 10)
    labels_expanded = tf.tile(tf.expand_dims(labels, 0), [3, 1, 1])
    # the loss of each sample in each branch
    per_sample_loss = tf.keras.losses.categorical_crossentropy(
        y_true=labels_expanded, y_pred=logits, from_logits=True
    )
    # the mean over the samples of each branch
    loss_val = tf.reduce_mean(per_sample_loss, axis=1)
    return loss_val


def train_step(images, labels):
    with tf.GradientTape(persistent=True) as tape:
        logits = model(images, training=True)
        loss_val = get_loss_v4(logits, labels)
        print(loss_val)  # the forward pass is right

    grads = []
    # a loop over Python integers, unrolled in graph mode
    for i in range(3):
        grads.append(tape.gradient(loss_val[i], model.trainable_variables))

    print("missing gradients:", [sum(grad is None for grad in branch) for branch in grads])
    if any(grad is None for branch in grads for grad in branch):
        print("nothing to apply")
    else:
        for branch in grads:
            optimizer.apply_gradients(zip(branch, model.trainable_variables))
    del tape


for data in dataset:
    images, labels = data
    train_step(images, labels)
