"""The objects that values refer to: functions, classes, instances, containers, tapes, library names.

An object stands for everything that one place of the program creates in one context. Its attributes
and elements are weak: every write reaches every read.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tfgradfix.analyse.values import MISSING, NOTHING, TENSORS, Value, join

if TYPE_CHECKING:
    from tfgradfix.analyse.graph import Mode
    from tfgradfix.analyse.modules import Module
    from tfgradfix.analyse.scopes import Context, Frame


class Object:
    """Anything that a value can refer to; compared by identity."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.attributes: dict[str, Value] = {}
        self.weights: int | None = None
        self.origin: tuple[ast.AST, Module] | None = None

    def write(self, name: str, value: Value) -> bool:
        """Join ``value`` into an attribute; True when that changed it."""
        old = self.attributes.get(name, NOTHING)
        new = join(old, value)
        self.attributes[name] = new
        return new != old

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.label}>"


class ModuleObject(Object):
    """A module of the program."""

    def __init__(self, module: Module) -> None:
        super().__init__(str(module.path))
        self.module = module


class LibraryName(Object):
    """A name of a library: a module, function, class or constant, by its canonical dotted name."""


class LibraryInstance(Object):
    """An object made by a library class (a Keras layer, an optimizer, a metric)."""

    def __init__(self, label: str, arguments: tuple[Value, ...] = (), keywords: dict[str, Value] | None = None) -> None:
        super().__init__(label)
        self.arguments = arguments
        self.keywords = keywords or {}
        #: The models of whose layers' outputs this model is made.
        self.part_of: frozenset[Object] = frozenset()


class Opaque(Object):
    """A value of which nothing is known but how it is used (an argument nobody passes, an unknown call)."""


class Function(Object):
    """A function, method or lambda of the program, with the frame that its free names live in."""

    def __init__(self, label: str, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, module: Module) -> None:
        super().__init__(label)
        self.node = node
        self.module = module
        self.frame: Frame | None = None
        self.owner: Class | None = None
        self.defaults: dict[str, Value] = {}
        #: How it runs by its own decorator (``tf.function``), whoever calls it.
        self.traced: Mode | None = None


class Method(Object):
    """A function bound to its first argument."""

    def __init__(self, function: Function, receiver: Value) -> None:
        super().__init__(function.label)
        self.function = function
        self.receiver = receiver


class Partial(Object):
    """``functools.partial``: a callable with some arguments given."""

    def __init__(self, label: str, function: Value, arguments: list[Value], keywords: dict[str, Value]) -> None:
        super().__init__(label)
        self.function = function
        self.arguments = arguments
        self.keywords = keywords


class Class(Object):
    """A class of the program."""

    def __init__(self, node: ast.ClassDef, module: Module) -> None:
        super().__init__(node.name)
        self.node = node
        self.module = module
        self.bases: list[Value] = []

    def lineage(self) -> Iterator[Class]:
        """The class and its bases of the program, depth first, each once."""
        seen: list[Class] = []
        pending = [self]
        while pending:
            current = pending.pop(0)
            if current in seen:
                continue
            seen.append(current)
            yield current
            pending += [ref for base in current.bases for ref in base.refs if isinstance(ref, Class)]

    def library_bases(self) -> set[str]:
        """Canonical names of the library classes it comes from."""
        return {
            ref.label
            for cls in self.lineage()
            for base in cls.bases
            for ref in base.refs
            if isinstance(ref, LibraryName)
        }

    def member(self, name: str) -> Value | None:
        """A class attribute, looked up through the bases of the program."""
        for cls in self.lineage():
            if name in cls.attributes:
                return cls.attributes[name]
        return None


class Instance(Object):
    """An instance of a class of the program."""

    def __init__(self, cls: Class) -> None:
        super().__init__(cls.label)
        self.cls = cls


class Super(Object):
    """``super()``: the classes after ``owner`` in the line of the receiver's class."""

    def __init__(self, owner: Class, receiver: Value) -> None:
        super().__init__("super")
        self.owner = owner
        self.receiver = receiver


class Container(Object):
    """A list, tuple, set or dict: elements under known keys, and all others in ``rest``."""

    def __init__(self, label: str) -> None:
        super().__init__(label)
        self.items: dict[object, Value] = {}
        self.rest: Value = NOTHING
        self.exact = False

    def elements(self) -> list[Value]:
        """Every element, the unknown ones joined into one."""
        values = list(self.items.values())
        return values if self.rest == NOTHING else [*values, self.rest]

    def read(self, key: object) -> Value:
        """The element under a constant key, or all joined when the key is unknown."""
        if key is not MISSING and self.exact and key in self.items:
            return self.items[key]
        result = self.rest
        for value in self.items.values():
            result = join(result, value)
        return result

    def put(self, key: object, value: Value) -> bool:
        """Join an element in; True when that changed the container."""
        if key is not MISSING and key in self.items:
            old = self.items[key]
            self.items[key] = join(old, value)
            return self.items[key] != old
        old = self.rest
        self.rest = join(old, value)
        return self.rest != old


def elements_of(value: Value) -> list[Value]:
    """The elements of the containers that a value may be."""
    return [item for ref in value.refs if isinstance(ref, Container) for item in ref.elements()]


def holds_tensors(value: Value, depth: int = 4) -> bool:
    """Whether a list, or a list in it, holds something that is certainly a tensor."""
    items = elements_of(value) if depth else []
    return any(item.is_only(TENSORS) or holds_tensors(item, depth - 1) for item in items)


class Tape(Object):
    """One ``GradientTape``: made at one place in one context."""

    def __init__(self, label: str, call: ast.Call, module: Module) -> None:
        super().__init__(label)
        self.call = call
        self.module = module
        self.persistent: bool | None = False
        self.watches_variables: bool | None = True
        self.watched: set[int] = set()
        self.watched_all = False
        #: The calls of ``watch``, with what they are given.
        self.watches: dict[ast.Call, Value] = {}
        self.block: ast.With | ast.AsyncWith | None = None
        self.name: str | None = None
        self.context: Context | None = None
