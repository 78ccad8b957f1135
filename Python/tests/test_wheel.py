"""The platform of the wheel is told by the program."""

from pathlib import Path

import pytest
from program_tag import glibc_of

import sluice


def test_the_platform_is_that_of_the_newest_symbol() -> None:
    # Short relocations came with 2.36, and the program has them.
    assert glibc_of(Path(sluice.program())) == (2, 36)


def test_a_library_that_a_system_may_lack_is_refused() -> None:
    with pytest.raises(ValueError, match="which a system may lack"):
        glibc_of(Path("/bin/ls"))
