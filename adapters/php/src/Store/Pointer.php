<?php

declare(strict_types=1);

namespace Toolresult\Store;

/**
 * Signed pointers: `toolresult://stored/<token>`.
 *
 * The token is the unpadded base64url form (RFC 4648, section 5) of 57 bytes: the version 0x01, the
 * expiry in seconds since 1970 (8 bytes, unsigned, big-endian), the id of the stored result (16
 * bytes, random), the tag (32 bytes).
 *
 * tag = HMAC-SHA256(key, `toolresult-stored-pointer` || 0x00 || bytes 0 to 24 || principal in
 * UTF-8). The principal is in no pointer: it is an input of the tag alone, so the tag is a keyed hash
 * that binds it without showing it, and a pointer in other hands fails just like one that was
 * tampered with. See docs/stores.md.
 */
final readonly class Pointer
{
    public const PREFIX = 'toolresult://stored/';
    public const VERSION = 1;
    public const ID_BYTES = 16;

    private const LABEL = "toolresult-stored-pointer\0";
    private const HEAD_BYTES = 1 + 8 + self::ID_BYTES;
    private const TAG_BYTES = 32;
    private const TOKEN = '/\A[A-Za-z0-9_-]{76}\z/';

    /**
     * @param string $recordId 16 random bytes
     * @param int $expiresAt seconds since 1970; at this second the pointer is no longer valid
     */
    public function __construct(public string $recordId, public int $expiresAt)
    {
        if (\strlen($recordId) !== self::ID_BYTES) {
            throw new \InvalidArgumentException('recordId: expected ' . self::ID_BYTES . ' bytes');
        }
    }

    /**
     * A random id for a new record.
     */
    public static function newRecordId(): string
    {
        return random_bytes(self::ID_BYTES);
    }

    /**
     * The URI of this pointer for a principal, signed with the first key.
     *
     * @throws \InvalidArgumentException for a principal that is empty or no UTF-8
     */
    public function sign(#[\SensitiveParameter] string $principal, KeyRing $keys): string
    {
        $head = \chr(self::VERSION) . pack('J', $this->expiresAt) . $this->recordId;
        $tag = self::tag($keys->signing(), $head, self::checked($principal));
        return self::PREFIX . strtr(base64_encode($head . $tag), '+/', '-_');
    }

    /**
     * The pointer that a URI carries, if it was made for the principal and is still valid.
     *
     * The URI is untrusted. The tag is compared first, with every key and in constant time; only then
     * is anything inside the token looked at.
     *
     * @throws StoreError not_found for every pointer that is not good
     * @throws \InvalidArgumentException for a principal that is empty or no UTF-8
     */
    public static function verify(
        string $uri,
        #[\SensitiveParameter] string $principal,
        \DateTimeInterface $now,
        KeyRing $keys,
    ): self {
        $who = self::checked($principal);
        $token = self::decode($uri);
        $head = substr($token, 0, self::HEAD_BYTES);
        $tag = substr($token, self::HEAD_BYTES);
        $genuine = false;
        foreach ($keys->verifying() as $key) {
            // No early end: the time taken does not tell which key signed.
            $genuine = hash_equals(self::tag($key, $head, $who), $tag) || $genuine;
        }
        ['version' => $version, 'expiry' => $expiry] = (array) unpack('Cversion/Jexpiry', $head);
        // It is unsigned: what PHP shows as negative is beyond its integers.
        $expiresAt = $expiry < 0 ? PHP_INT_MAX : $expiry;
        if (!$genuine || $version !== self::VERSION || $now->getTimestamp() >= $expiresAt) {
            throw StoreError::notFound();
        }
        return new self(substr($head, 9), $expiresAt);
    }

    /**
     * A principal, if it is one.
     *
     * @throws \InvalidArgumentException
     */
    private static function checked(#[\SensitiveParameter] string $principal): string
    {
        if ($principal === '') {
            throw new \InvalidArgumentException('principal: expected a non-empty string');
        }
        if (!mb_check_encoding($principal, 'UTF-8')) {
            throw new \InvalidArgumentException('principal: expected text in UTF-8');
        }
        return $principal;
    }

    /**
     * The 57 bytes of the token, or bytes that verify for nobody, with the same work.
     */
    private static function decode(string $uri): string
    {
        $token = str_starts_with($uri, self::PREFIX) ? substr($uri, \strlen(self::PREFIX)) : '';
        return preg_match(self::TOKEN, $token) === 1
            ? (string) base64_decode(strtr($token, '-_', '+/'), true)
            : str_repeat("\0", self::HEAD_BYTES + self::TAG_BYTES);
    }

    private static function tag(
        #[\SensitiveParameter] string $key,
        string $head,
        #[\SensitiveParameter] string $principal,
    ): string {
        return hash_hmac('sha256', self::LABEL . $head . $principal, $key, true);
    }
}
