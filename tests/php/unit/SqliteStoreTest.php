<?php

declare(strict_types=1);

namespace Toolresult\Tests;

use PHPUnit\Framework\TestCase;
use Toolresult\Store\KeyRing;
use Toolresult\Store\SqliteStore;
use Toolresult\Store\Sqlite\Connection;
use Toolresult\Store\Sqlite\Database;
use Toolresult\Store\StoreError;

/**
 * What goes wrong with a file: each fault is a StoreError with a code, never SQLite's own.
 */
final class SqliteStoreTest extends TestCase
{
    private const SHORT = 50;

    private string $folder;
    private string $path;
    private KeyRing $keys;
    private \DateTimeImmutable $now;

    protected function setUp(): void
    {
        $this->folder = sys_get_temp_dir() . '/toolresult-' . bin2hex(random_bytes(8));
        mkdir($this->folder, 0o700);
        $this->path = "{$this->folder}/results.db";
        $this->keys = KeyRing::generate();
        $this->now = new \DateTimeImmutable('2026-07-28T10:00:00Z');
    }

    protected function tearDown(): void
    {
        array_map(unlink(...), glob("{$this->folder}/*") ?: []);
        rmdir($this->folder);
    }

    public function testTheFilesAreTheOwnersAlone(): void
    {
        $mask = umask(0);
        try {
            $store = $this->store();
            $this->put($store);
            self::assertSame(0, umask());
            $files = glob("{$this->path}*") ?: [];
            self::assertCount(3, $files);
            foreach ($files as $file) {
                self::assertSame(0o600, fileperms($file) & 0o777, $file);
            }
        } finally {
            umask($mask);
        }
    }

    public function testAStoreThatIsOpenToOthersIsReported(): void
    {
        $log = (string) tempnam(sys_get_temp_dir(), 'log');
        $before = ini_set('error_log', $log);
        try {
            $this->store()->close();
            self::assertSame('', file_get_contents($log));
            chmod($this->path, 0o640);
            $this->store()->close();
            self::assertStringContainsString("{$this->path}: store_permissions: ", (string) file_get_contents($log));
        } finally {
            ini_set('error_log', (string) $before);
            unlink($log);
        }
    }

    public function testAStoreLetsGoOfItsFile(): void
    {
        $store = $this->store();
        $this->put($store);
        self::assertFileExists("{$this->path}-wal");
        unset($store);
        self::assertFileDoesNotExist("{$this->path}-wal");
        $store = $this->store();
        $this->put($store);
        $store->release();
        self::assertFileDoesNotExist("{$this->path}-wal");
        $this->put($store);
        self::assertSame(3, $store->stats($this->now)->count);
    }

    public function testAFileThatGoesIsNotMadeAnew(): void
    {
        $store = $this->store();
        $uri = $this->put($store);
        $store->release(); // so that nothing is left in the log, which does not move along
        self::assertSame('payload', $this->get($store, $uri));
        rename($this->path, "{$this->folder}/elsewhere.db");
        self::assertSame('store_unavailable', $this->fault(fn () => $this->put($store)));
        self::assertFileDoesNotExist($this->path);
        $this->store()->close(); // another one in its place
        self::assertSame('not_found', $this->fault(fn () => $this->get($store, $uri)));
        rename("{$this->folder}/elsewhere.db", $this->path);
        self::assertSame('payload', $this->get($store, $uri));
    }

    public function testWhatWasDoneOnAFileThatHasGoneCountsAsNotDone(): void
    {
        $connection = self::connection($this->store());
        self::assertSame('store_unavailable', $this->fault(fn () => $connection->use(
            fn (): bool => rename($this->path, "{$this->folder}/elsewhere.db"),
        )));
    }

    public function testACommitReachesTheDisk(): void
    {
        $settings = self::connection($this->store())->use(static fn (Database $db): array => array_map(
            static fn (string $name): mixed => $db->single("PRAGMA {$name}"),
            ['synchronous', 'journal_mode', 'trusted_schema', 'cell_size_check', 'journal_size_limit'],
        ));
        self::assertSame([2, 'wal', 0, 1, 67_108_864], $settings);
    }

    public function testAFileThatIsNoDatabaseIsLeftAlone(): void
    {
        touch($this->path);
        chmod($this->path, 0o600);
        foreach ([1, 50, 99, 5000] as $size) {
            file_put_contents($this->path, str_repeat('x', $size));
            self::assertSame('not_a_store', $this->fault(fn () => $this->store()));
            self::assertSame(str_repeat('x', $size), file_get_contents($this->path));
        }
        file_put_contents($this->path, '');
        self::assertSame('not_a_store', $this->fault(fn () => $this->store(create: false)));
        $this->put($this->store());
    }

    public function testAFullStoreSaysSoAndGoesOn(): void
    {
        $store = new SqliteStore($this->path, $this->keys, maxFileBytes: 100_000);
        $uri = $this->put($store, str_repeat('x', 40_000));
        self::assertSame('store_full', $this->fault(fn () => $this->put($store, str_repeat('y', 90_000))));
        self::assertSame(40_000, \strlen($this->get($store, $uri)));
        self::assertSame(1, $store->purge($this->now, olderThan: 0));
        $this->put($store, str_repeat('z', 50_000));
        $small = new SqliteStore($this->path, $this->keys, maxPayloadBytes: 10);
        self::assertSame('too_large', $this->fault(fn () => $this->put($small, '12345678901')));
    }

