"""Records what a process does and how long it takes, while `gpu-lens prove` runs a command at two commits.

It starts with the interpreter, makes no profile, and writes one file when the process ends.
"""
