"""Runs one program and reports what its gradient calls gave: the half of the harness that lives in the child process.

    python harness.py ORDER

The file stands alone: it runs under the user's interpreter (3.9 or newer), which has TensorFlow but none of our
packages. ORDER is JSON: ``script``, ``arguments``, ``folder`` (paths are reported relative to it), ``report`` (a file
descriptor), ``seed``, ``eager`` (run tf.functions eagerly) and ``stop_after`` (gradient calls, or null).

One JSON record a line goes to the descriptor, so that what was seen before a kill is not lost, and so that the
program's own output cannot mix with it:

- ``start``: TensorFlow is imported, the program begins;      ``unusable``: TensorFlow could not be imported
- ``call``: one gradient call: place, target and sources by value, the gradient of each source (null: None)
- ``error``: an exception that ended the program or a thread;  ``broken``: the recording itself failed
- ``end``: the program is over: exit status, number of calls, the trained weights
"""

from __future__ import annotations

import atexit
import base64
import builtins
import functools
import importlib
import importlib.util
import json
import math
import os
import random
import re
import sys
import sysconfig
import threading
import traceback
import types
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

#: Calls of one site that are reported with all numbers; later ones are thinned out.
FULL_CALLS = 64
#: Numbers kept of one value: the values themselves, or as many projections of them.
NUMBERS = 256
#: Elements of trained variables that are kept alive for the report at the end.
WEIGHTS = 64_000_000

METHODS = ("gradient", "jacobian", "batch_jacobian")


class Channel:
    """The way to the parent: whole JSON lines, from this process only."""

    def __init__(self, descriptor: int) -> None:
        # A copy, so that a program which closes the low descriptors does not cut us off.
        self.descriptor = os.dup(descriptor)
        os.close(descriptor)
        self.identity = self.file()
        self.process = os.getpid()
        self.lock = threading.Lock()

    def file(self) -> Any:
        """What the descriptor stands for now."""
        try:
            return os.fstat(self.descriptor)[1:3]
        except OSError:
            return None

    def send(self, kind: str, **fields: Any) -> None:
        """Write one record; a forked child of the program stays silent."""
        line = memoryview((json.dumps({"kind": kind, **fields}) + "\n").encode("ascii"))
        with self.lock:
            # A program that closed all its descriptors cut us off: the parent misses our last word.
            if os.getpid() == self.process and self.file() == self.identity:
                while line:
                    line = line[os.write(self.descriptor, line) :]


