"""One report in every form: text, patch, edits, JSON, SARIF, workflow commands."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tfgradfix.model import Declined, Extent, FileOutcome, Finding, Level, Position, Report, Span, Step
from tfgradfix.report.diff import report_diff
from tfgradfix.report.edits import Edit, fixes, text_edits
from tfgradfix.report.github import report_github
from tfgradfix.report.json import report_json
from tfgradfix.report.sarif import report_sarif
from tfgradfix.report.text import plain, report_text

BEFORE = "import numpy as np\nx = 1\nwith tape:\n    größe = np.mean(err)\n"
AFTER = "import numpy as np\nimport tensorflow as tf\nx = 1\nwith tape:\n    größe = tf.reduce_mean(err)\n"


def finding(row: int = 4, level: Level = Level.SAFE, unit: str = "u", file: str = "train.py") -> Finding:
    span = Span(file, Position(row, 13), Position(row, 25))
    source = Step(Span(file, Position(2, 1), Position(2, 6)), "x = 1", presumed=True)
    path = (source, Step(span, "CUT np.mean(err)"))
    return Finding("TGF101", "numpy-call", span, "np.mean leaves TensorFlow", level, Extent.WHOLE, path, unit)


def outcome(**changes: object) -> FileOutcome:
    values = {
        "path": Path("train.py"),
        "before": BEFORE.encode(),
        "after": AFTER.encode(),
        "findings": (finding(),),
        "fixed": (finding(),),
        **changes,
    }
    return FileOutcome(**values)  # type: ignore[arg-type]


def apply(text: str, edits: tuple[Edit, ...]) -> str:
    lines = [*text.splitlines(keepends=True), ""]

    def offset(position: Position) -> int:
        return sum(len(line) for line in lines[: position.row - 1]) + position.column - 1

    for edit in reversed(edits):
        text = text[: offset(edit.start)] + edit.content + text[offset(edit.end) :]
    return text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (BEFORE, AFTER),
        ("a\nb\n", "a\nb\nc\n"),
        ("a\nb\n", "b\n"),
        ("a", "a\nb"),
        ("", "a\n"),
        ("a\r\nb\r\n", "a\r\nbb\r\n"),
        ("aaa\n", "aa\n"),
        ("f(f(x))\n", "f(x)\n"),
    ],
)
def test_edits_make_the_new_text(before: str, after: str) -> None:
    assert apply(before, text_edits(before, after)) == after


def test_an_edit_is_as_small_as_it_can_be() -> None:
    assert text_edits("a\nb = np.mean(x)\n", "a\nb = tf.mean(x)\n") == (Edit(Position(2, 5), Position(2, 7), "tf"),)


def test_each_unit_has_its_own_edits_and_the_import_with_them() -> None:
    before = "import a\n" + "\n" * 8 + "one\n" + "\n" * 8 + "two\n"
    after = before.replace("import a\n", "import a\nimport b\n").replace("one", "1").replace("two", "2")
    first, second = finding(10, unit="first"), finding(19, unit="second")
    repairs = fixes(outcome(before=before.encode(), after=after.encode(), fixed=(first, second)))
    assert [edit.content for edit in repairs[first]] == ["import b\n", "1"]
    assert [edit.content for edit in repairs[second]] == ["import b\n", "2"]


def test_json() -> None:
    (row,) = json.loads(report_json(Report((outcome(),))))
    edits = row.pop("fix")["edits"]
    assert row == {
        "code": "TGF101",
        "name": "numpy-call",
        "message": "np.mean leaves TensorFlow",
        "filename": "train.py",
        "location": {"row": 4, "column": 13},
        "end_location": {"row": 4, "column": 25},
        "level": "safe",
        "extent": "whole",
        "path": [
            {"filename": "train.py", "row": 2, "column": 1, "text": "x = 1", "presumed": True},
            {"filename": "train.py", "row": 4, "column": 13, "text": "CUT np.mean(err)", "presumed": False},
        ],
    }
    assert edits[0] == {
        "location": {"row": 2, "column": 1},
        "end_location": {"row": 2, "column": 1},
        "content": "import tensorflow as tf\n",
    }
    assert json.loads(report_json(Report((outcome(after=None, fixed=()),))))[0]["fix"] is None
    assert json.loads(report_json(Report())) == []


def test_sarif(tmp_path: Path) -> None:
    bad = FileOutcome(tmp_path / "bad.py", error="does not parse")
    log = json.loads(report_sarif(Report((outcome(), bad)), Path.cwd()))
    (run,) = log["runs"]
    (result,) = run["results"]
    assert log["version"] == "2.1.0"
    assert run["tool"]["driver"]["rules"] == [{"id": "TGF101", "name": "numpy-call"}]
    assert result["ruleIndex"] == 0
    location = result["locations"][0]["physicalLocation"]
    assert location["artifactLocation"] == {"uri": "train.py", "uriBaseId": "FOLDER"}
    assert location["region"] == {"startLine": 4, "startColumn": 13, "endLine": 4, "endColumn": 25}
    assert len(result["codeFlows"][0]["threadFlows"][0]["locations"]) == 2
    assert len(result["fixes"][0]["artifactChanges"][0]["replacements"]) == 2
    assert run["invocations"][0]["executionSuccessful"] is False
    assert run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"] == "does not parse"


def test_workflow_commands() -> None:
    file = outcome(findings=(finding(file="odd,name:50%.py"),))
    lines = report_github(Report((file, FileOutcome(Path("bad.py"), error="no\nsource")))).splitlines()
    assert lines == [
        "::error title=tfgradfix TGF101,file=odd%2Cname%3A50%25.py,line=4,col=13,endLine=4,endColumn=25"
        "::TGF101 numpy-call: np.mean leaves TensorFlow",
        "::error title=tfgradfix,file=bad.py::no%0Asource",
    ]


def test_text_shows_the_line_the_path_and_what_is_done() -> None:
    assert plain(report_text(Report((outcome(),)), written=False)) == (
        "train.py:4:13 TGF101 numpy-call: np.mean leaves TensorFlow\n"
        "     4 | größe = np.mean(err)\n"
        "       |         ^^^^^^^^^^^^\n"
        "  gradient path:\n"
        "       2  x = 1  (presumed)\n"
        "       4  CUT np.mean(err)\n"
        "  can be fixed: tfgradfix fix\n"
        "\n"
        "Found 1 finding in 1 file: 1 can be fixed.\n"
    )


@pytest.mark.parametrize(
    ("level", "declined", "said"),
    [
        (Level.MANUAL, (), "to be mended by hand: tfgradfix explain TGF101"),
        (Level.UNSAFE, (), "not fixed: only --unsafe-fixes may"),
        (Level.SAFE, (Declined(finding(), "out= is given"),), "left alone: out= is given"),
    ],
)
def test_text_says_why_nothing_is_done(level: Level, declined: tuple[Declined, ...], said: str) -> None:
    file = outcome(after=None, findings=(finding(level=level),), fixed=(), declined=declined)
    assert said in plain(report_text(Report((file,)), written=True))
    assert "Found 1 finding in 1 file: 0 fixed, 1 left." in plain(report_text(Report((file,)), written=True))


def test_text_of_nothing() -> None:
    assert plain(report_text(Report(), written=False)) == "No cut gradient found.\n"
    failed = Report((FileOutcome(Path("a.py"), error="does not parse"),))
    assert plain(report_text(failed, written=False)) == "No cut gradient found in the files that were read.\n"


def test_the_caret_stands_under_wide_characters_and_tabs() -> None:
    text = "\tx = '能量'; np.mean(err)\n"
    start = text.index("np.") + 1
    span = Span("a.py", Position(1, start), Position(1, start + 12))
    wide = Finding("TGF101", "numpy-call", span, "m", Level.SAFE, Extent.WHOLE)
    lines = plain(report_text(Report((outcome(before=text.encode(), findings=(wide,)),)), written=False)).splitlines()
    assert lines[1] == "     1 | x = '能量'; np.mean(err)"
    assert lines[2] == "       | " + " " * len("x = '1234'; ") + "^" * 12


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("plain.py", b"a\nb\nc\n", b"a\nB\nc\n"),
        ("crlf.py", b"a\r\nb\r\nc\r\n", b"a\r\nB\r\nc\r\n"),
        ("mixed.py", b"a\r\nb\nc\r\n", b"a\r\nB\nc\r\n"),
        ("no_newline.py", b"a\nb\nc", b"a\nB\nc"),
        ("last_line.py", b"a\nb", b"a\nB"),
        ("gains_newline.py", b"a\nb", b"a\nb\n"),
        ("bom.py", b"\xef\xbb\xbfa\n", b"\xef\xbb\xbfA\n"),
        ("latin.py", b"# \xe9\na\n", b"# \xe9\nA\n"),
        ("form_feed.py", b"a\x0cb\x0c\nc\x85\n", b"a\x0cB\x0c\nc\x85\n"),
        ("with blank.py", b"a\n", b"b\n"),
        ("größe.py", b"a\n", b"b\n"),
        ("deep/er/x.py", b"-- a/deep\n", b"++ b/deep\n"),
    ],
)
def test_git_takes_the_patch(tmp_path: Path, name: str, before: bytes, after: bytes) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(before)
    patch = report_diff(Report((FileOutcome(path, before, after),)), tmp_path)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "apply", "-"], input=patch, cwd=tmp_path, check=True)
    assert path.read_bytes() == after


def test_an_unchanged_file_gives_no_patch() -> None:
    assert report_diff(Report((outcome(after=None), outcome(after=BEFORE.encode()))), Path.cwd()) == b""
