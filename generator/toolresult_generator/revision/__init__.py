"""Tries a protocol revision before anyone adopts it: what changed, what breaks, what to write.

The stages run in this order, and data flows one way::

    fetch     a protocol's own schema, taken and pinned (a command of its own)
    source    an untrusted file to a schema document
    dialect   the document to one dialect, JSON Schema 2020-12
    graph     the document to shapes: what a value may be, references followed
    compare   two graphs to changes
    trial     the results that can be produced, rendered and held against the new schema
    meaning   changes and trial to what they mean for the spec
    propose   the entry and the strict wire schema to write
    report    all of it, as text, JSON or a page
"""
