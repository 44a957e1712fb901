"""All that the example server has, and what comes of calling it: for clients of any language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

CALLS: Final[Mapping[str, Mapping[str, Any]]] = {
    "samples": {"topic": "falsy"},
    "sample": {"name": "everything"},
    "update": {"ids": [17, 18]},
    "report": {"rows": 30_000},
    "buy": {"product": "table"},
    "envelope": {"product_id": 18},
    "echo": {"value": {"deep": [1, None, "x"]}, "repeat": 2},
    "wait": {"seconds": 0},
    "test_simple_text": {},
    "test_image_content": {},
    "test_audio_content": {},
    "test_embedded_resource": {},
    "test_multiple_content_types": {},
    "test_error_handling": {},
    "test_tool_with_logging": {},
    "test_logging_tool": {},
    "test_tool_with_progress": {},
    "test_custom_header": {"region": "eu"},
    "json_schema_2020_12_tool": {},
    "test_sampling": {"prompt": "What is the capital of France?"},
    "test_elicitation": {"message": "Who are you?"},
    "test_elicitation_sep1034_defaults": {},
    "test_elicitation_sep1330_enums": {},
    "test_missing_capability": {},
    "test_streaming_elicitation": {},
    "test_trigger_tool_change": {},
    "test_trigger_prompt_change": {},
    "test_input_required_result_elicitation": {},
    "test_input_required_result_sampling": {},
    "test_input_required_result_list_roots": {},
    "test_input_required_result_request_state": {},
    "test_input_required_result_tampered_state": {},
    "test_input_required_result_multiple_inputs": {},
    "test_input_required_result_multi_round": {},
    "test_input_required_result_capabilities": {},
}
"""Every tool, in the order of the list, with arguments for it."""
ALWAYS_FAIL: Final = {"buy", "test_error_handling"}
ASK_WITHIN_A_CALL: Final = {
    "test_sampling",
    "test_elicitation",
    "test_elicitation_sep1034_defaults",
    "test_elicitation_sep1330_enums",
}
"""What revisions with a handshake alone can do."""
ASK_IN_ROUNDS: Final = {
    "test_streaming_elicitation",
    *(name for name in CALLS if name.startswith("test_input_required_result_")),
}
"""What the stateless revisions alone can do."""
FAIL: Final = {
    "2025-11-25": ALWAYS_FAIL | ASK_IN_ROUNDS,
    "2026-07-28": ALWAYS_FAIL | ASK_WITHIN_A_CALL,
}
"""The tools whose call ends with a failure, by revision."""
RESOURCES: Final = ["test://static-text", "test://static-binary", "test://watched-resource"]
TEMPLATES: Final = ["test://template/{id}/data"]
PROMPTS: Final[Mapping[str, Mapping[str, str]]] = {
    "test_simple_prompt": {},
    "test_prompt_with_arguments": {"arg1": "one", "arg2": "two"},
    "test_prompt_with_embedded_resource": {"resourceUri": "test://x"},
    "test_prompt_with_image": {},
    "test_input_required_result_prompt": {},
}
ANSWER: Final = {"name": "Alice", "ok": True, "color": "blue", "context": "a shop"}
"""What the user answers to any question."""
SAYS: Final[Mapping[str, str]] = {
    "buy": "There is no table left.",
    "test_custom_header": "Region: eu",
    "test_error_handling": "intentionally returns an error",
    "test_sampling": "LLM response: Paris",
    "test_elicitation": "action=accept",
    "test_streaming_elicitation": "Confirmed.",
    "test_input_required_result_elicitation": "Hello, Alice!",
    "test_input_required_result_sampling": "The model says: Paris",
    "test_input_required_result_list_roots": "Roots: file:///shop",
    "test_input_required_result_request_state": "Confirmed, state-ok",
    "test_input_required_result_tampered_state": "Confirmed, state-ok",
    "test_input_required_result_multiple_inputs": "Paris Alice, you have 1 roots.",
    "test_input_required_result_multi_round": "Alice likes blue.",
    "test_input_required_result_capabilities": "Answered: greeting, user_name",
}
"""What stands in the text of results where the tool can do what it is for."""


def unsaid(revision: str, texts: Mapping[str, str]) -> list[str]:
    """The tools whose result does not say what it is to say; ``texts`` has all text of each."""
    cannot = FAIL[revision] - ALWAYS_FAIL
    return [name for name, said in SAYS.items() if name not in cannot and said not in texts[name]]
