"""Put the items where they are picked fastest: relaxed assignment, one placement for two cost models."""
import numpy as np
import tensorflow as tf

from slotting import CongestionCost, TravelCost, order_book

rng = np.random.default_rng(44)
wanted, distance = order_book(60, rng)
logits = tf.Variable(tf.random.stateless_normal([wanted.shape[1], len(distance)], seed=[1, 2]) * 0.1, name="logits")
optimizer = tf.keras.optimizers.Adam(0.1)
costs = [TravelCost(distance), CongestionCost(distance, capacity=0.7)]
board = {cost.name: [] for cost in costs}


def space_left(placement, slots=2.0):
    """No aisle may hold more than its slots."""
    return tf.reduce_sum(tf.nn.relu(tf.reduce_sum(placement, axis=0) - slots))


for turn in range(6):
    batch = tf.constant(wanted[rng.choice(len(wanted), 20, replace=False)])
    with tf.GradientTape() as tape:
        placement = tf.nn.softmax(logits, axis=1)
        values = [cost.observe(placement, batch).value() for cost in costs]
        loss = tf.add_n(values) + 0.2 * space_left(placement)
    grad = tape.gradient(loss, logits)
    optimizer.apply_gradients([(grad, logits)])
    for cost, value in zip(costs, values):
        board[cost.name].append(float(value))
    print(f"turn {turn}: loss {loss.numpy():.4f} gradient norm {np.linalg.norm(grad.numpy()):.4f}")

print({name: np.round([values[0], values[-1]], 4).tolist() for name, values in board.items()}, "orders seen", costs[0].seen)
print("\n".join(costs[1].heat_map()))
chosen = tf.argmax(logits, axis=1).numpy()
print("items per aisle", np.bincount(chosen, minlength=len(distance)).tolist())
