<?php

declare(strict_types=1);

namespace Toolresult\Store;

/**
 * One to sixteen keys that sign pointers. The first signs, all verify.
 *
 * A key file has one key per line, `id:base64`. Blank lines and lines that begin with `#` are
 * skipped. No message ever shows a line of the file, since a misplaced key may be anywhere.
 */
final readonly class KeyRing
{
    /** Every key costs one HMAC per pointer, so their number is bounded. */
    public const MAX_KEYS = 16;
    public const MAX_FILE_BYTES = 64 * 1024;

    private const LINE_END = '/\r\n|[\n\r\x0B\f\x1C-\x1E]|\xC2\x85|\xE2\x80[\xA8\xA9]/';
    private const BASE64 = '/\A(?:[A-Za-z0-9+\/]{4})*+(?:[A-Za-z0-9+\/]{2}==|[A-Za-z0-9+\/]{3}=)?\z/';
    private const SPACE = " \t\n\r\x0B\f\x1C\x1D\x1E\x1F";

    /** @var non-empty-list<Key> */
    private array $keys;

    /**
     * @param iterable<Key> $keys
     * @throws StoreError invalid_keys for none, too many, or one twice
     */
    public function __construct(iterable $keys)
    {
        $found = [];
        foreach ($keys as $key) {
            $found[] = $key;
        }
        if ($found === []) {
            throw self::refuse('There is no key. Make one with `toolresult store new-key`.');
        }
        if (\count($found) > self::MAX_KEYS) {
            $most = self::MAX_KEYS;
            throw self::refuse("There are more than {$most} keys. Remove those no longer needed.");
        }
        foreach ($found as $index => $one) {
            foreach (\array_slice($found, $index + 1) as $other) {
                if ($one->id === $other->id) {
                    throw self::refuse('Two keys have the same id.');
                }
            }
        }
        foreach ($found as $index => $one) {
            foreach (\array_slice($found, $index + 1) as $other) {
                if (hash_equals($one->secret(), $other->secret())) {
                    throw self::refuse('The same key is there twice, under two ids.');
                }
            }
        }
        $this->keys = $found;
    }

    /**
     * A ring of one new random key, for stores that end with the process.
     */
    public static function generate(): self
    {
        return new self([Key::generate()]);
    }

    /**
     * The ring that the text of a key file describes.
     *
     * @throws StoreError invalid_keys
     */
    public static function parse(#[\SensitiveParameter] string $text): self
    {
        $keys = [];
        foreach (preg_split(self::LINE_END, $text) ?: [] as $index => $line) {
            $entry = trim($line, self::SPACE);
            if ($entry === '' || $entry[0] === '#') {
                continue;
            }
            try {
                $keys[] = self::parseLine($entry);
            } catch (StoreError $error) {
                $number = $index + 1;
                throw self::refuse("Line {$number}: {$error->getMessage()}");
            }
        }
        return new self($keys);
    }

    /**
     * The ring kept in a file. Says to PHP's log if others than the owner may use it.
     *
     * @throws StoreError invalid_keys
     */
    public static function load(string $path): self
    {
        $isPath = !str_contains($path, "\0");
        if ($isPath && is_dir($path)) {
            throw self::refuse('The key file cannot be read (it is a folder).');
        }
        if (!$isPath || !is_file($path)) {
            throw self::refuse('The key file cannot be read (there is no such file).');
        }
        $raw = @file_get_contents($path, length: self::MAX_FILE_BYTES + 1);
        if ($raw === false) {
            // PHP's message ends with that of the system: "…: Failed to open stream: Permission denied".
            $reason = strrchr(error_get_last()['message'] ?? ': unknown', ':');
            throw self::refuse('The key file cannot be read (' . ltrim((string) $reason, ': ') . ').');
        }
        if (\strlen($raw) > self::MAX_FILE_BYTES) {
            $most = self::MAX_FILE_BYTES;
            throw self::refuse("The key file has more than {$most} bytes.");
        }
        Permissions::warn($path, 'key_file_permissions');
        if (preg_match('/[\x80-\xFF]/', $raw) === 1) {
            throw self::refuse('The key file holds other characters than ASCII.');
        }
        return self::parse($raw);
    }

    /**
     * The names of the keys, the signing one first.
     *
     * @return non-empty-list<string>
     */
    public function ids(): array
    {
        return array_map(static fn (Key $key): string => $key->id, $this->keys);
    }

    /**
     * The secret that signs.
     */
    public function signing(): string
    {
        return $this->keys[0]->secret();
    }

    /**
     * All secrets, the signing one first.
     *
     * @return non-empty-list<string>
     */
    public function verifying(): array
    {
        return array_map(static fn (Key $key): string => $key->secret(), $this->keys);
    }

    private static function parseLine(#[\SensitiveParameter] string $entry): Key
    {
        $parts = explode(':', $entry, 2);
        if (\count($parts) < 2) {
            throw self::refuse('Expected `id:base64`.');
        }
        $encoded = trim($parts[1], self::SPACE);
        if (preg_match(self::BASE64, $encoded) !== 1) {
            throw self::refuse('Expected standard, padded base64 after the colon.');
        }
        return new Key(trim($parts[0], self::SPACE), (string) base64_decode($encoded, true));
    }

    private static function refuse(string $message): StoreError
    {
        return new StoreError(StoreErrorCode::InvalidKeys, $message);
    }
}
