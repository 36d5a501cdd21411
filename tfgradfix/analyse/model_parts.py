"""Which model a new model is a part of: ``keras.Model(m.inputs, m.get_layer(name).output)`` is one of ``m``."""

from __future__ import annotations

import ast


def parts_of(made: ast.AST) -> ast.expr | None:
    """The model whose layer's output a new model gives: ``keras.Model(m.inputs, m.get_layer(name).output)`` → ``m``."""
    if not isinstance(made, ast.Call):
        return None
    named = {keyword.arg: keyword.value for keyword in made.keywords}
    output = made.args[1] if len(made.args) > 1 else named.get("outputs")
    if isinstance(output, ast.List) and len(output.elts) == 1:
        output = output.elts[0]
    if not isinstance(output, ast.Attribute) or output.attr != "output":
        return None
    layer = output.value
    if isinstance(layer, ast.Call) and isinstance(layer.func, ast.Attribute) and layer.func.attr == "get_layer":
        return layer.func.value
    if isinstance(layer, ast.Subscript) and isinstance(layer.value, ast.Attribute) and layer.value.attr == "layers":
        return layer.value.value
    return None
