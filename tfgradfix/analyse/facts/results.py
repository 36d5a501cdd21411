"""Which TensorFlow and Keras functions give tensors.

Whatever is not known to give a tensor gives an unknown value: ``backend.standardize_dtype(x)`` is a string,
``tf.inside_function()`` a bool, and a test on either is no test on a tensor.
Names are canonical, without the leading ``tensorflow.`` or ``keras.``.
"""

from __future__ import annotations

from typing import Final

#: Modules of TensorFlow whose functions give datasets, files, settings, or nothing.
_OTHER_MODULES: Final = tuple(
    f"{name}."
    for name in """
    __internal__ autograph compat config data debugging distribute dtensor errors experimental feature_column
    graph_util io lite lookup mlir nest profiler python saved_model summary sysconfig test tools tpu train types
    version xla
    """.split()
)

#: Functions of those modules that do give a tensor.
_TENSORS_THERE: Final = frozenset(
    """
    debugging.check_numerics io.decode_raw io.decode_image io.decode_jpeg io.decode_png io.decode_bmp io.parse_tensor
    io.read_file io.decode_base64 io.encode_base64 io.serialize_tensor
    """.split()
)

#: Functions of the other modules that give Python values, contexts, specifications or nothing.
_OTHER_VALUES: Final = frozenset(
    """
    Assert as_dtype assert_equal assert_greater assert_less assert_rank broadcast_static_shape control_dependencies
    device dtypes.as_dtype executing_eagerly get_current_name_scope get_logger get_static_value group import_graph_def
    init_scope inside_function is_symbolic_tensor is_tensor load_library load_op_library make_ndarray make_tensor_proto
    name_scope no_gradient no_op print random.create_rng_state random.get_global_generator
    random.set_global_generator random.set_seed register_tensor_conversion_function
    required_space_to_batch_paddings type_spec_from_value variable_creator_scope
    random.experimental.get_global_generator random.experimental.set_global_generator
    random.experimental.create_rng_state
    """.split()
)

#: Modules of Keras whose functions give tensors, and what in them does not.
_TENSOR_MODULES: Final = ("ops.", "random.", "activations.", "losses.", "metrics.", "layers.", "regularizers.")
_NO_TENSORS_THERE: Final = frozenset(
    """
    convert_to_numpy custom_gradient deserialize device dtype get is_tensor ndim rearrange_parser serialize shape
    """.split()
)

#: The functions of ``keras.backend`` that give tensors.
_BACKEND: Final = frozenset(
    """
    abs all any arange argmax argmin batch_dot batch_flatten batch_normalization bias_add binary_crossentropy
    binary_focal_crossentropy cast categorical_crossentropy categorical_focal_crossentropy clip concatenate constant
    conv1d conv2d conv2d_transpose conv3d cos count_params ctc_batch_cost ctc_decode ctc_label_dense_to_sparse cumprod
    cumsum depthwise_conv2d dot dropout elu equal exp expand_dims eye flatten foldl foldr gather greater greater_equal
    hard_sigmoid identity in_test_phase in_top_k in_train_phase l2_normalize less less_equal local_conv1d local_conv2d
    log logsumexp map_fn max maximum mean min minimum moving_average_update not_equal
    normalize_batch_in_training one_hot ones ones_like permute_dimensions placeholder pool2d pool3d pow prod
    random_bernoulli random_binomial random_normal random_normal_variable random_uniform random_uniform_variable relu
    repeat repeat_elements reshape resize_images resize_volumes reverse round separable_conv1d separable_conv2d sigmoid
    sign sin slice softmax softplus softsign sparse_categorical_crossentropy spatial_2d_padding spatial_3d_padding sqrt
    square squeeze stack std stop_gradient sum switch tanh temporal_padding tile to_dense transpose truncated_normal
    update update_add update_sub var variable zeros zeros_like convert_to_tensor
    """.split()
)

#: Functions of Keras that give a plain Python value.
_PLAIN: Final = {
    "backend.epsilon": "number",
    "config.epsilon": "number",
    "backend.ndim": "number",
    "ops.ndim": "number",
    "backend.int_shape": "shape",
    "ops.shape": "shape",
    "ops.dtype": "string",
    "backend.dtype": "string",
    "backend.floatx": "string",
    "config.floatx": "string",
    "backend.image_data_format": "string",
    "config.image_data_format": "string",
    "backend.standardize_dtype": "string",
    "backend.standardize_data_format": "string",
    "backend.is_keras_tensor": "bool",
    "backend.is_int_dtype": "bool",
    "backend.is_float_dtype": "bool",
    "ops.is_tensor": "bool",
    "backend.is_tensor": "bool",
    "backend.is_sparse": "bool",
    "tree.is_nested": "bool",
}


def keras_plain_kind(name: str) -> str | None:
    """The kind of plain value ("number", "string", "bool", "shape") that the Keras function gives, or None."""
    return _PLAIN.get(name)


def tensorflow_gives_tensor(name: str) -> bool:
    """Whether the TensorFlow function ``name`` (without ``tensorflow.``) gives a tensor."""
    if name in _TENSORS_THERE:
        return True
    return name not in _OTHER_VALUES and not name.startswith(_OTHER_MODULES)


def keras_gives_tensor(name: str) -> bool:
    """Whether the Keras function ``name`` (without ``keras.``) gives a tensor."""
    module, _, last = name.rpartition(".")
    if module == "backend":
        return last in _BACKEND
    return name.startswith(_TENSOR_MODULES) and last not in _NO_TENSORS_THERE
