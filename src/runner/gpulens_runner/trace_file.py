"""Writes a recorded trace so that it can be shared: compressed, whole or not at all, without the machine's name."""

from __future__ import annotations

import gzip
import os
import re
from typing import Any

_HOST = re.compile(rb'\s*"(?:host_name|username)": "[^"\\]*",')
_NAME = re.compile(rb'"traceName": "[^"\\]*"')
_CHUNK = 1 << 20
_EDGE = 64 << 10
"""The members to change stand before the events or after them, this near to the file's ends."""


def write_trace(results: Any, path: str) -> None:
    """Saves Kineto's results as `path`, which ends in .json.gz and appears when it is complete.

    Raises OSError where the disk is full; nothing is left behind then.
    """
    plain, packed = path + ".tmp.json", path + ".tmp"
    name = b'"traceName": "%s"' % os.path.basename(path).encode()
    try:
        results.save(plain)
        with open(plain, "rb") as source, gzip.open(packed, "wb", compresslevel=5) as target:
            middle = os.path.getsize(plain) - 2 * _EDGE
            if middle <= 0:
                target.write(_cleaned(source.read(), name))
            else:
                target.write(_cleaned(source.read(_EDGE), name))
                while middle > 0:
                    middle -= target.write(source.read(min(_CHUNK, middle)))
                target.write(_cleaned(source.read(), name))
        os.replace(packed, path)
    finally:
        for leftover in (plain, packed):
            if os.path.exists(leftover):
                os.remove(leftover)


def _cleaned(text: bytes, name: bytes) -> bytes:
    """Returns a part of the trace without the machine's and the user's name, and with its own name for the path."""
    return _HOST.sub(b"", _NAME.sub(lambda _: name, text))
