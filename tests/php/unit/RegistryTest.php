<?php

declare(strict_types=1);

namespace Toolresult\Tests;

use PHPUnit\Framework\TestCase;
use Toolresult\Core\Result;
use Toolresult\Core\ResultError;
use Toolresult\Core\Targets\LegacyEnvelopeReader;
use Toolresult\Core\Targets\Targets;
use Toolresult\Legacy\EnvelopeReader;
use Toolresult\Legacy\Legacy;
use Toolresult\MissingAdapterError;
use Toolresult\OldAdapterError;
use Toolresult\Registry;
use Toolresult\UnknownTargetError;
use Toolresult\Wire;

/**
 * Renderers and readers by name, and the adapters that fill their hooks.
 */
final class RegistryTest extends TestCase
{
    public function testEveryRevisionIsRenderedAndReadAgain(): void
    {
        $result = Result::success(['b' => [1, null], 'a' => '"'], 'two');
        self::assertNotEmpty(Targets::RENDERERS);
        foreach (Targets::RENDERERS as [$target, $revision, $phase]) {
            $rendering = Wire::render($result, "{$target}@{$revision}", $phase);
            self::assertTrue($result->equals(Wire::read($rendering->bytes, "{$target}@{$revision}")));
            self::assertSame(\strlen($rendering->bytes), $rendering->size());
            self::assertSame([], $rendering->losses);
        }
    }

    public function testFieldsOfTheRequestReachTheOutput(): void
    {
        $wire = Wire::render(Result::success(1), 'a2a@1.0', artifactId: 'mine')->wire();
        self::assertSame('mine', $wire['artifacts'][0]['artifactId']);
    }

    public function testALegacyStringIsRead(): void
    {
        self::assertSame('[1,2]', Legacy::read('{"success":true,"data":[1,2]}')->data->canonical);
        self::assertSame('words', Legacy::read('words')->content[0]->text);
        $this->expectException(ResultError::class);
        Legacy::read("\xFF");
    }

    /**
     * @dataProvider unknown
     */
    public function testNamesThatAreNotKnownAreRefused(string $name, ?string $phase, string $message): void
    {
        $this->expectException(UnknownTargetError::class);
        $this->expectExceptionMessage($message);
        Wire::render(Result::success(), $name, $phase);
    }

    /**
     * @return array<string, array{string, ?string, string}>
     */
    public static function unknown(): array
    {
        return [
            'target' => ["mcp\xFF", null, 'known are a2a'],
            'revision' => ['a2a@9', null, 'a2a@1.0'],
            'phase' => ['mcp-handshake@2025-06-18', 'x', 'transitional, final'],
            'no phase' => ['mcp-handshake@2025-06-18', null, 'transitional, final'],
        ];
    }

    public function testTheNewestRevisionThatIsNotAfterOne(): void
    {
        self::assertSame('2025-06-18', Registry::newestNotAfter('mcp-handshake', '2025-11-24'));
        $this->expectException(UnknownTargetError::class);
        Registry::newestNotAfter('mcp-handshake', '2020-01-01');
    }

    public function testEveryReaderWasWrittenForTheRuleAsItIsNow(): void
    {
        self::assertNotEmpty(Targets::READERS);
        foreach (Targets::READERS as [$target, $revision, $generated]) {
            $adapter = Registry::reader($target, $revision)::class;
            $rule = \constant("{$generated}::RULE_DIGEST");
            self::assertMatchesRegularExpression('/\A[0-9a-f]{16}\z/', $rule);
            self::assertTrue(\defined("{$adapter}::WRITTEN_FOR"), "{$adapter} does not say for which rule it is");
            self::assertSame($rule, \constant("{$adapter}::WRITTEN_FOR"), "{$target}@{$revision}");
        }
    }

    public function testAnAdapterOfOthersComesFirst(): void
    {
        $own = new class extends LegacyEnvelopeReader {
            public const WRITTEN_FOR = self::RULE_DIGEST;

            public function readEnvelope(mixed $text): Result
            {
                return Result::success('mine');
            }
        };
        try {
            Registry::registerAdapters($own::class);
            self::assertSame('"mine"', Wire::read('x', 'legacy-envelope@1')->data->canonical);
        } finally {
            $known = new \ReflectionProperty(Registry::class, 'registered');
            $known->setValue(null, []);
            $readers = new \ReflectionProperty(Registry::class, 'readers');
            $readers->setValue(null, []);
        }
        $this->expectException(MissingAdapterError::class);
        Registry::registerAdapters(self::class);
    }

    public function testAnAdapterOfAnotherRuleIsNotRegistered(): void
    {
        $silent = new class extends LegacyEnvelopeReader {
            public function readEnvelope(mixed $text): Result
            {
                return Result::success('mine');
            }
        };
        $old = new class extends LegacyEnvelopeReader {
            public const WRITTEN_FOR = '0000000000000000';

            public function readEnvelope(mixed $text): Result
            {
                return Result::success('mine');
            }
        };
        $rule = LegacyEnvelopeReader::class . '::readEnvelope';
        $messages = [
            "does not say which rule of {$rule}" => $silent::class,
            "was written for '0000000000000000', and the rule of {$rule} is at" => $old::class,
        ];
        foreach ($messages as $message => $adapter) {
            try {
                Registry::registerAdapters(EnvelopeReader::class, $adapter);
                self::fail('nothing is raised');
            } catch (OldAdapterError $error) {
                self::assertStringContainsString($message, $error->getMessage());
                self::assertStringContainsString(LegacyEnvelopeReader::RULE_DIGEST, $error->getMessage());
            }
            self::assertSame([], (new \ReflectionProperty(Registry::class, 'registered'))->getValue());
        }
    }
}
