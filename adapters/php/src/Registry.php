<?php

declare(strict_types=1);

namespace Toolresult;

use Toolresult\Core\Runtime\Reader;
use Toolresult\Core\Runtime\Renderer;
use Toolresult\Core\Targets\Targets;

/**
 * Renderers and readers by target, revision and phase, with the adapters that fill their hooks.
 */
final class Registry
{
    public const FINAL = 'final';

    /** Where the adapters of this package are, by the generated class that each fills. */
    private const OURS = [
        'LegacyEnvelopeReader' => Legacy\EnvelopeReader::class,
        'McpHandshakeReader' => Mcp\HandshakeReader::class,
        'McpStatelessReader' => Mcp\StatelessReader::class,
        'A2a03Reader' => A2a\TaskReader03::class,
        'A2a10Reader' => A2a\TaskReader10::class,
    ];

    /** @var list<class-string> the adapters of others, the last one first */
    private static array $registered = [];

    /** @var array<string, Renderer> */
    private static array $renderers = [];

    /** @var array<string, Reader> */
    private static array $readers = [];

    /**
     * Has these classes fill the hooks that they declare, before any adapter known so far: each
     * derives from a generated `…Reader`, or implements a generated `…Hooks`.
     *
     * Each says in its constant WRITTEN_FOR the digest of the rule that it was written for, which
     * stands in the comment of the hook; one that fills several, an array of them by the names of the
     * methods. If one is refused, none is registered.
     *
     * @throws MissingAdapterError for a class that leaves a hook open, or is no adapter
     * @throws OldAdapterError for one of another rule, or that does not say which
     */
    public static function registerAdapters(string ...$adapters): void
    {
        foreach (array_map(Adapters::checked(...), $adapters) as $adapter) {
            if (!\in_array($adapter, self::$registered, true)) {
                array_unshift(self::$registered, $adapter);
            }
        }
        [self::$renderers, self::$readers] = [[], []];
    }

    /**
     * "mcp-handshake@2025-06-18" as target and revision.
     *
     * @return array{string, string}
     * @throws UnknownTargetError
     */
    public static function split(string $name): array
    {
        [$target, $revision] = [...explode('@', $name, 2), ''];
        self::checkTarget($target);
        if (!\in_array($revision, self::revisions($target), true)) {
            $named = array_map(static fn (string $one): string => "{$target}@{$one}", self::revisions($target));
            $known = implode(', ', $named);
            throw new UnknownTargetError(
                'unknown revision ' . self::shown($revision) . " of {$target}; known are {$known}",
            );
        }
        return [$target, $revision];
    }

    /**
     * @return list<string>
     */
    public static function targets(): array
    {
        return array_values(array_unique(array_column(Targets::RENDERERS, 0)));
    }

    /**
     * The revisions of a target, the oldest first.
     *
     * @return list<string>
     */
    public static function revisions(string $target): array
    {
        return array_values(array_unique(array_column(self::of($target), 1)));
    }

    /**
     * The phases of a revision; none for a target that has none.
     *
     * @return list<string>
     */
    public static function phases(string $target, string $revision): array
    {
        $phases = [];
        foreach (self::of($target) as [, $found, $phase]) {
            if ($found === $revision && $phase !== null) {
                $phases[] = $phase;
            }
        }
        return $phases;
    }

    /**
     * Refuses a phase that no target has.
     *
     * @throws UnknownTargetError
     */
    public static function checkPhase(?string $phase): void
    {
        if ($phase === null) {
            return;
        }
        $known = array_values(array_unique(array_filter(array_column(Targets::RENDERERS, 2))));
        if ($known !== [] && !\in_array($phase, $known, true)) {
            throw self::unknownPhase($phase, '', $known);
        }
    }

    /**
     * The newest known revision that is not after the given one. Revisions are compared as texts,
     * which orders dates and `major.minor` with one digit each.
     *
     * @throws UnknownTargetError for an unknown target, and if all known ones are newer
     */
    public static function newestNotAfter(string $target, string $revision): string
    {
        self::checkTarget($target);
        $known = array_filter(
            self::revisions($target),
            static fn (string $one): bool => strcmp($one, $revision) <= 0,
        );
        if ($known === []) {
            $listed = implode(', ', self::revisions($target));
            $shown = self::shown($revision);
            throw new UnknownTargetError("no revision of {$target} is as old as {$shown}; known are {$listed}");
        }
        usort($known, strcmp(...));
        return end($known);
    }

