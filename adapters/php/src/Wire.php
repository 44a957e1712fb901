<?php

declare(strict_types=1);

namespace Toolresult;

use Toolresult\Core\Result;
use Toolresult\Core\ResultError;
use Toolresult\Core\Runtime\Canonical;
use Toolresult\Core\Runtime\JsonParser;
use Toolresult\Core\Runtime\Renderer;

/**
 * Results in the format of any target and revision, and back, where no mapper is at hand.
 */
final class Wire
{
    /**
     * The result in one format: render($result, 'mcp-handshake@2025-06-18', phase: 'final').
     *
     * The result is what Given::resultOf takes, further arguments are the fields of Request. A target
     * with phases needs one.
     *
     * @throws ResultError for what is no result
     * @throws UnknownTargetError
     * @throws MissingAdapterError
     * @throws \InvalidArgumentException for settings that there are not
     */
    public static function render(mixed $result, string $to, ?string $phase = null, mixed ...$fields): Rendering
    {
        return (new Mapper())->render($result, new Request($to, ...['phase' => $phase, ...$fields]));
    }

    /**
     * The result that was sent in a format: read($output, 'mcp-handshake@2025-06-18').
     *
     * The wire is its JSON as text, or the parsed value; for the legacy envelope the string itself.
     *
     * @throws ResultError with a pointer into the wire value, if that is no result
     * @throws UnknownTargetError
     * @throws MissingAdapterError
     */
    public static function read(mixed $wire, string $source): Result
    {
        $reader = Registry::reader(...Registry::split($source));
        if (\is_string($wire)) {
            return $reader->read($wire);
        }
        if ($reader::IS_TEXT) {
            throw new ResultError(ResultError::WRONG_TYPE, '', 'expected a string');
        }
        // Through text and back, so that what was parsed elsewhere meets the same checks.
        $text = Canonical::text($wire, Renderer::WIRE_DEPTH);
        return $reader->readWire(JsonParser::parse($text, Renderer::WIRE_DEPTH, null));
    }
}
