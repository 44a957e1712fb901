<?php

declare(strict_types=1);

namespace Toolresult\Tests;

use PHPUnit\Framework\TestCase;
use Toolresult\ByDefault;
use Toolresult\Core\JsonObject;
use Toolresult\Core\Result;
use Toolresult\Core\ResultError;
use Toolresult\Mapper;
use Toolresult\OnStoreFailure;
use Toolresult\Outcome;
use Toolresult\OutputSchema;
use Toolresult\Request;
use Toolresult\Store\MemoryStore;
use Toolresult\Store\StoreError;
use Toolresult\Store\Stores;
use Toolresult\UnknownTargetError;
use Toolresult\Wire;

/**
 * The mapper as PHP has it. That its outputs are Python's is tested against Python.
 */
final class MapperTest extends TestCase
{
    private const JUNE = 'mcp-handshake@2025-06-18';

    public function testOneLineRendersAndReadsBack(): void
    {
        $result = Result::success(['ids' => [1, 2]], '2 products updated');
        $rendering = Wire::render($result, self::JUNE, phase: 'final');
        self::assertEquals(new JsonObject(['ids' => [1, 2]]), $rendering->wire()['structuredContent']);
        self::assertSame([], $rendering->losses);
        self::assertNull($rendering->oversize);
        self::assertNull($rendering->stored());
        self::assertSame(\strlen($rendering->bytes), $rendering->size());
        self::assertTrue($result->equals(Wire::read($rendering->bytes, self::JUNE)));
        self::assertTrue($result->equals(Wire::read($rendering->wire(), self::JUNE)));
        $native = json_decode($rendering->bytes);
        self::assertTrue($result->equals(Wire::read($native, self::JUNE)));
    }

    public function testTheEnvelopeIsAString(): void
    {
        $rendering = Wire::render(Result::success(null), 'legacy-envelope@1');
        self::assertSame('{"success":true,"data":null}', $rendering->wire());
        $this->expectExceptionMessage('expected a string');
        Wire::read(['success' => true], 'legacy-envelope@1');
    }

    /**
     * @dataProvider inputs
     */
    public function testEveryInputIsTheSameResult(mixed $given): void
    {
        $expected = Wire::render(Result::success([0]), 'a2a@1.0')->bytes;
        self::assertSame($expected, (new Mapper())->render($given, 'a2a@1.0')->bytes);
    }

    /**
     * @return list<array{mixed}>
     */
    public function inputs(): array
    {
        return [
            [Result::success([0])],
            [['format_version' => 1, 'data' => [0]]],
            [(object) ['format_version' => 1, 'data' => [0]]],
            [new JsonObject(['format_version' => 1, 'data' => [0]])],
            ['{"format_version":1,"data":[0]}'],
            ['{"success":true,"data":[0]}'],
        ];
    }

    /**
     * @dataProvider noResults
     */
    public function testWhatIsNoResultIsRefused(mixed $given, string $code): void
    {
        try {
            Wire::render($given, 'a2a@1.0');
            self::fail('it is taken');
        } catch (ResultError $error) {
            self::assertSame($code, $error->code);
        }
    }

    /**
     * @return list<array{mixed, string}>
     */
    public function noResults(): array
    {
        return [
            [7, 'wrong_type'],
            [null, 'wrong_type'],
            [['words'], 'wrong_type'],
            [[], 'wrong_type'],
            [new \ArrayObject(), 'wrong_type'],
            [['data' => 1], 'missing_field'],
            ["\xFF", 'invalid_json'],
            ['{"format_version":1,"data":NaN}', 'invalid_number'],
        ];
    }

    public function testWhatIsTooLargeIsStored(): void
    {
        $store = new MemoryStore();
        $asked = 0;
        $clock = static function () use (&$asked): \DateTimeImmutable {
            $asked += 1;
            return new \DateTimeImmutable('2026-07-28T12:00:00+02:00');
        };
        $mapper = new Mapper(phase: 'final', store: $store, clock: $clock, stamp: false, lifetime: 60);
        $large = Result::success(['rows' => range(1, 1_000)], 'many rows');
        $request = new Request(self::JUNE, limit: 1_000, principal: 'anna');
        $sent = $mapper->render($large, $request);
        self::assertSame(1, $asked);
        self::assertSame(Outcome::Stored, $sent->oversize?->outcome);
        self::assertLessThanOrEqual(1_000, $sent->size());
        self::assertSame('2026-07-28T10:01:00Z', $sent->stored()?->expiresAt);
        $now = new \DateTimeImmutable('2026-07-28T10:00:59Z');
        $kept = $store->get($sent->stored()->uri, principal: 'anna', now: $now);
        self::assertTrue($large->equals(Stores::openResult($kept)));
        $shown = Wire::read($sent->bytes, self::JUNE);
        self::assertSame('many rows', $shown->summary);
        self::assertSame($sent->oversize->size, $shown->metadata?->responseSize);
        self::assertSame(Outcome::Shortened, $mapper->render($large, new Request(
            self::JUNE,
            limit: 10,
            principal: 'anna',
        ))->oversize?->outcome);
        self::assertNull($mapper->render($large, new Request(self::JUNE, limit: null))->oversize);
    }

