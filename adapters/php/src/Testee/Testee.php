<?php

declare(strict_types=1);

namespace Toolresult\Testee;

use Toolresult\Core\JsonObject;
use Toolresult\Core\Result;
use Toolresult\Core\ResultError;
use Toolresult\Core\Runtime\Canonical;
use Toolresult\Core\Runtime\JsonParser;
use Toolresult\Core\Runtime\Loss;
use Toolresult\Core\Runtime\Options;
use Toolresult\MissingAdapterError;
use Toolresult\Registry;
use Toolresult\UnknownTargetError;

/**
 * The testee of PHP: answers requests line by line, so that vectors can be proven.
 *
 * Run as `php adapters/php/bin/testee.php`. The protocol is described beside the vectors, in
 * `generated/vectors/README.md`; every language has such a program.
 */
final class Testee
{
    /** Bytes of a request, its line break included. */
    private const MAX_LINE = 64 * 1024 * 1024;

    private const FLAGS = ['wrap_output', 'structured_errors'];
    private const TEXTS = ['artifact_id', 'message_id'];

    /** What each kind of request has beside `id`, `do` and `text` or `base64`. */
    private const MEMBERS = [
        'render' => ['target', 'revision', 'phase', 'options'],
        'read' => ['target', 'revision'],
        'check' => [],
    ];

    /**
     * Answers every line of the input, in its order, until it ends.
     *
     * @param resource $input
     * @param resource $output
     * @return int the exit code, always 0
     */
    public static function main($input, $output): int
    {
        while (true) {
            $line = fgets($input, self::MAX_LINE + 1);
            if ($line === false) {
                return 0;
            }
            if (\strlen($line) === self::MAX_LINE && !str_ends_with($line, "\n")) {
                self::skip($input);
                $answer = self::refused(null, 'a line has at most ' . self::MAX_LINE . ' bytes');
            } else {
                $answer = self::answerLine($line);
            }
            fwrite($output, self::lineOf($answer));
            fflush($output);
        }
    }

    /**
     * The answer to one line. Raises nothing, whatever the line holds.
     *
     * @return array<string, mixed>
     */
    public static function answerLine(string $line): array
    {
        $request = Request::parse($line);
        if ($request === null) {
            return self::refused(null, 'the line is no JSON in UTF-8');
        }
        if (!$request instanceof JsonObject) {
            return self::refused(null, 'a request is an object');
        }
        $given = $request->get('id');
        $name = \is_string($given) ? $given : null;
        try {
            return ['id' => $name, ...self::answer($request)];
        } catch (BadRequestError $error) {
            return self::refused($name, $error->getMessage());
        } catch (MissingAdapterError $error) {
            return ['id' => $name, 'skipped' => 'an adapter is missing: ' . $error->getMessage()];
        } catch (ResultError $error) {
            return ['id' => $name, 'error' => ['code' => $error->code, 'pointer' => $error->pointer]];
        } catch (\Throwable $error) {
            // A fault of ours: said as one, so that whoever drives us sees which request it was.
            $text = get_debug_type($error) . ': ' . $error->getMessage();
            return ['id' => $name, 'fault' => substr($text, 0, 500)];
        }
    }

    /**
     * @return array<string, mixed>
     */
    private static function refused(?string $name, string $message): array
    {
        return ['id' => $name, 'bad_request' => $message];
    }

    /**
     * @param array<string, mixed> $answer
     */
    private static function lineOf(array $answer): string
    {
        $flags = Canonical::FLAGS | JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR;
        $id = isset($answer['id']) ? Request::quote($answer['id']) : 'null';
        unset($answer['id']);
        return '{"id":' . $id . ',' . substr(json_encode($answer, $flags), 1) . "\n";
    }

