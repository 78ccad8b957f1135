"""However a reader ends, the program ends too."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import psutil
import pytest

import sluice
from conftest import children, wait_for


def test_the_program_is_gone_at_the_end_of_the_rows(big: Path, kinds: Path) -> None:
    reader = sluice.read(big, feed=kinds)
    assert children() != []
    assert sum(batch.num_rows for batch in reader) == 300_000
    assert children() == []


def test_an_early_close_ends_it(big: Path, kinds: Path) -> None:
    reader = sluice.read(big, feed=kinds)
    next(reader)
    reader.close()
    assert children() == []
    with pytest.raises(ValueError, match="closed"):
        next(reader)
    reader.close()


def test_the_end_of_a_with_ends_it(big: Path, kinds: Path) -> None:
    with sluice.read(big, feed=kinds) as reader:
        next(reader)
    assert children() == []


def test_rejects_and_counts_outlive_a_with(big: Path, kinds: Path) -> None:
    with sluice.read(big, feed=kinds) as reader:
        reader.to_table()
    assert reader.stats.rows == 300_000
    assert reader.rejects.num_rows == 0


def test_a_reader_that_nobody_has_ends_it(big: Path, kinds: Path) -> None:
    reader = sluice.read(big, feed=kinds)
    next(reader)
    del reader
    assert children() == []


def test_a_stream_that_is_abandoned_by_another_library(big: Path, kinds: Path) -> None:
    batches = sluice.read(big, feed=kinds).to_reader()
    batches.read_next_batch()
    del batches
    wait_for(lambda: children() == [])


def test_a_source_that_stalls_can_be_closed(kinds: Path) -> None:
    out, into = os.pipe()
    with open(out, "rb") as source, open(into, "wb") as writer:
        line = b'{"text": "%s"}\n' % (b"x" * 1000)
        feeding = threading.Thread(target=lambda: writer.write(line * 20_000))
        feeding.start()
        reader = sluice.read(source, feed=kinds)
        next(reader)
        feeding.join()
        reader.close()
        assert children() == []


def python(code: str, *arguments: object) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("waits", ["for rows", "for the first rows", "for nothing"])
def test_an_interrupt_ends_it(waits: str, kinds: Path, tmp_path: Path) -> None:
    stalled = tmp_path / "stalled"
    os.mkfifo(stalled)
    code = """
        import sys, time, sluice
        _, path, feed, waits = sys.argv
        source = open(path, "rb", buffering=0)
        print("open", flush=True)
        if waits == "for the first rows":
            sluice.read(source, feed=feed)
        reader = sluice.read(source, feed=feed, block_size=65536)
        next(reader)
        print("rows", flush=True)
        if waits == "for nothing":
            time.sleep(60)
        reader.to_table()
    """
    child = python(code, stalled, kinds, waits)
    assert child.stdout is not None
    with stalled.open("wb", buffering=0) as writer:
        assert child.stdout.readline() == "open\n"
        if waits != "for the first rows":
            writer.write(b'{"text": "x"}\n' * 100_000)
            assert child.stdout.readline() == "rows\n"
        programs = psutil.Process(child.pid).children
        wait_for(lambda: any(one.name() == "sluice" for one in programs()))
        found = programs()
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate(timeout=20)
    assert "KeyboardInterrupt" in errors
    assert child.returncode == -signal.SIGINT
    wait_for(lambda: not any(one.is_running() for one in found))


def test_a_killed_interpreter_takes_it_along(
    big: Path, kinds: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # Nobody is left to remove the folder of the run.
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    code = """
        import sys, time, sluice
        reader = sluice.read(sys.argv[1], feed=sys.argv[2])
        next(reader)
        print("rows", flush=True)
        time.sleep(60)
    """
    child = python(code, big, kinds)
    assert child.stdout is not None
    child.stdout.readline()
    (found,) = psutil.Process(child.pid).children()
    child.kill()
    child.communicate()
    wait_for(lambda: not found.is_running())


def test_the_end_of_the_interpreter_ends_it(big: Path, kinds: Path) -> None:
    code = """
        import sys, sluice
        reader = sluice.read(sys.argv[1], feed=sys.argv[2])
        next(reader)
    """
    child = python(code, big, kinds)
    _, errors = child.communicate(timeout=60)
    assert (child.returncode, errors) == (0, "")


def test_many_readers_at_once(full: Path) -> None:
    readers = [sluice.read(full) for _ in range(8)]
    assert {reader.to_table().num_rows for reader in readers} == {13200}


def test_readers_of_many_threads(full: Path) -> None:
    counts: list[int] = []

    def read() -> None:
        counts.append(sluice.read(full).to_table().num_rows)

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [13200] * 8
