<?php

declare(strict_types=1);

// Measures PHP: reads {"seconds", "inputs": {name: JSON text}} from standard input, and writes the
// median seconds of one call, ours and the floor's, by the name of the input.

require __DIR__ . '/../../adapters/php/autoload.php';

use Toolresult\Core\Result;
use Toolresult\Registry;

const FLAGS = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR;

/**
 * The floor: the result of tools/call as an array built by hand, its text copy included, by PHP's encoder.
 */
function floor_of(array $data): string
{
    return json_encode(
        [
            'content' => [['type' => 'text', 'text' => json_encode($data, FLAGS)]],
            'structuredContent' => $data,
            'isError' => false,
        ],
        FLAGS,
    );
}

/**
 * The same data through the public face: constructed, checked, in canonical order, rendered.
 */
function ours(array $data): string
{
    return Registry::renderer('mcp-handshake', '2025-11-25', 'final')->render(Result::success($data))->output;
}

/**
 * The median times of one call of each way, taken in turn, so that what disturbs one disturbs all.
 *
 * @param array<string, callable(): string> $ways
 * @return array<string, float>
 */
function medians(array $ways, float $seconds): array
{
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
}

$asked = json_decode(stream_get_contents(STDIN), true, 512, JSON_THROW_ON_ERROR);
$times = [];
foreach ($asked['inputs'] as $name => $text) {
    $data = json_decode($text, true, 512, JSON_THROW_ON_ERROR);
    $ways = ['ours' => static fn () => ours($data), 'floor' => static fn () => floor_of($data)];
    $times[$name] = medians($ways, (float) $asked['seconds']);
}
echo json_encode(['php' => PHP_VERSION, 'times' => $times], JSON_THROW_ON_ERROR), "\n";
