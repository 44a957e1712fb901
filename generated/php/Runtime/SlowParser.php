<?php

declare(strict_types=1);

namespace Toolresult\Core\Runtime;

use Toolresult\Core\BigInteger;
use Toolresult\Core\JsonObject;
use Toolresult\Core\ResultError;

/**
 * One pass over a JSON text from its start, with its own stack, that stops at the first offence.
 */
final class SlowParser
{
    private const SPACE = " \t\n\r";
    private const NUMBER = '/\G-?(?:0|[1-9][0-9]*+)(\.[0-9]++)?([eE][-+]?[0-9]++)?/';
    private const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
    private const HEXADECIMAL = '0123456789abcdefABCDEF';
    private const WORDS = ['true' => true, 'false' => false, 'null' => null];
    private const NOT_NUMBERS = ['NaN', 'Infinity', '-Infinity', '-NaN'];
    private const LONE = '/\xED[\xA0-\xBF]/';
    private const SURROGATE = 'a lone surrogate is no text; replace it';

    private readonly int $length;
    private int $at = 0;

    /** @var list<array<array-key, mixed>> the containers that are open */
    private array $stack = [];

    /** @var list<string|int> one step per open container: the member that is being read */
    private array $path = [];

    /**
     * @param bool $keepLone a lone surrogate is kept, as the three bytes that UTF-8 would give it
     */
    public function __construct(
        private readonly string $text,
        private readonly int $maxDepth,
        private readonly bool $keepLone = false,
    ) {
        $this->length = \strlen($text);
    }

    /**
     * @throws ResultError
     */
    public function parse(): mixed
    {
        if (str_starts_with($this->text, "\u{FEFF}")) {
            $this->fail(ResultError::INVALID_JSON, 0, 'a byte order mark is not allowed; remove it');
        }
        $this->skip();
        while (true) {
            if (!$this->value($value)) {
                continue;
            }
            if ($this->attach($value)) {
                if ($this->at !== $this->length) {
                    $this->fail(ResultError::INVALID_JSON, $this->at, 'nothing may follow the value');
                }
                return $value;
            }
        }
    }

    /**
     * Reads a scalar or an empty container; of a container with members, only its start.
     *
     * @param-out mixed $value
     * @return bool whether the value is complete
     */
    private function value(mixed &$value): bool
    {
        $char = $this->text[$this->at] ?? '';
        if ($char === '"') {
            $start = $this->at;
            $value = $this->string('string');
            $this->refuseLone($value, $start);
            $this->skip();
            return true;
        }
        if ($char !== '{' && $char !== '[') {
            $value = $this->scalar();
            $this->skip();
            return true;
        }
        if (\count($this->stack) >= $this->maxDepth) {
            $this->fail(ResultError::TOO_DEEP, $this->at, "nested deeper than {$this->maxDepth} levels");
        }
        $this->at += 1;
        $this->skip();
        if (($this->text[$this->at] ?? '') === ($char === '{' ? '}' : ']')) {
            $this->at += 1;
            $this->skip();
            $value = $char === '{' ? new JsonObject() : [];
            return true;
        }
        $this->stack[] = [];
        if ($char === '[') {
            $this->path[] = 0;
        } else {
            $this->name();
        }
        return false;
    }

    private function scalar(): mixed
    {
        if (preg_match(self::NUMBER, $this->text, $match, 0, $this->at) === 1) {
            return $this->number($match);
        }
        $minus = ($this->text[$this->at] ?? '') === '-' ? 1 : 0;
        $letters = strspn($this->text, self::LETTERS, $this->at + $minus);
        $word = $letters > 0 ? substr($this->text, $this->at, $minus + $letters) : '';
        if (\array_key_exists($word, self::WORDS)) {
            $this->at += \strlen($word);
            return self::WORDS[$word];
        }
        if (\in_array($word, self::NOT_NUMBERS, true)) {
            $this->fail(ResultError::INVALID_NUMBER, $this->at, "{$word} is no JSON number; use null");
        }
        if ($this->at >= $this->length) {
            $this->fail(ResultError::INVALID_JSON, $this->at, 'the text ends where a value should be');
        }
        $this->fail(ResultError::INVALID_JSON, $this->at, "expected a value, found {$this->found()}");
    }

    /**
     * @param array<int, string> $match
     */
    private function number(array $match): int|float|BigInteger
    {
        $start = $this->at;
        $this->at += \strlen($match[0]);
        if (\count($match) === 1) {
            if (\strlen(ltrim($match[0], '-')) > Numbers::MAX_DIGITS) {
                $this->fail(ResultError::INVALID_NUMBER, $start, Numbers::TOO_LONG);
            }
            return BigInteger::of($match[0]);
        }
        $value = (float) $match[0];
        if (is_infinite($value)) {
            $shown = Pointer::shorten($match[0]);
            $this->fail(ResultError::INVALID_NUMBER, $start, "{$shown} is beyond a double; send it as a string");
        }
        return Numbers::settle($value);
    }

