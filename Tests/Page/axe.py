"""Brings axe, which knows the rules of accessibility, from the Python package that carries it."""

import subprocess
import sys
import zipfile

PACKAGE = "axe-playwright-python==0.1.8"


def axe_script(folder):
    """Returns axe's script; None where the package index cannot be reached."""
    folder = folder / "axe"
    folder.mkdir(exist_ok=True)
    for pip in ([sys.executable, "-m", "pip"], ["pip"], ["pip3"]):
        try:
            subprocess.run([*pip, "download", "-q", "--no-deps", "-d", folder, PACKAGE],
                           check=True, capture_output=True, timeout=120)
            break
        except (OSError, subprocess.SubprocessError):
            continue
    for wheel in folder.glob("*.whl"):
        with zipfile.ZipFile(wheel) as content:
            return content.read("axe_playwright_python/axe.min.js").decode()
    return None
