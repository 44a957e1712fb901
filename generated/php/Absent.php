<?php

declare(strict_types=1);

namespace Toolresult\Core;

/**
 * A JSON-valued field that is not there. Null is a value, and so is not this.
 */
enum Absent
{
    case Value;
}
