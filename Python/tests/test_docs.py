"""The examples of docs/python.md run, in their order."""

import re
import shutil
from pathlib import Path

import pytest

from conftest import ROOT

EXAMPLES = re.findall(
    r"^```python\n(.*?)^```", (ROOT / "docs/python.md").read_text(), re.MULTILINE | re.DOTALL
)


def test_the_examples_run(
    tmp_path: Path,
    samples: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    feed = samples / "hot-water" / "feed.json"
    (tmp_path / "nights").mkdir()
    for name in ("feed.json", "nights/2020-06-01.json", "nights/2020-06-02.json"):
        shutil.copyfile(feed, tmp_path / name)
    (tmp_path / "cut.json").write_bytes(feed.read_bytes()[:1000])
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for example in EXAMPLES:
        exec(compile(example, "docs/python.md", "exec"), names)
    printed = capsys.readouterr().out
    assert printed == "42\nenvelope 1000 the JSON is truncated; download the data again\n"
    assert len(EXAMPLES) == 5
