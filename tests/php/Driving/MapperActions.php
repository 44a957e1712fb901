<?php

declare(strict_types=1);

namespace Toolresult\Tests\Driving;

use Toolresult\Core\JsonObject;
use Toolresult\Core\Plain;
use Toolresult\Core\ResultError;
use Toolresult\Core\Runtime\Loss;
use Toolresult\Given;
use Toolresult\Mapper;
use Toolresult\OnStoreFailure;
use Toolresult\OutputSchema;
use Toolresult\Request;
use Toolresult\SchemaResults;
use Toolresult\Store\StoreError;
use Toolresult\Store\StoreErrorCode;
use Toolresult\UnknownTargetError;

/**
 * What is asked of mappers: "render" with what is given, the mapper's settings and the request,
 * "result" with what is given, "value" with a class and its serialized
 * form, "plain_time" with a moment, "advertise" with a schema.
 */
final class MapperActions implements Actions
{
    public function all(): array
    {
        return [
            'render' => self::render(...),
            'result' => static fn (JsonObject $request): string
                => Given::resultOf(self::given($request))->toJson(),
            'value' => static fn (JsonObject $request): string
                => ('Toolresult\\Core\\' . $request->get('class'))::fromValue($request->get('value'))->toJson(),
            'plain_time' => static fn (JsonObject $request): string
                => Plain::toPlain(new \DateTimeImmutable($request->get('at'))),
            'advertise' => static fn (JsonObject $request): ?JsonObject => OutputSchema::advertised(
                $request->get('schema'),
                $request->get('target'),
                $request->get('revision'),
            ),
        ];
    }

    public function told(\Throwable $error): ?array
    {
        return match (true) {
            $error instanceof ResultError => ['error' => $error->code, 'pointer' => $error->pointer],
            $error instanceof UnknownTargetError => ['error' => 'unknown target'],
            $error instanceof StoreError => ['error' => "store: {$error->code}"],
            // PHP itself refuses much of what no caller should pass, by its types.
            $error instanceof \InvalidArgumentException,
            $error instanceof \TypeError,
            $error instanceof \ValueError => ['error' => 'value'],
            default => null,
        };
    }

    /**
     * @return array<string, mixed>
     */
    private static function render(JsonObject $request): array
    {
        $settings = $request->get('settings');
        $asked = $request->get('request');
        $failure = $asked->get('store') ?? $settings->get('store', 'works');
        $store = new KnownStore($failure === 'works' ? null : StoreErrorCode::from($failure));
        $mapper = new Mapper(...self::fields($settings, $store));
        $found = $mapper->render(self::given($request), new Request(...self::fields($asked, $store)));
        $oversize = $found->oversize;
        return [
            'text' => $found->bytes,
            'size' => $found->size(),
            'losses' => array_map(static fn (Loss $loss): array => $loss->toValue(), $found->losses),
            'oversize' => $oversize === null ? null : get_object_vars($oversize),
            'kept' => $store->kept,
        ];
    }

    /**
     * Names as PHP has them; what is a clock, a store or a choice as such.
     *
     * @return array<string, mixed>
     */
    private static function fields(JsonObject $given, KnownStore $store): array
    {
        $fields = [];
        foreach ($given as $name => $value) {
            $fields[lcfirst(strtr(ucwords($name, '_'), ['_' => '']))] = $value === null ? null : match ($name) {
                'clock' => new \DateTimeImmutable($value),
                'store' => $store,
                'on_store_failure' => OnStoreFailure::from($value),
                'schema_results' => SchemaResults::from($value),
                default => $value,
            };
        }
        return $fields;
    }

    private static function given(JsonObject $request): mixed
    {
        return $request->has('base64')
            ? base64_decode($request->get('base64'))
            : $request->get('text') ?? $request->get('value');
    }
}
