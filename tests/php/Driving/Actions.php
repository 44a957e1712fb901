<?php

declare(strict_types=1);

namespace Toolresult\Tests\Driving;

use Toolresult\Core\JsonObject;

/**
 * What the driver does, by the name that asks for it.
 */
interface Actions
{
    /**
     * @return array<string, callable(JsonObject): mixed>
     */
    public function all(): array;

    /**
     * What is answered for something that was raised; null where that is a fault of ours.
     *
     * @return ?array<string, string>
     */
    public function told(\Throwable $error): ?array;
}
