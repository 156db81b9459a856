"""Profiles of GPU Lens as data frames, and its recorder as a context manager.

`gpulens.open("train.pt.trace.json.gz").ranges()` is a frame of pandas or polars, `with gpulens.profile() as recording:`
records steps, and after `%load_ext gpulens`, `%%gpulens` records a cell of a notebook.
"""

from gpulens_runner.cell_magic import load_ipython_extension

from .command_line import CommandLineError
from .frames import Frames
from .profile import Profile, open
from .recording import Recording, profile

__all__ = ["CommandLineError", "Frames", "Profile", "Recording", "load_ipython_extension", "open", "profile"]
