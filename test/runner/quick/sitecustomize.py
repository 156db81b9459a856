"""Makes tests a third faster. Most of their time is the import of torch, during which the garbage collector runs
repeatedly, and once more when a process ends. No test is about garbage."""

import atexit
import gc

gc.disable()
# Runs last: frozen objects are not examined when the interpreter ends.
atexit.register(gc.freeze)
