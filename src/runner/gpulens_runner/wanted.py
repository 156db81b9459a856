"""Which steps are wanted, of which ranks."""

from __future__ import annotations

from .config import Config
from .ranks import rank_and_world

_LESSER = ("infer", "forward")
"""Steps that training supersedes."""


def is_wanted(what: str, config: Config, trained: int) -> bool:
    """Tells whether a recording that was asked for is one of such steps; behind training inference is not meant."""
    if config.step == "infer":
        return what != "train"
    return not (config.step in ("auto", "train") and what in _LESSER and trained > 0)


def may_be_superseded(what: str, config: Config) -> bool:
    """Tells whether training would be recorded besides such steps: nsys has ended with its first range, and what
    several profilers measure in turn is the same."""
    return what in _LESSER and config.step == "auto" and config.capture is None and not config.times


def is_wanted_rank(config: Config) -> bool:
    """Tells whether this process is of a rank that is to be recorded."""
    return config.ranks is None or (rank_and_world()[0] or 0) in config.ranks
