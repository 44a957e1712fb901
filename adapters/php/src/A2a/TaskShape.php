<?php

declare(strict_types=1);

namespace Toolresult\A2a;

use Toolresult\Core\JsonObject;
use Toolresult\Core\ResultError;
use Toolresult\Drafts;

/**
 * What a task and its lists have to be, and what is refused where they are not.
 *
 * @internal
 */
final class TaskShape
{
    /**
     * The task, bare or as a response has it, and its pointer.
     *
     * @return array{JsonObject, string}
     * @throws ResultError
     */
    public static function task(mixed $wire): array
    {
        $members = self::object($wire, '');
        if ($members->get('task') instanceof JsonObject) {
            return [$members->get('task'), '/task'];
        }
        if (Drafts::isRpcError($members)) {
            throw self::noTask('', 'this is an error, no result of one');
        }
        foreach (['message', 'statusUpdate', 'artifactUpdate'] as $key) {
            if ($members->has($key)) {
                throw self::noTask("/{$key}", 'this is no result of one');
            }
        }
        if ($members->get('kind', 'task') !== 'task') {
            throw self::noTask('/kind', 'this is no result of one');
        }
        if (!$members->has('status')) {
            $hint = $members->has('jsonrpc') ? '; pass the value of its result' : '';
            throw new ResultError(
                ResultError::MISSING_FIELD,
                '/status',
                "expected a task with its status{$hint}",
            );
        }
        return [$members, ''];
    }

    private static function noTask(string $pointer, string $hint): ResultError
    {
        return new ResultError(ResultError::UNKNOWN_KIND, $pointer, "expected a task; {$hint}");
    }

    public static function object(mixed $value, string $where): JsonObject
    {
        return $value instanceof JsonObject
            ? $value
            : throw new ResultError(ResultError::WRONG_TYPE, $where, 'expected an object');
    }

    /**
     * @return list<mixed>
     */
    public static function list(mixed $value, string $where): array
    {
        return \is_array($value)
            ? $value
            : throw new ResultError(ResultError::WRONG_TYPE, $where, 'expected a list');
    }

    /**
     * @return \Generator<string, JsonObject> the parts by the pointers to them
     */
    public static function parts(JsonObject $owner, string $where): \Generator
    {
        foreach (self::list($owner->get('parts', []), "{$where}/parts") as $number => $part) {
            $place = "{$where}/parts/{$number}";
            yield $place => self::object($part, $place);
        }
    }
}
