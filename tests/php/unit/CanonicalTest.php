<?php

declare(strict_types=1);

namespace Toolresult\Tests;

use PHPUnit\Framework\TestCase;
use Toolresult\Core\BigInteger;
use Toolresult\Core\Json;
use Toolresult\Core\JsonObject;
use Toolresult\Core\ResultError;
use Toolresult\Core\Runtime\Canonical;
use Toolresult\Core\Runtime\SlowWriter;

/**
 * Canonical JSON: what is written for a value, and what is refused where.
 */
final class CanonicalTest extends TestCase
{
    /**
     * @dataProvider written
     */
    public function testAValueHasOneText(mixed $value, string $text): void
    {
        self::assertSame($text, Json::of($value)->canonical);
        self::assertSame($text, (new SlowWriter(100))->write($value));
        self::assertSame($text, Json::parse($text)->canonical);
    }

    /**
     * @dataProvider written
     */
    public function testSettingsOfPhpChangeNothing(mixed $value, string $text): void
    {
        $before = [ini_get('serialize_precision'), ini_get('precision')];
        try {
            ini_set('serialize_precision', '17');
            ini_set('precision', '3');
            self::assertSame($text, Json::of($value)->canonical);
            self::assertSame('17', ini_get('serialize_precision'));
        } finally {
            ini_set('serialize_precision', (string) $before[0]);
            ini_set('precision', (string) $before[1]);
        }
    }

    /**
     * @return array<string, array{mixed, string}>
     */
    public static function written(): array
    {
        return [
            'null' => [null, 'null'],
            'empty list' => [[], '[]'],
            'empty object' => [new JsonObject(), '{}'],
            'empty objects within' => [['a' => new JsonObject(), 'b' => (object) []], '{"a":{},"b":{}}'],
            'order' => [['b' => 1, 'a' => [2, ['d' => 1, 'c' => 2]]], '{"a":[2,{"c":2,"d":1}],"b":1}'],
            'rows of one shape' => [
                [['b' => 1, 'a' => 2], ['b' => 3, 'a' => 4], ['a' => 5, 'b' => 6]],
                '[{"a":2,"b":1},{"a":4,"b":3},{"a":5,"b":6}]',
            ],
            'keys of digits' => [new JsonObject(['0' => 'a', '1' => 'b']), '{"0":"a","1":"b"}'],
            'keys of digits within' => [[new JsonObject(['0' => 'a'])], '[{"0":"a"}]'],
            'keys of digits as texts' => [
                new JsonObject(array_combine(range(0, 11), range(0, 11))),
                '{"0":0,"1":1,"10":10,"11":11,"2":2,"3":3,"4":4,"5":5,"6":6,"7":7,"8":8,"9":9}',
            ],
            'keys that become a list when sorted' => [[1 => 'b', 0 => 'a'], '{"0":"a","1":"b"}'],
            'a key of nothing' => [['' => 1], '{"":1}'],
            'a key that starts with NUL' => [["\0a" => new JsonObject()], '{"\u0000a":{}}'],
            'a key of JavaScript' => [['__proto__' => 1], '{"__proto__":1}'],
            'keys by UTF-16' => [
                ["\u{E000}" => 1, "\u{1F600}" => 2, 'a' => 3, "\u{FFFF}" => 4],
                "{\"a\":3,\"\u{1F600}\":2,\"\u{E000}\":1,\"\u{FFFF}\":4}",
            ],
            'keys by UTF-16 below' => [
                [[["\u{FB01}" => 1, "\u{1F600}" => 2]]],
                "[[{\"\u{1F600}\":2,\"\u{FB01}\":1}]]",
            ],
            'escapes' => [
                "\"\\/\x08\f\n\r\t\x00\x1F\x7F\u{2028}é",
                "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\x7F\u{2028}é\"",
            ],
            'integers' => [[0, -1, PHP_INT_MAX, PHP_INT_MIN], '[0,-1,9223372036854775807,-9223372036854775808]'],
            'large integers' => [
                [BigInteger::of('9223372036854775808'), BigInteger::of('-' . str_repeat('9', 40))],
                '[9223372036854775808,-' . str_repeat('9', 40) . ']',
            ],
            'integral floats' => [
                [1.0, -0.0, 1e15, 1e20, -1e20],
                '[1,0,1000000000000000,100000000000000000000,-100000000000000000000]',
            ],
            'floats' => [
                [1e21, 1e-6, 1e-7, 0.1, 1.5e300, 5e-324, 123456.789, -1.25, 0.00001, 1.7976931348623157e308],
                '[1e+21,0.000001,1e-7,0.1,1.5e+300,5e-324,123456.789,-1.25,0.00001,1.7976931348623157e+308]',
            ],
            'digits' => [
                [333333333.33333329, 4.5, 2e-3, 0.000000000000000000000000001, 5.684341886080802e-14],
                '[333333333.3333333,4.5,0.002,1e-27,5.684341886080802e-14]',
            ],
        ];
    }

