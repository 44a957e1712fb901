<?php

declare(strict_types=1);

namespace Toolresult\Store;

/**
 * One secret with a name for people. The name is not part of any pointer.
 */
final readonly class Key
{
    /** Bytes of a new key, and the least that a key may have: as many as SHA-256 gives. */
    public const BYTES = 32;

    /** A block of SHA-256. HMAC hashes longer keys down, so more would be for show. */
    public const MAX_BYTES = 64;

    /** PHP shows no value that is held so: not in a dump, an export, a cast or a serialized object. */
    private \SensitiveParameterValue $secret;

    /**
     * @param string $secret bytes
     * @throws StoreError invalid_keys
     */
    public function __construct(public string $id, #[\SensitiveParameter] string $secret)
    {
        if (preg_match('/\A[A-Za-z0-9][A-Za-z0-9._-]{0,63}\z/', $id) !== 1) {
            throw new StoreError(
                StoreErrorCode::InvalidKeys,
                'A key id has 1 to 64 letters, digits, dots, hyphens and underscores'
                    . ' and begins with a letter or digit.',
            );
        }
        if (\strlen($secret) < self::BYTES || \strlen($secret) > self::MAX_BYTES) {
            throw new StoreError(
                StoreErrorCode::InvalidKeys,
                'A key has ' . self::BYTES . ' to ' . self::MAX_BYTES . ' bytes.'
                    . ' Make one with `toolresult store new-key`.',
            );
        }
        $this->secret = new \SensitiveParameterValue($secret);
    }

    /**
     * A new random key; without an id its name is random too.
     */
    public static function generate(?string $id = null): self
    {
        return new self($id ?? 'key-' . bin2hex(random_bytes(4)), random_bytes(self::BYTES));
    }

    public function secret(): string
    {
        return $this->secret->getValue();
    }

    /**
     * The line of a key file that holds this key. Secret.
     */
    public function line(): string
    {
        return $this->id . ':' . base64_encode($this->secret());
    }
}
