"""Writes a trace in a form that can be shared: compressed, completely or not at all, and without the machine's name."""

from __future__ import annotations

import errno
import gzip
import json
import os
import re
from typing import Any, BinaryIO

from .labels import Labels
from .own_frames import END_OF_EVENT, OwnFrames

_HOST = re.compile(rb'\s*"(?:host_name|username)": "[^"\\]*",')
_NAME = re.compile(rb'"traceName": "[^\n]*"(?=\s*\})')
"""The last member: torch does not escape the path, which may contain quotes."""
_CHUNK = 1 << 20
_MOST_LINES = 1000
_EDGE = 64 << 10
"""The members to change are before the events or after them, this near to the file's ends."""


def write_trace(results: Any, path: str, labels: Labels) -> None:
    """Saves Kineto's results as `path`, which ends in .json.gz and appears when it is complete.

    Raises OSError if the disk is full; then no file is left.
    """
    plain, packed = path + ".tmp.json", path + ".tmp"
    # Kineto first writes under a name of its own.
    leftovers = (plain, plain + ".tmp", packed)
    frames = OwnFrames()
    name = b'"traceName": ' + json.dumps(os.path.basename(path)).encode()
    try:
        results.save(plain)
        _check_whole(plain)
        with open(plain, "rb") as source, gzip.open(packed, "wb", compresslevel=5) as target:
            size = os.path.getsize(plain)
            while text := source.read(_CHUNK):
                text += _rest_of_event(source)
                at = source.tell()
                is_edge = at - len(text) < _EDGE or at > size - _EDGE
                text = frames.without(text)
                target.write(labels.restore(_cleaned(text, name) if is_edge else text))
        os.replace(packed, path)
    finally:
        for leftover in leftovers:
            if os.path.exists(leftover):
                os.remove(leftover)


def _rest_of_event(source: BinaryIO) -> bytes:
    """Reads to the end of an event, which no change crosses; to the end of the line if none is near."""
    lines = [source.readline()]
    while len(lines) < _MOST_LINES and lines[-1] not in (b"", END_OF_EVENT):
        lines.append(source.readline())
    return b"".join(lines)


def _check_whole(path: str) -> None:
    """Raises OSError for a truncated file: Kineto does not report a full disk."""
    try:
        with open(path, "rb") as file:
            file.seek(-min(16, os.path.getsize(path)), os.SEEK_END)
            end = file.read()
    except FileNotFoundError:
        end = b""
    if not end.rstrip().endswith(b"}"):
        # Trying to write gives the system's own reason.
        with open(path, "ab") as file:
            file.write(b" " * _CHUNK)
            file.flush()
        raise OSError(errno.EIO, "the profiler wrote only a part of it")


def _cleaned(text: bytes, name: bytes) -> bytes:
    """Returns a part of the trace without the machine's and the user's name, and with its own name in place of the
    path."""
    return _HOST.sub(b"", _NAME.sub(lambda _: name, text))
