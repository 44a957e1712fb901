<?php

declare(strict_types=1);

namespace Toolresult\Core\Runtime;

use Toolresult\Core\Result;

/**
 * Writes results in the format of one target, revision and phase. Holds no state.
 */
abstract class Renderer
{
    public const TARGET = '';
    public const REVISION = '';
    public const PHASE = null;

    /** The default size limit of the format, in bytes. */
    public const LIMIT = null;
    public const IS_TEXT = false;

    /** How deep a wire value may nest: a user value of depth 100 with everything around it. */
    public const WIRE_DEPTH = 200;

    /**
     * The rendering of a result. Never fails for a result that could be constructed.
     */
    public function render(Result $result, Options $options = new Options()): Rendering
    {
        $out = '';
        $losses = new Losses();
        $this->write($out, $result, $options, $losses);
        return new Rendering($out, $losses->found, static::IS_TEXT);
    }

    /**
     * Appends the output to $out, and what is lost to $losses.
     */
    abstract public function write(string &$out, Result $result, Options $options, Losses $losses): void;
}
