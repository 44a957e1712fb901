<?php

declare(strict_types=1);

namespace Toolresult\Tests;

use PHPUnit\Framework\TestCase;
use Toolresult\Core\Result;
use Toolresult\Core\ResultError;
use Toolresult\Store\KeyRing;
use Toolresult\Store\ListVersions;
use Toolresult\Store\MemoryStore;
use Toolresult\Store\Pointer;
use Toolresult\Store\SqliteStore;
use Toolresult\Store\Store;
use Toolresult\Store\StoreError;
use Toolresult\Store\StoredLink;
use Toolresult\Store\StoredPayload;
use Toolresult\Store\Stores;

/**
 * What every store does, whatever it is made of.
 */
final class StoreTest extends TestCase
{
    private const NOW = '2026-07-28T10:00:00Z';

    private string $folder;

    protected function setUp(): void
    {
        $this->folder = sys_get_temp_dir() . '/toolresult-' . bin2hex(random_bytes(8));
        mkdir($this->folder, 0o700);
    }

    protected function tearDown(): void
    {
        array_map(unlink(...), glob("{$this->folder}/*") ?: []);
        rmdir($this->folder);
    }

    /**
     * @return array<string, array{bool}>
     */
    public function kinds(): array
    {
        return ['memory' => [false], 'SQLite' => [true]];
    }

    /**
     * @dataProvider kinds
     */
    public function testWhatWasPutComesBack(bool $isOnDisk): void
    {
        $store = $this->store($isOnDisk);
        foreach (['', '{}', str_repeat("\0\xFF", 300_000)] as $payload) {
            $link = self::put($store, $payload, mimeType: 'text/plain; charset=ü', formatVersion: 7);
            self::assertSame(\strlen($payload), $link->size);
            self::assertSame('2026-07-28T11:00:00Z', $link->expiresAt);
            self::assertEquals(
                new StoredPayload($payload, 7, 'text/plain; charset=ü', '2026-07-28T10:00:00Z', $link->expiresAt),
                $store->get($link->uri, principal: 'anna', now: self::moment('10:59:59.999999')),
            );
        }
        self::assertNotSame(self::put($store)->uri, self::put($store)->uri);
    }

    /**
     * @dataProvider kinds
     */
    public function testEveryBadPointerGetsTheSameAnswer(bool $isOnDisk): void
    {
        $store = $this->store($isOnDisk);
        $good = self::put($store, 'secret')->uri;
        $gone = self::put($store, 'gone', now: self::moment('08:00:00'), lifetime: 18_000)->uri;
        $store->purge(self::moment('10:00:00'), olderThan: 3_600);
        $raw = base64_decode(strtr(substr($good, \strlen(Pointer::PREFIX)), '-_', '+/'));
        $token = static fn (string $bytes): string => Pointer::PREFIX . strtr(base64_encode($bytes), '+/', '-_');
        $bad = [
            'expired' => [$good, 'anna', '11:00:00'],
            'foreign' => [$good, 'otto', '10:00:00'],
            'foreign and expired' => [$good, 'otto', '12:00:00'],
            'purged' => [$gone, 'anna', '10:00:00'],
            'other keys' => [self::put(new MemoryStore())->uri, 'anna', '10:00:00'],
            'version' => [$token("\x02" . substr($raw, 1)), 'anna', '10:00:00'],
            'prolonged' => [$token($raw[0] . pack('J', 2 ** 40) . substr($raw, 9)), 'anna', '10:00:00'],
            'endless' => [$token($raw[0] . "\xFF" . substr($raw, 2)), 'anna', '10:00:00'],
            'last bit' => [$token(substr($raw, 0, -1) . ($raw[56] ^ "\1")), 'anna', '10:00:00'],
            'no tag' => [$token(substr($raw, 0, 25) . str_repeat("\0", 32)), 'anna', '10:00:00'],
            'short' => [substr($good, 0, -1), 'anna', '10:00:00'],
            'long' => ["{$good}A", 'anna', '10:00:00'],
            'a line' => ["{$good}\n", 'anna', '10:00:00'],
            'no UTF-8' => [substr($good, 0, -1) . "\xFF", 'anna', '10:00:00'],
            'empty' => ['', 'anna', '10:00:00'],
            'huge' => [str_repeat('A', 1_000_000), 'anna', '10:00:00'],
            'SQL' => [Pointer::PREFIX . "' OR 1=1 --", 'anna', '10:00:00'],
        ];
        foreach ($bad as $name => [$uri, $principal, $time]) {
            try {
                $store->get($uri, principal: $principal, now: self::moment($time));
                self::fail($name);
            } catch (StoreError $error) {
                self::assertSame('not_found', $error->code, $name);
                self::assertSame(StoreError::NOT_FOUND_MESSAGE, $error->getMessage(), $name);
                self::assertNull($error->getPrevious(), $name);
                self::assertFalse($error->isFault());
            }
        }
        self::assertSame('secret', $store->get($good, principal: 'anna', now: self::moment('10:00:00'))->payload);
    }

