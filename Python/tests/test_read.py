"""What ``read`` reads, and how a caller chooses."""

import csv
import io
import subprocess
from datetime import date
from pathlib import Path

import pyarrow as pa
import pytest

import sluice
from sluice.selection import Where


def rows_of_the_program(*arguments: str) -> list[dict[str, str | None]]:
    run = subprocess.run(
        [sluice.program(), "convert", *arguments, "-q", "--allow-rejects"],
        check=True,
        capture_output=True,
    )
    lines = csv.DictReader(io.StringIO(run.stdout.decode(), newline=""))
    return [{name: value or None for name, value in line.items()} for line in lines]


def as_text(table: pa.Table) -> list[dict[str, str | None]]:
    return [
        {name: None if value is None else str(value) for name, value in row.items()}
        for row in table.to_pylist()
    ]


@pytest.mark.parametrize("sample", ["feed", "full"])
def test_rows_are_those_of_the_program(samples: Path, sample: str) -> None:
    path = samples / "hot-water" / f"{sample}.json"
    table = sluice.read(path).to_table()
    assert as_text(table) == rows_of_the_program(str(path))


def test_batches_have_the_schema_of_the_feed(full: Path) -> None:
    reader = sluice.read(full)
    assert reader.schema == sluice.schema("hot-water")
    assert [batch.schema for batch in reader] == [reader.schema]


def test_a_reader_is_read_once(full: Path) -> None:
    reader = sluice.read(full)
    assert reader.to_table().num_rows == 13200
    assert list(reader) == []
    with pytest.raises(ValueError, match="the rows have been read"):
        reader.to_table()


def test_columns_rows_order_and_number_are_chosen(full: Path) -> None:
    table = sluice.read(
        full,
        columns=["house", "start_date"],
        where={"street": "Кирочная", "letter": ["А", "Б"]},
        start=date(2020, 6, 1),
        end="2020-06-30",
        sort="house:desc",
        limit=2,
    ).to_table()
    assert table.column_names == ["house", "start_date"]
    expected = rows_of_the_program(
        str(full), "--columns", "house,start_date", "--where", "street=Кирочная",
        "--where", "letter=А", "--where", "letter=Б", "--from", "2020-06-01",
        "--to", "2020-06-30", "--sort", "house:desc", "--limit", "2",
    )  # fmt: skip
    assert as_text(table) == expected
    assert len(expected) == 2


def test_a_column_may_be_named_by_its_label(full: Path) -> None:
    table = sluice.read(full, columns=["Улица"], limit=1).to_table()
    assert table.column_names == ["street"]


@pytest.mark.parametrize(
    ("where", "count"),
    [
        ("house=1", 1),
        ({"house": "1*"}, 1),
        ("house=1*", 2),
        ({"house": ["1", "1*"]}, 2),
        ({"house": None}, 1),
        (["house!=1", "house!="], 1),
    ],
)
def test_a_star_in_a_mapping_is_a_star(where: Where, count: int) -> None:
    records = ",".join(
        f'{{"Адрес жилого здания": "Садовая", "№ дома": "{house}", '
        '"Период отключения ГВС": "22.06.2020"}'
        for house in ("1", "1*", "")
    )
    assert sluice.read(f"[{records}]".encode(), where=where).to_table().num_rows == count


def test_a_selection_that_keeps_nothing_has_no_rows(full: Path) -> None:
    reader = sluice.read(full, where="street=нет такой")
    assert reader.to_table().num_rows == 0
    assert reader.stats.read == 13200
    assert reader.stats.rows == 0


def test_an_empty_feed_has_columns_and_no_rows() -> None:
    table = sluice.read(b"[]").to_table()
    assert table.num_rows == 0
    assert table.schema == sluice.schema("hot-water")


def test_content_comes_from_memory_a_file_and_a_path(full: Path) -> None:
    content = full.read_bytes()
    expected = sluice.read(full).to_table()
    assert sluice.read(content).to_table() == expected
    assert sluice.read(memoryview(content)).to_table() == expected
    assert sluice.read(io.BytesIO(content)).to_table() == expected
    with full.open("rb") as file:
        assert sluice.read(file).to_table() == expected
    assert sluice.read(str(full)).to_table() == expected


