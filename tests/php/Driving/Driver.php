<?php

declare(strict_types=1);

namespace Toolresult\Tests\Driving;

use Toolresult\Core\JsonObject;
use Toolresult\Testee\Request;

/**
 * Answers requests about mappers and stores line by line, so that Python can compare them with its own.
 *
 * A request is `{"do": …}` with what the action needs, bytes in base64, times in RFC 3339, members
 * named as Python names them. The answer is `{"is": …}`, or says what was raised.
 */
final class Driver
{
    /**
     * @param resource $input
     * @param resource $output
     */
    public static function main($input, $output): int
    {
        $all = [new StoreActions(), new MapperActions()];
        while (($line = fgets($input)) !== false) {
            $flags = JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE;
            fwrite($output, json_encode(self::answer($all, Request::parse($line)), $flags) . "\n");
            fflush($output);
        }
        return 0;
    }

    /**
     * @param list<Actions> $all
     * @return array<string, mixed>
     */
    private static function answer(array $all, mixed $request): array
    {
        $name = $request instanceof JsonObject ? $request->get('do') : null;
        foreach ($all as $actions) {
            $action = $actions->all()[$name] ?? null;
            if ($action === null) {
                continue;
            }
            try {
                return ['is' => $action($request)];
            } catch (\Throwable $error) {
                return $actions->told($error) ?? ['fault' => $error::class . ": {$error->getMessage()}"];
            }
        }
        return ['bad_request' => true];
    }
}
