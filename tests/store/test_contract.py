"""What every store does, whatever it is made of."""

from __future__ import annotations

import base64
import hmac
import pickle
import threading
from collections.abc import Callable
from datetime import datetime, timedelta, timezone

import pytest

from toolresult.store import KeyRing, MemoryStore, SqliteStore, Store, StoredLink, StoreError

NOW = datetime(2026, 7, 28, 10, 0, 0, tzinfo=timezone.utc)
SECOND = timedelta(seconds=1)
HOUR = timedelta(hours=1)
Put = Callable[..., StoredLink]


@pytest.mark.parametrize("payload", [b"", b"{}", bytes(range(256)) * 5000], ids=len)
@pytest.mark.parametrize("format_version", [0, 1, 7])
def test_what_was_put_comes_back(
    store: Store, put: Put, payload: bytes, format_version: int
) -> None:
    link = put(store, payload, format_version=format_version, mime_type="text/plain; charset=ü")
    assert (link.size, link.mime_type) == (len(payload), "text/plain; charset=ü")
    assert link.expires_at == "2026-07-28T11:00:00Z"
    stored = store.get(link.uri, principal="anna", now=NOW)
    assert stored.payload == payload
    assert stored.format_version == format_version
    assert stored.mime_type == "text/plain; charset=ü"
    assert stored.stored_at == "2026-07-28T10:00:00Z"
    assert stored.expires_at == link.expires_at


def test_every_put_has_a_link_of_its_own(store: Store, put: Put) -> None:
    assert len({put(store, b"same").uri for _ in range(20)}) == 20


@pytest.mark.parametrize(
    "principal", ["a", " ", "anna\x00", "日本 😀", "p" * 100_000], ids=range(5)
)
def test_any_text_is_a_principal(store: Store, put: Put, principal: str) -> None:
    link = put(store, b"mine", principal=principal)
    assert store.get(link.uri, principal=principal, now=NOW).payload == b"mine"
    with pytest.raises(StoreError, match="not_found"):
        store.get(link.uri, principal=principal + "x", now=NOW)


def bad_pointers(store: Store, put: Put) -> dict[str, tuple[str, str, datetime]]:
    """Every way in which a pointer can be bad: what is asked, by whom, when."""
    good = put(store, b"secret").uri
    gone = put(store, b"gone", now=NOW - 2 * HOUR, lifetime=5 * HOUR).uri
    store.purge(now=NOW, older_than=HOUR)
    raw = base64.urlsafe_b64decode(good.removeprefix("toolresult://stored/"))
    elsewhere = put(MemoryStore(KeyRing.generate()), b"other").uri

    def encoded(token: bytes) -> str:
        return "toolresult://stored/" + base64.urlsafe_b64encode(token).decode()

    later_expiry = raw[:1] + (2**40).to_bytes(8, "big") + raw[9:]
    return {
        "expired": (good, "anna", NOW + HOUR),
        "long expired": (good, "anna", NOW + 9999 * HOUR),
        "foreign": (good, "otto", NOW),
        "foreign and expired": (good, "otto", NOW + HOUR),
        "purged": (gone, "anna", NOW),
        "other keys": (elsewhere, "anna", NOW),
        "first bit": (encoded(bytes([raw[0] ^ 128]) + raw[1:]), "anna", NOW),
        "version": (encoded(b"\x02" + raw[1:]), "anna", NOW),
        "prolonged": (encoded(later_expiry), "anna", NOW),
        "last bit": (encoded(raw[:-1] + bytes([raw[-1] ^ 1])), "anna", NOW),
        "no tag": (encoded(raw[:-32] + bytes(32)), "anna", NOW),
        "zeros": (encoded(bytes(57)), "anna", NOW),
        "short": (good[:-1], "anna", NOW),
        "shorter": (good[:-4], "anna", NOW),
        "long": (good + "A", "anna", NOW),
        "padded": (good + "====", "anna", NOW),
        "space": (good + " ", "anna", NOW),
        "line": (good + "\n", "anna", NOW),
        "line inside": (good[:-1] + "\n", "anna", NOW),
        "query": (good + "?a=b", "anna", NOW),
        "other scheme": (good.replace("toolresult:", "Toolresult:"), "anna", NOW),
        "other alphabet": (good[:30] + "+/" + good[32:], "anna", NOW),
        "full-width digit": (good[:-1] + "\uff11", "anna", NOW),
        "surrogate": (good[:-1] + "\ud800", "anna", NOW),
        "token alone": (good.removeprefix("toolresult://stored/"), "anna", NOW),
        "empty": ("", "anna", NOW),
        "NUL": ("\x00" * 96, "anna", NOW),
        "huge": ("A" * 1_000_000, "anna", NOW),
        "path": ("toolresult://stored/../../etc/passwd", "anna", NOW),
        "sql": ("toolresult://stored/' OR 1=1 --", "anna", NOW),
    }