    /**
     * @dataProvider refused
     */
    public function testWhatIsNoJsonIsRefusedWhereItStands(mixed $value, string $code, string $pointer): void
    {
        try {
            Json::of($value);
            self::fail('it is taken');
        } catch (ResultError $error) {
            self::assertSame([$code, $pointer], [$error->code, $error->pointer]);
        }
    }

    /**
     * @return array<string, array{mixed, string, string}>
     */
    public static function refused(): array
    {
        $deep = 1;
        for ($level = 0; $level < 101; $level++) {
            $deep = [$deep];
        }
        return [
            'NaN' => [['b' => 1, 'a' => [0, NAN]], 'invalid_number', '/a/1'],
            'infinite' => [-INF, 'invalid_number', ''],
            'no UTF-8' => [['a/b' => "\xFF"], 'invalid_text', '/a~1b'],
            'an encoded surrogate' => [["\xED\xA0\x80"], 'invalid_text', '/0'],
            'a key that is no UTF-8' => [["\xED\xA0\x80" => 1], 'invalid_text', "/\u{FFFD}"],
            'an object' => [['a' => new \DateTimeImmutable()], 'invalid_value', '/a'],
            'a closure' => [[static fn () => 1], 'invalid_value', '/0'],
            'the first in order' => [['b' => NAN, 'a' => INF], 'invalid_number', '/a'],
            'deep' => [$deep, 'too_deep', str_repeat('/0', 100)],
        ];
    }

    public function testAValueWithinItselfIsTooDeep(): void
    {
        $value = new \stdClass();
        $value->a = [$value];
        $this->expectExceptionMessage('too_deep');
        Json::of($value);
    }

    public function testDepthIsThatOfTheText(): void
    {
        foreach ([1, [], [[]], ['a' => [new JsonObject()]], [1, [2, [3]], 4], ['x' => '[[[{"']] as $value) {
            $json = Json::of($value);
            self::assertSame($json->depth(), Json::ofCanonical($json->canonical)->depth());
        }
        self::assertSame(3, Json::of(['a' => [new JsonObject()]])->depth());
        self::assertSame(0, Json::of('[]')->depth());
    }

    public function testIntegersBeyondDoublesAreKnown(): void
    {
        self::assertTrue(Json::of([2 ** 53, '99999999999999999999', 1e300])->exactInDouble());
        self::assertFalse(Json::of([['a' => 2 ** 53 + 1]])->exactInDouble());
        self::assertFalse(Json::of(BigInteger::of('-' . str_repeat('9', 30)))->exactInDouble());
    }

    public function testTextIsEscapedAsInsideOfAString(): void
    {
        $text = Json::of(["\"\\\n\u{2028}" => 'é'])->canonical;
        self::assertSame(json_encode($text, Canonical::FLAGS), '"' . Json::ofCanonical($text)->escaped() . '"');
    }

    public function testEqualValuesAreEqual(): void
    {
        self::assertTrue(Json::of(['b' => 1.0, 'a' => 2])->equals(['a' => 2, 'b' => 1]));
        self::assertFalse(Json::of(true)->equals(1));
        self::assertFalse(Json::of(null)->equals(NAN));
    }

    public function testALargeIntegerHasOneForm(): void
    {
        self::assertSame(12, BigInteger::of('0012'));
        self::assertSame(PHP_INT_MIN, BigInteger::of('-9223372036854775808'));
        self::assertSame('9223372036854775808', (string) BigInteger::of('9223372036854775808'));
        $this->expectExceptionMessage('invalid_number');
        BigInteger::of('1e3');
    }
}
