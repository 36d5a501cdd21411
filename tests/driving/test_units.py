"""Which functions a change is in, what can be called to run them, and what is told where nothing can."""

from __future__ import annotations

from pathlib import Path

from tests.driving.projects import project
from tfgradfix.config_verify import InputSpec
from tfgradfix.driving.calls import Call, drive_of
from tfgradfix.driving.hints import hint_for
from tfgradfix.driving.units import Changed, candidates, changed_statements, required_arguments
from tfgradfix.driving.where import Where, project_of
from tfgradfix.model import FileOutcome

TEXT = '''\
import tensorflow as tf

def scale(x):
    return x * 2.0

@tf.function
def huber(y_true, y_pred, delta=1.0):
    """A loss."""
    return scale(y_true - y_pred)

class Warp(tf.keras.layers.Layer):
    def call(self, inputs, training=False):
        def inner(z):
            return z
        return inner(inputs)

class Plain:
    def energy(self, x, *, mass):
        return scale(x)
    def _own(self, x):
        return x

def step(x):
    with tf.GradientTape() as tape:
        y = huber(x, x)
    return tape.gradient(y, x)
'''


def changed(folder: Path, *pairs: tuple[str, str]) -> FileOutcome:
    after = TEXT
    for old, new in pairs:
        assert old in after
        after = after.replace(old, new)
    return project(folder, {"losses.py": (TEXT, after)}).files[0]


def test_changed_statements_are_those_that_read_otherwise(tmp_path: Path) -> None:
    doc, comment = ("A loss.", "The loss."), ("x * 2.0", "x * 2.0  # twice")
    assert changed_statements(changed(tmp_path, doc, comment)) == (Changed("huber", 6, 6),)
    scaled = ("scale(y_true - y_pred)", "scale(\n        y_pred\n    )")
    assert changed_statements(changed(tmp_path, scaled)) == (Changed("huber", 9, 11),)
    assert changed_statements(changed(tmp_path, ("return z", "return z + 0.0"))) == (
        Changed("Warp.call", 12, 12),
        Changed("Warp.call.inner", 14, 14),
    )
    tape = ("tf.GradientTape() as tape", "tf.GradientTape(persistent=True) as tape")
    assert changed_statements(changed(tmp_path, tape)) == (Changed("step", 24, 24),)
    assert changed_statements(changed(tmp_path, ("return scale(x)", "return x"))) == (Changed("Plain.energy", 19, 19),)


def test_what_asks_for_gradients_is_called_first_then_what_is_changed_then_what_uses_it(tmp_path: Path) -> None:
    file = changed(tmp_path, ("x * 2.0", "x * 3.0"))
    assert candidates(file, changed_statements(file)) == ("step", "scale", "huber", "Plain", "Plain.energy")
    file = changed(tmp_path, ("return z", "return z + 0.0"))
    assert candidates(file, changed_statements(file)) == ("step", "Warp")


def test_arguments_that_have_to_be_given(tmp_path: Path) -> None:
    file = changed(tmp_path)
    names = ("huber", "Warp", "Plain.energy", "Plain")
    assert [required_arguments(file, name) for name in names] == [("y_true", "y_pred"), ("inputs",), ("x", "mass"), ()]


def test_the_hint_can_be_pasted(tmp_path: Path) -> None:
    file = changed(tmp_path, ("x * 2.0", "x * 3.0"))
    assert hint_for(file, tmp_path) == (
        "# pyproject.toml: say what step is called with (x)\n"
        "[[tool.tfgradfix.verify.functions]]\n"
        'call = "losses:step"\n'
        'inputs = [{shape = [4, 8], dtype = "float32"}]'
    )
    assert hint_for(file, tmp_path, tmp_path / "bin/train.py") == (
        "# pyproject.toml: a run that gets to the gradients of losses.py\n"
        "[tool.tfgradfix.verify]\n"
        'commands = ["python bin/train.py --steps 1"]'
    )
    assert hint_for(FileOutcome(tmp_path / "a.ipynb", b"{}", b"{}"), tmp_path) is None


def test_a_module_of_a_package_is_imported_from_above_it(tmp_path: Path) -> None:
    report = project(tmp_path, {"src/pkg/__init__.py": "", "src/pkg/losses.py": (TEXT, TEXT)})
    module = tmp_path / "src/pkg/losses.py"
    assert project_of(module) == Where((tmp_path / "src").resolve())
    drive = drive_of(module, Call("huber", (InputSpec((2,)),)), report.files[1:], Where(tmp_path.resolve()))
    assert '"module": "pkg.losses"' in drive.arguments[0]
    assert '"roots": ["src"' in drive.arguments[0]
    assert drive.notes == ("pkg.losses:huber was called with generated inputs: float32 (2,)",)


def test_what_chooses_a_keras_chooses_it_for_the_driver(tmp_path: Path) -> None:
    text = "import os\nos.environ['TF_USE_LEGACY_KERAS'] = '1'\n"
    (file,) = project(tmp_path, {"losses.py": (text, text)}).files
    drive = drive_of(file.path, Call("huber", ()), [file], Where(tmp_path))
    assert drive.text is not None
    assert b"TF_USE_LEGACY_KERAS" in drive.text
