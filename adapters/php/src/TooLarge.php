<?php

declare(strict_types=1);

namespace Toolresult;

use Toolresult\Core\Absent;
use Toolresult\Core\Metadata;
use Toolresult\Core\Part;
use Toolresult\Core\Result;
use Toolresult\Core\Runtime\Loss;
use Toolresult\Core\Runtime\Value;
use Toolresult\Core\StoredResult;
use Toolresult\Store\StoredLink;

/**
 * What becomes of a result that is too large to send.
 */
final class TooLarge
{
    public const NAME = 'result.json';
    public const MIME_TYPE = 'application/json';

    /** Code points of an error's message that are kept when nothing else helps. */
    public const LONGEST_MESSAGE = 2000;

    private const BEHIND_LINK = 'the output was too large; it is in the stored result behind the link';
    private const GONE = 'the output was too large, and this is not stored';

    /** Origins whose foreign values belong to a protocol and not to the stored result. */
    private const ORIGINS = ['mcp', 'a2a'];

    /**
     * The result that goes into a store: without what a model must not read back. That is
     * presentation, and the foreign values of MCP and A2A, of the result and of its parts.
     */
    public static function toStore(Result $result): Result
    {
        $metadata = $result->metadata?->replace(
            presentation: [],
            foreign: $result->metadata->foreign?->replace(mcp: [], a2a: []),
        );
        // A part has foreign values of these two origins only.
        $content = array_map(
            static fn (Part $part): Part => $part->foreign === null ? $part : $part->replace(foreign: null),
            $result->content,
        );
        return $result->replace(metadata: $metadata, content: $content);
    }

    /**
     * The result that is sent in place of one whose output had so many bytes.
     */
    public static function linked(Result $result, StoredLink $link, int $size): Result
    {
        return $result->replace(
            data: Absent::Value,
            error: $result->error?->replace(details: null),
            content: [],
            stored: [self::stored($link)],
            metadata: ($result->metadata ?? new Metadata())->replace(responseSize: $size),
        );
    }

    /**
     * The least that is sent: the link, and of a failure code and message.
     */
    public static function shortened(Result $result, StoredLink $link): Result
    {
        $message = $result->error?->message;
        if ($message !== null && mb_strlen($message, 'UTF-8') > self::LONGEST_MESSAGE) {
            $message = mb_substr($message, 0, self::LONGEST_MESSAGE, 'UTF-8') . '…';
        }
        return new Result(
            error: $result->error?->replace(message: $message, details: null),
            stored: [self::stored($link)],
        );
    }

    /**
     * What reading the output of linked() does not give back of the whole result.
     *
     * @param list<Loss> $ofRendering
     * @return list<Loss>
     */
    public static function lossesOfLinked(Result $result, array $ofRendering): array
    {
        $moved = self::moved($result, ['data', 'content', 'stored']);
        if ($result->metadata?->responseSize !== null) {
            $moved[] = '/metadata/response_size';
        }
        return [
            ...self::withheld($moved, self::BEHIND_LINK),
            ...self::foreignOfParts($result),
            ...self::ofResult($ofRendering),
        ];
    }

    /**
     * What reading the output of shortened() does not give back of the whole result.
     *
     * @param list<Loss> $ofRendering
     * @return list<Loss>
     */
    public static function lossesOfShortened(Result $result, array $ofRendering): array
    {
        $moved = self::moved($result, ['data', 'summary', 'content', 'stored']);
        $cut = [];
        if (mb_strlen($result->error?->message ?? '', 'UTF-8') > self::LONGEST_MESSAGE) {
            $longest = number_format(self::LONGEST_MESSAGE);
            $reason = "cut at {$longest} code points; whole in the stored result";
            $cut[] = new Loss('/error/message', 'text form', $reason);
        }
        $gone = [];
        foreach (self::names($result->metadata) as $name) {
            if ($name === 'presentation') {
                $gone[] = '/metadata/presentation';
            } elseif ($name !== 'foreign') {
                $moved[] = "/metadata/{$name}";
            }
        }
        $origins = self::names($result->metadata?->foreign);
        foreach (array_intersect(self::ORIGINS, $origins) as $origin) {
            $gone[] = "/metadata/foreign/{$origin}";
        }
        foreach (array_diff($origins, self::ORIGINS) as $origin) {
            $moved[] = "/metadata/foreign/{$origin}";
        }
        return [
            ...$cut,
            ...self::withheld($moved, self::BEHIND_LINK),
            ...self::withheld($gone, self::GONE),
            ...self::foreignOfParts($result),
            ...self::ofResult($ofRendering),
        ];
    }

    private static function stored(StoredLink $link): StoredResult
    {
        return new StoredResult(
            uri: $link->uri,
            size: $link->size,
            mimeType: self::MIME_TYPE,
            name: self::NAME,
            expiresAt: $link->expiresAt,
        );
    }

    /**
     * The pointers of those of these fields that the result has, and of an error's details.
     *
     * @param list<string> $names
     * @return list<string>
     */
    private static function moved(Result $result, array $names): array
    {
        $found = [];
        foreach ($names as $name) {
            if (!\in_array($result->{$name}, [Absent::Value, null, []], true)) {
                $found[] = "/{$name}";
            }
        }
        if ($result->error?->details !== null) {
            $found[] = '/error/details';
        }
        return $found;
    }

    /**
     * The names of the fields that a value has, in the order of the spec.
     *
     * @return list<string>
     */
    private static function names(?Value $value): array
    {
        $found = $value?->toValue()->keys() ?? [];
        $declared = array_map(
            static fn (string $name): string => strtolower((string) preg_replace('/[A-Z]/', '_$0', $name)),
            array_keys($value === null ? [] : get_object_vars($value)),
        );
        return [...array_intersect($declared, $found), ...array_diff($found, $declared)];
    }

    /**
     * @param list<string> $paths
     * @return list<Loss>
     */
    private static function withheld(array $paths, string $reason): array
    {
        return array_map(static fn (string $path): Loss => new Loss($path, 'withheld', $reason), $paths);
    }

    /**
     * @return list<Loss>
     */
    private static function foreignOfParts(Result $result): array
    {
        $paths = [];
        foreach ($result->content as $index => $part) {
            if ($part->foreign !== null) {
                $paths[] = "/content/{$index}/foreign";
            }
        }
        return self::withheld($paths, self::GONE);
    }

    /**
     * Those of a renderer's losses that are of the whole result, and not of the link sent instead.
     *
     * @param list<Loss> $losses
     * @return list<Loss>
     */
    private static function ofResult(array $losses): array
    {
        return array_values(array_filter($losses, static fn (Loss $loss): bool
            => !str_starts_with($loss->path, '/stored')
                && !str_starts_with($loss->path, '/metadata/response_size')));
    }
}
