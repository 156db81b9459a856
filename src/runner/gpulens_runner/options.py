"""The command line of the runner."""

from __future__ import annotations

import argparse
import os

from .config import RANGE, Config, step_place
from .process_tree import GRACE_SECONDS
from .run_watch import Limits

_PROFILERS = ("pytorch", "timer", "loops")
_STEPS = ("auto", "train", "infer", "window")


def parse(arguments: list[str]) -> argparse.Namespace:
    """Returns the options; if they are invalid, ends the process with status 2 and a message."""
    parser = argparse.ArgumentParser(prog="gpulens_runner", description="Records a PyTorch script without changing it.")
    add = parser.add_argument
    add("--out", required=True, help="folder for traces")
    add("--events", required=True, help="file that progress is written to")
    add("--control", default=Config.control, help="file that is looked at for what the run is asked")
    add("--root", default=os.getcwd(), help="workspace that source paths are relative to")
    add("--warmup", type=_count, default=Config.warmup, help="steps that run unobserved")
    add("--prewarm", type=_count, default=Config.prewarm, help="steps with the profiler running, but not recording")
    add("--active", type=_positive, default=Config.active, help="steps to record")
    what = "auto, train, infer, range:NAME, window, or FILE:LINE of a loop"
    add("--step", type=_step, default=Config.step, help=f"what a step is: {what}")
    add(
        "--profiler",
        choices=_PROFILERS,
        default=Config.profiler,
        help="timer: record nothing, only count and time steps; loops: count the steps of all loops",
    )
    add("--times", action="store_true", help="time each measured step by itself")
    add("--window-delay", type=float, default=Config.window_delay_seconds, help="seconds until the time window")
    add("--window", type=float, default=Config.window_seconds, help="seconds of the time window")
    add("--idle", action="store_true", help="record nothing until a trigger in the control file asks for it")
    add("--skip", type=_count, default=Config.skip, help="steps that pass before the warm-up begins")
    add("--every", type=_positive, default=Config.every, help="steps between the beginnings of two recordings")
    add("--recordings", type=_positive, default=Config.recordings, help="how many recordings are made, with --every")
    add("--record-ranks", type=_ranks, default=None, help="the ranks that are recorded, as 0,3")
    add("--after", choices=("go-on", "stop"), default="go-on", help="what the script does when it is recorded")
    wait = Config.stop_wait_seconds
    add("--stop-wait", type=float, default=wait, help="with --after stop: seconds to wait for training after inference")
    add("--grace", type=float, default=GRACE_SECONDS, help="seconds that processes have to end when they are asked to")
    add("--keep-running", action="store_true", help="go on where the terminal is closed")
    add("--no-modules", action="store_true", help="no range for each module call")
    add("--automatic", choices=("on", "off"), default="on", help="ranges for lines of code without tags")
    add("--no-sites", action="store_true", help="do not note the lines of ranges")
    add("--no-shapes", action="store_true", help="do not record tensor shapes")
    add("--stack", action="store_true", help="record Python stacks")
    add("--memory", action="store_true", help="record allocations")
    add("--memory-history", action="store_true", help="write a snapshot of the CUDA allocator with its history")
    add("--lines", action="store_true", help="record one more step with the line of each call of torch")
    add("--costs", action="store_true", help="measure what shapes, stacks and memory cost, by more steps")
    add("--device", choices=("auto", "cpu"), default=Config.device, help="cpu: leave the GPU's activity out")
    add("--opening-seconds", type=float, default=Config.opening_seconds, help="limit for a script without steps")
    add("--step-limit", type=float, default=Limits.step_seconds, help="seconds until the lack of steps is told")
    add("--silence", type=float, default=Limits.silence_seconds, help="seconds until a silent rank is told")
    add("--end-hanging", action="store_true", help="end the run when a rank hangs")
    add("--parent", type=int, default=Limits.parent, help="process whose end ends the run, too")
    add("command", nargs="+", help="the command, after --")
    return parser.parse_args(arguments)


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text} is not a number of steps")
    return number


def _positive(text: str) -> int:
    if _count(text) == 0:
        raise argparse.ArgumentTypeError("at least one step must be recorded")
    return int(text)


def _ranks(text: str) -> tuple[int, ...]:
    return tuple(_count(rank) for rank in text.split(","))


def _step(text: str) -> str:
    if text in _STEPS or (text.startswith(RANGE) and text != RANGE) or step_place(text) is not None:
        return text
    raise argparse.ArgumentTypeError(f"{text} is none of {', '.join(_STEPS)}, {RANGE}NAME, FILE:LINE")