def test_one_of_several_tables(samples: Path) -> None:
    path = samples / "posts" / "feed.json"
    table = sluice.read(path, feed="posts", table="posts").to_table()
    assert as_text(table) == rows_of_the_program(str(path), "--feed", "posts", "--table", "posts")
    assert list(sluice.tables("posts")) == [
        "users", "addresses", "geos", "companies", "posts", "comments",
    ]  # fmt: skip
    with pytest.raises(sluice.UsageError, match="choose one with table=: users, addresses"):
        sluice.read(path, feed="posts")
    with pytest.raises(sluice.UsageError, match="no table 'x'; there are: users"):
        sluice.read(path, feed="posts", table="x")


def test_several_inputs_are_read_in_their_order(tmp_path: Path, full: Path) -> None:
    nights = [tmp_path / f"{day}.json" for day in ("2020-06-02", "2020-06-01")]
    for night in nights:
        night.write_bytes(full.read_bytes())
    reader = sluice.read(nights, with_input=True, input_date="{yyyy-MM-dd}*")
    table = reader.to_table()
    assert table.num_rows == 2 * 13200
    assert table.schema.field("input_date").type == pa.date32()
    found = table.select(["input", "input_date"]).group_by(["input", "input_date"]).aggregate([])
    assert found.to_pylist() == [
        {"input": str(nights[0]), "input_date": date(2020, 6, 2)},
        {"input": str(nights[1]), "input_date": date(2020, 6, 1)},
    ]
    assert [one.input for one in reader.stats.inputs] == [str(night) for night in nights]
    assert [one.rows for one in reader.stats.inputs] == [13200, 13200]


def test_a_name_with_a_line_break(tmp_path: Path, full: Path) -> None:
    night = tmp_path / "a\nb"
    night.write_bytes(full.read_bytes())
    assert sluice.read([night, night]).to_table().num_rows == 2 * 13200


def test_a_folder_is_several_inputs(tmp_path: Path, full: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.json").write_bytes(full.read_bytes())
    assert sluice.read(tmp_path).to_table().num_rows == 3 * 13200


def test_a_broken_input_of_several_is_left_out_if_asked(tmp_path: Path, full: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("[{")
    with pytest.raises(sluice.DataError) as caught:
        sluice.read([full, broken]).to_table()
    assert (caught.value.input, caught.value.stage, caught.value.byte) == (str(broken), "json", 2)
    reader = sluice.read([full, broken], on_error="skip")
    assert reader.to_table().num_rows == 13200
    assert [one.error is None for one in reader.stats.inputs] == [True, False]
    assert str(broken) in reader.warnings[0]


def test_no_inputs_are_an_error() -> None:
    with pytest.raises(ValueError, match="the list of inputs is empty"):
        sluice.read([])
    with pytest.raises(TypeError, match="an input among several is a path or a URL, not bytes"):
        sluice.read([b"[]"])  # type: ignore[list-item]


def test_settings_of_the_command_line_do_not_reach_the_run(
    full: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLUICE_CSV_DIALECT", "excel")
    monkeypatch.setenv("SLUICE_COLUMNS", "house")
    monkeypatch.setenv("SLUICE_CONFIG", "/nowhere")
    assert sluice.read(full).to_table().schema == sluice.schema("hot-water")


def test_a_path_that_looks_like_an_option(
    tmp_path: Path, full: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "--help").write_bytes(full.read_bytes())
    monkeypatch.chdir(tmp_path)
    assert sluice.read("--help").to_table().num_rows == 13200


def test_rejects_and_counts(samples: Path) -> None:
    reader = sluice.read(samples / "hot-water" / "feed.json")
    with pytest.raises(ValueError, match="not been read to their end"):
        _ = reader.stats
    assert reader.to_table().num_rows == 42
    stats = reader.stats
    assert (stats.read, stats.kept, stats.skipped, stats.rejected, stats.rows) == (43, 38, 2, 3, 42)
    assert stats.reject_reasons == {"missing-value": 1, "no-such-day": 1, "end-before-start": 1}
    first = reader.rejects.to_pylist()[0]
    assert (first["record"], first["offset"], first["reason"]) == (41, 12243, "no-such-day")
    assert first["value"] == "31.06.2020-05.07.2020"
    assert first["raw"].startswith("{\n")
    assert reader.rejects.num_rows == 3
    assert reader.warnings == []


def test_a_feed_without_rejects_has_an_empty_table_of_them(full: Path) -> None:
    reader = sluice.read(full)
    reader.to_table()
    assert reader.rejects.num_rows == 0
    assert "reason" in reader.rejects.column_names


def test_more_options_of_the_program(full: Path) -> None:
    assert sluice.read(full, options=["--where", "house=15"]).to_table().num_rows > 0
