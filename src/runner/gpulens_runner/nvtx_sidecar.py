"""Writes the data on modules mirrored into NVTX beside the export that nsys will make."""

from __future__ import annotations

import json

from .module_names import ModuleNames
from .source_files import SourceFiles
from .source_paths import SourcePaths

VARIABLE = "GPULENS_NVTX_SIDECAR"
"""Set by the program that runs nsys: the sidecar's path."""


def write_sidecar(path: str, names: ModuleNames, paths: SourcePaths, sources: SourceFiles) -> None:
    """Writes the classes and lines of the called modules; nothing if there are none.

    If there are several processes, the first to end writes the file: ranks call the same modules.
    """
    modules = names.to_json()
    if not modules:
        return
    files = [(file, sources.get(file)) for file in names.files()]
    meta = {
        "version": 1,
        "kind": "nsys",
        "why": "complete",
        "sites": names.sites(),
        "modules": modules,
        "files": [
            {"file": paths.relative(file), "gitBlob": source.git_blob(), "lineCrc32": source.line_checksums()}
            for file, source in files
            if source is not None
        ],
    }
    text = json.dumps(meta)
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write(text)
    except OSError:
        # Another process was first, or the folder cannot be written: the script has ended, and must not fail for that.
        return
