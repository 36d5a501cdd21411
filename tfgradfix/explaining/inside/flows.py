"""Where values leave TensorFlow, and where they come back: by carriers, and by the numbers themselves."""

from __future__ import annotations

import ctypes
import functools
import math
import sys
from typing import TYPE_CHECKING, Any

from .record import Node

if TYPE_CHECKING:
    from .hooks import Hooks
    from .record import Line, Record

    #: The exits that a value comes from, by number, each with the user's lines passed since.
    Origin = dict[int, tuple[Line, ...]]

#: Numbers of an exit that are remembered, and numbers of an entry that are looked up.
KEPT, LOOKED_UP = 64, 2048
#: Remembered numbers in all, exits of one value, lines of one exit.
VALUES, EXITS, LINES = 200_000, 64, 40
#: ``bf_getbuffer`` is the first slot of the structure that this slot of a type points to.
BUFFER_SLOT = 20
#: Ways out through a method, and what they are called.
METHODS = {
    "numpy": ".numpy()",
    "__array__": "numpy",
    "__float__": "float()",
    "__int__": "int()",
    "__index__": "an index",
    "__complex__": "complex()",
    "__reduce__": "pickle",
}


def join(origin: Origin, other: Origin) -> None:
    """Add another origin; what came from one exit in two ways passed the lines of both."""
    for number, lines in other.items():
        known = origin.get(number)
        origin[number] = lines if not known else tuple(dict.fromkeys((*known, *lines)))[-LINES:]


