"""Arrays and numbers that know from which exits they come, so that the way through NumPy is known line by line."""

from __future__ import annotations

import dis
import functools
import sys
from typing import TYPE_CHECKING, Any

from .flows import join
from .tapes import is_variable

if TYPE_CHECKING:
    from .flows import Flows

METHODS = """all any astype clip copy cumprod cumsum diagonal dot flatten max mean min prod ravel repeat reshape round
squeeze std sum swapaxes take trace transpose var conj conjugate""".split()
MAKERS = "zeros ones empty full zeros_like ones_like empty_like full_like".split()
TAKERS = "array asarray ascontiguousarray asanyarray".split()
ARITHMETIC = "add sub mul truediv floordiv mod pow".split()
#: What a tensor on the right is asked for when NumPy's operator meets it.
REFLECTED = {
    "add": "__radd__",
    "subtract": "__rsub__",
    "multiply": "__rmul__",
    "divide": "__rtruediv__",
    "true_divide": "__rtruediv__",
    "floor_divide": "__rfloordiv__",
    "remainder": "__rmod__",
    "power": "__rpow__",
    "matmul": "__rmatmul__",
    "less": "__gt__",
    "less_equal": "__ge__",
    "greater": "__lt__",
    "greater_equal": "__le__",
    "equal": "__eq__",
    "not_equal": "__ne__",
    "bitwise_and": "__rand__",
    "bitwise_or": "__ror__",
    "bitwise_xor": "__rxor__",
}


