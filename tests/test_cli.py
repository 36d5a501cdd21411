"""The commands as a user meets them: output, files, exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tfgradfix.analyse import analyse
from tfgradfix.cli import app
from tfgradfix.model import Extent, FileOutcome, Finding, Level, Position, Report, Span
from tfgradfix.pipeline import write

BROKEN = """\
import tensorflow as tf

w = tf.Variable(2.0)
with tf.GradientTape() as tape:
    loss = tf.square(w.numpy() * 3.0)
print(tape.gradient(loss, w))
"""
FIXED = BROKEN.replace("w.numpy()", "w")
HEALTHY = FIXED


def run(*arguments: str | Path, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin, catch_exceptions=False)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_check_finds_and_changes_nothing(folder: Path) -> None:
    path = put(folder / "train.py", BROKEN)
    result = run("check")
    assert result.exit_code == 1
    assert "train.py:5:22 TGF103 numpy-detach: " in result.stdout
    assert "     5 | loss = tf.square(w.numpy() * 3.0)\n       |                  ^^^^^^^^^\n" in result.stdout
    assert "Found 1 finding in 1 file: 1 can be fixed." in result.stdout
    assert path.read_text() == BROKEN


def test_check_of_healthy_code(folder: Path) -> None:
    put(folder / "train.py", HEALTHY)
    result = run("check", "train.py")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "No cut gradient found.\n", "")


def test_check_as_json_holds_the_edits(folder: Path) -> None:
    put(folder / "train.py", BROKEN)
    result = run("check", "--output-format", "json", ".")
    assert result.exit_code == 1
    (row,) = json.loads(result.stdout)
    assert row["filename"] == str(folder / "train.py")
    assert row["location"] == {"row": 5, "column": 22}
    assert row["fix"]["edits"] == [
        {"location": {"row": 5, "column": 23}, "end_location": {"row": 5, "column": 31}, "content": ""}
    ]


@pytest.mark.parametrize("output_format", ["json", "sarif", "github", "text"])
def test_every_format_has_the_same_exit_status(folder: Path, output_format: str) -> None:
    put(folder / "train.py", BROKEN)
    put(folder / "healthy.py", HEALTHY)
    assert run("check", "--output-format", output_format).exit_code == 1
    assert run("check", "--output-format", output_format, "healthy.py").exit_code == 0
    assert run("check", "--output-format", output_format, "nothing.py").exit_code == 2


def test_fix_in_place_and_twice_is_once(folder: Path) -> None:
    path = put(folder / "train.py", BROKEN)
    result = run("fix", "train.py")
    assert result.exit_code == 0
    assert path.read_text() == FIXED
    assert "Found 1 finding in 1 file: 1 fixed, 0 left." in result.stdout
    stamp = path.stat().st_mtime_ns
    assert run("fix", "train.py").exit_code == 0
    assert path.stat().st_mtime_ns == stamp


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(BROKEN.replace("\n", "\r\n"), FIXED.replace("\n", "\r\n"), id="CRLF"),
        pytest.param("\ufeff" + BROKEN, "\ufeff" + FIXED, id="byte order mark"),
        pytest.param(BROKEN.replace("    ", "\t"), FIXED.replace("    ", "\t"), id="tabs"),
        pytest.param(BROKEN.rstrip("\n"), FIXED.rstrip("\n"), id="no final newline"),
        pytest.param("\x0c\n" + BROKEN + "  \n\x0c\n", "\x0c\n" + FIXED + "  \n\x0c\n", id="form feeds"),
        pytest.param("# 能量 🙂  \n" + BROKEN, "# 能量 🙂  \n" + FIXED, id="beyond ASCII"),
        pytest.param(BROKEN.replace("\n", "\r\n", 2), FIXED.replace("\n", "\r\n", 2), id="mixed line ends"),
        pytest.param("s = '''a\r\nb\nc'''\n" + BROKEN, "s = '''a\r\nb\nc'''\n" + FIXED, id="CRLF in a string"),
        pytest.param(
            BROKEN.replace("* 3.0)", "*  3.0 , )#x"), FIXED.replace("* 3.0)", "*  3.0 , )#x"), id="odd blanks"
        ),
        pytest.param(BROKEN.replace("\nw", "\\\n\nw"), FIXED.replace("\nw", "\\\n\nw"), id="line continuation"),
    ],
)
def test_bytes_outside_the_edit_stay(folder: Path, before: str, after: str) -> None:
    path = put(folder / "train.py", before)
    assert run("fix", path).exit_code == 0
    assert path.read_bytes() == after.encode()


def test_the_files_own_encoding_stays(folder: Path) -> None:
    text = "# -*- coding: latin-1 -*-\n# é\n"
    path = put(folder / "train.py", (text + BROKEN).encode("latin-1"))
    assert run("fix", path).exit_code == 0
    assert path.read_bytes() == (text + FIXED).encode("latin-1")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_diff_writes_nothing_and_git_takes_it(folder: Path, end: str) -> None:
    path = put(folder / "sub" / "train.py", BROKEN.replace("\n", end).rstrip())
    put(folder / "other.py", BROKEN)
    result = run("fix", "--diff", ".")
    assert result.exit_code == 0
    assert path.read_bytes() == BROKEN.replace("\n", end).rstrip().encode()
    assert "can be fixed" in result.stderr
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    subprocess.run(["git", "apply", "-"], input=result.stdout_bytes, cwd=folder, check=True)
    assert path.read_bytes() == FIXED.replace("\n", end).rstrip().encode()
    assert (folder / "other.py").read_text() == FIXED


def test_standard_input_to_standard_output(folder: Path) -> None:
    data = BROKEN.replace("\n", "\r\n").encode()
    result = run("fix", "-", stdin=data)
    assert result.exit_code == 0
    assert result.stdout_bytes == FIXED.replace("\n", "\r\n").encode()
    assert "stdin.py:5:22 TGF103" in result.stderr
    assert os.listdir(folder) == []


def test_standard_input_of_healthy_text_comes_back(folder: Path) -> None:
    result = run("fix", "-", "--stdin-filename", "train.py", stdin=HEALTHY.encode())
    assert (result.exit_code, result.stdout_bytes) == (0, HEALTHY.encode())


@pytest.mark.parametrize("data", [b"def f(:\n", b"\xff\xfe", b"a\0b"])
def test_standard_input_that_is_no_source_comes_back(folder: Path, data: bytes) -> None:
    result = run("fix", "-", stdin=data)
    assert (result.exit_code, result.stdout_bytes) == (2, data)
    assert "tfgradfix: stdin.py: " in result.stderr


def test_standard_input_as_a_patch_and_as_findings(folder: Path) -> None:
    patch = run("fix", "-", "--diff", "--stdin-filename", "sub/train.py", stdin=BROKEN.encode()).stdout
    assert patch.startswith("--- a/sub/train.py\n+++ b/sub/train.py\n")
    result = run("check", "-", "--stdin-filename", "train.py", "--output-format", "json", stdin=BROKEN.encode())
    assert result.exit_code == 1
    assert json.loads(result.stdout)[0]["filename"] == str(folder / "train.py")


def test_a_bad_file_is_said_and_the_others_go_on(folder: Path) -> None:
    good = put(folder / "good.py", BROKEN)
    put(folder / "syntax.py", "import tensorflow as tf\nwith tf.GradientTape() as t\n")
    put(folder / "bytes.py", b"import tensorflow as tf\ntf.GradientTape('\xff')\n")
    put(folder / "null.py", b"import tensorflow as tf\ntf.GradientTape()\0\n")
    result = run("fix", ".")
    assert result.exit_code == 2
    assert good.read_text() == FIXED
    assert "tfgradfix: syntax.py: does not parse: line 2, column 28: " in result.stderr
    assert "tfgradfix: bytes.py: is not utf-8: line 2 holds the byte 0xff" in result.stderr
    assert "tfgradfix: null.py: holds NUL bytes, so it is not Python source" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_file_that_the_analysis_stumbles_over_does_not_stop_the_others(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, bad = put(folder / "good.py", BROKEN), put(folder / "bad.py", BROKEN)

    def stumble(texts: Mapping[Path, str], *, graph_ready: bool = False) -> Mapping[Path, tuple[Finding, ...]]:
        if bad in texts:
            raise RecursionError("too deep")
        return analyse(texts, graph_ready=graph_ready)

    monkeypatch.setattr("tfgradfix.pipeline.analyse", stumble)
    result = run("fix", ".")
    assert result.exit_code == 2
    assert "tfgradfix: bad.py: the analysis failed, please report it: RecursionError: too deep" in result.stderr
    assert (good.read_text(), bad.read_text()) == (FIXED, BROKEN)


def test_a_rewrite_that_stumbles_leaves_the_findings(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(folder / "train.py", BROKEN)

    def stumble(*_: object, **__: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr("tfgradfix.rewrite.apply.rewrite", stumble)
    result = run("fix", ".")
    assert result.exit_code == 2
    assert "the rewrite failed, please report it: KeyError: 'x'" in result.stderr
    assert "train.py:5:22 TGF103" in result.stdout
    assert path.read_text() == BROKEN


def test_a_file_that_holds_nothing_of_tensorflow_is_parsed_only_when_named(folder: Path) -> None:
    put(folder / "template.py", "def {{ name }}(:\n")
    assert run("check").exit_code == 0
    assert run("check", "template.py").exit_code == 2


def test_a_missing_path(folder: Path) -> None:
    result = run("fix", "nothing.py")
    assert (result.exit_code, result.stderr) == (2, "tfgradfix: nothing.py: no such file or folder\n")


def test_a_notebook_is_not_taken_for_python(folder: Path) -> None:
    put(folder / "train.ipynb", '{"cells": []}')
    result = run("check", "train.ipynb")
    assert (result.exit_code, result.stderr) == (2, "tfgradfix: train.ipynb: is not a notebook: it has no nbformat\n")


def test_a_read_only_file_is_left(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(folder / "train.py", BROKEN)
    other = put(folder / "other.py", BROKEN)
    # A superuser may write without write bits, so the answer of the system is given here.
    monkeypatch.setattr(os, "access", lambda asked, _mode: Path(asked).name != "train.py")
    result = run("fix", ".")
    assert result.exit_code == 2
    assert "tfgradfix: train.py: not written: the file is read-only" in result.stderr
    assert path.read_text() == BROKEN
    assert other.read_text() == FIXED


def test_a_link_out_of_the_folder_is_not_written_through(folder: Path) -> None:
    outside = put(folder / "outside" / "train.py", BROKEN)
    (folder / "tree").mkdir()
    (folder / "tree" / "train.py").symlink_to(outside)
    result = run("fix", "tree")
    assert result.exit_code == 2
    assert "not written: it is a link to" in result.stderr
    assert outside.read_text() == BROKEN


def test_files_that_are_repaired_together_are_written_together(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    span = Span("a.py", Position(1, 1), Position(1, 2))

    def outcome(name: str, unit: str) -> FileOutcome:
        finding = Finding("TGF103", "numpy-detach", span, "", Level.SAFE, Extent.WHOLE, unit=unit)
        return FileOutcome(put(folder / name, "old"), b"old", b"new", (finding,), (finding,))

    report = Report((outcome("a.py", "one"), outcome("b.py", "one"), outcome("c.py", "two")))
    monkeypatch.setattr(os, "access", lambda asked, _mode: Path(asked).name != "b.py")
    errors = [file.error for file in write(report, folder).files]
    assert [path.read_text() for path in sorted(folder.iterdir())] == ["old", "old", "new"]
    assert errors == [
        f"not written: its repair needs that of {folder / 'b.py'}, which cannot be written",
        "not written: the file is read-only",
        None,
    ]


def test_only_the_given_file_is_changed(folder: Path) -> None:
    helper = put(folder / "helper.py", "import tensorflow as tf\n\ndef loss(w):\n    return tf.square(w.numpy())\n")
    script = put(
        folder / "train.py",
        "import tensorflow as tf\nfrom helper import loss\nw = tf.Variable(2.0)\n"
        "with tf.GradientTape() as tape:\n    value = loss(w)\nprint(tape.gradient(value, w))\n",
    )
    before = helper.read_text(), script.read_text()
    run("fix", "train.py")
    assert (helper.read_text(), script.read_text()) == before


@pytest.mark.parametrize("comment", ["# tfgradfix: ignore", "# tfgradfix: ignore[TGF103]", "# tfgradfix: ignore[TGF1]"])
def test_an_ignore_comment_is_heeded(folder: Path, comment: str) -> None:
    text = BROKEN.replace("* 3.0)", f"* 3.0)  {comment}")
    path = put(folder / "train.py", text)
    assert run("check").exit_code == 0
    assert run("fix").exit_code == 0
    assert path.read_text() == text


@pytest.mark.parametrize(
    ("options", "status"),
    [
        (["--select", "TGF103"], 1),
        (["--select", "numpy-detach"], 1),
        (["--select", "TGF2,TGF1"], 1),
        (["--select", "TGF2"], 0),
        (["--ignore", "TGF103"], 0),
        (["--ignore", "numpy-detach"], 0),
        (["--ignore", "TGF2", "--ignore", "TGF3"], 1),
    ],
)
def test_selection(folder: Path, options: list[str], status: int) -> None:
    put(folder / "train.py", BROKEN)
    assert run("check", *options).exit_code == status


def test_configuration(folder: Path) -> None:
    put(folder / "train.py", BROKEN)
    put(folder / "old" / "train.py", BROKEN)
    table = put(folder / "pyproject.toml", "[tool.tfgradfix]\nexclude = ['old/']\n")
    assert json.loads(run("check", "--output-format", "json").stdout)[0]["filename"] == str(folder / "train.py")
    table.write_text("[tool.tfgradfix]\nignore = ['TGF1']\n")
    assert run("check").exit_code == 0
    table.write_text("[tool.tfgradfix]\nselct = ['TGF1']\n")
    result = run("check")
    assert result.exit_code == 2
    assert "has no setting 'selct'" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "-", "train.py"], "standard input (-) and other paths do not go together"),
        (["check", "train.py", "--stdin-filename", "x.py"], "--stdin-filename goes with - only"),
        (["explain", "TGF999"], "there is no rule TGF999"),
        (["verify", "nothing.py", "other.py"], "nothing.py: no such file or folder"),
    ],
)
def test_a_mistaken_command_is_said(folder: Path, arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize("arguments", [["--nonsense"], ["check", "--output-format", "xml"], ["fix", "--timeout", "0"]])
def test_a_mistaken_option_is_a_usage_error(folder: Path, arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2


def test_rules_and_explanations() -> None:
    assert "TGF103  numpy-detach " in run("rules").stdout
    by_code, by_name = run("explain", "tgf103").stdout, run("explain", "numpy-detach").stdout
    assert by_code == by_name
    assert by_code.startswith("TGF103 numpy-detach\n")
    assert all(f"\n{heading}\n    " in by_code for heading in ("What breaks", "Repair", "Left alone", "Example"))


def test_version() -> None:
    assert run("--version").stdout.startswith("tfgradfix ")


@pytest.mark.runs_tensorflow
def test_fix_with_a_proof_and_verify_after_it(folder: Path) -> None:
    path, before = put(folder / "train.py", BROKEN), put(folder / "before.py", BROKEN)
    result = run("fix", "--verify", "train.py")
    assert result.exit_code == 0, result.output
    assert path.read_text() == FIXED
    assert (
        "train.py: proven\n  train.py line 6 gradient: 1 of 1 None before, 0 of 1 after; target equal" in result.stdout
    )
    result = run("verify", before, path, "--timeout", "120")
    assert result.exit_code == 0
    assert result.stdout.startswith("proven\n")
    result = run("verify", before, before, "--", "--epochs", "1")
    assert result.exit_code == 1
    assert result.stdout.startswith("failed\n")


def test_a_repair_that_cannot_be_run_is_not_kept(folder: Path) -> None:
    path = put(folder / "train.py", BROKEN)
    result = run("fix", "--verify", "--python", "no-such-python", "train.py")
    assert result.exit_code == 2
    assert path.read_text() == BROKEN
    assert "train.py: not run: no-such-python is not a program that can be run" in result.stdout
    assert run("verify", path, path, "--python", "no-such-python").exit_code == 2


def command(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tfgradfix", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_no_library_that_is_not_needed_is_loaded(tmp_path: Path) -> None:
    put(tmp_path / "train.py", HEALTHY)
    program = (
        "import sys\nfrom tfgradfix.cli import app\n"
        "try:\n    app(['check', '.'])\nexcept SystemExit:\n    pass\n"
        "print(sorted({'libcst', 'rich', 'pathspec', 'tensorflow', 'numpy'} & sys.modules.keys()))\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert result.stdout == "No cut gradient found.\n[]\n"


def test_a_name_that_the_terminal_cannot_show_does_not_end_the_run(tmp_path: Path) -> None:
    put(tmp_path / "größe能.py", BROKEN)
    result = command("check", cwd=tmp_path, PYTHONIOENCODING="ascii")
    assert result.returncode == 1
    assert "TGF103" in result.stdout
    assert result.stderr == ""


def test_a_fault_of_our_own_is_one_line(tmp_path: Path) -> None:
    program = (
        "import tfgradfix.pipeline as p\n"
        "def fail(*_): raise KeyError('x')\n"
        "p.examine = fail\n"
        "from tfgradfix.cli import main\nmain()\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    result = subprocess.run(
        [sys.executable, "-c", program, "check"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 2
    assert result.stderr.startswith("tfgradfix: internal error, please report it: KeyError: 'x'")
    assert result.stderr.count("\n") == 1


def test_colours_go_to_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    from tfgradfix.report.terminal import has_colours, show
    from tfgradfix.report.text import Piece

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    terminal, pipe = Terminal(), io.StringIO()
    for stream in (terminal, pipe):
        show([(Piece("cut", "red"), Piece(" [here]"))], stream)
    assert terminal.getvalue() == "\x1b[31mcut\x1b[0m [here]\n"
    assert pipe.getvalue() == "cut [here]\n"
    monkeypatch.setenv("NO_COLOR", "1")
    assert not has_colours(Terminal())
