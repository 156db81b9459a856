"""The source files that opened ranges, as they were when they ran: their text, and where their blocks end."""

from __future__ import annotations

import ast
import hashlib
import io
import linecache
import os
import re
import time
import tokenize
import zlib

_LONGEST_BYTES = 4 << 20
"""A longer file is a program's output, and is not read."""
_Place = "tuple[int, int]"
"""A line and a column in bytes."""
_LINE_END = re.compile(r"\r\n|\r|\n")
"""Line ends for Python and for editors; a form feed does not end a line."""


class SourceFiles:
    """Texts of files, each read when its first range opens, because the file may be edited while it runs."""

    def __init__(self) -> None:
        self._began = time.time()
        self._files: dict[str, SourceFile | None] = {}

    def see(self, path: str) -> None:
        """Reads a file that has not been seen before."""
        if path not in self._files:
            self._files[path] = _read(path, self._began)

    def get(self, path: str) -> SourceFile | None:
        """Returns a file that was read; None if it could not be read, or was written after the process began."""
        return self._files.get(path)


class SourceFile:
    """One file's text."""

    def __init__(self, content: bytes) -> None:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        self._content = content
        # "utf-8-sig" is UTF-8 whose byte order mark belongs to no line, as in an editor.
        self._text = content.decode(encoding)
        self._ends: dict[int, int] | None = None
        self._loops: dict[int, int] | None = None
        self._comprehensions: list[tuple[_Place, _Place, int]] | None = None

    def git_blob(self) -> str:
        """Returns the SHA-1 that git assigns to a file with this content, without conversion of line ends."""
        head = b"blob %d\0" % len(self._content)
        return hashlib.sha1(head + self._content, usedforsecurity=False).hexdigest()

    def line_checksums(self) -> list[int]:
        """Returns the CRC-32 of each line in UTF-8 without its end; a text that ends with "\n" has an empty last
        line."""
        return [zlib.crc32(line.encode("utf-8", "surrogatepass")) for line in _LINE_END.split(self._text)]

    def end_of_block(self, line: int) -> int | None:
        """Returns the last line of the `with` statement or function for which a tag on `line` opens a range.

        A function is identified by the line of its first decorator, or of its `def` if it has none. None if no such
        block begins on the line.
        """
        if self._ends is None:
            self._ends = _ends_of_blocks(self._text)
        return self._ends.get(line)

    def loop_of(self, line: int) -> int | None:
        """Returns the line of the innermost `for` or `while` statement whose body contains a line; None for none."""
        if self._loops is None:
            self._loops = _loops_of_lines(self._text)
        return self._loops.get(line)

    def comprehension_of(self, line: int, column: int) -> int | None:
        """Returns the line of the innermost comprehension that evaluates the code at a line and a column (in bytes) for
        each of its elements; None for none."""
        if self._comprehensions is None:
            self._comprehensions = _comprehensions(self._text)
        around = [first for begin, end, first in self._comprehensions if begin <= (line, column) < end]
        return around[-1] if around else None


def _read(path: str, began: float) -> SourceFile | None:
    try:
        with open(path, "rb") as file:
            state = os.fstat(file.fileno())
            if state.st_mtime > began or state.st_size > _LONGEST_BYTES:
                return None
            return SourceFile(file.read())
    except FileNotFoundError:
        return _noted(path)
    except (OSError, SyntaxError, ValueError):
        return None  # The file is gone, or its encoding is invalid.


def _noted(path: str) -> SourceFile | None:
    """Returns the text that a kernel stored for tracebacks: a notebook's cells have made-up files."""
    entry = linecache.cache.get(path)
    # An entry that is not loaded yet has one member; a file's entry has its modification time.
    if entry is None or len(entry) != 4 or entry[1] is not None:
        return None
    return SourceFile("".join(entry[2]).encode("utf-8", "surrogatepass"))


def _ends_of_blocks(text: str) -> dict[int, int]:
    """Returns last lines by the lines of possible tags of blocks; at most one block begins on a line."""
    ends: dict[int, int] = {}
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ends
    for node in ast.walk(tree):
        if isinstance(node, (ast.With, ast.AsyncWith)):
            # Python reports a range at the line of the item that opens it; older versions report that of the statement.
            last = max(item.context_expr.end_lineno or 0 for item in node.items)
            ends.update((line, node.end_lineno or 0) for line in range(node.lineno, last + 1))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            ends[first] = node.end_lineno or 0
    return ends


def _loops_of_lines(text: str) -> dict[int, int]:
    """Returns, for each line in a loop's body, the line of the innermost loop."""
    loops: dict[int, int] = {}
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return loops
    # Inner loops come after the outer ones, and overwrite their lines.
    for node in ast.walk(tree):
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            for line in range(node.body[0].lineno, (node.body[-1].end_lineno or 0) + 1):
                loops[line] = node.lineno
    return loops


def _comprehensions(text: str) -> list[tuple[_Place, _Place, int]]:
    """Returns where the element of each comprehension begins and ends, and its line; outer ones first."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    found: list[tuple[_Place, _Place, int]] = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
            elements = [node.elt]
        elif isinstance(node, ast.DictComp):
            elements = [node.key, node.value]
        else:
            continue
        for one in elements:
            begin, end = (one.lineno, one.col_offset), (one.end_lineno or 0, one.end_col_offset or 0)
            found.append((begin, end, node.lineno))
    return found
