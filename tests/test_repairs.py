"""Small programs and what the whole tool makes of them; a second run changes nothing, and what stays says why."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import Final

import pytest

from tfgradfix.rewrite.apply import Rewritten, rewrite

HEAD: Final = "import numpy as np\nimport tensorflow as tf\n"

#: name → program before, program after.
REPAIRED: Final[dict[str, tuple[str, str]]] = {
    "a NumPy function in a table of functions": (
        """
        ACT = {"tanh": np.tanh, "relu": lambda x: np.maximum(x, 0.0)}
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(ACT["tanh"](w))
        tape.gradient(loss, w)
        """,
        """
        ACT = {"tanh": tf.tanh, "relu": lambda x: np.maximum(x, 0.0)}
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(ACT["tanh"](w))
        tape.gradient(loss, w)
        """,
    ),
    "a closure that a decorator returns": (
        """
        def checked(fn):
            def wrapper(*args):
                return np.float32(fn(*args))
            return wrapper
        @checked
        def cost(w):
            return tf.reduce_sum(w * w)
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = cost(w)
        tape.gradient(loss, w)
        """,
        """
        def checked(fn):
            def wrapper(*args):
                return tf.cast(fn(*args), tf.float32)
            return wrapper
        @checked
        def cost(w):
            return tf.reduce_sum(w * w)
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = cost(w)
        tape.gradient(loss, w)
        """,
    ),
    "a decorator that data passes through as well": (
        """
        LOG = []
        def logged(fn):
            def wrapper(*args):
                value = np.float32(fn(*args))
                LOG.append(value)
                return value
            return wrapper
        @logged
        def cost(w):
            return tf.reduce_sum(w * w)
        @logged
        def floor(trace):
            return np.percentile(trace, 5.0)
        trace = np.linspace(0.0, 1.0, 9)
        trace[trace < floor(trace)] = 0.0
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = cost(w)
        tape.gradient(loss, w)
        """,
        """
        LOG = []
        def logged(fn):
            def wrapper(*args):
                value = fn(*args)
                value = tf.cast(value, tf.float32) if tf.is_tensor(value) else np.float32(value)
                LOG.append(value)
                return value
            return wrapper
        @logged
        def cost(w):
            return tf.reduce_sum(w * w)
        @logged
        def floor(trace):
            return np.percentile(trace, 5.0)
        trace = np.linspace(0.0, 1.0, 9)
        trace[trace < floor(trace)] = 0.0
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = cost(w)
        tape.gradient(loss, w)
        """,
    ),
    "a term of the loss that is taken out by hand": (
        """
        w = tf.Variable([1.0, 2.0])
        def penalty(w):
            return float(tf.reduce_sum(tf.square(w)))
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.exp(w)) + 0.1 * penalty(w)
        tape.gradient(loss, w)
        print(round(penalty(w), 3))
        """,
        """
        w = tf.Variable([1.0, 2.0])
        def penalty(w):
            return tf.reduce_sum(tf.square(w))
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.exp(w)) + 0.1 * penalty(w)
        tape.gradient(loss, w)
        print(round(float(penalty(w)), 3))
        """,
    ),
    "numbers that are printed": (
        """
        w = tf.Variable([1.0, 2.0])
        def parts(w):
            return float(tf.reduce_sum(w))
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.exp(w)) + parts(w)
        tape.gradient(loss, w)
        both = [parts(w), parts(w)]
        print("parts", parts(w), *both)
        """,
        """
        w = tf.Variable([1.0, 2.0])
        def parts(w):
            return tf.reduce_sum(w)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.exp(w)) + parts(w)
        tape.gradient(loss, w)
        both = [parts(w), parts(w)]
        print("parts", parts(w), *both)
        """,
    ),
    "a gradient penalty outside the outer tape": (
        """
        net = tf.keras.Sequential([tf.keras.layers.Input((2,)), tf.keras.layers.Dense(1)])
        x = tf.constant([[1.0, 2.0]])
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = net(x)
        slope = inner.gradient(y, x)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(net(x)) + tf.reduce_mean(tf.square(slope))
        tape.gradient(loss, net.trainable_variables)
        """,
        """
        net = tf.keras.Sequential([tf.keras.layers.Input((2,)), tf.keras.layers.Dense(1)])
        x = tf.constant([[1.0, 2.0]])
        with tf.GradientTape() as tape:
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = net(x)
            slope = inner.gradient(y, x)
            loss = tf.reduce_mean(net(x)) + tf.reduce_mean(tf.square(slope))
        tape.gradient(loss, net.trainable_variables)
        """,
    ),
    "a watch that comes too late": (
        """
        x = tf.constant([1.0, 2.0])
        with tf.GradientTape() as tape:
            y = tf.square(x)
            tape.watch(x)
            loss = tf.reduce_sum(y)
        tape.gradient(loss, x)
        """,
        """
        x = tf.constant([1.0, 2.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.square(x)
            loss = tf.reduce_sum(y)
        tape.gradient(loss, x)
        """,
    ),
    "weights taken before the first call": (
        """
        net = tf.keras.Sequential([tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)])
        weights = net.trainable_variables
        x = tf.ones([3, 2])
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(net(x))
        grads = tape.gradient(loss, weights)
        """,
        """
        net = tf.keras.Sequential([tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)])
        weights = net.trainable_variables
        x = tf.ones([3, 2])
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(net(x))
        weights = net.trainable_variables
        grads = tape.gradient(loss, weights)
        """,
    ),
    "maps and score from two forward passes": (
        """
        from tensorflow import keras
        def heat(model, image):
            part = keras.Model(model.inputs, model.get_layer("conv").output)
            with tf.GradientTape() as tape:
                maps = part(image)
                scores = model(image)
                score = scores[:, 0]
            return tape.gradient(score, maps)
        """,
        """
        from tensorflow import keras
        def heat(model, image):
            part = keras.Model(model.inputs, model.get_layer("conv").output)
            with tf.GradientTape() as tape:
                maps, scores = keras.Model(model.inputs, [part.output, model.output])(image)
                score = scores[:, 0]
            return tape.gradient(score, maps)
        """,
    ),
    "an integer variable that is cast wherever it is used": (
        """
        lift = tf.Variable([5, 5], name="lift")
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(tf.cast(lift, tf.float32) - 2.0))
        tape.gradient(loss, lift)
        """,
        """
        lift = tf.Variable([5, 5], name="lift", dtype=tf.float32)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(tf.cast(lift, tf.float32) - 2.0))
        tape.gradient(loss, lift)
        """,
    ),
    "a JSON log of losses": (
        """
        import json
        w = tf.Variable([1.0, 2.0])
        def losses(w):
            return [float(tf.reduce_sum(w)), float(tf.reduce_sum(w * w))]
        with tf.GradientTape() as tape:
            parts = losses(w)
            loss = tf.convert_to_tensor(np.mean(parts), dtype=tf.float32)
        tape.gradient(loss, w)
        print(json.dumps({"parts": parts}))
        """,
        """
        import json
        w = tf.Variable([1.0, 2.0])
        def losses(w):
            return [tf.reduce_sum(w), tf.reduce_sum(w * w)]
        with tf.GradientTape() as tape:
            parts = losses(w)
            loss = tf.convert_to_tensor(tf.reduce_mean(parts), dtype=tf.float32)
        tape.gradient(loss, w)
        print(json.dumps({"parts": parts}, default=float))
        """,
    ),
    "functions that layers are given": (
        """
        def soft(x):
            return np.log1p(np.exp(x))
        net = tf.keras.Sequential([
            tf.keras.layers.Input((2,)),
            tf.keras.layers.Dense(4, activation=soft),
            tf.keras.layers.Lambda(lambda h: np.tanh(h)),
        ])
        """,
        """
        def soft(x):
            return tf.math.log1p(tf.exp(x))
        net = tf.keras.Sequential([
            tf.keras.layers.Input((2,)),
            tf.keras.layers.Dense(4, activation=soft),
            tf.keras.layers.Lambda(lambda h: tf.tanh(h)),
        ])
        """,
    ),
    "a weight that a layer makes in build": (
        """
        class Scale(tf.keras.layers.Layer):
            def build(self, shape):
                self.raw = self.add_weight(shape=(shape[-1],), name="raw")
            def call(self, x):
                return x * np.exp(self.raw)
        """,
        """
        class Scale(tf.keras.layers.Layer):
            def build(self, shape):
                self.raw = self.add_weight(shape=(shape[-1],), name="raw")
            def call(self, x):
                return x * tf.exp(self.raw)
        """,
    ),
    "a helper that tf.numpy_function calls and data too": (
        """
        def cost(x):
            return np.square(x).astype(np.float32)
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.numpy_function(cost, [w * 2.0], tf.float32))
        tape.gradient(loss, w)
        table = cost(np.arange(3.0))
        table[table > 1.0] = 0.0
        """,
        """
        def cost(x):
            return np.square(x).astype(np.float32)


        def cost_tensor(x):
            return tf.cast(tf.square(x), tf.float32)
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(cost_tensor(w * 2.0))
        tape.gradient(loss, w)
        table = cost(np.arange(3.0))
        table[table > 1.0] = 0.0
        """,
    ),
    "a list that grows in a loop of the graph": (
        """
        w = tf.Variable(0.5)
        @tf.function
        def rollout(n):
            states = []
            x = tf.constant(1.0)
            for i in tf.range(n):
                x = x + tf.sin(w * x)
                states.append(x)
            return tf.reduce_mean(tf.stack(states)) + sum(states)
        with tf.GradientTape() as tape:
            loss = rollout(tf.constant(5))
        tape.gradient(loss, w)
        """,
        """
        w = tf.Variable(0.5)
        @tf.function
        def rollout(n):
            states = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
            x = tf.constant(1.0)
            for i in tf.range(n):
                x = x + tf.sin(w * x)
                states = states.write(states.size(), x)
            return tf.reduce_mean(states.stack()) + tf.reduce_sum(states.stack(), axis=0)
        with tf.GradientTape() as tape:
            loss = rollout(tf.constant(5))
        tape.gradient(loss, w)
        """,
    ),
    "an item of an array that is taken out by hand": (
        """
        w = tf.Variable([0.5, -1.0])
        def leaky(x):
            out = []
            for v in x:
                out.append(v if v > 0 else 0.1 * v.numpy())
            return np.array(out)
        with tf.GradientTape() as tape:
            loss = np.sum(leaky(w) ** 2)
        tape.gradient(loss, w)
        """,
        """
        w = tf.Variable([0.5, -1.0])
        def leaky(x):
            out = []
            for v in x:
                out.append(tf.where(v > 0, v, 0.1 * v))
            return tf.stack(out)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(leaky(w) ** 2)
        tape.gradient(loss, w)
        """,
    ),
    "a conversion to another dtype": (
        """
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = tf.convert_to_tensor(np.mean(w, dtype=np.float64), tf.float32)
        tape.gradient(loss, w)
        """,
        """
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = tf.cast(tf.reduce_mean(tf.cast(w, tf.float64)), tf.float32)
        tape.gradient(loss, w)
        """,
    ),
    "an array that a function fills for its caller": (
        """
        def fill(out, w, x):
            out[0] = 1.0
            for i in range(1, len(out)):
                out[i] = 0.5 * out[i - 1] + tf.reduce_sum(w * x[i])
        def model(w, x):
            out = np.zeros(len(x), dtype=np.float32)
            fill(out, w, x)
            return tf.convert_to_tensor(out)
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(model(w, np.ones((3, 2), np.float32)))
        tape.gradient(loss, w)
        """,
        """
        def fill(out, w, x):
            out = tf.tensor_scatter_nd_update(out, [[0]], [1.0])
            for i in range(1, len(out)):
                out = tf.tensor_scatter_nd_update(
                    out,
                    [[i]],
                    [0.5 * out[i - 1] + tf.reduce_sum(w * x[i])],
                )
            return out
        def model(w, x):
            out = tf.zeros([len(x)])
            out = fill(out, w, x)
            return tf.convert_to_tensor(out)
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(model(w, np.ones((3, 2), np.float32)))
        tape.gradient(loss, w)
        """,
    ),
    "log probabilities that an agent remembers": (
        """
        class Agent:
            def __init__(self):
                self.net = tf.keras.Sequential([tf.keras.layers.Input((3,)), tf.keras.layers.Dense(2)])
                self.seen, self.moves, self.logs = [], [], []
            def act(self, state):
                probs = tf.nn.softmax(self.net(state[None]))[0]
                move = int(np.random.choice(2, p=probs.numpy()))
                self.seen.append(state)
                self.moves.append(move)
                self.logs.append(float(tf.math.log(probs[move])))
                return move
            def learn(self):
                with tf.GradientTape() as tape:
                    loss = -tf.reduce_mean(tf.stack(self.logs))
                grads = tape.gradient(loss, self.net.trainable_variables)
                self.seen, self.moves, self.logs = [], [], []
                return grads
        agent = Agent()
        agent.act(np.ones(3, np.float32))
        agent.learn()
        """,
        """
        class Agent:
            def __init__(self):
                self.net = tf.keras.Sequential([tf.keras.layers.Input((3,)), tf.keras.layers.Dense(2)])
                self.seen, self.moves, self.logs = [], [], []
            def act(self, state):
                probs = tf.nn.softmax(self.net(state[None]))[0]
                move = int(np.random.choice(2, p=probs.numpy()))
                self.seen.append(state)
                self.moves.append(move)
                self.logs.append(float(tf.math.log(probs[move])))
                return move
            def learn(self):
                with tf.GradientTape() as tape:
                    loss = -tf.reduce_mean(
                        tf.stack(
                            [
                                tf.math.log(tf.nn.softmax(self.net(state[None]))[0][move])
                                for state, move in zip(self.seen, self.moves)
                            ],
                        ),
                    )
                grads = tape.gradient(loss, self.net.trainable_variables)
                self.seen, self.moves, self.logs = [], [], []
                return grads
        agent = Agent()
        agent.act(np.ones(3, np.float32))
        agent.learn()
        """,
    ),
    "one log probability of each remembered row": (
        """
        class Agent:
            def __init__(self):
                self.net = tf.keras.Sequential([tf.keras.layers.Input((3,)), tf.keras.layers.Dense(2)])
                self.memory = []
            def act(self, state):
                logs = tf.nn.log_softmax(self.net(state[None]))
                move = int(np.random.randint(2))
                return move, logs[0, move].numpy()
            def remember(self, state, move, log, reward):
                self.memory.append((state, move, log, reward))
            def learn(self):
                with tf.GradientTape() as tape:
                    loss = 0.0
                    for state, move, log, reward in self.memory:
                        loss -= log * reward
                grads = tape.gradient(loss, self.net.trainable_variables)
                self.memory = []
                return grads
        def play(agent, state):
            for reward in (1.0, 2.0):
                chosen, log = agent.act(state)
                agent.remember(state, chosen, log, reward)
            return agent.learn()
        play(Agent(), np.ones(3, np.float32))
        """,
        """
        class Agent:
            def __init__(self):
                self.net = tf.keras.Sequential([tf.keras.layers.Input((3,)), tf.keras.layers.Dense(2)])
                self.memory = []
            def act(self, state):
                logs = tf.nn.log_softmax(self.net(state[None]))
                move = int(np.random.randint(2))
                return move, logs[0, move].numpy()
            def remember(self, state, move, log, reward):
                self.memory.append((state, move, log, reward))
            def learn(self):
                with tf.GradientTape() as tape:
                    loss = 0.0
                    for state, move, log, reward in self.memory:
                        loss -= tf.nn.log_softmax(self.net(state[None]))[0, move] * reward
                grads = tape.gradient(loss, self.net.trainable_variables)
                self.memory = []
                return grads
        def play(agent, state):
            for reward in (1.0, 2.0):
                chosen, log = agent.act(state)
                agent.remember(state, chosen, log, reward)
            return agent.learn()
        play(Agent(), np.ones(3, np.float32))
        """,
    ),
    "a tensor that is detached to be transposed": (
        """
        net = tf.keras.Sequential([tf.keras.layers.Input((3,)), tf.keras.layers.Dense(2)])
        with tf.GradientTape() as tape:
            z = net(tf.ones([4, 3]))
            cov = np.dot(z.numpy().T, z) / 4.0
            loss = np.sum(np.square(cov))
        tape.gradient(loss, net.trainable_variables)
        """,
        """
        net = tf.keras.Sequential([tf.keras.layers.Input((3,)), tf.keras.layers.Dense(2)])
        with tf.GradientTape() as tape:
            z = net(tf.ones([4, 3]))
            cov = tf.matmul(tf.transpose(z), z) / 4.0
            loss = tf.reduce_sum(tf.square(cov))
        tape.gradient(loss, net.trainable_variables)
        """,
    ),
    "variables in a named tuple and in a dataclass": (
        """
        from collections import namedtuple
        from dataclasses import dataclass, field
        Line = namedtuple("Line", "slope, offset")
        @dataclass
        class Noise:
            count: int
            level: tf.Variable = field(default_factory=lambda: tf.Variable(0.1))
            def __post_init__(self):
                self.shifts = tf.Variable(np.zeros(self.count, np.float32))
        line, noise = Line(tf.Variable(1.0), tf.Variable(0.5)), Noise(3)
        with tf.GradientTape() as tape:
            slope, offset = line
            loss = np.sum(np.exp(slope * noise.shifts + offset)) + np.square(noise.level)
        tape.gradient(loss, [*line, noise.shifts, noise.level])
        """,
        """
        from collections import namedtuple
        from dataclasses import dataclass, field
        Line = namedtuple("Line", "slope, offset")
        @dataclass
        class Noise:
            count: int
            level: tf.Variable = field(default_factory=lambda: tf.Variable(0.1))
            def __post_init__(self):
                self.shifts = tf.Variable(np.zeros(self.count, np.float32))
        line, noise = Line(tf.Variable(1.0), tf.Variable(0.5)), Noise(3)
        with tf.GradientTape() as tape:
            slope, offset = line
            loss = tf.reduce_sum(tf.exp(slope * noise.shifts + offset)) + tf.square(noise.level)
        tape.gradient(loss, [*line, noise.shifts, noise.level])
        """,
    ),
}

#: name → program that stays as it is.
LEFT_ALONE: Final[dict[str, str]] = {
    "a memory that lacks what its values come from": """
        class Agent:
            def __init__(self):
                self.net = tf.keras.Sequential([tf.keras.layers.Input((3,)), tf.keras.layers.Dense(2)])
                self.moves, self.logs = [], []
            def act(self, state):
                logs = tf.nn.log_softmax(self.net(state[None]))
                move = int(np.random.randint(2))
                self.moves.append(move)
                self.logs.append(float(logs[0, move]))
            def learn(self):
                with tf.GradientTape() as tape:
                    loss = -tf.reduce_mean(tf.stack(self.logs))
                grads = tape.gradient(loss, self.net.trainable_variables)
                self.moves, self.logs = [], []
                return grads
        agent = Agent()
        agent.act(np.random.rand(3).astype(np.float32))
        agent.learn()
        """,
    "a memory whose state has changed before it is kept": """
        class Agent:
            def __init__(self):
                self.net = tf.keras.Sequential([tf.keras.layers.Input((3,)), tf.keras.layers.Dense(2)])
                self.seen, self.logs = [], []
            def act(self, state):
                logs = tf.nn.log_softmax(self.net(state[None]))
                state = state * 0.5
                self.seen.append(state)
                self.logs.append(float(logs[0, 1]))
            def learn(self):
                with tf.GradientTape() as tape:
                    loss = -tf.reduce_mean(tf.stack(self.logs))
                grads = tape.gradient(loss, self.net.trainable_variables)
                self.seen, self.logs = [], []
                return grads
        agent = Agent()
        agent.act(np.ones(3, np.float32))
        agent.learn()
        """,
    "an array of data is filled by the same function": """
        def fill(out, w):
            for i in range(len(out)):
                out[i] = w[0] * i
        def model(w):
            out = np.zeros(3, dtype=np.float32)
            fill(out, w)
            return tf.convert_to_tensor(out)
        target = np.zeros(3, dtype=np.float32)
        fill(target, [2.0])
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(model(w) - target))
        tape.gradient(loss, w)
        """,
    "a function fills a part of an array": """
        def fill(row, w):
            for j in range(len(row)):
                row[j] = tf.reduce_sum(w) * (j + 1.0)
        def model(w):
            out = np.zeros((2, 3), dtype=np.float32)
            for i in range(2):
                fill(out[i], w)
            return tf.convert_to_tensor(out)
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(model(w))
        tape.gradient(loss, w)
        """,
    "a NumPy function in a table that data uses too": """
        ACT = {"tanh": np.tanh}
        table = ACT["tanh"](np.arange(3.0))
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(ACT["tanh"](w))
        tape.gradient(loss, w)
        """,
    "a list that is indexed in the loop of the graph": """
        w = tf.Variable(0.5)
        @tf.function
        def rollout(n):
            states = []
            for i in tf.range(n):
                states.append(tf.sin(w) if not states else tf.sin(states[-1]))
            return tf.stack(states)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(rollout(tf.constant(5)))
        tape.gradient(loss, w)
        """,
    "a target is no item that trains": """
        net = tf.keras.Sequential([tf.keras.layers.Input((2,)), tf.keras.layers.Dense(1)])
        x, rewards = tf.ones([3, 2]), [1.0, 0.0, 1.0]
        with tf.GradientTape() as tape:
            targets = np.stack([r + 0.9 * net(x[i:i + 1]).numpy()[0, 0] for i, r in enumerate(rewards)])
            loss = tf.reduce_mean(tf.square(net(x)[:, 0] - targets))
        tape.gradient(loss, net.trainable_variables)
        """,
    "an advantage is a weight and no term": """
        actor, critic = tf.Variable([1.0, 2.0]), tf.Variable([0.5, 0.5])
        with tf.GradientTape() as tape:
            value = tf.reduce_sum(critic)
            advantage = 1.0 - float(value)
            loss = -tf.reduce_sum(actor) * advantage + tf.square(1.0 - value)
        tape.gradient(loss, [actor, critic])
        """,
    "the loss of the step before is data": """
        w = tf.Variable([1.0, 2.0])
        before = 0.0
        for _ in range(3):
            with tf.GradientTape() as tape:
                cost = tf.reduce_sum(tf.square(w))
                gain = cost - before
            grads = tape.gradient(gain, w)
            before = float(cost)
        """,
    "the state of a layer is assigned to": """
        w = tf.Variable(1.0)
        def run(x):
            state = tf.Variable(w * x, trainable=False)
            state.assign(state * 0.5)
            return state * 2.0
        with tf.GradientTape() as tape:
            loss = run(2.0)
        tape.gradient(loss, w)
        """,
    "an integer that is an index too": """
        lanes = tf.Variable([1, 2])
        table = tf.constant([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.gather(table, lanes)) + tf.reduce_sum(tf.cast(lanes, tf.float32))
        tape.gradient(loss, lanes)
        """,
    "a model that is built by its input": """
        net = tf.keras.Sequential([tf.keras.layers.Input((2,)), tf.keras.layers.Dense(1)])
        weights = net.trainable_variables
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(net(tf.ones([3, 2])))
        tape.gradient(loss, weights)
        """,
    "a layer without weights that nobody makes may prepare data": """
        class Converter(tf.keras.layers.Layer):
            def call(self, audio):
                audio = np.pad(np.asarray(audio), ((0, 0), (1, 1)))
                return np.log(np.abs(np.fft.rfft(audio)) + 1e-3)
        """,
    "what a layer is given may be a dict": """
        class Pyramid(tf.keras.layers.Layer):
            def __init__(self):
                super().__init__()
                self.dense = tf.keras.layers.Dense(3)
            def call(self, inputs):
                levels = [int(name[1]) for name in inputs]
                return self.dense(inputs[f"P{min(levels)}"])
        """,
    "a list of slices is no fancy index": """
        class Align(tf.keras.layers.Layer):
            def build(self, shape):
                self.scale = self.add_weight(shape=(3,), name="scale")
            def call(self, x):
                where = [None] * 3
                where[1] = slice(None)
                return x * self.scale[tuple(where)]
        """,
    "a setting compared with a word": """
        class Bias(tf.keras.layers.Layer):
            def __init__(self, data_format=None):
                super().__init__()
                self.data_format = tf.keras.backend.standardize_data_format(data_format)
            def call(self, x):
                if self.data_format == "channels_last":
                    x = x + 1.0
                return x
        """,
    "a test for the presence of inputs": """
        class Tower(tf.keras.layers.Layer):
            def call(self, inputs):
                context, examples = inputs
                if not examples:
                    raise ValueError("no examples")
                total = tf.add_n(examples)
                if context and len(examples) > 1:
                    total = total + tf.add_n(context)
                return total
        """,
    "a function of SciPy inside of tf.numpy_function": """
        from scipy import sparse
        def paths(graph):
            return sparse.csgraph.shortest_path(graph)
        w = tf.Variable([[0.0, 1.0], [1.0, 0.0]])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.numpy_function(paths, [w], tf.float64))
        tape.gradient(loss, w)
        """,
}

PATH: Final = Path("main.py")


def outcome(text: str) -> tuple[str, Rewritten]:
    """A program, and what comes of it."""
    program = HEAD + dedent(text).lstrip()
    return program, rewrite({PATH: program})


@pytest.mark.parametrize(("before", "after"), REPAIRED.values(), ids=REPAIRED.keys())
def test_repaired(before: str, after: str) -> None:
    _, result = outcome(before)
    written = result.texts[PATH]
    assert written == HEAD + dedent(after).lstrip()
    assert not rewrite({PATH: written}).texts, "a second run changes it again"


@pytest.mark.parametrize("text", LEFT_ALONE.values(), ids=LEFT_ALONE.keys())
def test_left_alone(text: str) -> None:
    _, result = outcome(text)
    assert not result.texts
