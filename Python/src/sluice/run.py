"""A run of the program: a child process, its folder, and what feeds it."""

import contextlib
import shutil
import subprocess
import tempfile
import threading
from io import BufferedReader
from pathlib import Path
from typing import IO, BinaryIO

import pyarrow as pa

from sluice.batches import Batches
from sluice.errors import error_of
from sluice.program import environment, program
from sluice.selection import Inputs, Selection

#: The codes of a run whose table is whole: all, or without what was rejected or left out.
_DONE = (0, 3)
#: How long a child may take to end after it was asked to, in seconds.
_GRACE = 5
#: How long a child that has written its last byte may take to end, in seconds.
_ENDING = 1
#: The bytes that are passed on at once.
_PIECE = 1 << 20


class Run:
    """A child that writes a table as CSV to a pipe.

    It ends with ``finish``, which raises its error, or with ``stop``.
    """

    def __init__(self, inputs: Inputs, selection: Selection, *, keeps_rejects: bool) -> None:
        """Starts the program."""
        self.folder = Path(tempfile.mkdtemp(prefix="sluice-"))
        self._feeder: _Feeder | None = None
        self._batches: Batches | None = None
        try:
            self.process = self._start(inputs, selection, keeps_rejects)
        except BaseException:
            self.remove()
            raise
        if inputs.content is not None and self.process.stdin is not None:
            self._feeder = _Feeder(inputs.content, self.process.stdin)

    def _start(
        self, inputs: Inputs, selection: Selection, keeps_rejects: bool
    ) -> "subprocess.Popen[bytes]":
        command = [program(), "convert", *inputs.arguments(self.folder), *selection.arguments]
        command += ["-o", "-", "--format=csv", "--csv-dialect=plain", "--header-row=names"]
        command += ["--allow-rejects", "--allow-empty", "--no-progress", "--lang=en"]
        command.append(f"--stats={self.stats}")
        if keeps_rejects:
            command.append(f"--rejects={self.rejects}")
        with self.messages.open("wb") as messages:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL if inputs.content is None else subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=messages,
                env=environment(),
            )

    @property
    def stats(self) -> Path:
        """The file of the counts."""
        return self.folder / "stats"

    @property
    def rejects(self) -> Path:
        """The file of the rejected records."""
        return self.folder / "rejects"

    @property
    def messages(self) -> Path:
        """The file of what the program says."""
        return self.folder / "messages"

    @property
    def output(self) -> BufferedReader:
        """The table."""
        assert isinstance(self.process.stdout, BufferedReader)
        return self.process.stdout

    def parse(self, columns: pa.Schema, block_size: int) -> Batches:
        """Begins to parse what comes after the header."""
        self._batches = Batches(self.output, columns, block_size)
        return self._batches

    def finish(self) -> None:
        """Waits for the end of the child. Raises its error, or that of the content it was fed."""
        code = self.process.wait()
        self._release()
        if self._feeder is not None:
            self._feeder.finish()
        if code not in _DONE:
            raise error_of(code, self.messages.read_text("utf-8", errors="replace"))

    def failure(self) -> BaseException | None:
        """Returns the error of a run whose table ends too early; None if it does not fail."""
        try:
            self.process.wait(_ENDING)
            self.finish()
        except subprocess.TimeoutExpired:
            return None
        except Exception as error:
            return error
        return None

    def warnings(self) -> list[str]:
        """Returns the warnings of a run that has ended."""
        lines = self.messages.read_text("utf-8", errors="replace").splitlines()
        return [
            line.removeprefix("sluice: warning: ")
            for line in lines
            if line.startswith("sluice: warning: ")
        ]

    def stop(self) -> None:
        """Ends the child if it is at work, and waits until it is gone."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(_GRACE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self._release()

    def remove(self) -> None:
        """Removes the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def abandon(self) -> None:
        """Leaves nothing behind."""
        self.stop()
        self.remove()

    def _release(self) -> None:
        """Ends the parser and closes the pipe, whose end it has reached: the child is gone."""
        if self._batches is not None:
            self._batches.stop()
        with contextlib.suppress(OSError, ValueError):
            self.output.close()


class _Feeder:
    """Passes content on to the child, in a thread: the child writes while it reads."""

    def __init__(self, content: BinaryIO | bytes | bytearray | memoryview, pipe: IO[bytes]) -> None:
        self._content = content
        self._pipe = pipe
        self._error: BaseException | None = None
        # A source that never answers does not keep the interpreter from ending.
        self._thread = threading.Thread(target=self._feed, name="sluice-input", daemon=True)
        self._thread.start()

    def _feed(self) -> None:
        try:
            with contextlib.suppress(BrokenPipeError), self._pipe:
                if isinstance(self._content, bytes | bytearray | memoryview):
                    self._pipe.write(self._content)
                    return
                while piece := self._content.read(_PIECE):
                    self._pipe.write(piece)
        except BaseException as error:
            self._error = error

    def finish(self) -> None:
        """Raises what the content raised."""
        self._thread.join()
        if self._error is not None:
            raise self._error
