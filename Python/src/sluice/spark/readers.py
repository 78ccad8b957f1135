"""Reading on many machines: files are divided on the driver; each worker runs the program.

driver     options ─▶ files ─▶ shares
worker     share ─▶ copies of remote files ─▶ one run of the program ─▶ batches
"""

import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql.datasource import DataSourceReader, Filter, InputPartition

from sluice.errors import DataError, SluiceError, UsageError
from sluice.program import check
from sluice.reader import Reader
from sluice.results import REJECTS
from sluice.selection import Inputs, Selection, conditions
from sluice.spark.files import copied, files, shares
from sluice.spark.filters import conditions_of, depends_on_rows
from sluice.spark.options import Options
from sluice.types import INPUT_COLUMNS, one_table, tables

#: Even all records of a file may be rejected.
_UNLIMITED = str(2**63 - 1)
#: The reason in ``sluice-rejects`` of a file that was left out.
BROKEN = "broken-input"


@dataclass
class Share(InputPartition):
    """The files of a partition, in their order."""

    paths: tuple[str, ...]


class _FilesReader(DataSourceReader):
    """What both readers do."""

    def __init__(self, options: Options, columns: pa.Schema) -> None:
        self.options = options
        #: The columns that Spark expects.
        self.columns = columns

    def partitions(self) -> Sequence[InputPartition]:
        """Divides the files. Options that the program refuses are an error here, on the driver."""
        found = files(self.options.paths, self.options.storage)
        with tempfile.TemporaryDirectory(prefix="sluice-") as folder:
            check(self.options.run(Path(folder)).arguments, found[0].path)
        divided = shares(found, self.options.partitions, self.options.weight)
        return [Share(tuple(file.path for file in share)) for share in divided]

    @contextmanager
    def at_work(
        self, partition: InputPartition, more: Mapping[str, Any], columns: pa.Schema | None = None
    ) -> Iterator[tuple[Reader, "_Names"]]:
        """Runs the program over the files of a partition.

        The rows have these columns. Without them, the run is about the rejected records.
        """
        assert isinstance(partition, Share)
        with tempfile.TemporaryDirectory(prefix="sluice-") as name:
            folder = Path(name)
            selection = self.options.run(folder, **more)
            of_rows = _as_texts(selection) if columns is None else columns
            names = _Names(copied(partition.paths, self.options.storage, folder / "files"))
            inputs = Inputs(names.here)
            try:
                with Reader(inputs, selection, of_rows, keeps_rejects=columns is None) as reader:
                    yield reader, names
            except SluiceError as error:
                raise error.about(names.own(error.input or names.here[0])) from None

    def left_out(self, partition: InputPartition, error: DataError) -> list[tuple[str, str]]:
        """Returns the files that are broken, if all are; raises the error if broken files count.

        The program leaves out broken files while there are others.
        """
        assert isinstance(partition, Share)
        if not self.options.skips_broken or error.stage in (None, "sink"):
            raise error
        if len(partition.paths) == 1:
            return [(partition.paths[0], str(error))]
        return [one for path in partition.paths for one in self._left_out_alone(Share((path,)))]

    def _left_out_alone(self, partition: Share) -> list[tuple[str, str]]:
        try:
            with self.at_work(partition, {"max_rejects": _UNLIMITED}) as (reader, _):
                for _batch in reader:
                    pass
        except DataError as error:
            return self.left_out(partition, error)
        return []


