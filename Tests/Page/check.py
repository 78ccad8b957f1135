#!/usr/bin/python3
"""Looks at the page of a site as a reader does, in Chromium.

    check.py [NAME...]      all checks, or those whose names have one of these texts
    SLUICE=PATH             the program that writes the sites (default .build/release/sluice)

Prints a line for each check, and the times of a city. Ends with 1 if one failed.
"""

import sys
import tempfile
import time
import traceback
from pathlib import Path

import looks  # noqa: F401  Its checks are registered, as are the others'.
import places  # noqa: F401
import reading  # noqa: F401
from bench import CHECKS, Bench


def main(names):
    chosen = [one for one in CHECKS if not names or any(name in one.__name__ for name in names)]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="sluice-page.") as folder:
        bench = Bench(Path(folder))
        for one in chosen:
            start = time.monotonic()
            try:
                one(bench)
                said = "ok"
            except Exception:
                failed += 1
                said = "FAILED"
                traceback.print_exc()
            print(f"{said}: {one.__name__.replace('_', ' ')} ({time.monotonic() - start:.1f} s)",
                  flush=True)
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
