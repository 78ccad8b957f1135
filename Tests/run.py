#!/usr/bin/env python3
"""Runs the built tests, several suites at once, and prints what fails and what is left out.

    run.py TESTS

TESTS is the built bundle, .build/debug/sluicePackageTests.xctest. Many tests wait for a server, for
a killed process or for a clock. One process of Swift Testing has as many threads as the machine has
processors, and a test that waits holds one of them. So each suite has a process of its own, and
twice as many suites as processors run at once.
"""

import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import time

RUNNER = ["--testing-library", "swift-testing"]
TOTAL = re.compile(r"Test run with (\d+) tests? in \d+ suites? (passed|failed)")
SKIPPED = re.compile(r'(Test|Suite) .* skipped(?:: "(.*)")?$')
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def suites(tests):
    """Returns the suites and their numbers of tests. Tests of the program come first: they wait."""
    listed = subprocess.run([tests, *RUNNER, "--list-tests"], capture_output=True, text=True,
                            check=True).stdout.splitlines()
    counts = collections.Counter()
    for line in filter(None, listed):
        # CLITests.EndToEnd/ServerTests/`a name with spaces`()
        suite = re.match(r"\w+\.\w+(/\w+)*(?=/)", line)
        if not suite:
            sys.exit(f"run.py: this test is in no suite and would not run: {line}")
        counts[suite.group()] += 1
    return sorted(counts.items(), key=lambda item: (not item[0].startswith("CLITests"), -item[1]))


class Run:
    """One suite, run in a process of its own."""

    def __init__(self, tests, suite, number):
        start = time.monotonic()
        command = [tests, *RUNNER, "--filter", "^" + re.escape(suite) + "/"]
        ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, errors="replace")
        self.suite, self.number, self.seconds = suite, number, time.monotonic() - start
        self.lines = COLOUR.sub("", ended.stdout).splitlines()
        total = TOTAL.search("\n".join(self.lines))
        self.tested = int(total.group(1)) if total else 0
        self.has_passed = (ended.returncode == 0 and self.tested == number
                           and total.group(2) == "passed")

    def left_out(self):
        """Returns how many of the tests were left out, by reason."""
        skipped = [match for match in map(SKIPPED.search, self.lines) if match]
        if any(match[1] == "Suite" for match in skipped):
            return collections.Counter({skipped[0][2] or "no reason": self.number})
        return collections.Counter(match[2] or "no reason" for match in skipped)


def main():
    start = time.monotonic()
    tests = sys.argv[1]
    runs = []
    with concurrent.futures.ThreadPoolExecutor(2 * (os.cpu_count() or 1)) as workers:
        begun = [workers.submit(Run, tests, suite, number) for suite, number in suites(tests)]
        for ended in concurrent.futures.as_completed(begun):
            run = ended.result()
            runs.append(run)
            if not run.has_passed:
                lines = [line for line in run.lines if not line.startswith("◇")]
                print(f"{run.suite}: {run.tested} of {run.number} tests", *lines, sep="\n",
                      flush=True)
    if os.environ.get("SLUICE_TIMES"):
        for run in sorted(runs, key=lambda run: -run.seconds)[:40]:
            print(f"{run.seconds:8.1f} s  {run.suite}")
    left_out = sum((run.left_out() for run in runs), collections.Counter())
    for reason, number in sorted(left_out.items()):
        print(f"left out: {number} tests: {reason}")
    failed = [run.suite for run in runs if not run.has_passed]
    ran = sum(run.tested for run in runs) - sum(left_out.values())
    print(f"{ran} tests ran, {sum(left_out.values())} were left out, {len(failed)} of {len(runs)}"
          f" suites failed, {time.monotonic() - start:.0f} s", *failed, sep="\n  ")
    sys.exit(1 if failed or not ran else 0)


main()
