"""What TensorFlow's functions do to the gradient path.

A function that is not listed is differentiable in all its arguments.
Names are canonical and without the leading ``tensorflow.``; ``math.x`` also stands for ``x``.
"""

from __future__ import annotations

from typing import Final

#: The result has no useful derivative.
NO_GRADIENT: Final = frozenset(
    """
    argmax argmin argsort math.argmax math.argmin round floor ceil math.round math.floor math.ceil math.rint
    equal not_equal greater greater_equal less less_equal math.equal math.not_equal math.greater math.greater_equal
    math.less math.less_equal logical_and logical_or logical_not math.logical_and math.logical_or math.logical_not
    math.logical_xor reduce_any reduce_all math.reduce_any math.reduce_all math.is_nan math.is_inf math.is_finite
    math.is_strictly_increasing math.is_non_decreasing debugging.is_numeric_tensor math.count_nonzero math.floordiv
    floor_div math.bincount bitcast searchsorted unique unique_with_counts histogram_fixed_width
    histogram_fixed_width_bins math.in_top_k nn.in_top_k math.invert_permutation math.zero_fraction nn.zero_fraction
    math.confusion_matrix random.categorical sort_indices boolean_mask_indices strings.as_string as_string
    one_hot sequence_mask math.sign sign
    """.split()
)

#: Modules whose functions work on texts, bits and sets.
WITHOUT_GRADIENT: Final = ("strings.", "bitwise.", "sets.", "audio.", "io.")

#: Makes data: the arguments decide shape, dtype or seed, not the values.
CONSTANT: Final = frozenset(
    """
    zeros ones zeros_like ones_like fill eye range linspace linspace_nd shape size rank shape_n
    random.normal random.uniform random.truncated_normal random.stateless_normal random.stateless_uniform
    random.shuffle random.set_seed random.Generator.from_seed random.gamma random.poisson
    """.split()
)

#: Gives a list of tensors.
LISTS: Final = frozenset("unstack split meshgrid dynamic_partition nest.flatten ".split())

#: Gives a tuple of tensors.
TUPLES: Final = frozenset(
    """
    linalg.slogdet linalg.svd linalg.eigh linalg.eig linalg.qr linalg.lu nn.moments math.top_k nn.top_k
    clip_by_global_norm nn.weighted_moments svd linalg.logm_pair
    """.split()
)

#: Reductions: without an axis the result is a scalar.
REDUCTIONS: Final = frozenset(
    """
    reduce_sum reduce_mean reduce_max reduce_min reduce_prod reduce_any reduce_all math.reduce_sum math.reduce_mean
    math.reduce_max math.reduce_min math.reduce_prod math.reduce_std math.reduce_variance math.reduce_logsumexp
    reduce_logsumexp math.reduce_any math.reduce_all linalg.trace norm linalg.norm math.reduce_euclidean_norm
    linalg.det add_n_scalar nn.l2_loss linalg.global_norm
    """.split()
)

#: Keep the shape of their first argument.
ELEMENTWISE: Final = frozenset(
    """
    abs math.abs exp math.exp math.log math.log1p math.expm1 sqrt math.sqrt math.rsqrt square math.square sin cos tan
    math.sin math.cos math.tan tanh math.tanh sigmoid math.sigmoid nn.relu nn.elu nn.gelu nn.softplus nn.sigmoid nn.tanh
    nn.leaky_relu nn.selu nn.swish nn.silu nn.softmax nn.log_softmax identity negative math.negative math.erf math.sinh
    math.cosh math.atan math.asin math.acos math.reciprocal clip_by_value math.cumsum cumsum cumprod math.cumprod
    stop_gradient cast math.conj zeros_like ones_like math.sign sign math.lgamma math.digamma math.softplus
    """.split()
)

#: Parameters through which no gradient passes, where the others do: name → positions.
SELECTORS: Final = {
    "where": (0,),
    "gather": (1,),
    "gather_nd": (1,),
    "one_hot": (0,),
    "boolean_mask": (1,),
    "reshape": (1,),
    "tile": (1,),
    "transpose": (1,),
    "pad": (1,),
    "slice": (1, 2),
    "strided_slice": (1, 2, 3),
    "scatter_nd": (0, 2),
    "cast": (1,),
    "tensor_scatter_nd_update": (1,),
    "tensor_scatter_nd_add": (1,),
    "broadcast_to": (1,),
    "roll": (1, 2),
    "repeat": (1,),
    "math.unsorted_segment_sum": (1, 2),
    "math.segment_sum": (1,),
    "math.segment_mean": (1,),
    "math.unsorted_segment_mean": (1, 2),
    "nn.embedding_lookup": (1,),
    "nn.sparse_softmax_cross_entropy_with_logits": (0,),
    "expand_dims": (1,),
    "split": (1,),
}

#: Hand their (first) argument on unchanged; wrapping is not an operation.
CONVERSIONS: Final = frozenset({"convert_to_tensor", "constant", "Variable", "identity", "cast"})