    public function testTheMapperFillsGapsAndTheRequestWins(): void
    {
        $result = Result::success(['a' => 1]);
        $mapper = new Mapper(phase: 'transitional', limit: 5);
        $text = static fn (Request|string $request): string
            => $mapper->render($result, $request)->wire()['content'][0]['text'];
        self::assertStringStartsWith('{"success"', $text(self::JUNE));
        self::assertSame('{"a":1}', $text(new Request(self::JUNE, phase: 'final', limit: null)));
        self::assertNotNull($mapper->render($result, self::JUNE)->oversize);
        self::assertNotNull($mapper->render($result, new Request(self::JUNE, limit: ByDefault::Value))->oversize);
    }

    public function testAClockSetsGeneratedAtWhereTheToolHasNot(): void
    {
        $mapper = new Mapper(phase: 'final', clock: new \DateTime('2026-07-28T14:00:00.999+02:00'));
        $shown = Wire::read($mapper->render(Result::success(1), self::JUNE)->bytes, self::JUNE);
        self::assertSame('2026-07-28T12:00:00Z', $shown->metadata?->generatedAt);
        $unstamped = $mapper->render(Result::success(1), new Request(self::JUNE, stamp: false));
        self::assertTrue(Result::success(1)->equals(Wire::read($unstamped->bytes, self::JUNE)));
        $this->expectExceptionMessage('clock: expected a function that gives a DateTimeInterface');
        (new Mapper(clock: static fn (): int => 7))->render(Result::success(1), 'a2a@1.0');
    }

    public function testAStoreThatFails(): void
    {
        $store = new MemoryStore();
        $store->close();
        $mapper = new Mapper(store: $store, principal: 'anna', clock: new \DateTimeImmutable('@0'), limit: 1);
        $sent = $mapper->render('words', 'a2a@1.0');
        self::assertSame([Outcome::Inline, 'store_unavailable'], [$sent->oversize?->outcome, $sent->oversize?->reason]);
        $this->expectException(StoreError::class);
        $mapper->render('words', new Request('a2a@1.0', onStoreFailure: OnStoreFailure::Fail));
    }

    /**
     * @dataProvider refused
     */
    public function testRequestsThatAreRefused(callable $call, string $class, string $message): void
    {
        $this->expectException($class);
        $this->expectExceptionMessage($message);
        $call();
    }

    /**
     * @return array<string, array{callable, class-string<\Throwable>, string}>
     */
    public function refused(): array
    {
        $one = Result::success(1);
        return [
            'two revisions' => [
                static fn () => new Request(self::JUNE, '2025-11-25'),
                \InvalidArgumentException::class,
                'two revisions',
            ],
            'a limit' => [
                static fn () => Wire::render($one, 'a2a@1.0', limit: -1),
                \InvalidArgumentException::class,
                'limit: expected bytes',
            ],
            'a limit of a request' => [
                static fn () => new Request('a2a@1.0', limit: -1),
                \InvalidArgumentException::class,
                'limit: expected bytes, an integer that is not negative, or null, not -1',
            ],
            'a limit of a mapper' => [
                static fn () => new Mapper(limit: -1),
                \InvalidArgumentException::class,
                'limit: expected bytes',
            ],
            'a lifetime of a request' => [
                static fn () => new Request('a2a@1.0', lifetime: 0),
                \InvalidArgumentException::class,
                'lifetime: expected a positive duration, in seconds',
            ],
            'a lifetime of a mapper' => [
                static fn () => new Mapper(lifetime: -0.5),
                \InvalidArgumentException::class,
                'lifetime: expected a positive duration',
            ],
            'a lifetime that is no number' => [
                static fn () => new Mapper(lifetime: \NAN),
                \InvalidArgumentException::class,
                'lifetime: expected a positive duration',
            ],
            'a store without a clock' => [
                static fn () => Wire::render($one, 'a2a@1.0', store: new MemoryStore()),
                \InvalidArgumentException::class,
                'a store needs a clock',
            ],
            'another phase' => [
                static fn () => Wire::render($one, self::JUNE, phase: 'fin'),
                UnknownTargetError::class,
                "unknown phase 'fin' of mcp-handshake; known are transitional, final",
            ],
            'a phase of no target' => [
                static fn () => new Mapper(phase: 'fin'),
                UnknownTargetError::class,
                "unknown phase 'fin'; known are transitional, final",
            ],
            'an empty phase' => [
                static fn () => new Mapper(phase: ''),
                UnknownTargetError::class,
                "unknown phase ''; known are transitional, final",
            ],
            'no phase' => [
                static fn () => Wire::render($one, self::JUNE),
                UnknownTargetError::class,
                'name a phase of mcp-handshake; known are transitional, final',
            ],
            'none as old' => [
                static fn () => Request::newest('mcp-handshake', '2020-01-01'),
                UnknownTargetError::class,
                '2020-01-01',
            ],
            'none of no target' => [
                static fn () => Request::newest('nope', '2020-01-01'),
                UnknownTargetError::class,
                "unknown target 'nope'; known are a2a, legacy-envelope, mcp-handshake, mcp-stateless",
            ],
            'no field' => [
                static fn () => Wire::render($one, 'a2a@1.0', limits: 7),
                \Error::class,
                'Unknown named parameter $limits',
            ],
        ];
    }

