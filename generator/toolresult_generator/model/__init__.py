"""The typed, frozen, language-neutral objects that the stages after `check` work on."""
