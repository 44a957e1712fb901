<?php

declare(strict_types=1);

namespace Toolresult\Core;

use Toolresult\Core\Runtime\Canonical;
use Toolresult\Core\Runtime\JsonParser;
use Toolresult\Core\Runtime\Pointer;
use Toolresult\Core\Runtime\TextFacts;

/**
 * A JSON value that cannot change, held as its canonical text.
 *
 * Made by Json::of or Json::parse, which check it. Two are equal if their texts are.
 */
final class Json implements \Stringable
{
    private ?string $escapedText = null;
    private ?int $knownDepth;
    private ?bool $exact = null;
    private mixed $parsed = null;
    private bool $isParsed = false;

    /**
     * @param string $canonical the canonical JSON text in UTF-8 (RFC 8785, integers of any size exact)
     */
    private function __construct(public readonly string $canonical, ?int $depth)
    {
        $this->knownDepth = $depth;
    }

    /**
     * Checks a value and takes its text: null, bool, int, float, string, BigInteger, arrays and
     * JsonObject or stdClass of these. An array is a list if its keys are 0, 1, 2, else an object;
     * for an empty object, or one with such keys, give a JsonObject.
     *
     * @throws ResultError invalid_number, invalid_text, invalid_value or too_deep (deeper than 100),
     *     with the pointer of the first offence
     */
    public static function of(mixed $value): self
    {
        if ($value instanceof self) {
            return $value;
        }
        [$text, $depth] = Canonical::measured($value);
        return new self($text, $depth);
    }

    /**
     * The value of a JSON text.
     *
     * @throws ResultError as JsonParser::parse does, and too_deep from 101 levels on
     */
    public static function parse(string $text, ?int $maxBytes = JsonParser::MAX_BYTES): self
    {
        return self::of(JsonParser::parse($text, Canonical::MAX_DEPTH, $maxBytes));
    }

    /**
     * A value whose text is known to be canonical and checked. Nothing is checked here.
     */
    public static function ofCanonical(string $text): self
    {
        return new self($text, null);
    }

    /**
     * The canonical text escaped to stand inside a JSON string, without the quotes.
     */
    public function escaped(): string
    {
        return $this->escapedText ??= Canonical::escape($this->canonical);
    }

    /**
     * The value as PHP has it: objects as JsonObject, integers beyond 64 bits as BigInteger.
     */
    public function value(): mixed
    {
        if (!$this->isParsed) {
            $this->parsed = JsonParser::parse($this->canonical, Canonical::MAX_DEPTH + 1, null);
            $this->isParsed = true;
        }
        return $this->parsed;
    }

    /**
     * What it is: object, array, string, number, boolean or null.
     */
    public function kind(): string
    {
        return match ($this->canonical[0]) {
            '{' => 'object',
            '[' => 'array',
            '"' => 'string',
            't', 'f' => 'boolean',
            'n' => 'null',
            default => 'number',
        };
    }

    /**
     * How deep it nests: 0 for a scalar, 1 for [].
     */
    public function depth(): int
    {
        return $this->knownDepth ??= TextFacts::depth($this->canonical);
    }

    /**
     * Whether no integer in it has a magnitude above 2**53.
     */
    public function exactInDouble(): bool
    {
        return $this->exact ??= !TextFacts::mayHaveLongInteger($this->canonical)
            || TextFacts::allExact($this->value());
    }

    public function equals(mixed $other): bool
    {
        try {
            return $this->canonical === self::of($other)->canonical;
        } catch (ResultError) {
            return false;
        }
    }

    public function __toString(): string
    {
        return $this->canonical;
    }

    /**
     * @return array{json: string}
     */
    public function __debugInfo(): array
    {
        return ['json' => Pointer::shorten($this->canonical)];
    }
}
