"""Find yaw angles that lift the power of the whole farm, and refine the wake deflection on a SCADA record."""
import numpy as np
import tensorflow as tf

from farm import YawPlan, load_farm

TURBINES, WIND = 9, 0.15


def main(turns=6):
    along, across, shaded, order = load_farm(TURBINES, WIND)
    plan = YawPlan(along, across)
    scada = (1.0 - shaded) ** 3 * np.random.default_rng(1).normal(1.0, 0.01, TURBINES)
    optimizer = tf.keras.optimizers.Adam(0.05)
    gained = []
    for turn in range(turns):
        with tf.GradientTape(persistent=True) as tape:
            power = plan.power()
            farm_loss = -tf.reduce_mean(power)
            record_loss = tf.reduce_mean(tf.square(power - scada))
        steer = tape.gradient(farm_loss, plan.raw)
        wake = tape.gradient(record_loss, plan.bend)
        del tape
        if wake is None:
            print("   the record does not reach the wake model")
            wake = tf.zeros_like(plan.bend)
        optimizer.apply_gradients([(steer, plan.raw), (0.1 * wake, plan.bend)])
        gained.append(float(tf.reduce_sum(power)) - np.sum((1.0 - shaded) ** 3))
        print(f"turn {turn}: farm {-float(farm_loss):.5f} gained {gained[-1]:+.4f} record {float(record_loss):.6f}")
    angles = np.rad2deg(plan.angles().numpy())
    print("yaw from the windward side", angles[order].round(1).tolist())
    print("shaded most", int(np.argmax(shaded)), "best turn", int(np.argmax(gained)), "bend", round(float(plan.bend), 3))


if __name__ == "__main__":
    main()
