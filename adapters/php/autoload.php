<?php

declare(strict_types=1);

// The autoloader of a copy without Composer: two folders, one namespace each (PSR-4). The generated
// code is beside this file in a copy, and in a folder of its own where it is generated.
spl_autoload_register(static function (string $class): void {
    static $folders = [
        'Toolresult\\Core\\' => [__DIR__ . '/core/', __DIR__ . '/../../generated/php/'],
        'Toolresult\\' => [__DIR__ . '/src/'],
    ];
    foreach ($folders as $prefix => $places) {
        if (!str_starts_with($class, $prefix)) {
            continue;
        }
        $path = strtr(substr($class, \strlen($prefix)), '\\', '/') . '.php';
        foreach ($places as $place) {
            if (is_file($place . $path)) {
                require $place . $path;
                return;
            }
        }
        return;
    }
});
