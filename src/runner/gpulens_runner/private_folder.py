"""A folder of one's own where everybody may write: a trace holds a script's names, paths and arguments."""

from __future__ import annotations

import os
import stat


def make_private_folder(path: str) -> None:
    """Makes a folder that its owner alone may open, if it is not there yet.

    Raises OSError where it cannot be made, or is there already as a link, somebody else's or open to others.
    """
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        pass
    found = os.lstat(path)
    if not stat.S_ISDIR(found.st_mode):
        raise OSError("there is something else, or a link, in its place")
    # Windows gives each user a folder for temporary files that the others cannot open.
    if os.name == "posix" and (found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) & 0o077):
        raise OSError("it is somebody else's, or open to others")
