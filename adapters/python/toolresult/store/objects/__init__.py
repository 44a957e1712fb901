"""Stores that keep bytes in a folder or bucket, beside rows (the extra ``toolresult[objects]``).

``place`` is the folder or bucket, ``names`` how objects are called and referred to, ``store`` is
the store. Nothing here is imported before a store of this kind is opened.

docs: docs/shared-stores.md
"""
