"""The programs of ``examples/``: every cut in them is named, the rewrite mends it, and a run proves the repair."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from tests.helpers import check_rewrite
from tfgradfix.rewrite.apply import rewrite

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

EXAMPLES: Final = Path(__file__).resolve().parent.parent / "examples"

#: What cuts the gradient in each program, by line; read off the programs by hand.
CUTS: Final[dict[str, dict[int, str]]] = {
    "map_fn": {82: "TGF201"},
    "map_fn_graph": {86: "TGF201 TGF302"},
    "python_list": {83: "TGF201"},
    # Appending to a list in a traced loop over tf.range raises.
    "python_list_graph": {66: "TGF302", 87: "TGF201 TGF302"},
    "tensor_array": {93: "TGF201"},
    "tensor_array_graph": {97: "TGF201 TGF302"},
    "vectorised_repair": {84: "TGF201"},
    "vectorised_repair_graph": {87: "TGF201"},
    "split_repair": {},
    "many_body_tensor": {
        28: "TGF114 TGF114",  # NumPy made complex numbers of the parts
        43: "TGF101",  # np.copy
        44: "TGF101 TGF101",  # np.sqrt, np.dot
        48: "TGF101 TGF301",  # np.all, and the branch on it
        54: "TGF301",
        56: "TGF301",
        60: "TGF101",  # np.sqrt, to be guarded where its branch is not taken
        61: "TGF101 TGF101 TGF103 TGF114 TGF114",  # np.conj, np.square, .numpy(); complex by real, twice
        62: "TGF101",  # np.real
        69: "TGF204",
    },
    "many_body_numpy": {
        28: "TGF114 TGF114",
        57: "TGF101",  # np.copy
        58: "TGF101 TGF101",  # np.sqrt, np.dot
        63: "TGF101 TGF101 TGF103 TGF114",  # np.conj, np.square, .numpy(); complex by real
        64: "TGF101",  # np.real
        79: "TGF204",
    },
}
BROKEN: Final = sorted(name for name, cuts in CUTS.items() if cuts)
HEALTHY: Final = sorted(CUTS.keys() - BROKEN)


def text(name: str) -> str:
    """The text of an example."""
    return (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")


def repaired(name: str) -> str:
    """The text of an example after the rewrite."""
    path = Path(f"{name}.py")
    return rewrite({path: text(name)}).texts[path]


def test_every_example_is_in_the_table() -> None:
    assert sorted(path.stem for path in EXAMPLES.glob("*.py")) == sorted(CUTS)


@pytest.mark.parametrize("name", BROKEN)
def test_every_cut_is_named_and_mended(name: str, diff: SnapshotAssertion) -> None:
    patch = check_rewrite(text(name), name)
    found = rewrite({Path(f"{name}.py"): text(name)}).findings[Path(f"{name}.py")]
    rows = {row: [one.code for one in found if one.span.start.row == row] for row in {f.span.start.row for f in found}}
    assert {row: " ".join(sorted(codes)) for row, codes in rows.items()} == CUTS[name]
    assert patch == diff(name=name)


@pytest.mark.parametrize("name", HEALTHY)
def test_a_healthy_example_is_left_alone(name: str) -> None:
    result = rewrite({Path(f"{name}.py"): text(name)})
    assert not result.texts
    assert not result.findings[Path(f"{name}.py")]


def test_branches_on_tensors_become_masks() -> None:
    after = repaired("many_body_tensor")
    assert "if " not in after[after.index("def H_tilda") : after.index("optimizer =")]


def test_branches_on_data_stay() -> None:
    before, after = text("many_body_numpy"), repaired("many_body_numpy")
    start, end = "def hamiltonian_element", "def H_tilda"
    assert after[after.index(start) : after.index(end)] == before[before.index(start) : before.index(end)]
    assert "            if element != 0:\n" in after


@pytest.mark.slow
@pytest.mark.runs_tensorflow
@pytest.mark.parametrize("name", BROKEN)
def test_the_repair_is_proven(name: str, tmp_path: Path) -> None:
    after = tmp_path / f"{name}.py"
    after.write_text(repaired(name), encoding="utf-8")
    command = [sys.executable, "-m", "tfgradfix", "verify", str(EXAMPLES / f"{name}.py"), str(after)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("proven")