def test_every_bad_pointer_gets_the_same_answer(store: Store, put: Put) -> None:
    answers = {}
    for name, (uri, principal, now) in bad_pointers(store, put).items():
        with pytest.raises(StoreError) as caught:
            store.get(uri, principal=principal, now=now)
        error = caught.value
        answers[name] = (type(error), str(error), error.args, error.__cause__, error.is_fault)
    assert len(answers) == 30
    assert len(set(answers.values())) == 1, answers
    assert next(iter(answers.values()))[1] == (
        "not_found: There is no stored result for this link, or it can no longer be read."
    )


def test_every_bad_pointer_costs_the_same_hashes(
    store: Store, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = bad_pointers(store, put)
    calls: list[int] = []
    real = hmac.digest

    def counted(key: bytes, message: bytes, digest: str) -> bytes:
        calls.append(len(message))
        return real(key, message, digest)

    monkeypatch.setattr(hmac, "digest", counted)
    for name, (uri, principal, now) in bad.items():
        calls.clear()
        with pytest.raises(StoreError):
            store.get(uri, principal=principal, now=now)
        assert calls == [26 + 25 + 4], name


def test_a_link_ends_at_its_second(store: Store, put: Put) -> None:
    link = put(store, lifetime=timedelta(seconds=1, microseconds=1))
    assert link.expires_at == "2026-07-28T10:00:02Z"
    store.get(link.uri, principal="anna", now=NOW + 2 * SECOND - timedelta(microseconds=1))
    with pytest.raises(StoreError, match="not_found"):
        store.get(link.uri, principal="anna", now=NOW + 2 * SECOND)


def test_time_zones_do_not_matter(store: Store, put: Put) -> None:
    india = timezone(timedelta(hours=5, minutes=30))
    link = put(store, now=NOW.astimezone(india))
    assert link.expires_at == "2026-07-28T11:00:00Z"
    store.get(link.uri, principal="anna", now=(NOW + HOUR - SECOND).astimezone(india))


def test_a_clock_that_jumps_forward_and_back(store: Store, put: Put) -> None:
    link = put(store, b"kept")
    with pytest.raises(StoreError, match="not_found"):
        store.get(link.uri, principal="anna", now=NOW + 24 * 365 * HOUR)
    # The clock is right again: nothing was lost by looking.
    assert store.get(link.uri, principal="anna", now=NOW).payload == b"kept"


def test_a_clock_that_jumps_back_and_forward(store: Store, put: Put) -> None:
    before = put(store, b"before")
    past = NOW - 24 * 365 * HOUR
    during = put(store, b"during", now=past)
    # Results "of the future" can be read, and no purge takes them for old.
    assert store.get(before.uri, principal="anna", now=past).payload == b"before"
    assert store.purge(now=past, older_than=timedelta(0)) == 1
    assert store.purge(now=past) == 0
    with pytest.raises(StoreError, match="not_found"):
        store.get(during.uri, principal="anna", now=past)
    assert store.get(before.uri, principal="anna", now=NOW).payload == b"before"


def test_the_first_year_and_the_last(store: Store, put: Put) -> None:
    last = datetime(9999, 12, 31, 23, 59, 59, tzinfo=timezone.utc)
    link = put(store, now=last - HOUR)
    assert link.expires_at == "9999-12-31T23:59:59Z"
    store.get(link.uri, principal="anna", now=last - SECOND)
    with pytest.raises(ValueError, match="lifetime"):
        put(store, now=last)
    with pytest.raises(ValueError, match="lifetime"):
        put(store, now=datetime.min.replace(tzinfo=timezone.utc))
    assert store.purge(now=NOW, older_than=timedelta(days=999_999)) == 0


def test_purge_of_what_has_expired(store: Store, put: Put) -> None:
    short = put(store, lifetime=SECOND)
    long = put(store, b"long", lifetime=2 * SECOND)
    assert store.purge(now=NOW) == 0
    assert store.purge(now=NOW + SECOND) == 1
    assert store.purge(now=NOW + SECOND) == 0
    with pytest.raises(StoreError, match="not_found"):
        store.get(short.uri, principal="anna", now=NOW)
    assert store.get(long.uri, principal="anna", now=NOW).payload == b"long"


def test_purge_by_age(store: Store, put: Put) -> None:
    old = put(store, now=NOW - HOUR, lifetime=9 * HOUR)
    young = put(store, b"young", now=NOW - HOUR + SECOND, lifetime=9 * HOUR)
    assert store.purge(now=NOW, older_than=HOUR) == 1
    with pytest.raises(StoreError, match="not_found"):
        store.get(old.uri, principal="anna", now=NOW)
    assert store.get(young.uri, principal="anna", now=NOW).payload == b"young"
    # Age alone decides, expired or not.
    assert store.purge(now=NOW + 99 * HOUR, older_than=1000 * HOUR) == 0
    assert store.purge(now=NOW + 99 * HOUR) == 1


def test_stats(store: Store, put: Put) -> None:
    empty = store.stats(now=NOW)
    assert (empty.count, empty.expired, empty.payload_bytes) == (0, 0, 0)
    assert (empty.oldest_stored_at, empty.newest_stored_at) == (None, None)
    put(store, b"123", lifetime=SECOND)
    put(store, b"4567", now=NOW + SECOND)
    full = store.stats(now=NOW + SECOND)
    assert (full.count, full.expired, full.payload_bytes) == (2, 1, 7)
    assert full.oldest_stored_at == "2026-07-28T10:00:00Z"
    assert full.newest_stored_at == "2026-07-28T10:00:01Z"


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"principal": ""}, "principal"),
        ({"principal": "\ud800"}, "principal"),
        ({"now": NOW.replace(tzinfo=None)}, "now"),
        ({"lifetime": timedelta(0)}, "lifetime"),
        ({"lifetime": -SECOND}, "lifetime"),
        ({"lifetime": timedelta(days=4_000_000)}, "lifetime"),
        ({"format_version": -1}, "format_version"),
        ({"mime_type": ""}, "mime_type"),
    ],
    ids=str,
)
def test_arguments_that_no_caller_should_pass(
    store: Store, put: Put, changes: dict[str, object], name: str
) -> None:
    with pytest.raises(ValueError, match=f"^{name}: expected"):
        put(store, **changes)
    assert store.stats(now=NOW).count == 0


