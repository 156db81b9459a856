"""Decides which steps of which ranks are recorded."""

from __future__ import annotations

from .config import Config
from .ranks import rank_and_world

_LESSER = ("infer", "forward")
"""Steps that training supersedes."""


def is_wanted(what: str, config: Config, trained: int) -> bool:
    """Returns whether steps of a kind were requested; after training has begun, inference does not count."""
    if what == "range" or config.step_range is not None:
        return what == "range" and config.step_range is not None
    if config.step == "infer":
        return what != "train"
    return not (config.counts_training and what in _LESSER and trained > 0)


def may_be_superseded(what: str, config: Config) -> bool:
    """Returns whether training would be recorded after such steps: not under nsys, which ends with its first range, nor
    when several profilers must measure the same steps."""
    return what in _LESSER and config.step == "auto" and config.capture is None and not config.times


def is_wanted_rank(config: Config) -> bool:
    """Returns whether this process's rank is to be recorded."""
    return config.ranks is None or (rank_and_world()[0] or 0) in config.ranks
