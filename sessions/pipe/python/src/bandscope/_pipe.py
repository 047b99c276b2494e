"""One process of the program, which answers requests as lines of JSON."""

from __future__ import annotations

import itertools
import json
import math
import os
import queue
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Callable, Mapping
from typing import Any, Optional

from ._binary import find_binary
from ._errors import BandscopeError

Progress = Callable[[Mapping[str, Any]], None]

MAX_LINE = 1 << 20  # bytes of a request

_END = 5.0  # seconds that the program has to end before it is killed

_all: weakref.WeakSet[Pipe] = weakref.WeakSet()


class Pipe:
    """A running program. Its methods may be called from several threads."""

    def __init__(self, folder: str, author: str = "") -> None:
        """Start the program on the sessions of a folder."""
        self._command = [find_binary(), "pipe", "--via", "python"]
        if author:
            self._command.append(f"--as={author}")
        # It has a session of its own, so that Ctrl-C in a terminal interrupts the caller and not the program.
        apart: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        self._errors = tempfile.TemporaryFile()
        try:
            self._process = subprocess.Popen(self._command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                             stderr=self._errors, **apart)
        except (OSError, ValueError) as err:
            raise BandscopeError("binary", f"{self._command[0]} cannot be started: {err}") from err
        self._pid = os.getpid()
        self._ids = itertools.count(1)
        self._writing, self._state = threading.Lock(), threading.Lock()
        self._waiting: dict[int, queue.SimpleQueue[Optional[dict[str, Any]]]] = {}
        self._ended, self._answered = False, False
        self._reader = threading.Thread(target=self._read, name="bandscope answers", daemon=True)
        self._reader.start()
        _all.add(self)

    def act(self, act: str, session: str, arguments: Mapping[str, Any],
            progress: Optional[Progress] = None) -> dict[str, Any]:
        """Perform an act and return its answer. An exception, such as an interrupt, cancels the act."""
        number, answers = next(self._ids), queue.SimpleQueue[Optional[dict[str, Any]]]()
        request = {"id": number, "session": session, "act": act, **plain(arguments)}
        line = json.dumps(request, allow_nan=False).encode() + b"\n"
        if len(line) > MAX_LINE:
            raise BandscopeError("request", f"the request has {len(line)} bytes; at most {MAX_LINE} are possible",
                                 "divide it")
        try:
            with self._state:
                if self._ended:
                    raise self._lost()
                self._waiting[number] = answers
            self._write(line)
            while True:
                said = answers.get()
                if said is None:
                    raise self._lost()
                if "progress" not in said:
                    return self._result(said)
                if progress is not None:
                    progress(said["progress"])
        finally:
            with self._state:
                unanswered = self._waiting.pop(number, None) is not None
            if unanswered:
                self._cancel(number)

    def _write(self, line: bytes) -> None:
        assert self._process.stdin is not None
        whole = False
        try:
            with self._writing:
                try:
                    self._process.stdin.write(line)
                    self._process.stdin.flush()
                    whole = True
                finally:
                    if not whole:  # a part of a line would spoil the next one
                        self._process.kill()
        except (OSError, ValueError) as err:  # a closed file is a ValueError
            raise self._lost() from err

    def _cancel(self, number: int) -> None:
        if not self._ended:
            try:
                self._write(json.dumps({"cancel": number}).encode() + b"\n")
            except BandscopeError:
                pass  # it has ended, and the act with it

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            try:
                said = json.loads(line)
                number = said.get("id")
            except (ValueError, AttributeError):
                continue  # a line that was cut off as the program ended
            with self._state:
                self._answered = True
                answers = self._waiting.get(number)
                if answers is not None and "progress" not in said:
                    del self._waiting[number]
            if answers is not None:
                answers.put(said)
        self._process.wait()
        with self._state:
            self._ended, waiting = True, list(self._waiting.values())
            self._waiting.clear()
        for answers in waiting:
            answers.put(None)

    def _result(self, said: Mapping[str, Any]) -> dict[str, Any]:
        error = said.get("error")
        if isinstance(error, Mapping):
            raise BandscopeError(str(error.get("code", "failed")), str(error.get("text", "")),
                                 str(error.get("hint", "")))
        answer = said.get("ok")
        if not isinstance(answer, dict):
            raise BandscopeError("binary", f"{self._command[0]} does not understand this package: {error or said}",
                                 "use the program and the package of one version")
        return answer

    def _lost(self) -> BandscopeError:
        """Return why there is no answer."""
        if threading.current_thread() is not self._reader:
            self._reader.join(_END)
        self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(self._errors.tell() - 2000, 0))
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        why = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in lines[0]) if lines else ""
        if not self._answered:
            return BandscopeError("binary", f"{self._command[0]} ended without an answer" + (f": {why}" if why else ""),
                                  f"it must be the program bandscope of a version that has {' '.join(self._command[1:4])}")
        return BandscopeError("ended", "the program has ended" + (f": {why}" if why else ""),
                              "what it acknowledged is in the session's file, and the next call starts it again")

    @property
    def running(self) -> bool:
        """Whether the program still answers this process."""
        return not self._ended and self._pid == os.getpid()

    def close(self) -> None:
        """End the program. What it has acknowledged is in the files."""
        process = self._process
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.close()
        except OSError:
            pass
        try:
            process.wait(_END)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if threading.current_thread() is not self._reader:
            self._reader.join()
            process.stdout.close()
            self._errors.close()

    def leave(self) -> None:
        """Forget the program in a forked process, whose parent keeps it."""
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None and not stream.closed:
                os.dup2(null, stream.fileno())
        os.close(null)
        self._process.returncode = 0


def _leave_all() -> None:
    for pipe in list(_all):
        pipe.leave()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_all)


def plain(value: Any) -> Any:
    """Return a value as JSON has it: mappings, lists, numbers and texts, also of numpy and pandas. Numbers that are not
    finite are texts, and arguments that are None are left out of mappings."""
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items() if v is not None}
    if hasattr(value, "tolist"):  # arrays and scalars of numpy, series of pandas
        return plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if not isinstance(value, (str, bytes, bool, int, float)) and hasattr(value, "__float__"):
        value = float(value)  # a Decimal, a Fraction
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value
