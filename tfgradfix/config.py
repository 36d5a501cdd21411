"""What the user asked for: ``[tool.tfgradfix]`` of pyproject.toml, overruled by flags."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tfgradfix.config_verify import VerifyError, VerifySettings, read_verify

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfgradfix.model import Finding

_LISTS: Final = ("select", "ignore", "exclude")
_KEYS: Final = (*_LISTS, "unsafe-fixes", "verify")


class ConfigError(Exception):
    """The configuration cannot be used; the message says why, in one line."""


@dataclass(frozen=True)
class Settings:
    """The settings of one run.

    ``select`` and ``ignore`` hold codes, beginnings of codes, or names; an empty ``select`` selects all.
    ``exclude`` holds patterns as in ``.gitignore``, counted from ``root``. ``without`` are single findings to be left.
    ``graph_ready`` is asked for on the command line only: what is called inside a tape's block is to run under
    ``tf.function`` too. ``verify`` is what is to be run for a proof, counted from ``root``.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    unsafe_fixes: bool = False
    root: Path = field(default_factory=Path.cwd)
    without: frozenset[Finding] = frozenset()
    graph_ready: bool = False
    verify: VerifySettings = field(default_factory=VerifySettings)

    def wants(self, finding: Finding) -> bool:
        """Whether findings of this kind are selected and not ignored, and this one is not to be left."""
        if finding in self.without:
            return False
        if self.select and not any(matches(selector, finding) for selector in self.select):
            return False
        return not any(matches(selector, finding) for selector in self.ignore)

    def excludes(self) -> Callable[[Path], bool] | None:
        """A test for files and folders that ``exclude`` leaves out, or None when there is nothing to leave out."""
        if not self.exclude:
            return None
        from pathspec import GitIgnoreSpec

        spec = GitIgnoreSpec.from_lines(self.exclude)
        root = self.root.resolve()

        def excluded(path: Path) -> bool:
            absolute = path.parent.resolve() / path.name
            if not absolute.is_relative_to(root):
                return False
            relative = absolute.relative_to(root).as_posix()
            return spec.match_file(f"{relative}/" if path.is_dir() else relative)

        return excluded


def matches(selector: str, finding: Finding) -> bool:
    """Whether ``selector`` (a code, the beginning of a code, or a name) means ``finding``."""
    return finding.name == selector.lower() or finding.code.startswith(selector.upper())


def load_settings(folder: Path) -> Settings:
    """The settings of the nearest pyproject.toml with ``[tool.tfgradfix]``, at ``folder`` or above it.

    Raises:
        ConfigError: the file cannot be read, or its table holds something that is not a setting.
    """
    folder = folder.resolve()
    for candidate in (folder, *folder.parents):
        table = _table(candidate / "pyproject.toml")
        if table is not None:
            return _settings(table, candidate / "pyproject.toml")
        if (candidate / ".git").exists():
            break
    return Settings(root=folder)


def overrule(settings: Settings, select: tuple[str, ...], ignore: tuple[str, ...], unsafe: bool | None) -> Settings:
    """``settings`` with what the command line says; ``ignore`` adds to the configured list."""
    return replace(
        settings,
        select=select or settings.select,
        ignore=(*settings.ignore, *ignore),
        unsafe_fixes=settings.unsafe_fixes if unsafe is None else unsafe,
    )


def _table(path: Path) -> dict[str, Any] | None:
    if not path.is_file():
        return None
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: {error}") from error
    table = content.get("tool", {}).get("tfgradfix")
    if table is not None and not isinstance(table, dict):
        raise ConfigError(f"{path}: [tool.tfgradfix] is not a table")
    return table


def _settings(table: dict[str, Any], path: Path) -> Settings:
    unknown = [key for key in table if key not in _KEYS]
    if unknown:
        raise ConfigError(f"{path}: [tool.tfgradfix] has no setting {unknown[0]!r}; it has {', '.join(_KEYS)}")
    for key in _LISTS:
        value = table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise ConfigError(f"{path}: {key} must be a list of strings")
    unsafe = table.get("unsafe-fixes", False)
    if not isinstance(unsafe, bool):
        raise ConfigError(f"{path}: unsafe-fixes must be true or false")
    select, ignore, exclude = (tuple(table.get(key, ())) for key in _LISTS)
    try:
        verify = read_verify(table.get("verify", {}))
    except VerifyError as error:
        raise ConfigError(f"{path}: {error}") from error
    return Settings(select, ignore, exclude, unsafe, path.parent, verify=verify)
