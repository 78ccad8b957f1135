"""Record batches of a table in CSV, parsed a batch ahead of their reader.

Arrow waits for bytes without looking at Python's signals. So it waits in a thread of its own, and
the reader waits for that thread: an interrupt ends such a wait.

    reader                          thread
    ask() ──────────────────────▶   read_next_batch()
    answer() ◀──────────────────    the batch, None at the end, or an error
"""

import csv
import queue
import re
import threading
from io import BufferedReader
from typing import TypeAlias

import pyarrow as pa
import pyarrow.csv

from sluice.errors import ColumnError

_COLUMN = re.compile(r"In CSV column #(\d+): (.*)", re.DOTALL)
_Answer: TypeAlias = "pa.RecordBatch | BaseException | None"


def header_of(output: BufferedReader) -> list[str]:
    """Reads the names of the columns; none if the table has not even a header."""
    return next(csv.reader([output.readline().decode()]), [])


class Batches:
    """The batches of a table whose header has been read."""

    def __init__(self, output: BufferedReader, columns: pa.Schema, block_size: int) -> None:
        """Begins to read."""
        self._asked: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[_Answer] = queue.SimpleQueue()
        # A table that never comes does not keep the interpreter from ending.
        self._thread = threading.Thread(
            target=_work,
            args=(output, columns, block_size, self._asked, self._answers),
            name="sluice-rows",
            daemon=True,
        )
        self._thread.start()

    def ask(self) -> None:
        """Has the next batch parsed."""
        self._asked.put(True)

    def answer(self) -> pa.RecordBatch | None:
        """Returns the batch that was asked for; None at the end of the table. Raises its error."""
        answer = self._answers.get()
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def stop(self) -> None:
        """Ends the thread. The table has to be at its end by now."""
        self._asked.put(False)
        # The collector of garbage may run anywhere.
        if threading.current_thread() is not self._thread:
            self._thread.join()


def _work(
    output: BufferedReader,
    columns: pa.Schema,
    block_size: int,
    asked: "queue.SimpleQueue[bool]",
    answers: "queue.SimpleQueue[_Answer]",
) -> None:
    reader: pyarrow.csv.CSVStreamingReader | None = None
    while asked.get():
        try:
            if reader is None:
                if not output.peek(1):
                    raise StopIteration
                reader = _open(output, columns, block_size)
            batch = reader.read_next_batch()
            answers.put(pa.RecordBatch.from_arrays(batch.columns, schema=columns))
        except StopIteration:
            answers.put(None)
        except BaseException as error:
            answers.put(_column_error(error, columns))
    if reader is not None:
        reader.close()


def _open(
    output: BufferedReader, columns: pa.Schema, block_size: int
) -> pyarrow.csv.CSVStreamingReader:
    return pyarrow.csv.open_csv(
        output,
        read_options=pyarrow.csv.ReadOptions(block_size=block_size, column_names=columns.names),
        # An empty line is a row of one column without a value.
        parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True, ignore_empty_lines=False),
        convert_options=pyarrow.csv.ConvertOptions(
            column_types={field.name: field.type for field in columns},
            # A cell is empty where the feed has no value. The program knows no empty text.
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
            true_values=["true"],
            false_values=["false"],
        ),
    )


def _column_error(error: BaseException, columns: pa.Schema) -> BaseException:
    """Returns an error that names the column whose value does not fit its type."""
    found = _COLUMN.search(str(error)) if isinstance(error, pa.ArrowInvalid) else None
    if found is None:
        return error
    return ColumnError(f"column {columns.names[int(found[1])]}: {found[2]}")
