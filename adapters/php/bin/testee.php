<?php

declare(strict_types=1);

require __DIR__ . '/../autoload.php';

exit(Toolresult\Testee\Testee::main(STDIN, STDOUT));