    /**
     * Reads a string; lone surrogates in it are left to the caller.
     */
    private function string(string $what): string
    {
        $this->at += 1;
        $value = '';
        while (true) {
            $plain = strcspn($this->text, "\"\\\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0B\f\r\x0E\x0F\x10"
                . "\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1A\x1B\x1C\x1D\x1E\x1F", $this->at);
            $value .= substr($this->text, $this->at, $plain);
            $this->at += $plain;
            $char = $this->text[$this->at] ?? null;
            if ($char === '"') {
                $this->at += 1;
                return $value;
            }
            if ($char === '\\') {
                $value .= $this->escape($what);
                continue;
            }
            $fault = $char === null ? 'it does not end' : 'a control character has to be escaped';
            $this->fail(ResultError::INVALID_JSON, $this->at, "bad {$what}: {$fault}");
        }
    }

    private function escape(string $what): string
    {
        $char = $this->text[$this->at + 1] ?? '';
        if ($char === 'u') {
            return $this->unicode($what);
        }
        $found = match ($char) {
            '"', '\\', '/' => $char,
            'b' => "\x08",
            'f' => "\f",
            'n' => "\n",
            'r' => "\r",
            't' => "\t",
            default => null,
        };
        if ($found === null) {
            $this->fail(ResultError::INVALID_JSON, $this->at, "bad {$what}: there is no such escape");
        }
        $this->at += 2;
        return $found;
    }

    private function unicode(string $what): string
    {
        $unit = $this->unit($this->at);
        if ($unit === null) {
            $this->fail(ResultError::INVALID_JSON, $this->at, "bad {$what}: \\u has four hexadecimal digits");
        }
        $this->at += 6;
        if ($unit >= 0xD800 && $unit < 0xDC00) {
            $low = $this->unit($this->at) ?? 0;
            if ($low >= 0xDC00 && $low < 0xE000) {
                $this->at += 6;
                return (string) mb_chr(0x10000 + (($unit - 0xD800) << 10) + $low - 0xDC00, 'UTF-8');
            }
        }
        if ($unit >= 0xD800 && $unit < 0xE000) {
            return "\xED" . \chr(0x80 | ($unit >> 6 & 0x3F)) . \chr(0x80 | ($unit & 0x3F));
        }
        return (string) mb_chr($unit, 'UTF-8');
    }

    /**
     * The UTF-16 unit of the escape that starts at an offset; null if none does.
     */
    private function unit(int $offset): ?int
    {
        if (substr($this->text, $offset, 2) !== '\\u') {
            return null;
        }
        $digits = substr($this->text, $offset + 2, 4);
        return strspn($digits, self::HEXADECIMAL) === 4 ? (int) hexdec($digits) : null;
    }

    /**
     * Reads a member's name and colon.
     */
    private function name(): void
    {
        if (($this->text[$this->at] ?? '') !== '"') {
            $this->fail(ResultError::INVALID_JSON, $this->at, "expected a key in quotes, found {$this->found()}");
        }
        $start = $this->at;
        $name = $this->string('key');
        $this->path[] = $name;
        $this->refuseLone($name, $start);
        if (\array_key_exists($name, $this->stack[\count($this->stack) - 1])) {
            $shown = Pointer::shorten($name);
            $this->fail(ResultError::INVALID_JSON, $start, "the key \"{$shown}\" is there twice");
        }
        $this->skip();
        if (($this->text[$this->at] ?? '') !== ':') {
            $this->fail(ResultError::INVALID_JSON, $this->at, "expected ':', found {$this->found()}");
        }
        $this->at += 1;
        $this->skip();
    }

    /**
     * Puts a complete value where it belongs and closes what it completes.
     *
     * @param-out mixed $value the value that was completed last
     * @return bool whether that is the whole
     */
    private function attach(mixed &$value): bool
    {
        while ($this->stack !== []) {
            $top = \count($this->stack) - 1;
            $step = $this->path[$top];
            $this->stack[$top][$step] = $value;
            $char = $this->text[$this->at] ?? '';
            if ($char === ',') {
                $this->at += 1;
                $this->skip();
                if (\is_int($step)) {
                    $this->path[$top] = $step + 1;
                } else {
                    array_pop($this->path);
                    $this->name();
                }
                return false;
            }
            $closing = \is_int($step) ? ']' : '}';
            if ($char !== $closing) {
                $expected = "expected ',' or '{$closing}', found {$this->found()}";
                $this->fail(ResultError::INVALID_JSON, $this->at, $expected);
            }
            $this->at += 1;
            $this->skip();
            $done = array_pop($this->stack);
            array_pop($this->path);
            $value = \is_int($step) ? $done : new JsonObject($done);
        }
        return true;
    }

    private function refuseLone(string $text, int $start): void
    {
        if (!$this->keepLone && preg_match(self::LONE, $text) === 1) {
            $this->fail(ResultError::INVALID_TEXT, $start, self::SURROGATE);
        }
    }

    private function skip(): void
    {
        $this->at += strspn($this->text, self::SPACE, $this->at);
    }

    private function found(): string
    {
        $char = mb_substr(substr($this->text, $this->at, 4), 0, 1, 'UTF-8');
        return $char === '' ? 'the end of the text' : "'" . Pointer::shorten($char) . "'";
    }

    private function fail(string $code, int $offset, string $detail): never
    {
        $before = substr($this->text, 0, $offset);
        $line = substr_count($before, "\n") + 1;
        $column = mb_strlen($line === 1 ? $before : substr((string) strrchr($before, "\n"), 1), 'UTF-8') + 1;
        throw new ResultError(
            $code,
            Pointer::of($this->path),
            "{$detail} (line {$line}, column {$column})",
            $offset,
        );
    }
}
