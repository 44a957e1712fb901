<?php

declare(strict_types=1);

namespace Toolresult\A2a;

use Toolresult\Core\JsonObject;
use Toolresult\Core\Result;
use Toolresult\Core\Runtime\Draft;
use Toolresult\Core\Runtime\Members;
use Toolresult\Core\Targets\A2a03Reader;

/**
 * Reads tasks of revision 0.3.
 */
final class TaskReader03 extends A2a03Reader
{
    public const WRITTEN_FOR = '85d9c615ba40f1aa';

    private const COMPATIBLE = 'data_part_compat';

    public function readTask(mixed $wire): Result
    {
        $spelling = new Spelling(
            'completed',
            ['failed', 'rejected'],
            self::data(...),
            self::typed(...),
            static fn (Members $block, ?string $kind): Draft => self::withMediaType(self::readPart($block, $kind)),
            self::readStoredPart(...),
            self::readMetadata(...),
        );
        return (new TaskReading($wire, $spelling))->result();
    }

    /**
     * @return ?array{mixed}
     */
    private static function data(JsonObject $part, JsonObject $metadata): ?array
    {
        if ($part->get('kind') !== 'data' || !$part->has('data')) {
            return null;
        }
        $value = $part->get('data');
        $wrapped = $value instanceof JsonObject && $value->keys() === ['value'];
        if ($wrapped && $metadata->get(self::COMPATIBLE) === true) {
            return [$value->get('value')];
        }
        return [$value];
    }

    private static function typed(JsonObject $part): JsonObject
    {
        $file = $part->get('file');
        if ($file instanceof JsonObject && $file->has('bytes') && Members::isNothing($file->get('mimeType'))) {
            return TaskReading::with($part, 'file', TaskReading::with($file, 'mimeType', TaskReading::UNTYPED));
        }
        return $part;
    }

    /**
     * A text's media type, which revision 0.3 keeps in metadata, where revision 1.0 has it.
     */
    private static function withMediaType(Draft $draft): Draft
    {
        $foreign = TaskReading::foreign($draft);
        $metadata = $foreign?->get('metadata');
        if ($draft->get('kind') !== 'text' || !$metadata instanceof JsonObject) {
            return $draft;
        }
        $mediaType = $metadata->get('mimeType');
        if (\is_string($mediaType)) {
            $rest = $metadata->members;
            unset($rest['mimeType']);
            $foreign->pop('metadata');
            if ($mediaType !== 'text/plain') {
                $foreign->setDefault('mediaType', $mediaType);
            }
            if ($rest !== []) {
                $foreign->members['metadata'] = new JsonObject($rest);
            }
        }
        return $draft;
    }
}
