"""Feeds of the sizes that are measured, made once and kept."""
import dataclasses
import hashlib
import pathlib
import shutil
import subprocess
import zipfile

import places

MAKERS = [places.HERE / "make_feed.py", places.ROOT / "Samples" / "make-samples.py"]
# Only the middle size is wanted as bare JSON: the biggest has 880 MB of it.
SIZE_AS_JSON = 600_000


@dataclasses.dataclass(frozen=True)
class Feed:
    """One feed as files: the API's answer, the zip in it and, for one size, the JSON in that."""

    records: int
    envelope: pathlib.Path
    zip: pathlib.Path
    json: pathlib.Path

    @property
    def json_bytes(self):
        return zipfile.ZipFile(self.zip).infolist()[0].file_size


def make(records, say):
    """The feed with that many records; what other makers have made is thrown away."""
    digest = hashlib.sha256(b"".join(maker.read_bytes() for maker in MAKERS)).hexdigest()[:12]
    folder = places.FEEDS / digest
    folder.mkdir(parents=True, exist_ok=True)
    for old in places.FEEDS.iterdir():
        if old != folder:
            shutil.rmtree(old)

    base = folder / str(records)
    feed = Feed(records, *(base.with_suffix(end) for end in (".feed", ".zip", ".json")))
    if not feed.envelope.exists():
        say(f"making a feed of {records:,} records")
        # The envelope is written last, and named so only when it is complete.
        unfinished = base.with_suffix(".unfinished")
        command = [places.PYTHON, MAKERS[0], str(records)]
        command += ["--envelope", unfinished, "--zip", feed.zip]
        if records == SIZE_AS_JSON:
            command += ["--json", feed.json]
        subprocess.run(command, check=True)
        unfinished.rename(feed.envelope)
    return feed
