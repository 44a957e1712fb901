"""Reads YAML text: events from PyYAML, values by the core schema of YAML 1.2.

Only the parser of PyYAML is used and none of its constructors, so a tag can never make an
object. Anchors and aliases are refused as they are met, before anything could expand.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from toolresult_generator.findings import Place, quoted
from toolresult_generator.load.builder import Builder
from toolresult_generator.load.node import Scalar
from toolresult_generator.load.scalars import ScalarError, resolve

# libyaml's parser where it is built in (many times faster), else the one in Python
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_CORE = "tag:yaml.org,2002:"
_SCALAR_TAGS = {"str", "int", "float", "bool", "null"}
_SURROGATE = re.compile("[\ud800-\udfff]")


def read_yaml(text: str, builder: Builder) -> None:
    """Feed the one document of the text to the builder; faults become its findings.

    Raises StopLoadingError where the rest of the text cannot be looked at.
    """
    documents = 0
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise builder.stop(
                        "many_documents",
                        _place(builder.file, event.start_mark),
                        "a second document begins",
                        "put it into a file of its own",
                    )
            else:
                _take(event, builder)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = " ".join(part for part in (error.context, error.problem) if part)
        # the scanner runs ahead of the events and has a bound of its own
        code = "too_deep" if "nesting depth" in problem else "invalid_yaml"
        raise builder.stop(code, _place(builder.file, mark), problem) from None
    except yaml.YAMLError as error:
        raise builder.stop("invalid_yaml", Place(builder.file), str(error)) from None
    except (ValueError, OverflowError):
        # the pure Python parser turns `\UFFFFFFFF` into a character without looking
        raise builder.stop(
            "invalid_yaml", Place(builder.file), "an escape is no character"
        ) from None


def _take(event: Any, builder: Builder) -> None:
    if isinstance(event, yaml.ScalarEvent):
        place = _place(builder.file, event.start_mark)
        _refuse_anchor(event, place, builder)
        builder.scalar(_value(event, place, builder), event.value, place)
    elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
        place = _place(builder.file, event.start_mark)
        _refuse_anchor(event, place, builder)
        is_mapping = isinstance(event, yaml.MappingStartEvent)
        if event.tag not in (None, "!", _CORE + ("map" if is_mapping else "seq")):
            _refuse_tag(event.tag, place, builder)
        builder.open(place, is_mapping=is_mapping)
    elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
        builder.close()
    elif isinstance(event, yaml.AliasEvent):
        place = _place(builder.file, event.start_mark)
        builder.report(
            "alias",
            place,
            f"the alias {quoted('*' + str(event.anchor))} is used",
            "write the value where it is needed",
        )
        builder.scalar(None, f"*{event.anchor}", place)


def _value(event: Any, place: Place, builder: Builder) -> Scalar:
    text: str = event.value
    if _SURROGATE.search(text):
        builder.report("invalid_character", place, "a lone surrogate is no text")
        return ""
    plain, by_tag = bool(event.implicit[0]), event.tag
    if by_tag in (None, "!"):
        name = "" if plain else "str"
    elif by_tag.startswith(_CORE) and by_tag[len(_CORE) :] in _SCALAR_TAGS:
        name = by_tag[len(_CORE) :]
    else:
        _refuse_tag(by_tag, place, builder)
        return text
    if name == "str":
        return text
    try:
        value = resolve(text)
    except ScalarError as error:
        builder.report("bad_scalar", place, str(error), "put it in quotes if it is a text")
        return text
    if name and not _fits(value, name):
        builder.report("bad_scalar", place, f"{quoted(text)} is no {name}")
    return float(value) if name == "float" and type(value) is int else value


def _fits(value: Scalar, name: str) -> bool:
    types: dict[str, tuple[type, ...]] = {
        "int": (int,),
        "float": (int, float),
        "bool": (bool,),
        "null": (type(None),),
    }
    return type(value) in types[name]


def _refuse_anchor(event: Any, place: Place, builder: Builder) -> None:
    if event.anchor is not None:
        builder.report(
            "alias",
            place,
            f"the anchor {quoted('&' + str(event.anchor))} is used",
            "write the value where it is needed",
        )


def _refuse_tag(tag: str, place: Place, builder: Builder) -> None:
    builder.report("tag", place, f"the tag {quoted(tag)} is not allowed", "leave it out")


def _place(file: str, mark: Any) -> Place:
    return Place(file) if mark is None else Place(file, mark.line + 1, mark.column + 1)
