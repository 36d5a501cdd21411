"""What every test may use: the repository's folder and the ``diff`` snapshot."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion
    from syrupy.location import PyTestLocation
    from syrupy.types import SnapshotIndex

ROOT = Path(__file__).resolve().parent.parent


class DiffExtension(SingleFileSnapshotExtension):
    """One patch a case: ``snapshots/<fault>/<case>.diff``, the fault taken from the test file's name."""

    _write_mode = WriteMode.TEXT
    file_extension = "diff"

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        return str(ROOT / "snapshots" / Path(test_location.filepath).stem.removeprefix("test_"))

    @classmethod
    def get_snapshot_name(cls, *, test_location: PyTestLocation, index: SnapshotIndex = 0) -> str:
        if isinstance(index, str):
            return index
        return super().get_snapshot_name(test_location=test_location, index=index)

    @classmethod
    def matches_test_location(cls, *, test_location: PyTestLocation, snapshot_location: str) -> bool:
        return Path(snapshot_location).parent == Path(cls.dirname(test_location=test_location))

    def read_snapshot_data_from_location(
        self, *, snapshot_location: str, snapshot_name: str, session_id: str
    ) -> str | None:
        # Read without translating newlines: a patch of a CRLF file has them inside.
        path = Path(snapshot_location)
        return path.read_bytes().decode() if path.exists() else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Pass by what needs TensorFlow where there is none; everything else has to work without."""
    if importlib.util.find_spec("tensorflow") is None:
        for item in items:
            if item.get_closest_marker("runs_tensorflow"):
                item.add_marker(pytest.mark.skip(reason="TensorFlow is not installed"))


@pytest.fixture
def root() -> Path:
    """The folder of the repository."""
    return ROOT


@pytest.fixture
def diff(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    """A snapshot kept as ``snapshots/<fault>/<case>.diff``: ``assert patch == diff(name=case)``."""
    return snapshot.use_extension(DiffExtension)
