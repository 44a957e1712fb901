<?php

declare(strict_types=1);

namespace Toolresult\Store;

/**
 * A store did not do what was asked.
 *
 * The code is stable, the value of a StoreErrorCode. The message is safe to send to a client: it
 * names no path, no key, no principal and no text of the database library. The cause, where there
 * is one, is the previous exception, for the log.
 */
final class StoreError extends \RuntimeException
{
    /** The one answer to every pointer that gives nothing, whatever the reason. */
    public const NOT_FOUND_MESSAGE = 'There is no stored result for this link, or it can no longer be read.';

    /** @var string The value of a StoreErrorCode. PHP's own exceptions declare it without a type. */
    public $code;

    public function __construct(StoreErrorCode $code, string $message, ?\Throwable $cause = null)
    {
        parent::__construct($message, 0, $cause);
        $this->code = $code->value;
    }

    /**
     * Whether the store failed, rather than the pointer being no good.
     */
    public function isFault(): bool
    {
        return $this->code !== StoreErrorCode::NotFound->value;
    }

    /**
     * The answer to every bad pointer; made in one place so that none differs.
     */
    public static function notFound(): self
    {
        return new self(StoreErrorCode::NotFound, self::NOT_FOUND_MESSAGE);
    }

    /**
     * A fault of a store, with the message of its code.
     */
    public static function fault(StoreErrorCode $code, ?\Throwable $cause = null, string $more = ''): self
    {
        $message = match ($code) {
            StoreErrorCode::NotFound => self::NOT_FOUND_MESSAGE,
            StoreErrorCode::Unavailable => 'The store cannot be used.',
            StoreErrorCode::Locked => 'The store is busy. Try again.',
            StoreErrorCode::Full => 'The store is full.',
            StoreErrorCode::Damaged => 'The store is damaged.',
            StoreErrorCode::Newer => 'The store was written by a later version of this program.',
            StoreErrorCode::NotAStore => 'What is there is not a store of results.',
            StoreErrorCode::TooLarge => 'The result is larger than the store takes.',
            StoreErrorCode::InvalidKeys => 'The key file cannot be used.',
        };
        return new self($code, $message . $more, $cause);
    }
}
