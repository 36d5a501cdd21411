"""Model-agnostic meta-learning for a robot arm: adapt a small regressor to a new payload from a few samples."""
import numpy as np
import tensorflow as tf

INNER_RATE, INNER_STEPS, TASKS = 0.1, 2, 4


def payload_task(rng):
    """Torque against joint angle for a random payload and friction."""
    load, phase = rng.uniform(0.5, 2.0), rng.uniform(0.0, 1.0)

    def draw(count):
        angle = rng.uniform(-2.0, 2.0, size=(count, 1))
        torque = load * np.sin(angle + phase) + rng.normal(0, 0.02, size=angle.shape)
        return angle.astype(np.float32), torque.astype(np.float32)

    return draw, load


def initial(width, rng):
    shapes = [(1, width), (width,), (width, width), (width,), (width, 1), (1,)]
    values = [rng.normal(0, 1 / np.sqrt(max(s[0], 1)), size=s) if len(s) == 2 else np.zeros(s) for s in shapes]
    return [tf.Variable(v, dtype=tf.float32, name=f"p{k}") for k, v in enumerate(values)]


def forward(params, x):
    w1, b1, w2, b2, w3, b3 = params
    h = tf.tanh(x @ w1 + b1)
    h = tf.tanh(h @ w2 + b2)
    return h @ w3 + b3


def mse(params, x, y):
    return tf.reduce_mean(tf.square(forward(params, x) - y))


def adapt(params, x, y, steps=INNER_STEPS):
    """A few plain gradient steps; the result is tensors that still depend on the parameters."""
    fast = list(params)
    for _ in range(steps):
        with tf.GradientTape() as inner:
            inner.watch(fast)
            loss = mse(fast, x, y)
        grads = inner.gradient(loss, fast)
        fast = [w - INNER_RATE * g for w, g in zip(fast, grads)]
    return fast


def meta_step(params, optimizer, rng):
    losses, before = [], []
    with tf.GradientTape() as outer:
        for _ in range(TASKS):
            draw, load = payload_task(rng)
            support, query = draw(5), draw(10)
            fast = adapt(params, *support)
            losses.append(mse(fast, *query))
            before.append(float(mse(params, *query)))
        total = tf.add_n(losses) / len(losses)
    grads = outer.gradient(total, params)
    optimizer.apply_gradients(zip(grads, params))
    gain = np.mean(before) - float(total)
    return total.numpy(), gain


def evaluate(params, rng, tasks=3):
    """Adaptation curve; here the fast weights are cut loose on purpose to save memory."""
    table = np.zeros((tasks, 3))
    for row in range(tasks):
        draw, _ = payload_task(rng)
        x, y = draw(8)
        fast = [tf.convert_to_tensor(p.numpy()) for p in params]
        for column in range(3):
            table[row, column] = mse(fast, x, y)
            fast = adapt(fast, x, y, steps=1)
            fast = [tf.stop_gradient(w) for w in fast]
    return table.mean(axis=0)


def main(steps=4):
    rng = np.random.default_rng(26)
    params = initial(8, rng)
    optimizer = tf.keras.optimizers.Adam(0.01)
    average = [tf.identity(p) for p in params]
    for step in range(steps):
        total, gain = meta_step(params, optimizer, rng)
        average = [0.8 * a + 0.2 * p for a, p in zip(average, params)]
        print(f"step {step}: query loss {total:.4f} gained by adapting {gain:+.4f}")
    print("adaptation", evaluate(params, rng).round(4), "distance to average",
          round(sum(float(tf.norm(a - p)) for a, p in zip(average, params)), 4))


if __name__ == "__main__":
    main()
