"""Values that one of our wire schemas accepts, drawn from the schema itself.

Covers the keywords that ``spec/wire`` uses and refuses any other, so that a new one cannot go
unnoticed. Conditions are resolved by drawing which way they go; the last word has the
validator, which filters what slipped through.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from jsonschema.protocols import Validator

Schema = dict[str, Any]
Draw = Callable[[st.SearchStrategy[Any]], Any]

KEYWORDS = frozenset(
    {
        *("$ref", "$schema", "$id", "$defs", "title", "description"),
        *("type", "const", "enum", "minLength", "minimum", "maximum", "pattern"),
        *("required", "properties", "patternProperties", "additionalProperties", "propertyNames"),
        *("minProperties", "maxProperties", "dependentRequired", "dependentSchemas"),
        *("items", "prefixItems", "minItems", "maxItems", "uniqueItems"),
        *("allOf", "anyOf", "oneOf", "if", "then", "else", "not"),
    }
)
# Left to the filter: what they ask for follows from the rest often enough.
LEFT_TO_FILTER = frozenset({"not", "dependentSchemas", "maxProperties"})
ANNOTATIONS = frozenset({"$schema", "$id", "$defs", "title", "description"})

SAFE = 2**53


def any_json(exact: bool) -> st.SearchStrategy[Any]:
    """Any JSON value, shallow; with ``exact`` also integers that a double cannot hold."""
    bound = 10**30 if exact else SAFE
    leaves = (
        st.none()
        | st.booleans()
        | st.integers(-bound, bound)
        | st.floats(allow_nan=False, allow_infinity=False, width=32).filter(
            lambda number: exact or abs(number) <= SAFE
        )
        | st.text(max_size=8)
    )
    return st.recursive(
        leaves,
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
        ),
        max_leaves=5,
    )


class Contradiction(Exception):
    """Two schemas that no value satisfies both."""


def both(left: Any, right: Any) -> Any:
    """One schema for two; raises Contradiction where their keywords exclude each other."""
    if left is True:
        return right
    if right is True:
        return left
    if left is False or right is False:
        return False
    merged = dict(left)
    for key, value in right.items():
        if key not in merged:
            merged[key] = value
        elif key in {"allOf", "required"}:
            merged[key] = [*merged[key], *value]
        elif key in {"properties", "patternProperties"}:
            merged[key] = {
                name: both(merged[key].get(name, True), value.get(name, True))
                for name in {**merged[key], **value}
            }
        elif key == "type":
            kinds = [kind for kind in as_types(merged[key]) if kind in as_types(value)]
            if not kinds:
                raise Contradiction
            merged[key] = kinds
        elif key == "enum":
            merged[key] = [item for item in merged[key] if item in value]
            if not merged[key]:
                raise Contradiction
        elif key.startswith("min"):
            merged[key] = max(merged[key], value)
        elif key.startswith("max"):
            merged[key] = min(merged[key], value)
        elif key in {"items", "additionalProperties", "propertyNames"}:
            merged[key] = both(merged[key], value)
        elif key in {"if", "anyOf", "oneOf", "then", "else", "$ref"}:
            merged["allOf"] = [*merged.get("allOf", []), condition(right, key)]
        elif key not in LEFT_TO_FILTER | ANNOTATIONS and merged[key] != value:
            if key == "const":
                raise Contradiction
            merged["allOf"] = [*merged.get("allOf", []), {key: value}]
    if "const" in merged and "enum" in merged and merged["const"] not in merged["enum"]:
        raise Contradiction
    return merged


def condition(schema: Schema, key: str) -> Schema:
    """The keyword by itself; an ``if`` with its branches."""
    if key in {"if", "then", "else"}:
        return {name: schema[name] for name in ("if", "then", "else") if name in schema}
    return {key: schema[key]}


def conditional(schema: Any) -> bool:
    """Whether a schema has a condition."""
    return isinstance(schema, dict) and "if" in schema


def as_types(value: str | list[str]) -> list[str]:
    """The types of a ``type`` keyword; number includes integer."""
    kinds = [value] if isinstance(value, str) else value
    return [*kinds, "integer"] if "number" in kinds and "integer" not in kinds else kinds


class Drawer:
    """Draws values of the schemas of one document."""

    def __init__(self, draw: Draw, root: Schema, exact: bool) -> None:
        self.draw = draw
        self.root = root
        self.exact = exact

    def chance(self) -> bool:
        """True or false."""
        return bool(self.draw(st.booleans()))

    def flat(self, schema: Any) -> Schema:
        """The schema with references followed and one way chosen through every combinator."""
        result: Any = {}
        pending = [schema]
        while pending:
            part = pending.pop(0)
            if part is True:
                continue
            if part is False:
                raise Contradiction
            unknown = part.keys() - KEYWORDS
            if unknown:
                raise AssertionError(f"the strategy does not know the keywords {sorted(unknown)}")
            plain = {
                key: value
                for key, value in part.items()
                if key not in {"$ref", "allOf", "anyOf", "oneOf", "if", "then", "else"}
            }
            result = both(result, plain)
            if "$ref" in part:
                name = part["$ref"].removeprefix("#/$defs/")
                # `safe` means any JSON value within bounds that `any_json` keeps.
                if name != "safe":
                    pending.append(self.root["$defs"][name])
            if "anyOf" in part:
                pending.append(self.draw(st.sampled_from(part["anyOf"])))
            if "oneOf" in part:
                pending.append(self.one_of(part["oneOf"]))
            # Conditions last: whether they hold depends on all the rest.
            pending.extend(part.get("allOf", []))
            if "if" in part and not all(conditional(other) for other in pending):
                pending.sort(key=conditional)
                pending.append(condition(part, "if"))
            elif "if" in part:
                result, more = self.decided(result, part)
                pending.extend(more)
        settled: Schema = result
        return settled

    def one_of(self, branches: list[Schema]) -> Schema:
        """One branch; where branches are mere presence, without the members of the others."""
        chosen = self.draw(st.sampled_from(branches))
        if any(branch.keys() != {"required"} for branch in branches):
            return dict(chosen)
        others = {name for branch in branches for name in branch["required"]}
        absent = sorted(others - set(chosen["required"]))
        return {**chosen, "properties": dict.fromkeys(absent, False)}

    def decided(self, schema: Schema, part: Schema) -> tuple[Schema, list[Any]]:
        """A condition resolved: by what the schema settles, else by chance."""
        holds = self.holds(part["if"], schema)
        if holds is None:
            holds = self.chance()
        if holds:
            try:
                chosen = both(schema, {k: v for k, v in part["if"].items() if k != "$ref"})
                return both(chosen, part.get("then", True)), self.nested(part, "then")
            except Contradiction:
                pass
        if part["if"].keys() == {"required"} and len(part["if"]["required"]) == 1:
            schema = both(schema, {"properties": {part["if"]["required"][0]: False}})
        return schema, [part["else"]] if "else" in part else []

    def nested(self, part: Schema, key: str) -> list[Any]:
        """A branch that is itself made of combinators, to be resolved in turn."""
        return [part[key]] if key in part else []

    def holds(self, test: Schema, schema: Schema) -> bool | None:
        """Whether a condition holds of every (True) or no (False) value of a schema, else None."""
        if "$ref" in test or "not" in test:
            return None
        certain = True
        required, properties = schema.get("required", []), schema.get("properties", {})
        for name in test.get("required", []):
            if properties.get(name) is False or (
                schema.get("additionalProperties") is False and name not in properties
            ):
                return False
            certain = certain and name in required
        for name, wanted in test.get("properties", {}).items():
            have = properties.get(name, True)
            if not (isinstance(wanted, dict) and wanted.keys() == {"const"}):
                certain = False
            elif isinstance(have, dict) and "const" in have:
                if have["const"] != wanted["const"]:
                    return False
            else:
                certain = False
        return True if certain else None

    def value(self, schema: Any) -> Any:
        """A value that the schema very likely accepts."""
        flat = self.discriminated(self.flat_discriminator(schema))
        if "const" in flat:
            return flat["const"]
        if "enum" in flat:
            return self.draw(st.sampled_from(flat["enum"]))
        structural = {"properties", "required", "items", "patternProperties", "minProperties"}
        if "type" not in flat and not structural & flat.keys():
            return self.draw(any_json(self.exact))
        kinds = flat.get("type", "array" if "items" in flat else "object")
        kind = self.draw(st.sampled_from(as_types(kinds)))
        if kind == "object":
            return self.object(flat)
        if kind == "array":
            return self.array(flat)
        return self.draw(self.scalar(kind, flat))

    def flat_discriminator(self, schema: Any) -> Any:
        """The schema with one value chosen for a discriminating property, if it has one.

        A union here is a list of conditions on one property with an ``enum``; choosing its value
        first settles all of them.
        """
        seen = schema
        while isinstance(seen, dict) and seen.keys() == {"$ref"}:
            name = seen["$ref"].removeprefix("#/$defs/")
            if name == "safe":
                return {}
            seen = self.root["$defs"][name]
        if not isinstance(seen, dict):
            return seen
        chosen = {}
        for name, rule in seen.get("properties", {}).items():
            if not isinstance(rule, dict) or name not in seen.get("required", []):
                continue
            if rule.keys() == {"enum"}:
                chosen[name] = {"const": self.draw(st.sampled_from(rule["enum"]))}
            elif rule == {"type": "boolean"}:
                chosen[name] = {"const": self.chance()}
        if not chosen:
            return seen
        return {**seen, "properties": {**seen["properties"], **chosen}}

    def discriminated(self, schema: Any) -> Schema:
        """The schema flattened, trying again where chance chose a contradiction."""
        for _ in range(5):
            try:
                return self.flat(schema)
            except Contradiction:
                continue
        raise Contradiction

    def object(self, schema: Schema) -> dict[str, Any]:
        """An object: what is required, some of what is allowed, some open keys."""
        properties = schema.get("properties", {})
        required = dict.fromkeys(schema.get("required", []))
        result: dict[str, Any] = {}
        optional = [name for name in properties if name not in required]
        few = schema.get("minProperties", 0)
        for name in [*required, *optional]:
            rule = properties.get(name, True)
            if rule is False and name not in required:
                continue
            if name not in required and not (len(result) < few or self.chance()):
                continue
            result[name] = self.value(rule)
        for name, rule in self.open_keys(schema):
            if name not in properties:
                result[name] = self.value(rule)
        for name, companions in schema.get("dependentRequired", {}).items():
            for companion in companions:
                if name in result and companion not in result:
                    result[companion] = self.value(properties.get(companion, True))
        return result

    def open_keys(self, schema: Schema) -> list[tuple[str, Any]]:
        """Keys beyond the named ones, with the schema of their value."""
        keys: list[tuple[str, Any]] = []
        few = 1 if schema.get("minProperties") and not schema.get("properties") else 0
        for pattern, rule in schema.get("patternProperties", {}).items():
            names = st.from_regex(pattern, fullmatch=pattern.endswith(r"(?![\s\S])"))
            keys += [(n, rule) for n in self.draw(st.lists(names, min_size=few, max_size=2))]
        rest = schema.get("additionalProperties", True)
        if rest is not False:
            names = st.text(max_size=8)
            if "propertyNames" in schema:
                names = st.from_regex(schema["propertyNames"]["pattern"], fullmatch=True)
            keys += [(n, rest) for n in self.draw(st.lists(names, min_size=few, max_size=2))]
        return keys

    def array(self, schema: Schema) -> list[Any]:
        """A short array."""
        first = [self.value(item) for item in schema.get("prefixItems", [])]
        low = max(schema.get("minItems", 0), len(first))
        high = max(low, min(schema.get("maxItems", low + 2), low + 2))
        size = self.draw(st.integers(low, high))
        result = first + [self.value(schema.get("items", True)) for _ in range(size - len(first))]
        if schema.get("uniqueItems"):
            result = [item for at, item in enumerate(result) if item not in result[:at]]
        return result

    def scalar(self, kind: str, schema: Schema) -> st.SearchStrategy[Any]:
        """A string, number, boolean or null."""
        if kind == "string":
            if "pattern" in schema:
                return st.from_regex(schema["pattern"], fullmatch=True)
            return st.text(min_size=schema.get("minLength", 0), max_size=12)
        if kind == "integer":
            bound = 10**30 if self.exact else SAFE
            return st.integers(schema.get("minimum", -bound), schema.get("maximum", bound))
        if kind == "number":
            low, high = schema.get("minimum", -1e9), schema.get("maximum", 1e9)
            return st.floats(low, high, allow_nan=False)
        return st.booleans() if kind == "boolean" else st.none()


def accepted_values(schema: Schema, validator: Validator, *, exact: bool) -> st.SearchStrategy[Any]:
    """Values that ``validator`` accepts, drawn from ``schema``.

    ``exact`` says whether open values may hold integers beyond 2**53.
    """

    @st.composite
    def values(draw: Any) -> Any:
        for _ in range(4):
            try:
                return Drawer(draw, schema, exact).value(schema)
            except Contradiction:
                continue
        return None

    return values().filter(validator.is_valid)
