"""Profiles an unmodified PyTorch script: Python's standard library and the script's own torch, nothing else."""
