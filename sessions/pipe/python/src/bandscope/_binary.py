"""Where the program is."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from ._errors import BandscopeError

ENVIRONMENT = "BANDSCOPE_BINARY"


def find_binary() -> str:
    """Return the path of the program.

    The program is that of the variable ``BANDSCOPE_BINARY``, the one that the wheel carries, or the one on the
    ``PATH``, in this order.

    Returns
    -------
    path : str
        The absolute path of the program.

    Raises
    ------
    BandscopeError
        With the code ``"binary"`` if there is none.
    """
    named = os.environ.get(ENVIRONMENT)
    if named:
        if not os.access(named, os.X_OK) or os.path.isdir(named):
            raise BandscopeError("binary", f"{ENVIRONMENT} is {named!r}, which is not a program",
                                 "set it to the path of the program bandscope")
        return os.path.abspath(named)
    name = "bandscope.exe" if sys.platform == "win32" else "bandscope"
    carried = Path(__file__).parent / "_bin" / name
    if carried.is_file():
        return str(carried)
    found = shutil.which("bandscope")
    if found is None:
        raise BandscopeError("binary", "the program bandscope was not found",
                             f"put it on the PATH, or set {ENVIRONMENT} to its path")
    return os.path.abspath(found)
