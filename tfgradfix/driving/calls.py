"""Calls of a function, loss, layer or training step with generated inputs, as scripts for a proof."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tfgradfix.discover.modules import import_roots, module_name
from tfgradfix.driving.drive import Drive
from tfgradfix.driving.proof import GENERATED
from tfgradfix.verify.server import CHOOSING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfgradfix.config_verify import InputSpec
    from tfgradfix.driving.where import Where
    from tfgradfix.model import FileOutcome

#: The text of every such script.
DRIVER: Final = Path(__file__).with_name("inside") / "driver.py"
#: The seed of generated inputs.
SEED: Final = 20


@dataclass(frozen=True)
class Call:
    """A call of ``name`` in a module, with the inputs that it gets and what its gradient is asked of."""

    name: str
    inputs: tuple[InputSpec, ...]
    wrt: tuple[int | str, ...] = ()
    seed: int = SEED

    @property
    def told(self) -> str:
        """The inputs, for a sentence."""
        return ", ".join(str(each) for each in self.inputs) or "no inputs"


def drive_of(module: Path, call: Call, files: Sequence[FileOutcome], where: Where) -> Drive:
    """The run that makes ``call`` in the file ``module``, which uses the changed ``files``."""
    inputs = [[list(each.shape), each.dtype] for each in call.inputs]
    order = {"call": call.name, "inputs": inputs, "wrt": list(call.wrt), "seed": call.seed}
    title = f"{module_name(module)}:{call.name}"
    note = f"{title}{GENERATED}{call.told}"
    return _drive(module, title, order, files, where, (note,))


def trial_of(module: Path, names: Sequence[str], files: Sequence[FileOutcome], where: Where) -> Drive:
    """The run that tries each of ``names`` in the file ``module`` with several sets of inputs."""
    return _drive(module, f"{module_name(module)}", {"try": list(names), "seed": SEED}, files, where, ())


def _drive(
    module: Path,
    title: str,
    order: dict[str, Any],
    files: Sequence[FileOutcome],
    where: Where,
    notes: tuple[str, ...],
) -> Drive:
    module = module.resolve()
    folder = where.folder.resolve()
    roots = [root.relative_to(folder).as_posix() for root in import_roots(module.parent) if root.is_relative_to(folder)]
    # A package is imported from above it, not from within.
    own = roots[1:] if "." in module_name(module) or module.stem == "__init__" else roots
    told = {"module": module_name(module), "roots": own, **order}
    return Drive(
        script=folder / f"driver of {title}",
        files=tuple(files),
        where=where,
        arguments=(json.dumps(told),),
        text=_text(module, files),
        title=f"{title} with generated inputs",
        notes=notes,
        about=module,
    )


def _text(module: Path, files: Sequence[FileOutcome]) -> bytes:
    """The driver; what chooses a kind of Keras in the module chooses it for the driver, which imports TensorFlow."""
    data = next((file.before for file in files if file.path.resolve() == module), b"")
    choice = b" ".join(word for word in CHOOSING if word in data)
    return DRIVER.read_bytes() + (b"# The module says " + choice + b".\n" if choice else b"")
