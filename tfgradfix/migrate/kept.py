"""A migration as JSON, so that a run which is finished later can still be reported.

Every record of ours becomes an object that names its class; only records and enumerations of the modules below are made
of such an object, whatever a file says.
"""

from __future__ import annotations

import base64
import dataclasses
import json
from enum import Enum
from pathlib import Path
from typing import Any, Final

from tfgradfix import model, prove
from tfgradfix.report import migration
from tfgradfix.report.migration import Migration
from tfgradfix.verify import records, values, verdict

_CLASSES: Final = {
    f"{each.__module__}.{each.__name__}": each
    for module in (model, prove, migration, records, values, verdict)
    for each in vars(module).values()
    if isinstance(each, type) and (dataclasses.is_dataclass(each) or issubclass(each, Enum))
}


def dump(kept: Migration) -> bytes:
    """``kept`` without the bytes of files that no report shows."""
    shown = {step.span.filename for finding in kept.report.findings for step in finding.path}
    files = tuple(
        file
        if file.findings or file.after is not None or str(file.path) in shown
        else dataclasses.replace(file, before=b"")
        for file in kept.report.files
    )
    slim = dataclasses.replace(kept, report=dataclasses.replace(kept.report, files=files))
    return json.dumps(_plain(slim)).encode()


def load(data: bytes) -> Migration | None:
    """The migration that was dumped; None if ``data`` holds none, or that of a version with other records."""
    try:
        found = _made(json.loads(data))
    except (ValueError, KeyError, TypeError):
        return None
    return found if isinstance(found, Migration) else None


def _plain(value: object) -> object:
    if isinstance(value, Enum):
        return {"": _name(value), "value": value.value}
    if dataclasses.is_dataclass(value):
        fields = {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
        return {"": _name(value), **fields}
    if isinstance(value, Path):
        return {"": "path", "of": str(value)}
    if isinstance(value, bytes):
        return {"": "bytes", "of": base64.b64encode(value).decode()}
    if isinstance(value, dict):
        return {"": "map", "of": [[_plain(key), _plain(each)] for key, each in value.items()]}
    if isinstance(value, frozenset):
        return {"": "set", "of": [_plain(each) for each in value]}
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise TypeError(f"a migration holds a {type(value).__name__}")


def _made(value: Any) -> object:
    if isinstance(value, list):
        return tuple(_made(each) for each in value)
    if not isinstance(value, dict):
        return value
    name = value[""]
    if name == "path":
        return Path(value["of"])
    if name == "bytes":
        return base64.b64decode(value["of"])
    if name == "map":
        return {_made(key): _made(each) for key, each in value["of"]}
    if name == "set":
        return frozenset(_made(each) for each in value["of"])
    fields = {key: _made(each) for key, each in value.items() if key}
    return _CLASSES[name](**fields)


def _name(value: object) -> str:
    return f"{type(value).__module__}.{type(value).__name__}"