    public function testAnotherWriterIsWaitedForAndGivenUp(): void
    {
        $store = $this->store();
        $uri = $this->put($store);
        $other = new \SQLite3($this->path);
        $other->exec('BEGIN IMMEDIATE');
        $begin = hrtime(true);
        self::assertSame('store_locked', $this->fault(fn () => $this->put($store)));
        self::assertGreaterThan(self::SHORT * 0.9e6, hrtime(true) - $begin);
        self::assertSame('payload', $this->get($store, $uri));
        $other->exec('ROLLBACK');
        $this->put($store);
        self::assertSame(2, $store->stats($this->now)->count);
    }

    public function testOneBitOfAPayloadIsNoticed(): void
    {
        $store = $this->store();
        $uri = $this->put($store, str_repeat('x', 50_000));
        $store->close();
        $bytes = (string) file_get_contents($this->path);
        $at = (int) strrpos($bytes, str_repeat('x', 100));
        $bytes[$at] = 'y';
        file_put_contents($this->path, $bytes);
        $store = $this->store();
        self::assertSame('store_damaged', $this->fault(fn () => $this->get($store, $uri)));
    }

    public function testOverwrittenBytesAreFoundOrHarmless(): void
    {
        $store = $this->store();
        $links = [];
        foreach ([10, 3_000, 40_000] as $size) {
            $links[$this->put($store, str_repeat('p', $size))] = $size;
        }
        $store->close();
        $whole = (string) file_get_contents($this->path);
        [$found, $right] = [0, 0];
        for ($place = 0; $place < \strlen($whole); $place += 1_365) {
            foreach (["\0\0\0\0\0\0\0\0", "\xFF\xFF\xFF\xFF", 'QQQQ'] as $noise) {
                file_put_contents($this->path, substr_replace($whole, $noise, $place, \strlen($noise)));
                try {
                    $store = $this->store(create: false);
                    foreach ($links as $uri => $size) {
                        $right += $this->get($store, $uri) === str_repeat('p', $size) ? 1 : self::fail();
                    }
                    $store->stats($this->now);
                } catch (StoreError $error) {
                    $codes = ['store_damaged', 'not_found', 'store_unavailable', 'not_a_store', 'store_newer'];
                    self::assertContains($error->code, $codes);
                    self::assertDoesNotMatchRegularExpression(
                        '/sqlite|database|disk|stored_result|select|toolresult-/i',
                        $error->getMessage(),
                    );
                    $found += 1;
                }
                $store->close();
            }
        }
        self::assertGreaterThan(20, $found);
        self::assertGreaterThan(20, $right);
    }

    /**
     * @requires extension pcntl
     */
    public function testAChildOfAProcessThatHasItOpenLeavesItAlone(): void
    {
        $program = "{$this->folder}/fork.php";
        file_put_contents($program, sprintf('<?php
            require %s;
            use Toolresult\Store\{KeyRing, SqliteStore, StoreError};
            [, $path, $isReleased] = $argv;
            $keys = KeyRing::generate();
            $now = new DateTimeImmutable("2026-07-28T10:00:00Z");
            $store = new SqliteStore($path, $keys);
            $put = static fn () => $store->put("x", "anna", $now, 60, 1, "x");
            $put();
            if ($isReleased === "1") {
                $store->release();
            }
            $child = pcntl_fork();
            if ($child === 0) {
                foreach ([$put, static fn () => new SqliteStore($path, $keys)] as $call) {
                    try {
                        $call();
                        echo "fine ";
                    } catch (StoreError $error) {
                        echo "{$error->code} ";
                    }
                }
                exit(0);
            }
            pcntl_waitpid($child, $status);
            $put();
            echo $store->stats($now)->count;
        ', var_export(\dirname(__DIR__, 3) . '/adapters/php/autoload.php', true)));
        $run = fn (string $isReleased): string => (string) shell_exec(
            implode(' ', array_map(escapeshellarg(...), [PHP_BINARY, $program, $this->path, $isReleased])),
        );
        self::assertSame('store_unavailable store_unavailable 2', $run('0'));
        self::assertSame('fine fine 5', $run('1'));
    }

    /**
     * @dataProvider noPaths
     */
    public function testWhatIsNoPathOfAFile(string $path): void
    {
        self::assertSame('store_unavailable', $this->fault(fn () => new SqliteStore($path, $this->keys)));
    }

    /**
     * @return list<array{string}>
     */
    public function noPaths(): array
    {
        return [[''], ["a\0b"], ['php://memory'], ['/dev/null'], [sys_get_temp_dir()], ['/no/such/folder/a.db']];
    }

    public function testARelativePathIsThatOfTheTimeItWasGiven(): void
    {
        $before = (string) getcwd();
        chdir($this->folder);
        try {
            $store = new SqliteStore('results.db', $this->keys);
            chdir('/');
            $this->put($store);
        } finally {
            chdir($before);
        }
        self::assertFileExists($this->path);
    }

    private static function connection(SqliteStore $store): Connection
    {
        return (new \ReflectionProperty($store, 'connection'))->getValue($store);
    }

    private function store(bool $create = true): SqliteStore
    {
        return new SqliteStore($this->path, $this->keys, create: $create, busyTimeout: self::SHORT);
    }

    private function put(SqliteStore $store, string $payload = 'payload'): string
    {
        return $store->put($payload, 'anna', $this->now, 3_600, 1, 'application/json')->uri;
    }

    private function get(SqliteStore $store, string $uri): string
    {
        return $store->get($uri, principal: 'anna', now: $this->now)->payload;
    }

    /**
     * The code that a call is refused with.
     */
    private function fault(callable $call): string
    {
        try {
            $call();
        } catch (StoreError $error) {
            self::assertStringNotContainsString($this->folder, $error->getMessage());
            return $error->code;
        }
        self::fail('nothing is refused');
    }
}
