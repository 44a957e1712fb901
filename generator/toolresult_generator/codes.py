"""The stable codes of findings and what each one means.

Scripts and people's notes rely on a code, so a code is never renamed or given
another meaning. The documentation of the command is generated from this table.
"""

from __future__ import annotations

from collections.abc import Mapping

LOAD: Mapping[str, str] = {
    "missing_file": "A file or folder that must be there is not.",
    "unreadable_file": "The system refuses to read a file, or it is no regular file.",
    "too_large": "A file is larger than a spec file may be.",
    "too_deep": "Lists and mappings are nested deeper than a spec file may nest them.",
    "too_many_nodes": "A file has more values than a spec file may have.",
    "not_utf8": "A file is not UTF-8 text.",
    "invalid_character": "A character that must be written as an escape stands in the text.",
    "invalid_yaml": "The text is not YAML.",
    "invalid_json": "The text is not strict JSON.",
    "empty_document": "A file says nothing.",
    "many_documents": "A file holds more than one YAML document.",
    "duplicate_key": "A mapping has the same key twice.",
    "bad_key": "A key is neither text nor a whole number.",
    "alias": "An anchor or an alias is used; a spec says everything where it stands.",
    "tag": "A YAML tag beyond those of the core schema is used.",
    "bad_scalar": "A number is outside of what a spec file may hold, or does not fit its tag.",
    "stray_file": "A file stands where no stage looks for it, so it would have no effect.",
    "same_name": "Two files stand for the same thing.",
}

STRUCTURE: Mapping[str, str] = {
    "unknown_key": "A mapping has a key that the spec does not know.",
    "missing_key": "A mapping lacks a key that it must have.",
    "wrong_type": "A value has another type than the spec asks for.",
    "bad_value": "A value is outside of what is allowed at its place.",
    "bad_name": "A name does not follow the rules for names.",
    "bad_schema": "A wire schema is not a valid JSON Schema.",
}

RESULT: Mapping[str, str] = {
    "bad_namespace": "The namespace is no reverse domain name, or a reserved one.",
    "unknown_record": "A field refers to a record that is not there.",
    "unused_record": "A record that nothing leads to from the result.",
    "recursive_record": "A record contains itself.",
    "unknown_version": "A `since` names a format version that the spec does not list.",
    "bad_versions": "The format versions are not numbered from 0 without a gap.",
    "since_order": "Something is said to be older than what contains it.",
    "default_code": "Not exactly one error code is the default.",
    "bad_choice": "A choice is named twice, or `one_of` names a field that does not fit.",
    "bad_range": "A smallest value is larger than the largest.",
    "core_changed": "A part of the result that every target relies on is gone or altered.",
    "field_collision": "A part kind has a field that every part has already.",
}

NAMES: Mapping[str, str] = {
    "reserved_name": "A name means something else in a language that is generated.",
    "name_collision": "Two names become the same one in a language that is generated.",
}

HISTORY: Mapping[str, str] = {
    "changed_field": "A field, code or kind no longer is what the last version said.",
    "removed_field": "A field, code, kind or format version of the last version is gone.",
    "late_field": "Something new is marked with a version that was published without it.",
    "bad_revision": "The version to compare with cannot be read.",
}

SAMPLES: Mapping[str, str] = {
    "bad_sample": "A sample is no result that the spec allows.",
    "same_sample": "Two samples have the same name.",
}

TARGETS: Mapping[str, str] = {
    "unknown_capability": "A condition names a capability that the target does not list.",
    "lacking_capability": "A rule or form is for capabilities that no revision has.",
    "unknown_fact": "A condition names a fact that the target does not list.",
    "unknown_form": "A form is used that the target does not have.",
    "unused_form": "A form that nothing leads to from the output.",
    "recursive_form": "A form or fact contains itself.",
    "unknown_path": "A path leads to no field of the result.",
    "bad_path": "A path leads to a field that cannot be used in this place.",
    "unknown_revision": "A revision that the target does not list.",
    "unknown_target": "A target that the spec does not have.",
    "unknown_phase": "A phase that the target does not list.",
    "unknown_conversion": "A conversion or shape that is not among the named ones.",
    "ambiguous_node": "A node says none, or more than one, of the things it can be.",
    "missing_rule": "A part or field has no rule on some revision and phase.",
    "forgotten_field": "A part or field is to arrive, and no form of the output reads it.",
    "unknown_rule": "A rule is for a part or field that the result does not have.",
    "unused_rule": "A rule or an alternative that never applies.",
    "missing_kind": "A case has no alternative for a part kind.",
    "gap": "A proposed revision leaves something to do, and nothing is generated until it is done.",
    "missing_wire_schema": "A revision has no strict schema of its output.",
    "not_readable": "A form cannot be read back by generated code, and no adapter reads it.",
    "old_adapter": "An adapter was written for an older rule.",
    "missing_adapter": "A hook has no adapter.",
}

REVISIONS: Mapping[str, str] = {
    "missing_definition": "A protocol's schema lacks the definition that was asked for.",
}

OUTPUT: Mapping[str, str] = {
    "drift": "A generated file is not what the spec gives.",
    "edited_output": "A generated file was changed by hand.",
    "foreign_output": "A file that was not generated stands where one has to go.",
    "blocked_output": "The file system refuses what has to be written.",
    "busy_output": "Another run writes to the same folder.",
    "missing_tool": "A program or library that generation needs is not installed.",
    "failed_vector": "The generated Python does not answer what a vector asks.",
    "unformattable": "A generated file cannot be formatted; the emitter has a fault.",
}

SCHEMAS: Mapping[str, str] = {
    "changed_schema": "A protocol's schema is not what was pinned.",
    "not_a_schema": "What was taken is no JSON Schema of a protocol.",
    "no_schema": "No installed package has, or gives, the schema.",
    "unreachable": "The protocol's repository does not give the schema.",
    "bad_lock": "The file that pins schemas cannot be read as one.",
}

COPIES: Mapping[str, str] = {
    "no_copy": "A folder holds no vendored copy, or its manifest is damaged.",
}

CODES: Mapping[str, str] = {
    **LOAD,
    **STRUCTURE,
    **RESULT,
    **NAMES,
    **HISTORY,
    **SAMPLES,
    **TARGETS,
    **REVISIONS,
    **OUTPUT,
    **SCHEMAS,
    **COPIES,
}
"""Every code, in the order of the stages that find it."""
