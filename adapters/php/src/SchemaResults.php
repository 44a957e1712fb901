<?php

declare(strict_types=1);

namespace Toolresult;

/**
 * What becomes of a success too large to send, of a tool with an output schema, on a revision with
 * structured content.
 */
enum SchemaResults: string
{
    /** It is sent whole, since its structured content is owed. */
    case Inline = 'inline';

    /** It is stored, and a link is sent. */
    case Link = 'link';
}