def test_bad_arguments_of_get_and_purge(store: Store, put: Put) -> None:
    link = put(store)
    with pytest.raises(ValueError, match=r"^principal: expected"):
        store.get(link.uri, principal="", now=NOW)
    with pytest.raises(ValueError, match=r"^now: expected"):
        store.get(link.uri, principal="anna", now=NOW.replace(tzinfo=None))
    with pytest.raises(ValueError, match=r"^older_than: expected"):
        store.purge(now=NOW, older_than=-SECOND)


def test_a_closed_store_does_nothing(store: Store, put: Put) -> None:
    link = put(store)
    store.close()
    store.close()
    calls: list[Callable[[], object]] = [
        lambda: put(store),
        lambda: store.get(link.uri, principal="anna", now=NOW),
        lambda: store.purge(now=NOW),
        lambda: store.stats(now=NOW),
    ]
    for call in calls:
        with pytest.raises(StoreError, match=r"^store_unavailable: "):
            call()


def test_threads(store: Store, put: Put) -> None:
    """Eight threads put, read and purge; each finds what it put."""
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for i in range(25):
                payload = f"{number}/{i}".encode() * 1000
                link = put(store, payload, principal=f"p{number}")
                got = store.get(link.uri, principal=f"p{number}", now=NOW)
                assert got.payload == payload
                store.purge(now=NOW)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert store.stats(now=NOW).count == 200


def test_a_link_of_one_store_works_in_another_with_the_same_keys(
    keys: KeyRing, put: Put, path: object
) -> None:
    """The pointers are the same: only the record is missing, which is the same answer."""
    link = put(MemoryStore(keys))
    with SqliteStore(str(path), keys) as other, pytest.raises(StoreError, match="not_found"):
        other.get(link.uri, principal="anna", now=NOW)


def test_errors_survive_pickling() -> None:
    with pytest.raises(StoreError) as caught:
        MemoryStore().get("", principal="anna", now=NOW)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (copy.code, copy.message, str(copy)) == (
        caught.value.code,
        caught.value.message,
        str(caught.value),
    )


def test_stores_follow_the_protocol(store: Store) -> None:
    assert isinstance(store, Store)
