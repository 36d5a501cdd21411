"""NumPy's linear algebra: products in the main namespace, and `numpy.linalg`."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tfgradfix.analyse.facts.rows import Effect, Form, Row, absent, dtype, equals, form, given, operators, rank

_TNP: Final = "tf.experimental.numpy"
_MANY: Final = (2, 3, 4, 5, 6)
_UFUNC: Final = "out=None, casting='same_kind', order='K', dtype=None, subok=True, axes=None, axis=None, keepdims=False"


def _product(name: str, signature: str, *forms: Form | str, names: tuple[str, ...] = ("a", "b")) -> Row:
    """A product of operands that TensorFlow wants in one dtype, NumPy ones too."""
    made = tuple(entry if isinstance(entry, Form) else form(entry) for entry in forms)
    ignored = tuple(known for known in ("casting", "order", "subok", "optimize") if f" {known}=" in signature)
    return Row(f"numpy.{name}", signature, made, carries=names, strict=True, ignored=ignored)


def _of_matrix(name: str, write: str, signature: str = "(a)", gives: str = "", results: int = 1) -> Row:
    """A function of one matrix, or of a stack of them."""
    return Row(f"numpy.linalg.{name}", signature, (form(write),), floats=True, gives=gives, results=results)


def by_rank(first: str, second: str, last: str) -> tuple[Form, ...]:
    """The forms of a dot product for known ranks, and ``last`` for others."""
    a, b = f"{{{first}}}", f"{{{second}}}"
    return (
        form(f"tf.tensordot({a}, {b}, 1)", rank(first, 1), rank(second, 1)),
        form(f"tf.matmul({a}, {b})", rank(first, 2), rank(second, 2)),
        form(f"tf.linalg.matvec({a}, {b})", rank(first, 2), rank(second, 1)),
        form(f"tf.linalg.matvec({b}, {a}, transpose_a=True)", rank(first, 1), rank(second, 2)),
        form(last),
    )


_EINSUM: Final = "write the products out with tf.matmul or tf.einsum"
_NORM_RANK: Final = "the rank of the operand decides between a vector's norm and a matrix's, and it is not known"

_PRODUCTS: Final[tuple[Row, ...]] = (
    _product("dot", "(a, b, out=None)", *by_rank("a", "b", f"{_TNP}.dot({{a}}, {{b}})")),
    _product(
        "matmul",
        f"(x1, x2, {_UFUNC})",
        form("tf.matmul({x1}, {x2})", rank("x1", *_MANY), rank("x2", *_MANY)),
        *(
            found
            for found in by_rank("x1", "x2", f"{_TNP}.matmul({{x1}}, {{x2}})")
            if found.write != "tf.matmul({x1}, {x2})"
        ),
        names=("x1", "x2"),
    ),
    _product(
        "inner",
        "(a, b)",
        form("tf.tensordot({a}, {b}, 1)", rank("a", 1), rank("b", 1)),
        f"{_TNP}.inner({{a}}, {{b}})",
    ),
    _product("outer", "(a, b, out=None)", f"{_TNP}.outer({{a}}, {{b}})"),
    _product("vdot", "(a, b)", f"{_TNP}.vdot({{a}}, {{b}})"),
    _product("kron", "(a, b)", f"{_TNP}.kron({{a}}, {{b}})"),
    _product("tensordot", "(a, b, axes=2)", "tf.tensordot({a}, {b}, {axes|2})"),
    _product(
        "einsum",
        "(subscripts, *operands, out=None, dtype=None, order='K', casting='safe', optimize=False)",
        "tf.einsum({subscripts}, {operands})",
        names=("operands",),
    ),
    _product(
        "cross",
        "(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None)",
        f"{_TNP}.cross({{a}}, {{b}}, axisa={{axisa}}, axisb={{axisb}}, axisc={{axisc}}, axis={{axis}})",
    ),
    Row(
        "numpy.trace",
        "(a, offset=0, axis1=0, axis2=1, dtype=None, out=None)",
        (
            form("tf.linalg.trace({a})", rank("a", 2)),
            form(f"{_TNP}.trace({{a}}, offset={{offset}}, axis1={{axis1}}, axis2={{axis2}})"),
        ),
    ),
    _product("matvec", f"(x1, x2, {_UFUNC})", "tf.linalg.matvec({x1}, {x2})", names=("x1", "x2")),
    _product("vecmat", f"(x1, x2, {_UFUNC})", "tf.linalg.matvec({x2}, {x1}, transpose_a=True)", names=("x1", "x2")),
    _product("vecdot", f"(x1, x2, {_UFUNC})", operators("tf.reduce_sum({x1} * {x2}, axis=-1)"), names=("x1", "x2")),
    Row("numpy.einsum_path", "(subscripts, *operands, optimize='greedy', einsum_call=False)", effect=Effect.SHAPE),
)

ROWS: Final[tuple[Row, ...]] = (
    *_PRODUCTS,
    # matrices
    Row(
        "numpy.linalg.norm",
        "(x, ord=None, axis=None, keepdims=False)",
        (
            form("tf.norm(tf.abs({x}), axis={axis}, keepdims={keepdims})", absent("ord"), dtype("x", "complex")),
            form("tf.norm({x}, axis={axis}, keepdims={keepdims})", absent("ord")),
            form("tf.norm({x})", equals("ord", "fro"), absent("axis"), absent("keepdims")),
            form(
                "tf.norm({x}, ord={ord}, axis={axis}, keepdims={keepdims})",
                equals("ord", 1, 2, 3, 4, "inf"),
                given("axis"),
            ),
            form(
                "tf.norm({x}, ord={ord}, keepdims={keepdims})",
                equals("ord", 1, 2, 3, 4, "inf"),
                rank("x", 1),
            ),
            form(
                "tf.norm({x}, ord={ord}, axis=[0, 1], keepdims={keepdims})",
                equals("ord", 1, 2, "inf"),
                rank("x", 2),
            ),
            form("tf.reduce_sum(tf.linalg.svd({x}, compute_uv=False))", equals("ord", "nuc"), absent("axis")),
        ),
        reason=_NORM_RANK,
        gives="real",
    ),
    _of_matrix("inv", "tf.linalg.inv({a})"),
    _of_matrix("det", "tf.linalg.det({a})"),
    _of_matrix("slogdet", "tf.linalg.slogdet({a})", results=2),
    _of_matrix("cholesky", "tf.linalg.cholesky({a})", "(a, upper=False)"),
    _of_matrix("eigh", "tf.linalg.eigh({a})", "(a, UPLO='L')", results=2),
    _of_matrix("eigvalsh", "tf.linalg.eigvalsh({a})", "(a, UPLO='L')", gives="real"),
    _of_matrix("pinv", "tf.linalg.pinv({a}, rcond={rcond})", "(a, rcond=None, hermitian=False, rtol=None)"),
    Row(
        "numpy.linalg.solve",
        "(a, b)",
        (
            form("tf.linalg.solve({a}, {b})", rank("b", *_MANY)),
            form("tf.squeeze(tf.linalg.solve({a}, tf.expand_dims({b}, axis=-1)), axis=-1)", rank("b", 1)),
        ),
        reason="the rank of the right side decides between one system and several, and it is not known",
        carries=("a", "b"),
        strict=True,
    ),
    Row(
        "numpy.linalg.svd",
        "(a, full_matrices=True, compute_uv=True, hermitian=False)",
        (
            form("tf.linalg.svd({a}, compute_uv={compute_uv})", equals("compute_uv", False), absent("full_matrices")),
            form(
                "tf.linalg.svd({a}, compute_uv={compute_uv})",
                equals("compute_uv", False),
                equals("full_matrices", False),
            ),
            # TensorFlow gives the singular values first, and the last factor not transposed.
            form(
                "(lambda s, u, v: (u, s, tf.linalg.adjoint(v)))"
                "(*tf.linalg.svd({a}, full_matrices={full_matrices|True}))",
                absent("compute_uv"),
            ),
        ),
        floats=True,
        ignored=("hermitian",),
        results=3,
    ),
    Row(
        "numpy.linalg.qr",
        "(a, mode='reduced')",
        (
            form("tf.linalg.qr({a})", absent("mode")),
            form("tf.linalg.qr({a}, full_matrices=True)", equals("mode", "complete")),
            form("tf.linalg.qr({a})[1]", equals("mode", "r")),
        ),
        floats=True,
        results=2,
    ),
    Row(
        "numpy.linalg.matrix_power",
        "(a, n)",
        (
            form("tf.matmul({a}, {a})", equals("n", 2)),
            form("tf.matmul(tf.matmul({a}, {a}), {a})", equals("n", 3)),
            form("tf.linalg.inv({a})", equals("n", -1)),
        ),
        reason="TensorFlow has no power of matrices: multiply as often as needed with tf.matmul",
        floats=True,
    ),
    Row(
        "numpy.linalg.cond",
        "(x, p=None)",
        (
            form(
                "tf.reduce_max(tf.linalg.svd({x}, compute_uv=False), axis=-1) / "
                "tf.reduce_min(tf.linalg.svd({x}, compute_uv=False), axis=-1)",
                equals("p", None, 2),
            ),
        ),
        reason="only the condition number in the 2-norm can be written with singular values",
        floats=True,
    ),
    Row(
        "numpy.linalg.matrix_rank",
        "(A, tol=None, hermitian=False, rtol=None)",
        (form("tf.linalg.matrix_rank({A}, tol={tol})"),),
        Effect.NO_GRADIENT,
        "a rank is a whole number and has no derivative",
        gives="integer",
    ),
    # the names of the array API standard
    _of_matrix("svdvals", "tf.linalg.svd({x}, compute_uv=False)", "(x)", gives="real"),
    _of_matrix("matrix_transpose", "tf.linalg.matrix_transpose({x})", "(x)"),
    _of_matrix("diagonal", "tf.linalg.diag_part({x}, k={offset})", "(x, offset=0)"),
    _of_matrix("trace", "tf.linalg.trace({x})", "(x, offset=0, dtype=None)"),
    _of_matrix(
        "vector_norm", "tf.norm({x}, axis={axis}, keepdims={keepdims})", "(x, axis=None, keepdims=False, ord=2)"
    ),
    _of_matrix("matrix_norm", "tf.norm({x}, axis=[-2, -1], keepdims={keepdims})", "(x, keepdims=False, ord='fro')"),
    *(
        replace(found, symbol=found.symbol.replace("numpy.", "numpy.linalg."))
        for found in _PRODUCTS
        if found.symbol in ("numpy.matmul", "numpy.outer", "numpy.tensordot", "numpy.cross", "numpy.vecdot")
    ),
    # none
    Row(
        "numpy.linalg.lstsq",
        "(a, b, rcond=None)",
        effect=Effect.NO_COUNTERPART,
        reason="NumPy gives four results; tf.linalg.lstsq(a, b, fast=False) gives the solution alone",
    ),
    *(
        Row(
            f"numpy.linalg.{name}",
            "(a)",
            effect=Effect.NO_COUNTERPART,
            reason="TensorFlow's result is always complex; for a symmetric matrix use eigh or eigvalsh",
        )
        for name in ("eig", "eigvals")
    ),
    *(
        Row(f"numpy.linalg.{name}", "(a, *others)", effect=Effect.NO_COUNTERPART, reason=_EINSUM)
        for name in ("multi_dot", "tensorinv", "tensorsolve")
    ),
)
