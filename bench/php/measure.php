<?php

declare(strict_types=1);

// Reads {"seconds", "inputs": {name: JSON text}} from standard input, and writes the median seconds
// of one call, ours and the floor's, by the name of the input.

use Toolresult\Bench\Ways;

require __DIR__ . '/../../adapters/php/autoload.php';
require __DIR__ . '/Ways.php';

/*
 * The median times of one call of each way, taken in turn, so that what disturbs one disturbs all.
 */
$medians = static function (array $ways, float $seconds): array {
    $samples = $calls = [];
    foreach ($ways as $name => $way) {
        $way();
        $start = hrtime(true);
        $way();
        // A sample takes two milliseconds at least.
        $calls[$name] = max(1, intdiv(2_000_000, max(1, hrtime(true) - $start)));
    }
    $end = hrtime(true) + (int) ($seconds * 1e9);
    do {
        foreach ($ways as $name => $way) {
            $start = hrtime(true);
            for ($call = 0; $call < $calls[$name]; $call++) {
                $way();
            }
            $samples[$name][] = (hrtime(true) - $start) / $calls[$name] / 1e9;
        }
    } while (hrtime(true) < $end || count(reset($samples)) < 5);
    return array_map(static function (array $found): float {
        sort($found);
        return $found[intdiv(count($found), 2)];
    }, $samples);
};

$asked = json_decode(stream_get_contents(STDIN), true, 512, JSON_THROW_ON_ERROR);
$times = [];
foreach ($asked['inputs'] as $name => $text) {
    $data = json_decode($text, true, 512, JSON_THROW_ON_ERROR);
    $ways = ['ours' => static fn () => Ways::ours($data), 'floor' => static fn () => Ways::floor($data)];
    $times[$name] = $medians($ways, (float) $asked['seconds']);
}
echo json_encode(['php' => PHP_VERSION, 'times' => $times], JSON_THROW_ON_ERROR), "\n";