class Flows:
    """Follows values outside TensorFlow."""

    def __init__(self, record: Record, hooks: Hooks, tensorflow: Any, numpy: Any) -> None:
        self.record, self.hooks, self.tf, self.np = record, hooks, tensorflow, numpy
        self.values: dict[complex, Origin] = {}
        self.carry: Any = lambda value, _: value
        self.kept: list[Any] = []

    def install(self) -> None:
        """Put the hooks in place."""
        if self.hooks.has("tensors"):
            tensor = self.hooks["tensors"]
            for method, how in METHODS.items():
                if hasattr(tensor, method):
                    setattr(tensor, method, self.way_out(getattr(tensor, method), how))
            tensor.__bool__ = self.truth(tensor.__bool__)
        if self.hooks.has("eager tensors"):
            tensor = self.hooks["eager tensors"]
            self.watch_buffers(tensor)
            if hasattr(tensor, "__setitem__"):  # of the harness, in a run that goes on where TensorFlow does not
                tensor.__setitem__ = self.assigned(tensor.__setitem__)
        self.hooks.replace_function("entries", self.entry)
        for name in dir(math):
            if callable(getattr(math, name)) and not name.startswith("_"):
                setattr(math, name, self.of_numbers(getattr(math, name), f"math.{name}"))

    def way_out(self, original: Any, how: str) -> Any:
        """A method that gives a tensor's value to Python or NumPy."""

        @functools.wraps(original)
        def left(tensor: Any, *args: Any, **kwargs: Any) -> Any:
            if self.record.quiet:
                return original(tensor, *args, **kwargs)
            self.record.hush(1)
            try:
                value = original(tensor, *args, **kwargs)
            finally:
                self.record.hush(-1)
            return self.out(tensor, how, value) if how != "pickle" else value

        return left

    def out(self, tensor: Any, how: str, value: Any) -> Any:
        """``value``, which just left, with its origin."""
        origin: Origin = {self.record.leave(tensor._id, self.asked_by(how)).number: ()}
        self.remember(value, origin)
        return self.carry(value, origin)

    def asked_by(self, how: str) -> str:
        """``how``, or the Keras method that made the value leave on the user's behalf."""
        frame: Any = sys._getframe(1)
        while frame is not None and self.record.places.kind(frame.f_code.co_filename) != "user":
            name = frame.f_code.co_name
            if name in ("predict", "predict_on_batch", "get_weights"):
                return f".{name}()"
            frame = frame.f_back
        return how

    def truth(self, original: Any) -> Any:
        """``bool(tensor)``: nothing flows, but it decides what will."""

        @functools.wraps(original)
        def asked(tensor: Any) -> bool:
            if not self.record.quiet:
                self.record.truths.append(self.record.leave(tensor._id, "bool()"))
            return bool(original(tensor))

        return asked

    def assigned(self, original: Any) -> Any:
        """``tensor[place] = value``, at which TensorFlow ends the program."""

        @functools.wraps(original)
        def assign(tensor: Any, place: Any, value: Any) -> None:
            self.record.pass_by("item assignment", "", self.record.lines())
            self.record.hush(1)
            try:
                original(tensor, place, value)
            finally:
                self.record.hush(-1)

        return assign

    def of_numbers(self, original: Any, how: str) -> Any:
        """A function of numbers, whose result is remembered where it was asked of what left TensorFlow."""

        @functools.wraps(original)
        def computed(*args: Any, **kwargs: Any) -> Any:
            result = original(*args, **kwargs)
            if isinstance(result, float) and self.by_user(2):
                exits = [self.record.leave(each._id, how).number for each in args if self.is_tensor(each)]
                origin = {**self.passed(self.origin(list(args))), **dict.fromkeys(exits, ())}
                if origin:
                    self.remember(result, origin)
            return result

        return computed

    def by_user(self, depth: int) -> bool:
        """Whether the frame ``depth`` above is the user's."""
        return self.record.places.kind(sys._getframe(depth).f_code.co_filename) == "user"

    def is_tensor(self, value: Any) -> bool:
        """Whether it is an eager tensor."""
        return self.hooks.has("eager tensors") and isinstance(value, self.hooks["eager tensors"])

    def watch_buffers(self, tensor: type) -> None:
        """NumPy takes a tensor's memory through the buffer protocol, past every method of Python's."""
        prototype = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p, ctypes.c_int)
        table = ctypes.c_void_p.from_address(id(tensor) + BUFFER_SLOT * ctypes.sizeof(ctypes.c_void_p)).value
        if table is None:
            self.hooks.missing.append("buffers")
            return
        slot = ctypes.c_void_p.from_address(table)
        original = prototype(slot.value or 0)

        def given(value: Any, view: Any, flags: int) -> int:
            try:
                status = original(value, view, flags)
            except BaseException as error:  # noqa: BLE001  # it has to go back through C
                ctypes.pythonapi.PyErr_SetString(ctypes.py_object(type(error)), str(error).encode())
                return -1
            if status == 0 and not self.record.quiet:
                self.record.hush(1)
                try:
                    number = self.record.leave(value._id, self.asked_by("numpy")).number
                    self.remember(value._numpy(), {number: ()})
                finally:
                    self.record.hush(-1)
            return int(status)

        callback = prototype(given)
        self.kept += [original, callback]
        slot.value = ctypes.cast(callback, ctypes.c_void_p).value

    def remember(self, value: Any, origin: Origin) -> None:
        """Keep the last numbers of a value, to know them when they come back."""
        for number in self.numbers(value, KEPT):
            known = self.values.pop(number, {})
            join(known, origin)
            self.values[number] = dict(list(known.items())[-EXITS:])
        while len(self.values) > VALUES:
            self.values.pop(next(iter(self.values)))

    def numbers(self, value: Any, most: int) -> list[Any]:
        """The telling numbers of a value, at most ``most`` from its end: whole numbers are found everywhere."""
        if isinstance(value, (float, complex)):
            found = [value]
        elif isinstance(value, (self.np.ndarray, self.np.generic)) and value.dtype.kind in "fc":
            found = self.np.ndarray.tolist(self.np.ndarray.reshape(self.plain(value), -1)[-most:])
        else:
            return []
        return [each for each in found if each == each and each not in (math.inf, -math.inf) and each != int(each.real)]

    def plain(self, value: Any) -> Any:
        """An array or scalar as NumPy's own array."""
        return (
            self.np.ndarray.view(value, self.np.ndarray)
            if isinstance(value, self.np.ndarray)
            else self.np.array(
                float(value) if not isinstance(value, self.np.complexfloating) else complex(value), value.dtype
            )
        )

    def origin(self, value: Any, by_value: bool = True) -> Origin:
        """The exits that a value comes from: what it carries, else those that gave its numbers."""
        if isinstance(value, (list, tuple)):
            joined: Origin = {}
            for each in value[:1024]:
                join(joined, self.origin(each, by_value))
            return joined
        carried: Origin | None = getattr(value, "_tfgradfix_from", None)
        if carried or not by_value:
            return dict(carried or {})
        joined = {}
        for number in self.numbers(value, LOOKED_UP):
            join(joined, self.values.get(number, {}))
        return joined

    def passed(self, origin: Origin) -> Origin:
        """``origin`` after the present line."""
        if not origin:
            return origin
        line = self.record.lines()[:1]
        kept = list(origin.items())[-EXITS:]
        return {number: lines if line[0:1] == lines[-1:] else (*lines, *line)[-LINES:] for number, lines in kept}

    def entry(self, original: Any) -> Any:
        """What makes a tensor of a value of Python's or NumPy's."""

        @functools.wraps(original)
        def converted(value: Any, *args: Any, **kwargs: Any) -> Any:
            if self.record.quiet or hasattr(value, "_id"):
                return original(value, *args, **kwargs)
            origin = self.origin(value)
            self.record.hush(1)
            try:
                result = original(value, *args, **kwargs)
            finally:
                self.record.hush(-1)
            if result.dtype.is_floating or result.dtype.is_complex or origin:
                self.enter(result._id, origin)
            return result

        return converted

    def enter(self, tensor: int, origin: Origin) -> None:
        """Take in that a value comes into TensorFlow as ``tensor``."""
        node = Node("entry", "entry", tuple(origin), (tensor,))
        node.detail = origin
        self.record.add(node, False)

    def waiting(self, arguments: tuple[Any, ...]) -> Any:
        """Hold the raw arguments of an operation ready until its inputs are known; gives what was held before."""
        before = getattr(self.record.local, "raw", None)
        raw = [each for each in arguments if isinstance(each, (float, complex, self.np.ndarray, self.np.generic))]
        raw += [each for each in arguments if isinstance(each, list) and each and not isinstance(each[0], int)]
        self.record.local.raw = raw
        return before

    def restore(self, before: Any) -> None:
        """Hold again what was held before."""
        self.record.local.raw = before

    def raw_inputs(self, node: Node) -> None:
        """Inputs that no one made were raw arguments: they come into TensorFlow here."""
        raw = getattr(self.record.local, "raw", None)
        if not raw or node.graph is not None:
            return
        unknown = [each for each in node.inputs if each not in self.record.makers and self.is_float(node, each)]
        if unknown:
            origin = self.origin(list(raw))
            for tensor in unknown:
                self.enter(tensor, origin)

    @staticmethod
    def is_float(node: Node, tensor: int) -> bool:
        """Whether a value of the node's can have a gradient."""
        return node.dtypes[tensor].startswith(("float", "bfloat", "complex"))
