#!/usr/bin/env python3
"""Runs the built tests, several suites at once, and prints what fails.

    run.py TESTS

TESTS is the built bundle, .build/debug/sluicePackageTests.xctest. Many tests wait for a server, for
a killed process or for a clock. One process of Swift Testing has as many threads as the machine has
processors, and a test that waits holds one of them. So each suite has a process of its own, and
twice as many suites as processors run at once.

A suite that fails runs once more, alone, and the output of both runs is printed: on a machine that
is too busy, a server's answer may come before a test expects it. What fails alone has failed.
"""

import concurrent.futures
import os
import re
import subprocess
import sys
import time

RUNNER = ["--testing-library", "swift-testing"]
TOTAL = re.compile(r"Test run with (\d+) tests? in \d+ suites? (passed|failed)")


def suites(tests):
    """Returns the suites and their numbers of tests. Tests of the program come first: they wait."""
    listed = subprocess.run([tests, *RUNNER, "--list-tests"], capture_output=True, text=True,
                            check=True).stdout.splitlines()
    counts = {}
    for line in listed:
        # CLITests.EndToEnd/ServerTests/`a name with spaces`()
        suite = re.match(r"\w+\.\w+(/\w+)*(?=/)", line)
        if suite:
            counts[suite.group()] = counts.get(suite.group(), 0) + 1
    return sorted(counts.items(), key=lambda item: (not item[0].startswith("CLITests"), -item[1]))


def run(tests, suite):
    """Runs one suite. Returns its output, the number of its tests, and the seconds that it took."""
    start = time.monotonic()
    command = [tests, *RUNNER, "--filter", "^" + re.escape(suite) + "/"]
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                           errors="replace")
    total = TOTAL.search(ended.stdout)
    passed = ended.returncode == 0 and total is not None and total.group(2) == "passed"
    return passed, ended.stdout, int(total.group(1)) if total else 0, time.monotonic() - start


def main():
    tests = sys.argv[1]
    start = time.monotonic()
    known = suites(tests)
    failed, count, times = [], 0, []
    with concurrent.futures.ThreadPoolExecutor(2 * (os.cpu_count() or 1)) as workers:
        runs = {workers.submit(run, tests, suite): (suite, number) for suite, number in known}
        for ended in concurrent.futures.as_completed(runs):
            suite, number = runs[ended]
            passed, output, tested, seconds = ended.result()
            count += tested
            times.append((seconds, suite))
            if not passed or tested != number:
                failed.append(suite)
                lines = [line for line in output.splitlines() if not line.startswith("◇")]
                print(f"{suite}: {tested} of {number} tests", *lines, sep="\n", flush=True)
    for suite in list(failed):
        passed, output, tested, _ = run(tests, suite)
        if passed and tested == dict(known)[suite]:
            failed.remove(suite)
            print(f"{suite}: passed when it ran alone")
        else:
            print(f"{suite}: failed alone too", output, sep="\n")
    if os.environ.get("SLUICE_TIMES"):
        for seconds, suite in sorted(times, reverse=True)[:40]:
            print(f"{seconds:8.1f} s  {suite}")
    seconds = time.monotonic() - start
    print(f"{count} tests in {len(known)} suites, {len(failed)} suites failed, {seconds:.0f} s")
    sys.exit(1 if failed or not count else 0)


main()
