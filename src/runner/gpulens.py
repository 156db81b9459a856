"""The IPython extension: after `%load_ext gpulens`, `%%gpulens` records what a cell does."""

from gpulens_runner.cell_magic import load_ipython_extension

__all__ = ["load_ipython_extension"]
