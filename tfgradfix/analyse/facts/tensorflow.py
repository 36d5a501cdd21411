"""What TensorFlow's functions do to the gradient path.

What carries no gradient at all stands in ``tensorflow_gradients``.
Names are canonical and without the leading ``tensorflow.``; ``math.x`` also stands for ``x``.
"""

from __future__ import annotations

from typing import Final

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
    "fill": (0,),
    "linspace": (2,),
    "random.normal": (0,),
    "random.uniform": (0,),
    "random.truncated_normal": (0,),
    "random.gamma": (0,),
    "random.stateless_normal": (0, 1),
    "random.stateless_uniform": (0, 1),
    "random.stateless_truncated_normal": (0, 1),
    "random.stateless_gamma": (0, 1),
}

#: Hand their (first) argument on unchanged; wrapping is not an operation.
CONVERSIONS: Final = frozenset({"convert_to_tensor", "constant", "Variable", "identity", "cast"})
