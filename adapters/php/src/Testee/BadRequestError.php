<?php

declare(strict_types=1);

namespace Toolresult\Testee;

/**
 * A request that is none. The message says to people what is wrong with it.
 */
final class BadRequestError extends \RuntimeException
{
}
