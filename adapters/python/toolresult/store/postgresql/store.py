"""The store for more than one machine: tables in a PostgreSQL database.

Each row holds a SHA-256 over what was put, as in the SQLite store. A commit returns once the
server has written it to its disk, unless the server, the role or the database turned
``synchronous_commit`` off; the store turns it on again then.

docs: docs/shared-stores.md
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import URL, Connection, Engine, delete, event, func, insert, select, text
from sqlalchemy.dialects import postgresql

from toolresult.store.closing import Closing
from toolresult.store.faults import fault
from toolresult.store.interface import (
    StoredLink,
    StoredPayload,
    StoreErrorCode,
    StoreStats,
    check_list_name,
    not_found,
)
from toolresult.store.keys import KeyRing
from toolresult.store.pointer import Pointer, new_record_id, sign, verify
from toolresult.store.postgresql.engine import Waits, make_engine, parse_url
from toolresult.store.postgresql.faults import translated
from toolresult.store.postgresql.layout import list_version, prepare, stored_result, version
from toolresult.store.record import Cutoff, Record, check_put, cutoff
from toolresult.store.rows import BATCH_ROWS, check_sum, first_batch, record_of, shown, whole
from toolresult.store.times import rfc3339, seconds

MAX_PAYLOAD_BYTES = 64 * 1024 * 1024
"""A row takes up to 1 GB, but the server is slow with so much: 50 MB take it seconds. Where results
are larger, their bytes belong in a folder or bucket."""


class PostgresStore(Closing):
    """Keeps results in the database at ``url``, such as ``postgresql+psycopg://user@host/shop``.

    The tables are made, and brought to the newest layout, in the first schema of the role's
    ``search_path``; without ``create`` they must be there. Up to ``connections`` are kept, and as
    many more opened while they are needed. Every wait is bounded by ``waits``.

    Raises ``StoreError`` for a database that cannot be used, has other tables of these names, or
    is of a later version of this library, and ValueError for an address that is none.
    """

    def __init__(
        self,
        url: str | URL,
        keys: KeyRing,
        *,
        create: bool = True,
        waits: Waits | None = None,
        connections: int = 5,
        max_payload_bytes: int = MAX_PAYLOAD_BYTES,
    ) -> None:
        self._keys = keys
        self._max_payload_bytes = max_payload_bytes
        self._closed = False
        self._engine = make_engine(parse_url(url), waits or Waits(), connections)
        event.listen(self._engine, "connect", _commit_to_disk)
        try:
            with translated():
                prepare(self._engine, create=create)
        except BaseException:
            self._engine.dispose()
            raise

    def put(
        self,
        payload: bytes,
        *,
        principal: str,
        now: datetime,
        lifetime: timedelta,
        format_version: int,
        mime_type: str,
    ) -> StoredLink:
        """Store ``payload`` and return its link, after the commit. See ``Store.put``."""
        record = check_put(payload, now, lifetime, format_version, mime_type)
        if len(record.payload) > self._max_payload_bytes:
            raise fault(StoreErrorCode.TOO_LARGE)
        record_id = new_record_id()
        uri = sign(Pointer(record_id, record.expires_at), principal=principal, keys=self._keys)
        row = {
            "record_id": record_id,
            "format_version": record.format_version,
            "mime_type": record.mime_type,
            "stored_at": record.stored_at,
            "expires_at": record.expires_at,
            "check_sum": check_sum(record),
            "payload": record.payload,
        }
        with translated(), self._use().connect() as connection:
            connection.execute(insert(stored_result), row)
        return StoredLink(uri, len(record.payload), rfc3339(record.expires_at), mime_type)

    def get(self, uri: str, *, principal: str, now: datetime) -> StoredPayload:
        """The payload behind ``uri``. See ``Store.get``."""
        return self.get_record(uri, principal=principal, now=now).stored_payload()

    def get_record(self, uri: str, *, principal: str, now: datetime) -> Record:
        """What ``get`` makes its answer of, with the same errors; for ``store.objects``."""
        pointer = verify(uri, principal=principal, now=now, keys=self._keys)
        columns = stored_result.c
        query = select(
            columns.payload,
            columns.format_version,
            columns.mime_type,
            columns.stored_at,
            columns.expires_at,
            columns.check_sum,
        ).where(columns.record_id == pointer.record_id)
        with translated(), self._use().connect() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            raise not_found()
        return record_of(row)

    def purge(self, *, now: datetime, older_than: timedelta | None = None) -> int:
        """Delete expired or old results in small batches. See ``Store.purge``.

        Nobody waits for it, and it waits for nobody: rows that another purge is deleting are
        left to that one. If a batch fails, those before it stay deleted.
        """
        limit = cutoff(now, older_than)
        count = 0
        with translated():
            engine = self._use().execution_options(isolation_level="READ COMMITTED")
            while True:
                with engine.begin() as connection:
                    deleted = _delete_batch(connection, limit)
                if not deleted:
                    return count
                count += deleted

    def stats(self, *, now: datetime) -> StoreStats:
        """Counts and sizes, as of one moment. See ``Store.stats``."""
        columns = stored_result.c
        query = select(
            func.count(),
            func.count().filter(columns.expires_at <= seconds(now)),
            func.coalesce(func.sum(func.octet_length(columns.payload)), 0),
            func.min(columns.stored_at),
            func.max(columns.stored_at),
            func.pg_total_relation_size(text("'toolresult_stored_result'::regclass")),
        ).select_from(stored_result)
        with translated(), self._use().connect() as connection:
            count, expired, payload_bytes, oldest, newest, file_bytes = connection.execute(
                query
            ).one()
            return StoreStats(
                count=count,
                expired=expired,
                payload_bytes=int(payload_bytes),
                file_bytes=file_bytes,
                oldest_stored_at=shown(oldest),
                newest_stored_at=shown(newest),
                schema_version=version(connection),
            )

    def list_version(self, name: str) -> int:
        """The version of a list, for all machines. See ``ListVersions.list_version``."""
        query = select(list_version.c.version).where(list_version.c.name == check_list_name(name))
        with translated(), self._use().connect() as connection:
            found = connection.execute(query).scalar_one_or_none()
        return 0 if found is None else whole(found)

    def raise_list_version(self, name: str) -> int:
        """Says that a list has changed, after the commit. See ``ListVersions``."""
        raising = (
            postgresql.insert(list_version)
            .values(name=check_list_name(name), version=1)
            .on_conflict_do_update(
                index_elements=[list_version.c.name],
                set_={"version": list_version.c.version + 1},
            )
            .returning(list_version.c.version)
        )
        with translated(), self._use().connect() as connection:
            return whole(connection.execute(raising).scalar_one())

    def close(self) -> None:
        """Closes the connections. See ``Store.close``."""
        self._closed = True
        self._engine.dispose()

    def _use(self) -> Engine:
        if self._closed:
            raise fault(StoreErrorCode.UNAVAILABLE)
        return self._engine


def _commit_to_disk(dbapi_connection: Any, _: Any) -> None:
    """A link to a result that a power cut took is worse than a few milliseconds.

    Where ``synchronous_commit`` is on, or stronger for the sake of replicas, it stays as it is.
    """
    before = dbapi_connection.autocommit
    dbapi_connection.autocommit = True
    with dbapi_connection.cursor() as cursor:
        cursor.execute(
            "SELECT set_config('synchronous_commit', 'on', false)"
            " WHERE current_setting('synchronous_commit') = 'off'"
        )
    dbapi_connection.autocommit = before


def _delete_batch(connection: Connection, limit: Cutoff) -> int:
    """Deletes some of what ``limit`` covers and returns how many; 0 when nothing is left."""
    columns = stored_result.c
    moment = columns[limit.column]
    query = (
        # The length is known without reading the payload.
        select(columns.record_id, func.octet_length(columns.payload))
        .where(moment <= limit.moment)
        .order_by(moment)
        .limit(BATCH_ROWS)
        .with_for_update(skip_locked=True)
    )
    chosen = first_batch((id, size) for id, size in connection.execute(query))
    if chosen:
        connection.execute(delete(stored_result).where(columns.record_id.in_(chosen)))
    return len(chosen)
