"""Where the program is, and how it is run."""

import functools
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from sluice.errors import SluiceError, UsageError, error_of

#: The variable that names another program than the one in the package.
VARIABLE = "SLUICE"


def program() -> str:
    """Returns the path of the program: ``$SLUICE``, or the one in the package.

    Raises ``FileNotFoundError`` if there is none.
    """
    named = os.environ.get(VARIABLE)
    if named:
        found = shutil.which(named)
        if found is None:
            raise FileNotFoundError(f"${VARIABLE} names no program: {named}")
        return found
    path = Path(__file__).with_name("bin") / "sluice"
    if not path.is_file():
        raise FileNotFoundError(
            f"the package has no program at {path}: install its wheel, or name one by ${VARIABLE}"
        )
    return str(path)


def environment() -> dict[str, str]:
    """Returns the environment of a child: this one, without settings of the program.

    A setting such as ``SLUICE_CSV_DIALECT`` is for runs that somebody types.
    """
    return {name: value for name, value in os.environ.items() if not name.startswith("SLUICE_")}


def output_of(arguments: Sequence[str], program: str) -> str:
    """Runs the program and returns what it writes. Raises a ``SluiceError`` if it fails."""
    run = subprocess.run(
        [program, *arguments, "--lang", "en"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment(),
        check=False,
    )
    if run.returncode != 0:
        raise error_of(run.returncode, run.stderr.decode(errors="replace"))
    return run.stdout.decode()


def check(arguments: Sequence[str], name: str = "input") -> None:
    """Asks the program about arguments of ``convert``, for an input of this name that is not there.

    Raises ``UsageError`` if it refuses them.
    """
    try:
        output_of(["convert", f"/dev/null/{name}", "--quiet", *arguments], program())
    except UsageError:
        raise
    except SluiceError:
        pass  # There is no input.


@functools.cache
def _version_of(program: str) -> str:
    return output_of(["--version"], program=program).split()[-1]


def version() -> str:
    """Returns the version of the program."""
    return _version_of(program())
