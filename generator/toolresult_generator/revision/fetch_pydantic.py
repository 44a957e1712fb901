"""A JSON Schema of pydantic models, as near to the protocol's own as they are."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, models_json_schema
from pydantic_core import CoreSchema, core_schema


class _Plain(GenerateJsonSchema):
    """Says what is on the wire: None stands for a member that is absent, and titles are made up."""

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        """Without the null that only says that a member may be left out."""
        inner = schema["schema"]
        if "default" in schema and schema["default"] is None and inner["type"] == "nullable":
            return self.generate_inner(inner["schema"])
        return super().default_schema(schema)

    def field_title_should_be_set(self, schema: CoreSchema | Any) -> bool:
        """Never: the members have names."""
        return False


def definitions(module: ModuleType) -> dict[str, Any]:
    """The models that a module defines, by name, and what they refer to.

    Members have the names of the wire, and are as what is read may be.
    """
    models = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, BaseModel)
        and value.__module__ == module.__name__
        # a generic model is no type before it is given its parameters
        and not value.__pydantic_generic_metadata__["parameters"]
    ]
    _, schema = models_json_schema(
        [(model, "validation") for model in models], by_alias=True, schema_generator=_Plain
    )
    found: dict[str, Any] = schema.get("$defs", {})
    return found
