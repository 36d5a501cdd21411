"""Bytes become text and come back the same; what is no Python source is said in one line."""

from __future__ import annotations

import ast
import codecs
from pathlib import Path

import pytest

from tfgradfix.model import Extent, Finding, Level, Position, Span
from tfgradfix.read.comments import ignore_comments
from tfgradfix.read.imports import imported_files
from tfgradfix.read.source import LARGEST, ReadError, Source, decode, parse, read_source, split_lines

HERE = Path("here.py")


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"x = 1", id="no final newline"),
        pytest.param(b"x = 1\r\ny = 2\r\n", id="CRLF"),
        pytest.param(b"x = 1\r\ny = 2\nz = 3\r", id="mixed line ends"),
        pytest.param(b"if x:\n\ty = 2  \n\x0c\nz = 3\n", id="tab, form feed, trailing blanks"),
        pytest.param(codecs.BOM_UTF8 + b"x = 1\n", id="byte order mark"),
        pytest.param(codecs.BOM_UTF8 + b"# -*- coding: utf-8 -*-\nx = 1\n", id="byte order mark and coding line"),
        pytest.param("# coding: latin-1\nx = 'é'\n".encode("latin-1"), id="latin-1"),
        pytest.param(
            "#!/usr/bin/env python\n# vim: set fileencoding=cp1251 :\nx = 'ж'\n".encode("cp1251"), id="cp1251"
        ),
        pytest.param("x = '能量 🙂'\n".encode(), id="beyond the basic plane"),
    ],
)
def test_bytes_come_back(data: bytes) -> None:
    source = decode(HERE, data)
    assert isinstance(source, Source)
    assert source.encode(source.text) == data
    assert isinstance(parse(source), ast.Module)


def test_the_byte_order_mark_is_not_in_the_text() -> None:
    source = decode(HERE, codecs.BOM_UTF8 + b"x = 1\n")
    assert isinstance(source, Source)
    assert source.text == "x = 1\n"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(b"x = 1\0", "holds NUL bytes, so it is not Python source", id="NUL"),
        pytest.param(b"x = 1\ny = '\xff'\n", "is not utf-8: line 2 holds the byte 0xff", id="not UTF-8"),
        pytest.param(b"# coding: nonsense\n", "cannot be decoded: unknown encoding: nonsense", id="encoding"),
        pytest.param(b"#" * (LARGEST + 1), "larger than 5 MB", id="huge"),
    ],
)
def test_what_is_no_source_is_said(data: bytes, message: str, tmp_path: Path) -> None:
    assert decode(HERE, data) == ReadError(HERE, message)
    path = tmp_path / "file.py"
    path.write_bytes(data)
    assert read_source(path) == ReadError(path, message)


@pytest.mark.parametrize("text", ["def f(:\n", "x = (\n", "print 'old'\n", "  x\n y\n", "(" * 500, "-" * 100_000 + "1"])
def test_what_does_not_parse_is_said_in_one_line(text: str) -> None:
    source = decode(HERE, text.encode())
    assert isinstance(source, Source)
    error = parse(source)
    assert isinstance(error, ReadError)
    assert error.message.startswith("does not parse: ")
    assert "\n" not in error.message


def test_a_warning_about_the_users_code_is_not_ours_to_print() -> None:
    source = decode(HERE, b"x = '\\d'\nx is 1\n")
    assert isinstance(source, Source)
    assert isinstance(parse(source), ast.Module)


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    assert read_source(tmp_path / "no.py") == ReadError(tmp_path / "no.py", "cannot be read: No such file or directory")


def test_lines_are_those_that_python_counts() -> None:
    assert split_lines("a\x0cb\r\nc\u2028d\re\nf") == ["a\x0cb\r\n", "c\u2028d\r", "e\n", "f"]


def test_imported_files(tmp_path: Path) -> None:
    for name in ("helpers.py", "pkg/__init__.py", "pkg/a.py", "pkg/b.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    tree = ast.parse("import numpy, helpers\nfrom pkg import a\ndef f():\n    from .pkg.b import g\n")
    files = imported_files(tmp_path / "train.py", tree)
    assert [file.relative_to(tmp_path).as_posix() for file in files] == [
        "helpers.py",
        "pkg/__init__.py",
        "pkg/a.py",
        "pkg/b.py",
    ]


def finding(row: int, end: int | None = None, code: str = "TGF101", name: str = "numpy-call") -> Finding:
    span = Span("here.py", Position(row, 5), Position(end or row, 9))
    return Finding(code, name, span, "message", Level.SAFE, Extent.WHOLE)


@pytest.mark.parametrize(
    ("text", "covered"),
    [
        pytest.param("x = np.mean(y)  # tfgradfix: ignore\n", True, id="all"),
        pytest.param("x = np.mean(y)  # tfgradfix: ignore[TGF101]\n", True, id="code"),
        pytest.param("x = np.mean(y)  # TFGRADFIX:ignore[ tgf2, TGF1 ]\n", True, id="family"),
        pytest.param("x = np.mean(y)  # why: x  # tfgradfix: ignore [numpy-call]\n", True, id="name"),
        pytest.param("x = np.mean(y)  # tfgradfix: ignore[TGF201]\n", False, id="another code"),
        pytest.param("x = '# tfgradfix: ignore'; np.mean(y)\n", False, id="a string is no comment"),
        pytest.param("# tfgradfix: ignore\nx = np.mean(y)\n", False, id="another line"),
    ],
)
def test_a_comment_on_the_line_covers_a_finding(text: str, covered: bool) -> None:
    row = text.count("\n")
    assert ignore_comments(text).covers(finding(row)) is covered


def test_a_comment_after_a_call_of_several_lines_covers_it() -> None:
    ignored = ignore_comments("x = f(\n    np.mean(\n        y,\n    ),  # tfgradfix: ignore\n    np.sum(y),\n)\n")
    assert ignored.covers(finding(2, 4))
    assert not ignored.covers(finding(5))


def test_a_comment_in_a_block_does_not_cover_its_head() -> None:
    ignored = ignore_comments("for i in tf.range(3):\n    a = 1\n    b = 2  # tfgradfix: ignore\n")
    assert not ignored.covers(finding(1, 3))
    assert ignore_comments("for i in tf.range(3):  # tfgradfix: ignore\n    b = 2\n").covers(finding(1, 2))
