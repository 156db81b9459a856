"""Calls with several calls of a model that are one step: `generate` with its tokens, a server's request."""

from __future__ import annotations

import re
import sys
import threading
import time
from types import CodeType, FrameType
from typing import Any, Callable, NamedTuple

import torch
from torch import nn

from .frame_mark import MAY_MARK, FrameMark, mark_of
from .own_code import OwnCode
from .source_paths import SourcePaths

_MANY_STEPS = re.compile(r"_*(__call__|fit|train|run|main|loop|test|eval\w*|valid\w*)")
"""Methods of a model that process a whole data set: the calls inside them are the steps."""
_GENERATES = re.compile(r"_*((p|ddim|ddpm)_)?(generate|sample|translate|beam_search|greedy)(_\w+)?")
"""The user's own functions, of any class, that call a model until a text or an image is complete."""
_SERVERS = re.compile(
    r"[/\\](http[/\\]server|socketserver|xmlrpc[/\\]server|concurrent[/\\]futures[/\\]thread)\.py$"
    r"|[/\\](starlette|fastapi|uvicorn|anyio|flask|werkzeug|aiohttp|tornado|django|sanic|bottle|falcon|litestar|quart"
    r"|grpc|gradio|litserve|bentoml|websockets|waitress|gunicorn)([/\\]|\.py$)"
)
"""Files of libraries that call the user's function once for each request."""
_SERVER_MODULES = ("http.server", "uvicorn", "flask", "aiohttp.web", "tornado.web", "grpc", "gradio", "django")
_DEEPEST = 1000
REQUEST = "request"


def may_serve() -> bool:
    """Returns whether the script has loaded a library that handles requests in its own threads."""
    return any(name in sys.modules for name in _SERVER_MODULES)


class WholeCall(NamedTuple):
    """A function call that is a step."""

    code: CodeType
    is_request: bool

    @property
    def unit(self) -> str:
        """The name of such a step: `request`, or the function's name."""
        return REQUEST if self.is_request else self.code.co_name


def size_of(unit: str | None) -> int:
    """Returns the rank of a step by size: a request is larger than a function call, which is larger than a model call
    (None)."""
    return 0 if unit is None else 2 if unit == REQUEST else 1


class WholeCalls:
    """Finds such calls on the stack of a model call, and reports when they end."""

    def __init__(self, paths: SourcePaths, ended: Callable[[WholeCall], None], longest_seconds: float) -> None:
        """`ended` must not raise. In calls longer than `longest_seconds`, the model calls are the steps."""
        self._paths = paths
        self._own = OwnCode(paths)
        self._ended = ended
        self._longest_seconds = longest_seconds
        self._files: dict[str, bool] = {}

    def around(self, frame: FrameType | None) -> bool:
        """Returns whether a model called by `frame` is inside a whole call, whose end is then reported."""
        found: tuple[FrameType, WholeCall] | None = None
        outermost: FrameType | None = None
        for _ in range(_DEEPEST):
            if frame is None:
                break
            mark = frame.f_trace
            if isinstance(mark, FrameMark) and isinstance(mark.call_ended, _End):
                return mark.call_ended.is_awaited(self._longest_seconds)
            if self._own.has(frame.f_code):
                outermost = frame
            elif outermost is not None and self._is_server(frame.f_code.co_filename):
                found = outermost, WholeCall(outermost.f_code, True)
                break
            if self._is_whole(frame):
                found = frame, WholeCall(frame.f_code, False)
            frame = frame.f_back
        return found is not None and self._begin(*found)

    def _begin(self, frame: FrameType, call: WholeCall) -> bool:
        mark = mark_of(frame) if MAY_MARK else None
        if mark is None:
            return False
        mark.call_ended = _End(call, self._ended)
        return True

    def _is_server(self, path: str) -> bool:
        known = self._files.get(path)
        if known is None:
            known = self._files[path] = _SERVERS.search(path) is not None
        return known

    def _is_whole(self, frame: FrameType) -> bool:
        code = frame.f_code
        if self._paths.is_torch(code.co_filename):
            return False
        if _GENERATES.fullmatch(code.co_name) and self._own.has(code):
            return True
        if code.co_argcount == 0 or code.co_varnames[0] != "self" or _MANY_STEPS.fullmatch(code.co_name):
            return False
        # With gradients it may be part of a hand-written training step: `loss = net.loss(batch)`.
        return not torch.is_grad_enabled() and isinstance(frame.f_locals.get("self"), nn.Module)


class _End:
    """Called when a whole call ends."""

    def __init__(self, call: WholeCall, ended: Callable[[WholeCall], None]) -> None:
        self._call = call
        self._told = ended
        self._began = time.monotonic()
        self._thread = threading.get_ident()

    def is_awaited(self, longest_seconds: float) -> bool:
        """Returns whether the call still counts as a step."""
        return time.monotonic() - self._began <= longest_seconds

    def __call__(self) -> Any:
        # A frame in a reference cycle is freed when Python collects cycles, in any thread.
        if threading.get_ident() == self._thread:
            self._told(self._call)
