<?php

declare(strict_types=1);

namespace Toolresult\Tests;

use PHPUnit\Framework\TestCase;
use Toolresult\Testee\Testee;

/**
 * Every vector, rendered, read, checked and refused in this process.
 */
final class VectorsTest extends TestCase
{
    private const FOLDER = __DIR__ . '/../../../generated/vectors';
    private const ANSWER = ['output', 'losses', 'error'];

    /**
     * @dataProvider vectors
     */
    public function testItIsAnsweredByteForByte(string $line): void
    {
        // Objects, so that empty ones stay what they are.
        $request = json_decode($line, false, 512, JSON_THROW_ON_ERROR);
        foreach (self::ANSWER as $name) {
            unset($request->$name);
        }
        $vector = json_decode($line, true, 512, JSON_THROW_ON_ERROR);
        $expected = array_intersect_key($vector, array_flip(['id', ...self::ANSWER]));
        $answer = Testee::answerLine(json_encode($request, JSON_THROW_ON_ERROR));
        // The order of members is free; of the output every byte counts.
        self::assertSame($vector['output'] ?? null, $answer['output'] ?? null);
        self::assertEquals($expected, $answer);
    }

    public function testThereAreVectorsOfEveryKind(): void
    {
        $kinds = [];
        foreach (self::vectors() as [$line]) {
            $vector = json_decode($line, true, 512, JSON_THROW_ON_ERROR);
            $kinds[$vector['do'] . (isset($vector['error']) ? ' refused' : '')] = true;
        }
        ksort($kinds);
        self::assertSame(['check', 'check refused', 'read', 'read refused', 'render'], array_keys($kinds));
    }

    /**
     * @return \Generator<string, array{string}>
     */
    public static function vectors(): \Generator
    {
        foreach (glob(self::FOLDER . '/*.jsonl') ?: [] as $file) {
            foreach (file($file, FILE_IGNORE_NEW_LINES) ?: [] as $number => $line) {
                yield basename($file) . ':' . ($number + 1) => [$line];
            }
        }
    }
}
