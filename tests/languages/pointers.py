"""Pointers and keys of Python and another language: what one signs the other takes, or both refuse.

A folder of tests derives a ``Test…`` class from each class here, and has a fixture ``driver``.
"""

from __future__ import annotations

import base64
import hmac
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from tests.languages.driver import Driver

from toolresult.store import KeyRing, StoreError
from toolresult.store.interface import NOT_FOUND_MESSAGE
from toolresult.store.keys import Key
from toolresult.store.pointer import PREFIX, Pointer, sign, verify

NOW = datetime(2026, 7, 28, 10, 0, 0, 250_000, tzinfo=timezone.utc)
HOUR = timedelta(hours=1)
ID = bytes(range(0xA0, 0xB0))
PRINCIPALS = ["anna", "integration:42/user:7", "Jürgen 😀", "a\x00b", "x" * 1_000]


def stamp(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


def text(keys: KeyRing) -> str:
    """The text of the key file of a ring."""
    secrets = zip(keys.ids, keys.verifying, strict=True)
    return "\n".join(Key(id, secret).line for id, secret in secrets)


def two_keys() -> KeyRing:
    """A ring of two new keys."""
    return KeyRing([Key.generate("new"), Key.generate("old")])


def answered(driver: Driver, **request: Any) -> Any:
    answer = driver.ask(**request)
    assert "is" in answer, answer
    return answer["is"]


def changed(uri: str) -> dict[str, str]:
    """A good pointer, spoilt in every way."""
    token = uri[len(PREFIX) :]
    spoilt = {}
    for at in (0, 1, 5, 11, 12, 20, 33, 34, 50, 75):
        other = "A" if token[at] != "A" else "B"
        spoilt[f"the character {at}"] = f"{PREFIX}{token[:at]}{other}{token[at + 1 :]}"
    return {
        **spoilt,
        "shorter": uri[:-1],
        "longer": uri + "A",
        "padded": uri[:-1] + "=",
        "standard alphabet": PREFIX + token.replace("-", "+").replace("_", "/") + " ",
        "another alphabet": PREFIX + "+" * 76,
        "no ASCII": PREFIX + "ä" * 76,
        "another scheme": uri.replace("toolresult", "toolresulT"),
        "nothing": "",
        "zeros": PREFIX + "A" * 76,
        "a line feed": uri[:-1] + "\n",
    }


KEY = base64.b64encode(bytes(range(32))).decode()
KEY_TEXTS = [
    f"one:{KEY}",
    f"one:{KEY}\ntwo:{base64.b64encode(bytes(range(1, 65))).decode()}",
    f"\n# c\n one : {KEY} \n",
    f"  \n\t# c\n\x1f\none:{KEY}",
    f"\ufeffone:{KEY}",
    f"a\x0cb:{KEY}",
    f"one:{KEY}\rtwo:{base64.b64encode(bytes(range(1, 33))).decode()}",
    "",
    "# nothing",
    KEY,
    f"one {KEY}",
    f":{KEY}",
    f"-x:{KEY}",
    f"{'i' * 64}:{KEY}",
    f"{'i' * 65}:{KEY}",
    f"one:{KEY[:-1]}",
    f"one:{KEY}=",
    f"one:{KEY.replace('A', '-', 1)}",
    f"one:{KEY[:10]} {KEY[10:]}",
    f"one:{base64.b64encode(bytes(31)).decode()}",
    f"one:{base64.b64encode(bytes(65)).decode()}",
    f"one:{KEY}\none:{base64.b64encode(bytes(32)).decode()}",
    f"one:{KEY}\ntwo:{KEY}",
    "\n".join(f"k{n}:{base64.b64encode(bytes([n]) * 32).decode()}" for n in range(16)),
    "\n".join(f"k{n}:{base64.b64encode(bytes([n]) * 32).decode()}" for n in range(17)),
]


class Pointers:
    """What one signs the other verifies; what one refuses the other does."""

    @pytest.mark.parametrize("principal", PRINCIPALS)
    def test_both_sign_the_same_bytes(self, driver: Driver, keys: KeyRing, principal: str) -> None:
        for expires_at in (1, 1_785_236_400, 253_402_300_799):
            ours = sign(Pointer(ID, expires_at), principal=principal, keys=keys)
            theirs = answered(
                driver,
                do="sign",
                record_id=base64.b64encode(ID).decode(),
                expires_at=str(expires_at),
                principal=principal,
                keys=text(keys),
            )
            assert theirs == ours

    def test_the_example_of_the_documents(self, driver: Driver) -> None:
        key = Key("example", bytes(range(32)))
        assert (
            answered(
                driver,
                do="sign",
                record_id=base64.b64encode(ID).decode(),
                expires_at="1785236400",
                principal="anna",
                keys=key.line,
            )
            == PREFIX
            + "AQAAAABqaIuwoKGio6SlpqeoqaqrrK2ur2yXXHRKJiBszg9UwUM0l--IbuiiA6vNQ1WHkFnRVCnw"
        )

    def test_what_python_signs_is_verified(self, driver: Driver, keys: KeyRing) -> None:
        expires_at = int((NOW + HOUR).timestamp())
        uri = sign(Pointer(ID, expires_at), principal="anna", keys=keys)
        found = answered(
            driver, do="verify", uri=uri, principal="anna", now=stamp(NOW), keys=text(keys)
        )
        assert found == {"record_id": base64.b64encode(ID).decode(), "expires_at": expires_at}

    def test_both_refuse_the_same_in_the_same_words(self, driver: Driver, keys: KeyRing) -> None:
        expires = NOW.replace(microsecond=0) + HOUR
        good = sign(Pointer(ID, int(expires.timestamp())), principal="anna", keys=keys)
        other = KeyRing.generate()
        cases: dict[str, tuple[str, str, datetime, KeyRing]] = {
            name: (uri, "anna", NOW, keys) for name, uri in changed(good).items()
        }
        cases["expired"] = (good, "anna", expires, keys)
        cases["long expired"] = (good, "anna", expires + 1_000 * HOUR, keys)
        cases["foreign"] = (good, "bert", NOW, keys)
        cases["foreign by case"] = (good, "Anna", NOW, keys)
        cases["another key"] = (good, "anna", NOW, other)
        cases["the key is gone"] = (
            good, "anna", NOW, KeyRing([Key("old", keys.verifying[1])]),
        )  # fmt: skip
        for name, (uri, principal, now, ring) in cases.items():
            with pytest.raises(StoreError) as caught:
                verify(uri, principal=principal, now=now, keys=ring)
            assert caught.value.code == "not_found", name
            answer = driver.ask(
                do="verify", uri=uri, principal=principal, now=stamp(now), keys=text(ring)
            )
            assert answer == {"error": "not_found", "message": NOT_FOUND_MESSAGE}, name
        # a second before its end it is still good, to both
        last = expires - timedelta(seconds=1)
        verify(good, principal="anna", now=last, keys=keys)
        answered(driver, do="verify", uri=good, principal="anna", now=stamp(last), keys=text(keys))

    def test_only_this_version_is_read(self, driver: Driver, keys: KeyRing) -> None:
        """A genuine tag does not make a pointer of a version to come a good one."""
        head = bytes([2]) + (2**40).to_bytes(8, "big") + ID
        label = b"toolresult-stored-pointer\x00"
        tag = hmac.digest(keys.signing, label + head + b"anna", "sha256")
        uri = PREFIX + base64.urlsafe_b64encode(head + tag).decode()
        with pytest.raises(StoreError):
            verify(uri, principal="anna", now=NOW, keys=keys)
        asked = {"principal": "anna", "now": stamp(NOW), "keys": text(keys)}
        assert driver.ask(do="verify", uri=uri, **asked)["error"] == "not_found"

    def test_an_expiry_is_unsigned(self, driver: Driver, keys: KeyRing) -> None:
        for expires_at in (2**63, 2**64 - 1):
            uri = sign(Pointer(ID, expires_at), principal="anna", keys=keys)
            asked = {"principal": "anna", "now": stamp(NOW), "keys": text(keys)}
            found = answered(driver, do="verify", uri=uri, **asked)
            assert base64.b64decode(found["record_id"]) == ID

    def test_keys_are_rotated(self, driver: Driver) -> None:
        old, new = Key.generate("2026-07"), Key.generate("2026-08")
        expires_at = str(int((NOW + HOUR).timestamp()))
        by_old = sign(Pointer(ID, int(expires_at)), principal="anna", keys=KeyRing([old]))
        rotated = f"# rotated\r\n{new.line}\n\n  {old.line}  \n"
        ask = {"principal": "anna", "now": stamp(NOW)}
        answered(driver, do="verify", uri=by_old, keys=rotated, **ask)
        by_new = answered(
            driver,
            do="sign",
            record_id=base64.b64encode(ID).decode(),
            expires_at=expires_at,
            principal="anna",
            keys=rotated,
        )
        both = KeyRing([old, new])  # a worker that has the new key already, but signs with the old
        assert verify(by_new, principal="anna", now=NOW, keys=both).record_id == ID
        assert driver.ask(do="verify", uri=by_old, keys=new.line, **ask)["error"] == "not_found"

    @pytest.mark.parametrize("principal", ["", "\ud800"])
    def test_a_principal_that_no_caller_should_pass(
        self, driver: Driver, keys: KeyRing, principal: str
    ) -> None:
        with pytest.raises(ValueError, match="principal"):
            verify("", principal=principal, now=NOW, keys=keys)
        answer = driver.ask(
            do="verify", uri="", principal=principal, now=stamp(NOW), keys=text(keys)
        )
        assert "thrown" in answer, answer
        assert "principal" in answer["message"]


class Keys:
    """The text of key files."""

    @pytest.mark.parametrize("lines", KEY_TEXTS, ids=lambda lines: repr(lines)[:30])
    def test_key_files_are_read_and_refused_alike(self, driver: Driver, lines: str) -> None:
        answer = driver.ask(do="parse", keys=lines)
        try:
            ids = list(KeyRing.parse(lines).ids)
        except StoreError as error:
            assert answer == {"error": "invalid_keys", "message": error.message}
        else:
            assert answer == {"is": ids}

    def test_a_new_key_is_one_to_both(self, driver: Driver) -> None:
        line = answered(driver, do="new_key", id="2026-07")
        assert KeyRing.parse(line).ids == ("2026-07",)
