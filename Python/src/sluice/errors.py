"""What can go wrong, with the stage, the byte and the reason that the program gives.

The program ends with a code and writes a line:

    sluice: error: nights/3.json: json: byte 41: the JSON is truncated; download the data again
                   input          stage byte     reason
"""

import re
from typing import Any

_STAGES = "source|envelope|base64|unzip|json|csv|normalize|sink|sync"
_ERROR = re.compile(
    rf"(?:(?P<input>.*?): )??(?:(?P<stage>{_STAGES}): )(?:byte (?P<byte>\d+): )?(?P<reason>.*)"
)
_PREFIX = "sluice: error: "


class SluiceError(Exception):
    """The program failed. What it wrote before is incomplete."""

    def __init__(
        self,
        reason: str,
        *,
        stage: str | None = None,
        byte: int | None = None,
        input: str | None = None,
        code: int | None = None,
    ) -> None:
        """Makes an error of the parts of a message."""
        place = [input, stage, None if byte is None else f"byte {byte}", reason]
        super().__init__(": ".join(part for part in place if part))
        #: What is wrong, and what to do.
        self.reason = reason
        #: The stage that failed: ``source``, ``json``, ``normalize`` …; None if it is none of them.
        self.stage = stage
        #: The byte of that stage's own input, from 0; None if it is about no byte.
        self.byte = byte
        #: The input, if there were several.
        self.input = input
        #: The exit code of the program; negative for a signal.
        self.code = code

    def about(self, input: str) -> "SluiceError":
        """Returns the same error, of an input that has another name for people."""
        return type(self)(**(self.__dict__ | {"input": input}))

    def __reduce__(self) -> tuple[object, ...]:
        """Says how it is copied to another process, as Spark does."""
        return (_copy, (type(self), self.__dict__))


class UsageError(SluiceError, ValueError):
    """An argument is wrong, or a feed's document (64)."""


class DataError(SluiceError, ValueError):
    """The data is broken, or too many of its records were rejected (65)."""


class NoInputError(SluiceError, FileNotFoundError):
    """There is no such input (66)."""


class UnreachableError(SluiceError, ConnectionError):
    """The source could not be reached (69)."""


class OutputError(SluiceError, OSError):
    """Reading or writing failed, as when a disk is full (73, 74)."""


class BusyError(SluiceError):
    """Another run is at work (75)."""


class NoSuchPlaceError(SluiceError, LookupError):
    """No place, or more than one, fits the address (1)."""


class ColumnError(SluiceError, ValueError):
    """A value does not fit the type that was asked for, such as a whole number of 30 digits."""


_CLASSES: dict[int, type[SluiceError]] = {
    1: NoSuchPlaceError,
    64: UsageError,
    65: DataError,
    66: NoInputError,
    69: UnreachableError,
    73: OutputError,
    74: OutputError,
    75: BusyError,
}


def error_of(code: int, messages: str) -> SluiceError:
    """Returns the error of a run that ended with this code and wrote these lines."""
    lines = [line for line in messages.splitlines() if line.startswith(_PREFIX)]
    kind = _CLASSES.get(code, SluiceError)
    if not lines:
        end = f"ended by signal {-code}" if code < 0 else f"ended with {code}"
        return kind(messages.strip() or f"the program {end}", code=code)
    text = lines[-1].removeprefix(_PREFIX)
    found = _ERROR.fullmatch(text)
    if found is None:
        return kind(text, code=code)
    byte = found["byte"]
    return kind(
        found["reason"],
        stage=found["stage"],
        byte=None if byte is None else int(byte),
        input=found["input"],
        code=code,
    )


def _copy(kind: type[SluiceError], parts: dict[str, Any]) -> SluiceError:
    return kind(**parts)
