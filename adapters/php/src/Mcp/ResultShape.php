<?php

declare(strict_types=1);

namespace Toolresult\Mcp;

use Toolresult\Core\JsonObject;
use Toolresult\Core\ResultError;
use Toolresult\Drafts;

/**
 * What a result of tools/call has to be, and what is refused where it is not.
 *
 * @internal
 */
final class ResultShape
{
    /**
     * The members of a tool result.
     *
     * @throws ResultError for anything that is none
     */
    public static function checked(mixed $wire): JsonObject
    {
        if (!$wire instanceof JsonObject) {
            throw new ResultError(ResultError::WRONG_TYPE, '', 'expected the result object of tools/call');
        }
        if ($wire->has('task')) {
            throw new ResultError(
                ResultError::UNKNOWN_KIND,
                '/task',
                'this announces a task; its result comes from tasks/result',
            );
        }
        if ($wire->get('resultType', 'complete') !== 'complete') {
            throw new ResultError(
                ResultError::UNKNOWN_KIND,
                '/resultType',
                "expected 'complete'; this asks for something else",
            );
        }
        if (!$wire->has('content')) {
            $hint = match (true) {
                Drafts::isRpcError($wire) => 'this is a JSON-RPC error, no result of a tool',
                $wire->has('jsonrpc') => 'this is a JSON-RPC message: pass the value of its result',
                default => 'a tool result has one',
            };
            throw new ResultError(
                ResultError::MISSING_FIELD,
                '/content',
                "expected a list of content blocks; {$hint}",
            );
        }
        if (!\is_array($wire->get('content'))) {
            throw new ResultError(ResultError::WRONG_TYPE, '/content', 'expected a list of content blocks');
        }
        return $wire;
    }
}
