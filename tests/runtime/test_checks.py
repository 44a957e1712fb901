"""Base64, timestamps and keys of extensions."""

from __future__ import annotations

import base64
import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolresult_core.runtime.checks import (
    check_base64,
    check_extension_key,
    check_timestamp,
    decode_base64,
    encode_base64,
)
from toolresult_core.runtime.errors import ResultError


@pytest.mark.parametrize("text", ["", "AA==", "AAA=", "AAAA", "+//+", "/w==", "//8="])
def test_canonical_base64(text: str) -> None:
    assert check_base64(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "A", "AA", "AAA", "AAAAA", "=", "==", "===", "====", "A===", "AA=A", "=AAA", "AAAA====",
        "AB==", "AAB=", "AA==\n", "AA ==", "AAAA\r\nAAAA", " AAAA", "-__-", "A-_A", "AA-_",
        "data:image/png;base64,AAAA", "ÄAAA", "AAA\u00e4", "\ud800AAA", "AA==AA==", "\x00AAA",
    ],
)  # fmt: skip
def test_other_base64_is_refused(text: str) -> None:
    with pytest.raises(ResultError) as caught:
        check_base64(text)
    assert (caught.value.code, caught.value.pointer) == ("invalid_base64", "")


@given(st.binary())
def test_what_is_encoded_is_canonical(data: bytes) -> None:
    assert decode_base64(check_base64(encode_base64(data))) == data


@given(st.text("ABCQwg0/+=-_ \n", max_size=8))
def test_accepted_is_exactly_what_encodes_back(text: str) -> None:
    try:
        canonical = base64.b64encode(base64.b64decode(text, validate=True)).decode() == text
    except ValueError:
        canonical = False
    try:
        check_base64(text)
    except ResultError:
        assert not canonical
    else:
        assert canonical


@pytest.mark.parametrize(
    "text",
    [
        "2026-07-28T12:00:00Z",
        "2026-07-28T12:00:00.1Z",
        "2026-07-28T12:00:00.123456789012345678901234567890Z",
        "2024-02-29T00:00:00Z",
        "2000-02-29T00:00:00Z",
        "0000-02-29T00:00:00Z",
        "9999-12-31T23:59:59Z",
    ],
)
def test_timestamps(text: str) -> None:
    assert check_timestamp(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "", "2026-07-28", "2026-07-28T12:00Z", "2026-07-28 12:00:00Z", "2026-07-28t12:00:00Z",
        "2026-07-28T12:00:00z", "2026-07-28T12:00:00", "2026-07-28T12:00:00.Z",
        "2026-07-28T12:00:00,5Z", "2026-07-28T12:00:00+02:00",
        "2026-07-28T12:00:00+00:00", "2026-07-28T12:00:00-00:00",
        "2026-07-28T12:00:00+0200", "2026-07-28T12:00:00+02",
        "2026-7-28T12:00:00Z", "26-07-28T12:00:00Z", "12026-07-28T12:00:00Z",
        "2026-00-28T12:00:00Z", "2026-13-28T12:00:00Z", "2026-07-00T12:00:00Z",
        "2026-07-32T12:00:00Z", "2026-06-31T12:00:00Z", "2026-02-29T12:00:00Z",
        "2100-02-29T12:00:00Z", "2026-07-28T24:00:00Z", "2026-07-28T12:60:00Z",
        "2026-06-30T23:59:60Z", "2026-07-28T12:00:61Z", "2026-07-28T12:00:00+24:00",
        "2026-07-28T12:00:00+00:60", "2026-07-28T12:00:00Z\n", " 2026-07-28T12:00:00Z",
        "٢٠٢٦-07-28T12:00:00Z", "-2026-07-28T12:00:00Z", "2026-07-28T12:00:00Zx",
    ],
)  # fmt: skip
def test_other_timestamps_are_refused(text: str) -> None:
    with pytest.raises(ResultError) as caught:
        check_timestamp(text)
    assert (caught.value.code, caught.value.pointer) == ("invalid_timestamp", "")


@given(st.datetimes(timezones=st.just(datetime.timezone.utc)))
def test_every_time_that_there_is(when: datetime.datetime) -> None:
    text = when.isoformat().replace("+00:00", "Z")
    assert check_timestamp(text) == text


@given(st.integers(1, 9999), st.integers(0, 14), st.integers(0, 33))
def test_dates_are_those_of_the_calendar(year: int, month: int, day: int) -> None:
    try:
        datetime.date(year, month, day)
        real = True
    except ValueError:
        real = False
    text = f"{year:04}-{month:02}-{day:02}T00:00:00Z"
    if real:
        assert check_timestamp(text) == text
    else:
        with pytest.raises(ResultError):
            check_timestamp(text)


@pytest.mark.parametrize(
    "key",
    [
        "com.example/review", "example/x", "a/b", "a-b.c1/x_y.z-1", "io.modelcontextprotocolx/a",
        "mcp/x", "com.example.mcp/x", "com.Mcp/x", "COM.EXAMPLE/X", "dev.toolresult.sub/x",
        "dev.toolresults/x", "toolresult/x", "com.example/1",
    ],
)  # fmt: skip
def test_extension_keys(key: str) -> None:
    assert check_extension_key(key, "dev.toolresult") == key


@pytest.mark.parametrize(
    "key",
    [
        "", "review", "/review", "com.example/", "com.example", "com.example/a/b", "com..x/a",
        ".com/a", "com./a", "1com/a", "com-/a", "-com/a", "com.1x/a", "com_x/a", "com.example/-a",
        "com.example/a-", "com.example/a b", "com.example/é", "cöm/a", "com.example/a\n",
        "com.mcp/x", "com.modelcontextprotocol/x", "io.mcp.dev/x", "mcp.dev/x",
        "modelcontextprotocol.io/x", "a.b.mcp.c/x", "com.example.modelcontextprotocol.x/y",
        "dev.toolresult/x",
    ],
)  # fmt: skip
def test_other_keys_are_refused(key: str) -> None:
    with pytest.raises(ResultError) as caught:
        check_extension_key(key, "dev.toolresult")
    assert (caught.value.code, caught.value.pointer) == ("invalid_key", "")


def test_the_own_namespace_is_a_setting() -> None:
    assert check_extension_key("dev.toolresult/x", "org.team")
    with pytest.raises(ResultError, match="belongs to the mapping"):
        check_extension_key("org.team/x", "org.team")
