<?php

declare(strict_types=1);

// Answers what Python asks of mappers and stores, line by line: see tests/languages/driver.py.
require __DIR__ . '/autoload.php';

exit(Toolresult\Tests\Driving\Driver::main(STDIN, STDOUT));
