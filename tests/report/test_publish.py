"""The three reports of a migration: what they hold, and that the page loads nothing and escapes what it shows."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tfgradfix.config import Settings
from tfgradfix.pipeline import examine
from tfgradfix.report.migration import Migration
from tfgradfix.report.publish import publish
from tfgradfix.report.sides import rows

BROKEN = """\
import tensorflow as tf

w = tf.Variable(2.0)  # <script>alert(1)</script>
with tf.GradientTape() as tape:
    loss = tf.square(w.numpy() * 3.0)
print(tape.gradient(loss, w))
"""


def published(folder: Path) -> tuple[str, str, dict[str, object]]:
    (folder / "train.py").write_text(BROKEN)
    migration = Migration(folder, examine([folder], Settings()), verified=False, repeat=("tfgradfix migrate .",))
    html, markdown, data = publish(migration, folder / "out")
    return html.read_text(), markdown.read_text(), json.loads(data.read_text())


def test_the_page_stands_alone_and_escapes(tmp_path: Path) -> None:
    page, _, _ = published(tmp_path)
    assert "1 cut found, 1 mended" in page
    assert "<script>alert" not in page
    assert not re.search(r"(?:src|href)=\"(?:https?:|//)", page)
    assert 'class="knot cut"' in page or "knot source cut" in page or "knot target cut" in page
    for link in re.findall(r'href="#([LR]\d+-\d+)"', page):
        assert f'id="{link}"' in page


def test_the_record_and_the_markdown(tmp_path: Path) -> None:
    _, markdown, record = published(tmp_path)
    assert (record["schema"], record["version"]) == ("tfgradfix-report", 1)
    findings = record["findings"]
    assert isinstance(findings, list)
    (finding,) = findings
    assert (finding["file"], finding["row"], finding["fate"]) == ("train.py", 5, "not verified")
    assert any(step["cut"] for step in finding["path"])
    assert "`train.py:5`" in markdown


def test_words_that_differ_are_marked() -> None:
    (changed,) = [row for row in rows("a = f(x)\n", "a = g(x)\n") if row.changed]
    assert (changed.old, changed.new) == (1, 1)
    assert re.findall(r"<mark>(?:<[^>]*>)?(\w+)", changed.left) == ["f"]
    assert re.findall(r"<mark>(?:<[^>]*>)?(\w+)", changed.right) == ["g"]
