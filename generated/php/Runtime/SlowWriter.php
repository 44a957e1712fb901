<?php

declare(strict_types=1);

namespace Toolresult\Core\Runtime;

use Toolresult\Core\BigInteger;
use Toolresult\Core\JsonObject;
use Toolresult\Core\ResultError;

/**
 * Canonical JSON, piece by piece: for what is rare, and for the place of what is wrong.
 */
final class SlowWriter
{
    /** @var list<string|int> */
    private array $path = [];
    private string $out = '';

    public function __construct(private readonly int $maxDepth)
    {
    }

    /**
     * The canonical text of a value.
     *
     * @throws ResultError with the pointer of the first offence in canonical order
     */
    public function write(mixed $value): string
    {
        try {
            $this->value($value);
        } catch (ResultError $error) {
            // The path still ends where it was raised.
            throw $error->below(Pointer::of($this->path));
        }
        return $this->out;
    }

    private function value(mixed $value): void
    {
        if (\is_string($value)) {
            $this->out .= Canonical::quote($value);
        } elseif ($value === null) {
            $this->out .= 'null';
        } elseif (\is_bool($value)) {
            $this->out .= $value ? 'true' : 'false';
        } elseif (\is_int($value) || \is_float($value) || $value instanceof BigInteger) {
            $this->out .= Numbers::text($value);
        } elseif (\is_array($value) && array_is_list($value)) {
            $this->items($value);
        } elseif (\is_array($value)) {
            $this->members($value);
        } elseif ($value instanceof JsonObject) {
            $this->members($value->members);
        } elseif (Types::isPlainObject($value)) {
            $this->members((array) $value);
        } else {
            $kind = Pointer::shorten(get_debug_type($value));
            $detail = "{$kind} is no JSON value; convert it yourself";
            throw new ResultError(ResultError::INVALID_VALUE, '', $detail);
        }
    }

    /**
     * @param list<mixed> $items
     */
    private function items(array $items): void
    {
        $this->enter();
        $separator = '[';
        foreach ($items as $index => $item) {
            $this->path[] = $index;
            $this->out .= $separator;
            $separator = ',';
            $this->value($item);
            array_pop($this->path);
        }
        $this->out .= $items === [] ? '[]' : ']';
    }

    /**
     * @param array<array-key, mixed> $members
     */
    private function members(array $members): void
    {
        $this->enter();
        $separator = '{';
        foreach (Canonical::sorted($members) as $key => $item) {
            $this->path[] = (string) $key;
            $this->out .= $separator;
            $separator = ',';
            $this->out .= Canonical::quote((string) $key) . ':';
            $this->value($item);
            array_pop($this->path);
        }
        $this->out .= $members === [] ? '{}' : '}';
    }

    private function enter(): void
    {
        if (\count($this->path) >= $this->maxDepth) {
            throw new ResultError(
                ResultError::TOO_DEEP,
                '',
                "nested deeper than {$this->maxDepth} levels, or within itself; flatten the value",
            );
        }
    }
}
