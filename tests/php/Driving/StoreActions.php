<?php

declare(strict_types=1);

namespace Toolresult\Tests\Driving;

use Toolresult\Core\JsonObject;
use Toolresult\Core\ResultError;
use Toolresult\Store\Key;
use Toolresult\Store\KeyRing;
use Toolresult\Store\ListVersions;
use Toolresult\Store\MemoryStore;
use Toolresult\Store\Pointer;
use Toolresult\Store\Store;
use Toolresult\Store\StoreError;
use Toolresult\Store\StoredPayload;
use Toolresult\Store\Stores;

/**
 * What is asked of keys, pointers and stores.
 */
final class StoreActions implements Actions
{
    /** @var array<string, Store&ListVersions> the stores that are open, by place and keys */
    private array $stores = [];

    public function all(): array
    {
        return [
            'sign' => self::sign(...),
            'verify' => self::verify(...),
            'parse' => static fn (JsonObject $request): array => self::ring($request)->ids(),
            'load' => static fn (JsonObject $request): array => KeyRing::load($request->get('key_file'))->ids(),
            'new_key' => static fn (JsonObject $request): string => Key::generate($request->get('id'))->line(),
            'put' => $this->put(...),
            'get' => $this->get(...),
            'open_result' => self::openResult(...),
            'purge' => $this->purge(...),
            'stats' => fn (JsonObject $request): object => $this->opened($request)->stats(self::now($request)),
            'list_version' => fn (JsonObject $request): int
                => $this->opened($request)->listVersion($request->get('name')),
            'raise_list_version' => fn (JsonObject $request): int
                => $this->opened($request)->raiseListVersion($request->get('name')),
            'close' => function (JsonObject $request): void {
                $this->opened($request)->close();
            },
        ];
    }

    public function told(\Throwable $error): ?array
    {
        return match (true) {
            $error instanceof StoreError => ['error' => $error->code, 'message' => $error->getMessage()],
            $error instanceof ResultError => ['error' => $error->code, 'pointer' => $error->pointer],
            $error instanceof \InvalidArgumentException
                => ['thrown' => $error::class, 'message' => $error->getMessage()],
            default => null,
        };
    }

    private static function sign(JsonObject $request): string
    {
        $pointer = new Pointer(base64_decode($request->get('record_id')), (int) $request->get('expires_at'));
        return $pointer->sign($request->get('principal'), self::ring($request));
    }

    /**
     * @return array{record_id: string, expires_at: int}
     */
    private static function verify(JsonObject $request): array
    {
        $pointer = Pointer::verify(
            $request->get('uri'),
            principal: $request->get('principal'),
            now: self::now($request),
            keys: self::ring($request),
        );
        return ['record_id' => base64_encode($pointer->recordId), 'expires_at' => $pointer->expiresAt];
    }

    private function put(JsonObject $request): object
    {
        return $this->opened($request)->put(
            base64_decode($request->get('payload')),
            principal: $request->get('principal'),
            now: self::now($request),
            lifetime: self::number($request->get('lifetime')),
            formatVersion: (int) $request->get('format_version'),
            mimeType: $request->get('mime_type'),
        );
    }

    /**
     * @return array<string, mixed>
     */
    private function get(JsonObject $request): array
    {
        $stored = $this->opened($request)->get(
            $request->get('uri'),
            principal: $request->get('principal'),
            now: self::now($request),
        );
        return [...get_object_vars($stored), 'payload' => base64_encode($stored->payload)];
    }

    private static function openResult(JsonObject $request): string
    {
        $stored = new StoredPayload(
            base64_decode($request->get('payload')),
            formatVersion: (int) $request->get('format_version'),
            mimeType: 'application/json',
            storedAt: '2026-07-28T10:00:00Z',
            expiresAt: '2026-07-28T11:00:00Z',
        );
        return Stores::openResult($stored)->toJson();
    }

    private function purge(JsonObject $request): int
    {
        $age = $request->get('older_than');
        return $this->opened($request)->purge(self::now($request), $age === null ? null : self::number($age));
    }

    private static function number(string $text): int|float
    {
        return $text + 0;
    }

    private static function now(JsonObject $request): \DateTimeImmutable
    {
        return new \DateTimeImmutable($request->get('now'));
    }

    private static function ring(JsonObject $request): KeyRing
    {
        return KeyRing::parse($request->get('keys'));
    }

    private function opened(JsonObject $request): Store&ListVersions
    {
        $path = $request->get('path', '');
        $keyFile = $request->get('key_file');
        $create = $request->get('create') !== 'no';
        return $this->stores[$path . ' ' . ($keyFile ?? $request->get('keys'))] ??= $path === ''
            ? new MemoryStore(self::ring($request))
            : Stores::openStore($path, $keyFile ?? self::ring($request), create: $create);
    }
}
