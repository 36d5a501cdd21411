"""What the parts of the interpreter ask of each other: each is supplied by one of the mixins beside this file."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod

from tfgradfix.analyse.events import GradientEvent
from tfgradfix.analyse.facts.rows import Row
from tfgradfix.analyse.modules import Module
from tfgradfix.analyse.objects import Class, Function, Instance, LibraryInstance, Object, Super
from tfgradfix.analyse.scopes import Frame
from tfgradfix.analyse.values import Value


class Parts(ABC):
    """The methods that are called across files."""

    @abstractmethod
    def evaluate(self, node: ast.expr) -> Value:
        """The value of an expression."""

    @abstractmethod
    def execute(self, statements: list[ast.stmt]) -> None:
        """Run statements in order."""

    @abstractmethod
    def assign(self, target: ast.expr, value: Value, origin: ast.AST) -> None:
        """Bind a target of any form."""

    @abstractmethod
    def call_value(
        self, callee: Value, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST, role: str = "call"
    ) -> Value:
        """Call whatever a value may be."""

    @abstractmethod
    def call_function(
        self,
        function: Function,
        arguments: list[Value],
        keywords: dict[str, Value],
        syntax: ast.AST,
        role: str = "call",
    ) -> Value:
        """Run a function of the program."""

    @abstractmethod
    def make_record(
        self, cls: Class, instance: Instance, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST
    ) -> Value:
        """Make an instance of a class without an ``__init__``."""

    @abstractmethod
    def call_library(
        self, name: str, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST, role: str = "call"
    ) -> Value:
        """Call a name of a library."""

    @abstractmethod
    def call_tensorflow(self, name: str, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        """Call an ordinary function of TensorFlow."""

    @abstractmethod
    def call_keras(self, name: str, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        """Call a name of Keras."""

    @abstractmethod
    def weight(self, syntax: ast.AST, arguments: list[Value], keywords: dict[str, Value]) -> Value:
        """A weight that a layer adds to itself."""

    @abstractmethod
    def build(self, instance: Instance) -> None:
        """Run a layer's ``build`` once."""

    @abstractmethod
    def trained(self, instance: Instance) -> Value:
        """The variables of a layer that Keras trains."""

    @abstractmethod
    def call_library_instance(
        self, ref: LibraryInstance, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST
    ) -> Value:
        """Call an object that a library made."""

    @abstractmethod
    def call_instance(
        self, instance: Instance, receiver: Value, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST
    ) -> Value:
        """Call an instance of a class of the program."""

    @abstractmethod
    def call_method(
        self, receiver: Value, name: str, arguments: list[Value], keywords: dict[str, Value], syntax: ast.Call
    ) -> Value:
        """Call a method."""

    @abstractmethod
    def presumed_call(
        self, callee: Value, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST, role: str = "call"
    ) -> Value:
        """A call that cannot be followed."""

    @abstractmethod
    def table_call(
        self, row: Row, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST, code: str
    ) -> Value:
        """A call that has a row in the tables."""

    @abstractmethod
    def variable(self, syntax: ast.AST, arguments: list[Value], keywords: dict[str, Value]) -> Value:
        """A new variable."""

    @abstractmethod
    def note_event(self, event: GradientEvent) -> None:
        """Remember a gradient call."""

    @abstractmethod
    def note_compiled(self, ref: Object, arguments: list[Value], keywords: dict[str, Value], syntax: ast.Call) -> None:
        """Remember a loss given to ``compile``."""

    @abstractmethod
    def note_minimize(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.Call) -> None:
        """Remember a loss given to ``minimize``."""

    @abstractmethod
    def on_super(
        self, ref: Super, name: str, arguments: list[Value], keywords: dict[str, Value], syntax: ast.Call
    ) -> Value:
        """A method called on ``super()``."""

    @abstractmethod
    def on_model(
        self, ref: Object, name: str, arguments: list[Value], keywords: dict[str, Value], syntax: ast.Call
    ) -> Value:
        """A method that Keras gives to every model."""

    @abstractmethod
    def weights(self, ref: Object) -> Value:
        """The variables of a model, as one source."""

    @abstractmethod
    def presumed_value(self, node: ast.AST, inputs: list[Value]) -> Value:
        """A value made in a way that is not known."""

    @abstractmethod
    def note_loop(
        self, syntax: ast.For | ast.AsyncFor | ast.comprehension, iterable: Value, results: frozenset[int]
    ) -> None:
        """Remember a loop over a tensor range."""

    @abstractmethod
    def turn(self, iterable: Value, syntax: ast.AST) -> Value:
        """What a loop over a value gives at one turn."""

    @abstractmethod
    def element(self, iterable: Value, syntax: ast.AST) -> Value:
        """What iterating over a value gives."""

    @abstractmethod
    def attribute(self, receiver: Value, name: str, syntax: ast.AST) -> Value:
        """Read an attribute."""

    @abstractmethod
    def run_module(self, module: Module) -> Frame:
        """Run the code of a module, once."""
