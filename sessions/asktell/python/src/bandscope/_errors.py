"""The one class of errors."""

from __future__ import annotations


class BandscopeError(Exception):
    """An act that the program refused, or a program that could not be used.

    Attributes:
        code: the kind of error, for programs: "request", "not pending", "told", "doubtful", "infeasible", "busy" or
            "failed" from the program; "binary" if it was not found, "ended" if it ended.
        text: what is wrong.
        hint: what would be right; empty where nothing is known.
    """

    def __init__(self, code: str, text: str, hint: str = "") -> None:
        self.code, self.text, self.hint = code, text, hint
        super().__init__(text + ("; " + hint if hint else ""))

    def __reduce__(self) -> tuple[type, tuple[str, str, str]]:
        return (BandscopeError, (self.code, self.text, self.hint))
