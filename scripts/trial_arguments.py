"""Arguments to try a TensorFlow function with: floats that a tape watches, and what the names of parameters ask for."""

from __future__ import annotations

import inspect
import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import tensorflow as tf

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: Shapes of the first argument, one after the other until a call gives a gradient.
SHAPES: Final = ((4,), (4, 4), (2, 6, 6, 4), (2, 4, 4), (), (2, 6, 6, 3), (1, 4, 6, 6, 2))
#: Combinations of arguments that are tried with one shape.
COMBINATIONS: Final = 24
#: Optional parameters that are data, so that a call without them says nothing of them.
OPTIONAL_DATA: Final = frozenset(
    "x y a b weights values on_value off_value labels logits mean stddev minval maxval".split()
)


@dataclass
class Scene:
    """One trial: a shape, and the watched floats that were made for it."""

    shape: tuple[int, ...]
    tape: Any
    kind: str = "float"
    sources: list[Any] = field(default_factory=list)

    def floats(self, *shape: int, of: tuple[int, ...] | None = None) -> Any:
        """A watched tensor of ``shape``, or of the shape of the scene; a square matrix is symmetric and regular."""
        shape = self.shape if of is None and not shape else (of or shape)
        drawn = np.random.default_rng(len(self.sources)).uniform(0.15, 0.85, shape)
        if len(shape) >= 2 and shape[-1] == shape[-2]:
            drawn = drawn + np.swapaxes(drawn, -1, -2) + 3.0 * np.eye(shape[-1])
        source = tf.constant(drawn, tf.float32)
        self.tape.watch(source)
        self.sources.append(source)
        return source

    @property
    def rank(self) -> int:
        """Axes of the first argument."""
        return len(self.shape)

    @property
    def rows(self) -> int:
        """Length of the first axis."""
        return self.shape[0] if self.shape else 1


def _filters(scene: Scene) -> Any:
    return scene.floats(*([2] * max(scene.rank - 2, 1)), scene.shape[-1] if scene.shape else 1, 3)


def _data(scene: Scene) -> Any:
    """Data of the scene's kind, made of watched floats."""
    floats = scene.floats()
    return KINDS[scene.kind](floats)


def _many(scene: Scene) -> list[Any]:
    return [_data(scene), _data(scene)]


