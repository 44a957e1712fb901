<?php

declare(strict_types=1);

namespace Toolresult;

use Toolresult\Core\Result;
use Toolresult\Core\Runtime\Options;
use Toolresult\Core\Runtime\Rendering;

/**
 * Results in the format of any target and revision, and back.
 */
final class Wire
{
    /**
     * The result in one format: render($result, 'mcp-handshake@2025-06-18', phase: 'final'). A target
     * with phases needs one.
     *
     * @throws UnknownTargetError
     * @throws MissingAdapterError
     */
    public static function render(
        Result $result,
        string $to,
        ?string $phase = null,
        Options $options = new Options(),
    ): Rendering {
        [$target, $revision] = Registry::split($to);
        return Registry::rendererAsked($target, $revision, $phase)->render($result, $options);
    }

    /**
     * The result that was sent in a format: read($output, 'mcp-handshake@2025-06-18'). The output is
     * JSON; for the legacy envelope the string itself.
     *
     * @throws Core\ResultError with a pointer into the wire value, if that is no result
     * @throws UnknownTargetError
     * @throws MissingAdapterError
     */
    public static function read(string $output, string $source): Result
    {
        return Registry::reader(...Registry::split($source))->read($output);
    }
}
