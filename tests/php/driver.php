<?php

declare(strict_types=1);

// Answers what Python asks of mappers and stores, line by line: see tests/languages/driver.py.
require __DIR__ . '/../../adapters/php/autoload.php';

foreach (['Actions', 'Driver', 'KnownStore', 'MapperActions', 'StoreActions'] as $name) {
    require __DIR__ . "/Driving/{$name}.php";
}

exit(Toolresult\Tests\Driving\Driver::main(STDIN, STDOUT));
