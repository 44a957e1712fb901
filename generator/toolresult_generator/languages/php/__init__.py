"""PHP: value classes, renderers, readers, and the hand-written runtime that they stand on."""
