"""One process of the program, which answers requests as lines of JSON."""

from __future__ import annotations

import atexit
import itertools
import json
import math
import subprocess
import threading
from collections.abc import Callable, Mapping
from typing import Any, Optional

from ._binary import find_binary
from ._errors import BandscopeError

Progress = Callable[[Mapping[str, Any]], None]

_END = 5.0  # seconds that the program has to end before it is killed


class Pipe:
    """A running program. Its methods may be called from several threads."""

    def __init__(self, folder: str, author: str = "") -> None:
        """Start the program on the sessions of a folder."""
        command = [find_binary(), "pipe", "--via", "python"]
        if author:
            command += ["--as", author]
        try:
            # stderr goes where the caller's goes: the program writes there only if it cannot start
            self._process = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as err:
            raise BandscopeError("binary", f"{command[0]} cannot be started: {err}") from err
        self._ids = itertools.count(1)
        self._writing = threading.Lock()
        self._waiting: dict[int, _Answer] = {}
        self._state = threading.Lock()
        self._ended = False
        self._reader = threading.Thread(target=self._read, name="bandscope answers", daemon=True)
        self._reader.start()
        atexit.register(self.close)

    def act(self, act: str, session: Optional[str], arguments: Mapping[str, Any],
            progress: Optional[Progress] = None) -> dict[str, Any]:
        """Perform an act and return its answer. An interrupt cancels the act."""
        number, answer = next(self._ids), _Answer(progress)
        request: dict[str, Any] = {"id": number, "act": act}
        if session is not None:
            request["session"] = session
        request.update(plain(arguments))
        with self._state:
            if self._ended:
                raise _ended()
            self._waiting[number] = answer
        try:
            self._write(request)
            answer.wait()
        except BaseException:
            with self._state:
                unanswered = self._waiting.pop(number, None) is not None
            if unanswered:
                self._cancel(number)
            raise
        return answer.result()

    def _write(self, request: Mapping[str, Any]) -> None:
        line = json.dumps(request, allow_nan=False, ensure_ascii=False).encode() + b"\n"
        assert self._process.stdin is not None
        try:
            with self._writing:
                self._process.stdin.write(line)
                self._process.stdin.flush()
        except (OSError, ValueError) as err:  # a closed file is a ValueError
            raise _ended() from err

    def _cancel(self, number: int) -> None:
        try:
            self._write({"cancel": number})
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
                answer = self._waiting.get(number)
                if answer is not None and "progress" not in said:
                    del self._waiting[number]
            if answer is not None:
                answer.hear(said)
        with self._state:
            self._ended, waiting = True, list(self._waiting.values())
            self._waiting.clear()
        for answer in waiting:
            answer.hear(None)

    @property
    def running(self) -> bool:
        """Whether the program still answers."""
        return not self._ended

    def close(self) -> None:
        """End the program. What it has acknowledged is in the files."""
        atexit.unregister(self.close)
        process = self._process
        if process.stdin is not None:
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
        if process.stdout is not None:
            process.stdout.close()


class _Answer:
    """The answer to a request, which another thread hears."""

    def __init__(self, progress: Optional[Progress]) -> None:
        self._heard, self._progress = threading.Event(), progress
        self._said: Optional[dict[str, Any]] = None

    def hear(self, said: Optional[dict[str, Any]]) -> None:
        if said is not None and "progress" in said:
            if self._progress is not None:
                self._progress(said["progress"])
            return
        self._said = said
        self._heard.set()

    def wait(self) -> None:
        self._heard.wait()

    def result(self) -> dict[str, Any]:
        if self._said is None:
            raise _ended()
        error = self._said.get("error")
        if isinstance(error, Mapping):
            raise BandscopeError(str(error.get("code", "failed")), str(error.get("text", "")),
                                 str(error.get("hint", "")))
        if error is not None:
            raise BandscopeError(str(self._said.get("code", "failed")), str(error))
        answer = self._said.get("ok", {})
        return answer if isinstance(answer, dict) else {"value": answer}


def _ended() -> BandscopeError:
    return BandscopeError("ended", "the program has ended", "everything it acknowledged is in the session's file; open "
                          "the session again")


def plain(value: Any) -> Any:
    """Return a value as JSON has it: mappings, lists, numbers and texts, also of numpy and pandas. Numbers that are not
    finite are texts, and arguments that are None are left out of mappings."""
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items() if v is not None}
    if hasattr(value, "tolist"):  # arrays and scalars of numpy
        return plain(value.tolist())
    if isinstance(value, (list, tuple)) or hasattr(value, "to_list"):
        return [plain(v) for v in (value.to_list() if hasattr(value, "to_list") else value)]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value
