"""Calls GPU Lens's command line, which reads the profiles."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
from collections.abc import Sequence
from typing import Any

INSTALL = (
    "install the npm package that `npm run package -- npm` makes in a checkout of GPU Lens, "
    "or set GPU_LENS_CLI to the path of gpu-lens"
)


class CommandLineError(Exception):
    """The command line's message about a profile or question that it cannot answer."""


def ask(words: Sequence[str]) -> Any:
    """Returns the JSON result of a command.

    Raises CommandLineError with the command line's own sentence, or if there is no command line.
    """
    command = [*_program(), *words, "--format", "json", "--quiet"]
    answer = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8")
    if answer.returncode != 0:
        raise CommandLineError(answer.stderr.strip() or f"gpu-lens ended with status {answer.returncode}.")
    return json.loads(answer.stdout)


def option_words(options: dict[str, Any]) -> list[str]:
    """Returns options of the command line: `step=3` as `--step 3`, `all_figures=True` as `--all-figures`.

    A name that is a Python keyword takes an underscore: `from_=0` is `--from 0`. None and False omit an option.
    """
    words: list[str] = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        option = "--" + name.rstrip("_").replace("_", "-")
        # One word, so that a value may begin with a dash.
        words.append(option if value is True else f"{option}={value}")
    return words


def _program() -> list[str]:
    named = os.environ.get("GPU_LENS_CLI")
    if named:
        return _started(pathlib.Path(named))
    beside = pathlib.Path(__file__).parents[3] / "dist" / "cli.cjs"
    if beside.exists():
        return _started(beside)
    found = shutil.which("gpu-lens")
    if found is None:
        raise CommandLineError(f"The command line gpu-lens is not there: {INSTALL}.")
    return _started(pathlib.Path(found))


def _started(program: pathlib.Path) -> list[str]:
    """Returns the words that start a program; for npm's batch files those that start their JavaScript, because cmd
    would interpret arguments."""
    if program.suffix.lower() in (".cmd", ".ps1"):
        program = program.parent / "node_modules" / "gpu-lens" / "dist" / "cli.cjs"
    if program.suffix != ".cjs":
        return [str(program)]
    node = shutil.which("node")
    if node is None:
        raise CommandLineError("gpu-lens needs Node.js 22.15 or later: install it from https://nodejs.org.")
    return [node, str(program)]
