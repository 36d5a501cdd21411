"""Classes that are little more than their fields: dataclasses and named tuples."""

from __future__ import annotations

import ast

from tfgradfix.analyse.core import Core
from tfgradfix.analyse.objects import Class, Container, Instance
from tfgradfix.analyse.values import NOTHING, UNKNOWN, Kind, Value, join

#: The base that makes a class a named tuple.
NAMED_TUPLE = "typing.NamedTuple"


class RecordClasses(Core):
    """Make instances of classes without an ``__init__`` of their own."""

    def make_record(
        self, cls: Class, instance: Instance, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST
    ) -> Value:
        """An instance with its fields; a named tuple is a tuple of them too."""
        given = dict(zip(fields_of(cls), arguments, strict=False)) | keywords
        for name, value in given.items():
            instance.write(name, value)
        if NAMED_TUPLE in cls.library_bases():
            values = [given.get(name) or cls.member(name) or UNKNOWN for name in fields_of(cls)]
            items = self.container(syntax, Kind.TUPLE, dict(enumerate(values)), role="record")
            return Value(Kind.TUPLE, refs=items.refs | {instance})
        made = Value(Kind.OBJECT, refs=frozenset({instance}))
        after = cls.member("__post_init__")
        if after is not None:
            self.call_value(self.bind(after, made), [], {}, syntax, "post-init")
        return made

    def _call_collections_namedtuple(
        self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST
    ) -> Value:
        """A class made by a call: its fields are a text, or a list of names (with types)."""
        fields = _names(arguments[1] if len(arguments) > 1 else keywords.get("field_names", UNKNOWN))
        if fields is None:
            return UNKNOWN
        body = [ast.AnnAssign(ast.Name(name, ast.Store()), ast.Name("object", ast.Load()), simple=1) for name in fields]
        node = ast.ClassDef("record", bases=[], keywords=[], body=list(body) or [ast.Pass()], decorator_list=[])
        cls = self.made_at(syntax, "class", Class(ast.copy_location(node, syntax), self.frame.module))
        cls.bases = [self.library(NAMED_TUPLE)]
        return Value(Kind.FUNCTION, refs=frozenset({cls}))

    _call_typing_NamedTuple = _call_collections_namedtuple  # noqa: N815 - the dispatch is by the library's own name

    def _call_dataclasses_field(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        """The default of a field, as the class has it."""
        factory = keywords.get("default_factory")
        if factory is not None:
            return self.call_value(factory, [], {}, syntax, "factory")
        return keywords.get("default", UNKNOWN)

    def _call_dataclasses_replace(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        """A copy of a dataclass' instance with other fields."""
        result = NOTHING
        for ref in arguments[0].refs if arguments else ():
            if isinstance(ref, Instance):
                copy = self.made_at(syntax, f"instance:{id(ref.cls.node)}", Instance(ref.cls))
                for name, value in (ref.attributes | keywords).items():
                    copy.write(name, value)
                result = join(result, Value(Kind.OBJECT, refs=frozenset({copy})))
        return UNKNOWN if result == NOTHING else result


def fields_of(cls: Class) -> list[str]:
    """The fields of a dataclass or named tuple, those of its bases first."""
    fields = [
        statement.target.id
        for parent in reversed(list(cls.lineage()))
        for statement in parent.node.body
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
    ]
    return list(dict.fromkeys(fields))


def _names(given: Value) -> list[str] | None:
    """The names of `"a b"`, `["a", "b"]` or `[("a", int), ("b", int)]`, if they are known."""
    if isinstance(given.const, str):
        return given.const.replace(",", " ").split()
    containers = [ref for ref in given.refs if isinstance(ref, Container)]
    if len(containers) != 1 or not containers[0].exact:
        return None
    pairs = [[ref for ref in item.refs if isinstance(ref, Container)] for item in containers[0].elements()]
    firsts = [
        pair[0].items.get(0, UNKNOWN) if len(pair) == 1 else item
        for pair, item in zip(pairs, containers[0].elements(), strict=True)
    ]
    names = [first.const for first in firsts if isinstance(first.const, str)]
    return names if len(names) == len(firsts) else None
