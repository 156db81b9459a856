"""Takes a third off what tests take, most of which is importing torch: the garbage collector goes through that
again and again, and once more when a process ends. No test is about garbage.
"""

import atexit
import gc

gc.disable()
# Runs last: what is frozen is not gone through when the interpreter ends.
atexit.register(gc.freeze)
