<?php

declare(strict_types=1);

namespace Toolresult;

use Toolresult\Core\Runtime\Reader;
use Toolresult\Core\Targets\Targets;

/**
 * What is asked of an adapter before it is registered.
 *
 * @internal
 */
final class Adapters
{
    private const GENERATED = 'Toolresult\\Core\\Targets\\';
    private const SAYS = 'WRITTEN_FOR';

    /**
     * The class, if it fills every hook that it declares, and says which rules it was written for.
     *
     * @return class-string
     * @throws MissingAdapterError for a class that leaves a hook open, or is no adapter
     * @throws OldAdapterError for one of another rule, or that does not say which
     */
    public static function checked(string $adapter): string
    {
        if (!class_exists($adapter) || (new \ReflectionClass($adapter))->isAbstract()) {
            throw new MissingAdapterError("{$adapter} is no class, or leaves a hook open");
        }
        $rules = [...self::hooksOf($adapter), ...self::ruleOfReader($adapter)];
        if ($rules === []) {
            throw new MissingAdapterError(
                "{$adapter} is no adapter: it derives from no …Reader and implements no …Hooks",
            );
        }
        $said = (new \ReflectionClass($adapter))->getConstant(self::SAYS);
        foreach ($rules as [$declared, $method, $digest]) {
            $found = \is_array($said) ? $said[$method] ?? false : $said;
            if ($found !== $digest) {
                throw self::old($adapter, $found, "{$declared}::{$method}", $digest);
            }
        }
        return $adapter;
    }

    private static function old(string $adapter, mixed $said, string $hook, string $digest): OldAdapterError
    {
        $name = self::SAYS;
        if (!\is_string($said)) {
            return new OldAdapterError(
                "{$adapter} does not say which rule of {$hook} it was written for; "
                    . "read the rule there, then add public const {$name} = '{$digest}' "
                    . '(of several rules, an array by the names of the methods)',
            );
        }
        $shown = mb_strcut(mb_scrub($said, 'UTF-8'), 0, 60, 'UTF-8');
        return new OldAdapterError(
            "{$adapter} was written for '{$shown}', and the rule of {$hook} is at '{$digest}' now; "
                . "compare the two, change what has to change, then set {$name}",
        );
    }

    /**
     * The hooks of output forms: the interface, the method, the digest.
     *
     * @param class-string $adapter
     * @return list<array{string, string, string}>
     */
    private static function hooksOf(string $adapter): array
    {
        $found = [];
        foreach (Targets::HOOKS as $interface => $rules) {
            foreach (is_subclass_of($adapter, $interface) ? $rules : [] as $method => $digest) {
                $found[] = [$interface, $method, $digest];
            }
        }
        return $found;
    }

    /**
     * The hook of the generated reader that a class derives from, in the same form.
     *
     * @param class-string $adapter
     * @return list<array{string, string, string}>
     */
    private static function ruleOfReader(string $adapter): array
    {
        foreach (is_subclass_of($adapter, Reader::class) ? class_parents($adapter) : [] as $parent) {
            if (!str_starts_with($parent, self::GENERATED) || !\defined("{$parent}::RULE_DIGEST")) {
                continue;
            }
            foreach ((new \ReflectionClass($parent))->getMethods(\ReflectionMethod::IS_ABSTRACT) as $method) {
                return [[$parent, $method->getName(), \constant("{$parent}::RULE_DIGEST")]];
            }
        }
        return [];
    }
}
