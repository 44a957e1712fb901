<?php

declare(strict_types=1);

namespace Toolresult;

/**
 * A hook that no adapter fills. The message names what has to be derived or implemented.
 */
final class MissingAdapterError extends \LogicException
{
}
