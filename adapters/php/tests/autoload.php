<?php

declare(strict_types=1);

// What the tests of this folder need to run without Composer.
require __DIR__ . '/../autoload.php';

spl_autoload_register(static function (string $class): void {
    $prefix = 'Toolresult\\Tests\\';
    if (str_starts_with($class, $prefix)) {
        $file = __DIR__ . '/' . strtr(substr($class, \strlen($prefix)), '\\', '/') . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});
