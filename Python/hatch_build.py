"""Brings the program into the wheel, and names the platform that it needs."""

import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent))

from program_tag import glibc_of


class ProgramHook(BuildHookInterface):
    """Adds the program that ``$SLUICE_PROGRAM`` names, stripped."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Is called before the wheel is written."""
        if version == "editable":
            return
        named = os.environ.get("SLUICE_PROGRAM", "")
        if not named:
            raise SystemExit("name the program to pack: SLUICE_PROGRAM=PATH, or use 'make wheel'")
        program = Path(self.directory) / "sluice"
        program.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["strip", "-o", str(program), named], check=True)
        program.chmod(0o755)
        major, minor = glibc_of(program)
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-manylinux_{major}_{minor}_{platform.machine()}"
        build_data["force_include"][str(program)] = "sluice/bin/sluice"
