<?php

declare(strict_types=1);

namespace Toolresult;

/**
 * A target, revision or phase that is not known. The message names those that are.
 */
final class UnknownTargetError extends \InvalidArgumentException
{
}
