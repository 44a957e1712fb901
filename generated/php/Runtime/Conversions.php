<?php

declare(strict_types=1);

namespace Toolresult\Core\Runtime;

use Toolresult\Core\BigInteger;
use Toolresult\Core\Result;

/**
 * The named conversions of the spec: fields to a text.
 */
final class Conversions
{
    private const ID_DIGITS = 16;

    /**
     * The text form of bytes in base64: [image chart.png, image/png, 68 bytes, sha256 …].
     */
    public static function bytesText(string $kind, string $data, string $mimeType, ?string $name): string
    {
        $shown = $name === null ? '' : " {$name},";
        return "[{$kind}{$shown} {$mimeType}, " . self::sizeAndDigest($data) . ']';
    }

    /**
     * The text form of a link: [link b.txt] file:///a/b.txt (text/plain, 12 bytes) — …
     */
    public static function linkText(
        string $uri,
        ?string $name = null,
        ?string $mimeType = null,
        int|BigInteger|null $size = null,
        ?string $description = null,
    ): string {
        $text = '[link ' . ($name ?? self::linkName($uri)) . "] {$uri}";
        $facts = $mimeType === null ? [] : [$mimeType];
        if ($size !== null) {
            $facts[] = Numbers::text($size) . ' bytes';
        }
        if ($facts !== []) {
            $text .= ' (' . implode(', ', $facts) . ')';
        }
        return $description === null ? $text : "{$text} — {$description}";
    }

    /**
     * The text form of an embedded resource, which holds either a text or bytes in base64.
     */
    public static function embeddedText(
        string $uri,
        ?string $mimeType,
        ?string $text,
        ?string $data,
    ): string {
        if ($text !== null) {
            return "[embedded {$uri}]\n{$text}";
        }
        $shown = $mimeType === null ? '' : " {$mimeType},";
        return "[embedded {$uri},{$shown} " . self::sizeAndDigest($data ?? '') . ']';
    }

    /**
     * What stands after the last / of a URI, without query and fragment, or all of it.
     */
    public static function linkName(string $uri): string
    {
        $path = explode('?', explode('#', $uri, 2)[0], 2)[0];
        $last = strrpos($path, '/');
        $name = $last === false ? $path : substr($path, $last + 1);
        return $name === '' ? $uri : $name;
    }

    /**
     * The address of bytes by their content (RFC 6920, section 3): ni:///sha-256;…?ct=…
     */
    public static function contentAddress(string $data, string $mimeType): string
    {
        $digest = base64_encode(hash('sha256', self::decoded($data), true));
        $name = rtrim(strtr($digest, '+/', '-_'), '=');
        $type = strtr(rawurlencode($mimeType), ['%2F' => '/', '%2B' => '+']);
        return "ni:///sha-256;{$name}?ct={$type}";
    }

    /**
     * An id that is the same for equal results: a prefix and the start of the digest.
     */
    public static function digestId(Result $result, Options $options, string $prefix): string
    {
        return $prefix . substr($options->digest ?? $result->digest(), 0, self::ID_DIGITS);
    }

    private static function sizeAndDigest(string $data): string
    {
        $content = self::decoded($data);
        $digest = substr(hash('sha256', $content), 0, self::ID_DIGITS);
        return \strlen($content) . " bytes, sha256 {$digest}";
    }

    private static function decoded(string $data): string
    {
        return (string) base64_decode($data, true);
    }
}
