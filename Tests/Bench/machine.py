"""Describes the machine that the figures are from."""
import os
import pathlib
import platform
import subprocess

import places


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def describe():
    cores = len(os.sched_getaffinity(0))
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    system = platform.freedesktop_os_release()["PRETTY_NAME"]
    command = ["df", "--output=fstype", places.BUILD]
    disk = subprocess.run(command, capture_output=True, text=True).stdout.split()[-1]
    return (
        f"{processor()}, {cores} cores, {memory:.0f} GiB, {system}, "
        f"Linux {platform.release()}, outputs on {disk}"
    )


def busy():
    """A warning, where other programs have the machine too."""
    load = os.getloadavg()[0]
    return f"the machine was busy when this began: load {load:.1f}" if load > 0.5 else None
