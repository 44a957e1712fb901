<?php

declare(strict_types=1);

// The autoloader of a copy without Composer: two folders, one namespace each (PSR-4).
spl_autoload_register(static function (string $class): void {
    static $folders = [
        'Toolresult\\Core\\' => __DIR__ . '/../../generated/php/',
        'Toolresult\\' => __DIR__ . '/src/',
    ];
    foreach ($folders as $prefix => $folder) {
        if (str_starts_with($class, $prefix)) {
            $file = $folder . strtr(substr($class, \strlen($prefix)), '\\', '/') . '.php';
            if (is_file($file)) {
                require $file;
            }
            return;
        }
    }
});
