"""The program inside the package."""

import subprocess
import sys

import sluice
from sluice.program import output_of


def test_the_module_is_the_program() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "sluice", "--version"], capture_output=True, text=True, check=True
    )
    assert run.stdout == f"sluice {sluice.version()}\n"
    wrong = subprocess.run(
        [sys.executable, "-m", "sluice", "nothing"], capture_output=True, text=True, check=False
    )
    assert wrong.returncode == 64
    assert wrong.stderr.startswith("sluice: error: ")


def test_the_version_is_that_of_the_program() -> None:
    assert output_of(["--version"], sluice.program()) == f"sluice {sluice.version()}\n"
