"""Temperature responses of the vine, one per phase."""
from functools import partial

import tensorflow as tf

from .elementwise import elementwise


@elementwise(minimum=1e-3)
def chill(temperature, best=3.0, spread=4.0):
    """Most effective at `best` degrees."""
    return tf.exp(-tf.square((temperature - best) / spread))


@elementwise()
def forcing(temperature, base=8.0, slope=0.4):
    """Warmth above the base, with a soft knee."""
    return tf.nn.softplus(slope * (temperature - base)) / slope


STAGES = (
    ("rest", partial(chill, spread=5.0)),
    ("bud break", partial(forcing, slope=0.6)),
    ("flowering", forcing),
)


def units(stages, parameters, temperature):
    """Summed response of every stage; parameters is one learned number a stage."""
    sums = []
    for (name, response), parameter in zip(stages, parameters):
        keyword = "best" if name == "rest" else "base"
        sums.append(tf.reduce_sum(response(temperature, **{keyword: parameter}), axis=-1))
    return tf.stack(sums, axis=-1)
