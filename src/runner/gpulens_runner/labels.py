"""Labels that torch's trace writer cannot write: replaced while a range is recorded, and restored in the file.

In torch 2.13, a quote is not escaped, so the file is not JSON; a backslash becomes a slash; a newline is dropped; and a
name with any other control or non-ASCII character is written as "unknown".
"""

from __future__ import annotations

import json
import re

_UNSAFE = re.compile(r"[^ !#-\[\]-~]")
_MARK_BEGINS = "gpulens-label-"
_MARK = re.compile(rb"gpulens-label-(\d+);")
_MOST_LABELS = 100_000
"""A script that creates a new label each time must not fill the memory."""


class Labels:
    """The labels that were replaced."""

    def __init__(self) -> None:
        self._marks: dict[str, str] = {}
        self._texts: list[bytes] = []

    def safe(self, label: str) -> str:
        """Returns what to record for a label: the label, or the mark that represents it."""
        if _UNSAFE.search(label) is None and _MARK_BEGINS not in label:
            return label
        mark = self._marks.get(label)
        if mark is None:
            if len(self._texts) >= _MOST_LABELS:
                return _UNSAFE.sub("?", label)
            mark = self._marks[label] = f"{_MARK_BEGINS}{len(self._texts)};"
            self._texts.append(json.dumps(label)[1:-1].encode("ascii"))
        return mark

    def restore(self, text: bytes) -> bytes:
        """Returns a part of the trace's JSON, which must not end inside a mark, with the labels restored."""
        if not self._texts:
            return text
        return _MARK.sub(self._text_of, text)

    def _text_of(self, mark: re.Match[bytes]) -> bytes:
        number = int(mark[1])
        return self._texts[number] if number < len(self._texts) else mark[0]
