"""What every language prints: a target as functions, statements and expressions.

The model says where each part goes; here that becomes a small imperative program, the same for
all languages. All decisions are made: which functions there are, what each takes, what is tested
in which order, which local holds what. A language's printer spells names, literals and operators,
lays out lines, and decides nothing.

- :mod:`.expressions`, :mod:`.statements`, :mod:`.modules`: the program of a target's renderers;
- :mod:`.reading`: that of its readers;
- :mod:`.runtime`, :mod:`.runtime_reading`, :mod:`.runtime_classes`: what both need of a runtime;
- :mod:`.classes`: the value classes.
"""

from toolresult_generator.languages.lowering.lower import lower_target
from toolresult_generator.languages.lowering.readers import lower_reader

__all__ = ["lower_reader", "lower_target"]
