<?php

declare(strict_types=1);

namespace Toolresult\Tests;

use PHPUnit\Framework\TestCase;
use Toolresult\Core\Absent;
use Toolresult\Core\Audience;
use Toolresult\Core\EmbeddedPart;
use Toolresult\Core\ErrorCode;
use Toolresult\Core\Foreign;
use Toolresult\Core\ImagePart;
use Toolresult\Core\Json;
use Toolresult\Core\JsonObject;
use Toolresult\Core\LinkPart;
use Toolresult\Core\Metadata;
use Toolresult\Core\Pagination;
use Toolresult\Core\Plain;
use Toolresult\Core\Result;
use Toolresult\Core\ResultError;
use Toolresult\Core\StoredResult;
use Toolresult\Core\TextPart;
use Toolresult\OutputSchema;
use Toolresult\Wire;

/**
 * The value classes, by their constructors.
 */
final class ResultTest extends TestCase
{
    public function testNullIsAValueAndAbsentIsNone(): void
    {
        self::assertSame('{"data":null,"format_version":1}', Result::success(null)->toJson());
        self::assertSame('{"format_version":1}', Result::success()->toJson());
        self::assertSame(Absent::Value, Result::success()->data);
        $metadata = new Metadata(query: null);
        self::assertSame('{"query":null}', $metadata->toJson());
        self::assertSame(Absent::Value, (new Metadata())->query);
    }

    public function testAResultIsWhatItsFormSays(): void
    {
        $result = Result::failure(
            ErrorCode::NotFound,
            'There is no product 17.',
            ['id' => 17, 'more' => new JsonObject()],
            content: [new TextPart('a', audience: [Audience::User], priority: 0.5), new LinkPart('file:///b')],
            stored: [new StoredResult('x:1', 5, 'text/plain')],
            metadata: new Metadata(
                pagination: new Pagination(total: 3),
                extensions: ['com.example/b' => 1, 'com.example/a' => [null]],
                foreign: new Foreign(mcp: ['1' => 2, '0' => []]),
            ),
        );
        $text = '{"content":[{"audience":["user"],"kind":"text","priority":0.5,"text":"a"},'
            . '{"kind":"link","uri":"file:///b"}],'
            . '"error":{"code":"not_found","details":{"id":17,"more":{}},"message":"There is no product 17."},'
            . '"format_version":1,"metadata":{"extensions":{"com.example/a":[null],"com.example/b":1},'
            . '"foreign":{"mcp":{"0":[],"1":2}},"pagination":{"total":3}},'
            . '"stored":[{"mime_type":"text/plain","size":5,"uri":"x:1"}]}';
        self::assertSame($text, $result->toJson());
        self::assertTrue($result->equals(Result::fromJson($text)));
        self::assertTrue($result->equals(Result::fromValue($result->toValue())));
        self::assertSame(['0', '1'], $result->metadata?->foreign?->mcp->keys());
        self::assertFalse($result->equals(Result::success()));
    }

    public function testEmptyIsAbsent(): void
    {
        $result = Result::success(1, metadata: new Metadata(pagination: new Pagination()));
        self::assertNull($result->metadata);
        self::assertTrue((new Metadata(foreign: new Foreign()))->isEmpty());
    }

    public function testReplacingChecksAnew(): void
    {
        $part = new TextPart('a', priority: 1);
        self::assertSame('{"kind":"text","text":"b"}', $part->replace(text: 'b', priority: null)->toJson());
        $this->expectExceptionMessage('/priority: out_of_range');
        $part->replace(priority: 2);
    }

    public function testNothingOfAResultCanChange(): void
    {
        $data = new \stdClass();
        $data->a = 1;
        $result = Result::success($data);
        $data->a = 2;
        self::assertSame('{"a":1}', $result->data->canonical);
        $this->expectException(\Error::class);
        $result->summary = 'x';
    }

    public function testBytesAreHeldAsBase64(): void
    {
        $part = ImagePart::fromBytes("\x89PNG", mimeType: 'image/png');
        self::assertSame('iVBORw==', $part->data);
        self::assertSame("\x89PNG", $part->toBytes());
        $this->expectException(\LogicException::class);
        (new EmbeddedPart('a', text: 'b'))->toBytes();
    }

    public function testTheDigestIsThatOfTheFormWithoutItsTime(): void
    {
        $made = Result::success(1, metadata: new Metadata(dryRun: true, generatedAt: '2026-07-28T10:00:00Z'));
        $again = $made->replace(metadata: $made->metadata?->replace(generatedAt: '2027-01-01T00:00:00Z'));
        self::assertSame($made->digest(), $again->digest());
        $without = Result::success(1, metadata: new Metadata(dryRun: true));
        self::assertSame(hash('sha256', $without->toJson()), $made->digest());
    }

    /**
     * @dataProvider refused
     */
    public function testConstructorsRefuse(\Closure $make, string $code, string $pointer): void
    {
        try {
            $make();
            self::fail('it is taken');
        } catch (ResultError $error) {
            self::assertSame([$code, $pointer], [$error->code, $error->pointer]);
            self::assertSame($code, $error->getCode());
            self::assertStringStartsWith(($pointer ?: '(result)') . ": {$code}: ", $error->getMessage());
        }
    }