    /**
     * @dataProvider kinds
     */
    public function testWhatIsExpiredOrOldIsPurged(bool $isOnDisk): void
    {
        $store = $this->store($isOnDisk);
        for ($count = 0; $count < 205; $count++) {
            self::put($store, 'old', now: self::moment('08:00:00'), lifetime: 60);
        }
        $kept = self::put($store, 'kept', now: self::moment('09:00:00'), lifetime: 86_400);
        $stats = $store->stats(self::moment('10:00:00'));
        self::assertSame([206, 205, 3 * 205 + 4], [$stats->count, $stats->expired, $stats->payloadBytes]);
        self::assertSame('2026-07-28T08:00:00Z', $stats->oldestStoredAt);
        self::assertSame('2026-07-28T09:00:00Z', $stats->newestStoredAt);
        self::assertSame($isOnDisk ? 2 : null, $stats->schemaVersion);
        self::assertSame($isOnDisk, $stats->fileBytes > 10_000);
        self::assertSame(0, $store->purge(self::moment('08:00:59')));
        self::assertSame(205, $store->purge(self::moment('08:01:00')));
        self::assertSame('kept', $store->get($kept->uri, principal: 'anna', now: self::moment('10:00:00'))->payload);
        self::assertSame(0, $store->purge(self::moment('10:00:00'), olderThan: 3_601));
        self::assertSame(1, $store->purge(self::moment('10:00:00'), olderThan: 3_600));
        $empty = $store->stats(self::moment('10:00:00'));
        self::assertSame([0, 0, 0, null, null], [
            $empty->count,
            $empty->expired,
            $empty->payloadBytes,
            $empty->oldestStoredAt,
            $empty->newestStoredAt,
        ]);
    }

    /**
     * @dataProvider kinds
     */
    public function testAClosedStoreIsUnavailable(bool $isOnDisk): void
    {
        $store = $this->store($isOnDisk);
        $uri = self::put($store)->uri;
        $store->close();
        $store->close();
        $now = self::moment('10:00:00');
        foreach (
            [
                static fn () => self::put($store),
                static fn () => $store->get($uri, principal: 'anna', now: $now),
                static fn () => $store->purge($now),
                static fn () => $store->stats($now),
                static fn () => $store->listVersion('tools'),
                static fn () => $store->raiseListVersion('tools'),
            ] as $call
        ) {
            try {
                $call();
                self::fail('it goes on');
            } catch (StoreError $error) {
                self::assertSame('store_unavailable', $error->code);
                self::assertTrue($error->isFault());
            }
        }
    }

    /**
     * @dataProvider kinds
     */
    public function testArgumentsThatNoCallerShouldPass(bool $isOnDisk): void
    {
        $store = $this->store($isOnDisk);
        $calls = [
            'principal: expected a non-empty string' => static fn () => self::put($store, principal: ''),
            'principal: expected text in UTF-8' => static fn () => self::put($store, principal: "\xED\xA0\x80"),
            'lifetime: expected a positive duration' => static fn () => self::put($store, lifetime: 0),
            'lifetime: expected an end' => static fn () => self::put($store, lifetime: PHP_INT_MAX),
            'lifetime: expected a pos' => static fn () => self::put($store, lifetime: NAN),
            'lifetime: expected an e' => static fn () => self::put($store, lifetime: INF),
            'formatVersion: expected' => static fn () => self::put($store, formatVersion: -1),
            'mimeType: expected' => static fn () => self::put($store, mimeType: ''),
            'olderThan: expected' => static fn () => $store->purge(self::moment('10:00:00'), olderThan: -1),
            'name: expected 1 to 200 printable' => static fn () => $store->listVersion("a\nb"),
        ];
        foreach ($calls as $message => $call) {
            try {
                $call();
                self::fail($message);
            } catch (\InvalidArgumentException $error) {
                self::assertStringStartsWith($message, $error->getMessage());
            }
        }
        self::assertSame(0, $store->stats(self::moment('10:00:00'))->count);
    }

    public function testAMemoryStoreIsBoundedAndDropsNoGoodLink(): void
    {
        $store = new MemoryStore(maxCount: 2, maxBytes: 10);
        $short = self::put($store, '12345', lifetime: 1);
        $long = self::put($store, '1234');
        foreach (['1', '12345678901'] as $payload) {
            try {
                self::put($store, $payload);
                self::fail('it fits');
            } catch (StoreError $error) {
                self::assertSame(\strlen($payload) > 10 ? 'too_large' : 'store_full', $error->code);
            }
        }
        self::put($store, '123456', now: self::moment('10:00:01'));
        self::assertSame('1234', $store->get($long->uri, principal: 'anna', now: self::moment('10:00:01'))->payload);
        $this->expectException(StoreError::class);
        $store->get($short->uri, principal: 'anna', now: self::moment('10:00:00'));
    }

    public function testAStoredResultIsOpened(): void
    {
        $store = new MemoryStore();
        $open = static fn (string $payload, int $version): Result => Stores::openResult(
            $store->get(
                self::put($store, $payload, formatVersion: $version)->uri,
                principal: 'anna',
                now: self::moment('10:00:00'),
            ),
        );
        $result = Result::success([1]);
        self::assertTrue($result->equals($open($result->toJson(), 1)));
        self::assertTrue($result->equals($open('{"success":true,"data":[1]}', 0)));
        try {
            $open("\xFF", 0);
            self::fail('it is no text');
        } catch (StoreError $error) {
            self::assertSame('store_damaged', $error->code);
        }
        $this->expectException(ResultError::class);
        $open('{"format_version":99}', 99);
    }

    private function store(bool $isOnDisk): Store&ListVersions
    {
        $keys = KeyRing::generate();
        return $isOnDisk ? new SqliteStore("{$this->folder}/results.db", $keys) : new MemoryStore($keys);
    }

    private static function put(
        Store $store,
        string $payload = '{}',
        string $principal = 'anna',
        ?\DateTimeInterface $now = null,
        int|float $lifetime = 3_600,
        int $formatVersion = 1,
        string $mimeType = 'application/json',
    ): StoredLink {
        $now ??= new \DateTimeImmutable(self::NOW);
        return $store->put($payload, $principal, $now, $lifetime, $formatVersion, $mimeType);
    }

    private static function moment(string $time): \DateTimeImmutable
    {
        return new \DateTimeImmutable("2026-07-28T{$time}Z");
    }
}
