"""Renders results: picks the renderer, measures its output, stores what is too large."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any, TypeVar, cast

from toolresult import registry
from toolresult.given import Given, decoded, result_of
from toolresult.output_schema import has_structured_content, is_wrapped
from toolresult.rendering import Oversize, Rendering
from toolresult.request import (
    DEFAULT,
    KEPT,
    Clock,
    Default,
    OnStoreFailure,
    Request,
    SchemaResults,
    now_of,
)
from toolresult.settings import check_settings
from toolresult.size import (
    MIME_TYPE,
    linked,
    losses_of_linked,
    losses_of_shortened,
    shortened,
    to_store,
)
from toolresult.store_trouble import StoreTrouble
from toolresult_core import Metadata, Result
from toolresult_core.runtime.canonical import canonical
from toolresult_core.runtime.parse import parse_json
from toolresult_core.runtime.rendering import WIRE_DEPTH, Loss, Options
from toolresult_core.runtime.rendering import Rendering as PlainRendering

if TYPE_CHECKING:
    from toolresult.store.interface import Store, StoredLink

T = TypeVar("T")

_NAMES = 64
"""How many formats a mapper remembers that were asked for by name alone."""


class Mapper:
    """Renders results, with defaults for what requests leave open.

    Every argument is the default for the field of that name of :class:`Request`. What a
    mapper gives depends on nothing else; one serves all threads.

    Raises UnknownTargetError for a phase that no target has, ValueError and TypeError for other
    settings that no rendering could use. A store that fails is told to the log
    ``toolresult.store``, each kind of failure once until it works again.
    """

    def __init__(
        self,
        *,
        phase: str | None = None,
        limit: int | Default | None = DEFAULT,
        structured_errors: bool = False,
        store: Store | None = None,
        principal: str | None = None,
        clock: Clock | None = None,
        stamp: bool = True,
        lifetime: timedelta | None = None,
        on_store_failure: OnStoreFailure = "inline",
        schema_results: SchemaResults = "inline",
    ) -> None:
        registry.check_phase(phase)
        self._phase = phase
        self._limit = limit
        self._structured_errors = structured_errors
        self._store = store
        self._principal = principal
        self._clock = clock
        self._stamp = stamp
        self._lifetime = lifetime
        self._on_store_failure = on_store_failure
        self._schema_results = schema_results
        self._named: dict[str, _Job] = {}
        self._trouble = StoreTrouble()
        # What every request would get is refused now, and not when the first tool has run.
        check_settings(
            limit=limit,
            store=store,
            principal=principal,
            clock=clock,
            lifetime=lifetime,
            on_store_failure=on_store_failure,
            schema_results=schema_results,
        )

    @property
    def store(self) -> Store | None:
        """Where results go that are too large to send, by default."""
        return self._store

    @property
    def clock(self) -> Clock | None:
        """What tells the time, by default."""
        return self._clock

    def render(self, result: Given, request: Request | str) -> Rendering:
        """The result in the format that is asked for, with what was lost and what was stored.

        ``result`` is what :func:`result_of` takes. A text as request is the target and
        revision, all else by default.

        Raises ResultError for what is no result; UnknownTargetError for an unknown
        target or revision, and for a phase that is unknown or not named; ValueError for
        a store without a clock, and for settings that there are not; StoreError with
        ``on_store_failure="fail"``.
        """
        # A server has a few requests, each for many results. What was worked out for one is kept
        # with it and goes with it; but a schema is the caller's, who may change it meanwhile.
        job: _Job
        if isinstance(request, str):
            job = self._named.get(request) or self._new_job(request)
        elif (kept := request.__dict__.get(KEPT)) is not None and kept[0] is self:
            job = kept[1]
        else:
            job = _Job(self, request)
            if request.output_schema is None:
                request.__dict__[KEPT] = self, job
        return job.render(result_of(result))

    def _new_job(self, name: str) -> _Job:
        job = _Job(self, Request(name))
        if len(self._named) >= _NAMES:
            self._named.clear()
        self._named[name] = job
        return job


class _Job:
    """One rendering: the request, with the mapper's defaults in its gaps."""

    def __init__(self, mapper: Mapper, request: Request) -> None:
        phase = _or(request.phase, mapper._phase)
        self.renderer = registry.renderer_asked(request.target, request.revision, phase)
        limit = _or(request.limit, mapper._limit)
        self.limit = self.renderer.limit if isinstance(limit, Default) else limit
        self.schema = request.output_schema
        self.structured_errors = _or(request.structured_errors, mapper._structured_errors)
        self.store = _or(request.store, mapper._store)
        self.principal = _or(request.principal, mapper._principal)
        self.clock = _or(request.clock, mapper._clock)
        self.stamp = _or(request.stamp, mapper._stamp)
        self.lifetime = _or(request.lifetime, mapper._lifetime)
        self.on_store_failure = _or(request.on_store_failure, mapper._on_store_failure)
        self.schema_results = _or(request.schema_results, mapper._schema_results)
        self.trouble = mapper._trouble
        self.artifact_id = request.artifact_id
        self.message_id = request.message_id
        self._check()
        self.options = self._options()

    def _check(self) -> None:
        if self.store is not None and self.clock is None:
            raise ValueError("a store needs a clock: the link it gives has an expiry")
        check_settings(
            limit=self.limit,
            store=self.store,
            principal=self.principal,
            clock=self.clock,
            lifetime=self.lifetime,
            on_store_failure=self.on_store_failure,
            schema_results=self.schema_results,
        )

    def render(self, result: Result) -> Rendering:
        now: datetime | None = None
        if self.clock is not None and self.stamp:
            metadata = result.metadata
            if metadata is None or metadata.generated_at is None:
                now = now_of(self.clock)
                stamped = (metadata or Metadata()).replace(generated_at=_rfc3339(now))
                result = result.replace(metadata=stamped)
        whole = self.renderer.render_as(Rendering, result, self.options)
        if self.limit is None or whole.size <= self.limit:
            return whole
        return self._too_large(result, whole, self.limit, now)

    def _options(self, digest: str | None = None) -> Options:
        target, revision = self.renderer.target, self.renderer.revision
        schema = self.schema
        return Options(
            wrap_output=schema is not None and is_wrapped(schema, target, revision),
            structured_errors=self.structured_errors and schema is None,
            artifact_id=self.artifact_id,
            message_id=self.message_id,
            digest=digest,
        )

    def _too_large(
        self,
        result: Result,
        whole: PlainRendering,
        limit: int,
        now: datetime | None,
    ) -> Rendering:
        link, reason = self._put(result, now)
        if link is None:
            inline = Oversize(whole.size, limit, "inline", reason)
            return _with(whole, whole.losses, inline)
        options = self._options(digest=result.digest)
        sent = self.renderer.render(linked(result, link, whole.size), options)
        if sent.size <= limit:
            stored = Oversize(whole.size, limit, "stored", link=link)
            return _with(sent, losses_of_linked(result, sent.losses), stored)
        least = self.renderer.render(shortened(result, link), options)
        cut = Oversize(whole.size, limit, "shortened", link=link)
        return _with(least, losses_of_shortened(result, least.losses), cut)

    def _put(self, result: Result, now: datetime | None) -> tuple[StoredLink | None, str | None]:
        """The link to the stored result, or why there is none. Raises StoreError."""
        owes_content = (
            self.schema is not None
            and result.error is None
            and has_structured_content(self.renderer.target, self.renderer.revision)
        )
        if owes_content and self.schema_results == "inline":
            return None, "output_schema"
        if self.store is None or self.clock is None:
            return None, "no_store"
        if not self.principal:
            return None, "no_principal"
        # Imported here: most servers never store anything.
        from toolresult.store.interface import DEFAULT_LIFETIME, StoreError

        kept = to_store(result)
        try:
            link = self.store.put(
                kept.to_json(),
                principal=self.principal,
                now=now_of(self.clock) if now is None else now,
                lifetime=DEFAULT_LIFETIME if self.lifetime is None else self.lifetime,
                format_version=kept.format_version,
                mime_type=MIME_TYPE,
            )
        except StoreError as error:
            fails = self.on_store_failure == "fail"
            self.trouble.failed(error, "the call fails" if fails else "goes inline")
            if fails:
                raise
            return None, error.code.value
        self.trouble.works()
        return link, None


