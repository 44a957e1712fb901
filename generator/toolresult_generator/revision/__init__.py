"""New revisions of protocols: their schemas, and what they would change."""
