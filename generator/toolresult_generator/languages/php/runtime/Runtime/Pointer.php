<?php

declare(strict_types=1);

namespace Toolresult\Core\Runtime;

/**
 * JSON pointers (RFC 6901), and texts as people may see them.
 */
final class Pointer
{
    private const SHOWN = 200;

    /**
     * One step of a pointer with its slash. A lone surrogate, and what is no UTF-8, shows as U+FFFD.
     */
    public static function token(string|int $step): string
    {
        if (\is_int($step)) {
            return '/' . $step;
        }
        return '/' . str_replace(['~', '/'], ['~0', '~1'], self::readable($step));
    }

    /**
     * The JSON pointer of a path of member names and indexes.
     *
     * @param iterable<string|int> $steps
     */
    public static function of(iterable $steps): string
    {
        $pointer = '';
        foreach ($steps as $step) {
            $pointer .= self::token($step);
        }
        return $pointer;
    }

    /**
     * A text for a message: one line, no control characters, at most 200 characters.
     */
    public static function shorten(string $text): string
    {
        $text = self::readable(\strlen($text) > 4 * self::SHOWN ? substr($text, 0, 4 * self::SHOWN) : $text);
        if (mb_strlen($text, 'UTF-8') > self::SHOWN) {
            $text = mb_substr($text, 0, self::SHOWN - 1, 'UTF-8') . '…';
        }
        // Control characters and bidi marks must not reach a terminal raw.
        $escape = static fn (array $found): string => sprintf('\\u%04x', mb_ord($found[0], 'UTF-8'));
        return (string) preg_replace_callback('/[\p{C}\p{Zl}\p{Zp}]/u', $escape, $text);
    }

    private static function readable(string $text): string
    {
        if (mb_check_encoding($text, 'UTF-8')) {
            return $text;
        }
        $text = (string) preg_replace('/\xED[\xA0-\xBF][\x80-\xBF]/', "\u{FFFD}", $text);
        return mb_check_encoding($text, 'UTF-8') ? $text : mb_scrub($text, 'UTF-8');
    }
}
