"""``python -m sluice`` is the program itself."""

import os
import sys

from sluice.program import program


def main() -> None:
    """Becomes the program, with the arguments of this process."""
    path = program()
    os.execv(path, ["sluice", *sys.argv[1:]])


if __name__ == "__main__":
    main()
