<?php

declare(strict_types=1);

namespace Toolresult\Store\Sqlite;

use Toolresult\Store\StoreError;
use Toolresult\Store\StoreErrorCode;

/**
 * The connection to the SQLite file at a path, which is never created here.
 *
 * A file that is deleted or replaced while it is open would go on taking writes that nobody else sees.
 * So the file at the path is compared (device and inode) with the one that was opened, before the
 * connection is used and after: what was done on a file that has gone counts as not done. A connection
 * that failed is closed, not used again.
 *
 * A connection must not cross a fork: the child would inherit the belief that it holds locks
 * (sqlite.org/howtocorrupt.html, section 2.6). PHP tells nobody of a fork, so a child of a process
 * that has a file open refuses to use it; close the store before pcntl_fork, and it opens again when
 * it is needed.
 */
final class Connection
{
    /**
     * The process that has opened a file, and how often; a child inherits it.
     *
     * @var array<string, array{int, int}>
     */
    private static array $open = [];

    private ?Database $db = null;
    private string $identity = '';
    private bool $isClosed = false;

    /**
     * @param \Closure(string): Database $connect opens the file at a path and prepares it
     */
    public function __construct(private readonly string $path, private readonly \Closure $connect)
    {
    }

    public function __destruct()
    {
        $this->drop();
    }

    /**
     * Does some work with the connection.
     *
     * @template T
     * @param callable(Database): T $work
     * @return T
     * @throws StoreError store_unavailable where there is none to be had, and at the end if the file
     *     is no longer the one at the path
     */
    public function use(callable $work): mixed
    {
        if ($this->isClosed) {
            throw StoreError::fault(StoreErrorCode::Unavailable);
        }
        try {
            $made = $work($this->take());
            if (self::identityOf($this->path) !== $this->identity) {
                throw StoreError::fault(StoreErrorCode::Unavailable);
            }
            return $made;
        } catch (\Throwable $error) {
            $this->drop();
            throw $error instanceof StoreError ? Files::explained($error, $this->path) : $error;
        }
    }

    /**
     * Closes the connection until it is needed again, as before a fork.
     */
    public function release(): void
    {
        $this->drop();
    }

    /**
     * Closes the connection; nothing opens it again.
     */
    public function close(): void
    {
        $this->isClosed = true;
        $this->drop();
    }

    /**
     * Device and inode of the file at a path.
     *
     * @throws StoreError store_unavailable if there is none
     */
    private static function identityOf(string $path): string
    {
        $status = Files::status($path);
        return "{$status['dev']}:{$status['ino']}";
    }

    private function take(): Database
    {
        $identity = self::identityOf($this->path);
        [$process, $count] = self::$open[$identity] ?? [getmypid(), 0];
        if ($process !== getmypid()) {
            throw StoreError::fault(StoreErrorCode::Unavailable, new \LogicException('opened before a fork'));
        }
        if ($this->db === null || $this->identity !== $identity) {
            $this->drop(); // SQLite leaves the files of a moved database alone.
            $this->db = ($this->connect)($this->path);
            $this->identity = $identity;
            self::$open[$identity] = [getmypid(), $count + 1];
        }
        return $this->db;
    }

    private function drop(): void
    {
        [$process, $count] = self::$open[$this->identity] ?? [getmypid(), 0];
        if ($this->db === null || $process !== getmypid()) {
            return; // of a fork, it is left as it is until this process ends
        }
        $this->db->close();
        $this->db = null;
        if ($count > 1) {
            self::$open[$this->identity] = [$process, $count - 1];
        } else {
            unset(self::$open[$this->identity]);
        }
    }
}
