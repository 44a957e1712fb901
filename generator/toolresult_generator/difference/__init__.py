"""Two versions of a spec, compared: what it says, what it renders, and what has to be done.

Data flows one way: `versions` (a folder or git revision to files), `side` (files to a model and
its generated code), then `meaning`, `outputs` and `bindings`, each to plain values, and `report`.
"""
