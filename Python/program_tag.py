"""The oldest C library that a program runs with, told by the symbols that it needs.

program_tag.py PROGRAM     prints manylinux_2_36_x86_64, and checks which libraries it loads
"""

import platform
import re
import subprocess
import sys
from pathlib import Path

#: The libraries that every system of a ``manylinux`` platform has, and that a program may load.
ALLOWED = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "ld-linux-x86-64.so.2"}
#: Names of versions that are no numbers, and the C library that brought them.
_NAMED = {"GLIBC_ABI_DT_RELR": (2, 36)}


def glibc_of(program: Path) -> tuple[int, int]:
    """Returns the version of the C library that the program needs.

    Raises ``ValueError`` if it loads a library that not every system has.
    """
    dynamic = _readelf("--dynamic", program)
    foreign = set(re.findall(r"\(NEEDED\).*\[(.+?)\]", dynamic)) - ALLOWED
    if foreign:
        raise ValueError(f"{program} needs {', '.join(sorted(foreign))}, which a system may lack")
    needed = _readelf("--version-info", program)
    versions = {
        (int(major), int(minor)) for major, minor in re.findall(r"GLIBC_(\d+)\.(\d+)", needed)
    }
    versions |= {version for name, version in _NAMED.items() if name in needed}
    if not versions:
        raise ValueError(f"{program} names no version of the C library")
    return max(versions)


def _readelf(option: str, program: Path) -> str:
    run = subprocess.run(
        ["readelf", "--wide", option, str(program)], check=True, capture_output=True, text=True
    )
    return run.stdout


def main() -> None:
    """Prints the platform of the program that is named."""
    if len(sys.argv) != 2:
        raise SystemExit("usage: program_tag.py PROGRAM")
    major, minor = glibc_of(Path(sys.argv[1]))
    print(f"manylinux_{major}_{minor}_{platform.machine()}")


if __name__ == "__main__":
    main()