    /**
     * The renderer of a revision and phase. A target without phases takes any phase, so that one
     * setting serves all targets.
     *
     * @throws UnknownTargetError
     * @throws MissingAdapterError
     */
    public static function renderer(string $target, string $revision, ?string $phase): Renderer
    {
        $key = "{$target}@{$revision} " . ($phase ?? '');
        return self::$renderers[$key] ??= self::makeRenderer($target, $revision, $phase);
    }

    /**
     * As renderer(), for names that may be anything; a target with phases needs one.
     *
     * @throws UnknownTargetError
     * @throws MissingAdapterError
     */
    public static function rendererAsked(string $target, string $revision, ?string $phase): Renderer
    {
        $known = self::$renderers["{$target}@{$revision} {$phase}"] ?? null;
        if ($known !== null) {
            return $known;
        }
        self::split("{$target}@{$revision}");
        $own = self::phases($target, $revision);
        if ($own !== [] && $phase === null) {
            $known = implode(', ', $own);
            throw new UnknownTargetError("name a phase of {$target}; known are {$known}");
        }
        // Without phases of its own, whatever was asked must not fill the memory.
        return self::renderer($target, $revision, $own === [] ? null : $phase);
    }

    /**
     * The reader of a revision.
     *
     * @throws UnknownTargetError
     * @throws MissingAdapterError
     */
    public static function reader(string $target, string $revision): Reader
    {
        $key = "{$target}@{$revision}";
        return self::$readers[$key] ??= self::makeReader($target, $revision);
    }

    private static function checkTarget(string $target): void
    {
        if (!\in_array($target, self::targets(), true)) {
            $known = implode(', ', self::targets());
            throw new UnknownTargetError('unknown target ' . self::shown($target) . "; known are {$known}");
        }
    }

    private static function makeRenderer(string $target, string $revision, ?string $phase): Renderer
    {
        self::split("{$target}@{$revision}");
        $own = self::phases($target, $revision);
        if ($own !== [] && !\in_array($phase, $own, true)) {
            throw self::unknownPhase($phase ?? '', " of {$target}", $own);
        }
        foreach (self::of($target) as [, $found, $ofPhase, $class]) {
            if ($found === $revision && $ofPhase === ($own === [] ? null : $phase)) {
                return self::filled($class);
            }
        }
        throw new \LogicException("there is no renderer of {$target}@{$revision}");
    }

    /**
     * @param class-string<Renderer> $class
     */
    private static function filled(string $class): Renderer
    {
        $parameters = (new \ReflectionClass($class))->getConstructor()?->getParameters() ?? [];
        if ($parameters === []) {
            return new $class();
        }
        $hooks = (string) $parameters[0]->getType();
        foreach (self::$registered as $adapter) {
            if (is_subclass_of($adapter, $hooks)) {
                return new $class(new $adapter());
            }
        }
        throw new MissingAdapterError(
            "{$class} has hooks that no adapter fills; implement {$hooks}, and register the class",
        );
    }

    private static function makeReader(string $target, string $revision): Reader
    {
        self::split("{$target}@{$revision}");
        foreach (Targets::READERS as [$found, $ofRevision, $class]) {
            if ($found !== $target || $ofRevision !== $revision) {
                continue;
            }
            $name = substr((string) strrchr($class, '\\'), 1);
            $candidates = [...self::$registered, self::OURS[$name] ?? $class, $class];
            foreach ($candidates as $candidate) {
                if (is_a($candidate, $class, true) && !(new \ReflectionClass($candidate))->isAbstract()) {
                    return new $candidate();
                }
            }
            throw new MissingAdapterError(
                "{$target}@{$revision} has hooks that no adapter fills; derive a class from {$class}, register it",
            );
        }
        throw new UnknownTargetError("there is no reader of {$target}@{$revision}");
    }

    /**
     * @return list<array{string, string, ?string, class-string<Renderer>}>
     */
    private static function of(string $target): array
    {
        return array_values(array_filter(
            Targets::RENDERERS,
            static fn (array $one): bool => $one[0] === $target,
        ));
    }

    /**
     * @param list<string> $known
     */
    private static function unknownPhase(string $phase, string $of, array $known): UnknownTargetError
    {
        $listed = implode(', ', $known);
        return new UnknownTargetError('unknown phase ' . self::shown($phase) . "{$of}; known are {$listed}");
    }

    private static function shown(string $name): string
    {
        return "'" . mb_strcut(mb_scrub($name, 'UTF-8'), 0, 80, 'UTF-8') . "'";
    }
}
