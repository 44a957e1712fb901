<?php

declare(strict_types=1);

namespace Toolresult\Store;

/**
 * What a purge deletes: records that expire, or were stored, at a moment or before.
 */
final readonly class Cutoff
{
    public const EXPIRY = 'expires_at';
    public const AGE = 'stored_at';

    /**
     * @param self::EXPIRY|self::AGE $column
     * @param int $moment seconds since 1970
     */
    private function __construct(public string $column, public int $moment)
    {
    }

    /**
     * What Store::purge is to delete.
     *
     * @throws \InvalidArgumentException for a negative age
     */
    public static function of(\DateTimeInterface $now, int|float|null $olderThan): self
    {
        if ($olderThan === null) {
            return new self(self::EXPIRY, $now->getTimestamp());
        }
        if (!($olderThan >= 0)) {
            throw new \InvalidArgumentException('olderThan: expected a duration that is not negative');
        }
        $age = (int) floor(min($olderThan, Times::LAST_SECOND));
        return new self(self::AGE, $now->getTimestamp() - $age);
    }

    public function covers(Record $record): bool
    {
        $value = $this->column === self::EXPIRY ? $record->expiresAt : $record->storedAt;
        return $value <= $this->moment;
    }
}
