"""Weekly irrigation plan for four plots: a water balance with Python's max, min, sum, abs, pow and round."""
import math

import numpy as np
import tensorflow as tf

PLOTS = 4
WEEKS = 6
CAPACITY = (60.0, 80.0, 45.0, 70.0)
WILT = 0.35
BUDGET = 55.0


def season(seed):
    """Evaporation and rain in mm per week; the driest week is reported."""
    rng = np.random.default_rng(seed)
    demand = [round(float(v), 1) for v in rng.uniform(18.0, 34.0, size=WEEKS)]
    rain = [max(0.0, float(v)) for v in rng.normal(8.0, 9.0, size=WEEKS)]
    driest = min(range(WEEKS), key=lambda w: rain[w] - demand[w])
    return demand, rain, driest


class Plan(tf.Module):
    def __init__(self):
        super().__init__(name="plan")
        self.valve = tf.Variable(tf.random.stateless_normal((WEEKS, PLOTS), seed=(1, 2)) * 0.2 + 1.5, name="valve")
        self.trust = tf.Variable(0.8, name="trust")  # share of the rain that the plan counts on

    def water(self, week):
        return [10.0 * tf.nn.softplus(self.valve[week, plot]) for plot in range(PLOTS)]

    @tf.function
    def cost(self, demand, rain):
        level = [0.7 * c for c in CAPACITY]
        stress, spilled, peaks = [], [], []
        for week in range(WEEKS):
            given = self.water(week)
            for plot in range(PLOTS):
                filled = level[plot] + given[plot] + self.trust * rain[week] - demand[week]
                stored = min(max(filled, 0.0), CAPACITY[plot])
                spilled.append(abs(filled - stored))
                stress.append(pow(max(WILT - stored / CAPACITY[plot], 0.0), 2))
                level[plot] = stored
            peaks.append(max(given))
            over = max(0.0, sum(given) - BUDGET)
            stress.append(0.001 * over)
        worst = max(stress)
        return 10.0 * sum(stress) + 0.02 * sum(spilled) + 0.01 * max(peaks) + worst - 0.05 * min(level) / max(CAPACITY)


def main(iterations=5):
    demand, rain, driest = season(21)
    print("driest week", driest, "rain", round(sum(rain), 1), "demand", round(sum(demand), 1))
    plan = Plan()
    optimizer = tf.keras.optimizers.Adam(0.05)
    best = math.inf
    for n in range(iterations):
        with tf.GradientTape() as tape:
            cost = plan.cost(demand, rain)
        grads = tape.gradient(cost, plan.trainable_variables)
        optimizer.apply_gradients(zip(grads, plan.trainable_variables))
        best = min(best, float(cost))
        print(f"iteration {n}: cost {float(cost):.4f}")
    given = np.array([[float(w) for w in plan.water(week)] for week in range(WEEKS)])
    print("best", round(best, 4), "mm per plot", given.sum(axis=0).round(1).tolist(), "largest week", max(given.sum(axis=1)).round(1))


if __name__ == "__main__":
    main()
