<?php

declare(strict_types=1);

namespace Toolresult\Tests;

use PHPUnit\Framework\TestCase;
use Toolresult\Core\BigInteger;
use Toolresult\Core\JsonObject;
use Toolresult\Core\Result;
use Toolresult\Core\ResultError;
use Toolresult\Core\Runtime\Canonical;
use Toolresult\Core\Runtime\JsonParser;
use Toolresult\Core\Runtime\SlowParser;

/**
 * JSON text: both parsers give one value, and refuse at one place.
 */
final class JsonParserTest extends TestCase
{
    /**
     * @dataProvider small
     */
    public function testAResultOfManySmallValuesTakesLittleMoreThanPhpsOwnParser(string $item): void
    {
        $text = '{"format_version":1,"data":[' . implode(',', array_fill(0, 100_000, $item)) . ']}';
        $peak = static function (\Closure $made): int {
            gc_mem_caches();
            memory_reset_peak_usage();
            $before = memory_get_usage();
            $made();
            return memory_get_peak_usage() - $before;
        };
        $theirs = $peak(static fn () => json_decode($text));
        $ours = $peak(static fn () => Result::fromJson($text));
        self::assertLessThan(1.5, $ours / $theirs);
    }

    /**
     * @return array<string, array{string}>
     */
    public static function small(): array
    {
        return ['empty objects' => ['{}'], 'rows' => ['{"id":17,"name":"Shelf","price":1.5}'], 'lists' => ['[1]']];
    }

    /**
     * @dataProvider texts
     */
    public function testBothParsersGiveTheSame(string $text, string $canonical): void
    {
        self::assertSame($canonical, Canonical::text(JsonParser::parse($text)));
        self::assertSame($canonical, Canonical::text((new SlowParser($text, 200))->parse()));
    }

    /**
     * @return array<string, array{string, string}>
     */
    public static function texts(): array
    {
        return [
            'scalars' => [' [ null , true , false , "" , 0 , -0 ] ', '[null,true,false,"",0,0]'],
            'objects' => ['{"0":{},"1":[],"":{"\u0000":1}}', '{"":{"\u0000":1},"0":{},"1":[]}'],
            'an escaped quote' => ['{"a\"b":"\\\\","c:d":["\\\\\"{"]}', '{"a\"b":"\\\\","c:d":["\\\\\"{"]}'],
            'long integers' => [
                '[12345678901234567890,-9223372036854775809]',
                '[12345678901234567890,-9223372036854775809]',
            ],
            'digits in a string' => ['["12345678901234567890"]', '["12345678901234567890"]'],
            'floats' => ['[1.0,-0.0,1e2,1E+2,1e21,1.5e-7]', '[1,0,100,100,1e+21,1.5e-7]'],
            'pairs' => ['"\ud83d\ude00\u00e9"', "\"\u{1F600}é\""],
        ];
    }

    /**
     * @dataProvider refused
     */
    public function testWhatIsRefused(string $text, string $code, string $pointer, int $offset): void
    {
        try {
            JsonParser::parse($text);
            self::fail('it is taken');
        } catch (ResultError $error) {
            $found = [$error->code, $error->pointer, $error->offset];
            self::assertSame([$code, $pointer, $offset], $found);
        }
    }

    /**
     * @return array<string, array{string, string, string, int}>
     */
    public static function refused(): array
    {
        return [
            'nothing' => ['', 'invalid_json', '', 0],
            'capitals' => ['[TRUE]', 'invalid_json', '/0', 1],
            'one capital' => ['[truE]', 'invalid_json', '/0', 1],
            'a comma' => ['[1,]', 'invalid_json', '/1', 3],
            'twice' => ['{"a":1,"b":{"c":1,"c":2}}', 'invalid_json', '/b/c', 18],
            'twice by an escape' => ['{"a":1,"\u0061":2}', 'invalid_json', '/a', 7],
            'twice a number' => ['{"1":1,"1":2}', 'invalid_json', '/1', 7],
            'a control character' => ["[\"a\n\"]", 'invalid_json', '/0', 3],
            'an escape' => ['["\x"]', 'invalid_json', '/0', 2],
            'hexadecimal' => ['["\u12g4"]', 'invalid_json', '/0', 2],
            'zeros' => ['[01]', 'invalid_json', '/0', 2],
            'a lone surrogate' => ['{"a":["\ud83d"]}', 'invalid_text', '/a/0', 6],
            'a lone surrogate in a key' => ['{"\udc00":1}', 'invalid_text', "/\u{FFFD}", 1],
            'overflow' => ['[1e999]', 'invalid_number', '/0', 1],
            'NaN' => ['{"a":NaN}', 'invalid_number', '/a', 5],
            'no UTF-8' => ["[\"é\xFF\"]", 'invalid_json', '', 4],
            'a byte order mark' => ["\u{FEFF}1", 'invalid_json', '', 0],
            'after the value' => ['{} {}', 'invalid_json', '', 3],
            'deep' => [str_repeat('[', 201), 'too_deep', str_repeat('/0', 200), 200],
        ];
    }

    public function testDepthIsBounded(): void
    {
        $text = str_repeat('[', 200) . str_repeat(']', 200);
        self::assertSame($text, Canonical::text(JsonParser::parse($text), 200));
        self::assertSame([[]], JsonParser::parse('[[]]', 2));
        $this->expectExceptionMessage('too_deep');
        JsonParser::parse('[[1]]', 1);
    }

    public function testLengthIsBounded(): void
    {
        self::assertSame([], JsonParser::parse('[]', maxBytes: 2));
        $this->expectExceptionMessage('out_of_range');
        JsonParser::parse('[1]', maxBytes: 2);
    }

    public function testIntegersHaveAtMostAMillionDigits(): void
    {
        $most = str_repeat('9', 1_000_000);
        self::assertEquals(BigInteger::of($most), JsonParser::parse($most));
        $this->expectExceptionMessage('invalid_number');
        JsonParser::parse("{$most}0");
    }

    public function testLongTextsAreParsed(): void
    {
        // Regular expressions give up on some of these if they are not written with care.
        foreach (['"' . str_repeat('\n', 1_500_000) . '"', '["' . str_repeat('a', 5_000_000) . '"]'] as $text) {
            self::assertSame($text, Canonical::text(JsonParser::parse($text)));
        }
    }

    public function testKeysStayTexts(): void
    {
        $value = JsonParser::parse('{"1":{"x":2},"01":3,"-5":4}');
        self::assertInstanceOf(JsonObject::class, $value);
        self::assertSame(['1', '01', '-5'], $value->keys());
        self::assertSame(['x' => 2], iterator_to_array($value['1']));
        self::assertSame('1', (static fn () => $value->getIterator()->key())());
        self::assertTrue(isset($value['-5']) && !$value->has('5'));
    }

    public function testAnObjectCannotChange(): void
    {
        $value = new JsonObject(['a' => 1]);
        $this->expectException(\LogicException::class);
        $value['a'] = 2;
    }
}
