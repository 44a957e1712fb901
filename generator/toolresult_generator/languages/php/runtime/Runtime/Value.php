<?php

declare(strict_types=1);

namespace Toolresult\Core\Runtime;

use Toolresult\Core\JsonObject;
use Toolresult\Core\ResultError;

/**
 * An immutable value with named fields, checked as it is made.
 *
 * Making one raises ResultError, with the pointer of the first offence. An optional field that is
 * absent is null, an empty list or an empty map; a JSON-valued one is Absent::Value, since null is
 * a value.
 */
abstract readonly class Value implements \JsonSerializable
{
    /**
     * The object that a parsed serialized form describes.
     *
     * @throws ResultError
     */
    abstract public static function fromValue(mixed $value): self;

    /**
     * The serialized form as canonical JSON.
     */
    abstract public function toJson(): string;

    /**
     * Whether no field is there.
     */
    abstract public function isEmpty(): bool;

    /**
     * The lowest version of the serialized form that can say this.
     */
    abstract public function sinceVersion(): int;

    /**
     * The serialized form as PHP has it; what is absent is left out.
     */
    public function toValue(): JsonObject
    {
        $value = JsonParser::parse($this->toJson(), maxBytes: null);
        \assert($value instanceof JsonObject);
        return $value;
    }

    /**
     * Whether another value is of the same class and has the same serialized form.
     */
    public function equals(mixed $other): bool
    {
        return $other instanceof static && $other->toJson() === $this->toJson();
    }

    /**
     * A copy with other values in some fields, by their names, checked anew.
     *
     * @throws ResultError
     */
    public function replace(mixed ...$changes): static
    {
        $fields = get_object_vars($this);
        unset($fields['kind']);
        return new static(...[...$fields, ...$changes]);
    }

    public function jsonSerialize(): JsonObject
    {
        return $this->toValue();
    }
}
