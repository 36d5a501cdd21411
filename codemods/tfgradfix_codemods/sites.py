"""A place in a module that is to be rewritten, and what can be read off the code around it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.lookups import Memory
from tfgradfix_codemods.nodes import dotted_text, source
from tfgradfix_codemods.operations import Operation, loss_object, operation
from tfgradfix_codemods.resolved_names import full_name
from tfgradfix_codemods.scopes import Binding, Function, bindings_within

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tfgradfix_codemods.trees import Tree

LOOPS = (cst.For, cst.While)

#: How many bindings and calls are followed from one place before the answer is "not known".
FARTHEST: Final = 8


@dataclass(frozen=True)
class Site:
    """The place of ``node`` in ``tree``.

    ``tensorflow`` gives the node for a name inside TensorFlow; ``kinds`` and ``dtype`` are facts of the finding;
    ``one_element`` holds the text of expressions that a test compares, hence of one element, ``tensors`` of those that
    have to be tensors for the test to be on tensors; ``local`` the values of names that the rewrite itself introduces;
    ``main`` is False for a place looked at only to learn about another, ``depth`` steps away; ``memory`` remembers.
    """

    tree: Tree
    node: cst.CSTNode
    tensorflow: Callable[[str], cst.BaseExpression]
    kinds: Mapping[str, str] = field(default_factory=dict)
    dtype: str | None = None
    one_element: frozenset[str] = frozenset()
    tensors: frozenset[str] = frozenset()
    local: Mapping[str, cst.BaseExpression] = field(default_factory=dict)
    main: bool = True
    depth: int = 0
    memory: Memory = field(default_factory=Memory)

    @property
    def is_far(self) -> bool:
        """Whether this place is too far from where the question was asked."""
        return self.depth > FARTHEST

    @cached_property
    def path(self) -> tuple[cst.CSTNode, ...]:
        """The nodes from the module down to this place."""
        return self.tree.path(self.node)

    @cached_property
    def functions(self) -> Sequence[Function]:
        """The functions and lambdas round this place, innermost first, and the module."""
        above = reversed(self.path[:-1])
        return (*(node for node in above if isinstance(node, (cst.FunctionDef, cst.Lambda))), self.tree.module)

    @property
    def function(self) -> Function:
        """The function, lambda or module whose names are seen here."""
        return self.functions[0]

    @cached_property
    def bindings(self) -> Mapping[str, Sequence[Binding]]:
        """What each name of the function is bound to."""
        return self.tree.bindings(self.function, inside=True)

    @cached_property
    def meanings(self) -> Mapping[str, str]:
        """The full name behind each name of the module, TensorFlow's name by the finding included."""
        known = dict(self.tree.meanings)
        name = dotted_text(self.tensorflow("name"))
        if name is not None:
            known.setdefault(name.removesuffix(".name"), "tensorflow")
        return {name: full for name, full in known.items() if not self._is_local(name)}

    def _is_local(self, name: str) -> bool:
        return self.function is not self.tree.module and any(
            not isinstance(binding.place, cst.Module) for binding in self.bindings.get(name, ())
        )

    def at(self, node: cst.CSTNode) -> Site:
        """Another place of the module, looked at from here."""
        return replace(self, node=node, kinds={}, local={}, tensors=frozenset(), main=False, depth=self.depth + 1)

    def with_locals(self, values: Mapping[str, cst.BaseExpression]) -> Site:
        """The same place once the rewrite has given these names values."""
        return replace(self, local={**self.local, **values})

    def full_name(self, node: cst.BaseExpression) -> str | None:
        """The full name of a chain of names that starts at an import or a builtin."""
        full = full_name(node, self.meanings)
        if full is None and isinstance(node, cst.Name) and not self.values(node.value):
            return f"builtins.{node.value}"
        return full

    def operation(self, function: cst.BaseExpression) -> Operation | None:
        """What is known of a called function."""
        full = self.full_name(function)
        if full is not None:
            return operation(full)
        name = dotted_text(function)
        values = [binding.value for binding in self.values(name)] if name else []
        if len(values) == 1 and isinstance(values[0], cst.Call) and "reduction" not in source(values[0]):
            return loss_object(self.full_name(values[0].func))
        return None

    def values(self, name: str) -> Sequence[Binding]:
        """The bindings of ``name`` that a use here may see, as far as this module shows."""
        if self.is_far:
            return (Binding(self.node),)
        if name in self.local:
            return (Binding(self.node, self.local[name]),)
        if "." in name:
            return self._attribute_values(name)
        reaching = self.reaching(name)
        if reaching is not None:
            return (reaching,)
        return next(
            (found for scope in self.functions if (found := self.tree.bindings(scope, inside=True).get(name))), ()
        )

    def _attribute_values(self, name: str) -> Sequence[Binding]:
        methods = () if self.enclosing_class is None else self.enclosing_class.body.body
        named = [self.tree.bindings(node, inside=True) for node in methods if isinstance(node, cst.FunctionDef)]
        return tuple(binding for bindings in named for binding in bindings.get(name, ()))

    @cached_property
    def calls(self) -> Sequence[cst.Call]:
        """The calls inside the function, those of functions inside it among them."""
        found = _Calls()
        self.function.visit(found)
        return found.calls

    @cached_property
    def enclosing_class(self) -> cst.ClassDef | None:
        """The class whose method this place is in."""
        return next((node for node in reversed(self.path) if isinstance(node, cst.ClassDef)), None)

    def reaching(self, name: str) -> Binding | None:
        """The one binding of ``name`` that every way to this place passes last, if that is plain to see."""
        for depth in range(len(self.path) - 1, 0, -1):
            above, below = self.path[depth - 1], self.path[depth]
            if above is self.function and not isinstance(above, cst.Module):
                bound = self.bindings.get(name, ())
                return bound[0] if bound and bound[0].parameter else None
            if isinstance(above, (cst.IndentedBlock, cst.Module)):
                found = self._last_binding(above.body, below, name)
                if found is not None:
                    return found if found.value is not None else None
            if isinstance(above, (*LOOPS, cst.Try, cst.TryStar)) and name in self.tree.bindings(above):
                return None
            if isinstance(above, cst.With) and any(name in self.tree.bindings(item) for item in above.items):
                return None
        return None

    def has_value(self, name: str) -> bool:
        """Whether ``name`` has a value here on every way, by the facts or by some statement that always runs before."""
        if name in self.kinds:
            return self.kinds[name] != "unbound"
        if any(binding.parameter for binding in self.bindings.get(name, ())):
            return True
        for above, below in zip(self.path, self.path[1:], strict=False):
            if isinstance(above, (cst.IndentedBlock, cst.Module)):
                position = next(index for index, node in enumerate(above.body) if node is below)
                simple = [node for node in above.body[:position] if isinstance(node, cst.SimpleStatementLine)]
                if any(name in self.tree.bindings(node) for node in simple):
                    return True
            if isinstance(above, cst.For) and name in bindings_within(above.target):
                return True
        return False

    def _last_binding(self, body: Sequence[cst.CSTNode], before: cst.CSTNode, name: str) -> Binding | None:
        """The last binding among the statements before ``before``; without a value if it is inside a block."""
        position = next(index for index, node in enumerate(body) if node is before)
        for statement in reversed(body[:position]):
            found = self.tree.bindings(statement).get(name)
            if found:
                return found[-1] if isinstance(statement, cst.SimpleStatementLine) else Binding(statement)
        return None


class _Calls(cst.CSTVisitor):
    """Gathers calls."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[cst.Call] = []

    def visit_Call(self, node: cst.Call) -> None:
        self.calls.append(node)
