<?php

declare(strict_types=1);

// The autoloader of a copy without Composer: two folders, one namespace each (PSR-4). The generated
// code is beside this file in a copy, which loads nothing from elsewhere; in the repository that it is
// generated in, it is in a folder of its own.
(static function (): void {
    $core = __DIR__ . (is_dir(__DIR__ . '/core') ? '/core/' : '/../../generated/php/');
    $folders = ['Toolresult\\Core\\' => $core, 'Toolresult\\' => __DIR__ . '/src/'];
    spl_autoload_register(static function (string $class) use ($folders): void {
        foreach ($folders as $prefix => $folder) {
            if (!str_starts_with($class, $prefix)) {
                continue;
            }
            $path = $folder . strtr(substr($class, \strlen($prefix)), '\\', '/') . '.php';
            if (is_file($path)) {
                require $path;
            }
            return;
        }
    });
})();