    /**
     * @return array<string, mixed>
     */
    private static function answer(JsonObject $request): array
    {
        if (!\is_string($request->get('id'))) {
            throw new BadRequestError('id has to be a text');
        }
        $action = $request->get('do');
        if (!\is_string($action) || !isset(self::MEMBERS[$action])) {
            throw new BadRequestError('do is one of ' . implode(', ', array_keys(self::MEMBERS)));
        }
        $known = [...self::MEMBERS[$action], 'id', 'do', 'text', 'base64'];
        $unknown = array_diff($request->keys(), $known);
        if ($unknown !== []) {
            throw new BadRequestError('unknown member ' . substr(min($unknown), 0, 80));
        }
        $given = self::given($request);
        return match ($action) {
            'render' => self::render($request, $given),
            'read' => self::read($request, $given),
            'check' => ['output' => self::result($request, $given)->toJson()],
        };
    }

    private static function given(JsonObject $request): string
    {
        if ($request->has('text') === $request->has('base64')) {
            throw new BadRequestError('a request has either text or base64');
        }
        $given = $request->get('text') ?? $request->get('base64');
        if (!\is_string($given)) {
            throw new BadRequestError('text and base64 are texts');
        }
        if ($request->has('text')) {
            return $given;
        }
        $bytes = base64_decode($given, true);
        if ($bytes === false || base64_encode($bytes) !== $given) {
            throw new BadRequestError('base64 is no base64');
        }
        return $bytes;
    }

    /**
     * The result of a serialized form. A text may hold lone surrogates; bytes are bytes.
     */
    private static function result(JsonObject $request, string $given): Result
    {
        return $request->has('text')
            ? Result::fromValue(JsonParser::parseWithSurrogates($given))
            : Result::fromJson($given);
    }

    /**
     * @return array{output: string, losses: list<array<string, string>>}
     */
    private static function render(JsonObject $request, string $text): array
    {
        $phase = $request->get('phase');
        if ($phase !== null && !\is_string($phase)) {
            throw new BadRequestError('phase is a text');
        }
        [$target, $revision] = self::target($request);
        $renderer = self::known(static fn () => Registry::rendererAsked($target, $revision, $phase));
        $rendering = $renderer->render(self::result($request, $text), self::options($request));
        $losses = array_map(static fn (Loss $loss): array => $loss->toValue(), $rendering->losses);
        return ['output' => $rendering->bytes, 'losses' => $losses];
    }

    /**
     * @return array{output: string}
     */
    private static function read(JsonObject $request, string $text): array
    {
        [$target, $revision] = self::target($request);
        $reader = self::known(static fn () => Registry::reader($target, $revision));
        if (!$request->has('text')) {
            return ['output' => $reader->read($text)->toJson()];
        }
        $wire = $reader::IS_TEXT ? $text : JsonParser::parseWithSurrogates($text);
        return ['output' => $reader->readWire($wire)->toJson()];
    }

    private static function known(callable $find): mixed
    {
        try {
            return $find();
        } catch (UnknownTargetError $error) {
            throw new BadRequestError($error->getMessage());
        }
    }

    /**
     * @return array{string, string}
     */
    private static function target(JsonObject $request): array
    {
        $target = $request->get('target');
        $revision = $request->get('revision');
        if (!\is_string($target) || !\is_string($revision)) {
            throw new BadRequestError('target and revision are texts');
        }
        return [$target, $revision];
    }

    private static function options(JsonObject $request): Options
    {
        $given = $request->get('options', new JsonObject());
        if (!$given instanceof JsonObject) {
            throw new BadRequestError('options is an object');
        }
        $named = [];
        foreach ($given as $name => $value) {
            $isFlag = \in_array($name, self::FLAGS, true);
            if (!$isFlag && !\in_array($name, self::TEXTS, true)) {
                throw new BadRequestError('unknown option ' . substr($name, 0, 80));
            }
            if ($isFlag ? !\is_bool($value) : !\is_string($value)) {
                throw new BadRequestError("the option {$name} is a " . ($isFlag ? 'boolean' : 'text'));
            }
            $named[lcfirst(strtr(ucwords($name, '_'), ['_' => '']))] = $value;
        }
        return new Options(...$named);
    }

    /**
     * Reads on to the end of a line that is too long.
     *
     * @param resource $input
     */
    private static function skip($input): void
    {
        do {
            $more = fgets($input, self::MAX_LINE);
        } while ($more !== false && !str_ends_with($more, "\n"));
    }
}
