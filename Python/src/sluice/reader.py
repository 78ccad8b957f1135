"""Rows of a run as Arrow's record batches."""

import weakref
from collections.abc import Iterable, Iterator, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, NoReturn, Self

import pyarrow as pa
from pyarrow import ArrowInvalid

from sluice.batches import header_of
from sluice.errors import ColumnError
from sluice.results import Stats, rejects_from, stats_from
from sluice.run import Run
from sluice.selection import Inputs, Selection, Sources, When, Where
from sluice.types import (
    Decimals,
    Feed,
    Instants,
    Integers,
    Types,
    one_table,
    tables,
    with_input_columns,
)

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

#: The bytes of CSV that make a batch. A row must fit: a value has up to 1 MiB.
BLOCK = 4 << 20


def read(
    inputs: Sources | None = None,
    *,
    feed: Feed = "hot-water",
    table: str | None = None,
    columns: Iterable[str] | None = None,
    where: Where | None = None,
    start: When | None = None,
    end: When | None = None,
    address: str | None = None,
    sort: str | Iterable[str] | None = None,
    limit: int | None = None,
    entry: str | None = None,
    max_rejects: int | str | None = None,
    on_error: Literal["stop", "skip"] = "stop",
    with_input: bool = False,
    input_date: str | None = None,
    decimals: Decimals = "text",
    integers: Integers = "int64",
    instants: Instants = "us",
    zone: str = "UTC",
    block_size: int = BLOCK,
    options: Sequence[str] = (),
) -> "Reader":
    """Reads inputs of one feed as a stream of record batches.

    Returns when the first batch has come. A row is good when the whole stream has been read: an
    input is checked to its end.

    Args:
        inputs: a path or a URL, several of them, a folder, the content as bytes, or a binary file
            that is open; without it the feed's own URL.
        feed: the name of a built-in feed, or the path of a document.
        table: the table, if the feed has several.
        columns: the columns, in this order; all if it is None.
        where: conditions: ``"price>=100"``, a list of them, or a mapping of columns to a value or
            a list of values, in which a star is a star.
        start: keeps what ends on this day or later.
        end: keeps what begins on this day or earlier.
        address: keeps the one place that this names, as people type it.
        sort: columns that order the rows; ``column:desc`` turns the order.
        limit: the number of rows.
        entry: the file inside a zip archive.
        max_rejects: the limit of rejected records, as a number or a percentage; 10% without it.
        on_error: ``skip`` leaves out a broken input of several; ``stats.inputs`` names it.
        with_input: adds the columns ``input`` and ``input_date``.
        input_date: where the names of inputs have their day: ``*-{yyyy-MM-dd}.json``.
        decimals: ``text`` as the feed wrote them, ``float``, or ``(precision, scale)``.
        integers: ``int64``, ``text``, or ``(precision, 0)``.
        instants: the unit of instants, or ``text``.
        zone: the time zone on whose clock instants are shown; the instants are the same.
        block_size: the bytes of text that make a batch; a row must fit.
        options: more options of ``sluice convert``, as words.

    Raises:
        SluiceError: the program failed; its subclasses tell why.
    """
    selection = Selection(
        feed,
        table=table,
        columns=columns,
        where=where,
        start=start,
        end=end,
        address=address,
        sort=sort,
        limit=limit,
        entry=entry,
        max_rejects=max_rejects,
        on_error=on_error,
        with_input=with_input,
        input_date=input_date,
        options=options,
    )
    types = Types(decimals=decimals, integers=integers, instants=instants, zone=zone)
    return Reader(Inputs(inputs), selection, one_table(tables(feed, types), table), block_size)


