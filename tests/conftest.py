"""What every test shares.

Because this file is here, pytest puts `tests/` on the import path: any test, in a subfolder too,
may say `from strategies import ...` or `from plain_law import ...`. There is no `__init__.py`, so
the names of test files must differ.
"""

from hypothesis import settings

settings.register_profile("warcli", deadline=None)  # a busy machine is no failure
settings.load_profile("warcli")
