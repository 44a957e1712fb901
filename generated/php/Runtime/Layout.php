<?php

declare(strict_types=1);

namespace Toolresult\Core\Runtime;

/**
 * The roles and markers of content blocks, in the order of writing.
 */
final class Layout
{
    /** @var list<string> */
    public array $roles = [];

    /** @var array<int, string> */
    private array $markers = [];

    /**
     * Notes the block that was just written; an empty marker is none.
     */
    public function add(string $role, string $marker = ''): void
    {
        if ($marker !== '') {
            $this->markers[\count($this->roles)] = $marker;
        }
        $this->roles[] = $role;
    }

    /**
     * The roles as a JSON array.
     */
    public function rolesText(): string
    {
        return '[' . implode(',', array_map(Canonical::quote(...), $this->roles)) . ']';
    }

    /**
     * The markers as a JSON object by block index; empty if there is none.
     */
    public function markersText(): string
    {
        return $this->markers === [] ? '' : Pieces::canonicalObject($this->markers);
    }
}
