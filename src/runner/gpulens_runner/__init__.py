"""Profiles an unmodified PyTorch script, with only Python's standard library and the script's own torch."""
