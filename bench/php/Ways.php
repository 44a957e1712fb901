<?php

declare(strict_types=1);

namespace Toolresult\Bench;

use Toolresult\Core\Result;
use Toolresult\Mapper;
use Toolresult\Request;

/**
 * Two ways to the result of tools/call, with its text copy.
 */
final class Ways
{
    private const FLAGS = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR;

    /**
     * The floor: an array built by hand, by PHP's encoder. It checks little, and sorts nothing.
     *
     * @param array<array-key, mixed> $data
     */
    public static function floor(array $data): string
    {
        return json_encode(
            [
                'content' => [['type' => 'text', 'text' => json_encode($data, self::FLAGS)]],
                'structuredContent' => $data,
                'isError' => false,
            ],
            self::FLAGS,
        );
    }

    /**
     * Through the public face: constructed, checked, in canonical order, rendered.
     *
     * @param array<array-key, mixed> $data
     */
    public static function ours(array $data): string
    {
        static $mapper, $request;
        $mapper ??= new Mapper(phase: 'final');
        $request ??= new Request('mcp-handshake@2025-11-25', limit: null);
        return $mapper->render(Result::success($data), $request)->bytes;
    }
}