class RowsReader(_FilesReader):
    """Reads rows."""

    def __init__(self, options: Options, columns: pa.Schema) -> None:
        super().__init__(options, columns)
        #: The conditions of filters that were pushed down.
        self.pushed: list[str] = []
        self._own_columns = pa.schema(
            field for field in columns if not (options.with_input and field.name in INPUT_COLUMNS)
        )

    def pushFilters(self, filters: list[Filter]) -> Iterable[Filter]:  # noqa: N802
        """Takes what the program can help with. Spark applies every filter again."""
        # With a limit of one's own, all records are to be judged.
        if "max_rejects" in self.options.selection:
            return filters
        with tempfile.TemporaryDirectory(prefix="sluice-") as folder:
            selection = self.options.run(Path(folder), input_date=None)
            if depends_on_rows(selection.feed):
                return filters
            for one in filters:
                found = conditions_of(one, self._own_columns)
                # Conditions on a column that are alternatives would widen those of the user.
                if found.are_alternatives and self.options.is_selected:
                    continue
                try:
                    check([*selection.arguments, *(f"--where={text}" for text in found.texts)])
                except UsageError:
                    continue
                self.pushed += found.texts
        return filters

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Reads the rows of a partition."""
        more: dict[str, Any] = {"columns": self.columns.names}
        if self.pushed:
            # A selection whose records are all rejected has no rows here. It is no error.
            more |= {
                "where": conditions(self.options.selection.get("where")) + self.pushed,
                "max_rejects": _UNLIMITED,
            }
        try:
            with self.at_work(partition, more, self._own_columns) as (reader, names):
                for batch in reader:
                    yield self._shaped(batch, names)
                for warning in reader.warnings:
                    print(f"sluice: warning: {warning}", file=sys.stderr)
        except DataError as error:
            for path, reason in self.left_out(partition, error):
                print(f"sluice: warning: input left out: {path}: {reason}", file=sys.stderr)

    def _shaped(self, batch: pa.RecordBatch, names: "_Names") -> pa.RecordBatch:
        columns = [
            names.owned(batch.column(field.name))
            if field.name == "input" and self.options.with_input
            else batch.column(field.name)
            for field in self.columns
        ]
        return pa.RecordBatch.from_arrays(columns, schema=self.columns)


class RejectsReader(_FilesReader):
    """Reads rejected records, and the names of files that are broken."""

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Reads the rejected records of a partition."""
        more: dict[str, Any] = {"with_input": False}
        if "max_rejects" not in self.options.selection:
            more["max_rejects"] = _UNLIMITED
        try:
            with self.at_work(partition, more) as (reader, names):
                for _ in reader:
                    pass
                yield from self._found(reader, names)
        except DataError as error:
            yield self._broken(self.left_out(partition, error))

    def _found(self, reader: Reader, names: "_Names") -> Iterator[pa.RecordBatch]:
        rejects = reader.rejects
        inputs = rejects["input"].combine_chunks().fill_null(names.here[0])
        rejects = rejects.set_column(0, "input", names.owned(inputs))
        for batch in rejects.to_batches():
            yield self._shaped(batch)
        yield self._broken(
            [(names.own(one.input), one.error) for one in reader.stats.inputs if one.error]
        )

    def _broken(self, left_out: Sequence[tuple[str, str]]) -> pa.RecordBatch:
        rows = [{"input": path, "reason": BROKEN, "value": reason} for path, reason in left_out]
        return self._shaped(pa.RecordBatch.from_pylist(rows, schema=REJECTS))

    def _shaped(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        columns = [batch.column(field.name) for field in self.columns]
        return pa.RecordBatch.from_arrays(columns, schema=self.columns)


def _as_texts(selection: Selection) -> pa.Schema:
    """Returns the columns of a run whose rows nobody wants."""
    columns = one_table(tables(selection.feed), selection.table)
    return pa.schema([(name, pa.string()) for name in columns.names])


class _Names:
    """The paths of files on this machine, and their own names."""

    def __init__(self, names: Mapping[str, str]) -> None:
        #: The paths here.
        self.here = list(names)
        # The program writes a path as a tidy text.
        self._own = {" ".join(here.split()): own for here, own in names.items()} | dict(names)

    def own(self, here: str) -> str:
        """Returns the file's own name."""
        return self._own.get(here, here)

    def owned(self, paths: pa.Array) -> pa.Array:
        """Returns the files' own names for a column of paths."""
        encoded = paths.dictionary_encode()
        own = pa.array([self.own(path) for path in encoded.dictionary.to_pylist()], pa.string())
        return pa.DictionaryArray.from_arrays(encoded.indices, own).cast(pa.string())
