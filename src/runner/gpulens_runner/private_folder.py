"""Makes a private folder in a place where everybody may write: a trace contains a script's names, paths and
arguments."""

from __future__ import annotations

import os
import stat


def make_private_folder(path: str) -> None:
    """Makes a folder that only its owner may open, if it does not exist.

    Raises OSError if it cannot be made, or if it exists as a link, belongs to another user, or is open to others.
    """
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        pass
    found = os.lstat(path)
    if not stat.S_ISDIR(found.st_mode):
        raise OSError("there is something else, or a link, in its place")
    # Windows gives each user a temporary folder that others cannot open.
    if os.name == "posix" and (found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) & 0o077):
        raise OSError("it is somebody else's, or open to others")