class Values:
    """Turns tensors, variables and numbers into small comparable records, without running operations of the program."""

    def __init__(self, tensorflow: Any, numpy: Any) -> None:
        self.tf = tensorflow
        self.np = numpy
        self.eager = importlib.import_module("tensorflow.python.framework.ops").EagerTensor

    def describe(self, value: Any, full: bool) -> dict[str, Any] | None:
        """The record of ``value``: null for None, dtype and shape alone for what has no value yet (graph)."""
        if value is None:
            return None
        array = self.array(value)
        if array is None or array.dtype.kind in "OSU":
            dtype, shape = getattr(value, "dtype", type(value).__name__), getattr(value, "shape", None)
            sizes = None
            if shape is not None and getattr(shape, "rank", None) is not None:
                sizes = [None if size is None else int(size) for size in shape]
            return {"dtype": getattr(dtype, "name", str(dtype)), "shape": sizes}
        flat = array.reshape(-1)
        if flat.dtype.kind == "c":
            flat = self.np.stack([flat.real, flat.imag], axis=-1).reshape(-1)
        flat = flat.astype("float64")
        record = {
            "dtype": array.dtype.name,
            "shape": list(array.shape),
            "finite": bool(self.np.isfinite(flat).all()),
            "zero": not flat.any(),
            "norm": float(self.np.linalg.norm(flat)),
        }
        if full:
            record["numbers"] = base64.b64encode(self.numbers(flat).astype("<f8").tobytes()).decode("ascii")
        return record

    def array(self, value: Any) -> Any:
        """``value`` as an array, or None where it has no value (yet)."""
        if isinstance(value, self.tf.IndexedSlices):
            return self.dense(value)
        handle = getattr(value, "handle", None)
        if isinstance(handle, self.eager):
            if not self.tf.executing_eagerly():
                return None
            # Not value.numpy(): an accessed variable would be watched by the program's open tapes.
            return self.tf.raw_ops.ReadVariableOp(resource=handle, dtype=value.dtype).numpy()
        if isinstance(value, self.eager):
            return self.np.asarray(value.numpy())
        if isinstance(value, (self.np.ndarray, self.np.generic, int, float, complex)):
            return self.np.asarray(value)
        return None

    def dense(self, slices: Any) -> Any:
        """An IndexedSlices as an array; None in a graph. Rows of one index add up."""
        rows, indices = self.array(slices.values), self.array(slices.indices)
        if rows is None or indices is None:
            return None
        shape = self.array(slices.dense_shape) if slices.dense_shape is not None else None
        if shape is None or self.np.prod(shape, dtype="float64") > WEIGHTS:
            present, places = self.np.unique(indices, return_inverse=True)
            shape, indices = (len(present), *rows.shape[1:]), places.reshape(-1)
        full = self.np.zeros(tuple(shape), rows.dtype)
        self.np.add.at(full, indices, rows)
        return full

    def numbers(self, flat: Any) -> Any:
        """At most NUMBERS numbers that stand for ``flat``: a fixed linear map, so differences survive it."""
        if flat.size <= NUMBERS:
            return flat
        width = -(-flat.size // NUMBERS)
        padded = self.np.zeros(NUMBERS * width)
        padded[: flat.size] = flat
        return padded.reshape(NUMBERS, width) @ (2**0.5 * self.np.cos(self.np.arange(width) + 1.0))


class Places:
    """Tells the user's files from libraries and finds the line of the user's code that made a call."""

    def __init__(self, folder: str, script: str, tensorflow: Any) -> None:
        self.folder, self.script = folder, script
        root = os.path.dirname(os.path.realpath(tensorflow.__file__))
        self.machinery = [os.path.join(root, "python", part) + os.sep for part in ("autograph", "util")]
        paths = sysconfig.get_paths()
        libraries = {paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")} | {root}
        self.libraries = [os.path.realpath(path) + os.sep for path in libraries]
        self.known: dict[str, str] = {__file__: "machinery", script: "user"}
        self.stack = importlib.import_module("tensorflow.python.util.tf_stack").extract_stack

    def kind(self, filename: str) -> str:
        """Whose code is in ``filename``: user, generated (by AutoGraph), machinery (between the two), library."""
        if filename not in self.known:
            path = os.path.realpath(filename)
            if "__autograph_generated_file" in path:
                kind = "generated"
            elif any(path.startswith(prefix) for prefix in self.machinery):
                kind = "machinery"
            elif filename.startswith("<") or f"{os.sep}site-packages{os.sep}" in path:
                kind = "library"
            else:
                kind = "library" if any(path.startswith(prefix) for prefix in self.libraries) else "user"
            self.known[filename] = kind
        return self.known[filename]

    def name(self, filename: str) -> str:
        """``filename`` as it is reported: relative to the folder of the program if it lies there."""
        path = os.path.abspath(filename)
        inside = path.startswith(self.folder + os.sep)
        return os.path.relpath(path, self.folder).replace(os.sep, "/") if inside else path

    def caller(self) -> dict[str, Any]:
        """The user's line from which the present call came, and the library that made it on the user's behalf."""
        library, mapped = None, False
        frame: types.FrameType | None = sys._getframe(1)
        while frame is not None:
            kind = self.kind(frame.f_code.co_filename)
            if kind == "generated":
                mapped = True
                break
            if kind == "user":
                return self.place(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name, library)
            if kind == "library" and library is None:
                library = f"{frame.f_globals.get('__name__')}.{frame.f_code.co_name}"
            frame = frame.f_back
        if mapped:
            for entry in reversed(list(self.stack())):
                if self.kind(entry.filename) == "user":
                    return self.place(entry.filename, entry.lineno, entry.name, library)
        return {"file": None, "line": 0, "function": "", "library": library}

    def place(self, filename: str, line: int, function: str, library: str | None) -> dict[str, Any]:
        """One place in the user's code, as it is reported."""
        return {"file": self.name(filename), "line": line, "function": function, "library": library}

    def modules(self) -> list[str]:
        """The files of the user's that are loaded as modules."""
        files = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
        return sorted(self.name(file) for file in files if isinstance(file, str) and self.kind(file) == "user")

    def failure(self, error: BaseException) -> dict[str, Any]:
        """An exception with the user's lines that it passed, the innermost last."""
        lines = [
            (frame.filename, frame.lineno or 0, frame.name)
            for frame in traceback.extract_tb(error.__traceback__)
            if self.kind(frame.filename) == "user"
        ]
        text = str(error)
        if "in user code:" in text:  # AutoGraph tells the lines that its generated files stand for
            for filename, line, function in re.findall(r'File "([^"\n]+)", line (\d+), in ([^\n*]+)', text):
                if self.kind(filename) == "user":
                    lines.append((filename, int(line), function.strip()))
        frames = [{"file": self.name(filename), "line": line, "function": name} for filename, line, name in lines]
        return {"type": type(error).__name__, "message": text[:4000], "frames": frames}


class Gradients:
    """The gradients of every call of a run, kept in a folder, or given to a run that lacks them.

    A program that lacks gradients does not train, and nothing after its first update can be compared. Given the
    gradients of the repaired one it goes the same way, and all that it computes has to be the same.
    """

    def __init__(self, tensorflow: Any, numpy: Any, folder: str, give: bool) -> None:
        self.tf, self.np, self.folder, self.give = tensorflow, numpy, folder, give
        self.room = 256_000_000

    def path(self, order: int) -> str:
        """Where those of one call are."""
        return os.path.join(self.folder, f"{order}.npz")

    def keep(self, order: int, result: Any) -> None:
        """Keep those of one call, as long as there is room."""
        arrays = {}
        for number, gradient in enumerate(self.tf.nest.flatten(result)):
            if gradient is not None:
                arrays[str(number)] = self.np.asarray(self.tf.convert_to_tensor(gradient))
        self.room -= sum(array.nbytes for array in arrays.values())
        if self.room > 0:
            self.np.savez(self.path(order), **arrays)

    def given(self, order: int, sources: Any) -> Any:
        """Those of one call in the structure of its sources; None where there are none for each of them."""
        flat = self.tf.nest.flatten(sources)
        if not os.path.exists(self.path(order)):
            return None
        with self.np.load(self.path(order)) as kept:
            arrays = [kept.get(str(number)) for number in range(len(flat))]
        if any(array is None for array in arrays):
            return None
        return self.tf.nest.pack_sequence_as(sources, [self.tf.constant(array) for array in arrays])


class Recorder:
    """Wraps what asks for gradients and what changes weights, and reports each gradient call."""

    def __init__(
        self, channel: Channel, places: Places, values: Values, stop_after: int | None, gradients: Gradients | None
    ) -> None:
        self.gradients = gradients
        self.channel, self.places, self.values, self.tf = channel, places, values, values.tf
        self.stop_after = stop_after
        self.local = threading.local()
        self.lock = threading.RLock()
        self.calls = 0
        self.updates = 0
        self.counts: dict[tuple[Any, ...], int] = {}
        self.patterns: dict[tuple[Any, ...], Any] = {}
        self.weights: dict[int, Any] = {}
        self.elements = 0
        self.wrapped: set[type] = set()
        self.status: int | None = None
        self.ended = False

    def install(self) -> None:
        """Put the wrappers in place."""
        tape = self.tf.GradientTape
        for method in METHODS:
            setattr(tape, method, self.recording(getattr(tape, method), method))
        variables = importlib.import_module("tensorflow.python.ops.resource_variable_ops")
        for variable in (variables.BaseResourceVariable, variables.ResourceVariable):
            for method in ("assign", "assign_add", "assign_sub"):
                if method in vars(variable):
                    original = getattr(variable, method)
                    setattr(variable, method, self.counting(original, lambda own: bool(own.trainable)))
        self.wrap_optimizer(self.tf.compat.v1.train.Optimizer)

    def wrap_optimizers(self) -> None:
        """Wrap Keras' optimizers once Keras is there; importing it here would cost programs without it."""
        for name in ("keras", "tf_keras"):
            optimizers = getattr(sys.modules.get(name), "optimizers", None)
            for holder in (optimizers, getattr(optimizers, "legacy", None)):
                optimizer = getattr(holder, "Optimizer", None)
                if isinstance(optimizer, type):
                    self.wrap_optimizer(optimizer)

    def wrap_optimizer(self, optimizer: type) -> None:
        """Count the updates that an optimizer class makes."""
        if optimizer not in self.wrapped:
            self.wrapped.add(optimizer)
            for method in ("apply", "apply_gradients"):
                if hasattr(optimizer, method):
                    setattr(optimizer, method, self.counting(getattr(optimizer, method), lambda _: True))

    def counting(self, original: Callable[..., Any], counts: Callable[[Any], bool]) -> Callable[..., Any]:
        """``original``, counted as a change of trained weights where ``counts`` says so of its object."""

        @functools.wraps(original)
        def changed(own: Any, *args: Any, **kwargs: Any) -> Any:
            if counts(own):
                self.updates += 1
            return original(own, *args, **kwargs)

        changed.autograph_info__ = {}  # type: ignore[attr-defined]  # AutoGraph calls it as it is
        return changed

    def recording(self, original: Callable[..., Any], method: str) -> Callable[..., Any]:
        """``original``, a gradient call, reported with its result; a call inside another one belongs to that."""

        @functools.wraps(original)
        def recorded(tape: Any, *args: Any, **kwargs: Any) -> Any:
            depth = getattr(self.local, "depth", 0)
            seen = self.guarded(self.before, depth, method, args, kwargs)
            self.local.depth = depth + 1
            try:
                result = original(tape, *args, **kwargs)
            except BaseException as error:
                result = self.guarded(self.instead, seen, args, kwargs) if seen else None
                if result is None:
                    if seen:
                        self.guarded(self.after, seen, None, error)
                    raise
            else:
                given = self.guarded(self.instead, seen, args, kwargs) if seen else None
                result = result if given is None else given
            finally:
                self.local.depth = depth
            if seen:
                self.guarded(self.after, seen, result, None)
            return result

        recorded.autograph_info__ = {}  # type: ignore[attr-defined]
        return recorded

    def instead(self, seen: dict[str, Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The gradients that are given in place of the program's own, if there are any for this call."""
        if self.gradients is None or not self.gradients.give or seen["record"]["graph"]:
            return None
        sources = args[1] if len(args) > 1 else kwargs.get("sources", kwargs.get("source"))
        return self.gradients.given(self.calls, sources)

    def guarded(self, step: Callable[..., Any], *args: Any) -> Any:
        """Run a step of the recording; if it fails, the program goes on and the parent is told."""
        try:
            return step(*args)
        except Exception:  # noqa: BLE001  # whatever it is, it is ours and must not become the program's
            self.channel.send("broken", message=traceback.format_exc()[-4000:])
            return None

    def before(self, depth: int, method: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any] | None:
        """What is known before the gradient call: its place, its target and its sources."""
        place = self.places.caller()
        if depth and place["library"] is not None:
            return None
        self.wrap_optimizers()
        target = args[0] if args else kwargs.get("target")
        sources = args[1] if len(args) > 1 else kwargs.get("sources", kwargs.get("source"))
        graph = not self.tf.executing_eagerly()
        key = (place["file"], place["line"], place["library"], method, graph)
        with self.lock:
            index = self.counts.get(key, 0)
            self.counts[key] = index + 1
        full = index < FULL_CALLS and not graph
        flat = self.tf.nest.flatten(sources)
        names = self.names(sources, flat)
        record = {"site": place, "method": method, "graph": graph, "index": index, "updates": self.updates}
        record["targets"] = [self.values.describe(part, full) for part in self.tf.nest.flatten(target)]
        record["sources"] = [{"name": name, "value": self.source(each, full)} for name, each in zip(names, flat)]  # noqa: B905
        return {"key": key, "record": record, "full": full}

    def source(self, source: Any, full: bool) -> dict[str, Any] | None:
        """A source's value; a variable is remembered for the report of the trained weights."""
        if getattr(source, "trainable", False) and id(source) not in self.weights:
            self.elements += math.prod(size or 1 for size in source.shape)
            if self.elements <= WEIGHTS:
                self.weights[id(source)] = source
        return self.values.describe(source, True) if full else None

    def names(self, sources: Any, flat: list[Any]) -> list[str]:
        """A name a source: its own, or its place in the structure that was asked for."""
        nest = importlib.import_module("tensorflow.python.util.nest")
        paths = [path for path, _ in nest.flatten_with_joined_string_paths(sources)]
        names = []
        for path, source in zip(paths, flat):  # noqa: B905  # not in Python 3.9
            own = getattr(source, "path", None)  # Keras 3
            if own is None:
                own = source.name.split(":")[0] if hasattr(source, "handle") else "tensor"
            names.append(f"{own}[{path}]" if path and own in ("Variable", "tensor") else str(own))
        return names

    def after(self, seen: dict[str, Any], result: Any, error: BaseException | None) -> None:
        """Report the call with its gradients, or with the exception that it raised."""
        record = seen["record"]
        record["error"] = f"{type(error).__name__}: {error}"[:2000] if error else None
        if error is None:
            if self.gradients is not None and not self.gradients.give and not record["graph"]:
                self.gradients.keep(self.calls, result)
            gradients = self.tf.nest.flatten(result)
            for source, gradient in zip(record["sources"], gradients):  # noqa: B905
                source["gradient"] = self.values.describe(gradient, seen["full"])
        gradients = [source.get("gradient") for source in record["sources"]]
        states = [(each is None, each and each.get("finite")) for each in gradients]
        index = record["index"]
        with self.lock:
            record["order"] = self.calls
            self.calls += 1
            news = self.patterns.get(seen["key"]) != (states, record["error"])
            self.patterns[seen["key"]] = (states, record["error"])
        if index < FULL_CALLS or index & (index - 1) == 0 or news:
            self.channel.send("call", **record)
        if self.stop_after is not None and self.calls >= self.stop_after:
            self.finish(stopped=True)
            os._exit(0)

    def finish(self, stopped: bool = False) -> None:
        """Report the end: how many calls each site made, and the trained weights."""
        with self.lock:
            if self.ended or os.getpid() != self.channel.process:
                return
            self.ended = True
        counts = [[*key, count] for key, count in self.counts.items()]
        weights = self.guarded(lambda: [self.values.describe(each, True) for each in self.weights.values()])
        modules = self.guarded(self.places.modules) or []
        self.channel.send(
            "end", status=self.status, stopped=stopped, counts=counts, weights=weights or [], modules=modules
        )


def seed_all(seed: int, tensorflow: Any, numpy: Any) -> None:
    """Seed every generator of the process alike; generators made later without a seed get one, too."""
    random.seed(seed)
    numpy.random.seed(seed)
    tensorflow.random.set_seed(seed)
    default_rng = numpy.random.default_rng
    made: list[None] = []

    @functools.wraps(default_rng)
    def seeded(given: Any = None) -> Any:
        if given is None:
            made.append(None)
            given = [seed, len(made)]
        return default_rng(given)

    numpy.random.default_rng = seeded


def probe(order: dict[str, Any], places: Places, tensorflow: Any, numpy: Any) -> dict[str, Any]:
    """Check gradients as numbers, in forks of this process; see ``probing.py`` beside this file."""
    context = importlib.import_module("tensorflow.python.eager.context").context()
    if not hasattr(os, "fork") or context._initialized:
        return {"calls": [], "why": "this system cannot fork a process that has TensorFlow"}
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "probing.py")
    places.known[beside] = "machinery"
    spec = importlib.util.spec_from_file_location("tfgradfix_probing", beside)
    probing = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]
    spec.loader.exec_module(probing)  # type: ignore[union-attr]

    def start(answer: int, chosen: Any) -> None:
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        tensorflow.config.run_functions_eagerly(True)
        probing.Probe(places, tensorflow, numpy, order, answer, chosen).install()
        seed_all(order["seed"], tensorflow, numpy)
        run_main(order["script"], order["arguments"])

    return probing.Checker(start, order["probe"]).check()  # type: ignore[no-any-return]


def run_main(script: str, arguments: list[str]) -> None:
    """Run ``script`` as ``python script arguments...`` would."""
    main = types.ModuleType("__main__")
    main.__dict__.update(__file__=script, __builtins__=builtins, __cached__=None)
    sys.modules["tfgradfix_harness"] = sys.modules["__main__"]
    sys.modules["__main__"] = main
    sys.argv = [script, *arguments]
    with open(script, "rb") as file:
        code = compile(file.read(), script, "exec", dont_inherit=True)
    exec(code, main.__dict__)  # noqa: S102  # running the program is the task


def run_script(script: str, arguments: list[str], recorder: Recorder) -> None:
    """Run ``script``, and report the exception that ends it."""
    recorder.status = 1
    try:
        run_main(script, arguments)
        recorder.status = 0
    except SystemExit as leave:
        recorder.status = leave.code if isinstance(leave.code, int) else int(leave.code is not None)
        raise
    except BaseException as error:  # noqa: BLE001  # the program's end, whatever it is
        recorder.channel.send("error", thread=False, **recorder.places.failure(error))
        without_ours(error)
        sys.excepthook(type(error), error, error.__traceback__)
        sys.exit(1)
    finally:
        atexit.register(recorder.finish)  # the threads of the program are over by then


def without_ours(error: BaseException) -> None:
    """Take our own two frames off the traceback of an error."""
    for _ in range(2):
        error.__traceback__ = error.__traceback__ and error.__traceback__.tb_next


def watch_ends(recorder: Recorder) -> None:
    """Hear of exceptions in threads and of a program that leaves by os._exit."""
    hook, leave = threading.excepthook, os._exit

    def failed(details: Any) -> None:
        if details.exc_value is not None and details.exc_type is not SystemExit:
            recorder.channel.send("error", thread=True, **recorder.places.failure(details.exc_value))
        hook(details)

    def left(status: int) -> None:
        recorder.status = status
        recorder.finish()
        leave(status)

    threading.excepthook = failed
    os._exit = left  # type: ignore[assignment]


def main(order: dict[str, Any]) -> None:
    """Import TensorFlow, put the wrappers in place, run the program."""
    channel = Channel(order["report"])
    script = order["script"]
    if os.path.realpath(sys.path[0]) == os.path.dirname(os.path.realpath(__file__)):  # not so under PYTHONSAFEPATH
        sys.path[0] = os.path.dirname(script)
    try:
        tensorflow, numpy = importlib.import_module("tensorflow"), importlib.import_module("numpy")
    except Exception as error:  # noqa: BLE001  # a broken TensorFlow raises anything at all
        channel.send("unusable", message=f"{type(error).__name__}: {error}"[:2000])
        sys.exit(3)
    places = Places(order["folder"], script, tensorflow)
    if order.get("probe"):
        channel.send("start", tensorflow=tensorflow.__version__)
        channel.send("numbers", **probe(order, places, tensorflow, numpy))
        return
    folder, give = order.get("keep") or order.get("given"), bool(order.get("given"))
    gradients = Gradients(tensorflow, numpy, folder, give) if folder else None
    recorder = Recorder(channel, places, Values(tensorflow, numpy), order["stop_after"], gradients)
    recorder.install()
    watch_ends(recorder)
    if order["eager"]:
        tensorflow.config.run_functions_eagerly(True)
    seed_all(order["seed"], tensorflow, numpy)
    versions = {"python": sys.version.split()[0], "tensorflow": tensorflow.__version__, "numpy": numpy.__version__}
    channel.send("start", **versions)
    run_script(script, order["arguments"], recorder)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
