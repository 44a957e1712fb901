<?php

declare(strict_types=1);

namespace Toolresult\Core\Runtime;

use Toolresult\Core\Result;
use Toolresult\Core\ResultError;

/**
 * Reads the output of one target back into a result. Holds no state.
 */
abstract class Reader
{
    public const TARGET = '';
    public const REVISIONS = [];
    public const IS_TEXT = false;

    /**
     * The result that a wire text says. For a target whose wire value is a string, the string itself.
     *
     * @throws ResultError with a pointer into the wire value, if that is no result
     */
    public function read(string $wire): Result
    {
        if (!static::IS_TEXT) {
            return $this->readWire(JsonParser::parse($wire, Renderer::WIRE_DEPTH));
        }
        if (!mb_check_encoding($wire, 'UTF-8')) {
            throw new ResultError(ResultError::INVALID_JSON, '', 'expected UTF-8');
        }
        return $this->readWire($wire);
    }

    /**
     * The result that a wire value says, as JsonParser::parse gives it.
     *
     * @throws ResultError
     */
    abstract public function readWire(mixed $wire): Result;
}