class Reader:
    """The rows of a run, a batch at a time.

    It is read once. The program ends with it: at the end of the rows, by ``close``, at the end of a
    ``with``, or when nobody has it any more.
    """

    def __init__(
        self,
        inputs: Inputs,
        selection: Selection,
        columns: pa.Schema,
        block_size: int = BLOCK,
        *,
        keeps_rejects: bool = True,
    ) -> None:
        """Starts the run. ``columns`` are all that the table may have."""
        if selection.with_input:
            columns = with_input_columns(columns)
        self._run = Run(inputs, selection, keeps_rejects=keeps_rejects)
        self._finalizer = weakref.finalize(self, self._run.abandon)
        self._next: pa.RecordBatch | None = None
        # The run has ended well; the last batch was taken.
        self._is_done = self._is_read = False
        try:
            names = header_of(self._run.output)
            if not names:
                # A run that ends well writes a header at least.
                self._run.finish()
            #: The columns of each batch.
            self.schema: pa.Schema = pa.schema([columns.field(name) for name in names])
            self._batches = self._run.parse(self.schema, block_size)
            self._batches.ask()
            self._next = self._following()
        except BaseException as error:
            self._fail(error)

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        """Returns itself: the rows are read once."""
        return self

    def __next__(self) -> pa.RecordBatch:
        """Returns the next batch. The last one comes when the run has ended well."""
        batch = self._next
        if batch is None:
            if not self._is_done:
                raise ValueError("the reader is closed")
            self._is_read = True
            raise StopIteration
        try:
            self._next = self._following()
        except BaseException as error:
            self._fail(error)
        return batch

    def _following(self) -> pa.RecordBatch | None:
        """Takes a batch, and has the one after it parsed; None if the run has ended well."""
        batch = self._batches.answer()
        if batch is None:
            self._run.finish()
            self._is_done = True
        else:
            self._batches.ask()
        return batch

    def _fail(self, error: BaseException) -> NoReturn:
        """Ends the run and raises its error, or else this one."""
        # Output that ends in the middle is the program's failure.
        failure = self._run.failure() if isinstance(error, ArrowInvalid | ColumnError) else None
        self.close()
        raise failure or error

    def close(self) -> None:
        """Ends the run if it is at work. Its counts and rejects are gone then."""
        self._next = None
        if not self._is_done:
            self._finalizer()

    def __enter__(self) -> Self:
        """Returns itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Closes it."""
        self.close()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Hands the rows to another library: DuckDB, polars, pandas, DataFusion."""
        return self.to_reader().__arrow_c_stream__(requested_schema)

    def to_reader(self) -> pa.RecordBatchReader:
        """Returns the rows as a ``pyarrow.RecordBatchReader``.

        Raises ``ValueError`` if they have all been read: no rows would be a wrong answer.
        """
        if self._is_read:
            raise ValueError("the rows have been read; call sluice.read again")
        return pa.RecordBatchReader.from_batches(self.schema, self)

    def to_table(self) -> pa.Table:
        """Reads all rows."""
        table: pa.Table = self.to_reader().read_all()
        return table

    def to_pandas(self, **options: Any) -> "pd.DataFrame":
        """Reads all rows; ``options`` are those of ``pyarrow.Table.to_pandas``."""
        frame: pd.DataFrame = self.to_table().to_pandas(**options)
        return frame

    def to_polars(self) -> "pl.DataFrame":
        """Reads all rows."""
        import polars as pl

        frame = pl.from_arrow(self.to_table())
        assert isinstance(frame, pl.DataFrame)
        return frame

    @property
    def stats(self) -> Stats:
        """The counts of the run, when all rows have been read."""
        self._expect_end()
        return stats_from(self._run.stats)

    @property
    def rejects(self) -> pa.Table:
        """The records that were rejected, with their reasons, when all rows have been read."""
        self._expect_end()
        return rejects_from(self._run.rejects)

    @property
    def warnings(self) -> list[str]:
        """What the program warns of, when all rows have been read."""
        self._expect_end()
        return self._run.warnings()

    def _expect_end(self) -> None:
        if not self._is_done:
            raise ValueError("the rows have not been read to their end")