def _rows(scene: Scene) -> Any:
    return tf.constant(np.arange(scene.rows) // 2, tf.int32)


#: What parameters of a name are given: the first that the function takes wins.
HINTS: Final[dict[str, tuple[Callable[[Scene], Any], ...]]] = {
    "axis": (lambda s: 0, lambda s: -1, lambda s: [0]),
    "axes": (lambda s: 1, lambda s: [0]),
    "dim": (lambda s: 0,),
    "dtype": (lambda s: tf.float32, lambda s: tf.int32),
    "Tout": (lambda s: tf.float32,),
    "shape": (lambda s: list(s.shape), lambda s: [-1]),
    "output_shape": (lambda s: list(s.shape), lambda s: [2, 7, 7, 4]),
    "perm": (lambda s: list(range(s.rank))[::-1],),
    "multiples": (lambda s: [1] * s.rank,),
    "repeats": (lambda s: 2,),
    "paddings": (lambda s: [[1, 1]] * s.rank, lambda s: [[0, 0], [0, 0]]),
    "begin": (lambda s: [0] * s.rank,),
    "size": (lambda s: [1] * s.rank, lambda s: [3, 3]),
    "shift": (lambda s: 1,),
    "num_or_size_splits": (lambda s: 2,),
    "num_partitions": (lambda s: 2,),
    "partitions": (lambda s: tf.constant(np.arange(s.rows) % 2, tf.int32),),
    "num_segments": (lambda s: 4,),
    "segment_ids": (_rows,),
    "indices": (
        lambda s: tf.constant([0, 1], tf.int32),
        lambda s: [tf.constant([0, 1], tf.int32), tf.constant([2, 3], tf.int32)],
        lambda s: tf.constant([[0], [1]], tf.int32),
        lambda s: s.floats(),
    ),
    "ids": (lambda s: tf.constant([0, 1], tf.int32),),
    "mask": (lambda s: tf.constant(np.arange(s.rows) % 2 == 0), lambda s: tf.ones(s.shape, tf.bool)),
    "condition": (lambda s: tf.constant(np.arange(int(np.prod(s.shape))).reshape(s.shape) % 2 == 0),),
    "depth": (lambda s: 4,),
    "k": (lambda s: 1, lambda s: 2),
    "n": (lambda s: 2,),
    "num_classes": (lambda s: 4,),
    "targets": (lambda s: tf.zeros([s.rows], tf.int32), lambda s: s.floats()),
    "labels": (
        lambda s: s.floats(),
        lambda s: tf.zeros(s.shape[:-1], tf.int32),
        lambda s: tf.zeros([s.rows], tf.int64),
    ),
    "clip_value_min": (lambda s: 0.0,),
    "clip_value_max": (lambda s: 1.0,),
    "value_range": (lambda s: [0.0, 1.0],),
    "clip_norm": (lambda s: 1.0,),
    "boundaries": (lambda s: [0.3, 0.6],),
    "bias": (lambda s: s.floats(s.shape[-1] if s.shape else 1),),
    "filters": (_filters,),
    "filter": (_filters,),
    "ksize": (lambda s: 2, lambda s: [1, 2, 2, 1]),
    "strides": (lambda s: 1, lambda s: [1, 1, 1, 1], lambda s: [1] * 5),
    "stride": (lambda s: 1,),
    "padding": (lambda s: "VALID",),
    "dilations": (lambda s: [1, 1, 1, 1],),
    "rates": (lambda s: [1, 1, 1, 1],),
    "sizes": (lambda s: [1, 2, 2, 1],),
    "pooling_type": (lambda s: "AVG",),
    "window_shape": (lambda s: [2, 2],),
    "pooling_ratio": (lambda s: [1.0, 1.44, 1.73, 1.0],),
    "data_format": (lambda s: "NHWC",),
    "block_size": (lambda s: 2,),
    "block_shape": (lambda s: [2, 2],),
    "crops": (lambda s: [[0, 0], [0, 0]],),
    "depth_radius": (lambda s: 2,),
    "equation": (lambda s: "i,i->i", lambda s: "ij,jk->ik"),
    "ord": (lambda s: 2,),
    "variance_epsilon": (lambda s: 1e-3,),
    "scale": (lambda s: s.floats(s.shape[-1] if s.shape else 1),),
    "offset": (lambda s: s.floats(s.shape[-1] if s.shape else 1),),
    "rate": (lambda s: 0.5,),
    "frame_length": (lambda s: 2,),
    "frame_step": (lambda s: 1,),
    "factor": (lambda s: 2.0,),
    "delta": (lambda s: 0.1,),
    "central_fraction": (lambda s: 0.5,),
    "target_height": (lambda s: 4,),
    "target_width": (lambda s: 4,),
    "offset_height": (lambda s: 0,),
    "offset_width": (lambda s: 0,),
    "max_val": (lambda s: 1.0,),
    "max_delta": (lambda s: 0.3,),
    "lower": (lambda s: 0.5,),
    "upper": (lambda s: 1.5,),
    "crop_size": (lambda s: [3, 3],),
    "boxes": (lambda s: s.floats(2, 4),),
    "box_indices": (lambda s: tf.constant([0, 1], tf.int32),),
    "scores": (lambda s: s.floats(s.rows),),
    "max_output_size": (lambda s: 2,),
    "seed": (lambda s: [1, 2], lambda s: 1),
    "num_samples": (lambda s: 2,),
    "num_lower": (lambda s: 1,),
    "num_upper": (lambda s: 1,),
    "rhs": (lambda s: s.floats(), lambda s: s.floats(s.rows, 1)),
    "diagonal": (lambda s: s.floats(s.rows), lambda s: s.floats(of=s.shape[:-1])),
    "diagonals": (lambda s: s.floats(3, s.rows),),
    "pred": (lambda s: tf.constant(True),),
    "fn": (lambda s: lambda *given: given[0] * 2.0,),
    "values": (_data, _many),
    "inputs": (_data, _many),
    "tensors": (_many,),
    "t_list": (_many,),
    "data": (lambda s: s.floats(), lambda s: [s.floats(2, 3), s.floats(2, 3)]),
    "sp_input": (lambda s: tf.sparse.from_dense(s.floats()),),
    "sp_a": (lambda s: tf.sparse.from_dense(s.floats()),),
    "sp_inputs": (lambda s: [tf.sparse.from_dense(s.floats()), tf.sparse.from_dense(s.floats())],),
    "sequence_length": (lambda s: tf.fill([s.shape[1] if s.rank > 1 else 1], s.rows),),
    "updates": (lambda s: s.floats(of=(2, *s.shape[1:])), lambda s: s.floats(2)),
    "sorted_sequence": (lambda s: s.floats(),),
    "bits": (lambda s: 8,),
    "type": (lambda s: tf.int32,),
    "min_range": (lambda s: 0.0,),
    "max_range": (lambda s: 1.0,),
    "T": (lambda s: tf.qint8,),
    "input_min": (lambda s: -1.0,),
    "input_max": (lambda s: 1.0,),
    "min": (lambda s: s.floats(of=()), lambda s: -1.0),
    "max": (lambda s: s.floats(of=()), lambda s: 1.0),
    "start": (lambda s: s.floats(of=()), lambda s: 0.0),
    "stop": (lambda s: s.floats(of=()), lambda s: 4.0),
    "num": (lambda s: 4,),
    "num_bits": (lambda s: 8,),
    "minlength": (lambda s: 4,),
    "dims": (lambda s: [2, 3],),
    "fft_length": (lambda s: [4],),
    "coeffs": (_many,),
    "contrast_factor": (lambda s: 2.0,),
    "saturation_factor": (lambda s: 2.0,),
    "end": (lambda s: [1] * s.rank,),
    "seq_lengths": (lambda s: tf.fill([s.rows], 1),),
    "seq_axis": (lambda s: 1,),
    "img1": (lambda s: s.floats(1, 16, 16, 3),),
    "img2": (lambda s: s.floats(1, 16, 16, 3),),
    "filter_size": (lambda s: 3,),
    "sparse_labels": (lambda s: tf.zeros(s.shape[:-1], tf.int32),),
}
#: What data is made of the watched floats. Other kinds than floats are for functions that refuse floats.
KINDS: Final[dict[str, Callable[[Any], Any]]] = {
    "float": lambda floats: floats,
    "complex": lambda floats: tf.complex(floats, 2.0 * floats),
    "bool": lambda floats: floats > 0.5,
    "int": lambda floats: tf.cast(4.0 * floats, tf.int32),
    "string": tf.as_string,
}
#: What any other parameter is given.
DATA: Final[tuple[Callable[[Scene], Any], ...]] = (_data,)


def _parameters(function: Callable[..., Any], *, data: bool) -> dict[str, tuple[Callable[[Scene], Any], ...]]:
    """The parameters that a trial fills, optional data too where ``data``, with the ways to fill each."""
    filled = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is parameter.VAR_POSITIONAL:
            filled["*"] = DATA
        elif parameter.kind is not parameter.VAR_KEYWORD and (
            parameter.default is parameter.empty or (data and name in OPTIONAL_DATA)
        ):
            filled[name] = HINTS.get(name, DATA)
    return filled


def trials(function: Callable[..., Any]) -> Iterator[tuple[str, tuple[int, ...], dict[str, Callable[[Scene], Any]]]]:
    """The kinds of data, the shapes and the makers of the arguments, by name, in the order in which they are tried.

    ``*`` stands for positional arguments. Optional data is given first, and left out in a second round.

    Raises:
        ValueError: the function tells no signature.
    """
    with_data, without = (_parameters(function, data=data) for data in (True, False))
    rounds = [with_data] if with_data == without else [with_data, without]
    for kind, ways, shape in itertools.product(KINDS, rounds, SHAPES):
        for picked in itertools.islice(itertools.product(*ways.values()), COMBINATIONS):
            yield kind, shape, dict(zip(ways, picked, strict=True))
