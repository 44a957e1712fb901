<?php

declare(strict_types=1);

namespace Toolresult;

/**
 * An adapter of another rule than the one of now, or that does not say which it was written for.
 *
 * The message names the rule, and what to write.
 */
final class OldAdapterError extends \LogicException
{
}
