"""The store for more than one machine, in PostgreSQL (the extra ``toolresult[postgresql]``).

``engine`` connects, ``answers`` bounds the waits for the server, ``layout`` makes the tables,
``faults`` names what goes wrong, ``store`` is the store. Nothing here is imported before a store
of this kind is opened.

docs: docs/shared-stores.md
"""
