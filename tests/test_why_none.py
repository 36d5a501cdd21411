"""The programs of docs/why-none.md: the analysis finds in each what its comments say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from tests.analyse.tables import check

PAGE: Final = Path(__file__).resolve().parent.parent / "docs" / "why-none.md"
PROGRAMS: Final = re.findall(r"^## (.+?)$.*?^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)


def test_the_page_has_programs() -> None:
    assert len(PROGRAMS) == PAGE.read_text(encoding="utf-8").count("\n## ")


@pytest.mark.parametrize("program", [text for _, text in PROGRAMS], ids=[title for title, _ in PROGRAMS])
def test_found(program: str) -> None:
    check(program, head="")
