"""From paths to a report: the only file that calls all stages.

Nothing is written before everything is known: ``examine`` works in memory, ``write`` puts its results on disk.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from tfgradfix.analyse import analyse
from tfgradfix.discover.files import find_files, may_matter
from tfgradfix.model import Declined, FileOutcome, Report
from tfgradfix.read.comments import ignore_comments
from tfgradfix.read.imports import imported_files
from tfgradfix.read.source import ForeignError, ReadError, RefusedError, Source, decode, parse, read_bytes, read_source
from tfgradfix.restore import restore
from tfgradfix.write import obstacle, replace_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from tfgradfix.config import Settings
    from tfgradfix.model import Finding
    from tfgradfix.rewrite.apply import Rewritten

#: Right as it stands, and in need of an edit only because of the repair of a fault: part of that repair, no fault.
COMPANIONS: Final = frozenset({"TGF114", "TGF120"})


@dataclass
class Program:
    """The modules of one run, all by their absolute paths.

    ``given`` are the files that the user asked about, in order; ``sources`` are those among them that have to be
    analysed, and what they import from the project; ``errors`` tells of files that could not be taken in.
    """

    given: list[Path] = field(default_factory=list)
    sources: dict[Path, Source] = field(default_factory=dict)
    errors: dict[Path, str] = field(default_factory=dict)

    @property
    def texts(self) -> Mapping[Path, str]:
        """The text of each module."""
        return {path: source.text for path, source in self.sources.items()}


@dataclass(frozen=True)
class _Repaired:
    """What came of a rewrite, as bytes; ``refused`` are the files that cannot hold their repair, and why."""

    rewritten: Rewritten
    after: Mapping[Path, bytes]
    refused: Mapping[Path, str]


def examine(paths: Sequence[Path], settings: Settings) -> Report:
    """Find the cuts in the files under ``paths``, and make the repairs that can be made, in memory."""
    return _report(load(paths, settings), settings)


def examine_text(data: bytes, filename: Path, settings: Settings) -> Report:
    """The same for one file that stands in an editor: ``data`` is taken for the content of ``filename``."""
    program = Program(given=[filename.absolute()])
    _follow(program, [decode(filename.absolute(), data)])
    report = _report(program, settings)
    # Even text that cannot be read has to go back to the editor.
    return replace(report, files=tuple(replace(file, before=data) for file in report.files))


def load(paths: Sequence[Path], settings: Settings) -> Program:
    """Read the files under ``paths`` in which a search can start, and the files of the project that they import.

    A file of a folder in which no search can start is not parsed, unless another file imports it.
    """
    found = find_files([path.absolute() for path in paths], settings.excludes())
    program = Program(given=[*found.files, *(path for path, _ in found.missing)], errors=dict(found.missing))
    first: list[Source | ReadError] = []
    for path in found.files:
        data = read_bytes(path)
        if isinstance(data, ReadError):
            first.append(data)
        elif path in found.named or may_matter(data):
            source = decode(path, data)
            if path in found.named or not isinstance(source, ForeignError):
                first.append(source)
    _follow(program, first)
    return program


def write(report: Report, root: Path) -> Report:
    """Put the repaired files on disk; one that cannot be written holds back those that only work with it.

    Args:
        report: what ``examine`` found.
        root: the folder that the user's files lie in; links that lead out of it are not followed.

    Returns:
        The report, in which a file that could not be written carries the reason as its error and no repair.
    """
    changed = [file for file in report.files if file.after is not None]
    blocked = [file for file in changed if obstacle(file.path, file.before, root)]
    return replace(report, files=tuple(_written(file, blocked, root) for file in report.files))


def _follow(program: Program, first: Sequence[Source | ReadError]) -> None:
    """Take in ``first`` and the files of the project that they import, those that these import, and so on."""
    waiting = deque(first)
    seen = {source.path.resolve() for source in first}
    given = frozenset(program.given)
    while waiting:
        source = waiting.popleft()
        tree = source if isinstance(source, ReadError) else parse(source)
        if isinstance(source, ReadError) or isinstance(tree, ReadError):
            # A file that was not asked about and cannot be read is an unknown module, as an installed one is.
            if source.path in given and isinstance(tree, ReadError):
                program.errors[source.path] = tree.message
            continue
        program.sources[source.path] = source
        for path in imported_files(source.path, tree):
            if path.resolve() not in seen:
                seen.add(path.resolve())
                waiting.append(read_source(path))


def _report(program: Program, settings: Settings) -> Report:
    found = _analyse(program, settings.graph_ready)
    selected = _selection(program, settings)
    kept = {path: tuple(filter(selected, findings)) for path, findings in found.items() if path in set(program.given)}
    repaired = None
    if any(kept.values()):
        try:
            repaired = _rewrite(program, found, selected, settings)
        except Exception as error:  # noqa: BLE001 (the findings are still worth telling)
            message = f"the rewrite failed, please report it: {type(error).__name__}: {error}"
            program.errors.update((path, message) for path, findings in kept.items() if findings)
    files = tuple(_outcome(path, program, kept.get(path, ()), repaired) for path in program.given)
    notes = tuple(f"{path}: {message}" for path, message in program.errors.items() if path not in set(program.given))
    return Report(files, notes)


def _analyse(program: Program, graph_ready: bool) -> Mapping[Path, tuple[Finding, ...]]:
    """Analyse ``program``; a file that the analysis stumbles over is set aside with an error."""
    try:
        return analyse(program.texts, graph_ready=graph_ready)
    except Exception:  # noqa: BLE001 (told below, file by file)
        for path, text in program.texts.items():
            try:
                analyse({path: text}, graph_ready=graph_ready)
            except Exception as error:  # noqa: BLE001 (the other files go on)
                program.errors[path] = f"the analysis failed, please report it: {type(error).__name__}: {error}"
                del program.sources[path]
    return analyse(program.texts, graph_ready=graph_ready)


def _selection(program: Program, settings: Settings) -> Callable[[Finding], bool]:
    """Whether the user wants to hear of a finding: by code and name, and by comments in the file."""
    comments = {str(path): ignore_comments(source.text) for path, source in program.sources.items()}

    def selected(finding: Finding) -> bool:
        wanted = finding.code in COMPANIONS or settings.wants(finding)
        return wanted and not comments[finding.span.filename].covers(finding)

    return selected


def _rewrite(
    program: Program,
    found: Mapping[Path, tuple[Finding, ...]],
    selected: Callable[[Finding], bool],
    settings: Settings,
) -> _Repaired:
    """Rewrite ``program``; a file that cannot hold its repair is left out, and with it what needs that repair."""
    # Imported late: with it comes LibCST, which costs more time than the analysis of most programs.
    from tfgradfix.rewrite.apply import rewrite

    refused: dict[Path, str] = {}
    while True:
        editable = frozenset(program.given) - refused.keys()
        rewritten = rewrite(
            program.texts,
            editable=editable,
            select=selected,
            unsafe=settings.unsafe_fixes,
            found=found,
            graph_ready=settings.graph_ready,
        )
        results = {path: _put_back(program.sources[path], text) for path, text in rewritten.texts.items()}
        reasons = {path: result for path, result in results.items() if isinstance(result, str)}
        if not reasons:
            after = {path: result for path, result in results.items() if isinstance(result, bytes)}
            return _Repaired(rewritten, after, refused)
        refused.update(reasons)


def _put_back(source: Source, rewritten: str) -> bytes | str:
    """The bytes of a file with its repair in them, or why it cannot hold that."""
    text = restore(source.text, rewritten)
    if text is None:
        return "the edit lies where LibCST does not keep the file's bytes"
    try:
        return source.encode(text)
    except (UnicodeEncodeError, RefusedError) as error:
        return str(error)


def _outcome(path: Path, program: Program, kept: Sequence[Finding], repaired: _Repaired | None) -> FileOutcome:
    source = program.sources.get(path)
    if source is None:
        return FileOutcome(path, error=program.errors.get(path))
    findings = tuple(finding for finding in kept if finding.code not in COMPANIONS)
    outcome = FileOutcome(path, source.data, findings=findings, error=program.errors.get(path))
    if repaired is None:
        return outcome
    rewritten, reason = repaired.rewritten, repaired.refused.get(path)
    fixed = tuple(finding for finding in findings if finding in rewritten.fixed.get(path, ()))
    declined = tuple(
        Declined(refusal.finding, reason or refusal.reason)
        for refusal in rewritten.declined.get(path, ())
        if refusal.finding in findings
    )
    return replace(outcome, after=repaired.after.get(path), fixed=fixed, declined=declined)


def _written(file: FileOutcome, blocked: Sequence[FileOutcome], root: Path) -> FileOutcome:
    if file.after is None:
        return file
    tied = next((other for other in blocked if other.path != file.path and _belong_together(file, other)), None)
    error = replace_file(file.path, file.before, file.after, root) if tied is None else None
    if tied is not None:
        error = f"not written: its repair needs that of {tied.path}, which cannot be written"
    return file if error is None else replace(file, after=None, fixed=(), error=error)


def _belong_together(one: FileOutcome, other: FileOutcome) -> bool:
    """Whether some repair reaches into both files; one that only holds companions of repairs may belong to any."""
    units, others = ({finding.unit for finding in file.fixed} for file in (one, other))
    return not units or not others or not units.isdisjoint(others)