    public function testASchemaThatIsNoneWrapsNothing(): void
    {
        $result = Result::success(['a' => 1]);
        $plain = Wire::render($result, self::JUNE, 'final')->bytes;
        foreach (['x', 1, \NAN, new \DateTimeImmutable()] as $schema) {
            $rendering = Wire::render($result, self::JUNE, 'final', outputSchema: $schema);
            self::assertSame($plain, $rendering->bytes);
        }
        self::assertNotSame($plain, Wire::render($result, self::JUNE, 'final', outputSchema: true)->bytes);
    }

    public function testTheNewestRevisionNotAfter(): void
    {
        $request = Request::newest('mcp-handshake', '2025-09-01', phase: 'final', limit: 7);
        self::assertSame(['2025-06-18', 'final', 7], [$request->revision, $request->phase, $request->limit]);
    }

    public function testASchemaThatIsNoObjectIsWrapped(): void
    {
        $schema = ['type' => 'array', 'items' => ['$ref' => '#/$defs/a'], '$defs' => ['a' => ['type' => 'integer']]];
        $shown = OutputSchema::advertised($schema, 'mcp-handshake', '2025-06-18');
        self::assertSame(
            '{"type":"object","properties":{"result":{"type":"array","items":{"$ref":"#/$defs/a"}}},'
                . '"required":["result"],"$defs":{"a":{"type":"integer"}},"dev.toolresult/wrapped":true}',
            json_encode($shown, JSON_UNESCAPED_SLASHES),
        );
        $sent = Wire::render(Result::success([1]), self::JUNE, phase: 'final', outputSchema: $schema);
        self::assertSame('{"result":[1]}', json_encode($sent->wire()['structuredContent']));
        $object = (object) ['type' => 'object', 'properties' => (object) []];
        self::assertSame(
            '{"type":"object","properties":{}}',
            json_encode(OutputSchema::advertised($object, 'mcp-handshake', '2025-06-18')),
        );
        foreach ([7, 'object', [], ['const' => NAN], ['$schema' => 7], ['title' => "\xFF"]] as $odd) {
            self::assertNull(OutputSchema::advertised($odd, 'mcp-stateless', '2026-07-28'));
        }
        $cycle = new \stdClass();
        $cycle->items = $cycle;
        self::assertNull(OutputSchema::advertised($cycle, 'mcp-handshake', '2025-06-18'));
    }

    public function testNothingShowsThePrincipal(): void
    {
        $fails = static function (): never {
            throw new \RuntimeException('the clock stands still');
        };
        $store = new MemoryStore();
        $mapper = new Mapper(limit: 1, store: $store, principal: 'the principal', clock: $fails, stamp: false);
        $before = ini_set('zend.exception_ignore_args', '0');
        try {
            $mapper->render('words', 'a2a@1.0');
            self::fail('nothing is raised');
        } catch (\RuntimeException $error) {
            self::assertStringNotContainsString('the principal', $error->getTraceAsString());
        } finally {
            ini_set('zend.exception_ignore_args', (string) $before);
        }
    }
}