    /**
     * @return array<string, array{\Closure, string, string}>
     */
    public static function refused(): array
    {
        $error = Result::failure('tool_error', 'm')->error;
        $both = ['com.example/a' => 1];
        return [
            'an unknown code' => [fn () => Result::failure('x', 'm'), 'unknown_code', '/error/code'],
            'an empty message' => [fn () => Result::failure('tool_error', ''), 'out_of_range', '/error/message'],
            'details' => [fn () => Result::failure('tool_error', 'm', [1]), 'wrong_type', '/error/details'],
            'data and error' => [fn () => new Result(data: 1, error: $error), 'contradiction', '/error'],
            'text' => [fn () => Result::text("\xFF"), 'invalid_text', '/content/0/text'],
            'a part' => [fn () => Result::success(content: [new TextPart('a'), 1]), 'wrong_type', '/content/1'],
            'a kind' => [fn () => Result::success(content: [['kind' => 'x']]), 'unknown_kind', '/content/0/kind'],
            'another kind' => [fn () => TextPart::fromValue(['kind' => 'link', 'text' => '']), 'unknown_kind', '/kind'],
            'base64' => [fn () => new ImagePart('A', 'image/png'), 'invalid_base64', '/data'],
            'a time' => [fn () => new Metadata(expiresAt: '2026-02-30T00:00:00Z'), 'invalid_timestamp', '/expires_at'],
            'a key' => [fn () => new Metadata(extensions: ['plain' => 1]), 'invalid_key', '/extensions/plain'],
            'a key twice' => [
                fn () => new Metadata(extensions: $both, presentation: $both),
                'invalid_key',
                '/presentation/com.example~1a',
            ],
            'one of two' => [fn () => new EmbeddedPart('a'), 'contradiction', ''],
            'a choice' => [fn () => new TextPart('a', audience: ['all']), 'out_of_range', '/audience/0'],
            'a size' => [fn () => new StoredResult('a', -1, 'b/c'), 'out_of_range', '/size'],
            'data' => [fn () => Result::success(['a' => [NAN]]), 'invalid_number', '/data/a/0'],
        ];
    }

    public function testAVersionThatIsNotKnownIsNamedUnlessItIsLong(): void
    {
        $versions = ['99', '-3', '2.0', '999999999', '1000000000', '-1000000000', str_repeat('9', 5_000)];
        $named = ['99', '-3', '2', '999999999', 'that', 'that', 'that'];
        foreach ($versions as $index => $version) {
            try {
                Result::fromJson("{\"format_version\":{$version}}");
                self::fail('it is taken');
            } catch (ResultError $error) {
                self::assertSame(
                    "/format_version: unknown_version: format version {$named[$index]} is not known; known are 1",
                    $error->getMessage(),
                );
            }
        }
    }

    /**
     * A class derived from stdClass may have members that are not for others.
     */
    public function testOnlyAStdClassItselfIsAnObject(): void
    {
        $user = new class extends \stdClass {
            public string $name = 'Ann';
            protected string $token = 's3cret';
            private string $password = 's3cret';

            public function password(): string
            {
                return $this->password;
            }
        };
        $given = [
            [static fn () => Result::success(['user' => $user]), 'invalid_value', '/data/user'],
            [static fn () => Result::failure('not_found', 'a', $user), 'invalid_value', '/error/details'],
            [static fn () => new Metadata(extensions: $user), 'wrong_type', '/extensions'],
            [static fn () => new Metadata(extensions: ['a.b/c' => $user]), 'invalid_value', '/extensions/a.b~1c'],
            [static fn () => Result::fromValue($user), 'wrong_type', ''],
            [static fn () => Plain::toPlain(['user' => $user]), 'invalid_value', '/user'],
            [static fn () => Wire::render($user, 'a2a@1.0'), 'wrong_type', ''],
            [static fn () => Json::of([$user]), 'invalid_value', '/0'],
        ];
        foreach ($given as [$call, $code, $pointer]) {
            try {
                $call();
                self::fail("nothing is raised at {$pointer}");
            } catch (ResultError $error) {
                self::assertSame([$code, $pointer], [$error->code, $error->pointer]);
                self::assertStringNotContainsString('s3cret', $error->getMessage());
                self::assertStringNotContainsString(__DIR__, $error->getMessage());
            }
        }
        self::assertNull(OutputSchema::advertised($user, 'mcp-stateless', '2026-07-28'));
    }

    public function testObjectsAreConvertedOnRequest(): void
    {
        $given = [
            'when' => new \DateTimeImmutable('2026-07-28T10:00:00Z'),
            'there' => new \DateTimeImmutable('2026-07-28T10:00:00.5+02:00'),
            'then' => new \DateTime('2026-07-28T10:00:00.000005+00:00'),
            'code' => ErrorCode::NotFound,
            'json' => Json::of(['a' => 1]),
            'part' => new TextPart('a'),
            'rows' => new \ArrayIterator([1, new \ArrayIterator(['k' => 2])]),
            'none' => new \stdClass(),
        ];
        self::assertSame(
            '{"code":"not_found","json":{"a":1},"none":{},"part":{"kind":"text","text":"a"},"rows":[1,{"k":2}],'
            . '"then":"2026-07-28T10:00:00.000005Z",'
            . '"there":"2026-07-28T10:00:00.500+02:00","when":"2026-07-28T10:00:00Z"}',
            Json::of(Plain::toPlain($given))->canonical,
        );
        $own = new class extends \stdClass implements \JsonSerializable {
            public string $secret = 's3cret';

            public function jsonSerialize(): array
            {
                return ['name' => 'Ann'];
            }
        };
        self::assertSame('{"name":"Ann"}', Json::of(Plain::toPlain($own))->canonical);
        $this->expectExceptionMessage('/a/0: invalid_value');
        Plain::toPlain(['a' => [static fn () => 1]]);
    }
}
