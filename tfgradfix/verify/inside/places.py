"""Which line of the user's a call came from, and which files are the user's at all."""

from __future__ import annotations

import importlib
import os
import re
import sys
import sysconfig
import traceback
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import types

#: This package: its frames stand between the user's and TensorFlow's.
HERE = os.path.dirname(os.path.abspath(__file__))


class Places:
    """Tells the user's files from libraries and finds the line of the user's code that made a call."""

    def __init__(self, folder: str, script: str, tensorflow: Any) -> None:
        self.folder, self.script = folder, script
        root = os.path.dirname(os.path.realpath(tensorflow.__file__))
        self.machinery = [os.path.join(root, "python", part) + os.sep for part in ("autograph", "util")]
        paths = sysconfig.get_paths()
        libraries = {paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")} | {root}
        self.libraries = [os.path.realpath(path) + os.sep for path in libraries]
        self.known = {os.path.join(HERE, name): "machinery" for name in os.listdir(HERE)}
        self.known[script] = "user"
        self.loaded_before = loaded()  # none of the user's, who has not begun: thousands of TensorFlow's
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
        return sorted(self.name(file) for file in loaded() - self.loaded_before if self.kind(file) == "user")

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


def loaded() -> set[str]:
    """The files of all modules that are loaded."""
    files = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
    return {file for file in files if isinstance(file, str)}