class Carriers:
    """Makes the classes that carry origins, and puts them between NumPy and the program."""

    def __init__(self, flows: Flows) -> None:
        self.flows, self.np = flows, flows.np
        self.array = self.array_class()
        self.scalars = {base: self.scalar_class(base) for base in (self.np.float32, self.np.float64)}

    def install(self) -> None:
        """Put the hooks in place."""
        self.flows.carry = self.carry
        keras: Any = sys.modules.get("keras")
        for kind in (self.flows.hooks.found.get("tensors"), self.flows.tf.Variable, getattr(keras, "Variable", None)):
            if kind is not None:
                kind.__array_ufunc__, kind.__array_function__ = self.dispatch()
        for name in TAKERS:
            setattr(self.np, name, self.taker(getattr(self.np, name), f"numpy.{name}"))
        for name in MAKERS:
            setattr(self.np, name, self.maker(getattr(self.np, name)))

    def dispatch(self) -> tuple[Any, Any]:
        """The two methods that NumPy asks instead of computing by itself."""

        def by_ufunc(_: Any, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
            return self.ufunc(sys._getframe(1), ufunc, method, inputs, options)

        def by_function(_: Any, function: Any, _types: Any, args: Any, kwargs: Any) -> Any:
            return self.call(function, f"numpy.{function.__name__}", args, kwargs)

        return by_ufunc, by_function

    def carry(self, value: Any, origin: Any) -> Any:
        """``value`` with its origin; what can have none comes back as it is."""
        if isinstance(value, (tuple, list)) and type(value) in (tuple, list):
            return type(value)(self.carry(each, origin) for each in value)
        if isinstance(value, self.np.ndarray) and value.dtype.kind in "fcO":
            found = value.view(self.array)
            found._tfgradfix_from = dict(origin)
            return found
        if type(value) in self.scalars:
            found = self.scalars[type(value)](float(value))
            found._tfgradfix_from = dict(origin)
            return found
        if isinstance(value, self.np.complexfloating):
            return self.carry(self.np.ndarray.__new__(self.np.ndarray, (), value.dtype, value.tobytes()).copy(), origin)
        return value

    def plain(self, value: Any, origin: dict[int, Any], how: str) -> Any:
        """An argument for NumPy: without carriers; what it came from is added to ``origin``."""
        if isinstance(value, (list, tuple)) and type(value) in (tuple, list):
            return type(value)(self.plain(each, origin, how) for each in value)
        if isinstance(value, self.array):
            join(origin, value._tfgradfix_from)
            return self.np.ndarray.view(value, self.np.ndarray)
        carried: Any = value
        if isinstance(value, tuple(self.scalars.values())):
            join(origin, carried._tfgradfix_from)
            base: Any = type(carried).__base__
            return base(float(carried))
        if is_variable(value):
            value = getattr(value, "_value", value)
            value = value.value() if callable(getattr(value, "value", None)) else value
        if self.flows.is_tensor(value):
            exit_ = self.flows.record.leave(value._id, how)
            origin[exit_.number] = ()
            found = value._numpy()
            self.flows.remember(found, {exit_.number: ()})
            return found
        if isinstance(value, float):
            join(origin, self.flows.values.get(value, {}))
        return value

    def call(self, function: Any, how: str, args: Any, kwargs: Any) -> Any:
        """Call a function of NumPy's with plain arguments; its result carries their origins on."""
        origin: dict[int, Any] = {}
        given = self.plain(tuple(args), origin, how)
        options = {name: self.plain(value, origin, how) for name, value in kwargs.items()}
        result = function(*given, **options)
        after = self.flows.passed(origin)
        for target in (kwargs.get("out"), args[0] if how in ("numpy.copyto", "numpy.put") else None):
            for each in target if isinstance(target, tuple) else (target,):
                if isinstance(each, self.array):
                    join(each._tfgradfix_from, after)
                    return each
        return self.carry(result, after)

    def ufunc(self, frame: Any, ufunc: Any, method: str, inputs: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """A universal function; where an operator met a tensor, the tensor's own operator, as without us."""
        # A variable of Keras 3 leaves the operator to the array on its left.
        tensors = [each for each in inputs if self.flows.is_tensor(each) or isinstance(each, self.flows.tf.Variable)]
        if tensors and method == "__call__" and is_operator(frame):
            reflected = REFLECTED.get(ufunc.__name__)
            if reflected and len(inputs) == 2 and inputs[1] is tensors[0]:
                return getattr(inputs[1], reflected)(
                    self.np.ndarray.view(inputs[0], self.np.ndarray)
                    if type(inputs[0]) is self.np.ndarray
                    else inputs[0]
                )
        how = f"numpy.{ufunc.__name__}" + ("" if method == "__call__" else f".{method}")
        return self.call(getattr(ufunc, method), how, inputs, options)

    def taker(self, original: Any, how: str) -> Any:
        """A function that makes an array of what it is given."""

        @functools.wraps(original)
        def taken(*args: Any, **kwargs: Any) -> Any:
            if not self.flows.record.quiet and self.flows.by_user(2):
                return self.call(original, how, args, kwargs)
            return original(*args, **kwargs)

        return taken

    def maker(self, original: Any) -> Any:
        """A function that makes an array which the program may fill."""

        @functools.wraps(original)
        def made(*args: Any, **kwargs: Any) -> Any:
            result = original(*args, **kwargs)
            return self.carry(result, {}) if type(result) is self.np.ndarray and self.flows.by_user(2) else result

        return made

    def array_class(self) -> Any:
        """The array that carries."""
        carriers = self

        class Carried(self.np.ndarray):  # type: ignore[name-defined,misc]
            def __array_finalize__(self, source: Any) -> None:
                self._tfgradfix_from = dict(getattr(source, "_tfgradfix_from", None) or {})

            def __setitem__(self, place: Any, value: Any) -> None:
                origin: dict[int, Any] = {}
                plain = carriers.plain(value, origin, "an element of an array")
                carriers.np.ndarray.__setitem__(self, carriers.plain(place, {}, "an index"), plain)
                join(self._tfgradfix_from, carriers.flows.passed(origin))

            def __getitem__(self, place: Any) -> Any:
                found = carriers.np.ndarray.__getitem__(self, place)
                return found if isinstance(found, Carried) else carriers.carry(found, self._tfgradfix_from)

            def __iter__(self) -> Any:
                return (self[place] for place in range(len(self)))

            def __float__(self) -> float:
                return float(carriers.known(self, float(carriers.np.ndarray.__float__(self))))

            def item(self, *args: Any) -> Any:
                return carriers.known(self, carriers.np.ndarray.item(self, *args))

            def tolist(self) -> Any:
                carriers.flows.remember(self, carriers.flows.passed(self._tfgradfix_from))
                return carriers.np.ndarray.tolist(self)

            def __reduce__(self) -> Any:
                return carriers.np.ndarray.view(self, carriers.np.ndarray).__reduce__()

        Carried.__array_ufunc__, Carried.__array_function__ = self.dispatch()
        for name in METHODS:
            setattr(Carried, name, self.method(name))
        return Carried

    def method(self, name: str) -> Any:
        """A method of arrays that carries the origin on."""
        original = getattr(self.np.ndarray, name)

        @functools.wraps(original)
        def called(own: Any, *args: Any, **kwargs: Any) -> Any:
            return self.call(original, f".{name}()", (own, *args), kwargs)

        return called

    def known(self, own: Any, value: Any) -> Any:
        """``value``, which came out of ``own``, remembered."""
        if own._tfgradfix_from:
            self.flows.remember(value, self.flows.passed(own._tfgradfix_from))
        return value

    def scalar_class(self, base: Any) -> Any:
        """The scalar that carries: NumPy's type has to be its first base, and is never called with one of its own."""
        carriers = self

        def own_float(own: Any) -> float:
            return float(carriers.known(own, base.__float__(own)))

        def reduced(own: Any) -> Any:
            return base(base.__float__(own)).__reduce__()

        ufunc, function = self.dispatch()
        parts = {"__float__": own_float, "item": own_float, "__array_ufunc__": ufunc, "__array_function__": function}
        parts["__reduce__"] = reduced
        for name in [f"__{side}{operator}__" for operator in ARITHMETIC for side in ("", "r")] + ["__neg__", "__abs__"]:
            parts[name] = self.operator(base, name)
        for name in ("mean", "sum", "astype", "max", "min", "round", "copy", "reshape"):
            parts[name] = self.operator(base, name)
        return type(f"Carried{base.__name__}", (base,), {**parts, "_tfgradfix_from": {}})

    def operator(self, base: Any, name: str) -> Any:
        """An operator or method of scalars that carries the origin on; a tensor's own goes first."""
        original = getattr(base, name)

        @functools.wraps(original)
        def operated(own: Any, *args: Any, **kwargs: Any) -> Any:
            if any(hasattr(each, "_id") or isinstance(each, self.flows.tf.Variable) for each in args):
                return NotImplemented
            return self.call(original, name, (own, *args), kwargs)

        return operated


def is_operator(frame: Any) -> bool:
    """Whether the frame stands at an operator, not at a call."""
    name = dis.opname[frame.f_code.co_code[frame.f_lasti]]
    return name.startswith(("BINARY_", "INPLACE_", "COMPARE_")) and name not in ("BINARY_SUBSCR", "BINARY_SLICE")
