"""Three classifiers, one loss each: the losses come from a tf.TensorArray filled in a tf.while_loop."""

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


def get_loss_v3(logits, labels):
    losses = tf.TensorArray(dtype=tf.float32,
                            size=0, dynamic_size=True, clear_after_read=False, element_shape=()
                            )
    index = tf.constant(0)

    def body(counter_var, log, lbl, l):
        l = l.write(l.size(), tf.reduce_mean(
            tf.keras.losses.categorical_crossentropy(
                from_logits=True,
                y_pred=tf.gather(log, counter_var),
                y_true=lbl
            )
        ))
        return counter_var + 1, log, lbl, l

    output = tf.while_loop(
        cond=lambda i, *_: tf.less(i, 3),
        loop_vars=(index, logits, labels, losses),
        body=body,
        parallel_iterations=1
    )
    loss_val = output[-1].stack()
    return loss_val


def train_step(images, labels):
    with tf.GradientTape(persistent=True) as tape:
        logits = model(images, training=True)
        loss_val = get_loss_v3(logits, labels)
        print(loss_val)  # the forward pass is right
        targets = [tf.gather(loss_val, i) for i in range(3)]
    grads = list()
    for tgt in targets:
        grads.append(
            tape.gradient(
                target=tgt,
                sources=model.trainable_variables
            )
        )

    print("missing gradients:", [sum(grad is None for grad in branch) for branch in grads])
    if any(grad is None for branch in grads for grad in branch):
        print("nothing to apply")
    else:
        for branch in grads:
            optimizer.apply_gradients(zip(branch, model.trainable_variables))


for data in dataset:
    images, labels = data
    train_step(images, labels)
