"""The one door of the analysis: a program in, the findings of each file out."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path

from tfgradfix.analyse.breaks import find_breaks
from tfgradfix.analyse.consumers import draft_consumers
from tfgradfix.analyse.control_faults import draft_control
from tfgradfix.analyse.describe import shadowed, source_name, tensorflow_name
from tfgradfix.analyse.drafts import Draft, Drafts
from tfgradfix.analyse.dtype_faults import draft_dtypes, draft_shape_sums
from tfgradfix.analyse.graph import Effect
from tfgradfix.analyse.graph_lists import draft_graph_lists
from tfgradfix.analyse.interpret import Interpreter
from tfgradfix.analyse.memories import draft_memories
from tfgradfix.analyse.modules import Program
from tfgradfix.analyse.tape_faults import draft_tapes
from tfgradfix.analyse.two_passes import draft_two_passes
from tfgradfix.analyse.unbuilt_faults import draft_unbuilt
from tfgradfix.analyse.value_faults import draft_values
from tfgradfix.model import Finding, Level


def analyse(sources: Mapping[Path, str], *, graph_ready: bool = False) -> dict[Path, tuple[Finding, ...]]:
    """Find where the gradient paths of a program are cut.

    Arguments: ``sources`` maps the path of each module to its text; paths say which import means which module.
    ``graph_ready`` takes the functions that are called inside a tape's block to be traced, with tensors for arrays.
    Returns the findings of each file in source order; a file without one maps to an empty tuple.
    Raises SyntaxError (with the file name set) for a text that does not parse.
    """
    interpreter = Interpreter(Program(sources), graph_ready)
    interpreter.run()
    drafts = Drafts()
    for event, found in enumerate(find_breaks(interpreter)):
        draft_memories(interpreter, found, event, drafts)
        draft_values(interpreter, found, event, drafts)
        draft_tapes(interpreter, found, event, drafts)
        draft_unbuilt(interpreter, found, event, drafts)
        draft_two_passes(interpreter, found, event, drafts)
        draft_control(interpreter, found, event, drafts)
        draft_graph_lists(interpreter, found, event, drafts)
        draft_dtypes(interpreter, found, event, drafts)
        draft_shape_sums(interpreter, found, event, drafts)
        for number, (source, effect) in sorted(found.stops.items()):
            node = interpreter.graph[number]
            code = "TGF402" if effect is Effect.STOPPED else "TGF401"
            code = "TGF403" if node.symbol == "variable.assign" else code
            drafts.add(
                Draft(
                    code, node.syntax, node.module, node.symbol, source_name(interpreter.graph, source), Level.MANUAL
                ),
                event,
            )
    draft_consumers(interpreter, drafts)
    return _by_file(interpreter, sources, drafts)


def _by_file(interpreter: Interpreter, sources: Mapping[Path, str], drafts: Drafts) -> dict[Path, tuple[Finding, ...]]:
    units = drafts.units()
    found: dict[Path, list[Finding]] = {path: [] for path in sources}
    for draft in drafts:
        if not hasattr(draft.syntax, "lineno"):
            continue
        name = tensorflow_name(interpreter, id(draft.module))
        if name is not None and shadowed(name, _outer(draft)):
            draft.level, draft.reason = Level.MANUAL, f"`{name}` means something else here"
        draft.tensorflow = name
        found[draft.module.path].append(draft.finish(drafts.unit_of(draft, units)))
    return {path: tuple(sorted(findings, key=lambda f: (f.span, f.code))) for path, findings in found.items()}


def _outer(draft: Draft) -> list[ast.AST]:
    """The nodes round a draft's place, innermost first."""
    outer: list[ast.AST] = []
    current = draft.module.parent(draft.syntax)
    while current is not None:
        outer.append(current)
        current = draft.module.parent(current)
    return outer