def _or(asked: T | Default, default: T) -> T:
    return default if isinstance(asked, Default) else asked


def _with(rendering: PlainRendering, losses: tuple[Loss, ...], oversize: Oversize) -> Rendering:
    return Rendering(rendering.chunks, losses, rendering.is_text, oversize)


def _rfc3339(moment: datetime) -> str:
    """In UTC and whole seconds, as the times of stored results are."""
    utc = moment.astimezone(timezone.utc).replace(tzinfo=None)
    return utc.isoformat(timespec="seconds") + "Z"


_PLAIN = Mapper()


def render(result: Given, to: str, *, phase: str | None = None, **fields: Any) -> Rendering:
    """The result in one format: ``render(result, "mcp-handshake@2025-06-18", phase="final")``.

    Further arguments are the fields of :class:`Request`. A target with phases needs one.
    Raises what :meth:`Mapper.render` raises.
    """
    return _PLAIN.render(result, Request(to, phase=phase, **fields))


def read(wire: Any, source: str) -> Result:
    """The result that was sent in a format: ``read(wire, "mcp-handshake@2025-06-18")``.

    ``wire`` is its JSON as bytes or text, or the parsed value; for the legacy envelope
    the string itself. Raises ResultError, its pointer into the wire value, if that is no
    result; UnknownTargetError.
    """
    reader = registry.reader(*registry.split(source))
    if reader.is_text:
        return cast("Result", reader.read(decoded(wire) if isinstance(wire, bytes) else wire))
    if isinstance(wire, (bytes, str)):
        return cast("Result", reader.read(wire))
    # Through text and back, so that what was parsed elsewhere meets the same checks.
    text = canonical(wire, max_depth=WIRE_DEPTH)
    return cast("Result", reader.read_wire(parse_json(text, max_depth=WIRE_DEPTH, max_bytes=None)))
