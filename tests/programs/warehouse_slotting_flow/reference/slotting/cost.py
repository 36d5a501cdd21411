"""What a placement costs. observe() is called first, then value(); the last flow is kept for the heat map."""
import math

import numpy as np
import tensorflow as tf


class TravelCost:
    name = "travel"

    def __init__(self, distance):
        self.distance = tf.constant(distance)
        self.flow = None
        self.seen = 0

    def observe(self, placement, wanted):
        """Picks per aisle for a batch of orders; placement is (items, aisles) with rows that add up to one."""
        self.flow = tf.matmul(wanted, placement)
        self.seen += len(wanted)
        return self

    def value(self):
        return tf.reduce_mean(tf.reduce_sum(self.flow * self.distance, axis=1)) + self.extra()

    def extra(self):
        return 0.0

    def heat_map(self):
        """Text picture of the last batch, busiest aisle first."""
        load = self.flow.numpy().sum(axis=0)
        order = load.argsort()[::-1]
        load[load < 0.5] = 0.0
        return [f"aisle {a}: {'#' * int(load[a])}" for a in order]


class CongestionCost(TravelCost):
    """Adds the waiting time in crowded aisles."""

    name = "congestion"

    def __init__(self, distance, capacity, weight=0.3):
        super().__init__(distance)
        self.capacity, self.weight = capacity, weight
        self.norm = math.sqrt(float(np.sum(np.square(distance))))

    def extra(self):
        load = tf.reduce_mean(self.flow, axis=0)
        crowd = tf.nn.softplus(8.0 * (load - self.capacity)) / 8.0
        return self.weight * tf.norm(crowd) * self.norm
